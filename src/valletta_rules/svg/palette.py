"""The colours of the drawings: limestone, ink, and those of the game.

Every text is written in the ink of its ground; a test checks that each pair has the contrast
required for small print.  All information in a colour is also given by a shape or a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.components import Colour, Value, abbreviated

INK: Final = "#2b2117"
"""For text, on paper and on the table."""

FADED: Final = "#5a4936"
"""For secondary text, on paper and on the table."""

PAPER: Final = "#fcf6e8"
"""The ground of a card."""

TABLE: Final = "#efe4cb"
"""The ground of the table on which cards lie."""

STONE: Final = "#d9c49a"
"""Limestone: walls and paving."""

SHADE: Final = "#b79b68"
"""Limestone in the shade: edges of walls and cards."""

ACCENT: Final = "#7c3f8c"
"""For highlights: adjacent sites, and the player who must answer."""

BORDER: Final = "#8b1e24"
"""For borders between areas, and around points."""

WHITE: Final = "#ffffff"
"""For shields, letters and anything drawn on colours."""


@attrs.frozen
class Paint(Value):
    """A ground and the ink to write on it."""

    ground: str
    ink: str


PAINTS: Final[Mapping[Colour, Paint]] = MappingProxyType(
    {
        Colour.RED: Paint("#a5302b", WHITE),
        Colour.PURPLE: Paint("#5f3d8c", WHITE),
        Colour.GREEN: Paint("#33703f", WHITE),
        Colour.BLUE: Paint("#245f96", WHITE),
        Colour.YELLOW: Paint("#f0c236", INK),
    }
)
"""The colours of cards."""

SEAT_PAINTS: Final[Mapping[str, Paint]] = MappingProxyType(
    {
        "red": Paint("#b3261e", WHITE),
        "blue": Paint("#1d5fa8", WHITE),
        "green": Paint("#2c7a43", WHITE),
        "yellow": Paint("#f2c521", INK),
        "orange": Paint("#e8862a", INK),
        "pink": Paint("#b03a78", WHITE),
        "black": Paint("#33302c", WHITE),
        "white": Paint("#f7f7f4", INK),
    }
)
"""The colours that players can choose, by name."""

SEAT_COLOURS: Final = ("red", "blue", "green", "yellow")
"""The default colours of the seats."""

SEAT_LETTERS: Final = tuple(map(chr, range(0x3B1, 0x3B5)))
"""The Greek letters of the seats, for people who cannot tell their colours apart."""


def paints_of(colours: Sequence[str], players: int) -> tuple[Paint, ...]:
    """Return the paints of the seats from the names of the colours chosen.

    Raises `ValueError` if there are too few, if a colour is unknown, or if one is chosen twice.
    """
    if len(colours) < players:
        raise ValueError(f"{players} players need as many colours, not {len(colours)}")
    for number, colour in enumerate(colours):
        if colour not in SEAT_PAINTS:
            raise ValueError(
                f"there is no colour {abbreviated(colour)}; there are {', '.join(SEAT_PAINTS)}"
            )
        if colour in colours[:number]:
            raise ValueError(f"two players cannot both be {colour}")
    return tuple(SEAT_PAINTS[colour] for colour in colours[:players])
