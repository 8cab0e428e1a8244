"""The traceability check: no kind of damage escapes it.

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
        """List the problems of this repository, whose files have the form of their schemas."""
        return [str(each) for each in traceability.problems(traceability.Repository(self.root))]

    def names(self, kind: mentions.MentionKind) -> tuple[str, ...]:
        """Name what names the second clause."""
        return traceability.Repository(self.root).names(kind, "BLD-2")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A small repository without a fault."""
    tree = Tree(tmp_path)
    for path, text in SMALL["sound"].items():
        tree[path] = text
    return tree


def test_sound_repository(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    """A repository without a fault passes, and its matrix is written."""
    assert tree.run() == 0
    assert capsys.readouterr().out == "0 problems\n"
    assert json.loads(tree[mentions.MATRIX]) == mentions.matrix(tree.root)


@pytest.mark.parametrize("damage", SMALL["damage"], ids=lambda damage: str(damage["what"]))
def test_damage(tree: Tree, capsys: pytest.CaptureFixture[str], damage: dict[str, str]) -> None:
    """Every kind of damage is reported with its file and line, and fails the check."""
    tree.change(damage["file"], damage["old"], damage["new"])
    assert tree.run() == 1
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith(damage["said"]) for line in said), said


def test_all_problems_at_once(tree: Tree) -> None:
    """The check reports everything that is wrong, not only the first thing."""
    (tree.root / MODEL).unlink()
    tree[MODULE] = ""
    assert [line.rpartition(" ")[2] for line in tree.problems()] == [
        *("implemented", "specified") * 2,
    ]


def test_excuse(tree: Tree) -> None:
    """A clause that says why it is not specified need not be."""
    tree.change(MODEL, "  // [BLD-2]", "")
    tree.change(BUILDING, "= []", '= []\nspecified = false\nwhy = "No."\nwhy_de = "Nein."')
    assert tree.run() == 0


@pytest.mark.parametrize("case", SMALL["docstring"], ids=lambda case: str(case["source"]))
def test_docstrings(tree: Tree, case: dict[str, Any]) -> None:
    """A docstring of a module, class, function or attribute names clauses; other text does not."""
    tree[MODULE] = case["source"]
    names = tuple(name.removeprefix("rulebook.building.") for name in tree.names("code"))
    assert names == tuple(case["names"])


@pytest.mark.parametrize("case", SMALL["comment"], ids=lambda case: str(case["source"]))
def test_quint_comments(tree: Tree, case: dict[str, str]) -> None:
    """A comment belongs to the definition that follows it or in whose body it stands."""
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
    ids=["other German", "a revision", "a revision of which the German holds"],
)
def test_accepting(tree: Tree, changes: list[tuple[str, str, str]]) -> None:
    """A changed text is accepted once its revision has been raised, and its German looked at."""
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
def test_refusing_to_accept(
    tree: Tree, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str
) -> None:
    """Texts changed in silence and ids that disappeared are refused, and nothing is written."""
    tree.change(path, old, new)
    lock = tree[LOCK]
    assert tree.accept() == 1
    assert capsys.readouterr().out.endswith("nothing accepted\n")
    assert tree[LOCK] == lock


def test_retiring(tree: Tree) -> None:
    """What became of an id is written by hand, and stays through later acceptances."""
    second = tree[BUILDING].index("[[clause]]", tree[BUILDING].index("BLD-1"))
    tree[BUILDING] = tree[BUILDING][:second]
    assert f"{LOCK}:1: BLD-2 has disappeared and is not retired" in tree.problems()
    tree.change(LOCK, "[retired]\n", '[retired]\nBLD-2 = ["BLD-1"]\n')
    assert tree.accept() == 0
    fates = tree[LOCK].partition("[split]")[2]
    assert fates == '\nBLD-1 = ["BLD-2"]\n\n[retired]\nBLD-2 = ["BLD-1"]\n'


def test_the_matrix_is_written_anew_when_a_source_is_younger(tree: Tree) -> None:
    """What the package reads is written when it is out of date, and nothing else is left there."""
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
