"""Improvements to pages for readers who use a keyboard or a screen reader."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata

AFTER_THE_THEME = 900
"""The priority of the handlers of this extension. Sphinx runs them after the theme's handlers,
which have the default priority 500."""


def _give_captions_a_level(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add `aria-level` to the captions of tables of contents.

    Sphinx gives these captions the role `heading`, which requires a level.
    """
    for part in ("body", "furo_navigation_tree"):
        if part in context:
            context[part] = context[part].replace(
                'role="heading">', 'role="heading" aria-level="2">'
            )


class OneIdForEachTable(SphinxPostTransform):
    """A transform that removes duplicate ids, which the theme creates when it wraps tables."""

    formats = ("html",)
    default_priority = AFTER_THE_THEME

    def run(self, **kwargs: Any) -> None:
        """Remove the ids from the containers around tables."""
        for table in self.document.findall(nodes.table):
            box = table.parent
            if isinstance(box, nodes.container) and "table-wrapper" in box["classes"]:
                box["ids"] = []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handlers so that they run after the theme's handlers."""
    app.add_post_transform(OneIdForEachTable)
    app.connect("html-page-context", _give_captions_a_level, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
