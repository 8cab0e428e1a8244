"""The colours of the drawings.

A `Paint` combines a background with a text colour.  A test checks that each pair has sufficient
contrast for small text.  All information that a colour conveys is also conveyed by a shape or word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.components import Colour, Value, abbreviated

INK: Final = "#2b2117"
"""The colour of text on `PAPER` and `TABLE`."""

FADED: Final = "#5a4936"
"""The colour of secondary text on `PAPER` and `TABLE`."""

PAPER: Final = "#fcf6e8"
"""The background colour of a card."""

TABLE: Final = "#efe4cb"
"""The background colour of the table."""

STONE: Final = "#d9c49a"
"""The limestone colour of walls and paving."""

SHADE: Final = "#b79b68"
"""The darker limestone colour of the edges of walls and cards."""

ACCENT: Final = "#7c3f8c"
"""The colour of highlights, such as adjacent sites and the player who must answer."""

BORDER: Final = "#8b1e24"
"""The colour of the borders between areas, and of the outlines of shields and tokens."""

WHITE: Final = "#ffffff"
"""The colour of shields, letters and anything drawn on dark colours."""


@attrs.frozen
class Paint(Value):
    """A background colour and the colour of text on it."""

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
"""The paints of cards, keyed by the colour of the card."""

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
"""The paints that players can choose, keyed by the name of the colour."""

SEAT_COLOURS: Final = ("red", "blue", "green", "yellow")
"""The names of the default colours of the seats."""

SEAT_LETTERS: Final = tuple(map(chr, range(0x3B1, 0x3B5)))
"""The Greek letters of the seats, for people who cannot distinguish the colours."""


def paints_of(colours: Sequence[str], players: int) -> tuple[Paint, ...]:
    """Return the paints of `players` seats, given the names of their colours.

    Raises `ValueError` if there are too few colours, if a colour is unknown, or if two seats have
    the same colour.
    """
    if len(colours) < players:
        raise ValueError(f"expected {players} colours, one for each player, not {len(colours)}")
    for number, colour in enumerate(colours):
        if colour not in SEAT_PAINTS:
            raise ValueError(
                f"unknown colour {abbreviated(colour)}; known: {', '.join(SEAT_PAINTS)}"
            )
        if colour in colours[:number]:
            raise ValueError(f"two players cannot both have the colour {colour}")
    return tuple(SEAT_PAINTS[colour] for colour in colours[:players])
