"""The lobby: the choices for a table, and how one, or a record of a game, is opened.

The text of a request is read by a worker, which also says what is wrong with it.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import PlayerPrompt
from valletta_rules.analysis import analysis_from_json
from valletta_rules.card_sets.files import (
    RECONSTRUCTION,
    CardSetError,
    parse_card_set,
)
from valletta_rules.codec import from_json, parse, to_json
from valletta_rules.errors import Refusal, VallettaError
from valletta_rules.games import new_game
from valletta_rules.records.codes import Damage
from valletta_rules.records.files import parse_record, too_long
from valletta_rules.records.position_line import parse_position_line, position_line
from valletta_rules.records.record import Record, RecordError
from valletta_rules.rulings import EDITIONS, VARIANTS, RuleSet
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.state import GameState
from valletta_rules.svg import SEAT_PAINTS
from valletta_rules.text.values import UnfitError, plain
from valletta_rules.version import __version__
from valletta_rules.web import store
from valletta_rules.web.actors import TableRegistry
from valletta_rules.web.coach import LESSON, lessons
from valletta_rules.web.game import Game, log_of
from valletta_rules.web.protocol import (
    BotLevel,
    CardSetSeen,
    Invitation,
    Lobby,
    Named,
    NewTable,
    OpenedTable,
    read_card_set_text,
    read_new_lesson,
    read_new_table,
    read_new_trial,
)
from valletta_rules.web.store import Ages, Keys, LogEntry, Occupant, TableStore
from valletta_rules.web.workers import Payer
from valletta_rules.words import LANGUAGES, refusal_of

QUICK: Final = 4_000
"""How many characters the request for a table may have that is carried out at once."""

T = TypeVar("T")


class TableError(VallettaError, ValueError):
    """A table cannot be opened as it was requested."""


def lobby(code: str, links: Sequence[str], ages: Ages) -> Lobby:
    """Return the choices, in a language, where others reach us, and how long tables are kept."""
    language = LANGUAGES[code]
    return Lobby(
        editions=tuple(
            Named(name, language.describe_rules(rules)) for name, rules in EDITIONS.items()
        ),
        variants=_named(language.table("variants")),
        levels=_named(language.table("page.levels")),
        colours=tuple(Named(name, language.say(f"seat_colours.{name}")) for name in SEAT_PAINTS),
        lessons=_named(language.table("talk.lessons")),
        links=tuple(links),
        kept=tuple(
            language.say(f"talk.kept.{kind}", days=days)
            for kind, days in attrs.asdict(ages).items()
            if days is not None
        ),
    )


def _named(names: Mapping[str, str]) -> tuple[Named, ...]:
    return tuple(Named(code, name) for code, name in names.items())


# What workers do with the text of a request


class ReportedError(VallettaError):
    """A worker refuses a request, and says why."""

    def __init__(self, refusal: Refusal) -> None:
        """Take what is wrong, in words."""
        super().__init__(refusal)
        self.refusal = refusal


def reporting(work: Callable[[str], T], text: str, code: str) -> T:
    """Return what comes of the text of a request.

    Takes the code of the language in which to report what is wrong with it.  Raises
    `ReportedError`.
    """
    try:
        return work(text)
    except VallettaError as error:
        raise ReportedError(refusal_of(error, LANGUAGES[code])) from None


def look_at_cards(text: str) -> CardSetSeen:
    """Return a summary of a card set: its name, or what is wrong with it.

    Raises `MessageError` if the text is no `CardSetText`.
    """
    wish = read_card_set_text(text)
    try:
        cards = parse_card_set(wish.text)
    except CardSetError as error:
        problems = refusal_of(error, LANGUAGES[wish.language]).problems
        return CardSetSeen(None, len(error.problems), tuple(map(str, problems)))
    return CardSetSeen(cards.name, 0, ())


@attrs.frozen
class LaidTable:
    """A table to be stored."""

    documents: store.TableDocuments
    seats: tuple[Occupant, ...]
    steps: tuple[LogEntry, ...] = ()
    """What has been played, if it is a record."""


def lay_table(seed: bytes, text: str) -> LaidTable:
    """Return the table that a `NewTable` asks for, whose luck follows from the seed.

    Raises `MessageError`, `TableError`, `CardSetError` and `VariantError`.
    """
    wish = read_new_table(text)
    rules = _rules(wish)
    cards = RECONSTRUCTION if wish.cards is None else parse_card_set(wish.cards)
    seats = [_seat(each.name.strip(), each.colour, each.level) for each in wish.seats]
    if wish.is_shuffled:
        random.SystemRandom().shuffle(seats)
    _check(seats, rules)
    seed = LESSON if wish.is_coached else seed
    game = Game(new_game(len(seats), rules=rules, cards=cards), seed)
    options = json.dumps({"coached": True} if wish.is_coached else {})
    documents = (to_json(rules), to_json(cards), options, seed, __version__, tuple(game.opening()))
    return LaidTable(store.TableDocuments(*documents), tuple(seats))


def _rules(wish: NewTable) -> RuleSet:
    if wish.edition not in EDITIONS:
        raise TableError(f"there is no edition {wish.edition!r}")
    if unknown := {*wish.variants} - VARIANTS.keys():
        raise TableError(f"there is no variant {min(unknown)!r}")
    on = {field: name in wish.variants for name, field in VARIANTS.items()}
    return EDITIONS[wish.edition].with_variants(**on)


def _seat(name: str, colour: str, level: str | None) -> Occupant:
    return Occupant("person" if level is None else "bot", level, name, colour)


def _check(seats: Sequence[Occupant], rules: RuleSet) -> None:
    """Raise `TableError` for seats that a game cannot have, or a record cannot name."""
    colours = [seat.colour for seat in seats]
    names = [seat.name or seat.colour for seat in seats]
    if len({*colours}) < len(colours):
        raise TableError("two players cannot have the same colour")
    try:
        Record(len(seats), rules, names=tuple(names))
    except ValueError as error:
        raise TableError(str(error)) from None


def lay_trial(seed: bytes, text: str) -> LaidTable:
    """Return the table that a `NewTrial` asks for, whose luck follows from the seed.

    Raises `MessageError`, `TableError`, `PositionLineError` and `UnknownClauseError`.
    """
    wish = read_new_trial(text)
    if (wish.position is None) is (wish.example is None):
        raise TableError("a trial begins at a position or at an example")
    if wish.example is None:
        state, script = parse_position_line(wish.position or ""), tuple[Action, ...]()
    else:
        worked = work(example_named(wish.example))
        state, script = worked.before, worked.actions
    return _at_position(state, seed, wish.against, {"example": wish.example}, script)


def lay_lesson(seed: bytes, text: str) -> LaidTable:
    """Return the table that a `NewLesson` asks for, whose luck follows from the seed.

    Raises `MessageError` and `TableError`.
    """
    wish = read_new_lesson(text).lesson
    if (lesson := lessons().get(wish)) is None:
        unfit = UnfitError.of(Damage.NO_LESSON, word=plain(wish))
        unfit = attrs.evolve(unfit, known=tuple(lessons()))
        raise TableError(str(unfit)) from unfit
    return _at_position(parse_position_line(lesson.position), seed, "novice", {"coached": True})


def _at_position(
    state: GameState,
    seed: bytes,
    against: BotLevel | None,
    options: Mapping[str, object],
    script: Sequence[Action] = (),
) -> LaidTable:
    """Return a table at a position: a person has the seat that is asked, others have the rest.

    Takes the level of these others if they are bots, the options besides the position, and what
    happens in the example that is tried.
    """
    asked = state.prompt.seat if isinstance(state.prompt, PlayerPrompt) else state.active
    seats = [
        _seat("", colour, None if seat == asked else against)
        for seat, colour in zip(range(len(state.players)), SEAT_PAINTS, strict=False)
    ]
    told = json.dumps({"position": position_line(state), **options})
    documents = (to_json(state.rules), to_json(state.cards), told, seed, __version__)
    opening = tuple(Game(state, seed, script).opening())
    return LaidTable(store.TableDocuments(*documents, opening), tuple(seats))


def lay_record(most: int, text: str) -> LaidTable:
    """Return the table of a record, at which anybody may see everything, and nobody can play.

    Takes how many moves there may be, and the text of a file or of a document.  Raises
    `RecordError` and `CodecError`.
    """
    record = _read(text, most)
    opening, *steps = log_of(record)
    colours = tuple(SEAT_PAINTS)
    names = record.names or ("",) * record.players
    seats = [_seat(name, colour, "novice") for name, colour in zip(names, colours, strict=False)]
    documents = (to_json(record.rules), to_json(record.cards), json.dumps({"replay": True}))
    table = store.TableDocuments(*documents, b"", __version__, opening.chance)
    return LaidTable(table, tuple(seats), tuple(steps))


def _read(text: str, most: int) -> Record:
    """Return the record in a file, in a document, or in that of an analysis."""
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


# What the server does with it


async def open_table(tables: TableRegistry, text: str, code: str, payer: Payer) -> OpenedTable:
    """Open the table that a `NewTable` asks for, and return its tokens.

    Takes the text of the request, the language for what is wrong with it, and who pays for the
    work.  A table with the usual cards is opened at once, even while all workers are busy.  Raises
    `ReportedError` and the errors of `Workers.run`.
    """
    work = partial(reporting, partial(lay_table, secrets.token_bytes(32)), text, code)
    is_quick = len(text) <= QUICK and reporting(read_new_table, text, code).cards is None
    laid = work() if is_quick else await tables.workers.run(work, payer)
    return _opened(await tables.database.ask(TableStore.create, laid.documents, laid.seats))


async def open_trial(
    tables: TableRegistry,
    text: str,
    code: str,
    payer: Payer,
    lay: Callable[[bytes, str], LaidTable] = lay_trial,
) -> OpenedTable:
    """Open the table that a `NewTrial` asks for; arguments and errors are as for a table.

    With `lay_lesson` it is the table that a `NewLesson` asks for.
    """
    work = partial(reporting, partial(lay, secrets.token_bytes(32)), text, code)
    laid = await tables.workers.run(work, payer)
    return _opened(await tables.database.ask(TableStore.create, laid.documents, laid.seats))


async def open_record(tables: TableRegistry, text: str, code: str, payer: Payer) -> OpenedTable:
    """Store a record as a table, and return its id; arguments and errors are as for a table."""
    work = partial(reporting, partial(lay_record, tables.limits.moves), text, code)
    laid = await tables.workers.run(work, payer)

    def keep(kept: TableStore) -> Keys:
        keys = kept.create(laid.documents, laid.seats)
        for entry in laid.steps:
            kept.append(keys.table, entry)
        return keys

    return attrs.evolve(_opened(await tables.database.ask(keep)), opener="")


def _opened(keys: Keys) -> OpenedTable:
    invited = [Invitation(seat, token) for seat, token in enumerate(keys.seats) if token]
    return OpenedTable(keys.table, keys.opener, tuple(invited))
