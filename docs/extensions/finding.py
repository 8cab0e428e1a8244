"""The finder of rules: a field on a page, the same on the page of the search, and what they read.

.. rule-finder::    the field; with ``?q=words`` in the address it is filled

Guides and the like are found besides, by their titles and by the ``:keywords:`` at their head.

The index is that of `valletta_rules.finder`, written as a script, because a browser reads no other
file beside a page that it has opened from a disk; `docs/static/finder.js` looks through it.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, Final

import attrs
from docutils import nodes
from languages import GERMAN, counterpart, language_of
from markup import Written
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.clauses import chapters
from valletta_rules.finder import WEIGHTS, index, words_of
from valletta_rules.phrases import LANGUAGES

SAID: Final = {
    "en": {
        "label": "Find rules",
        "hint": "words, English or German, or an id",
        "one": "1 rule",
        "many": "{} rules",
        "heading": "Rules",
        "all": "All {} in the index of rules",
    },
    "de": {
        "label": "Regeln finden",
        "hint": "Wörter, deutsch oder englisch, oder eine Nummer",
        "one": "1 Regel",
        "many": "{} Regeln",
        "heading": "Regeln",
        "all": "Alle {} im Verzeichnis",
    },
}
"""What is said around the finder, by language."""

PAGES: Final = {"rulebook/index_of_rules": "en", "de/rulebook/index_of_rules": "de", "search": "en"}
"""The pages that find rules."""


FOUND: Final = (
    *("cards/", "explanation/", "howto/", "learn/", "reference/", "research", "tutorial/"),
    *("rulebook/disagreements", "rulebook/evidence"),
)
"""Where the pages are that are found besides rules."""


class RuleFinder(Written):
    """The field; it is of use only with scripts, and shown by them."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the field, and the list in which the rules will stand."""
        said = SAID[language_of(self.env.docname)]
        field = (
            '<form class="rule-filter" role="search" hidden>'
            f'<label for="rule-filter">{said["label"]}</label>'
            ' <input type="search" id="rule-filter" name="q" autocomplete="off"'
            f' placeholder="{escape(said["hint"])}">'
            ' <output id="rule-count" for="rule-filter" aria-live="polite"></output></form>'
            '<ul id="found-pages" hidden></ul><ol id="found" hidden></ol>'
        )
        return [nodes.raw("", field, format="html")]


def script(language: str) -> str:
    """Write the index as a script; addresses are seen from the top of the build."""
    folder = f"{GERMAN if language == 'de' else ''}rulebook"
    page_of = {
        clause.id: f"{folder}/{chapter.name}.html#{clause.id}"
        for chapter in chapters()
        for clause in chapter.clauses
    }
    entries = [
        attrs.asdict(each)
        | {"url": page_of.get(each.id, f"{folder}/disagreements.html#ruling-{each.id}")}
        for each in index(language).entries
    ]
    content = {
        "said": SAID[language],
        "entries": entries,
        "english": dict(index(language).english),
        "german": dict(index(language).german),
    }
    return f"globalThis.RULES = {written(content)};\n"


def script_of_pages(env: BuildEnvironment, language: str) -> str:
    """Write the index of the pages: those in the language, and what is told only in another."""
    entries: list[dict[str, str]] = []
    places: dict[str, dict[int, int]] = {}
    for page, title in sorted(env.titles.items()):
        is_told = language_of(page) == language or counterpart(page) not in env.titles
        if not (is_told and page.removeprefix(GERMAN).startswith(FOUND)):
            continue
        keywords = str(env.metadata[page].get("keywords", ""))
        for weight, text in zip(WEIGHTS, (title.astext(), keywords), strict=False):
            for word in words_of(text):
                places.setdefault(word, {}).setdefault(len(entries), weight)
        url = f"{page}.html"
        entries.append({"title": title.astext(), "url": url, "language": language_of(page)})
    words = {word: [*met.items()] for word, met in places.items()}
    content = {"entries": entries, "english": words, "german": {}}
    return f"globalThis.PAGES = {written(content)};\n"


def written(content: object) -> str:
    """Write JSON in few letters."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def write_pages(app: Sphinx, env: BuildEnvironment) -> None:
    """Write the index of the pages, now that they have been read."""
    for language in LANGUAGES:
        path = Path(app.outdir) / "_static" / f"pages_{language}.js"
        path.write_text(script_of_pages(env, language), encoding="utf-8")


def write(app: Sphinx) -> None:
    """Write the index in each language, beside the other scripts."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        scripts = {language: script(language) for language in LANGUAGES}
    except (LookupError, OSError, ValueError):
        return  # files that cannot be read are reported elsewhere
    for language, content in scripts.items():
        (folder / f"rules_{language}.js").write_text(content, encoding="utf-8")


def offer(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the pages that find rules what they need for it."""
    if language := PAGES.get(page):
        indexes = (f"rules_{language}.js", f"pages_{language}.js")
        for name in (*indexes, "finder.js", "finder_page.js"):
            app.add_js_file(name, priority=900)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive, and write the index."""
    app.add_directive("rule-finder", RuleFinder)
    app.connect("builder-inited", write)
    app.connect("env-updated", write_pages)
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
