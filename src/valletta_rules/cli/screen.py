"""Output of the terminal game: wrapped to its width, in a language, in colour if wanted.

A `Footer` stays at the bottom of the terminal while text scrolls above it.  Text that scrolls out
of sight there remains in the scrollback of the terminal, which is why the footer is not at the top.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from valletta_rules.text.layout import WIDTH, filled
from valletta_rules.words import ENGLISH, Language

_SEATS: Final = ("31;1", "34;1", "32;1", "33;1")
"""The colours of the players' names, seat by seat: red, blue, green, yellow."""

STRONG, FAINT, WARNING = "1", "2", "33"


@attrs.frozen
class Screen:
    """The output of a game: its language, players' names, width and colours."""

    language: Language = ENGLISH
    names: Sequence[str] = ENGLISH.names
    width: int = WIDTH
    is_coloured: bool = False

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text without wrapping it; names of players get their colours."""
        print(self.painted(text, style))

    def fill(self, text: str, start: str = "", rest: str | None = None, style: str = "") -> None:
        """Print a text, wrapped; see `valletta_rules.text.layout.filled`."""
        self.say(filled(text, start, rest, self.width), style)

    def painted(self, text: str, style: str = "") -> str:
        """Return a text with the names of players in their colours, and the rest in a style."""
        if not self.is_coloured:
            return text
        painted = dict(zip(self.names, _SEATS, strict=False))
        known = "|".join(sorted(map(re.escape, self.names), key=len, reverse=True))
        after = f"\033[0m\033[{style}m" if style else "\033[0m"
        text = re.sub(
            rf"\b(?:{known})\b", lambda name: f"\033[{painted[name[0]]}m{name[0]}{after}", text
        )
        return f"\033[{style}m{text}\033[0m" if style else text


LEAST_ROWS: Final = 10
"""The minimum number of rows that a footer leaves to the text."""


@attrs.define
class Footer:
    """Lines that stay at the bottom of the terminal, within the `with` block.

    The terminal scrolls as usual while a person types, so a program that is stopped or killed then
    leaves it in order.
    """

    is_wanted: bool
    """Whether the output is a terminal that supports a footer, and it is not switched off."""
    rows: int = 0
    """The number of rows that are left to the text; 0 while there is no footer."""

    def __enter__(self) -> Footer:
        """Start without lines."""
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the lines, and give their rows back to the text."""
        self.lift()
        if self.rows:
            _send("\033[J")

    def room(self) -> int:
        """Return the maximum number of lines: 0 if it is unwanted or the width too small."""
        columns, rows = shutil.get_terminal_size()
        return max(0, rows - LEAST_ROWS) if self.is_wanted and columns >= WIDTH else 0

    def show(self, lines: Sequence[str]) -> None:
        """Draw the lines, if there is room for them, and let text scroll above."""
        self.lift()
        height, rows = len(lines), shutil.get_terminal_size().lines
        erase = "\033[J" if self.rows else ""
        self.rows = rows - height if 0 < height <= self.room() else 0
        if self.rows:
            drawn = "".join(f"\033[{row};1H{line}" for row, line in enumerate(lines, self.rows + 1))
            make_room = "\n" * height + f"\033[{height}A"
            _send(f"{erase}{make_room}\0337\033[1;{self.rows}r{drawn}\0338")

    def lift(self) -> None:
        """Let the whole terminal scroll, and save the position of the cursor."""
        if self.rows:
            _send("\0337\033[r\0338")

    def lower(self) -> None:
        """Let text scroll above the footer again, from the line after the saved one."""
        if self.rows:
            _send(f"\033[1;{self.rows}r\0338\n")


def _send(codes: str) -> None:
    """Send control codes to the terminal."""
    print(codes, end="", flush=True)


def wants_colour(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the output is a terminal with colours, and ``NO_COLOR`` is not set."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()
