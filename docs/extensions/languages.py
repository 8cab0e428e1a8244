"""Support for two languages: pages in ``de/`` are German, and all others are English.

A page and its translation link to each other, by a visible link for readers and by ``hreflang`` for
machines.  The visible link leads to the section that the reader is in.  On German pages, the texts
of the theme are translated, and its search field searches the rules.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

GERMAN: Final = "de/"
"""The folder of the German pages."""

FRONT: Final = {"en": "index", "de": "de/index"}
"""The start page for each language."""

SEARCH: Final = "de/rulebook/index_of_rules"
"""The page to which German pages send their searches."""

NAMES: Final = {"en": "English", "de": "Deutsch"}
"""The name of each language, in the language itself."""

REFERS: Final = {"en": ("rule", "ruling"), "de": ("regel", "entscheidung")}
"""The roles that link to clauses and to rulings, by language."""

PHRASES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("phrases.toml").read_text("utf-8")
)
"""The texts that extensions and templates add to pages, by occasion, language and key."""


def language_of(page: str) -> str:
    """Return the code of the language in which a page is written."""
    return "de" if page.startswith(GERMAN) else "en"


def folder_of(language: str) -> str:
    """Return the folder of the pages of a language; empty for English."""
    return GERMAN if language == "de" else ""


def built(env: BuildEnvironment) -> list[str]:
    """Return the languages in this build: both, or only one if the other is excluded."""
    return [language for language, front in FRONT.items() if front in env.found_docs]


def counterpart(page: str) -> str:
    """Return the name that the translation of a page would have."""
    return page.removeprefix(GERMAN) if page.startswith(GERMAN) else f"{GERMAN}{page}"


def prepare(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Add the language of a page, and links to its translation, to the context of its template."""
    language, other = language_of(page), counterpart(page)
    context["finished"] = partial(finished, language=language)
    if {page, other} <= app.env.all_docs.keys():
        links = {language_of(each): context["pathto"](each) for each in (page, other)}
        links[language] = f"{page.rpartition('/')[2]}.html"
        context["metatags"] += "".join(
            f'\n<link rel="alternate" hreflang="{each}" href="{links[each]}">' for each in NAMES
        )
        there = language_of(other)
        context["body"] = (
            f'<p class="languages"><a href="{links[there]}" lang="{there}" hreflang="{there}"'
            f' rel="alternate"{renamed(app.env, page, other)}>{NAMES[there]}</a></p>'
            f"{context['body']}"
        )
    if language == "de":
        path: Callable[..., str] = context["pathto"]
        author = app.config.author
        context |= {
            "copyright": context["copyright"].replace(author, in_german(author)),
            "language": "de",
            "master_doc": FRONT["de"],
            "_": in_german,
            "gettext": in_german,
            "pathto": lambda name, *others: path(SEARCH if name == "search" else name, *others),
            **neighbours(app.env, page, path),
        }


def renamed(env: BuildEnvironment, page: str, other: str) -> str:
    """Return an attribute with the translation's section ids; empty if they are the same."""
    here, there = (parts_of(env, each) for each in (page, other))
    if len(here) != len(there) or set(here) == set(there):
        return ""
    return f' data-parts="{" ".join(there)}"'


def parts_of(env: BuildEnvironment, page: str) -> list[str]:
    """Return the ids of the sections in a page; empty if the page does not exist."""
    contents = env.tocs.get(page, nodes.container())
    return [link["anchorname"].removeprefix("#") for link in contents.findall(nodes.reference)]


def neighbours(
    env: BuildEnvironment, page: str, path: Callable[..., str]
) -> dict[str, dict[str, str]]:
    """Return the pages before and after a German page, which Sphinx does not compute."""
    order = [*below(env, FRONT["de"])]
    if page not in order:
        return {}
    at = order.index(page)
    near = {"prev": order[max(at - 1, 0) : at], "next": order[at + 1 : at + 2]}
    return {
        name: {"link": path(found[0]), "title": escape(env.titles[found[0]].astext())}
        for name, found in near.items()
        if found
    }


def below(env: BuildEnvironment, page: str) -> Iterator[str]:
    """Yield a page and all its subpages in reading order."""
    yield page
    for each in env.toctree_includes.get(page, []):
        yield from below(env, each)


def finished(body: str, language: str) -> str:
    """Return the body of a page with the theme's texts translated and needless markup removed.

    Indentation and unused icons are removed from the theme's markup, and line breaks between cells
    are removed from tables.
    """
    start, article, end = re.split(r"(<article.*</article>)", body, maxsplit=1, flags=re.DOTALL)
    start = UNSEEN.sub("", start)
    start, end = (re.sub(r"\n\s+", "\n", each) for each in (start, end))
    article = re.sub(r"\n(?=</?t[dr]\b)", "", article)
    body = f"{start}{article}{end}"
    for english, said in PHRASES["labels"].get(language, {}).items():
        for before, after in (('label="', '"'), ('title="', '"'), ("<title>", "</title>")):
            body = body.replace(f"{before}{english}{after}", f"{before}{said}{after}")
    return body


UNSEEN: Final = re.compile(
    r'<symbol id="svg-(?:pencil|eye)".*?</symbol>|<path stroke="none"[^>]*>'
    r'| xmlns="http://www.w3.org/2000/svg"|\s+class="(?:feather|icon-(?:custom|tabler))[^"]*"',
    re.DOTALL,
)
"""Markup from the theme that has no visible effect: unused icons and attributes."""


def in_german(text: str) -> str:
    """Return the German translation of a text of the theme."""
    return PHRASES["theme"]["de"].get(text.strip(), text)


def unlinked(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """Return a text with the link removed, if the link leads to an excluded language."""
    target = node["reftarget"].lstrip("/")
    is_left_out = node["reftype"] == "doc" and language_of(target) not in built(env)
    return shown if is_left_out else None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handlers that prepare pages."""
    app.connect("missing-reference", unlinked)
    app.connect("html-page-context", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
