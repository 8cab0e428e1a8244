"""Wrapping text for a terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

WIDTH: Final = 80
"""The default width of text, in columns."""

NARROWEST: Final = 40
"""The least width of text, in columns."""

WIDEST: Final = 120
"""The greatest width of text, in columns: longer lines are hard to read."""

_width: Final = ContextVar("width", default=WIDTH)


def columns() -> int:
    """Return the width of the output: of the terminal or ``COLUMNS``; 80 if neither says."""
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDEST)


@contextmanager
def wrapped_at(width: int) -> Iterator[None]:
    """Wrap texts at a width within the block, where none is given."""
    token = _width.set(width)
    try:
        yield
    finally:
        _width.reset(token)


def filled(text: str, start: str = "", rest: str | None = None, width: int = 0) -> str:
    """Break a text into lines that fit a terminal, between words.

    Takes the width, or wraps at 80 columns or as `wrapped_at` says.
    The first line begins with `start`; the others do too, or with `rest`.  A word that is longer
    than a line has one of its own.
    """
    return textwrap.fill(
        text,
        width or _width.get(),
        initial_indent=start,
        subsequent_indent=start if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
