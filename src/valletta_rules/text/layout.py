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
"""The minimum width of text, in columns."""

WIDEST: Final = 120
"""The maximum width of text, in columns. Longer lines are hard to read."""

_width: Final = ContextVar("width", default=WIDTH)


def columns() -> int:
    """Return the width of the terminal, or ``COLUMNS``, within limits. The fallback is 80."""
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDEST)


@contextmanager
def wrapped_at(width: int) -> Iterator[None]:
    """Return a context manager that sets the default width of `filled`."""
    token = _width.set(width)
    try:
        yield
    finally:
        _width.reset(token)


def filled(text: str, start: str = "", rest: str | None = None, width: int = 0) -> str:
    """Wrap a text between words.

    The default width is the one set with `wrapped_at`, or 80 columns. `start` is the indentation of
    the first line. `rest` is that of the other lines; the default is `start`. A word that is longer
    than a line is not broken.
    """
    return textwrap.fill(
        text,
        width or _width.get(),
        initial_indent=start,
        subsequent_indent=start if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
