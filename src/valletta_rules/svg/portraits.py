"""The faces of the 31 characters: a bust each, something on its head, something on its chest.

They are our own: a few strokes, made of parts.
"""

from __future__ import annotations

from typing import Final

from valletta_rules.components import Character, Good
from valletta_rules.svg.drawing import place
from valletta_rules.svg.palette import Paint
from valletta_rules.svg.symbols import DRAWN, cross, read_parts, symbol

_PARTS: Final = read_parts("portraits.toml")
"""The parts of the portraits: heads and emblems."""


def portrait(character: Character, paint: Paint) -> str:
    """Return the medallion of a character, 76 units across, dressed in a colour."""
    head, emblem, *more = DRAWN[character]["face"].split()
    hair = "#9a958c" if head == "grey" else "#5b3a1e"
    worn = (symbol("worn", stroke=stroke, fill=fill) for stroke, fill in _PARTS["heads"][head])
    return "".join(
        (
            symbol("bust", paint),
            symbol("beard", hair=hair) if more else "",
            symbol("smile"),
            *worn,
            place(_emblem(emblem, paint), 0, 24, 0.8),
        )
    )


def _emblem(emblem: str, paint: Paint) -> str:
    """Return the emblem on the chest: a good, a cross, a house, or a medal with a sign."""
    if emblem in set(Good):
        return symbol(emblem)
    if emblem == "cross":
        return cross(paint.ink)
    if emblem == "house":
        return place(symbol("plain_house"), 0, 0, 0.7)
    return symbol("medal", sign=_PARTS["emblems"][emblem])
