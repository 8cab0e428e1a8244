"""Drawings of cards: a hand as a row of cards, and other groups of cards as rows of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

from valletta_rules.components import CardBag, Character, Colour, Good, need
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.svg.cards import colour_of
from valletta_rules.svg.drawing import (
    Drawing,
    box,
    drawing,
    group,
    lines,
    path,
    place,
    text_line,
    width_of,
    wrapped,
)
from valletta_rules.svg.effects import symbol_row
from valletta_rules.svg.palette import FADED, INK, PAINTS, PAPER
from valletta_rules.svg.portraits import portrait
from valletta_rules.svg.scene import Scene
from valletta_rules.svg.symbols import ring, symbol
from valletta_rules.words import ENGLISH, Language

CARD_WIDTH: Final = 122
"""The width of a card in a hand."""

CARD_HEIGHT: Final = 156
"""The height of a card in a hand."""

STEP: Final = CARD_WIDTH + 10
"""The maximum distance between the left edges of neighbouring cards in a hand."""

HAND_HEIGHT: Final = CARD_HEIGHT + 26
"""The height of a hand as a row of cards, including the line with the owner's name."""

ROW_HEIGHT: Final = 28
"""The height of a row of labels."""

SIZE: Final = 11.5
"""The font size of the headings of hands and labels, and of the lines of panels."""


# Hands


@lru_cache(maxsize=256)
def hand_card(character: Character, colour: Colour, language: Language) -> str:
    """Return a card as it appears in a hand: name, face, and effect in symbols and in words."""
    paint, middle = PAINTS[colour], CARD_WIDTH / 2
    gist = wrapped(language.gists[character], CARD_WIDTH - 10, 9)[:4]
    tight, larger = 2 * (len(gist) == 4), max(0, 26 - 8 * len(gist))
    scale = 0.8 + larger / 82
    band = f"M0 6A6 6 0 0 1 6 0H{CARD_WIDTH - 6}A6 6 0 0 1 {CARD_WIDTH} 6V23H0Z"
    name, room = language.short_names[character], CARD_WIDTH - 12
    size = 12.5 if width_of(name, 12.5, bold=True) <= room else 11
    return "".join(
        (
            box(0, 0, CARD_WIDTH, CARD_HEIGHT, rx=6, fill=PAPER, stroke=INK),
            path(band, fill=paint.ground, stroke=INK),
            text_line(
                name, middle, 16, size, fill=paint.ink, anchor="middle", bold=True, room=room
            ),
            place(portrait(character, paint), middle, 25 + 38 * scale, scale),
            place(symbol_row(character, CARD_WIDTH - 14), middle, 97 + larger, 0.88),
            lines(gist, middle, 117 + larger - tight, 10.5 - tight / 2, size=9, anchor="middle"),
            text_line(
                language.form(colour),
                middle,
                CARD_HEIGHT - 4,
                8,
                fill=FADED,
                anchor="middle",
            ),
        )
    )


def draw_card(
    character: Character, rules: RuleSet = HANS_IM_GLUECK, *, language: Language = ENGLISH
) -> Drawing:
    """Draw a card as it appears in a hand: name, face, and effect in symbols and in words.

    `rules` determines the colour of the Apprentice.
    """
    need(character, Character, "a character")
    return drawing(
        CARD_WIDTH + 2,
        CARD_HEIGHT + 2,
        language.short_names[character],
        language.describe_effect(character),
        place(hand_card(character, colour_of(character, rules), language), 1, 1),
        lang=language.code,
    )


def draw_good(good: Good, *, language: Language = ENGLISH) -> Drawing:
    """Draw the symbol of a good."""
    need(good, Good, "a good")
    name = language.good_names[good]
    return drawing(22, 22, name, name, place(symbol(good), 11, 11), lang=language.code)


def hand(scene: Scene, seat: int, cards: CardBag, room: float) -> str:
    """Return a hand as a row of cards, with the owner's name above."""
    characters = list(cards)
    step = min(STEP, (room - CARD_WIDTH) / max(1, len(characters) - 1))
    nothing = f", {scene.phrase('headings.nothing')}" * (not characters)
    heading = f"{scene.names[seat]}: {scene.phrase('headings.hand')}{nothing}"
    drawn = (
        place(_hand_card(scene, seat, card), number * step, 20)
        for number, card in enumerate(characters)
    )
    return text_line(heading, 0, 12, SIZE, fill=FADED, room=room) + "".join(drawn)


def _hand_card(scene: Scene, seat: int, card: Character) -> str:
    """Return a card in a seat's hand, highlighted if the scene requires it."""
    drawn = hand_card(card, colour_of(card, scene.table.rules), scene.language)
    edge = (-2, -2, CARD_WIDTH + 4, CARD_HEIGHT + 4)
    return _card(scene, card, drawn, edge, is_picked=scene.is_card_picked(seat, card))


def _card(
    scene: Scene, card: Character, drawn: str, edge: Sequence[float], *, is_picked: bool
) -> str:
    """Return the drawing of a card, with the attributes by which scripts select it.

    A highlighted card has a ring around the rectangle `edge`.
    """
    kind, mark = ("card legal", ring(*edge)) if is_picked else ("card", "")
    effect = scene.language.describe_effect(card)
    return group(drawn, mark, kind=kind, title=effect, card=card)


# Labels


def labels(
    scene: Scene,
    heading: str,
    cards: Iterable[tuple[Character, int]],
    room: float,
    picked: Collection[Character] = (),
) -> str:
    """Return a heading and a row of labels for cards, scaled to fit into the width `room`."""
    start = width_of(heading, SIZE) + 12
    parts, x = [], 0.0
    for card, count in cards:
        label, broad = _label(scene, card, count, is_picked=card in picked)
        parts.append(place(label, x, 0))
        x += broad + 9
    scale = min(1.0, (room - start) / x) if parts else 1.0
    nothing = text_line(scene.phrase("headings.nothing"), 0, 4, SIZE, fill=FADED)
    row = place("".join(parts) or nothing, start, 0, scale)
    return place(text_line(heading, 0, 4, SIZE) + row, 0, ROW_HEIGHT / 2)


def _label(scene: Scene, card: Character, count: int, *, is_picked: bool) -> tuple[str, float]:
    """Return the label for `count` equal cards, and its width."""
    paint = PAINTS[colour_of(card, scene.table.rules)]
    name = scene.language.short_names[card] + f" ×{count}" * (count > 1)  # noqa: RUF001
    broad = width_of(name, 10.5, bold=True) + 10
    ground = box(0, -10, broad, 20, rx=5, fill=paint.ground, stroke=INK, stroke_width=0.8)
    text = text_line(name, broad / 2, 3.8, 10.5, fill=paint.ink, anchor="middle", bold=True)
    edge = (-2, -12, broad + 4, 24)
    return _card(scene, card, ground + text, edge, is_picked=is_picked), broad
