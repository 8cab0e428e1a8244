"""The symbols: goods, houses, figures, barrels.

Each is drawn around the origin; `place` moves it to its position.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.components import Colour, Good
from valletta_rules.svg import palette
from valletta_rules.svg.drawing import box


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
"""The drawing of each character: its face, and its effect as a row of words."""

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
    """Return an income icon of a building: a good, or one of any kind, in its frame."""
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
    """Return the ring around a highlighted item."""
    usual = {"rx": 8, "fill": "none", "stroke": palette.ACCENT, "stroke_width": 4}
    return box(x, y, width, height, **usual | style)
