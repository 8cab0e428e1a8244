"""Limits: ranges of numbers and forms of texts, as annotations of types.

For the rules and the type checker, a `Seat` is an integer and a `BuildingCode` a string. The
annotations define the allowed values for code that validates input or generates schemas.
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
    """The texts that match a regular expression."""

    form: str
    """A regular expression that matches the whole text."""


@attrs.frozen
class Among(Value):
    """A subset of the members of an enumeration."""

    members: tuple[Enum, ...]
    """The members of the subset."""


Limit = Interval | Pattern | Among
"""The types of limit: a closed union."""

Count = Annotated[int, Interval()]
"""A number of things: 0 or more."""

MOST_HELD: Final = 65_000
"""The maximum number of goods of a kind, or of points, that a player can have in a document.

No game comes close to this number. Positions in the native backend and in JavaScript can store no
more.
"""

Amount = Annotated[int, Interval(0, MOST_HELD)]
"""A number of goods of a kind, or of points on the score track: 0 to 65,000."""

Positive = Annotated[int, Interval(1)]
"""A number of things: 1 or more."""

MOST_TURNS: Final = 1000
"""The default number of turns of all players after which a game of bots is truncated.

Random players, the slowest known, need a few hundred.
"""
