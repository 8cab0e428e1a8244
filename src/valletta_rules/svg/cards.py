"""Drawings of cards: characters with their effects, and both sides of buildings."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import SITES, Building, CardSet, Character, Colour, Goods, need
from valletta_rules.rulebook.setup import GENERAL_SUPPLY, STARTING_DECK
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.svg import symbols
from valletta_rules.svg.drawing import (
    Drawing,
    box,
    disc,
    drawing,
    lines,
    path,
    place,
    text_line,
    width_of,
    wrapped,
)
from valletta_rules.svg.effects import symbol_row
from valletta_rules.svg.palette import ACCENT, FADED, INK, PAINTS, PAPER, SHADE, TABLE, WHITE, Paint
from valletta_rules.svg.portraits import facade, portrait
from valletta_rules.words import ENGLISH, GERMAN, Language, counted

FACE_WIDTH: Final = 140
"""The width of one side of a building before scaling."""

FACE_HEIGHT: Final = 104
"""The height of one side of a building before scaling."""

FACE_SCALE: Final = 1.6
"""The scale of a building in `draw_building`."""

WHERE_IT_LIES: Final = (92, 67, 0.56)
"""The position and the scale of the character's portrait on a building without a house."""

CARD_WIDTH: Final = 224
"""The width of a card in `draw_building` and `draw_character`."""

CHARACTER_HEIGHT: Final = 372
"""The height of a card in `draw_character`."""

# Buildings


def draw_building(
    building: Building,
    *,
    upgraded: bool = False,
    language: Language = ENGLISH,
) -> Drawing:
    """Draw the front or the upgraded side of a building, with its names and number of copies.

    The names are in `language` and in a second language: German if `language` is English, and
    English otherwise.
    """
    need(building, Building, "a building")
    character = building.character
    drawn = portrait(character, PAINTS[building.colour])
    corner = "" if upgraded else place(drawn, *WHERE_IT_LIES)
    face = building_face(building, upgraded=upgraded, corner=corner, language=language)
    caption, last = _caption_below(building, round(FACE_HEIGHT * FACE_SCALE) + 20, language)
    height = last + 12
    side = f", {language.phrase('captions.upgraded')}" if upgraded else ""
    return drawing(
        CARD_WIDTH,
        height,
        f"{building.code}, {_name(character, language)}{side}",
        language.describe_building(building, upgraded=upgraded),
        box(0.5, 0.5, CARD_WIDTH - 1, height - 1, rx=9, fill=TABLE, stroke=SHADE),
        place(face, 0, 0, FACE_SCALE),
        caption,
        lang=language.code,
    )


def _name(character: Character, language: Language) -> str:
    """Return the full name of a character, or the short name if the language has no full name."""
    whole = {"en": character.english, "de": character.german}
    return whole.get(language.code, language.short_names[character])


def _caption_below(building: Building, top: float, language: Language) -> tuple[str, int]:
    """Return the lines of text below a building, and the baseline of the last line.

    The lines contain the names in two languages, the number of copies and the colour.
    """
    other = GERMAN if language.code == "en" else ENGLISH
    names = wrapped(_name(building.character, language), CARD_WIDTH - 16, 12.5, bold=True)
    others = wrapped(_name(building.character, other), CARD_WIDTH - 16, 11.5)
    below = round(top) + 16 * len(names)
    last = below + 14 * len(others) + 1
    copies = f"{language.describe_copies(building.copies)} · {language.form(building.colour)}"
    style = {"size": 11.5, "italic": True, "fill": FADED, "lang": other.code}
    return (
        lines(names, 9, top, 16, size=12.5, bold=True)
        + lines(others, 9, below, 14, **style)
        + text_line(copies, 9, last, 11.5, fill=FADED)
    ), last


def building_face(
    building: Building,
    *,
    upgraded: bool = False,
    corner: str = "",
    note: str = "",
    price: Goods | None = None,
    language: Language = ENGLISH,
) -> str:
    """Return one side of a building, 140 units wide and 104 units high.

    `corner` is the SVG of the character or the house, and `note` is a text that precedes the name
    of the colour.  If `price` is given, it is drawn instead of the cost, and amounts below those of
    the cost are highlighted.
    """
    colour = note + language.form(building.colour)
    return "".join(
        (
            _side(building, building.cost if price is None else price, language, upgraded=upgraded),
            corner,
            box(4, 89.6, 132, 0.8, fill=SHADE),
            text_line(colour, 70, 100.5, 11.5, fill=FADED, anchor="middle"),
        )
    )


@lru_cache(maxsize=512)
def _side(building: Building, price: Goods, language: Language, *, upgraded: bool) -> str:
    """Return the parts of one side of a building that do not depend on its site or owner."""
    times = 2 if upgraded else 1
    return "".join(
        (
            box(0, 0, FACE_WIDTH, FACE_HEIGHT, rx=6, fill=PAPER, stroke=INK),
            _header(building, PAINTS[building.colour], language),
            symbols.symbol("arms")
            + text_line(
                language.phrase("captions.upgraded"), 134, 34, 9.5, italic=True, anchor="end"
            )
            if upgraded
            else _cost(building.cost, price),
            place(facade(building, upgraded=upgraded), 51, 89, 0.8),
            *(
                place(symbols.income(building.icon), 17, 77 - 23 * time, 0.9)
                for time in range(times)
            ),
            place(symbols.points(times * building.points), 125, 77, 0.85),
        )
    )


def _header(building: Building, paint: Paint, language: Language) -> str:
    letter = text_line(building.code, 12, 14.5, 11, anchor="middle", bold=True, room=20)
    name = language.short_names[building.character]
    size = 12 if width_of(name, 12, bold=True) <= 110 else 10
    called = text_line(name, 27, 16, size, fill=paint.ink, bold=True, room=110)
    return symbols.symbol("header", paint) + letter + called


def _cost(cost: Goods, price: Goods) -> str:
    """Return the parchment with the price; amounts below those of the cost are highlighted."""
    parts = [box(4, 24, 132, 22, rx=3, fill="#f4e6c2", stroke=SHADE, stroke_width=0.8)]
    for number, good in enumerate(cost.kinds()):
        x = 7 + 32 * number
        if price[good] < cost[good]:
            parts.append(box(x - 2.5, 27, 13, 16, rx=3, fill=ACCENT))
        ink = WHITE if price[good] < cost[good] else INK
        parts.append(text_line(price[good], x, 40, 14, fill=ink, bold=True))
        parts.append(place(symbols.symbol(good), x + 20, 35, 0.9))
    return "".join(parts)


# Characters


def draw_character(
    character: Character,
    cards: CardSet = RECONSTRUCTION,
    rules: RuleSet = HANS_IM_GLUECK,
) -> Drawing:
    """Draw a character card with its effect in English, in German and in symbols.

    The letter and the number of cards depend on `cards`, and the colour of the Apprentice on
    `rules`.
    """
    need(character, Character, "a character")
    colour = colour_of(character, rules)
    paint = PAINTS[colour]
    effect, german_effect = (each.describe_effect(character) for each in (ENGLISH, GERMAN))
    letters = (each.letter for each in cards.buildings if each.character is character)
    letter = next(letters, None)
    count, foot = count_of(character, cards), CHARACTER_HEIGHT - 12
    text = wrapped(effect, CARD_WIDTH - 24, 12)
    text_de = wrapped(german_effect, CARD_WIDTH - 24, 11.5)
    below = 15 * len(text) + 6
    larger = (CHARACTER_HEIGHT - 232 - below - 14 * len(text_de)) * 0.6
    top = 212 + larger
    return drawing(
        CARD_WIDTH,
        CHARACTER_HEIGHT,
        f"{character.english} ({character.german}), {colour}",
        f"{effect} {german_effect}",
        box(1, 1, CARD_WIDTH - 2, CHARACTER_HEIGHT - 2, rx=10, fill=PAPER, stroke=INK),
        path("M1 11A10 10 0 0 1 11 1H213A10 10 0 0 1 223 11V72H1Z", fill=paint.ground),
        _badge(letter, paint),
        _names(character, paint),
        place(portrait(character, paint), CARD_WIDTH / 2, 118 + larger / 2, 1.08 + larger / 86),
        place(symbol_row(character, CARD_WIDTH - 24), CARD_WIDTH / 2, 183 + larger),
        lines(text, 12, top, 15, size=12),
        lines(text_de, 12, top + below, 14, size=11.5, italic=True, fill=FADED, lang="de"),
        text_line(f"{colour} · {GERMAN.form(colour)}", 12, foot, 11, fill=FADED),
        text_line(counted(count, "card"), CARD_WIDTH - 12, foot, 11, fill=FADED, anchor="end"),
    )


def colour_of(character: Character, rules: RuleSet) -> Colour:
    """Return the colour of a character's card.  The colour of the Apprentice depends on `rules`."""
    return rules.apprentice_colour if character is Character.APPRENTICE else character.colour


def _names(character: Character, paint: Paint) -> str:
    """Return a character's English and German name as text elements; long names are smaller."""
    room = CARD_WIDTH - 54
    size, german_size = (14.0, 11.5) if len(character.english) < 20 else (11.5, 9.5)
    names = wrapped(character.english, room, size, bold=True)
    names_de = wrapped(character.german, room, german_size)
    height = (size + 2) * len(names) + (german_size + 2) * len(names_de)
    top = 35 - height / 2 + size
    below = top + (size + 2) * len(names) - 1
    style = {"italic": True, "fill": paint.ink, "lang": "de"}
    return lines(names, 46, top, size + 2, size=size, bold=True, fill=paint.ink) + lines(
        names_de, 46, below, german_size + 2, size=german_size, **style
    )


def count_of(character: Character, cards: CardSet) -> int:
    """Return the number of a character's cards in decks, in the supply and on buildings."""
    decks = max(SITES) * STARTING_DECK.count(character)
    brought = sum(each.copies for each in cards.buildings if each.character is character)
    return decks + GENERAL_SUPPLY.count(character) + brought


def _badge(letter: str | None, paint: Paint) -> str:
    """Return a disc with the letter of a card, or with a cross for a card without a letter."""
    ground = disc(25, 35, 14, fill=WHITE, stroke=INK)
    if letter is None:
        return ground + place(symbols.cross(paint.ground), 25, 35)
    return ground + text_line(letter, 25, 41, 17, anchor="middle", bold=True)
