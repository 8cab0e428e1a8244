"""The lobby: the options for a new table, and functions that create tables from requests.

The functions parse the text of a request and report its problems.  They run in a worker, unless the
request is small.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import PlayerPrompt
from valletta_rules.analysis import analysis_from_json
from valletta_rules.bots import registry
from valletta_rules.card_sets.files import RECONSTRUCTION, CardSetError, parse_card_set
from valletta_rules.codec import from_json, parse, to_json
from valletta_rules.errors import Refusal, VallettaError
from valletta_rules.games import new_game
from valletta_rules.play.game import Game
from valletta_rules.records.damage import Damage
from valletta_rules.records.files import parse_record, too_long
from valletta_rules.records.position_line import position_line
from valletta_rules.records.record import Record, RecordError
from valletta_rules.rulings import EDITIONS, VARIANTS, RuleSet
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.state import GameState
from valletta_rules.svg import SEAT_PAINTS
from valletta_rules.text.values import UnfitError, plain
from valletta_rules.version import __version__
from valletta_rules.web import protocol, store
from valletta_rules.web.coach import LESSON, lessons
from valletta_rules.web.game import TableGame, position_of
from valletta_rules.web.store import Ages, Occupant
from valletta_rules.words import LANGUAGES, Language, refusal_of

QUICK: Final = 4_000
"""The maximum length, in characters, of a `NewTable` request that needs no worker."""

T = TypeVar("T")


class TableError(VallettaError, ValueError):
    """Raised if a table cannot be opened as requested."""


def lobby(code: str, links: Sequence[str], ages: Ages) -> protocol.Lobby:
    """Return the options for a new table, and information about this server.

    `code` is the code of the language, `links` are the addresses of the server for other machines,
    and `ages` are the ages at which tables are removed.
    """
    language = LANGUAGES[code]
    return protocol.Lobby(
        editions=tuple(
            protocol.Named(name, language.describe_rules(rules)) for name, rules in EDITIONS.items()
        ),
        variants=_named(language.table("variants")),
        levels=tuple(_levels(language)),
        colours=tuple(
            protocol.Named(name, language.phrase(f"seat_colours.{name}")) for name in SEAT_PAINTS
        ),
        lessons=_named(language.table("talk.lessons")),
        links=tuple(links),
        kept=tuple(
            language.phrase(f"talk.kept.{kind}", days=days)
            for kind, days in attrs.asdict(ages).items()
            if days is not None
        ),
    )


def _levels(language: Language) -> Iterator[protocol.Named]:
    """Yield the levels of bots; the name of a reduced level states that its bot is weaker."""
    for code, name in language.table("page.levels").items():
        is_reduced = registry.is_reduced(code)
        yield protocol.Named(
            code, language.phrase("talk.reduced", level=name) if is_reduced else name
        )


def _named(names: Mapping[str, str]) -> tuple[protocol.Named, ...]:
    return tuple(protocol.Named(code, name) for code, name in names.items())


# Functions that workers run with the text of a request


class ReportedError(VallettaError):
    """Raised if a request is refused, with the reason in the language of the request."""

    def __init__(self, refusal: Refusal) -> None:
        """Create an error; `refusal` contains the reason in words."""
        super().__init__(refusal)
        self.refusal = refusal


def reporting(work: Callable[[str], T], text: str, code: str) -> T:
    """Call `work` with the text of a request, and return the result.

    Raises `ReportedError`, in the language `code`, if `work` raises a `VallettaError`.
    """
    try:
        return work(text)
    except VallettaError as error:
        raise ReportedError(refusal_of(error, LANGUAGES[code])) from None


def check_card_set(text: str) -> protocol.CardSetSeen:
    """Check the card set in a request, and return its name or its problems.

    Raises `MessageError` if `text` is not a `CardSetText`.
    """
    wish = protocol.read_request(text, protocol.CardSetText)
    try:
        cards = parse_card_set(wish.text)
    except CardSetError as error:
        problems = refusal_of(error, LANGUAGES[wish.language]).problems
        return protocol.CardSetSeen(None, len(error.problems), tuple(map(str, problems)))
    return protocol.CardSetSeen(cards.name, 0, ())


@attrs.frozen
class LaidTable:
    """The data of a new table, as it is stored."""

    documents: store.TableDocuments
    seats: tuple[Occupant, ...]
    log: tuple[str, ...]
    """The log entries as JSON documents: the first entry and, for a record, those of its moves."""


def lay_table(seed: bytes, text: str) -> LaidTable:
    """Create the table for a `NewTable` message.

    `seed` determines all random outcomes, unless the game is coached: `LESSON` is its seed.

    Raises `MessageError`, `TableError`, `CardSetError` and `VariantError`.
    """
    wish = protocol.read_request(text, protocol.NewTable)
    rules = _rules(wish)
    cards = RECONSTRUCTION if wish.cards is None else parse_card_set(wish.cards)
    seats = [_seat(each.name.strip(), each.colour, each.level) for each in wish.seats]
    if wish.is_shuffled:
        random.SystemRandom().shuffle(seats)
    check_seats(seats, rules)
    seed = LESSON if wish.is_coached else seed
    return lay_game(seed, new_game(len(seats), rules=rules, cards=cards), seats, wish.is_coached)


def lay_game(
    seed: bytes, start: GameState, seats: Sequence[Occupant], is_coached: bool
) -> LaidTable:
    """Create a table for a game that begins at `start`; `seed` determines all random outcomes."""
    game = TableGame.begin(start, seed)
    return _laid(game.now, seed, seats, {"coached": True} if is_coached else {})


def _rules(wish: protocol.NewTable) -> RuleSet:
    if wish.edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise TableError(f"unknown edition {wish.edition!r}; known editions: {known}")
    if unknown := {*wish.variants} - VARIANTS.keys():
        known = ", ".join(VARIANTS)
        raise TableError(f"unknown variant {min(unknown)!r}; known variants: {known}")
    on = {field: name in wish.variants for name, field in VARIANTS.items()}
    return EDITIONS[wish.edition].with_variants(**on)


def _seat(name: str, colour: str, level: str | None) -> Occupant:
    return Occupant("person" if level is None else "bot", level, name, colour)


def check_seats(seats: Sequence[Occupant], rules: RuleSet) -> None:
    """Raise `TableError` if two seats have the same colour, or a record cannot store the names."""
    colours = [seat.colour for seat in seats]
    names = [seat.name or seat.colour for seat in seats]
    if len({*colours}) < len(colours):
        twice = next(each for each in colours if colours.count(each) > 1)
        raise TableError(f"every player needs a different colour; two players have {twice}")
    try:
        Record(len(seats), rules, names=tuple(names))
    except ValueError as error:
        raise TableError(str(error)) from None


def lay_trial(seed: bytes, text: str) -> LaidTable:
    """Create the table for a `NewTrial` message.

    `seed` determines all random outcomes that the worked example does not contain.  Raises
    `MessageError`, `TableError`, `PositionLineError` and `UnknownClauseError`.
    """
    wish = protocol.read_request(text, protocol.NewTrial)
    if wish.position is not None and wish.example is None:
        return _at_position(wish.position, seed, wish.against, {})
    if wish.position is not None or wish.example is None:
        raise TableError("a trial must have either a position or an example, not both")
    worked = work(example_named(wish.example))
    options = {"example": wish.example}
    return _at_position(position_line(worked.before), seed, wish.against, options, worked.actions)


def lay_lesson(seed: bytes, text: str) -> LaidTable:
    """Create the table for a `NewLesson` message; `seed` determines all random outcomes.

    Raises `MessageError` and `TableError`.
    """
    wish = protocol.read_request(text, protocol.NewLesson).lesson
    if (lesson := lessons().get(wish)) is None:
        unfit = UnfitError.of(Damage.NO_LESSON, word=plain(wish))
        unfit = attrs.evolve(unfit, known=tuple(lessons()))
        raise TableError(str(unfit)) from unfit
    return _at_position(lesson.position, seed, "novice", {"coached": True})


def _at_position(
    line: str,
    seed: bytes,
    against: protocol.BotLevel | None,
    options: Mapping[str, object],
    script: Sequence[Action] = (),
) -> LaidTable:
    """Return a table at a position, with a person in the seat that must answer.

    `line` is the position line.  `against` is the level of the bots in all other seats, or `None`
    for persons.  `options` are further options of the table, and `script` contains the moves of a
    worked example.
    """
    state = position_of(line)
    prompted_seat = state.prompt.seat if isinstance(state.prompt, PlayerPrompt) else state.active
    seats = [
        _seat("", colour, None if seat == prompted_seat else against)
        for seat, colour in zip(range(len(state.players)), SEAT_PAINTS, strict=False)
    ]
    game = TableGame.begin(state, seed, script=script, skip_forced=False)
    return _laid(game.now, seed, seats, {"position": line, **options})


def _laid(
    game: Game, seed: bytes, seats: Sequence[Occupant], options: Mapping[str, object]
) -> LaidTable:
    documents = store.TableDocuments(json.dumps(options), seed, __version__)
    return LaidTable(documents, tuple(seats), tuple(map(to_json, game.log)))


def lay_record(most: int, text: str) -> LaidTable:
    """Return a table that shows a record: every page can view all hands, and no page can play.

    `most` is the maximum number of moves.  `text` is the content of a record file, or a record or
    an analysis as a JSON document.  Raises `RecordError` and `CodecError`.
    """
    record = _read(text, most)
    game = Game.resume(record, draw=None)
    colours = tuple(SEAT_PAINTS)
    names = record.names or ("",) * record.players
    seats = [_seat(name, colour, "novice") for name, colour in zip(names, colours, strict=False)]
    return _laid(game, b"", seats, {"replay": True})


def _read(text: str, most: int) -> Record:
    if not text.lstrip().startswith("{"):
        return parse_record(text, most=most)
    content = parse(text)
    is_analysis = isinstance(content, dict) and content.get("kind") == "Analysis"
    record = analysis_from_json(text).record if is_analysis else from_json(text)
    if not isinstance(record, Record):
        unfit = UnfitError.of(Damage.OTHER_DOCUMENT, found=type(record).__name__)
        raise RecordError(str(unfit)) from unfit
    if len(record.actions) > most:
        raise too_long(most)
    return record


def opens_at_once(text: str, code: str) -> bool:
    """Return whether a `NewTable` request needs no worker: it is short and contains no card set.

    Raises `ReportedError`, in the language `code`, if the text is not a `NewTable`.
    """
    if len(text) > QUICK:
        return False
    return (
        reporting(partial(protocol.read_request, kind=protocol.NewTable), text, code).cards is None
    )
