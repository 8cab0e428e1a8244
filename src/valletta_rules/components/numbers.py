"""Conversion of integer arguments, including numpy's, and the types of random generators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Protocol, SupportsIndex, cast

from valletta_rules.components.names import abbreviated


def whole(value: SupportsIndex, name: str) -> int:
    """Convert an integer of any type, including numpy's, to an `int`.

    `name` is the name of the argument in the error message. Raises `TypeError` for any other value,
    and for `True` and `False`, although they are integers in Python.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(
            f"{name} must be a whole number, not {kind}: {abbreviated(value)}"
        ) from None


class PythonGenerator(Protocol):
    """A random generator with the interface of ``random.Random``."""

    def randrange(self, stop: int, /) -> int:
        """Return a random integer from 0 to `stop` - 1. All of them are equally likely."""
        ...


class NumpyGenerator(Protocol):
    """A random generator with the interface of ``numpy.random.Generator``."""

    def integers(self, low: int, /) -> SupportsIndex:
        """Return a random integer from 0 to `low` - 1. All of them are equally likely."""
        ...


Generator = PythonGenerator | NumpyGenerator
"""A random generator that can be used for chance outcomes."""


def numbers_from(rng: Generator) -> Callable[[int], int]:
    """Return a function that uses `rng` to draw a random integer below its argument.

    Raises `TypeError` for any value that is not a random generator.
    """
    if (randrange := getattr(rng, "randrange", None)) is not None:
        return cast("Callable[[int], int]", randrange)
    if (integers := getattr(rng, "integers", None)) is not None:
        return lambda limit: int(integers(limit))
    raise TypeError(f"expected a random generator such as random.Random(), not {abbreviated(rng)}")
