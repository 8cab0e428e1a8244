"""Limits: how far numbers go and what texts look like, said once, by the type of a field.

To the rules and to the type checker a `Seat` is a whole number and a `BuildingCode` a text.  What
they are annotated with tells code that validates input, and code that describes it to
other languages, which of them there are.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

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
    """Texts of a form."""

    form: str
    """A regular expression that matches the whole text."""


@attrs.frozen
class Among(Value):
    """Some members of an enumeration, and no others."""

    members: tuple[Enum, ...]
    """Those that are meant."""


Limit = Interval | Pattern | Among
"""What a type can be annotated with."""

Count = Annotated[int, Interval()]
"""How many there are of something: none, or any number."""

Positive = Annotated[int, Interval(1)]
"""How many there are of something: at least one."""
