"""Tests that the traceability check detects every kind of damage to a repository.

`small_repository.toml` contains a small repository, and changes that damage it.
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
    """A small repository. `tree[path]` is the text of the file at a path."""

    root: Path

    def __getitem__(self, path: str) -> str:
        """Return the text of the file at `path`."""
        return (self.root / path).read_text(encoding="utf-8")

    def __setitem__(self, path: str, text: str) -> None:
        """Write the text of the file at `path`."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace text in a file. The old text must occur exactly once."""
        assert self[path].count(old) == 1
        self[path] = self[path].replace(old, new)

    def run(self, *arguments: str) -> int:
        """Run the command of the check on this repository, and return the exit status."""
        return traceability.main(["--root", str(self.root), *arguments])

    def accept(self) -> int:
        """Accept the current texts of all clauses, and return the exit status."""
        return traceability.accept(self.root)

    def problems(self) -> list[str]:
        """Return the messages of the check about problems in this repository."""
        return [str(each) for each in traceability.problems(traceability.Repository(self.root))]

    def names(self, kind: mentions.MentionKind) -> tuple[str, ...]:
        """Return the names of definitions, of the given kind, that mention the clause BLD-2."""
        return traceability.Repository(self.root).names(kind, "BLD-2")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a small repository that passes the traceability check."""
    tree = Tree(tmp_path)
    for path, text in SMALL["sound"].items():
        tree[path] = text
    return tree


def test_a_repository_without_problems_passes_the_check_and_gets_a_matrix(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    """The matrix is a generated file that lists, for each clause, the places that mention it."""
    assert tree.run() == 0
    assert capsys.readouterr().out == "0 problems\n"
    assert json.loads(tree[mentions.MATRIX]) == mentions.matrix(tree.root)


@pytest.mark.parametrize("damage", SMALL["damage"], ids=lambda damage: str(damage["what"]))
def test_each_kind_of_damage_fails_the_check_with_a_message_for_its_file_and_line(
    tree: Tree, capsys: pytest.CaptureFixture[str], damage: dict[str, str]
) -> None:
    """`small_repository.toml` lists the kinds of damage. The check exits with status 1."""
    tree.change(damage["file"], damage["old"], damage["new"])
    assert tree.run() == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(damage["said"]) for line in lines), lines


def test_the_check_reports_all_problems_of_a_repository_in_one_run(tree: Tree) -> None:
    """The damaged repository lacks the implementation and the specification of both its clauses."""
    (tree.root / MODEL).unlink()
    tree[MODULE] = ""
    assert [line.rpartition(" ")[2] for line in tree.problems()] == [
        *("implemented", "specified") * 2,
    ]


def test_a_clause_needs_no_formal_statement_if_a_reason_is_given(tree: Tree) -> None:
    """The entry of the clause contains ``specified = false``, and a reason in both languages."""
    tree.change(MODEL, "  // [BLD-2]", "")
    tree.change(BUILDING, "= []", '= []\nspecified = false\nwhy = "No."\nwhy_de = "Nein."')
    assert tree.run() == 0


@pytest.mark.parametrize("case", SMALL["docstring"], ids=lambda case: str(case["source"]))
def test_in_python_code_only_docstrings_can_name_clauses(tree: Tree, case: dict[str, Any]) -> None:
    """The docstring can belong to a module, class, function or attribute.

    Ids in comments are ignored.
    """
    tree[MODULE] = case["source"]
    names = tuple(name.removeprefix("rulebook.building.") for name in tree.names("code"))
    assert names == tuple(case["names"])


@pytest.mark.parametrize("case", SMALL["comment"], ids=lambda case: str(case["source"]))
def test_a_clause_id_in_a_quint_comment_belongs_to_the_definition_after_or_around_it(
    tree: Tree, case: dict[str, str]
) -> None:
    """The formal model is written in Quint, which has no docstrings."""
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
def test_a_changed_text_of_a_clause_is_accepted_if_its_revision_is_raised(
    tree: Tree, changes: list[tuple[str, str, str]]
) -> None:
    """The check fails until the text is accepted. A changed translation needs no new revision."""
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
def test_a_changed_text_without_a_new_revision_is_not_accepted(
    tree: Tree, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str
) -> None:
    """Duplicate ids, missing texts and a damaged lock file are also refused.

    The lock file remains unchanged.
    """
    tree.change(path, old, new)
    lock = tree[LOCK]
    assert tree.accept() == 1
    assert capsys.readouterr().out.endswith("nothing accepted\n")
    assert tree[LOCK] == lock


def test_the_entry_for_a_retired_clause_is_preserved_when_texts_are_accepted(tree: Tree) -> None:
    """An author who deletes a clause adds its id and its successors to the lock file by hand."""
    second = tree[BUILDING].index("[[clause]]", tree[BUILDING].index("BLD-1"))
    tree[BUILDING] = tree[BUILDING][:second]
    assert f"{LOCK}:1: BLD-2 has disappeared and is not retired" in tree.problems()
    tree.change(LOCK, "[retired]\n", '[retired]\nBLD-2 = ["BLD-1"]\n')
    assert tree.accept() == 0
    fates = tree[LOCK].partition("[split]")[2]
    assert fates == '\nBLD-1 = ["BLD-2"]\n\n[retired]\nBLD-2 = ["BLD-1"]\n'


def test_the_matrix_is_written_only_if_a_source_is_newer(tree: Tree) -> None:
    """The matrix lists, for each clause, the places that mention it. No temporary file remains."""
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
