"""Parts: what a difference in value between two positions is made of.

The value of a position is no sum, so its difference is shared out by Shapley's rule: a part counts
for what changing it makes, on average over all orders in which the parts can be changed one after
the other.  The shares add up to the whole difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations
from math import factorial

import attrs

from valletta_rules.bots.value import Outlook, expected
from valletta_rules.components.values import Value


class Part(StrEnum):
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

    part: Part
    points: float


Parts = tuple[Share, ...]
"""The points that parts count for, the largest first; those that count for nothing are left out."""

Prospects = Sequence[Outlook]
"""The outlooks of all players, seat by seat."""


def compare(before: Prospects, after: Prospects, seat: int) -> Parts:
    """Return by which parts a seat's expected lead differs between two positions of a game."""

    @cache
    def lead(changed: frozenset[Part]) -> float:
        mixed = [
            _mixed(one, other, changed, is_own=number == seat)
            for number, (one, other) in enumerate(zip(before, after, strict=True))
        ]
        points = [expected(each) for each in mixed]
        own = points.pop(seat)
        return own - max(points)

    differing = [part for part in Part if _differs(before, after, part, seat)]
    shares = [Share(part, round(_share(part, differing, lead), 3)) for part in differing]
    counting = [each for each in shares if each.points]
    return tuple(sorted(counting, key=lambda each: -abs(each.points)))


def _share(part: Part, parts: Collection[Part], lead: Callable[[frozenset[Part]], float]) -> float:
    """Return Shapley's share of a part."""
    others = [each for each in parts if each is not part]
    total = 0.0
    for chosen in _subsets(others):
        orders = factorial(len(chosen)) * factorial(len(others) - len(chosen))
        total += orders * (lead(chosen | {part}) - lead(chosen))
    return total / factorial(len(parts))


def _subsets(parts: Sequence[Part]) -> Iterator[frozenset[Part]]:
    for size in range(len(parts) + 1):
        yield from map(frozenset, combinations(parts, size))


def _differs(before: Prospects, after: Prospects, part: Part, seat: int) -> bool:
    only = frozenset((part,))
    return any(
        _mixed(one, other, only, is_own=number == seat) != one
        for number, (one, other) in enumerate(zip(before, after, strict=True))
    )


def _mixed(one: Outlook, other: Outlook, changed: Collection[Part], *, is_own: bool) -> Outlook:
    """Return an outlook with some parts taken from another one."""
    mixed = one
    for part in changed:
        if part is Part.TEMPO or is_own is not (part is Part.RIVALS):
            mixed = _with(mixed, other, part)
    return mixed


def _with(one: Outlook, other: Outlook, part: Part) -> Outlook:
    """Return an outlook with a part taken from another one."""
    mine, yours = one.income, other.income
    match part:
        case Part.POINTS:
            return one._replace(points=other.points)
        case Part.GOODS:
            return one._replace(goods=other.goods)
        case Part.INCOME:
            kept = {"builds": mine.builds, "points": mine.points, "sales": mine.sales}
            return one._replace(income=yours._replace(**kept))
        case Part.BUILDING:
            return one._replace(income=mine._replace(builds=yours.builds), houses=other.houses)
        case Part.SCORING:
            more = {"points": yours.points, "sales": yours.sales}
            return one._replace(income=mine._replace(**more))
        case Part.HAND:
            return one._replace(hand=other.hand)
        case Part.TEMPO:
            return one._replace(left=other.left, is_final=other.is_final)
        case Part.RIVALS:
            return other._replace(left=one.left, is_final=one.is_final)
