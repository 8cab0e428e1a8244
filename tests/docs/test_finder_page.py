"""Tests of the search on documentation pages, a JavaScript version of the function `find`."""

import json
import re
import subprocess
import tomllib
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from docutils import nodes

from spec.checks.node import NODE
from tests.docs import DOCS, extension
from tests.specification import PLAYER_QUESTIONS
from valletta_rules.specification.finder import find, index, similar_words
from valletta_rules.specification.phrases import LANGUAGES

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node")

QUESTIONS: Final = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))
"""Search texts, and questions, each with its language and its expected first hit.

The expected first hit is a page, or a rule if no page is found.  Only questions with the key
`with_rules` may find both pages and rules."""

PROGRAM = """
require(process.argv[1] + "/finder.js");
const { typed, index } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const opened = finder.opened(index);
const entries = words => finder.find(words, opened).map(number => index.entries[number]);
const answer = index.offered ? words => finder.suggestWords(words, opened) : entries;
console.log(JSON.stringify(typed.map(answer)));
"""


def search(typed: list[str], index: dict[str, Any]) -> Any:
    """Run the JavaScript search, and return its hits or suggestions for each search text."""
    request, command = json.dumps({"typed": typed, "index": index}), [NODE or "node", "-e", PROGRAM]
    command.append(str(DOCS / "static"))
    done = subprocess.run(command, input=request, capture_output=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def test_the_javascript_search_and_the_function_find_return_the_same_hits_in_the_same_order() -> (
    None
):
    """The search texts are English and German, with accents, ids and unknown words."""
    typed = [*QUESTIONS["typed"], *(each["words"] for each in PLAYER_QUESTIONS)]
    for language in LANGUAGES:
        written = extension("finding").written_rules(index(language))
        ids = [[each["id"] for each in entries] for entries in search(typed, written)]
        assert ids == [[each.id for each in find(words, language)] for words in typed]


def test_the_javascript_search_and_the_package_suggest_the_same_words_for_misspelled_ones() -> None:
    """Suggestions are needed for search texts without hits."""
    typed = ["neihgborhud", "shuflling qqxx", "Bettelmonk", "aprentise", ""]
    written = extension("finding").written_rules(index()) | {"offered": True}
    offered = [similar_words(words) for words in typed]
    assert search(typed, written) == offered
    assert "neighbor" in offered[0]


def titled() -> SimpleNamespace:
    """Return a substitute for the Sphinx environment, with the titles and keywords of all pages.

    Generated pages are omitted, so that earlier builds do not change the result.
    """
    titles, metadata = {}, defaultdict[str, dict[str, str]](dict)
    for path in DOCS.rglob("*.rst"):
        page, text = path.relative_to(DOCS).with_suffix("").as_posix(), path.read_text("utf-8")
        title = re.search(r"^(.+)\n([=*#])\2+$", text, re.MULTILINE)
        if title and path.parent.name != "each":
            titles[page] = nodes.title("", title[1])
            metadata[page] = dict(re.findall(r"\A:(keywords): (.+)", text))
    return SimpleNamespace(titles=titles, metadata=metadata)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_hit_for_a_question_is_the_page_or_rule_that_answers_it(
    language: str,
) -> None:
    """Questions about the rules find only rules, and other questions find only pages.

    Questions with `with_rules` may find both.
    """
    content = extension("finding").content(titled(), language)
    questions = [each for each in QUESTIONS["question"] if each["language"] == language]
    answers = search([each["words"] for each in questions], content)
    for question, entries in zip(questions, answers, strict=True):
        pages = [each["url"] for each in entries if each["kind"] == "page"]
        rules = [each["id"] for each in entries if each["kind"] != "page"]
        assert [*pages, *rules][0].removesuffix(".html") == question["first"], question
        assert not (pages and rules) or question.get("with_rules"), question
