"""Directives that insert drawings of cards, boards and positions.

A figure is a drawing by `valletta_rules.svg` that is included in the page.  Its caption is the
content of the directive.  A wrong argument is reported with its file and line.

.. gallery:: characters green blue        the characters of some colours
.. gallery:: buildings yellow             the buildings of some colours
.. gallery:: card monk                    a character and its building
.. street-figure:: 2                      :rules: Z_MAN   :fewer-barrels:
.. display-figure:: 3                     :site: 6        :seed: 7
.. score-track-figure:: 0 7 25 61
.. position-figure:: 3                    :seed: 7   :moves: 180   :view: 1
.. anatomy:: building      or ``character``, or ``street``: a picture with numbers, and a list with
                           an explanation of each number
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs
from docutils import nodes
from docutils.parsers.rst.directives import flag, nonnegative_int, unchanged_required
from languages import GERMAN
from markup import NodeDirective, Written
from pictures import captioned, framed, gallery, image, note_code
from playable import try_it
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import valletta_rules as valletta
from valletta_rules import Character, Colour, GameState, position_line, svg
from valletta_rules.bots.automatic import choose
from valletta_rules.card_sets.files import RECONSTRUCTION_SHEET, Provenance, Sources
from valletta_rules.specification.clauses import EDITIONS
from valletta_rules.text.values import read_character
from valletta_rules.words import LANGUAGES, Language, joined

CARDS: Final = RECONSTRUCTION_SHEET.cards
"""The card set that the figures show."""

SOURCES: Final = dict(zip(CARDS.buildings, RECONSTRUCTION_SHEET.sources, strict=True))
"""For each building, the sources of the values printed on its cards."""

STATED: Final = Sources(*[Provenance.RULEBOOK] * len(attrs.fields(Sources)))
"""The sources of the values on starting characters' cards. A rulebook states all of them."""

EACH: Final = "cards/each"
"""The folder of the generated pages, one for each character."""

# Figures


class Figure(NodeDirective):
    """A directive for a drawing. The content of the directive is the caption."""

    option_spec: ClassVar[Any] = {
        **dict.fromkeys(("site", "seed", "moves", "view"), nonnegative_int),
        **{"rules": unchanged_required, "fewer-barrels": flag},
    }

    def build_nodes(self) -> list[nodes.Node]:
        """Return the figure in the page's language. A position also has a link to the game."""
        self.env.note_dependency(__file__)
        note_code(self.env)
        options = {name.replace("-", "_"): value for name, value in self.options.items()}
        language = LANGUAGES[self.code]
        picture = FIGURES[self.name](*self.arguments, language=language, **options)
        caption = self.parse_content_to_nodes() or [nodes.paragraph("", f"{picture.title}.")]
        figure = framed(picture, *caption)
        if self.name != "position-figure":
            return figure
        options.pop("view", None)
        state = game(whole(self.arguments[0]), **options)
        return [*figure, *try_it(self.env, "position", position_line(state))]


def whole(text: str) -> int:
    """Parse a whole number; raise `ValueError` for any other text."""
    if not text.strip().isdecimal():
        raise ValueError(f"expected a whole number, not {text!r}")
    return int(text)


def street(
    players: str,
    rules: str = "HANS_IM_GLUECK",
    fewer_barrels: object = False,
    *,
    language: Language,
) -> svg.Drawing:
    """Draw the street with its barrels for the given number of players."""
    if rules not in EDITIONS:
        raise ValueError(f"unknown rule set {rules!r}; known: {joined([*EDITIONS])}")
    chosen = EDITIONS[rules].with_variants(fewer_barrels=fewer_barrels is None)  # as of a flag
    valletta.new_game(whole(players), rules=chosen)  # refuses what cannot be played
    return svg.draw_street(whole(players), chosen, language=language)


def display(
    players: str, site: int | None = None, seed: int | None = None, *, language: Language
) -> svg.Drawing:
    """Draw the display for the given number of players; empty, unless a `seed` is given."""
    dealt = () if seed is None else game(whole(players), seed).display
    return svg.draw_display(whole(players), dealt, site=site, language=language)


def score_track(scores: str, *, language: Language) -> svg.Drawing:
    """Draw the score track with scoring figures at the given scores."""
    return svg.draw_score_track([whole(score) for score in scores.split()], language=language)


def position(
    players: str, *, view: int | None = None, language: Language, **dealt: int
) -> svg.Drawing:
    """Draw a position from a random game, or one seat's view of the position."""
    state = game(whole(players), **dealt)
    return svg.draw(state if view is None else valletta.view(state, view), language=language)


def game(players: int, seed: int = 1, moves: int = 0) -> GameState:
    """Return the position after the given number of moves in a random game."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    for _ in range(moves):
        if state.prompt is None:
            break
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return state


FIGURES: Final[Mapping[str, Callable[..., svg.Drawing]]] = {
    "street-figure": street,
    "display-figure": display,
    "score-track-figure": score_track,
    "position-figure": position,
}
"""The functions that draw figures, keyed by the name of the directive."""


# Galleries


class Gallery(Written):
    """A directive for the cards of one character, or for characters or buildings by colour."""

    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        """Return the gallery in the page's language."""
        self.env.note_dependency(__file__)
        kind, *named = self.arguments
        if kind == "card":
            label = "Die Karten" if self.is_german else "The cards"
            cards = [("", [side]) for side in self.sides(read_character(named[0]))]
            return [gallery(self.env, kind, label, cards)]
        if wrong := [name for name in named if name not in COLOURS[kind]]:
            known = joined([*COLOURS[kind]])
            raise self.error(f"{kind}: unknown colour {wrong[0]!r}; known: {known}")
        label = f"{joined([*named])} {kind}".capitalize()
        if self.is_german:
            colours = LANGUAGES["de"].table("card_colours")
            label = f"Karten: {', '.join(colours[Colour(name)] for name in named)}"
        part = slice(1) if kind == "characters" else slice(1, None)
        entries = [
            (f"{self.up}{GERMAN * self.is_german}{EACH}/{each}.html", sides)
            for each in Character
            if each.colour in named and (sides := self.sides(each)[part])
        ]
        return [gallery(self.env, kind, label, entries)]

    @property
    def is_german(self) -> bool:
        """Whether the page is in German."""
        return self.code == "de"

    def sides(self, character: Character) -> list[svg.Drawing]:
        """Draw the card of a character, and both sides of the buildings with that character."""
        language = LANGUAGES[self.code]
        buildings = [each for each in CARDS.buildings if each.character is character]
        card = svg.draw_character(character, CARDS)
        if self.is_german:
            card = svg.draw_card(character, language=language)
        sides = [(each, up) for each in buildings for up in (False, True)]
        return [card, *(svg.draw_building(b, upgraded=up, language=language) for b, up in sides)]


COLOURS: Final = {
    "characters": tuple(Colour),
    "buildings": (Colour.GREEN, Colour.BLUE, Colour.YELLOW),
}
"""The colours that a gallery accepts, for characters and for buildings."""


# Pictures with numbers in them

EXAMPLE_CHARACTER: Final = Character.BANKER
"""The character whose cards the annotated pictures show."""

Spots = Mapping[int, tuple[float, float]]
"""The coordinates of the numbers in an annotated picture, in units of the picture."""


def building(language: Language) -> list[tuple[svg.Drawing, Spots]]:
    """Draw both sides of a building. A number that is on both sides refers to the same feature."""
    card = next(each for each in CARDS.buildings if each.character is EXAMPLE_CHARACTER)
    front, back = (svg.draw_building(card, upgraded=up, language=language) for up in (False, True))
    return [
        (front, {1: (19, 40), 2: (216, 46), 3: (52, 143), 4: (216, 112), 5: (146, 96)}),
        (back, {3: (52, 143), 4: (216, 112), 6: (56, 56)}),
    ]


def character(language: Language) -> list[tuple[svg.Drawing, Spots]]:
    """Draw a character card, and return it with the coordinates of its numbers."""
    spots = {1: (110, 22), 2: (14, 88), 3: (112, 140), 4: (24, 150)}
    return [(svg.draw_card(EXAMPLE_CHARACTER, language=language), spots)]


def whole_street(language: Language) -> list[tuple[svg.Drawing, Spots]]:
    """Draw the street at the start of a game, and return it with the coordinates of its numbers."""
    spots = {1: (14, 50), 2: (99, 44), 3: (175, 104), 4: (220, 144), 5: (84, 122)}
    return [(svg.draw_street(language=language), spots)]


ANATOMIES: Final[Mapping[str, Callable[[Language], Sequence[tuple[svg.Drawing, Spots]]]]] = {
    "building": building,
    "character": character,
    "street": whole_street,
}
"""The functions that draw annotated pictures. Each returns drawings with the coordinates of their
numbers."""


class Anatomy(NodeDirective):
    """A directive for an annotated picture with a list that explains its numbers."""

    def build_nodes(self) -> list[nodes.Node]:
        """Return the annotated picture with its list; a wide picture can be scrolled."""
        note_code(self.env)
        self.env.note_dependency(__file__)
        pictures = ANATOMIES[self.arguments[0]](LANGUAGES[self.code])
        content = self.parse_content_to_nodes()
        marks = {number for _, spots in pictures for number in spots}
        items = [item for each in content for item in each.findall(nodes.list_item)]
        if marks != {*range(1, len(items) + 1)}:
            raise ValueError(
                f"the list must explain the numbers {sorted(marks)}, but has {len(items)} items"
            )
        drawn = "".join(self.marked(*each) for each in pictures)
        kind = f"anatomy {self.arguments[0]}"
        return captioned(
            f'<figure class="{kind}"><div class="pictures" tabindex="0">{drawn}</div>', content
        )

    def marked(self, picture: svg.Drawing, spots: Spots) -> str:
        """Return a picture as HTML, with its numbers on top of it."""
        numbers = "".join(
            f'<b aria-hidden="true" style="left:{x / picture.width:.2%};'
            f'top:{y / picture.height:.2%}">{number}</b>'
            for number, (x, y) in spots.items()
        )
        return f'<span style="width:{picture.width}px">{image(self.env, picture)}{numbers}</span>'


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives and their style sheet."""
    for name in FIGURES:
        app.add_directive(name, Figure)
    app.add_directive("anatomy", Anatomy)
    app.add_directive("gallery", Gallery)
    app.add_css_file("figures.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
