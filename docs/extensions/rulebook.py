"""Clauses and rulings out of spec/: their pages, their index, and links to them.

`traceability` collects the facts; here they become pages.  Whatever it finds wrong with them is
a warning of Sphinx, with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from docutils import nodes
from evidence import repository
from languages import REFERS, language_of
from markup import (
    ROOT,
    Written,
    broad_table,
    counted,
    documentation,
    listed,
    raw,
    rule_row,
    table_of,
    unfolding,
)
from references import (
    LABELS,
    answers,
    badges,
    carried_out,
    cited,
    code_links,
    grouped,
    in_german,
    mentions,
    natively,
    places,
    reasons,
    rule,
    ruling,
    shown_by,
    standing,
    stated_formally,
    supported,
    tables,
)
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from strength import MANIFEST, Evidence, choice_of_grades, evidence_of_all
from terms import with_terms

from spec import traceability
from spec.checks.mistakes.table import VERDICTS
from spec.glossary import GLOSSARY
from spec.mentions import KINDS
from spec.register import TEXTS
from spec.traceability import DUTIES
from valletta_rules.specification.clauses import EDITIONS, Confidence, citation_of
from valletta_rules.specification.files import Clause, Place, Table
from valletta_rules.specification.phrases import key_in

logger = logging.getLogger(__name__)


class Reader(Written):
    """A directive that writes on behalf of places of the specification."""

    def said(self, lines: Iterable[str], place: Place) -> list[nodes.Node]:
        """Parse lines, for which a place of the specification is answerable."""
        return self.written(lines, place.path, place.line)

    def section(
        self, kind: str, name: str, label: str, title: Sequence[nodes.Node], place: Place
    ) -> nodes.section:
        """Begin a section on a clause or a ruling, and make it known to the role of that name."""
        labels = dict.fromkeys((label, name)) if kind == "rule" else (label,)
        section = nodes.section("", nodes.title("", "", *title), ids=[*labels], names=[label])
        section.document = self.state.document
        section.source, section.line = str(ROOT / place.path), place.line
        section["classes"].append("clause" if kind == "rule" else kind)
        self.env.domains.standard_domain.note_object(kind, name, label, location=section)
        return section


class Chapter(Reader):
    """`.. chapter:: building`: the clauses of a chapter with all that belongs to them."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each clause."""
        path = f"{traceability.CLAUSES}/{self.arguments[0]}.toml"
        found = [each for each in repository().chapters if each.chapter == self.arguments[0]]
        if not found:
            raise self.error(f"there is no chapter {self.arguments[0]!r}")
        title = self.state.document.next_node(nodes.title)
        if title is None or title.astext() != found[0].title:
            raise self.error(f"the page is to be called {found[0].title!r}, as {path} is")
        for text in repository().texts:
            self.env.note_dependency(ROOT / f"{TEXTS}/{text.id}.toml")
        clauses = found[0].clause
        self.shown = set[str]()
        one = clauses[0]
        said = f"To cite a clause: {escape(citation_of(one.id, one.revision))}"
        return [
            contents(clauses),
            *self.said([said], one.place),
            *map(self.clause, clauses),
        ]

    def clause(self, clause: Clause) -> nodes.section:
        """Return the section of a clause."""
        number = nodes.inline("", clause.id, classes=["clause-id"])
        title = [number, nodes.Text(f" {clause.title}")]
        section = self.section("rule", clause.id, clause.id.lower(), title, clause.place)
        section += self.said(self.lines(clause), clause.place)
        return section

    def lines(self, clause: Clause) -> Iterator[str]:
        """Write a clause."""
        self.env.note_dependency(ROOT / GLOSSARY)
        for kind in KINDS:
            for _, place in mentions(kind, clause.id):
                self.env.note_dependency(ROOT / place.path)
        yield from (".. rst-class:: sentence", "", with_terms(clause.text), "")
        yield from (".. rst-class:: language-de", "", escape(clause.sentence_de), "")
        yield from badges(clause.id)
        yield from (standing(clause), "")
        yield from (f".. worked-examples:: {clause.id}", "")
        yield from supported(clause.id)
        known = {entry["id"]: entry for _, entry in tables(traceability.RULINGS, "ruling")}
        for name in clause.rulings:
            if name in known:
                question = f"Ruling: {escape(known[name]['question'])}"
                decided = f"Why, and what speaks against it: ruling {ruling(name)}."
                yield from unfolding(question, [*listed(grouped(known[name])), decided])
        if clause.why:
            missing = " or ".join(duty for duty in DUTIES.values() if not getattr(clause, duty))
            yield from (f"Not {missing}: {escape(clause.why)}", "")
        yield from carried_out(clause)
        yield from natively(clause.id)
        yield from shown_by(clause.id)
        yield from stated_formally(clause, self.shown)


def contents(clauses: Iterable[Clause]) -> nodes.bullet_list:
    """Return a list of the clauses of a page, each with a mark of its evidence."""
    items = []
    for each in clauses:
        grade = evidence_of_all()[each.id].grade
        number = nodes.inline("", each.id, classes=["clause-id"])
        link = nodes.reference(
            "", "", number, nodes.Text(f" {each.title}"), refid=each.id.lower(), internal=True
        )
        items.append(nodes.list_item("", nodes.paragraph("", "", link), classes=[grade.key]))
    return nodes.bullet_list("", *items, classes=["clauses"])


class IndexOfRules(Reader):
    """`.. index-of-rules::`: every clause, with its code and its evidence, as a table."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [self.row(clause) for clause in repository().clauses]
        table = table_of(("Clause", "Code", "Evidence"), rows, (60, 22, 18), "colwidths-given")
        table["ids"] = ["rules"]
        return [raw(choice_of_grades()), table]

    def row(self, clause: Clause) -> nodes.row:
        """Return the row of a clause."""
        found = evidence_of_all()[clause.id]
        said = [f"{rule(clause.id)} **{escape(clause.title)}**", "", escape(clause.text)]
        links = code_links(clause)
        code = f"{links[0]} and {len(links) - 1} more" if links[1:] else "".join(links)
        badge = [
            ".. rst-class:: badges",
            "",
            f":ref:`{found.grade.value} <evidence-{found.grade.key}>`",
        ]
        row = rule_row("", rule=clause.id, grade=found.grade.key)
        for lines in (said, [code], badge):
            row += nodes.entry("", *self.said(lines, clause.place))
        return row


class EvidenceByClause(Reader):
    """`.. evidence-by-clause::`: all clauses, those with the weakest evidence last."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the choice of a grade, with how many clauses have it, and the table."""
        found = sorted(evidence_of_all().values(), key=lambda each: each.strength)
        for path in (VERDICTS, MANIFEST):
            self.env.note_dependency(ROOT / path)
        rows = [self.row(each) for each in found]
        widths = (40, 20, 8, 8, 8, 8, 8)
        return [raw(choice_of_grades()), table_of(COLUMNS, rows, widths, "figures")]

    def row(self, found: Evidence) -> nodes.row:
        """Return the row of a clause: its grade, and what there is besides in numbers."""
        clause, grade = found.clause, found.grade
        counts = (found.lemmas, found.properties, found.examples, found.vectors)
        cells = (
            f"{rule(clause.id)} {escape(clause.title)}",
            f":ref:`{grade.value} <evidence-{grade.key}>`",
            *map(str, counts),
            f"{found.noticed} of {found.mistakes}",
        )
        row = rule_row("", rule=clause.id, grade=grade.key)
        for cell in cells:
            row += nodes.entry("", *self.said([cell], clause.place))
        return row


COLUMNS: Final = (
    *("Clause", "Strongest", "Lemmas", "Properties"),
    *("Tests and examples", "Vectors", "Mistakes"),
)
"""The columns of the table of evidence."""


class Disagreements(Reader):
    """`.. disagreements::`: the questions on which editions differ, and their answers."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a table, question by edition, in the language of the page."""
        language = language_of(self.env.docname)
        rows = [
            (
                f"{escape(each[key_in(language, 'question')])} "
                f"(:{REFERS[language][1]}:`{each['id']}`)",
                *map(escape, answers(each, language).values()),
            )
            for _, each in tables(traceability.RULINGS, "ruling")
            if "answers" in each
        ]
        heading = {"en": "Question 28", "de": "Frage 28"}[language]
        columns = " | ".join((heading, *(f"{label} 24" for label in LABELS.values())))
        return self.written(broad_table(columns, rows, "editions"), traceability.RULINGS)


class ByConfidence(Reader):
    """`.. rulings-by-confidence::`: the rulings by how well the texts support them."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a list for each degree, the least certain first."""
        return self.written(self.lines(), traceability.RULINGS)

    def lines(self) -> Iterator[str]:
        """Write the lists; that of the certain ones unfolds."""
        said = documentation("valletta_rules.specification.clauses")
        found = [table for _, table in tables(traceability.RULINGS, "ruling")]
        for degree in reversed(Confidence):
            rulings = [table for table in found if table["confidence"] == degree]
            summary = f"{degree.capitalize()}: {counted(len(rulings), 'ruling')}"
            links = listed(f"{escape(each['question'])} ({ruling(each['id'])})" for each in rulings)
            lines = [said[("Confidence", degree.name)], "", *links]
            if degree is Confidence.CERTAIN:
                yield from unfolding(summary, lines)
            else:
                yield from (f"**{summary}.**", *lines)


class Rulings(Reader):
    """`.. rulings:: editions` or `.. rulings:: all-alike`: each ruling with what belongs to it.

    The argument says which: those whose answer depends on the edition, or all the others.
    """

    def run(self) -> list[nodes.Node]:
        """Return a section for each ruling."""
        wanted = self.arguments[0]
        if wanted not in ("editions", "all-alike"):
            raise self.error(f"rulings are 'editions' or 'all-alike', not {wanted!r}")
        return [
            self.ruling(table, place)
            for place, table in tables(traceability.RULINGS, "ruling")
            if ("answers" in table) == (wanted == "editions")
        ]

    def ruling(self, table: Table, place: Place) -> nodes.section:
        """Return the section of a ruling."""
        label, title = f"ruling-{table['id']}", [nodes.Text(table["question"])]
        section = self.section("ruling", table["id"], label, title, place)
        section += self.said(self.lines(table), place)
        return section

    def lines(self, table: Table) -> Iterator[str]:
        """Write a ruling."""
        given = list(grouped(table))
        yield from listed(given) if len(given) > 1 else (given[0], "")
        yield from reasons(table)
        yield from in_german(table)
        if "field" in table:
            field = f"RuleSet.{table['field']}"
            yield from (f"Chosen by :py:attr:`{field} <valletta_rules.rulings.{field}>`.", "")
        yield from (f"Ruling ``{table['id']}``, on {', '.join(map(rule, table['clauses']))}.", "")
        yield from cited(table["sources"])


# What is wrong, and what leads back


def report(app: Sphinx) -> None:
    """Report what breaks the chain from the rulebook to the code, with file and line."""
    for read in (repository, places, evidence_of_all):
        read.cache_clear()
    assert set(LABELS) == set(EDITIONS)
    for problem in traceability.problems(repository()):
        logger.warning(
            problem.message, location=f"{ROOT / problem.place.path}:{problem.place.line}"
        )


def complete(app: Sphinx, env: BuildEnvironment) -> None:
    """Report clauses and rulings that stand on no page."""
    shown = env.domains.standard_domain.objects
    facts = [("rule", each.id, each.place) for each in repository().clauses]
    facts += [("ruling", each["id"], each["place"]) for each in repository().rulings]
    for kind, name, place in facts:
        if (kind, name) not in shown:
            location = f"{ROOT / place.path}:{place.line}"
            logger.warning("no page of docs/rulebook shows %s", name, location=location)


def link_rules(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Turn the `Rules:` of a docstring into links back to the clauses."""
    for start, line in enumerate(lines):
        if line.startswith("Rules:"):
            end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
            said = " ".join(lines[start:end]).removeprefix("Rules:")
            lines[start:end] = [
                ":Rules: " + ", ".join(rule(each.strip()) for each in said.split(","))
            ]
            return


def shorten(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Leave out of a page of the rulebook the marks that no style asks for: a third of it."""
    if page.startswith("rulebook/") and "body" in context:
        for wordy, short in WORDY:
            context["body"] = wordy.sub(short, context["body"])


WORDY: Final = (
    (re.compile(r'<code class="[^"]*literal notranslate">'), '<code class="literal">'),
    (re.compile(r'<span class="(?:xref [^"]*|pre|std std-ref)">([^<]*)</span>'), r"\1"),
    (re.compile(r' class="(?:reference internal|simple)"| title="(?:valletta_|Link)[^"]*"'), ""),
    (re.compile(r"<li><p>((?:(?!</?p>|<li>|<ul>).)*)</p>\s*</li>", re.DOTALL), r"<li>\1</li>"),
    (re.compile(r'(<a [^>]*>)<code class="literal">'), r"\1<code>"),
)
"""What is written at length, and what will do."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the roles and directives."""
    for needed in (
        "sphinx.ext.autodoc",
        "markup",
        "evidence",
        "examples",
        "finding",
        "model",
        "terms",
    ):
        app.setup_extension(needed)
    app.add_object_type(
        "rule", "rule", objname="clause of the rulebook", ref_nodeclass=nodes.inline
    )
    app.add_object_type("ruling", "ruling", objname="ruling", ref_nodeclass=nodes.inline)
    app.add_directive("chapter", Chapter)
    app.add_directive("index-of-rules", IndexOfRules)
    app.add_directive("evidence-by-clause", EvidenceByClause)
    app.add_directive("disagreements", Disagreements)
    app.add_directive("rulings-by-confidence", ByConfidence)
    app.add_directive("rulings", Rulings)
    app.connect("builder-inited", report)
    app.connect("env-check-consistency", complete)
    app.connect("html-page-context", shorten)
    app.connect("autodoc-process-docstring", link_rules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
