"""Feature vectors for views: what a seat knows, as small integers in named columns.

For machine learning, `encode` converts a view to an array. The length of the array depends only on
the number of players. `columns` returns the names of its items: ``player.1.goods.wood`` is the wood
of the player to the left of the viewer, and ``site.7.owner`` is the owner of site 7. The native
backend writes the same arrays.

Players are numbered from the viewer: the viewer has place 0, and the others follow clockwise. For a
spectator, the start player has place 0. A column for a player, a card, a good or a site contains
the player's place, the rank of the card, the rank of the good or the number of the site, plus one.
0 means none. No number is negative, and amounts are capped at `MOST`.

Different views have different arrays, unless they differ only in omitted information:

* the legal actions, which `valletta_rules.numeric.numbering.legal_mask` returns;
* the names of the rule set and the card set, and all of the card set except the dealt buildings:
  these are constant in a game;
* amounts above `MOST`, which are encoded as `MOST`.

An array reveals no more than the view, with one exception: an incomplete payment, which is not part
of the position. The steps that the payer has `begun` are encoded in the payer's array only.
"""

from __future__ import annotations

import tomllib
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, get_args

import attrs

from valletta_rules.actions import Pay
from valletta_rules.agenda import PaymentPrompt, Prompt, Step
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.display import SITES
from valletta_rules.components.goods import GOODS, NOTHING
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.components.values import Value
from valletta_rules.numeric.numbering import NUMBERS
from valletta_rules.rulings import APPRENTICE_COLOURS, BarrelLayout, Effects, Opening, RuleSet
from valletta_rules.state import Phase
from valletta_rules.views.view import PlayerView, SeenPlayer, Table, need_view

ENCODING_VERSION: Final = 1
"""The version of the arrays.

It increases if a column is added or removed, or if the meaning of a column changes.
"""

MOST: Final = 32_767
"""The largest number in an array. The items are signed 16-bit integers."""

MOST_PLAYED: Final = 8
"""The maximum number of played cards in an array. No turn reaches this number."""

MOST_STEPS: Final = 12
"""The maximum number of agenda steps in an array."""

PHASES: Final = tuple(Phase)
"""The phases of a game. An array contains the index of the phase in this tuple."""

STEP_TYPES: Final[tuple[Any, ...]] = get_args(Step)
"""The types of step. An array contains the index of a type in this tuple, plus one."""

PARTS: Final = 3
"""The maximum number of steps of an incomplete payment."""


QUESTIONS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "effects": tuple(Effects),
        "opening": tuple(Opening),
        "barrel_layout": tuple(BarrelLayout),
        "apprentice_colour": APPRENTICE_COLOURS,
        "start_player_variant": (False, True),
        "fewer_barrels": (False, True),
    }
)
"""A mapping from fields of `RuleSet` to their possible values. An array contains the indices."""


@attrs.frozen
class Field(Value):
    """A field: one column, or several columns with the same meaning for different items."""

    name: str
    """The name of the field within its block."""
    meaning: str
    """A description of what the numbers mean."""
    items: tuple[str, ...] = ()
    """The suffixes of the column names; empty if the field is a single column."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns within the block."""
        return tuple(f"{self.name}.{item}" for item in self.items) or (self.name,)


@attrs.frozen
class FieldBlock(Value):
    """A block of fields that is repeated for every player, site or step."""

    name: str
    """The name of the block. The first block has no name, and occurs once."""
    times: Mapping[int, int]
    """The number of repetitions for 2, 3 and 4 players."""
    fields: tuple[Field, ...]
    """The fields, in order."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns within the block."""
        return tuple(name for field in self.fields for name in field.columns)


_ALL_GOODS: Final = tuple(good.value for good in GOODS)

_ITEMS: Final = MappingProxyType(
    {
        "goods": _ALL_GOODS,
        "cards": tuple(character.value for character in CHARACTERS),
        "cards played": tuple(map(str, range(MOST_PLAYED))),
        "parts of a payment": _ALL_GOODS[:PARTS],
    }
)
"""A mapping from kinds of item to column suffixes.

A field has one column for each item of its kind.
"""

_TIMES: Final[Mapping[str, Mapping[int, int]]] = MappingProxyType(
    {
        "": dict.fromkeys(SITES, 1),
        "player": {players: players for players in SITES},
        "site": SITES,
        "step": dict.fromkeys(SITES, MOST_STEPS),
    }
)
"""A mapping from the names of blocks to their numbers of repetitions for 2, 3 and 4 players."""


def _block(name: str, fields: Sequence[Sequence[str]]) -> FieldBlock:
    return FieldBlock(
        name,
        MappingProxyType(_TIMES[name]),
        tuple(
            Field(column, meaning, *(_ITEMS[each] for each in items))
            for column, meaning, *items in fields
        ),
    )


_LAYOUT: Final = resources.files("valletta_rules.numeric") / "arrays.toml"

BLOCKS: Final = tuple(
    _block(name, fields) for name, fields in tomllib.loads(_LAYOUT.read_text("utf-8")).items()
)
"""The layout of an array. It consists of these blocks in order, each repeated as needed."""

_SITE_SIZE, _STEP_SIZE = (len(block.columns) for block in BLOCKS[-2:])


@lru_cache(maxsize=len(SITES))
def columns(players: int) -> tuple[str, ...]:
    """Return the names of the columns for 2, 3 or 4 players.

    Raises `ValueError` for any other number of players.
    """
    if players not in SITES:
        raise ValueError(f"the number of players must be 2, 3 or 4, not {players}")
    return tuple(
        f"{block.name}.{place}.{name}" if block.name else name
        for block in BLOCKS
        for place in range(block.times[players])
        for name in block.columns
    )


_LARGEST: Final = MappingProxyType(
    {
        "phase": len(PHASES) - 1,
        "valette": LAST_SPACE,
        **{f"rules.{question}": len(answers) - 1 for question, answers in QUESTIONS.items()},
        "played": len(CHARACTERS),
        "begun.parts": PARTS,
        "character": len(CHARACTERS),
        "icon": len(GOODS),
        "upgraded": 1,
        "kind": len(STEP_TYPES),
    }
)
"""A mapping from the names of fields to their largest numbers, except for amounts and places."""

_PLACES: Final = ("viewer", "active", "owner", "place")
"""The names of the fields that identify a player, by seat or by place."""


@lru_cache(maxsize=len(SITES))
def largest(players: int) -> tuple[int, ...]:
    """Return, for each of the `columns`, the largest number that it can contain. The smallest is 0.

    The limit for amounts is `MOST`. Raises `ValueError` for a number of players other than 2, 3 or
    4.
    """
    columns(players)
    most = {**_LARGEST, **dict.fromkeys(_PLACES, players)}
    return tuple(
        most.get(field.name, MOST)
        for block in BLOCKS
        for _ in range(block.times[players])
        for field in block.fields
        for _ in field.columns
    )


# Encoding


def encode(view: PlayerView, begun: Sequence[int] = ()) -> array[int]:
    """Encode a view as an array of 16-bit integers, one for each of the `columns`.

    `view` must be valid, which means that `valletta_rules.problems_of_view` returns no problems.
    `begun` contains the numbers of an incomplete payment by the viewer, see
    `valletta_rules.numeric.numbering`. Raises `ValueError` for a building that is not in the card
    set, for more played cards or steps than there are columns for, and for a payment that the
    viewer cannot have begun. Raises `TypeError` for anything but a view.
    """
    need_view(view)
    table, first = view.table, view.seat or 0
    seats = [(first + place) % len(table.players) for place in range(len(table.players))]
    numbers = [*_common(view), *encode_partial_payment(begun, view.prompt, view.seat)]
    for seat in seats:
        numbers += _player(table.players[seat])
    numbers += _sites(table, seats)
    for step in view.agenda:
        numbers += _step(step, first, len(seats))
    numbers += _zeros(MOST_STEPS, len(view.agenda), _STEP_SIZE)
    try:
        return array("h", numbers)
    except OverflowError:
        return array("h", [min(number, MOST) for number in numbers])


def encode_rules(rules: RuleSet) -> tuple[int, ...]:
    """Return the part of an array that encodes a rule set, as indices in `QUESTIONS`."""
    return tuple(answers.index(getattr(rules, question)) for question, answers in QUESTIONS.items())


def encode_partial_payment(
    begun: Sequence[int], prompt: Prompt | None, viewer: int | None
) -> tuple[int, ...]:
    """Return the part of an array for an incomplete payment: the number of steps, and the amounts.

    `prompt` is the current prompt. Raises `ValueError` if the viewer cannot have begun such a
    payment.
    """
    if not begun:
        return (0,) * (1 + PARTS)
    amounts = [number - NUMBERS[Pay].start for number in begun if number in NUMBERS[Pay]]
    is_payer = isinstance(prompt, PaymentPrompt) and prompt.seat == viewer
    if not is_payer or not len(amounts) == len(begun) <= PARTS:
        raise ValueError(f"the viewer cannot have begun a payment with {begun!r}")
    return (len(begun), *amounts, *(0,) * (PARTS - len(begun)))


def _common(view: PlayerView) -> list[int]:
    table, first = view.table, view.seat or 0
    return [
        0 if view.seat is None else 1 + view.seat,
        PHASES.index(table.phase),
        _place(table.active, first, len(table.players)),
        table.valette,
        *encode_rules(table.rules),
        *table.barrels,
        *table.supply.counts(),
        *(view.hand or EMPTY).counts(),
        *[1 + character.rank for character in table.played],
        *_zeros(MOST_PLAYED, len(table.played)),
    ]


def _player(player: SeenPlayer) -> list[int]:
    return [
        *player.goods,
        player.score,
        player.hand_size,
        *player.hidden.counts(),
        *player.shown.counts(),
        *player.discard_pile.counts(),
    ]


def _sites(table: Table, seats: Sequence[int]) -> list[int]:
    sites, designs = SITES[len(seats)], _designs(table.cards)
    owners, upgraded = [0] * sites, [0] * sites
    for place, seat in enumerate(seats, 1):
        for site in table.players[seat].built:
            owners[site] = place
        for site in table.players[seat].upgraded:
            upgraded[site] = 1
    numbers = list[int]()
    for site, building in enumerate(table.display):
        if building not in designs:
            raise ValueError(f"the building {building} is not in the card set")
        numbers += *designs[building], owners[site], upgraded[site]
    return numbers + _zeros(sites, len(table.display), _SITE_SIZE)


@lru_cache(maxsize=64)
def _designs(cards: CardSet) -> dict[Building, tuple[int, ...]]:
    """Return, for each building in a card set, the part of an array that encodes it."""
    return {
        building: (
            1 + design,
            1 + building.character.rank,
            *building.cost,
            1 + building.icon.rank,
            building.points,
        )
        for design, building in enumerate(cards.buildings)
    }


@lru_cache(maxsize=1 << 12)
def _step(step: Step, first: int, players: int) -> tuple[int, ...]:
    """Return the part of an array that encodes a step. Places are counted from the seat `first`."""
    place, value, goods = 0, 0, NOTHING
    for field in attrs.fields(type(step)):
        given = getattr(step, field.name)
        match field.name:
            case "seat" | "player":
                place = _place(given, first, players)
            case "taker":
                value = _place(given, first, players)
            case "plays":
                value = given
            case "site":
                value = 1 + given
            case "character":
                value = 1 + given.rank
            case _:
                goods = given
    return 1 + STEP_TYPES.index(type(step)), place, value, *goods


def _place(seat: int, first: int, players: int) -> int:
    """Return the place of a seat, from 1, counted clockwise from the seat `first`."""
    return 1 + (seat - first) % players


def _zeros(most: int, used: int, size: int = 1) -> list[int]:
    """Return zeros for unused columns if only `used` of `most` possible items exist.

    Raise `ValueError` if `used` exceeds `most`.
    """
    if used > most:
        raise ValueError(f"an array has columns for at most {most} items, not {used}")
    return [0] * ((most - used) * size)
