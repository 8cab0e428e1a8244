"""What stands on pages of the documentation beside text: parts that unfold, tables, links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

Visit = Callable[[Any, Any], None]
"""What a writer does where a node begins or ends."""


class Details(SphinxDirective):
    """A part of the page that unfolds; its argument is what stands there while it is folded."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the node."""
        summary = details_summary("", "", *self.parse_inline(self.arguments[0])[0])
        return [details("", summary, *self.parse_content_to_nodes())]


class details(nodes.Element):  # noqa: N801 -- docutils names nodes so
    """A part of the page that unfolds."""


class details_summary(nodes.TextElement):  # noqa: N801
    """What is seen of it while it is folded."""


class rule_row(nodes.row):  # noqa: N801
    """A row of the index of rules."""


def table_of(
    headings: Sequence[str], rows: Sequence[nodes.row], widths: Sequence[int]
) -> nodes.table:
    """Return a table."""
    head = nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in headings))
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths))
    group["cols"] = len(widths)
    group += [nodes.thead("", head), nodes.tbody("", *rows)]
    return nodes.table("", group, classes=["colwidths-given"])


def tag(tag: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    """Return what writes a tag."""
    return lambda translator, node: translator.body.append(tag)


def add_node(
    app: Sphinx, node: type[nodes.Element], html: tuple[Visit, Visit], kind: type[nodes.Element]
) -> None:
    """Add a kind of node; writers of anything but HTML treat it as one of a known kind."""

    def visit(translator: nodes.NodeVisitor, node: nodes.Element) -> None:
        getattr(translator, f"visit_{kind.__name__}")(node)

    def depart(translator: nodes.NodeVisitor, node: nodes.Element) -> None:
        getattr(translator, f"depart_{kind.__name__}")(node)

    plain = (visit, depart)
    app.add_node(node, html=html, latex=plain, man=plain, texinfo=plain, text=plain)


def open_row(translator: HTML5Translator, node: nodes.Element) -> None:
    """Begin a row of the index of rules."""
    translator.body.append(translator.starttag(node, "tr", **{"data-rule": node["rule"]}))
    node.column = 0  # type: ignore[attr-defined] # as visit_row of docutils does


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the nodes and the directive."""
    app.add_directive("details", Details)
    add_node(app, details, (tag("<details>"), tag("</details>")), nodes.container)
    add_node(app, details_summary, (tag("<summary>"), tag("</summary>")), nodes.paragraph)
    add_node(app, rule_row, (open_row, tag("</tr>")), nodes.row)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
