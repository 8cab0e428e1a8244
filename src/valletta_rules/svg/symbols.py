"""Functions that return SVG symbols for goods, houses, figures and barrels.

The middle of a symbol is at the origin.  `place` moves the symbol to its place.
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
    """Read and return one of this package's TOML files, which describe parts of pictures."""
    file = resources.files("valletta_rules") / "svg" / name
    return tomllib.loads(file.read_text(encoding="utf-8"))


_PARTS: Final = read_parts("symbols.toml")

PATHS: Final[Mapping[str, str]] = MappingProxyType(_PARTS["paths"])
"""The paths that several symbols share, keyed by name."""


DRAWN: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        each: MappingProxyType(row)
        for each, row in read_parts("characters.toml")["characters"].items()
    }
)
"""The portrait and the effect of each character, as words; ``characters.toml`` explains them."""

BLANK: Final = palette.Paint(palette.PAPER, palette.INK)
"""The default paint of symbols."""


@lru_cache(maxsize=1024)
def symbol(name: str, paint: palette.Paint = BLANK, **facts: object) -> str:
    """Return the symbol `name` from ``symbols.toml``.

    `paint` and `facts` contain the values for the placeholders in the symbol's markup.
    """
    markup = "".join(map(str.strip, _PARTS["symbols"][name].splitlines()))
    return markup.format(paint=paint, palette=palette, **PATHS, **facts)


def cross(fill: str = palette.WHITE) -> str:
    """Return a Maltese cross, 18 units wide."""
    return symbol("cross", fill=fill)


def income(good: Good | None) -> str:
    """Return an income icon in a frame: the icon of `good`, or of any good if `good` is `None`."""
    return symbol("frame") + symbol("any" if good is None else good)


def points(count: object) -> str:
    """Return a shield, 25 units high, that shows a number of points."""
    return symbol("points", count=count)


def house(seat: int, paint: palette.Paint, *, upgraded: bool = False) -> str:
    """Return a seat's house with the seat's Greek letter.  An upgraded house shows a plus."""
    plus = symbol("upgraded") if upgraded else ""
    return symbol("house", paint, letter=palette.SEAT_LETTERS[seat]) + plus


def figure(seat: int, paint: palette.Paint) -> str:
    """Return the score figure of a seat: a disc with the seat's Greek letter."""
    return symbol("figure", paint, letter=palette.SEAT_LETTERS[seat])


def valette() -> str:
    """Return the purple figure of Jean Parisot de Valette."""
    return symbol("valette", palette.PAINTS[Colour.PURPLE])


def ring(x: float, y: float, width: float, height: float, **style: object) -> str:
    """Return the ring around a highlighted item."""
    usual = {"rx": 8, "fill": "none", "stroke": palette.ACCENT, "stroke_width": 4}
    return box(x, y, width, height, **usual | style)
