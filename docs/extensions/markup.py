"""Base classes and functions for directives, and a directive for a collapsible section.

Most directives of this documentation generate reStructuredText, which is then parsed.  This module
contains their base classes.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sized
from functools import cache
from pathlib import Path
from typing import Final

from docutils import nodes
from docutils.statemachine import StringList
from languages import language_of
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective, switch_source_input
from sphinx.util.parsing import nested_parse_to_nodes
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

ROOT: Final = Path(__file__).resolve().parents[2]
"""The root directory of the repository."""


# Writing reStructuredText


def counted(counting: int | Sized, noun: str, nouns: str = "") -> str:
    """Return a number or the size of a collection, followed by a noun: ``2 clauses``."""
    number = counting if isinstance(counting, int) else len(counting)
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def capitalised(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


# Reading the code


@cache
def documentation(module: str) -> dict[tuple[str, str], str]:
    """Return the docstrings of a module's fields and constants, keyed by class and name."""
    analyzer = ModuleAnalyzer.for_module(module)
    analyzer.analyze()
    return {key: " ".join(lines).strip() for key, lines in analyzer.attr_docs.items()}


class Written(SphinxDirective):
    """The base class of directives that generate reStructuredText."""

    required_arguments = 1

    @property
    def code(self) -> str:
        """The code of the language in which the page is written."""
        return language_of(self.env.docname)

    @property
    def up(self) -> str:
        """The relative path from the page to the root of the build."""
        return "../" * self.env.docname.count("/")

    def written(self, lines: Iterable[str], path: str = "", line: int = 1) -> list[nodes.Node]:
        """Parse generated lines; report errors at the directive, or at a given path and line."""
        if not path:
            return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)
        self.env.note_dependency(ROOT / path)
        every = [part for each in lines for part in each.split("\n")]
        content = StringList(every, items=[(str(ROOT / path), line - 1)] * len(every))
        with switch_source_input(self.state, content):
            return nested_parse_to_nodes(self.state, content)


class NodeDirective(Written):
    """The base class of directives that return nodes, and whose content is a caption or a text."""

    has_content = True
    final_argument_whitespace = True

    @abstractmethod
    def build_nodes(self) -> list[nodes.Node]:
        """Return the nodes of the directive; raise a Python exception for a wrong argument."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive, or report an exception at the directive."""
        try:
            return self.build_nodes()
        except (LookupError, TypeError, ValueError) as error:
            raise self.error(f"{self.name}: {error}") from None


# Nodes


def raw(html: str) -> nodes.raw:
    """Return a node with raw HTML. Builders for other formats omit the node."""
    return nodes.raw("", html, format="html")


class Details(SphinxDirective):
    """A directive for a collapsible section. Its argument is the visible summary."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a collapsible section with its summary and content."""
        summary = details_summary("", "", *self.parse_inline(self.arguments[0])[0])
        return [details("", summary, *self.parse_content_to_nodes())]


class details(nodes.container):  # noqa: N801 -- docutils names nodes so
    """A collapsible section. Builders for formats other than HTML show it expanded."""


class details_summary(nodes.paragraph):  # noqa: N801
    """The summary of a collapsible section, which is always visible."""


class rule_row(nodes.row):  # noqa: N801
    """A table row about a clause. Scripts can filter such rows by their grade of evidence."""


def tag(tag: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    """Return a visitor function that writes the given tag."""
    return lambda translator, node: translator.body.append(tag)


def open_row(translator: HTML5Translator, node: nodes.Element) -> None:
    """Write the opening tag of a table row about a clause."""
    facts = {f"data-{key}": node[key] for key in ("rule", "grade") if key in node}
    translator.body.append(translator.starttag(node, "tr", **facts))
    node.column = 0  # type: ignore[attr-defined] # as visit_row of docutils does


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the nodes and the directive."""
    app.add_directive("details", Details)
    app.add_node(details, html=(tag("<details>"), tag("</details>")))
    app.add_node(details_summary, html=(tag("<summary>"), tag("</summary>")))
    app.add_node(rule_row, html=(open_row, tag("</tr>")))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
