"""Whole numbers from outside (a seat, a site, a count) in any type of Python or numpy."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Protocol, SupportsIndex, cast

from valletta_rules.components.names import abbreviated


def whole(value: SupportsIndex, what: str) -> int:
    """Return a whole number of any type, numpy's too, as an `int`.

    Takes the name by which an error calls it.  Raises `TypeError` for anything else; `True` is not
    a number here, although Python counts it as one.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(
            f"{what} must be a whole number, not {kind}: {abbreviated(value)}"
        ) from None


class PythonGenerator(Protocol):
    """A random generator that draws like ``random.Random``."""

    def randrange(self, stop: int, /) -> int:
        """Return an integer from 0 up to `stop` less one, each equally likely."""
        ...


class NumpyGenerator(Protocol):
    """A random generator that draws like ``numpy.random.Generator``."""

    def integers(self, low: int, /) -> SupportsIndex:
        """Return an integer from 0 up to `low` less one, each equally likely."""
        ...


Generator = PythonGenerator | NumpyGenerator
"""A random generator that can answer for chance."""


def numbers_from(rng: Generator) -> Callable[[int], int]:
    """Return a function that draws integers below a limit from a generator.

    Raises `TypeError` for anything but a generator.
    """
    if (randrange := getattr(rng, "randrange", None)) is not None:
        return cast("Callable[[int], int]", randrange)
    if (integers := getattr(rng, "integers", None)) is not None:
        return lambda limit: int(integers(limit))
    raise TypeError(
        f"a random generator is needed, such as random.Random(), not {abbreviated(rng)}"
    )
