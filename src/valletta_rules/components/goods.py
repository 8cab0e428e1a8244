"""The four kinds of good, and multisets of goods."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, SupportsIndex, assert_never

import attrs

from valletta_rules.components.limits import Amount
from valletta_rules.components.numbers import whole
from valletta_rules.components.values import Lasting, Value


class Good(Lasting, StrEnum):
    """One of the four kinds of good: gold, wood, stone and brick.

    Rules: CMP-1
    """

    rank: int
    """The index of the kind in the order gold, wood, stone, brick: 0 to 3."""

    GOLD = "gold"
    WOOD = "wood"
    STONE = "stone"
    BRICK = "brick"

    def __new__(cls, value: str) -> Good:
        """Create the member. Its rank is its number in order of definition."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.rank = len(cls.__members__)
        return member

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        """Return the Python expression of the member."""
        return f"Good.{self.name}"


GOODS: Final = tuple(Good)
"""The four goods in the order gold, wood, stone, brick."""

SEVERAL: Final = MappingProxyType({Good.STONE: "stones", Good.BRICK: "bricks"})
"""The English plurals of the goods for which the plural differs from the name."""

MATERIALS: Final = (Good.WOOD, Good.STONE, Good.BRICK)
"""The materials for houses: every good except gold.

Rules: CMP-20
"""


def _count(value: SupportsIndex) -> int:
    """Convert a count of any integer type to an `int`. Raise `TypeError` for any other value."""
    return value if type(value) is int else whole(value, "a number of goods")


@attrs.frozen(order=True, cache_hash=True)
class Goods(Value):
    """Counts of the four kinds of good, for example a player's goods, a cost or a payment.

    The counts are whole numbers. In a position, no count is negative. `Goods` are ordered by gold,
    then wood, then stone, then brick.
    """

    gold: Amount = attrs.field(default=0, converter=_count)
    wood: Amount = attrs.field(default=0, converter=_count)
    stone: Amount = attrs.field(default=0, converter=_count)
    brick: Amount = attrs.field(default=0, converter=_count)

    @staticmethod
    def of(good: Good, count: int = 1) -> Goods:
        """Return `count` goods of one kind."""
        match good:
            case Good.GOLD:
                return Goods(count, 0, 0, 0)
            case Good.WOOD:
                return Goods(0, count, 0, 0)
            case Good.STONE:
                return Goods(0, 0, count, 0)
            case Good.BRICK:
                return Goods(0, 0, 0, count)
            case _:
                assert_never(good)

    def __getitem__(self, good: Good) -> int:
        """Return the number of goods of one kind."""
        match good:
            case Good.GOLD:
                return self.gold
            case Good.WOOD:
                return self.wood
            case Good.STONE:
                return self.stone
            case Good.BRICK:
                return self.brick
            case _:
                assert_never(good)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the four counts: gold, wood, stone, brick."""
        return iter((self.gold, self.wood, self.stone, self.brick))

    def __add__(self, other: Goods) -> Goods:
        """Return the sum of these goods and other goods."""
        return plain_goods(
            self.gold + other.gold,
            self.wood + other.wood,
            self.stone + other.stone,
            self.brick + other.brick,
        )

    def __sub__(self, other: Goods) -> Goods:
        """Return these goods minus the others. Counts may become negative."""
        return plain_goods(
            self.gold - other.gold,
            self.wood - other.wood,
            self.stone - other.stone,
            self.brick - other.brick,
        )

    def __bool__(self) -> bool:
        """Return whether any count is not 0."""
        return bool(self.gold or self.wood or self.stone or self.brick)

    def __str__(self) -> str:
        """Return the goods in words, such as ``2 gold and 1 stone`` or ``2 stones``."""
        counted = [(count, good) for good, count in zip(GOODS, self, strict=True) if count]
        parts = [
            f"{count} {good if count == 1 else SEVERAL.get(good, good)}" for count, good in counted
        ]
        if not parts:
            return "nothing"
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))

    @property
    def total(self) -> int:
        """The number of goods of all kinds together."""
        return self.gold + self.wood + self.stone + self.brick

    def covers(self, other: Goods) -> bool:
        """Return whether these goods include all goods in `other`."""
        return (
            self.gold >= other.gold
            and self.wood >= other.wood
            and self.stone >= other.stone
            and self.brick >= other.brick
        )

    def less(self, other: Goods) -> Goods:
        """Return these goods minus the others, with 0 instead of negative counts."""
        return plain_goods(
            max(0, self.gold - other.gold),
            max(0, self.wood - other.wood),
            max(0, self.stone - other.stone),
            max(0, self.brick - other.brick),
        )

    def kinds(self) -> tuple[Good, ...]:
        """Return the kinds with a count of at least one, in the order of `GOODS`."""
        return tuple(good for good, count in zip(GOODS, self, strict=True) if count > 0)


_new: Final[Any] = object.__new__
_gold, _wood, _stone, _brick, _hash = [
    vars(Goods)[slot].__set__ for slot in ("gold", "wood", "stone", "brick", "_attrs_cached_hash")
]


def plain_goods(gold: int, wood: int, stone: int, brick: int) -> Goods:
    """Return goods with the given counts, without validation. The counts must be of type `int`."""
    goods: Goods = _new(Goods)
    _gold(goods, gold)
    _wood(goods, wood)
    _stone(goods, stone)
    _brick(goods, brick)
    _hash(goods, None)
    return goods


NOTHING: Final = Goods()
"""No goods: all counts are 0."""

ONE_OF_EACH: Final = Goods(1, 1, 1, 1)
"""One good of each kind."""

ONE: Final = MappingProxyType({good: Goods.of(good) for good in GOODS})
"""A mapping from each kind to one good of this kind."""
