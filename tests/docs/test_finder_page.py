"""The finder of rules on the pages: its ranking is that of the package."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import attrs
import pytest

from valletta_rules.finder import find, index

STATIC = Path(__file__).resolve().parents[2] / "docs" / "static"

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
    "Häuser qqxx",
    "the",
    "qqxx",
    "",
    " straße, FELD ",
)
"""What is typed: beginnings, accents, synonyms, ids, questions, and words that are nowhere."""

PROGRAM = """
require(process.argv[1] + "/finder.js");
const { typed, index } = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const ids = words => finder.find(words, index).map(number => index.entries[number].id);
console.log(JSON.stringify(typed.map(ids)));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_the_pages_rank_as_the_package_does() -> None:
    """For whatever is typed, the script of the pages and `find` name the same, in one order."""
    found = index()
    read = {
        "entries": [attrs.asdict(each) for each in found.entries],
        "english": dict(found.english),
        "german": dict(found.german),
    }
    given = json.dumps({"typed": TYPED, "index": read})
    command = ["node", "-e", PROGRAM, str(STATIC)]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == [[each.id for each in find(words)] for words in TYPED]
