"""Cards, boards and positions, drawn by the library's own code.

A figure is a drawing of `valletta_rules.svg` in the page as it is, with the content of the
directive as its caption.  Galleries show pictures, followed by a table that says the same in words.
A wrong argument is an error with its file and line.

.. character-gallery:: green blue         the characters of some colours, or all of them
.. building-gallery:: yellow              the buildings of some colours, or all of them
.. provenance-legend::                    what the marks below the values mean
.. street-figure:: 2                      :rules: Z_MAN   :fewer-barrels:
.. display-figure:: 3                     :site: 6        :seed: 7
.. score-track-figure:: 0 7 25 61
.. position-figure:: 3                    :seed: 7   :moves: 180   :view: 1
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape as escape_html
from typing import Any, ClassVar, Final

import attrs
from docutils import nodes
from docutils.parsers.rst.directives import flag, nonnegative_int, unchanged_required
from languages import language_of
from markup import Written, broad_table, raw
from pictures import gallery, note_code
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

import valletta_rules as valletta
from valletta_rules import Character, Colour, GameState
from valletta_rules.bots.automatic import choose
from valletta_rules.card_sets.files import RECONSTRUCTION_SHEET, Provenance, Sources
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.specification.clauses import EDITIONS
from valletta_rules.svg import (
    Drawing,
    draw,
    draw_building,
    draw_character,
    draw_display,
    draw_provenance,
    draw_score_track,
    draw_street,
)
from valletta_rules.svg.cards import count_of
from valletta_rules.words import LANGUAGES, describe_effect, joined
from valletta_rules.words.language import Language

CARDS: Final = RECONSTRUCTION_SHEET.cards
"""The card set that is shown."""

SOURCES: Final = dict(zip(CARDS.buildings, RECONSTRUCTION_SHEET.sources, strict=True))
"""Where the values of each building come from."""

STATED: Final = Sources(*[Provenance.RULEBOOK] * len(attrs.fields(Sources)))
"""The starting characters, whose names and numbers the rulebook states."""

EACH: Final = "cards/each"
"""Where the pages of single characters are."""

COLUMNS: Final = {
    "characters": "Character 24 | Deutsch 24 | Letter 14 | Cards 14 | Effect 40 | Wirkung 40",
    "buildings": (
        "Building 14 | Character 24 | Cards 14 | Cost 24 | Upgrade 24 | Icon 14 | Points 14"
    ),
}
"""The columns of the tables, and how broad they are where that matters."""

ROLES: Final = [
    line
    for each in Provenance
    for line in (f".. role:: {each}", f"   :class: provenance {each}", "")
]
"""Small letters for where a value comes from."""


# Figures


class Figure(Written):
    """A directive that shows one drawing, its content being the caption."""

    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = {
        **dict.fromkeys(("site", "seed", "moves", "view"), nonnegative_int),
        **{"rules": unchanged_required, "fewer-barrels": flag},
    }

    def run(self) -> list[nodes.Node]:
        """Return the figure with its caption, or an error of this place in the page."""
        self.env.note_dependency(__file__)
        note_code(self.env)
        options = {name.replace("-", "_"): value for name, value in self.options.items()}
        try:
            picture = self.drawn(**options)
        except (TypeError, ValueError) as error:
            raise self.error(f"{self.name}: {error}") from None
        caption = self.parse_content_to_nodes() or [nodes.paragraph("", f"{picture.title}.")]
        return [
            raw(
                '<figure class="valletta-figure"><div class="valletta-scroll" tabindex="0"'
                f' role="group" aria-label="{escape_html(picture.title)}">{picture}</div>'
                "<figcaption>"
            ),
            *caption,
            raw("</figcaption></figure>"),
        ]

    def drawn(self, **options: object) -> Drawing:
        """Draw it, in the language of the page."""
        language = LANGUAGES[language_of(self.env.docname)]
        return FIGURES[self.name](*self.arguments, language=language, **options)


class Legend(Figure):
    """What the marks below the values mean: those that the card set has."""

    required_arguments = 0
    option_spec: ClassVar[Any] = {}

    def drawn(self, **_: object) -> Drawing:
        """Draw it; it stands on English pages alone."""
        tally = RECONSTRUCTION_SHEET.tally()
        return draw_provenance([each for each in Provenance if tally[each]])


def whole(text: str) -> int:
    """Return a whole number, or say that the text is none."""
    if not text.strip().isdecimal():
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def street(
    players: str,
    rules: str = "HANS_IM_GLUECK",
    fewer_barrels: object = False,
    *,
    language: Language,
) -> Drawing:
    """Draw the street with its barrels, for a number of players."""
    if rules not in EDITIONS:
        raise ValueError(f"there is no rule set {rules!r}; there are {joined([*EDITIONS])}")
    chosen = EDITIONS[rules].with_variants(fewer_barrels=fewer_barrels is None)  # as of a flag
    valletta.new_game(whole(players), rules=chosen)  # refuses what cannot be played
    return draw_street(whole(players), chosen, language=language)


def display(
    players: str, site: int | None = None, seed: int | None = None, *, language: Language
) -> Drawing:
    """Draw the display for a number of players, empty or as a seeded generator deals it."""
    dealt = () if seed is None else game(whole(players), seed, 0).display
    return draw_display(whole(players), dealt, site=site, language=language)


def score_track(scores: str, *, language: Language) -> Drawing:
    """Draw the score track with the figures of some scores."""
    return draw_score_track([whole(score) for score in scores.split()], language=language)


def position(
    players: str, seed: int = 1, moves: int = 0, view: int | None = None, *, language: Language
) -> Drawing:
    """Draw a position of a game between automatic players, or what a seat sees of it."""
    state = game(whole(players), seed, moves)
    return draw(state if view is None else valletta.view(state, view), language=language)


def game(players: int, seed: int, moves: int) -> GameState:
    """Return the position after some moves of automatic players."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    for _ in range(moves):
        if state.prompt is None:
            break
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return state


FIGURES: Final[Mapping[str, Callable[..., Drawing]]] = {
    "street-figure": street,
    "display-figure": display,
    "score-track-figure": score_track,
    "position-figure": position,
}
"""What draws for each directive."""


# Galleries

Shown = tuple[Character, Iterable[Drawing], Iterable[object]]
"""A card: who is on it, its sides, and its row in the table, in reStructuredText."""


class Gallery(Written):
    """A directive that shows all cards of some colours, and a table of them."""

    required_arguments, optional_arguments = 0, 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the cards and the table."""
        self.env.note_dependency(__file__)
        allowed, shown, kind = GALLERIES[self.name]
        named = self.arguments[0].split() if self.arguments else allowed
        if wrong := [name for name in named if name not in allowed]:
            known = joined([*allowed])
            raise self.error(f"{self.name}: there is no colour {wrong[0]!r}; there are {known}")
        cards = [*shown([Colour(name) for name in named])]
        label = f"{joined([*named])} {kind}".capitalize()
        rows = [[*row] for *_, row in cards]
        up = "../" * self.env.docname.count("/")
        shown_cards = ((f"{up}{EACH}/{who}.html", sides) for who, sides, _ in cards)
        return [
            gallery(self.env, kind, label, shown_cards),
            *self.written([*ROLES, *broad_table(COLUMNS[kind], rows, f"valletta-cards {kind}")]),
        ]


def cell(value: object, source: Provenance | None = None) -> str:
    """Write a cell; where a value comes from stands below it in small letters."""
    return escape(str(value)) + (mark(source) if source else "")


def mark(source: Provenance) -> str:
    """Write where a value comes from, below it in small letters."""
    return f"\n\n:{source}:`{source}`"


def page_of(character: Character, name: str, folder: str = "") -> str:
    """Refer to the page of a character, in a folder of the documentation, by what he is called."""
    return f":doc:`{name} </{folder}{EACH}/{character}>`"


def german(text: str) -> str:
    """Write a cell whose text is German."""
    return f".. rst-class:: language-de\n\n{escape(text)}"


def characters(colours: Sequence[Colour]) -> Iterator[Shown]:
    """Yield the characters of some colours."""
    for each in Character:
        if each.colour in colours:
            houses = [house for house in CARDS.buildings if house.character is each]
            sources = SOURCES[houses[0]] if each not in STARTING_CHARACTERS else STATED
            yield (
                each,
                [draw_character(each, CARDS, sources=sources)],
                (
                    f"{page_of(each, each.english)}{mark(sources.character)}",
                    german(each.german),
                    cell(houses[0].letter, sources.letter) if houses else "none",
                    cell(count_of(each, CARDS), sources.copies),
                    cell(describe_effect(each)),
                    german(LANGUAGES["de"].describe_effect(each)),
                ),
            )


def buildings(colours: Sequence[Colour]) -> Iterator[Shown]:
    """Yield the buildings of some colours, front and upgraded side."""
    for each, sources in SOURCES.items():
        if each.colour in colours:
            yield (
                each.character,
                [draw_building(each, upgraded=side, sources=sources) for side in (False, True)],
                (
                    cell(each.code, sources.letter),
                    f"{page_of(each.character, each.character.english)}{mark(sources.character)}",
                    cell(each.copies, sources.copies),
                    cell(each.cost, sources.cost),
                    cell(attrs.evolve(each.cost, gold=0), sources.cost),
                    cell(each.icon, sources.icon),
                    cell(f"{each.points}, {2 * each.points} upgraded", sources.points),
                ),
            )


GALLERIES: Final[
    Mapping[str, tuple[Sequence[Colour], Callable[[Sequence[Colour]], Iterator[Shown]], str]]
] = {
    "character-gallery": (tuple(Colour), characters, "characters"),
    "building-gallery": ((Colour.GREEN, Colour.BLUE, Colour.YELLOW), buildings, "buildings"),
}
"""For each gallery the colours that it can show, what yields its cards, and what they are."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and the style of what they show."""
    for name in FIGURES:
        app.add_directive(name, Figure)
    app.add_directive("provenance-legend", Legend)
    for name in GALLERIES:
        app.add_directive(name, Gallery)
    app.add_css_file("figures.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
