"""The symbols: goods, houses, figures, barrels, façades.

Each is drawn around the origin, so that it is put where it belongs with `place`.  The goods have
shapes of their own: a coin, a log, a hewn stone, two courses of brick.
"""

from __future__ import annotations

from functools import cache
from typing import Final, assert_never

from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import Colour
from valletta_rules.components.goods import Good
from valletta_rules.svg.drawing import box, disc, element, line, path, place, text_line
from valletta_rules.svg.palette import (
    BORDER,
    INK,
    PAINTS,
    PAPER,
    SEAT_LETTERS,
    SHADE,
    STONE,
    WHITE,
    Paint,
)

ARM: Final = "M0 0L-4.4 -9L0 -6.4L4.4 -9Z"
"""One of the four arms of the Maltese cross, with its two points."""


def cross(fill: str = WHITE) -> str:
    """Return a Maltese cross, 18 units across."""
    arms = (element("path", d=ARM, transform=f"rotate({turn})") for turn in (0, 90, 180, 270))
    return element("g", *arms, fill=fill)


@cache
def good_symbol(good: Good) -> str:
    """Return the symbol of a good, about 18 units across."""
    match good:
        case Good.GOLD:
            return (
                disc(0, 0, 8.5, fill="#f3c93f", stroke="#6e5104", stroke_width=1.4)
                + disc(0, 0, 6, fill="none", stroke="#a97f10", stroke_width=0.9)
                + place(cross("#8a6508"), 0, 0, 0.5)
            )
        case Good.WOOD:
            return (
                path(
                    "M-6 -5H7A3 5 0 0 1 7 5H-6Z",
                    fill="#8f5f2f",
                    stroke="#4b2e10",
                    stroke_width=1.2,
                )
                + path("M-1 -2H6M0 2H5", stroke="#4b2e10", stroke_width=0.9)
                + element("ellipse", cx=-6, cy=0, rx=3, ry=5, fill="#e0b983", stroke="#4b2e10")
                + element("ellipse", cx=-6, cy=0, rx=1.2, ry=2.2, fill="none", stroke="#7d5427")
            )
        case Good.STONE:
            return path(
                "M-9 3L-5 -6L3 -8L9 -2L7 7L-6 8Z",
                fill="#b9bcb9",
                stroke="#464b4a",
                stroke_width=1.3,
                stroke_linejoin="round",
            ) + path("M-5 -6L-1 -1L9 -2M-1 -1L-6 8", fill="none", stroke="#6d7371")
        case Good.BRICK:
            return box(
                -9, -6.5, 18, 13, rx=1, fill="#c0532f", stroke="#5c1f0c", stroke_width=1.2
            ) + path("M-9 0H9M1 -6.5V0M-4 0V6.5M5 0V6.5", stroke="#f6d9c4", stroke_width=1.3)
        case _:
            assert_never(good)


def any_good() -> str:
    """Return the symbol of a good of any kind."""
    ring = disc(0, 0, 8.5, fill=PAPER, stroke=INK, stroke_width=1.2, stroke_dasharray="2.6 1.8")
    return ring + text_line("?", 0, 4.6, 13, anchor="middle", bold=True)


def income(good: Good | None) -> str:
    """Return an income icon, as buildings show it: a good, or one of any kind, in its frame."""
    frame = box(-11.5, -11.5, 23, 23, rx=3, fill=WHITE, stroke=SHADE, stroke_width=1.5)
    return frame + (any_good() if good is None else good_symbol(good))


def points(count: object) -> str:
    """Return points on a shield, 24 units high."""
    shield = path(
        "M-11 -12H11V1C11 8 5 11.5 0 13C-5 11.5 -11 8 -11 1Z",
        fill=WHITE,
        stroke=BORDER,
        stroke_width=1.6,
    )
    return shield + text_line(count, 0, 5, 14, anchor="middle", bold=True)


HOUSE: Final = "M-13 -2L0 -14L13 -2V13H-13Z"
"""The outline of a house."""


def house(seat: int, paint: Paint, *, upgraded: bool = False) -> str:
    """Return the house of a seat with its Greek letter; a plus on the roof if it is upgraded."""
    outline = path(HOUSE, fill=paint.ground, stroke=INK, stroke_width=1.4, stroke_linejoin="round")
    letter = text_line(SEAT_LETTERS[seat], 0, 9.5, 16, fill=paint.ink, anchor="middle", bold=True)
    plus = ""
    if upgraded:
        plus = disc(12, -11, 6.5, fill=WHITE, stroke=INK, stroke_width=1.2) + path(
            "M8.5 -11H15.5M12 -14.5V-7.5", stroke=INK, stroke_width=1.8
        )
    return outline + letter + plus


def plain_house(paint: Paint | None = None, *, upgraded: bool = False) -> str:
    """Return a house of nobody's: of a colour of building, with its letter, or of none."""
    ground = PAPER if paint is None else paint.ground
    outline = path(HOUSE, fill=ground, stroke=INK, stroke_width=1.4, stroke_linejoin="round")
    arrow = path("M0 9V-5M-5 0L0 -5L5 0", fill="none", stroke=INK, stroke_width=2.2)
    return outline + (arrow if upgraded else "")


def figure(seat: int, paint: Paint) -> str:
    """Return the figure of a seat on the score track: a disc with the seat's Greek letter."""
    ground = disc(0, 0, 7.5, fill=paint.ground, stroke=INK, stroke_width=1.1)
    return ground + text_line(
        SEAT_LETTERS[seat], 0, 3.8, 11.5, fill=paint.ink, anchor="middle", bold=True
    )


PAWN: Final = "M-8 14C-8 6 -4 5 -3.4 -1A6.4 6.4 0 1 1 3.4 -1C4 5 8 6 8 14Z"
"""The outline of a playing figure, 28 units high."""


def valette() -> str:
    """Return the purple figure of Jean Parisot de Valette."""
    paint = PAINTS[Colour.PURPLE]
    pawn = path(PAWN, fill=paint.ground, stroke=INK, stroke_width=1.3, stroke_linejoin="round")
    return (
        pawn
        + place(cross(paint.ink), 0, 8, 0.5)
        + text_line("V", 0, -3.2, 9, fill=paint.ink, anchor="middle", bold=True)
    )


def opponent() -> str:
    """Return the playing figure of an opponent."""
    return path(PAWN, fill=STONE, stroke=INK, stroke_width=1.3, stroke_linejoin="round")


def barrel(*, is_closed: bool = True) -> str:
    """Return a barrel, or the empty place that one has left."""
    outline = "M-6 -9H6Q9.5 0 6 9H-6Q-9.5 0 -6 -9Z"
    if not is_closed:
        return path(outline, fill="none", stroke=SHADE, stroke_width=1.2, stroke_dasharray="2 2")
    hoops = path("M-7.4 -4.5H7.4M-7.4 4.5H7.4", stroke="#4a4a48", stroke_width=1.8)
    staves = path("M-2.5 -9V9M2.5 -9V9", stroke="#6b4216", stroke_width=0.8)
    return path(outline, fill="#b07a3c", stroke="#4b2e10", stroke_width=1.2) + staves + hoops


def card(paint: Paint, sign: str = "") -> str:
    """Return the back of a card: a door in its colour, with a sign beside it."""
    back = box(-7, -10, 14, 20, rx=2, fill=paint.ground, stroke=INK, stroke_width=1.1)
    door = path("M-3.5 7V-1A3.5 4 0 0 1 3.5 -1V7Z", fill=paint.ink, opacity=0.85)
    return back + door + (text_line(sign, 16, 5, 15, anchor="middle", bold=True) if sign else "")


def tower() -> str:
    """Return the tower at the beginning of the street, 46 units broad, standing on the origin."""
    wall = path(
        "M-18 0L-16 -38H-20V-54H-12V-48H-4V-54H4V-48H12V-54H20V-38H16L18 0Z",
        fill=STONE,
        stroke=INK,
        stroke_width=1.4,
        stroke_linejoin="round",
    )
    door = path("M-6 0V-12A6 7 0 0 1 6 -12V0Z", fill="#6b4216", stroke=INK)
    slits = path("M-9 -32V-26M9 -32V-26", stroke=INK, stroke_width=2)
    return wall + door + slits


# Façades

STOREY: Final = 13
"""How high a storey is."""

WALL: Final = 44
"""How broad a façade is."""


def facade(building: Building, *, upgraded: bool = False) -> str:
    """Return a Maltese street front standing on the origin.

    It is higher the more points the building is worth; the closed balcony has the building's
    colour.  The upgraded side carries a dome.
    """
    storeys = min(3, 1 + building.points // 2)
    ink = PAINTS[building.colour]
    top = -STOREY * storeys - 2
    wall = box(-WALL / 2, top, WALL, -top, fill=STONE, stroke="#7c6433", stroke_width=1.1)
    cornice = box(-WALL / 2 - 2, top - 3, WALL + 4, 4, fill="#c7ad7b", stroke="#7c6433")
    floors = "".join(
        _storey(-STOREY * number, ord(building.letter) + number, ink) for number in range(storeys)
    )
    crown = place(_dome(), 0, top - 3) if upgraded else place(_parapet(building), 0, top - 3)
    return crown + wall + cornice + floors


def _storey(base: float, variety: int, paint: Paint) -> str:
    """Return the windows, or the door and windows, of a storey that stands on a base."""
    sill = base - 3
    if base == 0:
        door = path("M-5 0V-8A5 4 0 0 1 5 -8V0Z", fill="#5b3a17", stroke=INK, stroke_width=0.8)
        return door + _window(-14, sill) + _window(14, sill)
    if variety % 3 == 0:
        return "".join(_window(x, sill) for x in (-14, 0, 14))
    side = 11 if variety % 3 == 1 else -11
    return _balcony(side if variety % 2 else 0, sill, paint) + "".join(
        _window(x, sill) for x in (-15, 15) if abs(x - (side if variety % 2 else 0)) > 9
    )


def _window(x: float, sill: float) -> str:
    return box(x - 2.6, sill - 7, 5.2, 7, fill="#4d6a78", stroke="#7c6433", stroke_width=0.9)


def _balcony(x: float, sill: float, paint: Paint) -> str:
    """Return a gallarija: a closed wooden balcony."""
    front = box(x - 7, sill - 8, 14, 9.5, fill=paint.ground, stroke=INK, stroke_width=0.9)
    panes = path(
        f"M{x - 2.4:g} {sill - 8}v6M{x + 2.4:g} {sill - 8}v6M{x - 7} {sill - 2}h14",
        stroke=paint.ink,
        stroke_width=0.9,
    )
    return front + panes


def _parapet(building: Building) -> str:
    """Return the ornament of a roof: urns, or a small gable."""
    if ord(building.letter) % 2:
        return path("M-9 0L0 -7L9 0Z", fill=STONE, stroke="#7c6433")
    return path("M-18 0V-4M-18 -5V-5M18 0V-4M0 0V-4", stroke="#7c6433", stroke_width=3)


def _dome() -> str:
    """Return a dome with a lantern and a flag of the order."""
    dome = path(
        "M-15 0C-15 -12 -7 -16 0 -16S15 -12 15 0Z",
        fill="#a8483c",
        stroke="#5c1f0c",
        stroke_width=1.1,
    )
    ribs = path("M-6 0C-6 -9 -3 -14 0 -16C3 -14 6 -9 6 0", fill="none", stroke="#e9c7a9")
    mast = line(0, -16, 0, -27, stroke=INK, stroke_width=1.2)
    flag = box(0, -27, 12, 8, fill="#b3261e", stroke=INK, stroke_width=0.7)
    return dome + ribs + mast + flag + place(cross(WHITE), 6, -23, 0.36)
