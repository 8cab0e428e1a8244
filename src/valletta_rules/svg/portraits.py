"""The faces of the 31 characters: a bust each, something on its head, something on its chest.

They are our own: a few strokes, made of parts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

from valletta_rules.components.characters import Character
from valletta_rules.components.goods import Good
from valletta_rules.svg.drawing import disc, element, path, place
from valletta_rules.svg.palette import INK, PAPER, STONE, Paint
from valletta_rules.svg.symbols import cross, good_symbol, plain_house

PARTS: Final[Mapping[str, Any]] = tomllib.loads(
    (resources.files("valletta_rules") / "svg" / "portraits.toml").read_text(encoding="utf-8")
)
"""What the portraits are made of: heads, emblems, and the face of each character."""

RADIUS: Final = 38
"""The radius of the medallion."""

SKIN: Final = "#e9c39b"
"""The colour of the faces."""

HAIR: Final = "#5b3a1e"
"""The colour of hair."""

BEARD: Final = "M-11 -5C-12 9 -5 13 0 13S12 9 11 -5C8 0 4 0 0 -1C-4 0 -8 0 -11 -5Z"
"""A full beard."""


def portrait(character: Character, paint: Paint) -> str:
    """Return the medallion of a character, 76 units across, dressed in a colour."""
    head, emblem, *more = PARTS["faces"][character].split()
    hair = "#9a958c" if head == "grey" else HAIR
    ground = disc(0, 0, RADIUS, fill="#cfe0e6", stroke=INK, stroke_width=1.2)
    coat = path(
        "M-26 27C-25 10 -12 4 0 4S25 10 26 27A37.5 37.5 0 0 1 -26 27Z",
        fill=paint.ground,
        stroke=INK,
        stroke_width=1.2,
    )
    face = disc(0, -7, 12.5, fill=SKIN, stroke=INK, stroke_width=1)
    beard = path(BEARD, fill=hair, stroke=INK, stroke_width=0.8) if more else ""
    eyes = disc(-4.3, -8.5, 1.3, fill=INK) + disc(4.3, -8.5, 1.3, fill=INK)
    smile = path("M-3.4 -1.5C-1.5 0.6 1.5 0.6 3.4 -1.5", fill="none", stroke=INK, stroke_width=1.2)
    worn = "".join(
        path(stroke, fill=fill, stroke=INK, stroke_width=1, stroke_linejoin="round")
        for stroke, fill in PARTS["heads"][head]
    )
    chest = place(_emblem(emblem, paint), 0, 24, 0.8)
    return ground + coat + face + beard + eyes + smile + worn + chest


def _emblem(emblem: str, paint: Paint) -> str:
    """Return the emblem on the chest: a good, a cross, a house, or a medal with a sign."""
    if emblem in set(Good):
        return good_symbol(Good(emblem))
    if emblem == "cross":
        return cross(paint.ink)
    if emblem == "house":
        return place(plain_house(), 0, 0, 0.7)
    sign = PARTS["emblems"][emblem]
    drawn = path(sign, fill=STONE, stroke=INK, stroke_width=1.5, stroke_linejoin="round")
    return disc(0, 0, 12.5, fill=PAPER, stroke=INK) + element("g", drawn)
