"""Whole numbers from outside: a seat, a site, a count, as Python or numpy writes them."""

from __future__ import annotations

import operator
from typing import SupportsIndex


def whole(value: SupportsIndex, what: str) -> int:
    """Return a whole number of any type, numpy's too, as an `int`.

    Takes what it is called in an error.  Raises `TypeError` for anything else; `True` is no
    number, though Python says so.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{what} must be a whole number, not {kind}: {value!r}") from None
