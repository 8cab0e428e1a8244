"""The sidebar: the titles of all pages, in parts that fold.

Sphinx and the theme make it out of the tables of contents of all pages, copied anew for each page
and parsed again, which was a quarter of the time of a build.  Here it is written directly.  Parts
for readers of the rules lie open, and of the others that which holds the page: so nobody has to
scroll past what is for programmers, least of all on a phone.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

from docutils import nodes
from languages import FRONT, GERMAN, below, language_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

FOR_READERS: Final = ("learn/", "rulebook/", "cards/")
"""Where pages are that are for readers of the rules."""

BEFORE_THE_THEME: Final = 400
AFTER_THE_THEME: Final = 900
"""The theme makes its sidebar at the usual priority, 500."""


class Sidebar:
    """The sidebar of a page."""

    def __init__(self, env: BuildEnvironment, page: str, context: dict[str, Any]) -> None:
        """Take the page, and what knows the way from it to others."""
        self.env, self.page, self.path = env, page, context["pathto"]
        self.switches = 0

    def __str__(self) -> str:
        """Write it."""
        front = FRONT[language_of(self.page)]
        if front not in self.env.tocs:
            return ""
        trees = self.env.tocs[front].findall(addnodes.toctree)
        return "".join(self.part(tree.get("caption"), tree["includefiles"]) for tree in trees)

    def part(self, caption: str | None, pages: list[str]) -> str:
        """Write a part."""
        entries = f"<ul>{''.join(self.entry(each, 1) for each in pages)}</ul>"
        if caption is None:
            return entries
        is_for_readers = pages[0].removeprefix(GERMAN).startswith(FOR_READERS)
        is_open = (
            " open" if is_for_readers or any(self.page in below(self.env, p) for p in pages) else ""
        )
        heading = f'<span class="caption-text">{escape(caption)}</span>'
        return f'<details{is_open}><summary class="caption">{heading}</summary>{entries}</details>'

    def entry(self, page: str, level: int) -> str:
        """Write the entry of a page, with those of the pages below it."""
        is_current = self.page in below(self.env, page)
        inner = self.env.toctree_includes.get(page, [])
        classes = [
            *(["toctree-l1"] if level == 1 else []),
            *(["current"] if is_current else []),
            *(["has-children"] if inner else []),
            *(["current-page"] if page == self.page else []),
        ]
        title = escape(self.env.titles[page].astext())
        link = "#" if page == self.page else self.path(page)
        current = ' aria-current="page"' if page == self.page else ""
        inside = f'<a class="reference" href="{link}"{current}>{title}</a>'
        if inner:
            entries = "".join(self.entry(each, level + 1) for each in inner)
            inside += f"{self.switch(title, is_on=is_current)}<ul>{entries}</ul>"
        named = f' class="{" ".join(classes)}"' if classes else ""
        return f"<li{named}>{inside}</li>"

    def switch(self, title: str, *, is_on: bool) -> str:
        """Write what shows and hides the pages below an entry."""
        self.switches += 1
        name, checked = f"toctree-checkbox-{self.switches}", " checked" if is_on else ""
        return (
            f'<input aria-label="{title}: …" class="toctree-checkbox" id="{name}"'
            f' name="{name}" role="switch" type="checkbox"{checked}><label for="{name}">'
            '<span class="icon"><svg><use href="#svg-arrow-right"></use></svg></span></label>'
        )


def take_away(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep the theme from making its own."""
    context["toctree"] = lambda **options: ""


def offer(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the page its sidebar."""
    context["furo_navigation_tree"] = str(Sidebar(app.env, page, context))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the sidebar."""
    app.connect("html-page-context", take_away, priority=BEFORE_THE_THEME)
    app.connect("html-page-context", offer, priority=AFTER_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
