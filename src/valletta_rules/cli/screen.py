"""Output of the terminal game: wrapped to its width, in a language, in colour if wanted."""

from __future__ import annotations

import os
import re
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


def wants_colour(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether the output is a terminal with colours, and ``NO_COLOR`` is not set."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()
