"""Cards, boards and positions, drawn by the library's own code.

Every directive puts a drawing of `valletta_rules.svg` into the page as it is, with its content as
the caption.  Galleries are followed by a table that says the same in words.  A wrong argument is an
error with its file and line.

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
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final

import attrs
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import valletta_rules as valletta
from valletta_rules import Building, Character, Colour, GameState, svg
from valletta_rules.bots.automatic import choose
from valletta_rules.card_sets.files import RECONSTRUCTION_SHEET, Provenance, Sources
from valletta_rules.clauses import EDITIONS
from valletta_rules.components.characters import STARTING_CHARACTERS
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
from valletta_rules.svg.texts import TEXTS
from valletta_rules.words import describe_effect, joined

CARDS: Final = RECONSTRUCTION_SHEET.cards
"""The card set that is shown."""

STATED: Final = Sources(*[Provenance.RULEBOOK] * len(attrs.fields(Sources)))
"""The starting characters, whose names and numbers the rulebook states."""


CHARACTER_COLUMNS: Final = {
    "Character": 24,
    "Deutsch": 24,
    "Letter": 14,
    "Cards": 14,
    "Effect": 40,
    "Wirkung": 40,
}
"""The columns of the table of characters, and how broad they are where that matters."""

GERMAN_COLUMNS: Final = {"Deutsch", "Wirkung"}
"""The columns whose texts are German."""

BUILDING_COLUMNS: Final = {
    "Building": 14,
    "Character": 24,
    "Cards": 14,
    "Cost": 24,
    "Upgrade": 24,
    "Icon": 14,
    "Points": 14,
}
"""The columns of the table of buildings, and how broad they are where that matters."""


class Drawn(SphinxDirective):
    """A directive that shows drawings; the page is made anew when the code that draws changes."""

    def note_code(self) -> None:
        """Say on which files the page depends."""
        for path in (Path(__file__), *Path(svg.__file__).parent.glob("*.py")):
            self.env.note_dependency(str(path))


class Figure(Drawn):
    """A directive that shows one drawing, its content being the caption."""

    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True
    has_content: ClassVar[bool] = True

    def drawing(self) -> Drawing:
        """Return the drawing; raise `ValueError` if an argument is wrong."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the figure with its caption, or an error of this place in the page."""
        self.note_code()
        try:
            picture = self.drawing()
        except ValueError as error:
            raise self.error(f"{self.name}: {error}") from None
        caption = self.parse_content_to_nodes() or [nodes.paragraph("", f"{picture.title}.")]
        return [
            raw(
                '<figure class="valletta-figure"><div class="valletta-scroll" tabindex="0"'
                f' role="group" aria-label="{escape(picture.title)}">{picture}</div><figcaption>'
            ),
            *caption,
            raw("</figcaption></figure>"),
        ]


def raw(html: str) -> nodes.raw:
    """Return HTML as it is; other builders leave it out."""
    return nodes.raw("", html, format="html")


def whole(text: str) -> int:
    """Return a whole number, or say that the text is none."""
    if not text.strip().isdecimal():
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


class ProvenanceLegend(Figure):
    """What the marks below the values mean: those that the card set has."""

    required_arguments: ClassVar[int] = 0

    def drawing(self) -> Drawing:
        """Draw the legend."""
        tally = RECONSTRUCTION_SHEET.tally()
        return draw_provenance([each for each in Provenance if tally[each]])


class StreetFigure(Figure):
    """The street with its barrels, for a number of players."""

    option_spec: ClassVar[Any] = {
        "rules": directives.unchanged_required,
        "fewer-barrels": directives.flag,
    }

    def drawing(self) -> Drawing:
        """Draw the street."""
        name = self.options.get("rules", "HANS_IM_GLUECK")
        if name not in EDITIONS:
            raise ValueError(f"there is no rule set {name!r}; there are {joined([*EDITIONS])}")
        rules = EDITIONS[name].with_variants(fewer_barrels="fewer-barrels" in self.options)
        players = whole(self.arguments[0])
        valletta.new_game(players, rules=rules)  # refuses what cannot be played
        return draw_street(players, rules)


class DisplayFigure(Figure):
    """The display for a number of players, empty or as a seeded generator deals it."""

    option_spec: ClassVar[Any] = {
        "site": directives.nonnegative_int,
        "seed": directives.nonnegative_int,
    }

    def drawing(self) -> Drawing:
        """Draw the display."""
        players = whole(self.arguments[0])
        display: tuple[Building, ...] = ()
        if "seed" in self.options:
            display = game(players, self.options["seed"], 0).display
        return draw_display(players, display, site=self.options.get("site"))


class ScoreTrackFigure(Figure):
    """The score track with the figures of some scores."""

    def drawing(self) -> Drawing:
        """Draw the score track."""
        return draw_score_track([whole(score) for score in self.arguments[0].split()])


class PositionFigure(Figure):
    """A position of a game between automatic players, or what a seat sees of it."""

    option_spec: ClassVar[Any] = {
        "seed": directives.nonnegative_int,
        "moves": directives.nonnegative_int,
        "view": directives.nonnegative_int,
    }

    def drawing(self) -> Drawing:
        """Draw the position."""
        seed, moves = self.options.get("seed", 1), self.options.get("moves", 0)
        state = game(whole(self.arguments[0]), seed, moves)
        if "view" in self.options:
            return draw(valletta.view(state, self.options["view"]))
        return draw(state)


def game(players: int, seed: int, moves: int) -> GameState:
    """Return the position after some moves of automatic players."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    for _ in range(moves):
        if state.prompt is None:
            break
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return state


class Gallery(Drawn):
    """A directive that shows all cards of some colours, and a table of them."""

    optional_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True

    def colours(self, allowed: Sequence[Colour]) -> list[Colour]:
        """Return the colours that are named, or all that are allowed."""
        self.note_code()
        named = self.arguments[0].split() if self.arguments else allowed
        if wrong := [name for name in named if name not in allowed]:
            known = joined([*allowed])
            raise self.error(f"{self.name}: there is no colour {wrong[0]!r}; there are {known}")
        return [Colour(name) for name in named]


def gallery(cards: Iterable[Sequence[Drawing]], label: str, kind: str) -> nodes.raw:
    """Return cards side by side, as a list; the sides of a card lie below each other."""
    items = "".join(f"<li>{''.join(map(str, sides))}</li>" for sides in cards)
    label = escape(label)
    return raw(f'<ul class="valletta-gallery {kind}" aria-label="{label}">{items}</ul>')


class CharacterGallery(Gallery):
    """The characters of some colours."""

    def run(self) -> list[nodes.Node]:
        """Return the cards and the table."""
        colours = self.colours(tuple(Colour))
        shown = [each for each in Character if each.colour in colours]
        label = f"{joined([each.value for each in colours])} characters".capitalize()
        cards = [[draw_character(each, CARDS, sources=sources_of(each))] for each in shown]
        rows = [character_row(each) for each in shown]
        return [gallery(cards, label, "characters"), table(CHARACTER_COLUMNS, rows, "characters")]


class BuildingGallery(Gallery):
    """The buildings of some colours, front and upgraded side."""

    def run(self) -> list[nodes.Node]:
        """Return the cards and the table."""
        colours = self.colours((Colour.GREEN, Colour.BLUE, Colour.YELLOW))
        shown = [
            (building, sources)
            for building, sources in zip(CARDS.buildings, RECONSTRUCTION_SHEET.sources, strict=True)
            if building.colour in colours
        ]
        label = f"{joined([each.value for each in colours])} buildings".capitalize()
        cards = [
            [
                draw_building(building, upgraded=upgraded, sources=sources)
                for upgraded in (False, True)
            ]
            for building, sources in shown
        ]
        rows = [building_row(*each) for each in shown]
        return [gallery(cards, label, "buildings"), table(BUILDING_COLUMNS, rows, "buildings")]


def sources_of(character: Character) -> Sources:
    """Return where the values of a character come from: those of its building."""
    if character in STARTING_CHARACTERS:
        return STATED
    pairs = zip(CARDS.buildings, RECONSTRUCTION_SHEET.sources, strict=True)
    return next(sources for building, sources in pairs if building.character is character)


# Tables

Cell = tuple[object, Provenance | None]
"""What a cell says, and where it comes from if that is to be told."""


def character_row(character: Character) -> list[Cell]:
    """Return the row of a character."""
    sources, text = sources_of(character), TEXTS[character]
    buildings = [each for each in CARDS.buildings if each.character is character]
    letter: Cell = (buildings[0].letter, sources.letter) if buildings else ("none", None)
    return [
        (character.english, sources.character),
        (character.german, None),
        letter,
        (count_of(character, CARDS), sources.copies),
        (describe_effect(character), None),
        (text.german, None),
    ]


def building_row(building: Building, sources: Sources) -> list[Cell]:
    """Return the row of a building."""
    upgrade = attrs.evolve(building.cost, gold=0)
    points = f"{building.points}, {2 * building.points} upgraded"
    return [
        (building.code, sources.letter),
        (building.character.english, sources.character),
        (building.copies, sources.copies),
        (building.cost, sources.cost),
        (upgrade, sources.cost),
        (building.icon, sources.icon),
        (points, sources.points),
    ]


def table(columns: Mapping[str, int], rows: Iterable[Sequence[Cell]], kind: str) -> nodes.table:
    """Return a table with a row of headings."""
    group = nodes.tgroup(cols=len(columns))
    group += [nodes.colspec(colwidth=width) for width in columns.values()]
    head, body = nodes.thead(), nodes.tbody()
    head += line([(heading, None) for heading in columns], columns)
    body += [line(row, columns) for row in rows]
    group += [head, body]
    return nodes.table("", group, classes=["valletta-cards", kind])


def line(cells: Iterable[Cell], columns: Iterable[str]) -> nodes.row:
    """Return a row of a table; where a value comes from stands below it in small letters."""
    row = nodes.row()
    for (value, source), column in zip(cells, columns, strict=True):
        language = ["language-de"] if column in GERMAN_COLUMNS else []
        entry = nodes.entry("", nodes.paragraph("", str(value), classes=language))
        if source is not None:
            origin = nodes.inline("", source.value, classes=["provenance", source.value])
            entry += nodes.paragraph("", "", origin)
        row += entry
    return row


DIRECTIVES: Final[dict[str, type[SphinxDirective]]] = {
    "character-gallery": CharacterGallery,
    "building-gallery": BuildingGallery,
    "provenance-legend": ProvenanceLegend,
    "street-figure": StreetFigure,
    "display-figure": DisplayFigure,
    "score-track-figure": ScoreTrackFigure,
    "position-figure": PositionFigure,
}
"""The directives by their names."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and the style of what they show."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_css_file("figures.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
