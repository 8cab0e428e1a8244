"""Directives and roles for clauses, rulings and the sentences of source texts.

.. entry:: clause BLD-6         a section on a clause; errors are reported at the line `:at:`
.. rule-rows::                  a table whose rows can be filtered by the evidence for their clauses

The roles `ruling` and `entscheidung` link to rulings on English and German pages, and `sentence`
links to sentences.  `:anchor:` turns a name in a table into a link target.  The pages are generated
by templates.  Each defect that `traceability` finds becomes a Sphinx warning with file and line.
"""

import re
from itertools import islice, product
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.parsers.rst.directives import unchanged, unchanged_required
from languages import REFERS, built, folder_of, parts_of
from links import place_of_clause, repository, title_of
from markup import ROOT, Written, rule_row
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from strength import grades
from templated import rule

from spec import traceability
from valletta_rules.specification.files import Place
from valletta_rules.specification.phrases import key_in

logger = logging.getLogger(__name__)

KINDS: Final = {
    "ruling": "ruling",
    "entscheidung": "Entscheidung",
    "sentence": "sentence of a text",
}
"""The kinds of link targets other than clauses, keyed by the role that links to them."""


class EntryDirective(Written):
    """A directive for a section about a clause or a ruling, to which roles can link."""

    required_arguments = 2
    has_content = True
    option_spec: ClassVar[Any] = {
        "title": unchanged_required,
        "at": unchanged_required,
        "class": unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the section with its title, its target and its content."""
        kind, name = self.arguments
        title = nodes.title("", "", nodes.Text(self.options["title"]))
        ids = [f"{kind if kind == 'section' else 'ruling'}-{name}"]
        if kind == "clause":
            uri = self.up + place_of_clause(name, self.code)
            number = nodes.inline("", name, classes=["clause-id"])
            link = nodes.reference(
                "", "", number, nodes.Text(" "), title[0], refuri=uri, internal=True
            )
            title, ids = nodes.title("", "", link), [name.lower(), name]
        section = nodes.section("", title, ids=ids, names=[f"{kind}-{name.lower()}"])
        section["classes"] += ["clause" if kind == "clause" else "ruling"]
        section["classes"] += self.options.get("class", "").split()
        section.document = self.state.document
        path, _, line = self.options["at"].rpartition(":")
        section.source, section.line = str(ROOT / path), int(line)
        if kind in KINDS:
            self.env.domains.standard_domain.note_object(kind, name, ids[0], location=section)
        section += self.written(self.content, path, int(line))
        return [section]


class Anchor(SphinxRole):
    """A role that shows a name, and makes it a link target of the given kind."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the name as a node, and register it as a link target."""
        kind, name = self.text.split()
        target = nodes.inline("", name, ids=[name])
        self.set_source_info(target)
        self.env.domains.standard_domain.note_object(kind, name, name, location=target)
        return [target], []


class RuleRows(Written):
    """A directive for a table. Each row belongs to the first clause that it mentions."""

    required_arguments = 0
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table, with the clause and the grade of its evidence added to each row."""
        content = self.parse_content_to_nodes()
        for row in [row for table in content for row in table.findall(nodes.row)]:
            if clause := next((each.get("clause") for each in row.findall(nodes.reference)), None):
                grade = grades()[clause].key
                row.replace_self(rule_row("", *row.children, rule=clause, grade=grade))
        return content


# What is wrong, and what leads back


def report(app: Sphinx) -> None:
    """Log a warning for each defect that `spec.traceability` finds, with its file and line."""
    for problem in traceability.problems(repository()):
        warn(problem.place, problem.message)


def complete(app: Sphinx, env: BuildEnvironment) -> None:
    """Log warnings for entries that no page shows, and for chapters with wrong page titles."""
    objects = env.domains.standard_domain.objects
    facts = [
        ("sentence", text.sentences[0].id, text.sentences[0].place) for text in repository().texts
    ]
    for language in built(env):
        _, role = REFERS[language]
        facts += [(role, each["id"], each["place"]) for each in repository().rulings]
    missing = [(name, place) for kind, name, place in facts if (kind, name) not in objects]
    for language, chapter in product(built(env), repository().chapters):
        page = f"{folder_of(language)}rulebook/{chapter.chapter}"
        wanted = str(getattr(chapter, key_in(language, "title")))
        title = env.titles[page].astext() if page in env.titles else wanted
        if title.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") != wanted:
            warn(Place(f"docs/{page}.rst", 1), f"the page is to be called {wanted!r}")
        parts = parts_of(env, page)
        missing += [(c.id, c.place) for c in chapter.clause if c.id.lower() not in parts]
    for name, place in missing:
        warn(place, f"no page of docs/rulebook shows {name}")


def warn(place: Place, message: str) -> None:
    """Log a warning about a file and line in the repository."""
    logger.warning(message, location=f"{ROOT / place.path}:{place.line}")


def link_rules(
    app: Sphinx, kind: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Replace the `Rules:` line of a docstring with links to the clauses and to the source code."""
    for start, line in enumerate(lines):
        if line.startswith("Rules:"):
            end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
            clauses = " ".join(lines[start:end]).removeprefix("Rules:")
            named = "; ".join(entitled(each.strip()) for each in clauses.split(","))
            short = name.removeprefix("valletta_rules.")
            places = (each.place for each in repository().mentions if each.name == short)
            for place in islice(places, 1):
                named += f" (:source:`source <{place.path}#L-{place.line}>`)"
            lines[start:end] = [f":Rules: {named}"]
            return


def entitled(clause: str) -> str:
    """Return a link whose text is the id and the title of a clause."""
    if clause not in repository().by_id:
        return rule(clause)  # which is reported
    return f":rule:`{clause} {escape(title_of(clause, 'en'))} <{clause}>`"


def shorten(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Remove useless markup from rulebook pages, which makes them a third smaller."""
    if "rulebook/" in page and "body" in context:
        context["body"] = MARKS.sub("", UNSTYLED.sub(r"\1", context["body"]))


UNSTYLED: Final = re.compile(
    r'<span class="(?:xref [^"]*|pre|std std-ref|[npw]|kc|m[if]|n[abd]|ow?|s2|bp)">([^<]*)</span>'
)
"""A pattern that matches `span` tags whose classes no style sheet uses."""

MARKS: Final = re.compile(
    r' class="(?:reference internal|simple|[^"]*literal notranslate)"'
    r'| title="(?:valletta_|Link)[^"]*"'
)
"""A pattern that matches attributes that no style sheet and no script uses."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the roles and directives, and connect the handlers."""
    app.setup_extension("sphinx.ext.autodoc")
    needed = ("markup", "links", "evidence", "worked", "finding", "templated")
    for extension in (*needed, "references"):
        app.setup_extension(extension)
    for kind, name in KINDS.items():
        app.add_object_type(kind, kind, objname=name, ref_nodeclass=nodes.inline)
    app.add_role("anchor", Anchor())
    app.add_directive("entry", EntryDirective)
    app.add_directive("rule-rows", RuleRows)
    app.connect("builder-inited", report)
    app.connect("env-check-consistency", complete)
    app.connect("html-page-context", shorten)
    app.connect("autodoc-process-docstring", link_rules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
