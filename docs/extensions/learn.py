"""The book for players: sentences with their clauses, characters, examples, boxes, pictures.

The book is docs/learn/, and in German docs/de/learn/.  Each of its sentences stands in a line of
its own and ends in the clauses that it follows:

    You cannot pass. :by:`TRN-4`

.. characters:: trader           what characters do, beside their cards; several share a text
.. shown:: BLD-6/two-neighbours  a worked example of a clause, with the table where it matters
.. differs:: effects             a ruling's answers, edition by edition
.. variant:: Fewer barrels       what a variant changes
.. table-picture::               the table before the first turn, or :moves: of :players: later
.. track-picture:: 7 26          figures on the score track
.. scene:: maid                  a scene of docs/learn/first_turn.toml
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst.directives import nonnegative_int
from figures import EACH, game, whole
from languages import GERMAN, PHRASES, REFERS, language_of
from markup import Written, listed
from pictures import around, composed, figure, image, sites_of
from references import all_rulings, differs, grouped
from scenes import FILE, Shown, scenes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from valletta_rules import GameState
from valletta_rules.components.display import ROW_LENGTH
from valletta_rules.specification.clauses import explain
from valletta_rules.specification.worked_examples import Worked, work
from valletta_rules.svg import SEAT_COLOURS, draw_card, draw_parts, draw_score_track
from valletta_rules.svg.parts import table_parts
from valletta_rules.svg.scene import scene_of
from valletta_rules.text.values import read_character
from valletta_rules.words import LANGUAGES
from valletta_rules.words.language import Language


class By(SphinxRole):
    """The clauses that a sentence follows, as small marks behind it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return a link for each clause."""
        marks = nodes.inline("", "", classes=["by"])
        kind = REFERS[language_of(self.env.docname)][0]
        for number, clause in enumerate(self.text.split()):
            marks += nodes.Text(" " * bool(number))
            link = pending_xref("", nodes.inline("", clause), refdomain="std", reftype=kind)
            link.update_all_atts(
                {
                    "refdoc": self.env.docname,
                    "reftarget": clause,
                    "refexplicit": True,
                    "refwarn": True,
                }
            )
            link.source, link.line = self.get_source_info()
            marks += link
        return [marks], []


class Page(Written):
    """A directive of the book."""

    has_content = True
    final_argument_whitespace = True

    @abstractmethod
    def made(self) -> list[nodes.Node]:
        """Return what stands in the page; raise `LookupError` or `ValueError` if it cannot."""

    def run(self) -> list[nodes.Node]:
        """Return what stands in the page, or an error of this place in it."""
        try:
            return self.made()
        except (LookupError, ValueError) as error:
            raise self.error(f"{self.name}: {error}") from None

    @property
    def code(self) -> str:
        """The language of the page, by its code."""
        return language_of(self.env.docname)

    @property
    def language(self) -> Language:
        """The language of the page."""
        return LANGUAGES[self.code]

    def says(self, phrase: str) -> str:
        """Return a phrase in the language of the page."""
        return PHRASES["learn"][self.code][phrase]

    def boxed(self, kind: str, title: str, inner: Iterable[nodes.Node]) -> list[nodes.Node]:
        """Return a box with a title, whose markup is parsed."""
        head = nodes.paragraph("", "", *self.parse_inline(title)[0], classes=["box-title"])
        return [nodes.container("", head, *inner, classes=["box", kind])]


class Characters(Page):
    """Characters with their cards, and what they do."""

    def made(self) -> list[nodes.Node]:
        """Return the cards and the text beside them."""
        chosen = [read_character(name) for name in self.arguments[0].split()]
        full = {each: each.german if self.code == "de" else each.english for each in chosen}
        home = f"{GERMAN if self.code == 'de' else ''}{EACH}"
        up = "../" * self.env.docname.count("/")
        cards = "".join(
            f'<a href="{up}{home}/{each}.html">'
            f"{image(self.env, draw_card(each, language=self.language), full[each])}</a>"
            for each in chosen
        )
        names = full if len(chosen) == 1 else {c: self.language.short_names[c] for c in chosen}
        links = ", ".join(f":doc:`{name} </{home}/{each}>`" for each, name in names.items())
        title = nodes.paragraph("", "", *self.parse_inline(links)[0], classes=["box-title"])
        title["ids"] = [f"card-{each.value.replace('_', '-')}" for each in chosen]
        text = nodes.container("", title, *self.parse_content_to_nodes(), classes=["told"])
        shown = nodes.container("", *figure(cards), classes=["cards"])
        return [nodes.container("", shown, text, classes=["learn-characters"])]


class ExampleBox(Page):
    """A worked example of a clause."""

    def made(self) -> list[nodes.Node]:
        """Return what it says, and the table where houses stand."""
        clause, _, name = self.arguments[0].partition("/")
        examples = {each.id: each for each in explain(clause).examples}
        if name not in examples:
            raise ValueError(f"{clause} has no example {name!r}")
        [says] = [each.says for each in explain(clause, self.code).examples if each.id == name]
        told = self.written([f"{escape(says)} :by:`{clause}`"])
        return self.boxed(
            "worked", self.says("example"), [*told, *self.picture(work(examples[name]))]
        )

    def picture(self, worked: Worked) -> Iterator[nodes.Node]:
        """Return the sites of an example and the street between them, if it names any."""
        if not (sites := sites_of(worked)):
            return
        scene = scene_of(
            worked.after,
            names=None,
            colours=SEAT_COLOURS,
            language=self.language,
            highlight=worked.actions[-1:],
        )
        parts = [*table_parts(scene, 0, sites)]
        chosen = [part for part in parts if part.key in {f"site-{site}" for site in sites}]
        frame = around(chosen)
        street = next(part for part in parts if part.key == "street")
        top = min(frame.y, street.y)
        bottom = max(frame.y + frame.height, street.y + street.height)
        frame = frame._replace(y=top, height=bottom - top)
        yield from figure(composed(self.env, parts, frame, " ".join(p.title for p in chosen)))


class Differs(Page):
    """The answers of a ruling, edition by edition."""

    has_content = False

    def made(self) -> list[nodes.Node]:
        """Return a box with the question and its answers."""
        asked = {each.id: each for each in all_rulings(self.code) if differs(each)}
        if self.arguments[0] not in asked:
            raise ValueError(f"editions differ on no question {self.arguments[0]!r}")
        found = asked[self.arguments[0]]
        told = [each for each in found.clauses if explain(each).when.answers]
        marks = " ".join(each for each in told if explain(each).kind in ("rule", "exception"))
        role = REFERS[self.code][1]
        title = f"{self.says('differs')}: :{role}:`{escape(found.question)} <{found.id}>`"
        together = f" {self.says('and')} "
        lines = listed(
            f"**{together.join(editions)}:** {escape(answer)}"
            for answer, editions in grouped(found).items()
        )
        return self.boxed("differs", f"{title} :by:`{marks}`", self.written(lines))


class Variant(Page):
    """What a variant changes."""

    def made(self) -> list[nodes.Node]:
        """Return a box."""
        title = f"{self.says('variant')}: {self.arguments[0]}"
        return self.boxed("differs", title, self.parse_content_to_nodes())


class ScenePicture(Page):
    """A scene of the first turn: what is played is replayed, and its pictures are drawn."""

    def made(self) -> list[nodes.Node]:
        """Return the pictures."""
        if self.arguments[0] not in scenes():
            raise ValueError(f"{FILE} has no scene {self.arguments[0]!r}")
        shown = scenes()[self.arguments[0]]
        pictures = "".join(PICTURES[name](self, shown) for name in shown.show)
        return figure(pictures, *self.parse_content_to_nodes(), kind="scene")

    def parts(self, shown: Shown) -> dict[str, Any]:
        """Draw the position of a scene, part by part."""
        return draw_parts(shown.state, language=self.language, highlight=shown.picked)

    def board(self, shown: Shown) -> str:
        """Return the whole table."""
        return table_of(self, shown.state)

    def corner(self, shown: Shown) -> str:
        """Return the first two columns of the display, and the street between them."""
        parts = self.parts(shown)
        sites = [parts[f"site-{row * ROW_LENGTH + place}"] for row in range(4) for place in (0, 1)]
        street, columns = around([parts["street"]]), around(sites)
        frame = columns._replace(x=street.x, width=columns.x + columns.width - street.x)
        table = [*sites, parts["street"], parts["score-track"]]
        return composed(self.env, table, frame, " ".join(site.title for site in sites))

    def street(self, shown: Shown) -> str:
        """Return the street with Valette."""
        parts = self.parts(shown)
        street = parts["street"]
        return composed(self.env, [street, parts["score-track"]], around([street]), street.title)

    def panel(self, shown: Shown) -> str:
        """Return what Red has in front of him."""
        return image(self.env, self.parts(shown)["player-0"].alone())

    def hand(self, shown: Shown) -> str:
        """Return the cards in Red's hand."""
        cards = (image(self.env, draw_card(c, language=self.language)) for c in shown.hand)
        opening = f'<div class="hand" role="group" aria-label="{self.says("hand")}">'
        return f"{opening}{''.join(cards)}</div>"


PICTURES: Final = MappingProxyType(
    {name: getattr(ScenePicture, name) for name in ("board", "corner", "street", "panel", "hand")}
)
"""What a scene can show."""


def table_of(page: Page, state: GameState) -> str:
    """Return the street and the display of a position, whole."""
    parts = draw_parts(state, language=page.language)
    table = [p for key, p in parts.items() if key.startswith(("site-", "street", "score-track"))]
    says = " ".join(part.title for part in table)
    return composed(page.env, table, around(table), says)


class TablePicture(Page):
    """The table before the first turn, or in a game between automatic players."""

    required_arguments = 0

    option_spec: ClassVar[Any] = dict.fromkeys(("players", "seed", "moves"), nonnegative_int)

    def made(self) -> list[nodes.Node]:
        """Return the picture with its caption."""
        asked = {"players": 2, "seed": 1, "moves": 0} | self.options
        state = game(**asked) if self.options else scenes()["table"].state
        return figure(table_of(self, state), *self.parse_content_to_nodes())


class TrackPicture(Page):
    """Figures on the score track."""

    def made(self) -> list[nodes.Node]:
        """Return the picture with its caption."""
        scores = [whole(score) for score in self.arguments[0].split()]
        drawn = draw_score_track(scores, language=self.language)
        html = f'<div class="composed-scroll broad">{image(self.env, drawn)}</div>'
        return figure(html, *self.parse_content_to_nodes())


DIRECTIVES: Final = MappingProxyType(
    {
        "characters": Characters,
        "shown": ExampleBox,
        "differs": Differs,
        "variant": Variant,
        "scene": ScenePicture,
        "table-picture": TablePicture,
        "track-picture": TrackPicture,
    }
)
"""What the book is made of besides sentences."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the role and the directives."""
    for needed in ("rulebook", "cards"):
        app.setup_extension(needed)
    app.add_role("by", By())
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_css_file("learn.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
