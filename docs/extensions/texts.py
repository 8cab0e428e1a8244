"""The register of sentences: a page for each text, and figures of all of them.

`.. sentences:: 000` writes what a text says, section by section; the role `sentence` links to a
sentence there.  Templates count the sentences of all texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from docutils import nodes
from evidence import repository
from markup import ROOT, counted, documentation, table_of
from references import IS, LABELS, rule, ruling, sentence
from rulebook import Reader
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from templated import offer

from spec.register import TEXTS
from valletta_rules.specification.files import Sentence, Text
from valletta_rules.specification.sources import Relation

logger = logging.getLogger(__name__)

LANGUAGES = {"en": "English", "de": "German"}


class Sentences(Reader):
    """`.. sentences:: 000`: what a text says, sentence by sentence, and the clauses behind it."""

    def run(self) -> list[nodes.Node]:
        """Return what the text is, and a section for each of its sections."""
        found = [text for text in repository().texts if text.id == self.arguments[0]]
        if not found:
            raise self.error(f"there is no register of a text {self.arguments[0]!r}")
        [text] = found
        self.env.note_dependency(ROOT / f"{TEXTS}/{text.id}.toml")
        about = (
            f"{counted(len(text.sentences), 'sentence')}, in {LANGUAGES[text.language]}; "
            f"edition: {LABELS[text.edition]}.",
            "",
            f"Read was the file with the SHA-256 ``{text.sha256}``.",
        )
        parts = groupby(text.sentences, key=lambda each: each.section.partition(", ")[0])
        return [*self.written(about), *(self.part(name, [*rows]) for name, rows in parts)]

    def part(self, name: str, sentences: list[Sentence]) -> nodes.section:
        """Return a section of the text, whose own sections are parts of its table."""
        label = f"section-{sentences[0].id}"
        part = nodes.section("", nodes.title("", name), ids=[label], names=[label])
        headings = ("Sentence", "What it says", "Clauses")
        rows: list[nodes.row] = []
        for section, found in groupby(sentences, key=lambda each: each.section):
            if inner := section.partition(", ")[2]:
                said = nodes.paragraph("", "", nodes.strong("", inner))
                rows.append(nodes.row("", nodes.entry("", said, morecols=2)))
            rows += map(self.row, found)
        part += table_of(headings, rows, (14, 50, 36), "colwidths-given", "sentences")
        return part

    def row(self, each: Sentence) -> nodes.row:
        """Return the row of a sentence, and make it known to the role."""
        place = each.place
        row = nodes.row("", ids=[each.id], names=[each.id])
        row.source, row.line = str(ROOT / place.path), place.line
        self.env.domains.standard_domain.note_object("sentence", each.id, each.id, location=row)
        says = escape(each.says)
        if each.repeats:
            says += f" As {sentence(each.repeats)}."
        for said in (f"{each.id} {each.level}", says, "; ".join(clauses_of(each))):
            row += nodes.entry("", *self.said([said], place))
        return row


def clauses_of(each: Sentence) -> Iterator[str]:
    """Say what a sentence is to which clauses, and which ruling decides; or why it has none."""
    for relation in Relation:
        found = [clause for clause, is_ in each.relations.items() if is_ == relation]
        if found:
            yield f"{IS[relation]} {', '.join(map(rule, found))}"
    if each.none:
        yield f"none: {escape(each.why.rstrip('.'))}"
    if each.ruling:
        yield f"see {ruling(each.ruling)}"
    if each.level == "flavour":
        yield "none"


@offer
def register() -> Sequence[Text]:
    """Return the texts with their sentences."""
    return repository().texts


@offer
def sentences_with(field: str, value: str) -> list[int]:
    """Count the sentences of each text of which a field has a value."""
    return [sum(getattr(each, field) == value for each in t.sentences) for t in register()]


@offer
def sentences_that_are(relation: Relation) -> list[int]:
    """Count the sentences of each text that are something to a clause."""
    return [sum(relation in each.relations.values() for each in t.sentences) for t in register()]


@offer
def relations() -> dict[Relation, tuple[str, str]]:
    """Return what a sentence can be to a clause: as a verb, and what that means."""
    said = documentation("valletta_rules.specification.sources")
    return {each: (IS[each], said["Relation", each.name][3:].rstrip(".")) for each in Relation}


def complete(app: Sphinx, env: BuildEnvironment) -> None:
    """Report texts whose sentences stand on no page."""
    for text in repository().texts:
        if ("sentence", text.sentences[0].id) not in env.domains.standard_domain.objects:
            location = f"{ROOT / TEXTS / text.id}.toml:1"
            logger.warning("no page shows the sentences of %s", text.id, location=location)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the role and the directives."""
    app.setup_extension("rulebook")
    app.setup_extension("templated")
    app.add_object_type(
        "sentence", "sentence", objname="sentence of a text", ref_nodeclass=nodes.inline
    )
    app.add_directive("sentences", Sentences)
    app.connect("env-check-consistency", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
