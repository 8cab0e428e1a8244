"""Directives and roles for the book for players.

The book is in docs/learn/, and in German in docs/de/learn/.  Each sentence of the book is on its
own line, and ends with the clauses that support it:

    You cannot pass. :by:`TRN-4`

.. characters:: trader           the cards of some characters, with a text about them
.. other-characters:: blue       the other characters of a colour, with their effects
.. example-picture:: BLD-6/two-neighbours     the street and the sites of a worked example
.. table-picture::               the table in a random game, by :seed:, :moves: and :players:,
                                 or in a :position:, given as a position line
.. scene:: maid                  the pictures of a scene in docs/learn/first_turn.toml
"""

import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from cards import own_clauses
from docutils import nodes
from docutils.parsers.rst.directives import nonnegative_int
from figures import EACH, game
from languages import GERMAN, PHRASES, REFERS, language_of
from markup import ROOT, NodeDirective
from pictures import figure, image, sites_of, table_of
from playable import try_it
from references import Support, place_of, support
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.typing import ExtensionMetadata
from worked import try_example

import valletta_rules as valletta
from valletta_rules import Action, CardBag, Character, GameState, explain, position_line
from valletta_rules.components import CHARACTERS, ROW_LENGTH
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.svg import draw_card, draw_parts
from valletta_rules.text.values import read_character, write_bag, write_goods
from valletta_rules.words import LANGUAGES, Language


class By(SphinxRole):
    """A role that lists the clauses that support a sentence, as small links."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return links to the clauses and to the rulings that decide them."""
        language = language_of(self.env.docname)
        role, ruling_role = REFERS[language]
        clauses = self.text.split()
        text = " ".join(f":{role}:`{clause}`" for clause in clauses)
        for ruling in rulings_behind(clauses):
            text += f" :{ruling_role}:`{PHRASES['learn'][language]['decided']} <{ruling}>`"
        marks = nodes.inline("", "", classes=["by"])
        memo: Any = self.inliner
        links, messages = self.inliner.parse(text, self.lineno, memo, marks)
        for link in (each for each in links if isinstance(each, nodes.Element)):
            clause = link.get("clause")
            kind = support(clause) if clause else Support.DECIDED
            marks += nodes.inline("", "", link, classes=[kind])
            marks += nodes.Text(" ")
        return [marks], messages


def rulings_behind(clauses: Iterable[str]) -> list[str]:
    """Return the rulings that decide those of the clauses that no rulebook states."""
    decided = (explain(each).rulings for each in clauses if support(each) is Support.DECIDED)
    return [*dict.fromkeys(ruling.id for rulings in decided for ruling in rulings)]


# The first turn

FILE: Final = "docs/learn/first_turn.toml"
"""The file that contains the moves of the first turn and the pictures for each scene."""


class Scene(NamedTuple):
    """A scene of the first turn, which consists of some moves and pictures."""

    state: GameState
    """The position after the moves of the scene."""
    hand: CardBag
    """The cards in Red's hand after the moves."""
    show: tuple[str, ...]
    """The names of the pictures that the scene shows."""
    picked: tuple[Action, ...]
    """The legal actions that the pictures highlight."""


@cache
def scenes() -> Mapping[str, Scene]:
    """Replay the first turn; raise `ValueError` if a position differs from that in the file."""
    data = tomllib.loads((ROOT / FILE).read_text("utf-8"))
    state = valletta.resolve_chance(valletta.new_game(data["players"]), random.Random(data["seed"]))
    by_id = {}
    for scene in data["scene"]:
        for text in scene.get("play", ()):
            state = valletta.apply(state, valletta.parse_action(state, text))
        red = state.players[0]
        reached = {
            "goods": write_goods(red.goods, " "),
            "points": red.score,
            "hand": write_bag(red.hand).replace(",", ", "),
        }
        for key, value in reached.items():
            if scene.get(key, value) != value:
                raise ValueError(f"{FILE}: {scene['id']}: expected {key} {scene[key]}, not {value}")
        picked = tuple(valletta.legal_actions(state)) if scene.get("pick") else ()
        by_id[scene["id"]] = Scene(state, red.hand, tuple(scene["show"]), picked)
    return by_id


# Pictures


class Page(NodeDirective):
    """The base class of the directives for the players' book."""

    @property
    def language(self) -> Language:
        """The language of the page."""
        return LANGUAGES[self.code]

    def table(self, state: GameState, keys: Iterable[str] = (), *picked: Action) -> str:
        """Draw the table in a position, or only the parts with the given `keys`."""
        return table_of(self.env, draw_parts(state, language=self.language, highlight=picked), keys)


class Characters(Page):
    """A directive for the cards of characters, with a text about them."""

    def build_nodes(self) -> list[nodes.Node]:
        """Return a box with the cards and the content of the directive."""
        chosen = [read_character(name) for name in self.arguments[0].split()]
        return [self.box(chosen, self.parse_content_to_nodes())]

    def box(self, chosen: Sequence[Character], text: Iterable[nodes.Node]) -> nodes.Node:
        """Return a box with a text and the cards of the given characters."""
        full = {each: each.german if self.code == "de" else each.english for each in chosen}
        home = f"{GERMAN if self.code == 'de' else ''}{EACH}"
        cards = "".join(
            f'<a href="{self.up}{home}/{each}.html">'
            f"{image(self.env, draw_card(each, language=self.language), full[each])}</a>"
            for each in chosen
        )
        names = full if len(chosen) == 1 else {c: self.language.short_names[c] for c in chosen}
        links = ", ".join(f":doc:`{name} </{home}/{each}>`" for each, name in names.items())
        title = nodes.paragraph("", "", *self.parse_inline(links)[0], classes=["box-title"])
        title["ids"] = [f"card-{each.value.replace('_', '-')}" for each in chosen]
        description = nodes.container("", title, *text, classes=["told"])
        pictures = nodes.container("", *figure(cards), classes=["cards"])
        return nodes.container("", pictures, description, classes=["learn-characters"])


class OtherCharacters(Characters):
    """A directive for those characters of a colour that have no box of their own on the page."""

    has_content = False

    def build_nodes(self) -> list[nodes.Node]:
        """Return a box for each character."""
        page = Path(self.env.doc2path(self.env.docname)).read_text("utf-8")
        return [
            self.box([each], self.parse_text_to_nodes(f"{effect} :by:`{' '.join(clauses)}`"))
            for each, effect, clauses in other_characters(page, self.arguments[0], self.language)
        ]


def other_characters(
    page: str, colour: str, language: Language
) -> Iterator[tuple[Character, str, list[str]]]:
    """Yield the characters of a colour that have no box of their own, with effects and clauses."""
    boxed = {name for names in BOXES.findall(page) for name in names.split()}
    for each in CHARACTERS:
        if each.colour == colour and each not in boxed:
            named = (c for c in own_clauses(each) if c.kind in ("rule", "exception"))
            stem = [c.id for c in named if Path(place_of(c.id).path).stem == colour]
            yield each, language.describe_effect(each), stem


BOXES: Final = re.compile(r"^\.\. characters:: (.+)$", re.MULTILINE)
"""A pattern that matches the directive `characters` in the source of a page."""


class ExamplePicture(Page):
    """A directive for a picture of the street and the sites in a worked example."""

    has_content = False

    def build_nodes(self) -> list[nodes.Node]:
        """Return a picture of the street and the example's sites, and a link to the game."""
        worked = work(example_named(self.arguments[0]))
        sites = [f"site-{site}" for site in sorted(sites_of(worked))]
        result = figure(self.table(worked.after, sites, *worked.actions[-1:])) if sites else []
        return [*result, *try_example(self.env, worked)]


class ScenePicture(Page):
    """A directive for the pictures of a scene in the first turn."""

    def build_nodes(self) -> list[nodes.Node]:
        """Return the pictures of the scene."""
        if self.arguments[0] not in scenes():
            raise ValueError(f"{FILE}: unknown scene {self.arguments[0]!r}")
        scene = scenes()[self.arguments[0]]
        pictures = "".join(self.drawn(name, scene) for name in scene.show)
        result = figure(pictures, *self.parse_content_to_nodes(), kind="scene")
        return [*result, *try_it(self.env, "position", position_line(scene.state))]

    def drawn(self, name: str, scene: Scene) -> str:
        """Draw one picture of a scene: the table, a part of it, Red's hand or Red's board."""
        match name:
            case "hand":
                cards = (image(self.env, draw_card(c, language=self.language)) for c in scene.hand)
                label = PHRASES["learn"][self.code]["hand"]
                return f'<div class="hand" role="group" aria-label="{label}">{"".join(cards)}</div>'
            case "panel":
                parts = draw_parts(scene.state, language=self.language, highlight=scene.picked)
                return image(self.env, parts["player-0"].alone())
            case _:
                return self.table(scene.state, VISIBLE_PARTS[name], *scene.picked)


VISIBLE_PARTS: Final[Mapping[str, Sequence[str]]] = {
    "board": (),
    "corner": [f"site-{row * ROW_LENGTH + place}" for row in range(4) for place in (0, 1)],
    "street": ["street"],
}
"""For each picture, the keys of the visible parts of the table. An empty list means the whole
table."""


class TablePicture(Page):
    """A directive for a picture of the table in a random game or in a given position."""

    required_arguments = 0
    option_spec: ClassVar[Any] = dict.fromkeys(("players", "seed", "moves"), nonnegative_int)
    option_spec["position"] = valletta.parse_position_line

    def build_nodes(self) -> list[nodes.Node]:
        """Return the picture of the table with its caption."""
        state = self.options.get("position") or game(**{"players": 2} | self.options)
        result = figure(self.table(state), *self.parse_content_to_nodes())
        return [*result, *try_it(self.env, "position", position_line(state))]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the role, the directives and their style sheet."""
    for needed in ("rulebook", "cards"):
        app.setup_extension(needed)
    app.add_role("by", By())
    app.add_directive("characters", Characters)
    app.add_directive("other-characters", OtherCharacters)
    app.add_directive("example-picture", ExamplePicture)
    app.add_directive("scene", ScenePicture)
    app.add_directive("table-picture", TablePicture)
    app.add_css_file("learn.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
