"""Line wrapping for terminals."""

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
    """Return the width of the terminal or of ``COLUMNS``, within limits; 80 if both are unknown."""
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDEST)


@contextmanager
def wrapped_at(width: int) -> Iterator[None]:
    """Set the default width of `filled` within the block."""
    token = _width.set(width)
    try:
        yield
    finally:
        _width.reset(token)


def filled(text: str, start: str = "", rest: str | None = None, width: int = 0) -> str:
    """Wrap a text between words.

    The default width is that of `wrapped_at`, or 80 columns. `start` is the indentation of the
    first line, `rest` that of the other lines, by default the same. A word that is longer than a
    line is not broken.
    """
    return textwrap.fill(
        text,
        width or _width.get(),
        initial_indent=start,
        subsequent_indent=start if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
