"""Complete positions on one line of text, for example for a bug report.

The line is self-contained: the rule set and the card set are written in full, unless they are built
in and have a name. The line starts with the version of the format and ``key=value`` fields. The
fields of each seat follow, after a ``|``. Values are written as in `valletta_rules.text.values`.
For example::

    valletta/2 rules=z-man cards=reconstruction@... phase=main ... | hand=maid,2builder ... | ...

The position need not be possible in a game, because a bug report may be about an impossible
position. The line contains hidden cards: do not show it to the players of a game in progress.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import starmap
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args, get_type_hints

import attrs

from valletta_rules.agenda import BONUS_CLAUSES, BonusCharacter, Prompt, Step
from valletta_rules.card_sets.built_in import read_any_cards, write_any_cards
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import SITES, Seat, Site
from valletta_rules.components.goods import Goods
from valletta_rules.components.limits import Positive
from valletta_rules.components.names import abbreviated
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.components.values import need
from valletta_rules.errors import VallettaError
from valletta_rules.records.damage import Damage
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState, Phase, Player, need_position
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import (
    LARGEST,
    Entries,
    UnfitError,
    by_value,
    named,
    plain,
    read_bag,
    read_building,
    read_character,
    read_goods,
    read_list,
    read_number,
    read_rules,
    read_sites,
    write_bag,
    write_building,
    write_goods,
    write_list,
    write_rules,
    write_sites,
)

LINE_FORMAT: Final = 2
"""The version of the format of position lines."""

LINE_LIMIT: Final = 20_000
"""The maximum number of characters in a line. A line with a custom card set has about 2,000."""

T = TypeVar("T")


@attrs.define(slots=False)
class PositionLineError(VallettaError, ValueError):
    """A text is not a valid position line, or a position cannot be written as one."""

    field: str
    """The faulty field, such as ``seat 1, goods``. Empty if the problem concerns the whole line."""
    reason: str
    """A description of the problem with the field or the line."""

    def __str__(self) -> str:
        """Return a message with the field and the problem."""
        return f"position line: {self.field}{': ' if self.field else ''}{self.reason}"


# Writing


def position_line(state: GameState) -> str:
    """Return a position as one line of printable text, which `parse_position_line` reads.

    The line contains the whole position, including hidden cards. Raises `PositionLineError`, which
    names the field, for a position that could not be read back, for example with a number of 16
    digits or with Valette beyond the end of the street. Raises `TypeError` for any value that is
    not a position.
    """
    need_position(state)
    _need_cards(state)
    fields = {
        **_write_cards(state.rules, state.cards),
        "phase": state.phase.value,
        "active": str(state.active),
        "valette": str(state.valette),
        "barrels": write_goods(state.barrels),
        "supply": write_bag(state.supply),
        "display": _write_display(state.display, state.cards),
        "played": write_list([character.value for character in state.played]),
        "agenda": _write_agenda(state.agenda),
    }
    line = " | ".join(
        [
            f"valletta/{LINE_FORMAT} {_joined(fields)}",
            *map(_joined, map(_seat_fields, state.players)),
        ]
    )
    parse_position_line(line)
    return line


def _need_cards(state: GameState) -> None:
    """Raise `PositionLineError` for a bag whose `packed` number does not encode any cards."""
    bags = {"supply": state.supply}
    for seat, player in enumerate(state.players):
        for key, (name, write, _) in SEAT_FIELDS.items():
            if write is write_bag:
                bags[f"seat {seat}, {key}"] = getattr(player, name)
    for field, bag in bags.items():
        if not bag.is_possible():
            raise PositionLineError(
                field, f"the number {abbreviated(bag.packed)} does not encode cards"
            )


def _joined(fields: Mapping[str, str]) -> str:
    return " ".join([f"{key}={value}" for key, value in fields.items()])


def _seat_fields(player: Player) -> Mapping[str, str]:
    return {key: write(getattr(player, name)) for key, (name, write, _) in SEAT_FIELDS.items()}


@lru_cache(maxsize=64)
def _write_cards(rules: RuleSet, cards: CardSet) -> Mapping[str, str]:
    return {"rules": write_rules(rules), "cards": write_any_cards(cards)}


@lru_cache(maxsize=64)
def _write_display(display: tuple[Building, ...], cards: CardSet) -> str:
    """Return the text of a display: the code of each building, or its values if it is custom.

    The text is cached, since it is the same in all positions of a game.
    """
    designs = frozenset(cards.buildings)
    return write_list(each.code if each in designs else write_building(each) for each in display)


@lru_cache(maxsize=1 << 12)
def _write_agenda(agenda: tuple[Step, ...]) -> str:
    return write_list(map(write_step, agenda))


def write_step(step: Step) -> str:
    """Return the text of a step: its type and its values, such as ``payment/0/7/2g1w``."""
    values = (getattr(step, field.name) for field in attrs.fields(type(step)))
    words = (write_goods(each) if isinstance(each, Goods) else str(each) for each in values)
    return "/".join([_step_name(type(step)), *words])


def _step_name(kind: type[Step]) -> str:
    return kind.__name__.removesuffix("Prompt").lower()


SEAT_FIELDS: Final[Mapping[str, tuple[str, Callable[[Any], str], Callable[[str], Any]]]] = (
    MappingProxyType(
        {
            "hand": ("hand", write_bag, read_bag),
            "draw": ("draw_pile", write_bag, read_bag),
            "discard": ("discard_pile", write_bag, read_bag),
            "goods": ("goods", write_goods, read_goods),
            "built": ("built", write_sites, read_sites),
            "upgraded": ("upgraded", write_sites, read_sites),
            "score": ("score", str, read_number),
            "shown": ("shown", write_bag, read_bag),
        }
    )
)
"""A mapping from the keys of a seat's fields to the field of `Player`, its writer, and its
reader.
"""


# Reading


def parse_position_line(line: str) -> GameState:
    """Parse a position from a line that `position_line` has written.

    Raises `PositionLineError`, which names the field, for any other text. The function does not
    check whether the position is possible in a game. Raises `TypeError` for any value that is not a
    string.
    """
    need(line, str, "text")
    if len(line) > LINE_LIMIT:
        raise _damaged(UnfitError.of(Damage.LINE_TOO_LONG, most=LINE_LIMIT))
    head, *seats = line.removeprefix("\ufeff").strip().strip("`").split("|")
    word, *words = head.split() or [""]
    _require_version(word)
    if len(seats) not in SITES:
        raise _damaged(UnfitError.of(Damage.SEAT_COUNT, found=len(seats)))
    return _read_fields("", words, partial(_read_state, seats))


def _read_state(seats: Sequence[str], top: Entries) -> GameState:
    seat = partial(read_number, allowed=range(len(seats)))
    cards = top.take("cards", read_any_cards)
    display = top.take("display", partial(_read_display, cards))
    return GameState(
        rules=top.take("rules", read_rules),
        cards=cards,
        display=display,
        players=tuple(starmap(_read_player, enumerate(seats))),
        supply=top.take("supply", read_bag),
        barrels=top.take("barrels", read_goods),
        valette=top.take("valette", partial(read_number, allowed=range(LAST_SPACE + 1))),
        active=top.take("active", seat),
        played=top.take("played", lambda text: read_list(text, read_character)),
        phase=top.take("phase", lambda text: named(text, by_value(Phase), Damage.NO_PHASE)),
        agenda=top.take("agenda", partial(read_agenda, len(seats), len(display))),
    )


def _require_version(word: str) -> None:
    match = re.fullmatch(r"valletta/([0-9]{1,9})", word)
    if match is None:
        raise _damaged(UnfitError.of(Damage.NO_POSITION, right=LINE_FORMAT))
    if int(match[1]) != LINE_FORMAT:
        raise _damaged(UnfitError.of(Damage.LINE_FORMAT, found=match[1], right=LINE_FORMAT))


def _read_fields(place: str, words: Iterable[str], read: Callable[[Entries], T]) -> T:
    """Parse ``key=value`` words; `read` converts the values. Errors name the seat `place`."""
    entries = Entries({})
    try:
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or key in entries.left:
                flaw = Misspelling.ENTRY_TWICE if equals else Misspelling.NOT_AN_ENTRY
                raise attrs.evolve(UnfitError.of(flaw), key=key)
            entries.left[key] = value
        result = read(entries)
        entries.done()
    except UnfitError as unfit:
        raise _damaged(unfit, place) from unfit
    return result


def _damaged(unfit: UnfitError, place: str = "") -> PositionLineError:
    """Return an error for a problem in a line. `place` is the seat, and `unfit` is the cause."""
    damaged = PositionLineError(f"{place}{plain(unfit.key)}", unfit.message)
    damaged.__cause__ = unfit
    return damaged


@lru_cache(maxsize=256)
def _read_player(seat: int, text: str) -> Player:
    """Parse the player in a seat.

    The result is cached, since few players change between positions.
    """

    def read(entries: Entries) -> Player:
        fields = {name: entries.take(key, read) for key, (name, _, read) in SEAT_FIELDS.items()}
        return Player(**fields)

    return _read_fields(f"seat {seat}, ", text.split(), read)


@lru_cache(maxsize=64)
def _read_display(cards: CardSet, text: str) -> tuple[Building, ...]:
    return read_list(text, partial(_read_site, cards))


def _read_site(cards: CardSet, word: str) -> Building:
    if "/" in word:
        return read_building(word)
    try:
        return cards.building(word)
    except KeyError:
        raise UnfitError.of(Damage.NOT_IN_SET, word=plain(word)) from None


_STEPS: Final[Mapping[str, type[Step]]] = MappingProxyType(
    {_step_name(kind): kind for kind in get_args(Step)}
)
"""A mapping from names in a line to types of step."""


_TYPES: Final[Mapping[type[Step], Mapping[str, Any]]] = MappingProxyType(
    {kind: get_type_hints(kind, include_extras=True) for kind in get_args(Step)}
)
"""A mapping from types of step to the types of their fields, with limits."""


def read_agenda(seats: int, sites: int, text: str) -> tuple[Step, ...]:
    """Parse an agenda. Raise `UnfitError` if a seat or a site is out of range."""
    read: Mapping[Any, Callable[[str], Any]] = {
        Seat: partial(read_number, allowed=range(seats)),
        Site: partial(read_number, allowed=range(sites)),
        Positive: partial(read_number, allowed=range(1, LARGEST + 1)),
        Goods: read_goods,
        BonusCharacter: partial(named, known=by_value(BONUS_CLAUSES), flaw=Damage.NO_GRANTER),
    }

    def step(word: str) -> Step:
        name, *parts = word.split("/")
        kind = named(name, _STEPS, Damage.NO_STEP)
        types, fields = _TYPES[kind], [field.name for field in attrs.fields(kind)]
        if len(parts) != len(fields):
            form = "/".join([name, *fields])
            raise UnfitError.of(Misspelling.NOT_IN_PARTS, form=form, word=plain(word))
        values: dict[str, Any] = {
            field: read[types[field]](part) for field, part in zip(fields, parts, strict=True)
        }
        return kind(**values)

    steps = read_list(text, step)
    if steps and not isinstance(steps[0], Prompt):
        raise UnfitError.of(Damage.FIRST_STEP)
    return steps
