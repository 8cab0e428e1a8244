"""Pages about single clauses, one for each clause and language, such as `rule/BLD-6.html`.

They are rendered with the template `docs/templates/clause.html` after Sphinx has read all other
pages.  They have no source files, so Sphinx stores no parsed documents for them.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any, Final

from evidence import address_of
from languages import FRONT, NAMES, PHRASES, REFERS, built
from links import ROLES, chapter_of, place_of_clause, title_of
from markup import ROOT
from rulebook import UNSTYLED
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA, share
from worked import example_html

from spec import mentions
from valletta_rules import ClauseText, chapters, clause_ids, explain

MARKUP: Final = re.compile(r":([\w:]+):`([^`]+?)(?: <([^<>`]+)>)?`|``([^`]+)``")
"""A pattern that matches the markup to convert: a role with its text and target, or inline code."""

DOCSTRING: Final = re.compile(r'^ +"""[^"]*"""\n+', re.MULTILINE)
"""A pattern that matches a function's docstring. Docstrings are removed from code on the pages."""

ANNOTATION: Final = re.compile(r"\A(?:/\*(?:[^*]|\*(?!/))*\*/\n)+|^ *//@.*\n", re.MULTILINE)
"""A pattern that matches comments before a C function, and prover annotations inside it."""

LONGEST: Final = 11
"""The maximum number of lines of code shown on a page.  Longer code is only linked."""


def plain(text: str) -> str:
    """Convert a text to HTML, and remove its reStructuredText escapes."""
    return escape(re.sub(r"\\(?: |(.))", r"\1", text), quote=False)


class Cards:
    """A renderer for the pages about clauses in one language."""

    def __init__(self, app: Sphinx, language: str, highlighted: Callable[..., str]) -> None:
        """Create a renderer; `highlighted` converts code to highlighted HTML."""
        self.env, self.highlighted = app.env, highlighted
        self.language = language
        self.up = "../" * place_of_clause("", language).count("/")

    def page(self, clause: ClauseText, before: str, after: str) -> tuple[str, dict[str, Any], str]:
        """Return the name, the context and the template of the page about a clause."""
        name = clause.address.removesuffix(".html")
        self.env.current_document.docname = name
        languages = built(self.env)
        context = {
            "clause": clause,
            "language": self.language,
            "phrases": PHRASES["clause"][self.language],
            "others": [explain(clause.id, each) for each in languages if each != self.language],
            "near": [explain(each, self.language) for each in (before, after) if each],
            "up": self.up,
            "html": self.html,
            "highlighted": self.highlighted,
            "example": partial(example_html, self.env, language=self.language),
        }
        body = JINJA.get_template("clause.html").render(context)
        alternates = {each: self.up + place_of_clause(clause.id, each) for each in languages}
        title = f"{clause.id} {clause.title}"
        return name, {"title": title, "body": body, "alternates": alternates}, "clause.html"

    def html(self, text: str) -> str:
        """Convert a line of reStructuredText, with roles and inline code, to HTML."""
        parts, at = [""], 0
        for match in MARKUP.finditer(text):
            parts += [plain(text[at : match.start()]), self.marked(*match.groups())]
            at = match.end()
        return "".join([*parts, plain(text[at:])])

    def marked(self, role: str, text: str, target: str | None, code: str | None) -> str:
        """Convert a role or inline code to HTML. A role with a known target becomes a link."""
        if code:
            return f"<code>{plain(code)}</code>"
        label = f"<code>{plain(text)}</code>" if role == "py:obj" else plain(text)
        goal = target or plain(text)
        if role in ROLES:
            title = escape(title_of(goal, ROLES[role]))
            where = place_of_clause(goal, ROLES[role])
            return f'<a href="{self.up}{where}" title="{title}">{label}</a>'
        address = self.address(role, goal)
        return f'<a href="{self.up}{address}">{label}</a>' if address else label

    def address(self, role: str, target: str) -> str | None:
        """Return a role target's address, relative to the build's root; `None` if it is unknown."""
        match role:
            case "source":
                return address_of(target)
            case "doc":
                return f"{target.lstrip('/')}.html"
            case "py:obj":
                entry = self.env.domains.python_domain.objects.get(target)
                return f"{entry.docname}.html#{entry.node_id}" if entry else None
            case _:
                place = self.env.domains.standard_domain.objects.get((role, target))
                return "{}.html#{}".format(*place) if place else None


@cache
def parts_in(path: str) -> dict[str, str]:
    """Return the source text of each function and table in a file, keyed by name."""
    text = (ROOT / path).read_text("utf-8")
    if path.endswith(".py"):
        lines = text.splitlines()
        tags = ModuleAnalyzer.for_file(ROOT / path, "").find_tags()
        bodies = {name: "\n".join(lines[start - 1 : end]) for name, (_, start, end) in tags.items()}
        return {name: DOCSTRING.sub("", code, 1) for name, code in bodies.items()}
    in_c = mentions.FUNCTION_IN_C.finditer(text)
    return {each["name"]: text[each.start() : text.index("\n}", each.end()) + 2] for each in in_c}


def short_source(path: str, name: str) -> str:
    """Return the code of a function or class; empty if it is too long or does not exist.

    Docstrings are removed.  Comments before C functions and the contracts inside them are removed
    too.
    """
    text = ANNOTATION.sub("", parts_in(path).get(name, ""))
    return text if text.count("\n") < LONGEST else ""


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page for each clause and language, and write the clauses' texts for tooltips."""
    assert isinstance(app.builder, StandaloneHTMLBuilder)
    highlight = app.builder.highlighter.highlight_block
    highlighted = cache(lambda text, lexer: UNSTYLED.sub(r"\1", highlight(text, lexer)))
    for language in built(app.env):
        cards = Cards(app, language, highlighted)
        sentences = {each: explain(each, language).text for each in clause_ids()}
        text = json.dumps({language: sentences}, ensure_ascii=False, separators=(",", ":"))
        script = f"globalThis.SENTENCES = {{ ...globalThis.SENTENCES, ...{text} }};\n"
        Path(app.outdir, "_static", f"sentences_{language}.js").write_text(script, "utf-8")
        for chapter in chapters(language):
            near = ["", *(each.id for each in chapter.clauses), ""]
            for clause, before, after in zip(chapter.clauses, near, near[2:], strict=False):
                yield cards.page(clause, before, after)


share(__name__, chapter_of=chapter_of, FRONT=FRONT, NAMES=NAMES, REFERS=REFERS)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handler that adds the pages about clauses."""
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
