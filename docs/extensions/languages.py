"""Support for two languages: pages in ``de/`` are German, and all others are English.

A page and its translation link to each other, visibly for readers and by ``hreflang`` for search
engines.  The visible link leads to the section that the reader is in.  On German pages, the theme's
texts are translated, and the theme's search field searches the rules.
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
"""The page that shows the results of searches on German pages."""

NAMES: Final = {"en": "English", "de": "Deutsch"}
"""The name of each language, written in that language."""

REFERS: Final = {"en": ("rule", "ruling"), "de": ("regel", "entscheidung")}
"""For each language, the role that links to clauses and the role that links to rulings."""

PHRASES: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("phrases.toml").read_text("utf-8")
)
"""The texts that extensions and templates add to pages, keyed by purpose, language and name."""


def language_of(page: str) -> str:
    """Return the code of a page's language."""
    return "de" if page.startswith(GERMAN) else "en"


def folder_of(language: str) -> str:
    """Return the folder of a language's pages; empty for English."""
    return GERMAN if language == "de" else ""


def built(env: BuildEnvironment) -> list[str]:
    """Return the languages in this build. A build can exclude one of the two."""
    return [language for language, front in FRONT.items() if front in env.found_docs]


def counterpart(page: str) -> str:
    """Return the name that the translation of a page would have."""
    return page.removeprefix(GERMAN) if page.startswith(GERMAN) else f"{GERMAN}{page}"


def prepare(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Add a page's language and a link to its translation to the context of the page's template."""
    language, other = language_of(page), counterpart(page)
    context["finished"] = partial(finished, language=language)
    if {page, other} <= app.env.all_docs.keys():
        links = {language_of(each): context["pathto"](each) for each in (page, other)}
        links[language] = f"{page.rpartition('/')[2]}.html"
        context["metatags"] += "".join(
            f'\n<link rel="alternate" hreflang="{each}" href="{links[each]}">' for each in NAMES
        )
        target = language_of(other)
        context["body"] = (
            f'<p class="languages"><a href="{links[target]}" lang="{target}" hreflang="{target}"'
            f' rel="alternate"{renamed(app.env, page, other)}>{NAMES[target]}</a></p>'
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
    """Return an HTML attribute with the section ids of `other`, the translation of `page`.

    The result is empty if both pages have the same ids, or different numbers of sections.
    """
    ids, other_ids = (parts_of(env, each) for each in (page, other))
    if len(ids) != len(other_ids) or set(ids) == set(other_ids):
        return ""
    return f' data-parts="{" ".join(other_ids)}"'


def parts_of(env: BuildEnvironment, page: str) -> list[str]:
    """Return the ids of the sections in a page; empty if the page does not exist."""
    contents = env.tocs.get(page, nodes.container())
    return [link["anchorname"].removeprefix("#") for link in contents.findall(nodes.reference)]


def neighbours(
    env: BuildEnvironment, page: str, path: Callable[..., str]
) -> dict[str, dict[str, str]]:
    """Return the previous and the next page of a German page, which Sphinx does not compute."""
    order = [*below(env, FRONT["de"])]
    if page not in order:
        return {}
    at = order.index(page)
    near = {"prev": order[max(at - 1, 0) : at], "next": order[at + 1 : at + 2]}
    return {
        name: {"link": path(pages[0]), "title": escape(env.titles[pages[0]].astext())}
        for name, pages in near.items()
        if pages
    }


def below(env: BuildEnvironment, page: str) -> Iterator[str]:
    """Yield a page and all its subpages in reading order."""
    yield page
    for each in env.toctree_includes.get(page, []):
        yield from below(env, each)


def finished(body: str, language: str) -> str:
    """Translate the theme's texts in a page's HTML, and remove superfluous markup.

    Indentation and unused icons are removed from the theme's markup.  Line breaks between table
    cells are removed from the article.
    """
    start, article, end = re.split(r"(<article.*</article>)", body, maxsplit=1, flags=re.DOTALL)
    start = UNSEEN.sub("", start)
    start, end = (re.sub(r"\n\s+", "\n", each) for each in (start, end))
    article = re.sub(r"\n(?=</?t[dr]\b)", "", article)
    body = f"{start}{article}{end}"
    for english, translation in PHRASES["labels"].get(language, {}).items():
        for before, after in (('label="', '"'), ('title="', '"'), ("<title>", "</title>")):
            body = body.replace(f"{before}{english}{after}", f"{before}{translation}{after}")
    return body


UNSEEN: Final = re.compile(
    r'<symbol id="svg-(?:pencil|eye)".*?</symbol>|<path stroke="none"[^>]*>'
    r'| xmlns="http://www.w3.org/2000/svg"|\s+class="(?:feather|icon-(?:custom|tabler))[^"]*"',
    re.DOTALL,
)
"""A pattern that matches the theme's invisible markup: unused icons, and attributes without
effect."""


def in_german(text: str) -> str:
    """Return the German translation of one of the theme's texts."""
    return PHRASES["theme"]["de"].get(text.strip(), text)


def unlinked(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Element | None:
    """Replace a link to a page in an excluded language with its text."""
    target = node["reftarget"].lstrip("/")
    is_left_out = node["reftype"] == "doc" and language_of(target) not in built(env)
    return content if is_left_out else None


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handlers for translated pages."""
    app.connect("missing-reference", unlinked)
    app.connect("html-page-context", prepare)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
