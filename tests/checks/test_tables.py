"""Tests that a missing entry in a table of characters, prompts, actions or events is reported.

The guide to adding a card has a step for each table.  The message names this step.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spec.tables import FILE, gaps
from tests.sources import ROOT

LISTED: dict[str, Any] = tomllib.loads((ROOT / FILE).read_text("utf-8"))

ENGLISH: dict[str, Any] = tomllib.loads((ROOT / "docs/project/words.toml").read_text("utf-8"))

NEW = {
    "character": ('    KNIGHT = (\n        "knight"', '    CHANDLER = "chandler"\n'),
    "prompt": ("    | ArchitectPrompt\n", "    | ChandlerPrompt\n"),
    "action": ("    | Decline\n", "    | Swap\n"),
    "verb": (
        "        case actions.Upgrade(site):\n",
        '        case actions.Swap():\n            return "swap"\n',
    ),
    "event": ("    | GameEnded\n", "    | CandlePoured\n"),
}
"""For each kind of item, such as a character or an event, a line in the sources, and a new item
that tests insert before this line."""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder with copies of the tables, and of the files that define the items."""
    paths = [FILE, *LISTED["keys"].values()]
    paths += [path for row in LISTED["table"] for some in row["step"].values() for path in some]
    for source in {each for path in paths for each in ROOT.glob(path.partition("::")[0])}:
        copy = tmp_path / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
    return tmp_path


@pytest.mark.parametrize("kind", NEW)
def test_each_table_without_an_entry_for_a_new_item_is_reported_with_its_step(
    sources: Path, kind: str
) -> None:
    """The message contains the number of the step in the guide to adding a card."""
    path = sources / LISTED["keys"][kind].partition("::")[0]
    before, new = NEW[kind]
    text = path.read_text("utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, new + before), "utf-8")
    rows = [row for row in LISTED["table"] if row["of"] == kind]
    wanted = sorted(step for row in rows for step, some in row["step"].items() for _ in some)
    messages = [message for _, message in gaps(sources)]
    assert sorted(re.findall(r"step (\d)\)$", "\n".join(messages), re.MULTILINE)) == wanted
    assert all(f" the {kind} " in f" {each}" for each in messages)


def test_a_listed_table_whose_file_does_not_exist_raises_an_error(sources: Path) -> None:
    """Otherwise, the list of tables could become outdated without a failing test."""
    (sources / "src/native/engine.c").unlink()
    with pytest.raises(LookupError, match=r"engine\.c, which does not exist"):
        list(gaps(sources))


def test_the_guide_to_adding_a_card_has_every_step_that_messages_name() -> None:
    """The guide is the section *Adding a card* in `docs/project/extending.md`."""
    guide = (ROOT / "docs/project/extending.md").read_text("utf-8")
    adding = guide.partition("## Adding a card")[2].partition("\n## ")[0]
    steps = {step for row in LISTED["table"] for step in row["step"]}
    assert steps <= {*re.findall(r"(?m)^(\d)\. ", adding)}


def files_of_the_guide() -> Iterator[tuple[Path, str]]:
    """Yield the relative paths and the texts of the files that `words.toml` lists."""
    for path in [each for pattern in ENGLISH["files"] for each in ROOT.glob(pattern)]:
        if not {"de", "node_modules"} & {*path.relative_to(ROOT).parts}:
            yield path.relative_to(ROOT), path.read_text("utf-8")


def test_no_function_or_variable_is_named_by_an_everyday_verb() -> None:
    """A name says what its value is, such as `lines`; a participle makes readers guess."""
    words = ENGLISH["names"]
    names = re.compile(
        rf"(?m)(\bdef |\bfor |^ +)({words})( in |\((?=self|\)|\w+:)|(: [^\n=]*)? = )"
    )
    hits = [
        f"{path}: {hit[0]}"
        for path, text in files_of_the_guide()
        if path.suffix == ".py"
        for hit in names.finditer(text)
    ]
    assert hits == []


def test_no_file_contains_words_that_the_guide_to_english_replaces() -> None:
    """`docs/project/words.toml` lists the words, their replacements and the files."""
    replaced = re.compile(rf"\b({'|'.join(ENGLISH['instead'])})\b")
    hits: list[str] = []
    for path, text in files_of_the_guide():
        line = re.sub(r"\s*\n[\s#/*]*", " ", text)
        line = re.sub(r"\btest_\w+", lambda name: name[0].replace("_", " "), line)
        for hit in replaced.finditer(line):
            hits.append(f"{path}: {line[hit.start() - 30 : hit.end() + 30]}")
    assert hits == []
