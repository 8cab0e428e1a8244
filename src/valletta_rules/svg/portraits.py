"""Portraits of the 31 characters, and façades of the buildings, as SVG.

A portrait is a bust with a hat or hair, and with an emblem on its chest.  The façade of a building
has a sign with the emblem of its character.
"""

from __future__ import annotations

from typing import Final

from valletta_rules.components import Building, Character, Good
from valletta_rules.svg.drawing import box, place
from valletta_rules.svg.palette import INK, PAINTS, STONE, Paint
from valletta_rules.svg.symbols import DRAWN, cross, read_parts, symbol

_PARTS: Final = read_parts("portraits.toml")
"""The heads and the emblems from which portraits are composed."""


def portrait(character: Character, paint: Paint) -> str:
    """Return the portrait of a character, 76 units wide, with clothes in the colour of `paint`."""
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
    """Return the emblem of a portrait: a good, a cross, a house, or a medal with a sign."""
    if emblem in set(Good):
        return symbol(emblem)
    if emblem == "cross":
        return cross(paint.ink)
    if emblem == "house":
        return place(symbol("plain_house"), 0, 0, 0.7)
    return symbol("medal", sign=_PARTS["emblems"][emblem])


WALL: Final = 44
"""The width of a façade's wall."""


def facade(building: Building, *, upgraded: bool = False) -> str:
    """Return the façade of a building.  The middle of its base is at the origin.

    The number of storeys depends on the points of the building, and the roof depends on its colour.
    The sign shows the emblem of the building's character.  The upgraded side has a flag.
    """
    storeys, paint = min(3, 1 + building.points // 2), PAINTS[building.colour]
    height = 10 + 8 * storeys
    roof = place(symbol(f"{building.colour}_roof", paint), 0, -height)
    flag = place(symbol("flag"), 0, -height - 10) if upgraded else ""
    wall = box(-WALL / 2, -height, WALL, height, fill=STONE, stroke=INK, stroke_width=1.1)
    windows = (
        box(x - 2.6, -8 * storey - 3, 5.2, 7, fill="#4d6a78", stroke=INK, stroke_width=0.9)
        for storey in range(1, storeys + 1)
        for x in (-17, 17)
    )
    return "".join((flag, wall, roof, symbol("door"), *windows, place(_sign(building), 0, -22)))


def _sign(building: Building) -> str:
    """Return the sign of a façade, with the character's emblem on a light background."""
    emblem = DRAWN[building.character]["face"].split()[1]
    if emblem in _PARTS["emblems"]:
        return symbol("shop") + symbol("shown", sign=_PARTS["emblems"][emblem])
    return symbol("shop") + (symbol(emblem) if emblem in set(Good) else cross(INK))
