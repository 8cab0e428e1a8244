"""What the characters do, in symbols; `words` says it in any language."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any, Final

from valletta_rules.components.characters import Character
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.svg.symbols import read_parts
from valletta_rules.words.language import CONSTANTS


class _Formatter(Formatter):
    """Fills in constants of the rules as words, one for each of several things."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Goods):
            return " ".join(good for good in GOODS for _ in range(value[good]))
        return " ".join([format_spec] * value) if format_spec else str(value)


_ROWS: Final = read_parts("symbols.toml")["effects"]

EFFECTS: Final[Mapping[Character, str]] = {
    character: _Formatter().vformat(_ROWS[character], (), CONSTANTS) for character in Character
}
"""The effects of the 31 characters, in the order of the rulebook.

Each is a row of words, separated by spaces, which `cards` draws as symbols.
"""
