"""The display: the sites around the street on which the building cards lie.

A *site* is a place in the display, numbered from 0 in the order in which the cards are dealt. Rows
of five cards are dealt alternately above and below the street. On each side of the street, each row
is farther away than the one dealt before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import index
from types import MappingProxyType
from typing import Annotated, Final, SupportsIndex

import attrs

from valletta_rules.components.characters import Colour
from valletta_rules.components.limits import Interval
from valletta_rules.components.numbers import whole
from valletta_rules.components.values import Value

ROW_LENGTH: Final = 5
"""The number of buildings in a row, one for each area of the street."""

MAX_SITES: Final = 30
"""The number of sites of the largest display: six rows, for four players."""

QUOTAS: Final = MappingProxyType(
    {
        2: MappingProxyType({Colour.GREEN: 6, Colour.BLUE: 8, Colour.YELLOW: 6}),
        3: MappingProxyType({Colour.GREEN: 8, Colour.BLUE: 10, Colour.YELLOW: 7}),
        4: MappingProxyType({Colour.GREEN: 10, Colour.BLUE: 12, Colour.YELLOW: 8}),
    }
)
"""The number of buildings of each colour that are dealt, keyed by the number of players.

Rules: SET-8
"""

SITES: Final = MappingProxyType({players: sum(quota.values()) for players, quota in QUOTAS.items()})
"""The number of sites in the display, keyed by the number of players: 20, 25 or 30."""

PlayerCount = Annotated[int, Interval(min(QUOTAS), max(QUOTAS))]
"""The number of players of a game: 2 to 4."""

Seat = Annotated[int, Interval(0, max(QUOTAS) - 1)]
"""The number of a seat. The start player has seat 0, and the others follow clockwise."""

Site = Annotated[int, Interval(0, MAX_SITES - 1)]
"""The number of a site in the display. Sites are numbered from 0, in the order of dealing."""


def row_of(site: int) -> int:
    """Return the row of a site. Rows are numbered from 0 in the order in which they are dealt."""
    return site // ROW_LENGTH


def column_of(site: int) -> int:
    """Return the column of a site, 0 to 4 from the left, which is also the number of its area.

    Rules: CMP-16
    """
    return site % ROW_LENGTH


def is_above(site: int) -> bool:
    """Return true for a site above the street (rows 0, 2 and 4), and false for one below it.

    Rules: CMP-15
    """
    return row_of(site) % 2 == 0


def are_adjacent(one: int, other: int) -> bool:
    """Return whether two sites touch along an edge, on the same side of the street.

    Neighbours in a row are adjacent. So are sites in the same column, if they are in successive
    rows on the same side of the street. Sites that are opposite each other across the street, or at
    a diagonal, are not adjacent.

    Rules: CMP-17, BLD-7, BLD-8, BLD-9
    """
    rows, columns = abs(row_of(one) - row_of(other)), abs(column_of(one) - column_of(other))
    return (rows, columns) in {(0, 1), (2, 0)}


@attrs.frozen(repr=False)
class SiteSet(Value):
    """A set of sites, stored as a bit mask."""

    mask: int = 0
    """The bit mask: bit `i` is set if site `i` is in the set."""

    @staticmethod
    def of(*sites: SupportsIndex) -> SiteSet:
        """Return the set of the given sites. Raise `TypeError` if one is not a whole number."""
        return SiteSet(mask_of(whole(site, "a site") for site in sites))

    def __repr__(self) -> str:
        """Return a call of `SiteSet.of` with the sites."""
        return f"SiteSet.of({', '.join(map(str, self))})"

    def __len__(self) -> int:
        """Return the number of sites."""
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        """Return whether the set contains any site."""
        return self.mask != 0

    def __contains__(self, site: object) -> bool:
        """Return whether a site is in the set.

        The site may be an integer of any type, including numpy's.
        """
        try:
            number = index(site)  # type: ignore[arg-type]  # `index` tests the type
        except TypeError:
            return False
        return number >= 0 and self.mask >> number & 1 == 1

    def __iter__(self) -> Iterator[int]:
        """Iterate over the sites in ascending order."""
        return iter(_sites_in(self.mask))

    def plus(self, site: SupportsIndex) -> SiteSet:
        """Return the set with one more site. Raise `TypeError` if it is not a whole number."""
        return SiteSet(self.mask | 1 << whole(site, "a site"))


@lru_cache(maxsize=1 << 12)
def _sites_in(mask: int) -> tuple[int, ...]:
    return tuple([site for site in range(mask.bit_length()) if mask >> site & 1 and mask > 0])


def mask_of(sites: Iterable[int]) -> int:
    """Return the bit mask of the given sites."""
    return sum(1 << site for site in set(sites))


NO_SITES: Final = SiteSet()
"""The empty set of sites."""

NEIGHBOURS: Final = tuple(
    mask_of(other for other in range(MAX_SITES) if are_adjacent(site, other))
    for site in range(MAX_SITES)
)
"""For each site, the bit mask of its adjacent sites in the largest display."""


def neighbours_of(site: SupportsIndex, sites: SupportsIndex = MAX_SITES) -> SiteSet:
    """Return the sites that are adjacent to a site.

    `sites` is the number of sites in the display. Raises `TypeError` for anything but a whole
    number, and `ValueError` for a site that the display does not have.

    Rules: CMP-17, BLD-7, BLD-8, BLD-9
    """
    number, count = whole(site, "a site"), whole(sites, "the number of sites")
    if number not in range(min(count, MAX_SITES)):
        raise ValueError(f"a display of {count} sites has no site {number}")
    return SiteSet(NEIGHBOURS[number] & (1 << min(count, MAX_SITES)) - 1)
