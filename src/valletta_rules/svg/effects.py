"""The effects of the characters as rows of symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.components import GOODS, Character, Colour, Goods
from valletta_rules.svg.drawing import place, text_line
from valletta_rules.svg.palette import PAINTS
from valletta_rules.svg.symbols import BLANK, DRAWN, read_parts, symbol
from valletta_rules.words.language import CONSTANTS


class _Formatter(Formatter):
    """A formatter that repeats the word in ``{NAME:word}``; `NAME` is a constant of the rules."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Goods):
            return " ".join(good for good in GOODS for _ in range(value[good]))
        return " ".join([format_spec] * value) if format_spec else str(value)


EFFECT_ROWS: Final[Mapping[Character, str]] = MappingProxyType(
    {
        character: _Formatter().vformat(DRAWN[character]["effect"], (), CONSTANTS)
        for character in Character
    }
)
"""The effects of the characters in the order of the rulebook, each as words separated by spaces.

`symbol_row` draws each word as a symbol.
"""


def _written(word: str) -> tuple[str, float]:
    """Return the text element of a word that has no symbol, and its width."""
    return text_line(word, 0, 5.5, 15, anchor="middle", bold=True), 4 + 7.5 * len(word)


def _superimposed(
    shows: Sequence[str],
    width: float,
    colour: str = "",
    x: float = 0,
    y: float = 0,
    scale: float = 1,
    **facts: object,
) -> tuple[str, float]:
    """Return the superimposed symbols that represent a word, and their width."""
    paint = PAINTS[Colour(colour)] if colour else BLANK
    drawn = "".join(symbol(name, paint, **facts) for name in shows)
    return place(drawn, x, y, scale) if x or y or scale != 1 else drawn, width


SYMBOLS: Final[Mapping[str, tuple[str, float]]] = MappingProxyType(
    {word: _superimposed(**row) for word, row in read_parts("symbols.toml")["words"].items()}
)
"""The symbols for words, each with its width.  Words without a symbol are drawn as text."""


def symbol_row(character: Character, room: float) -> str:
    """Return a character's effect as a row of symbols, which is centred on the origin.

    A row that is wider than `room` is scaled down.
    """
    drawn = [SYMBOLS.get(word) or _written(word) for word in EFFECT_ROWS[character].split()]
    gap = 4.5
    broad = sum(width + gap for _, width in drawn) - gap
    x = -broad / 2
    parts = []
    for word, width in drawn:
        parts.append(place(word, x + width / 2, 0))
        x += width + gap
    return place("".join(parts), 0, 0, min(1.0, room / broad))
