"""Pages in two languages: what is under ``de/`` is German, and without it is the English page.

Such pages name one another, to readers by a link at their top and to machines by ``hreflang``; the
link keeps the rule that is being read.  What the theme writes around a German page is German, and
its field for searching finds rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

GERMAN: Final = "de/"
"""Where the German pages are."""

FRONT: Final = {"en": "index", "de": "de/index"}
"""The page from which all others of a language are reached."""

SEARCH: Final = "de/rulebook/index_of_rules"
"""The page that finds what is searched for in German."""

NAMES: Final = {"en": "English", "de": "Deutsch"}
"""What the languages call themselves."""

AROUND: Final = {
    "Back to top": "Nach oben",
    "Home": "Anfang",
    "Next": "Weiter",
    "On this page": "Auf dieser Seite",
    "Previous": "Zurück",
    "Search": "Regeln finden",
    "Skip to content": "Zum Inhalt",
}
"""What the theme says around a page, in German."""


def language_of(page: str) -> str:
    """Return the language of a page."""
    return "de" if page.startswith(GERMAN) else "en"


def counterpart(page: str) -> str:
    """Return what the same page is in the other language."""
    return page.removeprefix(GERMAN) if page.startswith(GERMAN) else f"{GERMAN}{page}"


def prepare(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Tell a page its language, and the page in the other one."""
    language, other = language_of(page), counterpart(page)
    if {page, other} <= app.env.all_docs.keys():
        links = {language_of(each): context["pathto"](each) for each in (page, other)}
        links[language] = f"{page.rpartition('/')[2]}.html"
        context["metatags"] += "".join(
            f'\n<link rel="alternate" hreflang="{each}" href="{links[each]}">' for each in NAMES
        )
        there = language_of(other)
        context["body"] = (
            f'<p class="languages"><a href="{links[there]}" lang="{there}" hreflang="{there}"'
            f' rel="alternate">{NAMES[there]}</a></p>{context["body"]}'
        )
    if language == "de":
        path: Callable[..., str] = context["pathto"]
        context |= {
            "language": "de",
            "master_doc": FRONT["de"],
            "_": in_german,
            "gettext": in_german,
            "pathto": lambda name, *others: path(SEARCH if name == "search" else name, *others),
        }


def in_german(text: str) -> str:
    """Say what the theme says around a page."""
    return AROUND.get(text.strip(), text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Prepare each page."""
    app.connect("html-page-context", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
