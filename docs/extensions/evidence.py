"""Pages of highlighted source code, and the role `source` that links to them.

The target of the role is a line or a name in a repository file: ``:source:`text
<tests/test_engine.py#test_a_prompt>```, ``src/valletta_rules/engine.py#check``.  Each file that
names a clause has a page, on which clause ids link to the rulebook.  For other files, the role
shows only its text.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape as quoted
from pathlib import Path
from typing import Final

from docutils import nodes
from links import place_of_clause, repository, title_of
from markup import ROOT
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.roles import XRefRole
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from spec import mentions
from spec.mentions import Defining
from valletta_rules.specification.files import CLAUSE_ID

IN_TEXT: Final = re.compile(rf"\b{CLAUSE_ID.pattern}\b(?![^<>]*>)")
"""A pattern that matches a clause id outside of HTML tags."""

LEXERS: Final = {".py": "python", ".c": "c", ".h": "c", ".qnt": "rust"}
"""The lexer for each file suffix. Pygments has no lexer for Quint, so Quint files use the lexer for
Rust."""


@cache
def source_paths() -> frozenset[str]:
    """Return the paths of the files that name a clause. Each of them has a page."""
    named = {each.place.path for each in repository().mentions}
    for path in ROOT.glob("spec/statements/*.py"):
        if CLAUSE_ID.search(path.read_text("utf-8")):
            named.add(path.relative_to(ROOT).as_posix())
    return frozenset(path for path in named if Path(path).suffix in LEXERS)


@cache
def sentences(path: Path) -> Mapping[str, str]:
    """Return the first paragraph of each docstring in a module, keyed by ``Class.method``."""

    def collect(node: ast.Module | Defining, name: str) -> Iterator[tuple[str, str]]:
        paragraph = (ast.get_docstring(node) or name.rpartition(".")[2]).split("\n\n")[0]
        yield name, " ".join(paragraph.split())
        for child in node.body:
            if isinstance(child, Defining):
                yield from collect(child, f"{name}.{child.name}".lstrip("."))

    return dict(collect(ast.parse(path.read_text(encoding="utf-8")), ""))


def test_link(test: str) -> str:
    """Return a link to a test; its text is the first paragraph of the test's docstring."""
    path, _, inner = test.partition("::")
    name = inner.replace("::", ".")
    text = sentences(ROOT / path)[name].replace("`", "")
    return f":source:`{escape(text)} <{path}#{name}>`"


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.TextElement | None:
    """Resolve the role `source`. For a missing file, return `None`; Sphinx then logs a warning."""
    if node["reftype"] != "source":
        return None
    if not (ROOT / node["reftarget"].partition("#")[0]).is_file():
        return None
    uri = address_of(node["reftarget"])
    if uri is None or not isinstance(app.builder, StandaloneHTMLBuilder):
        return content
    uri = "../" * node["refdoc"].count("/") + uri
    return nodes.reference("", "", content, internal=True, refuri=uri)


def address_of(target: str) -> str | None:
    """Return the address of a line or name in a file, or `None` if the file has no page."""
    path, _, anchor = target.partition("#")
    if path not in source_paths():
        return None
    has_anchor = anchor.startswith("L-") or anchor in anchors(path)
    return f"{page_of(path)}.html" + f"#{anchor}" * has_anchor


def page_of(path: str) -> str:
    """Return the Sphinx name of the page that shows the source of a file."""
    return f"source/{path.removesuffix('.py')}"


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, object], str]]:
    """Yield the pages for files that have changed since their page was built."""
    assert isinstance(app.builder, StandaloneHTMLBuilder)
    for name in sorted(source_paths()):
        path, page = ROOT / name, Path(app.outdir, f"{page_of(name)}.html")
        if page.is_file() and page.stat().st_mtime > path.stat().st_mtime:
            continue
        source = path.read_text(encoding="utf-8")
        html = app.builder.highlighter.highlight_block(
            source, LEXERS[path.suffix], location=name, linespans="L"
        )
        lines = html.split('<span id="L-')
        for inner, before in defined_in(name):
            lines[before] += f'<span class="defined" id="{inner}">'
            lines[before + 1] += "</span>"
        linked = with_clauses(page_of(name), '<span id="L-'.join(lines))
        yield page_of(name), {"title": name, "body": f"<h1>{name}</h1>{linked}"}, "page.html"


@cache
def anchors(path: str) -> frozenset[str]:
    """Return the names of definitions that have an anchor on the page of a file."""
    return frozenset(name for name, _ in defined_in(path))


def defined_in(path: str) -> Iterator[tuple[str, int]]:
    """Yield each definition in a file: its name, and the number of lines before it."""
    source = (ROOT / path).read_text(encoding="utf-8")
    match Path(path).suffix:
        case ".py":
            for name, tag in ModuleAnalyzer.for_file(ROOT / path, "").find_tags().items():
                yield name, tag[1] - 1
        case ".qnt":
            for definition in mentions.DEFINITION.finditer(source):
                if definition[1] == "  ":
                    yield definition[2], source.count("\n", 0, definition.start())
        case _:
            for definition in mentions.FUNCTION_IN_C.finditer(source):
                yield definition["name"], source.count("\n", 0, definition.start())


def with_clauses(page: str, html: str) -> str:
    """Convert the clause ids in the HTML of a page to links."""

    def linked(match: re.Match[str]) -> str:
        clause = match[0]
        if clause not in repository().by_id:
            return clause
        uri = "../" * page.count("/") + place_of_clause(clause, "en")
        title = quoted(title_of(clause, "en"))
        return f'<a class="clause" href="{uri}" title="{title}">{clause}</a>'

    return IN_TEXT.sub(linked, html)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the role, and connect the handlers that add the pages."""
    app.add_role("source", XRefRole(innernodeclass=nodes.inline, warn_dangling=True))
    app.connect("missing-reference", resolve)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
