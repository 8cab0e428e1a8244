"""Wrapping text for a terminal."""

from __future__ import annotations

import textwrap
from typing import Final

WIDTH: Final = 80
"""The default width of text, in columns."""


def filled(text: str, start: str = "", rest: str | None = None, width: int = WIDTH) -> str:
    """Break a text into lines that fit a terminal, between words.

    The first line begins with `start`; the others do too, or with `rest`.  A word that is longer
    than a line has one of its own.
    """
    return textwrap.fill(
        text,
        width,
        initial_indent=start,
        subsequent_indent=start if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
