"""The sidebar, made without what it does not show.

It has the titles of all pages.  Sphinx copies all that stands in the pages' own tables of contents,
every function included, for each page anew before it throws that away: half of the time that a
build takes.  Here the tables are cut down once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

BEFORE_THE_THEME: Final = 400
"""The theme asks for the sidebar at the usual priority, 500."""

titles: dict[str, nodes.bullet_list] = {}
"""By page, its title and the tables of contents that stand on it."""


def cut_down(app: Sphinx, env: BuildEnvironment) -> None:
    """Leave of each page's table of contents what is asked for when only titles are."""
    titles.clear()
    for page, contents in env.tocs.items():
        titles[page] = contents.deepcopy()
        for entry in titles[page]:
            assert isinstance(entry, nodes.Element)
            nested = list(entry.findall(addnodes.toctree))
            entry[1:] = [nodes.bullet_list("", *nested)] if nested else []


def offer(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the theme a sidebar made of titles."""
    make: Callable[..., str] = context["toctree"]

    def toctree(**options: Any) -> str:
        whole = app.env.tocs
        app.env.tocs = titles if options.get("titles_only") else whole
        try:
            return make(**options)
        finally:
            app.env.tocs = whole

    context["toctree"] = toctree


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the sidebar of titles."""
    app.connect("env-check-consistency", cut_down)
    app.connect("html-page-context", offer, priority=BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
