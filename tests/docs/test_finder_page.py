"""The finder of rules on the pages: its ranking is that of the package, and it finds pages, too."""

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
"""What is typed; and what strangers ask, on the page of which language, and what must be there
first: of the pages, or, where no page is found, of the rules.  Of some, rules have most words, too.
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
    """Return what the script of the pages finds, or offers, for each of what is typed."""
    given, command = json.dumps({"typed": typed, "index": index}), [NODE or "node", "-e", PROGRAM]
    command.append(str(DOCS / "static"))
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


def test_the_pages_rank_as_the_package_does() -> None:
    """For whatever is typed, the script of the pages and `find` name the same, in one order."""
    typed = [*QUESTIONS["typed"], *(each["words"] for each in ASKED)]
    for language in LANGUAGES:
        written = extension("finding").written_rules(index(language))
        ids = [[each["id"] for each in entries] for entries in found(typed, written)]
        assert ids == [[each.id for each in find(words, language)] for words in typed]


def test_the_pages_offer_the_same_words() -> None:
    """Where nothing is met, the pages offer the words that the package offers."""
    typed = ["neihgborhud", "shuflling qqxx", "Bettelmonk", "aprentise", ""]
    written = extension("finding").written_rules(index()) | {"offered": True}
    offered = [meant_perhaps(words) for words in typed]
    assert found(typed, written) == offered
    assert "neighbor" in offered[0]


def titled() -> SimpleNamespace:
    """Return of an environment what the index reads: titles and keywords of the pages.

    Those that a build has written are left out, lest it matter whether there has been one.
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
def test_whole_questions_lead_to_what_they_ask(language: str) -> None:
    """A question finds the page about it without rules about something else, or the rule."""
    content = extension("finding").content(titled(), language)
    asked = [each for each in QUESTIONS["asked"] if each["language"] == language]
    answers = found([each["words"] for each in asked], content)
    for question, entries in zip(asked, answers, strict=True):
        pages = [each["url"] for each in entries if each["kind"] == "page"]
        rules = [each["id"] for each in entries if each["kind"] != "page"]
        assert [*pages, *rules][0].removesuffix(".html") == question["first"], question
        assert not (pages and rules) or question.get("with_rules"), question
