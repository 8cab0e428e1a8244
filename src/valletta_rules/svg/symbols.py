"""The symbols: goods, houses, figures, barrels, façades.

Each is drawn around the origin; `place` moves it to its position.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.components import Building, Colour, Good
from valletta_rules.svg import palette
from valletta_rules.svg.drawing import box, path, place


def read_parts(name: str) -> Mapping[str, Any]:
    """Return the parts of pictures in a file of this package."""
    file = resources.files("valletta_rules") / "svg" / name
    return tomllib.loads(file.read_text(encoding="utf-8"))


_PARTS: Final = read_parts("symbols.toml")

PATHS: Final[Mapping[str, str]] = MappingProxyType(_PARTS["paths"])
"""The outlines that several symbols have in common."""


DRAWN: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        each: MappingProxyType(row)
        for each, row in read_parts("characters.toml")["characters"].items()
    }
)
"""How each character is drawn: its face, and its effect as a row of words."""

BLANK: Final = palette.Paint(palette.PAPER, palette.INK)
"""The colours of symbols that have none of their own."""


@lru_cache(maxsize=1024)
def symbol(name: str, paint: palette.Paint = BLANK, **facts: object) -> str:
    """Return a symbol from ``symbols.toml`` with its placeholders filled in."""
    markup = "".join(map(str.strip, _PARTS["symbols"][name].splitlines()))
    return markup.format(paint=paint, palette=palette, **PATHS, **facts)


def cross(fill: str = palette.WHITE) -> str:
    """Return a Maltese cross, 18 units across."""
    return symbol("cross", fill=fill)


def income(good: Good | None) -> str:
    """Return an income icon, as buildings show it: a good, or one of any kind, in its frame."""
    return symbol("frame") + symbol("any" if good is None else good)


def points(count: object) -> str:
    """Return points on a shield, 24 units high."""
    return symbol("points", count=count)


def house(seat: int, paint: palette.Paint, *, upgraded: bool = False) -> str:
    """Return the house of a seat with its Greek letter; a plus on the roof if it is upgraded."""
    plus = symbol("upgraded") if upgraded else ""
    return symbol("house", paint, letter=palette.SEAT_LETTERS[seat]) + plus


def figure(seat: int, paint: palette.Paint) -> str:
    """Return the figure of a seat on the score track: a disc with the seat's Greek letter."""
    return symbol("figure", paint, letter=palette.SEAT_LETTERS[seat])


def valette() -> str:
    """Return the purple figure of Jean Parisot de Valette."""
    return symbol("valette", palette.PAINTS[Colour.PURPLE])


def ring(x: float, y: float, width: float, height: float, **style: object) -> str:
    """Return the ring around a highlighted thing."""
    usual = {"rx": 8, "fill": "none", "stroke": palette.ACCENT, "stroke_width": 4}
    return box(x, y, width, height, **usual | style)


# Façades

STOREY: Final = 13
"""The height of a storey."""

WALL: Final = 44
"""The width of a façade."""


def facade(building: Building, *, upgraded: bool = False) -> str:
    """Return a Maltese street front standing on the origin.

    The more points the building is worth, the higher it is; the closed balcony has the building's
    colour.  The upgraded side carries a dome.
    """
    storeys = min(3, 1 + building.points // 2)
    ink = palette.PAINTS[building.colour]
    top = -STOREY * storeys - 2
    wall = box(-WALL / 2, top, WALL, -top, fill=palette.STONE, stroke="#7c6433", stroke_width=1.1)
    cornice = box(-WALL / 2 - 2, top - 3, WALL + 4, 4, fill="#c7ad7b", stroke="#7c6433")
    floors = "".join(
        _storey(-STOREY * number, ord(building.letter) + number, ink) for number in range(storeys)
    )
    crown = place(symbol("dome" if upgraded else _parapet(building)), 0, top - 3)
    return crown + wall + cornice + floors


def _storey(base: float, variety: int, paint: palette.Paint) -> str:
    """Return the windows, or the door and windows, of a storey that stands on a base."""
    sill = base - 3
    if base == 0:
        return symbol("door") + _window(-14, sill) + _window(14, sill)
    if variety % 3 == 0:
        return "".join(_window(x, sill) for x in (-14, 0, 14))
    side = 11 if variety % 3 == 1 else -11
    return _balcony(side if variety % 2 else 0, sill, paint) + "".join(
        _window(x, sill) for x in (-15, 15) if abs(x - (side if variety % 2 else 0)) > 9
    )


def _window(x: float, sill: float) -> str:
    return box(x - 2.6, sill - 7, 5.2, 7, fill="#4d6a78", stroke="#7c6433", stroke_width=0.9)


def _balcony(x: float, sill: float, paint: palette.Paint) -> str:
    """Return a gallarija: a closed wooden balcony."""
    front = box(x - 7, sill - 8, 14, 9.5, fill=paint.ground, stroke=palette.INK, stroke_width=0.9)
    panes = path(
        f"M{x - 2.4:g} {sill - 8}v6M{x + 2.4:g} {sill - 8}v6M{x - 7} {sill - 2}h14",
        stroke=paint.ink,
        stroke_width=0.9,
    )
    return front + panes


def _parapet(building: Building) -> str:
    """Return the name of the symbol on the roof."""
    return "gable" if ord(building.letter) % 2 else "urns"
