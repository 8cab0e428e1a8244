"""The output of a game in the terminal: wrapped, in a chosen language, and optionally in colour.

A `Footer` stays at the bottom of the terminal while text scrolls above it.  Text that scrolls out
at the top remains in the scrollback of the terminal.  A terminal would discard this text if the
fixed lines were at the top.
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
"""The terminal codes for the colours of the players' names: red, blue, green, yellow."""

STRONG, FAINT, WARNING = "1", "2", "33"


@attrs.frozen
class Screen:
    """A screen on which a game is printed, in a language, with a width and optionally colours."""

    language: Language = ENGLISH
    names: Sequence[str] = ENGLISH.names
    width: int = WIDTH
    is_coloured: bool = False

    def write(self, text: str = "", style: str = "") -> None:
        """Print a text without wrapping it; the names of players are printed in their colours."""
        print(self.painted(text, style))

    def fill(self, text: str, start: str = "", rest: str | None = None, style: str = "") -> None:
        """Print a text with `valletta_rules.text.layout.filled`, wrapped to the screen's width."""
        self.write(filled(text, start, rest, self.width), style)

    def painted(self, text: str, style: str = "") -> str:
        """Return `text` with control codes: players' names in their colours, the rest in `style`.

        Return the unchanged text if the screen shows no colours.
        """
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
"""The minimum number of rows for the scrolling text above a footer."""


@attrs.define
class Footer:
    """A footer: lines that stay at the bottom of the terminal during a `with` block.

    While the program waits for input, the whole terminal scrolls as usual.  If the program is
    stopped or killed at a prompt, the terminal therefore remains usable.
    """

    is_wanted: bool
    """Whether the footer is shown: the terminal supports one, and the user did not disable it."""
    rows: int = 0
    """The number of rows of the scrolling text above the footer; 0 while there is no footer."""

    def __enter__(self) -> Footer:
        """Return the footer, which has no lines yet."""
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the footer, and let the whole terminal scroll again."""
        self.lift()
        if self.rows:
            _send("\033[J")

    def room(self) -> int:
        """Return the maximum height of the footer in lines; 0 if it is disabled or does not fit."""
        columns, rows = shutil.get_terminal_size()
        return max(0, rows - LEAST_ROWS) if self.is_wanted and columns >= WIDTH else 0

    def show(self, lines: Sequence[str]) -> None:
        """Draw a footer with these lines, if the terminal is tall enough."""
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
        """Let only the rows above the footer scroll, and move the cursor to the next line.

        The next line is the line after the position that `lift` saved.
        """
        if self.rows:
            _send(f"\033[1;{self.rows}r\0338\n")


def _send(codes: str) -> None:
    print(codes, end="", flush=True)


def wants_colour(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to use colours: standard output is a terminal that supports colours.

    The variable ``NO_COLOR`` in `environment` disables them.
    """
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()
