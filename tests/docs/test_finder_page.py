"""Tests of the search on the documentation pages: it ranks like the package and finds the pages."""

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
from tests.specification import ASKED
from valletta_rules.specification.finder import find, index, meant_perhaps
from valletta_rules.specification.phrases import LANGUAGES

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node")

QUESTIONS: Final = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))
"""Search texts, and questions with the language of the page and the expected first hit.

The expected hit is a page or, where no page is found, a rule.
Where `with_rules` is set, rules are searched as well.
"""

PROGRAM = """
require(process.argv[1] + "/finder.js");
const { typed, index } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const opened = finder.opened(index);
const entries = words => finder.find(words, opened).map(number => index.entries[number]);
const answer = index.offered ? words => finder.meantPerhaps(words, opened) : entries;
console.log(JSON.stringify(typed.map(answer)));
"""


def found(typed: list[str], index: dict[str, Any]) -> Any:
    """Run the script of the pages, and return its results for each search text.

    Results are hits or suggestions.
    """
    given, command = json.dumps({"typed": typed, "index": index}), [NODE or "node", "-e", PROGRAM]
    command.append(str(DOCS / "static"))
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def test_the_script_of_the_pages_and_the_function_find_return_the_same_hits_in_the_same_order() -> (
    None
):
    """The search texts are in English and German, with accents, ids and unknown words."""
    typed = [*QUESTIONS["typed"], *(each["words"] for each in ASKED)]
    for language in LANGUAGES:
        written = extension("finding").written_rules(index(language))
        ids = [[each["id"] for each in entries] for entries in found(typed, written)]
        assert ids == [[each.id for each in find(words, language)] for words in typed]


def test_the_script_of_the_pages_suggests_the_same_words_as_the_package() -> None:
    """The search texts are misspelled and have no hits."""
    typed = ["neihgborhud", "shuflling qqxx", "Bettelmonk", "aprentise", ""]
    written = extension("finding").written_rules(index()) | {"offered": True}
    offered = [meant_perhaps(words) for words in typed]
    assert found(typed, written) == offered
    assert "neighbor" in offered[0]


def titled() -> SimpleNamespace:
    """Return a substitute for the Sphinx environment with the titles and keywords of all pages.

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
def test_the_first_hit_for_a_question_is_the_page_that_answers_it_or_else_the_rule(
    language: str,
) -> None:
    """Pages and rules are searched together only for questions with `with_rules`."""
    content = extension("finding").content(titled(), language)
    asked = [each for each in QUESTIONS["asked"] if each["language"] == language]
    answers = found([each["words"] for each in asked], content)
    for question, entries in zip(asked, answers, strict=True):
        pages = [each["url"] for each in entries if each["kind"] == "page"]
        rules = [each["id"] for each in entries if each["kind"] != "page"]
        assert [*pages, *rules][0].removesuffix(".html") == question["first"], question
        assert not (pages and rules) or question.get("with_rules"), question
