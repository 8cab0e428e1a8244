"""The search for rules: a search field on some pages, and the index that these pages load.

.. rule-finder::    the search field; ``?q=words`` in the address fills it

The search also returns guides and other pages, by their titles and their ``:keywords:``.

The index is built from `valletta_rules.specification.finder`, and `docs/static/finder.js` searches
it.  The index is a script, because a page that is opened from a disk cannot fetch data.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import attrs
from docutils import nodes
from languages import GERMAN, PHRASES, built, counterpart, folder_of, language_of
from links import place_of_clause
from markup import Written
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.specification import finder

PAGES: Final = ("rulebook/index_of_rules", "de/rulebook/index_of_rules", "search")
"""The pages with a search field. Each page loads the index of its language before its first
search."""


SEARCHABLE: Final = (
    *("cards/", "explanation/", "howto/", "learn/", "project/", "reference/", "research"),
    *("rulebook/disagreements", "tutorial/"),
)
"""The prefixes of the pages that the search returns in addition to rules."""


WEIGHTS: Final = (3.0, 2.0)
"""The weights of a word in a page's title and of a word in its keywords."""


LETTER: Final = ord("#")
"""The code point of the character that encodes 0 in the index.  It directly follows the quotation
mark, which JSON would have to escape."""


class RuleFinder(Written):
    """A directive for the search field, which stays hidden in browsers without scripts."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the search field with an empty list of results."""
        phrases = PHRASES["finder"][self.code]
        field = (
            '<form class="rule-filter" role="search" hidden>'
            f'<label for="rule-filter">{phrases["label"]}</label>'
            ' <input type="search" id="rule-filter" name="q" autocomplete="off"'
            f' placeholder="{escape(phrases["hint"])}">'
            ' <output id="rule-count" for="rule-filter" aria-live="polite"></output></form>'
            '<ul id="found-pages" hidden></ul><ol id="found" hidden></ol>'
        )
        return [nodes.raw("", field, format="html")]


def content(env: BuildEnvironment, language: str) -> dict[str, Any]:
    """Return the search index for a language, which contains rules and pages.

    Addresses in the index are relative to the root of the build.
    """
    rulings = f"{folder_of(language)}rulebook/disagreements.html#ruling-"
    rules = finder.index(language)
    written = written_rules(rules)
    for each in written["entries"]:
        is_clause = each["kind"] == "clause"
        each["url"] = place_of_clause(each["id"], language) if is_clause else rulings + each["id"]
    weights = {meaning: [*met] for meaning, met in rules.weights.items()}
    for page in pages(env, language):
        title, keywords = env.titles[page].astext(), str(env.metadata[page].get("keywords", ""))
        counts = Counter[str]()
        for weight, text in zip(WEIGHTS, (title, keywords), strict=True):
            counts.update(dict.fromkeys(sorted({*finder.counted(text)} - rules.idle), weight))
        for meaning, count in finder.weighed(counts)[0].items():
            weights.setdefault(meaning, []).append((len(written["entries"]), count))
        entry = {"title": title, "url": f"{page}.html", "language": language_of(page)}
        written["entries"].append({"kind": "page"} | entry)
        written["costs"].append(0)
        written["later"].append(len(title.split()))
    return {"labels": PHRASES["finder"][language]} | written | {"weights": flat(weights)}


def written_rules(rules: finder.Index) -> dict[str, Any]:
    """Return the index of the rules in a compact form; synonyms are stored together."""
    same = defaultdict[tuple[str, ...], list[str]](list)
    for word, meanings in rules.known.items():
        same[meanings].append(word)
    return {
        "entries": [attrs.asdict(each) for each in rules.entries],
        "weights": flat(rules.weights),
        "costs": [*rules.costs],
        "later": [*rules.later],
        "known": [["|".join(words), meanings] for meanings, words in same.items()],
        "idle": sorted(rules.idle),
        "ranking": {**finder.RANKING, "letter": LETTER},
        "bent": finder.BENT,
        "ending": finder.ENDING,
        "spelled": {chr(letter): letters for letter, letters in finder.SPELLED.items()},
    }


def flat(weights: Mapping[str, Sequence[tuple[int, int]]]) -> dict[str, str]:
    """Encode the index entries for each term as text: alternating distances and weights.

    A distance is the number of an entry minus the number of the term's preceding entry.  To keep
    the text short, each value is encoded as the character whose code point is `LETTER` plus the
    value.
    """
    return {
        name: "".join(
            chr(LETTER + each)
            for (before, _), (number, weight) in pairwise(((0, 0), *met))
            for each in (number - before, weight)
        )
        for name, met in weights.items()
    }


def pages(env: BuildEnvironment, language: str) -> Iterator[str]:
    """Yield the searchable pages in a language, and those without a translation into it."""
    for page in sorted(env.titles):
        is_preferred = language_of(page) == language or counterpart(page) not in env.titles
        if is_preferred and page.removeprefix(GERMAN).startswith(SEARCHABLE):
            yield page


def write(app: Sphinx, env: BuildEnvironment) -> None:
    """Write the index of each language to the folder `_static`, after all pages have been read."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        contents = {language: content(env, language) for language in built(env)}
    except (LookupError, OSError, ValueError):
        return  # files that cannot be read are reported elsewhere
    for language, each in contents.items():
        text = json.dumps(each, ensure_ascii=False, separators=(",", ":"))
        (folder / f"found_{language}.js").write_text(f"globalThis.INDEX = {text};\n", "utf-8")


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], _: object) -> None:
    """Add the search scripts to each page that has a search field."""
    if page in PAGES:
        for name in ("finder.js", "finder_page.js"):
            app.add_js_file(name, priority=900)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive, and connect the handlers."""
    app.add_directive("rule-finder", RuleFinder)
    app.connect("env-updated", write)
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
