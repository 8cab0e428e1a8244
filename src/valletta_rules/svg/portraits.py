"""The faces of the 31 characters: a bust each, something on its head, something on its chest.

They are our own: a few strokes, made of parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

import attrs

from valletta_rules.components.characters import Character
from valletta_rules.components.goods import Good
from valletta_rules.svg.drawing import disc, element, path, place
from valletta_rules.svg.palette import INK, PAPER, STONE, WHITE, Paint
from valletta_rules.svg.symbols import cross, good_symbol, plain_house

C = Character

RADIUS: Final = 38
"""The radius of the medallion."""

SKIN: Final = "#e9c39b"
"""The colour of the faces."""

HAIR: Final = "#5b3a1e"
"""The colour of hair."""

GOLDEN: Final = "#f3c93f"
"""The colour of crowns."""

LINEN: Final = "#f7f3ea"
"""The colour of caps and veils."""

STEEL: Final = "#aab3b8"
"""The colour of a helmet."""


class Head(Enum):
    """What a character wears on the head, or how the hair falls: strokes above the face."""

    KERCHIEF = (
        ("M-14 -7C-15 -27 15 -27 14 -7L10 -13C5 -18 -5 -18 -10 -13Z", LINEN),
        ("M12 -10L19 -2L11 -5Z", LINEN),
    )
    BUN = (
        ("M-14 -4C-17 -26 17 -26 14 -4L11 -12C4 -17 -4 -17 -11 -12Z", HAIR),
        ("M-6 -22A6 6 0 0 1 6 -22Z", HAIR),
    )
    CAP = (
        ("M-13 -13C-13 -27 13 -27 13 -13Z", "#6d7b4f"),
        ("M-13 -14H19C18 -11 16 -11 13 -11H-13Z", "#55613c"),
    )
    STRAW_HAT = (
        ("M-10 -14C-9 -26 9 -26 10 -14Z", "#e0b95a"),
        ("M-21 -12C-10 -17 10 -17 21 -12C10 -9 -10 -9 -21 -12Z", "#d1a640"),
    )
    TALL_HAT = (
        ("M-12 -12L-9 -25H9L12 -12Z", "#7b5a3a"),
        ("M-16 -12H16V-9H-16Z", "#5d4229"),
    )
    BERET = (("M-15 -13C-18 -27 8 -30 18 -18C20 -13 8 -12 -15 -13Z", "#433a5e"),)
    PLUMED_HAT = (
        ("M-14 -12C-14 -24 14 -24 14 -12Z", "#3a3f55"),
        ("M-18 -11C-8 -16 8 -16 18 -11C8 -9 -8 -9 -18 -11Z", "#2c3042"),
        ("M6 -18C12 -34 26 -30 23 -22C20 -25 14 -22 10 -16Z", WHITE),
    )
    TONSURE = (
        ("M-12 -2C-17 -12 -14 -19 -10 -20C-12 -15 -11 -9 -10 -5Z", HAIR),
        ("M12 -2C17 -12 14 -19 10 -20C12 -15 11 -9 10 -5Z", HAIR),
        ("M-16 11C-16 2 16 2 16 11C10 5 -10 5 -16 11Z", "#7b5a3a"),
    )
    VEIL = (
        ("M-18 12C-24 -34 24 -34 18 12L12 6C15 -16 -15 -16 -12 6Z", "#33343d"),
        ("M-12 4C-15 -22 15 -22 12 4L9 1C11 -16 -11 -16 -9 1Z", LINEN),
    )
    CURLS = (("M-13 -3C-19 -28 19 -28 13 -3L10 -12C4 -18 -4 -14 -10 -12Z", HAIR),)
    GREY = (("M-13 -4C-17 -26 17 -26 13 -4L10 -13C4 -17 -4 -17 -10 -13Z", "#9a958c"),)
    CROWN = (("M-13 -13L-16 -28L-8 -21L0 -31L8 -21L16 -28L13 -13Z", GOLDEN),)
    IMPERIAL_CROWN = (
        ("M-13 -13L-16 -25C-8 -36 8 -36 16 -25L13 -13Z", GOLDEN),
        ("M-2 -31V-34H-5V-36H-2V-38H2V-36H5V-34H2V-31Z", GOLDEN),
        ("M-5 -14V-29H5V-14Z", "#a5302b"),
    )
    TIARA = (
        ("M-13 -13C-15 -30 -6 -35 0 -35S15 -30 13 -13Z", LINEN),
        ("M-13.5 -15H13.5V-12H-13.5ZM-13.5 -22H13.5V-19H-13.5ZM-10.5 -29H10.5V-26H-10.5Z", GOLDEN),
    )
    HELMET = (
        ("M-14 4C-16 -30 16 -30 14 4L8 8V-5H2V6H-2V-5H-8V8Z", STEEL),
        ("M-1.5 -21C-6 -32 8 -38 15 -30C9 -31 5 -28 1.5 -21Z", "#a5302b"),
    )


BEARD: Final = "M-11 -5C-12 9 -5 13 0 13S12 9 11 -5C8 0 4 0 0 -1C-4 0 -8 0 -11 -5Z"
"""A full beard."""


class Emblem(Enum):
    """What a character wears on the chest, if it is no good."""

    CROSS = "cross"
    HOUSE = "house"
    NEEDLE = "needle"
    TANKARD = "tankard"
    KEY = "key"
    BASKET = "basket"
    COMPASSES = "compasses"
    BOOK = "book"


SIGNS: Final[Mapping[Emblem, str]] = {
    Emblem.NEEDLE: "M-8 7L7 -8L8 -7L-7 8ZM7 -8C12 -12 12 -3 5 -1C0 1 2 7 8 7",
    Emblem.TANKARD: "M-6 -7H5V8H-6ZM5 -4H10V5H5M-6 -4H5",
    Emblem.KEY: "M-8 0A4 4 0 1 1 0 0A4 4 0 1 1 -8 0M0 0H10V4M6 0V4",
    Emblem.BASKET: "M-9 -1H9L6 8H-6ZM-7 -1C-6 -11 6 -11 7 -1",
    Emblem.COMPASSES: "M0 -9L-7 8M0 -9L7 8M-4 1H4",
    Emblem.BOOK: "M0 -6C-3 -8 -7 -8 -9 -7V6C-7 5 -3 5 0 7C3 5 7 5 9 6V-7C7 -8 3 -8 0 -6V7",
}
"""The strokes of the simpler emblems."""


@attrs.frozen
class Looks:
    """What makes up a face."""

    head: Head
    """What is on the head."""
    emblem: Good | Emblem
    """What is on the chest."""
    bearded: bool = False
    """Whether there is a beard."""


LOOKS: Final[Mapping[Character, Looks]] = {
    C.SHOPKEEPER: Looks(Head.BUN, Good.GOLD),
    C.LUMBERJACK: Looks(Head.CAP, Good.WOOD, bearded=True),
    C.STONE_SCULPTOR: Looks(Head.TALL_HAT, Good.STONE),
    C.BRICK_WORKER: Looks(Head.STRAW_HAT, Good.BRICK),
    C.MAID: Looks(Head.KERCHIEF, Emblem.BASKET),
    C.BUILDER: Looks(Head.TALL_HAT, Emblem.HOUSE, bearded=True),
    C.APPRENTICE: Looks(Head.CAP, Emblem.BOOK),
    C.VALETTE: Looks(Head.GREY, Emblem.CROSS, bearded=True),
    C.BANKER: Looks(Head.BERET, Good.GOLD),
    C.WOODWORKER: Looks(Head.CURLS, Good.WOOD, bearded=True),
    C.CARVER: Looks(Head.CAP, Good.STONE),
    C.MASON: Looks(Head.STRAW_HAT, Good.BRICK, bearded=True),
    C.MONK: Looks(Head.TONSURE, Emblem.BASKET),
    C.BRICKLAYER: Looks(Head.STRAW_HAT, Emblem.HOUSE),
    C.TRADER: Looks(Head.KERCHIEF, Good.GOLD),
    C.SEAMSTRESS: Looks(Head.BUN, Emblem.NEEDLE),
    C.MERCHANT: Looks(Head.PLUMED_HAT, Emblem.BASKET, bearded=True),
    C.ARTISAN: Looks(Head.BERET, Emblem.COMPASSES),
    C.CHAMBERLAIN: Looks(Head.CURLS, Emblem.KEY),
    C.STONEMASON: Looks(Head.TALL_HAT, Emblem.HOUSE),
    C.INNKEEPER: Looks(Head.GREY, Emblem.TANKARD),
    C.NUN: Looks(Head.VEIL, Emblem.BOOK),
    C.CARPENTER: Looks(Head.CAP, Emblem.HOUSE, bearded=True),
    C.TAX_COLLECTOR: Looks(Head.PLUMED_HAT, Emblem.BOOK),
    C.ARCHITECT: Looks(Head.BERET, Emblem.COMPASSES, bearded=True),
    C.GRAND_BAILIFF: Looks(Head.CURLS, Emblem.CROSS, bearded=True),
    C.GRAND_MASTER: Looks(Head.PLUMED_HAT, Emblem.CROSS, bearded=True),
    C.PHILIP: Looks(Head.CROWN, Emblem.KEY, bearded=True),
    C.CHARLES: Looks(Head.IMPERIAL_CROWN, Emblem.BOOK, bearded=True),
    C.PIUS: Looks(Head.TIARA, Emblem.KEY, bearded=True),
    C.KNIGHT: Looks(Head.HELMET, Emblem.CROSS),
}
"""The faces."""


def portrait(character: Character, paint: Paint) -> str:
    """Return the medallion of a character, 76 units across, dressed in a colour."""
    looks = LOOKS[character]
    hair = "#9a958c" if looks.head is Head.GREY else HAIR
    ground = disc(0, 0, RADIUS, fill="#cfe0e6", stroke=INK, stroke_width=1.2)
    coat = path(
        "M-26 27C-25 10 -12 4 0 4S25 10 26 27A37.5 37.5 0 0 1 -26 27Z",
        fill=paint.ground,
        stroke=INK,
        stroke_width=1.2,
    )
    face = disc(0, -7, 12.5, fill=SKIN, stroke=INK, stroke_width=1)
    beard = path(BEARD, fill=hair, stroke=INK, stroke_width=0.8) if looks.bearded else ""
    eyes = disc(-4.3, -8.5, 1.3, fill=INK) + disc(4.3, -8.5, 1.3, fill=INK)
    smile = path("M-3.4 -1.5C-1.5 0.6 1.5 0.6 3.4 -1.5", fill="none", stroke=INK, stroke_width=1.2)
    worn = "".join(
        path(stroke, fill=fill, stroke=INK, stroke_width=1, stroke_linejoin="round")
        for stroke, fill in looks.head.value
    )
    emblem = place(_emblem(looks.emblem, paint), 0, 24, 0.8)
    return ground + coat + face + beard + eyes + smile + worn + emblem


def _emblem(emblem: Good | Emblem, paint: Paint) -> str:
    """Return what is worn on the chest."""
    match emblem:
        case Good():
            return good_symbol(emblem)
        case Emblem.CROSS:
            return cross(paint.ink)
        case Emblem.HOUSE:
            return place(plain_house(), 0, 0, 0.7)
        case _:
            medal = disc(0, 0, 12.5, fill=PAPER, stroke=INK)
            sign = path(
                SIGNS[emblem],
                fill=STONE,
                stroke=INK,
                stroke_width=1.5,
                stroke_linejoin="round",
            )
            return medal + element("g", sign)
