"""Actions: the answers that players and chance give to prompts.

The constructor of an action raises `MalformedActionError` for a field of a wrong type, a negative
site or a negative number of goods. It does not check whether the action is legal in a position.
`valletta_rules.check` does.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final, SupportsIndex, assert_never

import attrs

from valletta_rules.components.buildings import BuildingCode
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.display import MAX_SITES, Site
from valletta_rules.components.goods import GOODS, NOTHING, Good, Goods
from valletta_rules.components.names import abbreviated
from valletta_rules.components.numbers import whole
from valletta_rules.components.values import Value
from valletta_rules.errors import MalformedActionError


def _a(kind: type) -> Callable[[Any, attrs.Attribute[Any], Any], None]:
    """Return a validator that accepts only instances of exactly `kind`, not of a subclass."""

    def validate(action: Any, field: attrs.Attribute[Any], value: Any) -> None:
        if type(value) is not kind:
            raise MalformedActionError(
                f"{type(action).__name__}.{field.name} must be of type {kind.__name__}, "
                f"not {type(value).__name__}: {abbreviated(value)}"
            )

    return validate


_an_int: Final = _a(int)
_goods: Final = _a(Goods)


def _plain(value: SupportsIndex) -> int:
    """Convert a whole number to an `int`.

    Return any other value unchanged, so that the validator of the field can reject it.
    """
    try:
        return whole(value, "a site")
    except TypeError:
        return value  # type: ignore[return-value]


def _a_site(action: Any, field: attrs.Attribute[Any], value: Any) -> None:
    _an_int(action, field, value)
    if value < 0:
        raise MalformedActionError(
            f"{type(action).__name__}.{field.name} must be the number of a site, "
            f"0 or more, not {value}"
        )


def _some_goods(action: Any, field: attrs.Attribute[Any], value: Any) -> None:
    _goods(action, field, value)
    if not value.covers(NOTHING):
        raise MalformedActionError(
            f"{type(action).__name__}.{field.name} must contain 0 or more goods of each kind, "
            f"not {abbreviated(value)}"
        )


@attrs.frozen
class DealBuilding(Value):
    """Chance deals a building to the next site of the display."""

    building: BuildingCode = attrs.field(validator=_a(str))
    """The building's code."""


@attrs.frozen
class DrawCard(Value):
    """Chance lets a player draw a card."""

    character: Character = attrs.field(validator=_a(Character))
    """The card drawn."""


@attrs.frozen
class RevealBarrel(Value):
    """Chance reveals the good on a barrel."""

    good: Good = attrs.field(validator=_a(Good))
    """The good on the barrel."""


@attrs.frozen
class DraftGood(Value):
    """Choose an extra good from the set that the players pass around before the first turn."""

    good: Good = attrs.field(validator=_a(Good))
    """The good taken."""


@attrs.frozen
class PlayCard(Value):
    """Play a card from the hand, with or without its effect."""

    character: Character = attrs.field(validator=_a(Character))
    """The card played."""
    use_effect: bool = attrs.field(default=True, validator=_a(bool))
    """Whether to carry out the effect. `False` declines the effect. An effect that lets the player
    choose has its own prompt, and can be declined only there.
    """


@attrs.frozen
class TakeGood(Value):
    """Choose the good to take."""

    good: Good = attrs.field(validator=_a(Good))
    """The good chosen."""


@attrs.frozen
class TakeGoods(Value):
    """Choose the goods to take."""

    goods: Goods = attrs.field(validator=_some_goods)
    """The goods chosen."""


@attrs.frozen
class ReturnGood(Value):
    """Choose the good to return to the general supply."""

    good: Good = attrs.field(validator=_a(Good))
    """The good chosen."""


@attrs.frozen
class GiveGood(Value):
    """Choose the good to give to another player."""

    good: Good = attrs.field(validator=_a(Good))
    """The good given."""


@attrs.frozen
class Build(Value):
    """Choose a free site for a new building."""

    site: Site = attrs.field(converter=_plain, validator=_a_site)
    """The number of the site, counted from 0."""


@attrs.frozen
class Upgrade(Value):
    """Choose one of your own buildings to upgrade."""

    site: Site = attrs.field(converter=_plain, validator=_a_site)
    """The number of the building's site, counted from 0."""


@attrs.frozen
class Pay(Value):
    """Pay for a building or an upgrade."""

    goods: Goods = attrs.field(validator=_some_goods)
    """The goods returned to the general supply."""


@attrs.frozen
class Dismiss(Value):
    """Dismiss a character from the hand to the character supply."""

    character: Character = attrs.field(validator=_a(Character))
    """The card dismissed."""


@attrs.frozen
class Hire(Value):
    """Hire a character from the character supply to the hand."""

    character: Character = attrs.field(validator=_a(Character))
    """The card hired."""


@attrs.frozen
class Decline(Value):
    """Decline what the prompt offers."""


ChanceAction = DealBuilding | DrawCard | RevealBarrel
"""Any action of chance. The union is complete: no other type is an action of chance."""

PlayerAction = (
    DraftGood
    | PlayCard
    | TakeGood
    | TakeGoods
    | ReturnGood
    | GiveGood
    | Build
    | Upgrade
    | Pay
    | Dismiss
    | Hire
    | Decline
)
"""Any action of a player. The union is complete: no other type is an action of a player."""

Action = ChanceAction | PlayerAction
"""Any action. The union is complete: no other type is an action."""

ACTION_TYPES: Final[tuple[type[Action], ...]] = (
    DealBuilding,
    DrawCard,
    RevealBarrel,
    DraftGood,
    PlayCard,
    TakeGood,
    TakeGoods,
    ReturnGood,
    GiveGood,
    Build,
    Upgrade,
    Pay,
    Dismiss,
    Hire,
    Decline,
)
"""The types of actions, in the order in which `legal_actions` sorts them."""


def sort_key(action: Action) -> tuple[object, ...]:
    """Return a key that sorts the actions of a position in the order of `legal_actions`.

    Actions are sorted by type, in the order of `ACTION_TYPES`, and then by their contents: goods
    and characters in the order of their enumerations, sites by number, and payments by gold, wood,
    stone and brick.
    """
    rank = ACTION_TYPES.index(type(action))
    match action:
        case PlayCard(character, use_effect):
            return rank, character.rank, not use_effect
        case DrawCard(character) | Dismiss(character) | Hire(character):
            return rank, character.rank
        case (
            RevealBarrel(good)
            | DraftGood(good)
            | TakeGood(good)
            | ReturnGood(good)
            | GiveGood(good)
        ):
            return rank, good.rank
        case TakeGoods(goods) | Pay(goods):
            return rank, goods
        case Build(site) | Upgrade(site):
            return rank, site
        case DealBuilding(building):
            return rank, building[:1], len(building), building
        case Decline():
            return (rank,)
        case _:
            assert_never(action)


# Action objects that all positions share

DRAW: Final = MappingProxyType({character: DrawCard(character) for character in CHARACTERS})
"""A mapping from each character to the `DrawCard` action that draws it."""

PLAY: Final = MappingProxyType({character: PlayCard(character) for character in CHARACTERS})
"""A mapping from each character to the `PlayCard` action that uses its effect."""

PLAY_IN_VAIN: Final = MappingProxyType(
    {character: PlayCard(character, use_effect=False) for character in CHARACTERS}
)
"""A mapping from each character to the `PlayCard` action that declines its effect."""

BUILD: Final = tuple(Build(site) for site in range(MAX_SITES))
"""The `Build` actions, indexed by site."""

UPGRADE: Final = tuple(Upgrade(site) for site in range(MAX_SITES))
"""The `Upgrade` actions, indexed by site."""

DISMISS: Final = MappingProxyType({character: Dismiss(character) for character in CHARACTERS})
"""A mapping from each character to the `Dismiss` action for it."""

HIRE: Final = MappingProxyType({character: Hire(character) for character in CHARACTERS})
"""A mapping from each character to the `Hire` action for it."""

REVEAL: Final = MappingProxyType({good: RevealBarrel(good) for good in GOODS})
"""A mapping from each good to the `RevealBarrel` action for it."""

DRAFT: Final = MappingProxyType({good: DraftGood(good) for good in GOODS})
"""A mapping from each good to the `DraftGood` action for it."""

TAKE: Final = MappingProxyType({good: TakeGood(good) for good in GOODS})
"""A mapping from each good to the `TakeGood` action for it."""

RETURN: Final = MappingProxyType({good: ReturnGood(good) for good in GOODS})
"""A mapping from each good to the `ReturnGood` action for it."""

GIVE: Final = MappingProxyType({good: GiveGood(good) for good in GOODS})
"""A mapping from each good to the `GiveGood` action for it."""

DECLINE: Final = Decline()
"""The `Decline` action, which has no fields."""
