"""Worked examples as parts of a page that unfold: what is given, what is played, what follows.

Where houses stand or Valette moves, the table is drawn before and after; the drawings are files of
their own, which a browser loads when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape as escape_html
from pathlib import Path
from typing import Final

from docutils import nodes
from markup import Written, details, details_summary, listed
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from valletta_rules import Build, Upgrade
from valletta_rules.clauses import explain
from valletta_rules.svg import Drawing, draw_table
from valletta_rules.text.values import read_bag, read_character
from valletta_rules.words import (
    SHORT_NAMES,
    describe_action,
    describe_cards,
    describe_prompt,
    describe_violation,
)
from valletta_rules.worked_examples import SEAT, Worked, work

# What is told

LABELS: Final[Mapping[str, str]] = {
    "hand": "hand",
    "draw": "draw pile",
    "discard": "discard pile",
    "goods": "goods",
    "built": "houses on sites",
    "upgraded": "upgraded on sites",
    "score": "points",
    "rules": "rules",
    "players": "players",
    "phase": "phase",
    "active": "on turn",
    "played": "played this turn",
    "plays": "cards to play",
    "dealt": "buildings dealt",
    "valette": "Valette on space",
    "barrels": "barrels left",
    "supply": "characters for hire",
    "winners": "won by",
    "legal": "legal",
    "may": "legal, among others",
    "cannot": "not legal",
}
"""What is written for a key."""

CARDS: Final = frozenset({"hand", "draw", "discard", "played", "supply", "cards"})
"""The keys of which cards are said."""

NOTED: Final = frozenset({"legal", "may", "cannot", "asked"})
"""The keys of which something is said in notation."""


def told(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Write what is said by key, what is said of a seat together."""
    seats: dict[str, list[str]] = {}
    others = []
    for key, text in lines:
        first, _, rest = key.partition(".")
        if rest in SEAT:
            seats.setdefault(first, []).append(f"{LABELS[rest]} {said(rest, text)}")
        elif first == "sites":
            others.append(f"Site {rest}: {SHORT_NAMES[read_character(text)]}'s building")
        elif first == "odds":
            others.append(f"``{rest}`` has a chance of {text}")
        elif first == "final":
            others.append(f"{rest.capitalize()} ends with {text} points")
        else:
            others.append(f"{LABELS.get(key, key.replace('_', ' '))}: {said(key, text)}")
    yield from (f"{seat.capitalize()}: {'; '.join(parts)}" for seat, parts in seats.items())
    yield from others


def said(key: str, text: str) -> str:
    """Write what is said of a key."""
    if key in NOTED:
        return ", ".join(f"``{each}``" for each in text.split(", "))
    if key in CARDS and text not in ("-", "hidden"):
        return describe_cards(read_bag(text.replace(", ", ",")))
    return "none" if text == "-" else escape(text)


def played(worked: Worked) -> Iterator[str]:
    """Write what is played, in notation and in words."""
    for text, (state, action) in zip(worked.example.play, worked.steps(), strict=True):
        yield f"``{text}``: {escape(describe_action(state, action))}"


def follows(worked: Worked) -> Iterator[str]:
    """Write what follows."""
    if worked.violation is not None:
        said = escape(describe_violation(worked.violation))
        yield f"Refused: {said} (``{worked.violation.code}``)"
    then = [(key, text) for key, text in worked.example.then if key != "asked"]
    yield from told(then)
    if len(then) < len(worked.example.then):
        over = worked.after.prompt is None
        yield "The game is over" if over else escape(describe_prompt(worked.after))


def lines_of(worked: Worked) -> Iterator[str]:
    """Write an example, its sentence in German first."""
    example = worked.example
    german = explain(example.clause, "de").examples
    [said] = [each.says for each in german if each.id == example.id]
    yield from (".. rst-class:: german language-de", "", escape(said), "")
    for heading, items in (
        ("Given", [*told(example.given)]),
        ("Played", [*played(worked)]),
        ("Asked", [example.ask] if example.ask else []),
        ("Then", [*follows(worked)]),
    ):
        if items:
            yield from (f":{heading}:", *(f"   {line}" for line in listed(items)))


# What is drawn


def drawings(worked: Worked) -> Iterator[tuple[str, Drawing]]:
    """Draw the table of an example before and after, if there is something to be seen on it."""
    given = {int(key.partition(".")[2]) for key, _ in worked.example.given if key[:6] == "sites."}
    chosen = {each.site for each in worked.actions if isinstance(each, Build | Upgrade)}
    built = {site for player in worked.after.players for site in player.built}
    before, after = (
        draw_table(state, sites=given | chosen | built) for state in (worked.before, worked.after)
    )
    if chosen or built or worked.before.valette != worked.after.valette:
        yield "before", before
        if without_words(before) != without_words(after):
            yield "after", after


def without_words(drawing: Drawing) -> str:
    """Return what is seen of a drawing."""
    return drawing.svg.partition("</desc>")[2]


class Examples(Written):
    """`.. worked-examples:: BLD-6`: the examples of a clause, each unfolding."""

    def run(self) -> list[nodes.Node]:
        """Return a part of the page for each example."""
        self.env.note_dependency(__file__)
        try:
            examples = explain(self.arguments[0]).examples
        except (LookupError, OSError, ValueError):
            return []  # files that cannot be read, and clauses that are not there, are reported
        return [self.example(work(each)) for each in examples]

    def example(self, worked: Worked) -> nodes.Node:
        """Return an example."""
        said = nodes.paragraph("", worked.example.says)
        summary = details_summary("", "Example: ", *said.children)
        inner = self.written(lines_of(worked))
        pictures = [self.picture(worked, *each) for each in drawings(worked)]
        return details("", summary, *inner, *pictures, classes=["example"])

    def picture(self, worked: Worked, when: str, drawing: Drawing) -> nodes.Node:
        """Return a drawing as a file of its own, which is loaded when it is looked at."""
        name = f"{worked.example}-{when}.svg".replace("/", "-").lower()
        folder = Path(self.env.app.outdir) / "_images" / "examples"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(drawing.svg, encoding="utf-8")
        up = "../" * self.env.docname.count("/")
        said = escape_html(f"{when.capitalize()}: {drawing.description}")
        return nodes.raw(
            "",
            f'<figure class="example"><figcaption>{when.capitalize()}</figcaption>'
            f'<img src="{up}_images/examples/{name}" alt="{said}" loading="lazy"'
            f' width="{drawing.width}" height="{drawing.height}"></figure>',
            format="html",
        )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.setup_extension("markup")
    app.add_directive("worked-examples", Examples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
