"""The lobby: the choices for a table, and how one, or a record of a game, is opened."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Mapping, Sequence

import attrs

from valletta_rules.card_sets.files import (
    RECONSTRUCTION,
    CardSetError,
    parse_card_set,
)
from valletta_rules.codec import from_json, to_json
from valletta_rules.errors import VallettaError
from valletta_rules.games import new_game
from valletta_rules.records.files import parse_record
from valletta_rules.records.record import Record, RecordError
from valletta_rules.rulings import EDITIONS, VARIANTS, RuleSet
from valletta_rules.svg import SEAT_PAINTS
from valletta_rules.version import __version__
from valletta_rules.web import store
from valletta_rules.web.game import Game, log_of
from valletta_rules.web.protocol import (
    CardSetSeen,
    CardSetText,
    Invitation,
    Lobby,
    Named,
    NewTable,
    OpenedTable,
)
from valletta_rules.web.store import Ages, DatabaseThread, Keys, Occupant, TableStore
from valletta_rules.words import LANGUAGES, refusal_of


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
        links=tuple(links),
        kept=tuple(
            language.say(f"talk.kept.{kind}", days=days)
            for kind, days in attrs.asdict(ages).items()
            if days is not None
        ),
    )


def _named(names: Mapping[str, str]) -> tuple[Named, ...]:
    return tuple(Named(code, name) for code, name in names.items())


def look_at_cards(wish: CardSetText) -> CardSetSeen:
    """Return a summary of a card set: its name, or all of its problems."""
    try:
        cards = parse_card_set(wish.text)
    except CardSetError as error:
        problems = refusal_of(error, LANGUAGES[wish.language]).problems
        return CardSetSeen(None, tuple(map(str, problems)))
    return CardSetSeen(cards.name, ())


async def open_table(database: DatabaseThread, wish: NewTable) -> OpenedTable:
    """Open a table, and return its tokens.

    Raises `TableError`, `CardSetError` and `VariantError`.
    """
    rules = _rules(wish)
    cards = RECONSTRUCTION if wish.cards is None else parse_card_set(wish.cards)
    seats = [_seat(each.name.strip(), each.colour, each.level) for each in wish.seats]
    if wish.is_shuffled:
        random.SystemRandom().shuffle(seats)
    _check(seats, rules)
    seed = secrets.token_bytes(32)
    game = Game(new_game(len(seats), rules=rules, cards=cards), seed)
    table = store.TableDocuments(
        to_json(rules), to_json(cards), "{}", seed, __version__, tuple(game.opening())
    )
    return _opened(await database.ask(TableStore.create, table, seats))


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


def _opened(keys: Keys) -> OpenedTable:
    invited = [Invitation(seat, token) for seat, token in enumerate(keys.seats) if token]
    return OpenedTable(keys.table, keys.opener, tuple(invited))


async def open_record(database: DatabaseThread, text: str) -> OpenedTable:
    """Store a record as a table at which anybody may see everything, and nobody can play.

    Takes the text of a file or of a document.  Raises `RecordError` and `CodecError`.
    """
    record = _read(text)
    opening, *steps = log_of(record)
    colours = tuple(SEAT_PAINTS)
    names = record.names or ("",) * record.players
    seats = [_seat(name, colour, "novice") for name, colour in zip(names, colours, strict=False)]
    documents = (to_json(record.rules), to_json(record.cards), json.dumps({"replay": True}))
    table = store.TableDocuments(*documents, b"", __version__, opening.chance)

    def keep(kept: TableStore) -> Keys:
        keys = kept.create(table, seats)
        for entry in steps:
            kept.append(keys.table, entry)
        return keys

    return attrs.evolve(_opened(await database.ask(keep)), opener="")


def _read(text: str) -> Record:
    """Return the record in a file or a document."""
    if not text.lstrip().startswith("{"):
        return parse_record(text)
    record = from_json(text)
    if not isinstance(record, Record):
        raise RecordError(f"a record is wanted, not {type(record).__name__}")
    return record
