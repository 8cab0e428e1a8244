"""What stands on pages beside text: what directives write, and parts that unfold.

A directive of the documentation writes lines of reStructuredText and has them parsed; this module
has what all of them write.
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
"""The repository."""


# Writing reStructuredText


def counted(counting: int | Sized, noun: str, nouns: str = "") -> str:
    """Say how many there are, of a number or of the members of a collection."""
    number = counting if isinstance(counting, int) else len(counting)
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def capitalised(text: str) -> str:
    """Begin a text with a capital, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


# Reading the code


@cache
def documentation(module: str) -> dict[tuple[str, str], str]:
    """Return what stands under each field and constant of a module, by class and name."""
    analyzer = ModuleAnalyzer.for_module(module)
    analyzer.analyze()
    return {key: " ".join(lines).strip() for key, lines in analyzer.attr_docs.items()}


class Written(SphinxDirective):
    """A directive that writes reStructuredText."""

    required_arguments = 1

    @property
    def code(self) -> str:
        """The language of the page, by its code."""
        return language_of(self.env.docname)

    @property
    def up(self) -> str:
        """What leads from the page to the top of the build."""
        return "../" * self.env.docname.count("/")

    def written(self, lines: Iterable[str], path: str = "", line: int = 1) -> list[nodes.Node]:
        """Parse lines, for which the page is answerable, or a line of a file of the repository."""
        if not path:
            return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)
        self.env.note_dependency(ROOT / path)
        every = [part for each in lines for part in each.split("\n")]
        content = StringList(every, items=[(str(ROOT / path), line - 1)] * len(every))
        with switch_source_input(self.state, content):
            return nested_parse_to_nodes(self.state, content)


class Shown(Written):
    """A directive that shows something, with its content below or beside it."""

    has_content = True
    final_argument_whitespace = True

    @abstractmethod
    def shown(self) -> list[nodes.Node]:
        """Return what stands in the page; raise an error of Python if that cannot be."""

    def run(self) -> list[nodes.Node]:
        """Return what stands in the page, or an error of this place in it."""
        try:
            return self.shown()
        except (LookupError, TypeError, ValueError) as error:
            raise self.error(f"{self.name}: {error}") from None


# Nodes


def raw(html: str) -> nodes.raw:
    """Return HTML as it is; other builders leave it out."""
    return nodes.raw("", html, format="html")


class Details(SphinxDirective):
    """A part of the page that unfolds; its argument is what stands there while it is folded."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node."""
        summary = details_summary("", "", *self.parse_inline(self.arguments[0])[0])
        return [details("", summary, *self.parse_content_to_nodes())]


class details(nodes.container):  # noqa: N801 -- docutils names nodes so
    """A part of the page that unfolds; elsewhere than in HTML it lies open."""


class details_summary(nodes.paragraph):  # noqa: N801
    """What is seen of it while it is folded."""


class rule_row(nodes.row):  # noqa: N801
    """A row on a clause, which can be chosen by the grade of its evidence."""


def tag(tag: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    """Return what writes a tag."""
    return lambda translator, node: translator.body.append(tag)


def open_row(translator: HTML5Translator, node: nodes.Element) -> None:
    """Begin a row on a clause."""
    facts = {f"data-{key}": node[key] for key in ("rule", "grade") if key in node}
    translator.body.append(translator.starttag(node, "tr", **facts))
    node.column = 0  # type: ignore[attr-defined] # as visit_row of docutils does


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the nodes and the directive."""
    app.add_directive("details", Details)
    app.add_node(details, html=(tag("<details>"), tag("</details>")))
    app.add_node(details_summary, html=(tag("<summary>"), tag("</summary>")))
    app.add_node(rule_row, html=(open_row, tag("</tr>")))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
