"""Where a rule is met: the sentences of tests, and highlighted source to link to.

The directive `tests-listed` lists tests of a file by the sentences that they show:
``.. tests-listed:: tests/formal/test_lemmas.py``, with the names of some, one a line, only those.
The role `source` links to a line or a name of a file of the repository:
``:source:`text <tests/test_engine.py#test_a_prompt>```, ``src/valletta_rules/engine.py#check``.
Modules of the package have their pages from `sphinx.ext.viewcode`; those of tests, of formal
statements and of the native backend are made here.  On all of them clauses are links to the
rulebook.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from markup import ROOT, Written
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.roles import XRefRole
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from spec import mentions, traceability
from valletta_rules.specification.files import CLAUSE_ID

HEADING: Final = re.compile(r"# (\w.+)")
"""What parts a file of tests."""

PACKAGE: Final = "src/"
TESTS: Final = "tests/"
STATEMENTS: Final = "spec/statements/"
IN_TEXT: Final = re.compile(rf"\b{CLAUSE_ID.pattern}\b(?![^<>]*>)")
"""A clause that is named outside of tags."""

LEXERS: Final = {".py": "python", ".c": "c"}

Tested = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
"""What a rule mark can stand on."""


@cache
def repository() -> traceability.Repository:
    """Read all that the repository says about clauses, once for a build."""
    return traceability.Repository(ROOT)


@cache
def sentences(path: Path) -> Mapping[str, tuple[str, int]]:
    """Return the first sentence and the line of everything that a module of tests defines."""

    def found(node: Tested, name: str) -> Iterator[tuple[str, tuple[str, int]]]:
        said = (ast.get_docstring(node) or name.rpartition("::")[2]).split("\n\n")[0]
        yield name, (" ".join(said.split()), first_line(node))
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from found(child, f"{name}::{child.name}")

    return dict(found(ast.parse(path.read_text(encoding="utf-8")), ""))


def first_line(node: Tested) -> int:
    """Return the line on which a definition begins, its decorators included."""
    if isinstance(node, ast.Module):
        return 1
    return min((each.lineno for each in node.decorator_list), default=node.lineno)


def test_link(test: str) -> str:
    """Refer to a test, named as pytest names it, by the sentence that it shows."""
    path, _, inner = test.partition("::")
    said, _ = sentences(ROOT / path)[f"::{inner}" if inner else ""]
    return f":source:`{escape(said.replace('`', ''))} <{path}#{inner.replace('::', '.')}>`"


class TestsListed(Written):
    """What the tests of a file show, in its parts, or what some of them show."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a list."""
        (path,) = self.arguments
        if not (ROOT / path).is_file():
            raise self.error(f"there is no file {path}")
        tests = {
            line: name.removeprefix("::")
            for name, (_, line) in sentences(ROOT / path).items()
            if name.rpartition("::")[2].startswith("test_")
        }
        if unknown := {*self.content} - {*tests.values()}:
            raise self.error(f"{path} has no test {min(unknown)!r}")
        if self.content:
            return self.written([self.item(f"{path}::{name}") for name in self.content], path)
        lines: list[str] = []
        heading: list[str] = []
        for number, text in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1):
            if found := HEADING.fullmatch(text):
                heading = ["", f"**{escape(found[1])}**", ""]
            elif number in tests:
                lines += [*heading, self.item(f"{path}::{tests[number]}")]
                heading.clear()
        return self.written(lines, path)

    def item(self, test: str) -> str:
        """Write what a test shows, and the clauses with which it is marked."""
        named = [each.clause for each in repository().mentions if each.name == test]
        clauses = ", ".join(f":rule:`{clause}`" for clause in named)
        return f"* {test_link(test)}" + (f" ({clauses})" if clauses else "")


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Resolve the role `source`; `None`, which Sphinx reports, if there is no such place."""
    if node["reftype"] != "source":
        return None
    path, _, anchor = node["reftarget"].partition("#")
    if not (ROOT / path).is_file():
        return None
    linked.add(path)
    if not isinstance(app.builder, StandaloneHTMLBuilder):
        return nodes.reference("", "", content, internal=True, refuri="")
    uri = app.builder.get_relative_uri(node["refdoc"], page_of(path))
    shown = not is_module(path) or anchor in named_in(path)
    return nodes.reference(
        "", "", content, internal=True, refuri=f"{uri}#{anchor}" if shown else uri
    )


def is_module(path: str) -> bool:
    """Tell whether a file is a module of the package."""
    return path.startswith(PACKAGE) and path.endswith(".py")


@cache
def named_in(path: str) -> frozenset[str]:
    """Return what has an anchor on the page of a module: functions and classes, not constants."""
    module = path.removeprefix(PACKAGE).removesuffix(".py").replace("/", ".")
    return frozenset(ModuleAnalyzer.for_module(module).find_tags())


linked: Final[set[str]] = set()
"""The files to which the pages link that have been written."""


def is_wanted(app: Sphinx, path: str) -> bool:
    """Tell whether a file needs a page: one links to it, and it has none that is up to date."""
    page = Path(app.outdir, f"{page_of(path)}.html")
    if page.is_file():
        return page.stat().st_mtime < (ROOT / path).stat().st_mtime
    return path in linked or app.parallel > 1  # then other processes know who links to it


def page_of(path: str) -> str:
    """Return the name of the page that shows a file."""
    stem = path.removesuffix(".py")
    if is_module(path):
        return f"_modules/{stem.removeprefix(PACKAGE)}"
    return f"source/{stem}"


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, object], str]]:
    """Make a page of highlighted source for what is no module of the package, or only constants.

    The extension `viewcode` makes the pages of the others.
    """
    assert isinstance(app.builder, StandaloneHTMLBuilder)
    rulebook = (ROOT / PACKAGE).glob("*/rulebook/[!_]*.py")
    names = [path.relative_to(ROOT).as_posix() for path in rulebook]
    constants = [ROOT / name for name in names if not named_in(name)]
    others = [*(ROOT / mentions.NATIVE).glob("*.c"), *(ROOT / STATEMENTS).glob("*.py")]
    for path in (*constants, *sorted(others), *sorted((ROOT / TESTS).rglob("test_*.py"))):
        name = path.relative_to(ROOT).as_posix()
        if not is_wanted(app, name):
            continue
        source = path.read_text(encoding="utf-8")
        shown = app.builder.highlighter.highlight_block(
            source, LEXERS[path.suffix], location=name, linespans="L"
        )
        lines = shown.split('<span id="L-')
        for inner, start, end in defined_in(source, path.suffix):
            lines[start] = f'{lines[start]}<span class="defined" id="{inner}">'
            lines[end] += "</span>"
        shown = '<span id="L-'.join(lines)
        yield page_of(name), {"title": name, "body": f"<h1>{name}</h1>{shown}"}, "page.html"


def defined_in(source: str, suffix: str) -> Iterator[tuple[str, int, int]]:
    """Run through the functions of a file: name, number of lines before it and up to its end."""
    if suffix == ".c":
        for found in mentions.FUNCTION_IN_C.finditer(source):
            end = source.index("\n}", found.end())
            start, lines = (source.count("\n", 0, at) for at in (found.start(), end))
            yield found["name"], start, lines + 2
        return
    for name, (kind, start, end) in ModuleAnalyzer.for_string(source, "").find_tags().items():
        if kind == "def":
            yield name, start - 1, end


def with_clauses(builder: Builder, page: str, html: str) -> str:
    """Make links of the clauses that source names, on a page of it."""
    known = builder.env.domains.standard_domain.objects

    def linked(found: re.Match[str]) -> str:
        if ("rule", found[0]) not in known:
            return found[0]
        document, anchor = known["rule", found[0]]
        uri = builder.get_relative_uri(page, document)
        return f'<a class="clause" href="{uri}#{anchor}">{found[0]}</a>'

    return IN_TEXT.sub(linked, html)


def link_clauses(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let source lead back to the rulebook."""
    if page.startswith(("_modules/", "source/")) and "body" in context:
        context["body"] = with_clauses(app.builder, page, context["body"])


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the role, the directive and the pages."""
    app.setup_extension("sphinx.ext.viewcode")
    app.add_directive("tests-listed", TestsListed)
    app.add_role("source", XRefRole(innernodeclass=nodes.inline, warn_dangling=True))
    app.connect("missing-reference", resolve)
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", link_clauses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
