"""Limits: annotations that restrict the values of a type, such as a range or a pattern.

For the rules and the type checker, a `Seat` is an integer and a `BuildingCode` a string. The
annotations are for code that validates input or generates schemas.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Final

import attrs

from valletta_rules.components.values import Value


@attrs.frozen
class Interval(Value):
    """A range of integers that includes both ends."""

    least: int = 0
    """The least allowed value."""
    most: int | None = None
    """The greatest allowed value, or `None` if there is no upper bound."""


@attrs.frozen
class Pattern(Value):
    """A limit for strings: they must match a regular expression."""

    form: str
    """A regular expression for the whole string."""


@attrs.frozen
class Among(Value):
    """A limit for members of an enumeration: only a subset of them is allowed."""

    members: tuple[Enum, ...]
    """The allowed members."""


Limit = Interval | Pattern | Among
"""Any limit. The union is complete: no other type is a limit."""

Count = Annotated[int, Interval()]
"""A count: an integer of at least 0."""

LARGEST_AMOUNT: Final = 65_000
"""The maximum number of goods of a kind, or of points, that a document allows for a player.
Positions in the native backend and in JavaScript cannot store more. The numbers in a game are far
smaller.
"""

Amount = Annotated[int, Interval(0, LARGEST_AMOUNT)]
"""A number of goods of a kind, or of points on the score track: 0 to 65,000."""

Positive = Annotated[int, Interval(1)]
"""A positive integer."""

MOST_TURNS: Final = 1000
"""The default maximum number of turns, counted over all players, of a game between bots. A game
with more turns is stopped. Random players need the most turns of all known bots: a few hundred.
"""
