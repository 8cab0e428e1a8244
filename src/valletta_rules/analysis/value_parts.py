"""The parts of a difference in value between two positions.

The value of a position is not a sum of parts, so Shapley's rule divides the difference among the
parts.  The parts of one position are replaced, one after another, by those of the other position.
The share of a part is the effect of its replacement, averaged over all orders of the parts.  The
shares add up to the whole difference.
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
    """A part of the value of a position."""

    POINTS = "points"
    """The points scored and the points of buildings."""
    GOODS = "goods"
    """The goods in stock."""
    INCOME = "income"
    """The goods that the cards will yield."""
    BUILDING = "building"
    """The opportunities to build and upgrade."""
    SCORING = "scoring"
    """The points that the cards will score, and their exchanges of goods for points."""
    HAND = "hand"
    """The cards in hand, which the seat will play in its next turn."""
    TEMPO = "tempo"
    """The number of turns left for all players."""
    RIVALS = "rivals"
    """The outlooks of the opponents; the worse these are, the better for the seat."""


@attrs.frozen
class Share(Value):
    """The points that one part contributes to the difference in value between two positions."""

    part: ValuePart
    points: float


Parts = tuple[Share, ...]
"""The shares of all parts in a difference in value, the largest first, without shares of 0."""

Prospects = Sequence[Outlook]
"""The outlook of each player, seat by seat."""


def compare(before: Prospects, after: Prospects, seat: int) -> Parts:
    """Break down the difference in a seat's expected lead between two positions.

    `before` and `after` contain the outlook of each player in the two positions.
    """

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
    """Return the contribution of a part to the difference, according to Shapley's rule."""
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
"""For each part, the fields of `Outlook` and of `Income` to which it corresponds."""


def _mixed(
    one: Outlook, other: Outlook, changed: Collection[ValuePart], *, is_own: bool
) -> Outlook:
    """Return an outlook in which some parts are replaced by those of another outlook."""
    for part in changed:
        if part is ValuePart.TEMPO or is_own is not (part is ValuePart.RIVALS):
            outlook, income = _TAKES[part]
            gained = one.income._replace(**{name: getattr(other.income, name) for name in income})
            replaced = {"income": gained} | {name: getattr(other, name) for name in outlook}
            one = one._replace(**replaced)
    return one
