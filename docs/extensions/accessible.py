"""What the theme and Sphinx leave out, for readers who do not use a mouse or a screen."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

AFTER_THE_THEME = 900
"""What the theme does to a page it does at the usual priority, 500."""


def _give_captions_a_level(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Say the level of the captions of tables of contents.

    Sphinx writes them as paragraphs with the role of a heading; such a heading needs a level.
    """
    for part in ("body", "furo_navigation_tree"):
        if part in context:
            context[part] = context[part].replace(
                'role="heading">', 'role="heading" aria-level="2">'
            )


class OneIdForEachTable(SphinxPostTransform):
    """Leaves a table's id to the table: the theme gives it to the box around it as well."""

    formats = ("html",)
    default_priority = AFTER_THE_THEME

    def run(self, **kwargs: Any) -> None:
        """Take the ids off the boxes."""
        for table in self.document.findall(nodes.table):
            box = table.parent
            if isinstance(box, nodes.container) and "table-wrapper" in box["classes"]:
                box["ids"] = []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Finish each page after the theme."""
    app.add_post_transform(OneIdForEachTable)
    app.connect("html-page-context", _give_captions_a_level, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
