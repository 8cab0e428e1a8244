"""Views as feature vectors: what a seat may know, as small integers in named columns.

For machine learning, `encode` writes a view as an array, whose length depends only on the number of
players, and `columns` names its items:
``player.1.goods.wood`` is the wood of the player to the left of the viewer, ``site.7.owner`` says
who owns site 7.  The native backend writes the same arrays.

Players are counted from the viewer: place 0 is the viewer, the others follow clockwise; for a
spectator place 0 is the start player.  Where a column names a player, a card, a good or a site, it
holds one more than the place, the card's rank, the good's rank or the site, so that 0 means none.
No number is negative, and amounts are capped at `MOST`.

Different views have different arrays, except for what is left out:

* the legal actions, which `valletta_rules.numeric.numbering.legal_mask` gives;
* the names of rule set and card set, and the cards of the set that are not on the table: they are
  constant in a game, as is the rest of the card set, of which only the buildings dealt are encoded;
* how much more than `MOST` there is of something.

An array reveals nothing that the view does not, except a partial payment, which lies beside the
position: the parts that its payer has `begun` are encoded for the payer, and for nobody else.
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
"""The version of the arrays: it changes if a column is added, removed or gets a new meaning."""

MOST: Final = 32_767
"""The largest number of an array, whose items take 16 bits."""

MOST_PLAYED: Final = 8
"""How many cards played in a turn have columns: more than can be played."""

MOST_STEPS: Final = 12
"""How many steps of the agenda have columns."""

PHASES: Final = tuple(Phase)
"""The phases of a game, by their numbers in an array."""

STEP_TYPES: Final[tuple[Any, ...]] = get_args(Step)
"""The types of steps; each one's number in an array is its index plus one."""

PARTS: Final = 3
"""The most parts of a payment that can be given while another is still asked for."""


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
"""The questions that a rule set answers, and all answers; each one's number is its index."""


@attrs.frozen
class Field(Value):
    """A column, or several with the same meaning for several things."""

    name: str
    """Its name, after the name of its block."""
    meaning: str
    """The meaning of its numbers."""
    items: tuple[str, ...] = ()
    """The suffixes of the names, if there are several columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, within the block."""
        return tuple(f"{self.name}.{item}" for item in self.items) or (self.name,)


@attrs.frozen
class FieldBlock(Value):
    """Fields that are repeated for every player, site or step."""

    name: str
    """Its name; the first block has no name and comes once."""
    times: Mapping[int, int]
    """How often it comes, for 2, 3 and 4 players."""
    fields: tuple[Field, ...]
    """The fields in order."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, within the block."""
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
"""The things that a field can have a column for each, by the suffixes of the columns."""

_TIMES: Final[Mapping[str, Mapping[int, int]]] = MappingProxyType(
    {
        "": dict.fromkeys(SITES, 1),
        "player": {players: players for players in SITES},
        "site": SITES,
        "step": dict.fromkeys(SITES, MOST_STEPS),
    }
)
"""How often each block comes, for 2, 3 and 4 players."""


def _block(name: str, fields: Sequence[Sequence[str]]) -> FieldBlock:
    """Return a block of the layout, which is written down in ``arrays.toml``."""
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
"""The layout of an array: block by block, each repeated as needed, field by field."""

_SITE_SIZE, _STEP_SIZE = (len(block.columns) for block in BLOCKS[-2:])


@lru_cache(maxsize=len(SITES))
def columns(players: int) -> tuple[str, ...]:
    """Return the names of the columns for 2, 3 or 4 players.

    Raises `ValueError` for another number of players.
    """
    if players not in SITES:
        raise ValueError(f"there are arrays for 2, 3 and 4 players, not for {players}")
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
"""The largest numbers of the fields that are neither amounts nor places, by their names."""

_PLACES: Final = ("viewer", "active", "owner", "place")
"""The names of the fields that name a seat or a place."""


@lru_cache(maxsize=len(SITES))
def largest(players: int) -> tuple[int, ...]:
    """Return the largest number that each of the `columns` can hold; the smallest is 0.

    Amounts have no limit of their own: theirs is `MOST`.  Raises `ValueError` for a number of
    players for which there are no columns.
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
    """Return a view as an array of 16-bit integers, one for each of the `columns`.

    Takes a view in which `valletta_rules.problems_of_view` finds no problem, and the numbers of a
    payment that its viewer has begun, see `valletta_rules.numeric.numbering`.  Raises `ValueError`
    for a building that the card set does not have, for more cards played or steps than there are
    columns, and for a payment that the viewer cannot have begun; `TypeError` for anything but a
    view.
    """
    need_view(view)
    table, first = view.table, view.seat or 0
    seats = [(first + place) % len(table.players) for place in range(len(table.players))]
    numbers = [*_common(view), *encode_begun(begun, view.prompt, view.seat)]
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
    """Return the answers of a rule set as encoded in an array."""
    return tuple(answers.index(getattr(rules, question)) for question, answers in QUESTIONS.items())


def encode_begun(
    begun: Sequence[int], prompt: Prompt | None, viewer: int | None
) -> tuple[int, ...]:
    """Return the parts of a payment as encoded in an array: how many, and the amount of each.

    Takes the current prompt.  Raises `ValueError` if the viewer cannot have begun like this.
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


def _player(seen: SeenPlayer) -> list[int]:
    return [
        *seen.goods,
        seen.score,
        seen.hand_size,
        *seen.hidden.counts(),
        *seen.shown.counts(),
        *seen.discard_pile.counts(),
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
            raise ValueError(f"the card set does not have the building {building}")
        numbers += *designs[building], owners[site], upgraded[site]
    return numbers + _zeros(sites, len(table.display), _SITE_SIZE)


@lru_cache(maxsize=64)
def _designs(cards: CardSet) -> dict[Building, tuple[int, ...]]:
    """Return the numbers in an array for each building of a card set."""
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
    """Return the numbers in an array for a step, seen from a seat."""
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
    """Return the place of a seat, from 1, counted from another seat."""
    return 1 + (seat - first) % players


def _zeros(most: int, there: int, size: int = 1) -> list[int]:
    """Return the padding for the columns of missing things."""
    if there > most:
        raise ValueError(f"there are columns for {most} of these, not for {there}")
    return [0] * ((most - there) * size)
