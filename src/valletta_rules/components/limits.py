"""Limits: annotations that restrict a type to a range of numbers or a form of text.

For the rules and the type checker, a `Seat` is an integer and a `BuildingCode` a string. For code
that validates input or generates schemas, the annotations define the allowed values.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Final

import attrs

from valletta_rules.components.values import Value


@attrs.frozen
class Interval(Value):
    """A range of integers; both ends are included."""

    least: int = 0
    """The least allowed value."""
    most: int | None = None
    """The greatest allowed value; `None` if there is no upper bound."""


@attrs.frozen
class Pattern(Value):
    """A limit for texts: they must match a regular expression."""

    form: str
    """A regular expression that matches the whole text."""


@attrs.frozen
class Among(Value):
    """A limit for members of an enumeration: they must belong to a subset."""

    members: tuple[Enum, ...]
    """The members of the subset."""


Limit = Interval | Pattern | Among
"""Any limit. The union of these types is closed."""

Count = Annotated[int, Interval()]
"""A number of things: 0 or more."""

MOST_HELD: Final = 65_000
"""The maximum number of goods of a kind, or of points, that a document allows for a player. No game
comes close to it. A position in the native backend or in JavaScript can store no more.
"""

Amount = Annotated[int, Interval(0, MOST_HELD)]
"""A number of goods of a kind, or of points on the score track: 0 to 65,000."""

Positive = Annotated[int, Interval(1)]
"""A number of things: 1 or more."""

MOST_TURNS: Final = 1000
"""The default number of turns, counted over all players, after which a game between bots is
stopped.

Random players, which are the slowest that are known, need a few hundred.
"""
