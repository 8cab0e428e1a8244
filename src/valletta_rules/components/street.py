"""The street: a tower, then 25 spaces in five areas."""

from __future__ import annotations

from typing import Annotated, Final

from valletta_rules.components.limits import Interval

TOWER: Final = 0
"""The position of Valette before his first move: the tower, which is in front of space 1."""

LAST_SPACE: Final = 25
"""The last space of the street.

Rules: CMP-13
"""

Space = Annotated[int, Interval(TOWER, LAST_SPACE)]
"""The number of a space of the street, or 0 for the tower."""

AREA_LENGTH: Final = 5
"""The number of spaces in an area."""

SPACES: Final = range(1, LAST_SPACE + 1)
"""The numbers of the spaces of the street."""

ODD_SPACES: Final = tuple(space for space in SPACES if space % 2 == 1)
"""The thirteen odd spaces: 1, 3, 5 up to 25."""


def area_of(space: int) -> int | None:
    """Return the area of a space, 0 to 4 from the left, or `None` for the tower.

    Rules: CMP-14
    """
    return None if space == TOWER else (space - 1) // AREA_LENGTH
