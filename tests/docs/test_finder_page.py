"""The finder of rules on the pages: its ranking is that of the package, and it finds pages, too."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import attrs
import pytest
from docutils import nodes

from spec.checks.node import NODE
from valletta_rules.specification.finder import IDLE, find, index

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node")

TYPED = (
    "monk",
    "Mönch",
    "moench",
    "tie",
    "draw pile",
    "empty draw pile",
    "draw stack",
    "Unentschieden",
    "BLD-3",
    "bld 3",
    "what happens when the draw pile is empty?",
    "Was macht der Bettelmönch zu zweit?",
    "bot",
    "bld",
    "What is proved about the rules?",
    "Häuser qqxx",
    "the",
    "qqxx",
    "",
    " straße, FELD ",
)
"""What is typed: beginnings, accents, synonyms, ids, questions, and words that are nowhere."""

ASKED: Final = (
    ("en", "How do I write a bot that searches?", "tutorial/write_a_bot"),
    ("en", "How do I play with cards of my own?", "howto/use_your_own_card_set"),
    ("en", "What does an action look like as JSON?", "reference/actions"),
    ("en", "action JSON", "reference/actions"),
    ("en", "How do I send one player's view over a websocket?", "howto/send_over_the_wire"),
    ("en", "How do I animate what happened?", "howto/animate_events"),
    ("en", "What is proved about the rules?", "explanation/proved_and_tested"),
    ("en", "Can I play online with friends?", "howto/serve_a_table"),
    ("en", "bot", "tutorial/write_a_bot"),
    ("en", "What happens when the draw pile is empty?", "TRN-20"),
    ("en", "What does the monk do with two players?", "BLU-5"),
    ("en", "Who wins a tie?", "SCO-10"),
    ("de", "Wie schicke ich eine Ansicht über einen Websocket?", "howto/embed_in_a_server"),
    ("de", "Wie schreibe ich einen Bot?", "tutorial/write_a_bot"),
    ("de", "Wie spiele ich mit eigenen Karten?", "howto/use_your_own_card_set"),
    ("de", "Wie kann ich Ereignisse animieren?", "howto/animate_events"),
    ("de", "Was ist an den Regeln bewiesen?", "explanation/proved_and_tested"),
    ("de", "Aktion JSON", "reference/actions"),
    ("de", "Was macht der Bettelmönch zu zweit?", "BLU-5"),
    ("de", "was macht der bettelmönch", "BLU-1"),
    ("de", "Was passiert, wenn der Nachziehstapel leer ist?", "TRN-20"),
)
"""What strangers ask, on the page of which language, and what must be there first: of the pages,
or, where no page is found, of the rules."""

WITH_RULES: Final = {
    "How do I play with cards of my own?",
    "Wie spiele ich mit eigenen Karten?",
    "Wie kann ich Ereignisse animieren?",
}
"""Questions that lead to a page, but of which rules have most of the words, too."""

PROGRAM = """
require(process.argv[1] + "/finder.js");
const { typed, index } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const entries = words => finder.find(words, index).map(number => index.entries[number]);
console.log(JSON.stringify(typed.map(entries)));
"""


def found(typed: list[str], index: dict[str, Any]) -> list[list[dict[str, str]]]:
    """Return what the script of the pages finds for each of what is typed."""
    given, command = json.dumps({"typed": typed, "index": index}), [NODE or "node", "-e", PROGRAM]
    command.append(str(DOCS / "static"))
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_the_pages_rank_as_the_package_does() -> None:
    """For whatever is typed, the script of the pages and `find` name the same, in one order."""
    looked_through = {
        "entries": [attrs.asdict(each) for each in index().entries],
        "idle": sorted(IDLE),
        "english": dict(index().english),
        "german": dict(index().german),
    }
    ids = [[each["id"] for each in entries] for entries in found([*TYPED], looked_through)]
    assert ids == [[each.id for each in find(words)] for words in TYPED]


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
def test_whole_questions_lead_to_what_they_ask(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question finds the page about it without rules about something else, or the rule."""
    monkeypatch.setattr(sys, "path", [str(DOCS / "extensions"), *sys.path])
    content = importlib.import_module("finding").content(titled(), language)
    asked = {words: first for spoken, words, first in ASKED if spoken == language}
    for (words, first), entries in zip(asked.items(), found([*asked], content), strict=True):
        pages = [each["url"] for each in entries if each["kind"] == "page"]
        rules = [each["id"] for each in entries if each["kind"] != "page"]
        assert [*pages, *rules][0].removesuffix(".html") == first, words
        assert not (pages and rules) or words in WITH_RULES, words
