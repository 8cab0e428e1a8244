"""Limits: ranges of numbers and forms of texts, stated once, as annotations of types.

To the rules and to the type checker a `Seat` is a whole number and a `BuildingCode` a text.  Their
annotations tell code that validates input, or describes it to other languages, which values are
allowed.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Final

import attrs

from valletta_rules.components.values import Value


@attrs.frozen
class Interval(Value):
    """Whole numbers from one to another, both included."""

    least: int = 0
    """The smallest."""
    most: int | None = None
    """The largest; `None` if there is none."""


@attrs.frozen
class Pattern(Value):
    """Texts of a certain form."""

    form: str
    """A regular expression that matches the whole text."""


@attrs.frozen
class Among(Value):
    """Some members of an enumeration, and no others."""

    members: tuple[Enum, ...]
    """The members."""


Limit = Interval | Pattern | Among
"""The limits with which a type can be annotated."""

Count = Annotated[int, Interval()]
"""A number of things: 0 or more."""

MOST_HELD: Final = 65_000
"""The most goods of a kind, or points, that a document may give to a player.

No game gets near it.  It is what a position can hold in the native backend and in JavaScript.
"""

Amount = Annotated[int, Interval(0, MOST_HELD)]
"""A number of goods of a kind, or of points on the score track: 0 to 65,000."""

Positive = Annotated[int, Interval(1)]
"""A number of things: 1 or more."""

MOST_TURNS: Final = 1000
"""The default number of turns of all players after which a game of bots is truncated.

Random players, the slowest known, need a few hundred.
"""
