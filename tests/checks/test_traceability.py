"""The traceability check detects every kind of damage.

The damages, and the small repository to which they are done, are in `small_repository.toml`.
"""

import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from spec import mentions, traceability

SMALL: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("small_repository.toml").read_text(encoding="utf-8")
)
BUILDING = "spec/clauses/building.toml"
MODULE = "src/valletta_rules/rulebook/building.py"
MODEL = "spec/quint/building.qnt"
LOCK = "spec/clauses.lock"


@dataclass(frozen=True)
class Tree:
    """A small repository."""

    root: Path

    def __getitem__(self, path: str) -> str:
        """Read a file."""
        return (self.root / path).read_text(encoding="utf-8")

    def __setitem__(self, path: str, text: str) -> None:
        """Write a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace text that occurs once in a file."""
        assert self[path].count(old) == 1
        self[path] = self[path].replace(old, new)

    def run(self, *arguments: str) -> int:
        """Run the command line on this repository."""
        return traceability.main(["--root", str(self.root), *arguments])

    def accept(self) -> int:
        """Accept the texts of this repository."""
        return traceability.accept(self.root)

    def problems(self) -> list[str]:
        """List the problems of this repository, whose files match their schemas."""
        return [str(each) for each in traceability.problems(traceability.Repository(self.root))]

    def names(self, kind: mentions.MentionKind) -> tuple[str, ...]:
        """Return a text that names the second clause."""
        return traceability.Repository(self.root).names(kind, "BLD-2")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A small repository without a problem."""
    tree = Tree(tmp_path)
    for path, text in SMALL["sound"].items():
        tree[path] = text
    return tree


def test_a_repository_without_problems_passes(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its matrix is written."""
    assert tree.run() == 0
    assert capsys.readouterr().out == "0 problems\n"
    assert json.loads(tree[mentions.MATRIX]) == mentions.matrix(tree.root)


@pytest.mark.parametrize("damage", SMALL["damage"], ids=lambda damage: str(damage["what"]))
def test_every_kind_of_damage_is_reported(
    tree: Tree, capsys: pytest.CaptureFixture[str], damage: dict[str, str]
) -> None:
    """The report has file and line, and the check fails."""
    tree.change(damage["file"], damage["old"], damage["new"])
    assert tree.run() == 1
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith(damage["said"]) for line in said), said


def test_all_problems_at_once(tree: Tree) -> None:
    """The check reports every problem, not only the first one."""
    (tree.root / MODEL).unlink()
    tree[MODULE] = ""
    assert [line.rpartition(" ")[2] for line in tree.problems()] == [
        *("implemented", "specified") * 2,
    ]


def test_a_reason_excuses_a_missing_statement(tree: Tree) -> None:
    """A clause with a reason needs no formal statement."""
    tree.change(MODEL, "  // [BLD-2]", "")
    tree.change(BUILDING, "= []", '= []\nspecified = false\nwhy = "No."\nwhy_de = "Nein."')
    assert tree.run() == 0


@pytest.mark.parametrize("case", SMALL["docstring"], ids=lambda case: str(case["source"]))
def test_only_docstrings_name_clauses(tree: Tree, case: dict[str, Any]) -> None:
    """A docstring of a module, class, function or attribute names clauses; other text does not."""
    tree[MODULE] = case["source"]
    names = tuple(name.removeprefix("rulebook.building.") for name in tree.names("code"))
    assert names == tuple(case["names"])


@pytest.mark.parametrize("case", SMALL["comment"], ids=lambda case: str(case["source"]))
def test_a_quint_comment_belongs_to_a_definition(tree: Tree, case: dict[str, str]) -> None:
    """It belongs to the definition that follows or contains it."""
    tree[MODEL] = case["source"]
    assert tree.names("quint") == (f"building.qnt::{case['name']}",)


REVISED = (BUILDING, "hat einen", "hat seinen")
RAISED = (BUILDING, 'Preis."\nrevision = 1', 'Preis."\nrevision = 2')


@pytest.mark.parametrize(
    "changes",
    [
        [REVISED],
        [(BUILDING, "has a", "has its"), REVISED, RAISED],
        [(BUILDING, "has a", "has some"), RAISED, (LOCK, "4af1ac32a4bbabc3", "-")],
    ],
    ids=["other German", "a revision", "a revision that keeps the German"],
)
def test_a_changed_text_is_accepted_with_a_new_revision(
    tree: Tree, changes: list[tuple[str, str, str]]
) -> None:
    """The German text must have been checked."""
    for change in changes:
        tree.change(*change)
    assert tree.run() == 1
    assert tree.accept() == 0
    assert tree.run() == 0


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (BUILDING, "has a price", "has its price"),
        (BUILDING, 'id = "BLD-2"', 'id = "BLD-1"'),
        (BUILDING, 'text = "A site has a price."\n', ""),
        (LOCK, 'BLD-2 = "1', 'BLD-2 = "one'),
    ],
)
def test_unmarked_changes_are_not_accepted(
    tree: Tree, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str
) -> None:
    """Changed texts without a new revision and missing ids are refused; nothing is written."""
    tree.change(path, old, new)
    lock = tree[LOCK]
    assert tree.accept() == 1
    assert capsys.readouterr().out.endswith("nothing accepted\n")
    assert tree[LOCK] == lock


def test_a_retired_id_keeps_its_note(tree: Tree) -> None:
    """The note is written by hand, and stays through later acceptances."""
    second = tree[BUILDING].index("[[clause]]", tree[BUILDING].index("BLD-1"))
    tree[BUILDING] = tree[BUILDING][:second]
    assert f"{LOCK}:1: BLD-2 has disappeared and is not retired" in tree.problems()
    tree.change(LOCK, "[retired]\n", '[retired]\nBLD-2 = ["BLD-1"]\n')
    assert tree.accept() == 0
    fates = tree[LOCK].partition("[split]")[2]
    assert fates == '\nBLD-1 = ["BLD-2"]\n\n[retired]\nBLD-2 = ["BLD-1"]\n'


def test_an_outdated_matrix_is_written(tree: Tree) -> None:
    """The file is written if a source is newer, and no other file is left behind."""
    matrix = tree.root / mentions.MATRIX
    mentions.refresh_matrix(tree.root)
    old = matrix.stat()
    mentions.refresh_matrix(tree.root)
    assert matrix.stat().st_mtime_ns == old.st_mtime_ns
    tree.change(MODULE, "BLD-1,\n    BLD-2", "BLD-1")
    os.utime(tree.root / MODULE, ns=(old.st_atime_ns, old.st_mtime_ns + 1_000_000_000))
    mentions.refresh_matrix(tree.root)
    assert json.loads(matrix.read_text("utf-8"))["BLD-2"]["code"] == []
    assert [path.name for path in matrix.parent.glob("matrix*")] == ["matrix.json"]
