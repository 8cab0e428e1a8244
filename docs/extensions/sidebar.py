"""Render a sidebar with the titles of all pages in collapsible sections.

The theme generates its sidebar again for each page, which took a quarter of the build time.  This
extension renders the sidebar with a template instead.  The sections for readers of the rules and
the section of the current page are expanded.  Readers thus need not scroll past the sections for
programmers, which matters most on a phone.  Subpages of other sections are omitted; otherwise the
sidebars would take up a tenth of the built documentation.
"""

from functools import cache
from typing import Any, Final

from docutils import nodes
from languages import FRONT, GERMAN, below, language_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

FOR_READERS: Final = ("learn/", "rulebook/", "cards/")
"""The folders whose pages are for readers of the rules."""

BEFORE_THE_THEME: Final = 400
"""The priority of the handler. It runs before the theme's handler, which has the default priority
500."""


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Add the entries of the sidebar to a page's context, and disable the theme's sidebar."""
    current = {page, *above(app.env).get(page, ())}

    def entry(name: str) -> dict[str, Any]:
        is_current = name in current
        is_expanded = is_current or name.removeprefix(GERMAN).startswith(FOR_READERS)
        children = app.env.toctree_includes.get(name, []) if is_expanded else []
        return {
            "page": name,
            "title": app.env.titles[name].astext(),
            "is_current": is_current,
            "below": [entry(each) for each in children],
        }

    contents = app.env.tocs.get(FRONT[language_of(page)], nodes.container())
    context["toctree"] = lambda **options: ""
    context["navigation"] = [
        {
            "caption": tree.get("caption"),
            "entries": (entries := [entry(each) for each in tree["includefiles"]]),
            "is_open": any(each["is_current"] for each in entries)
            or tree["includefiles"][0].removeprefix(GERMAN).startswith(FOR_READERS),
        }
        for tree in contents.findall(addnodes.toctree)
    ]


@cache
def above(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the ancestors of each page, and the page itself if it has subpages."""
    ancestors: dict[str, list[str]] = {}
    for page in env.toctree_includes:
        for each in below(env, page):
            ancestors.setdefault(each, []).append(page)
    return ancestors


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handler that adds the sidebar to each page."""
    app.connect("html-page-context", offer, priority=BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
