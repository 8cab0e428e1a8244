"""Parts: what a difference in value between two positions is made of.

The value of a position is no sum, so its difference is shared out by Shapley's rule: a part counts
for what changing it makes, on average over all orders in which the parts can be changed one after
the other.  The shares add up to the whole difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations
from math import factorial
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.bots.value import Outlook, expected
from valletta_rules.components import Value


class ValuePart(StrEnum):
    """A part of what makes a position good."""

    POINTS = "points"
    """Points scored, and those of buildings."""
    GOODS = "goods"
    """Goods in stock."""
    INCOME = "income"
    """Goods that the cards will yield."""
    BUILDING = "building"
    """Chances to build and upgrade."""
    SCORING = "scoring"
    """Points that cards will yield, and goods they will sell."""
    HAND = "hand"
    """The cards in hand, which will be played next turn."""
    TEMPO = "tempo"
    """The number of turns left, to all players."""
    RIVALS = "rivals"
    """What the others have: the less, the better."""


@attrs.frozen
class Share(Value):
    """What a part counts for."""

    part: ValuePart
    points: float


Parts = tuple[Share, ...]
"""The points that parts count for, the largest first; those that count for nothing are left out."""

Prospects = Sequence[Outlook]
"""The outlooks of all players, seat by seat."""


def compare(before: Prospects, after: Prospects, seat: int) -> Parts:
    """Return by which parts a seat's expected lead differs between two positions of a game."""

    @cache
    def lead(changed: frozenset[ValuePart]) -> float:
        mixed = [
            _mixed(one, other, changed, is_own=number == seat)
            for number, (one, other) in enumerate(zip(before, after, strict=True))
        ]
        points = [expected(each) for each in mixed]
        own = points.pop(seat)
        return own - max(points)

    differing = [part for part in ValuePart if _differs(before, after, part, seat)]
    shares = [Share(part, round(_share(part, differing, lead), 3)) for part in differing]
    counting = [each for each in shares if each.points]
    return tuple(sorted(counting, key=lambda each: -abs(each.points)))


def _share(
    part: ValuePart, parts: Collection[ValuePart], lead: Callable[[frozenset[ValuePart]], float]
) -> float:
    """Return Shapley's share of a part."""
    others = [each for each in parts if each is not part]
    total = 0.0
    for chosen in _subsets(others):
        orders = factorial(len(chosen)) * factorial(len(others) - len(chosen))
        total += orders * (lead(chosen | {part}) - lead(chosen))
    return total / factorial(len(parts))


def _subsets(parts: Sequence[ValuePart]) -> Iterator[frozenset[ValuePart]]:
    for size in range(len(parts) + 1):
        yield from map(frozenset, combinations(parts, size))


def _differs(before: Prospects, after: Prospects, part: ValuePart, seat: int) -> bool:
    return any(
        _mixed(one, other, (part,), is_own=number == seat) != one
        for number, (one, other) in enumerate(zip(before, after, strict=True))
    )


_TAKES: Final[Mapping[ValuePart, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        ValuePart.POINTS: (("points",), ()),
        ValuePart.GOODS: (("goods",), ()),
        ValuePart.INCOME: ((), ("gold", "wood", "stone", "brick", "any", "cards")),
        ValuePart.BUILDING: (("houses",), ("builds",)),
        ValuePart.SCORING: ((), ("points", "sales")),
        ValuePart.HAND: (("hand",), ()),
        ValuePart.TEMPO: (("left", "is_final"), ()),
        ValuePart.RIVALS: (("points", "goods", "income", "hand", "houses"), ()),
    }
)
"""The fields that each part consists of: those of an outlook, and those of its income."""


def _mixed(
    one: Outlook, other: Outlook, changed: Collection[ValuePart], *, is_own: bool
) -> Outlook:
    """Return an outlook with some parts taken from another one."""
    for part in changed:
        if part is ValuePart.TEMPO or is_own is not (part is ValuePart.RIVALS):
            outlook, income = _TAKES[part]
            gained = one.income._replace(**{name: getattr(other.income, name) for name in income})
            taken = {"income": gained} | {name: getattr(other, name) for name in outlook}
            one = one._replace(**taken)
    return one
