"""The pages of the characters, and which clauses stand on them, without a build."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from valletta_rules import Character
from valletta_rules.specification.clauses import explain

ROOT = Path(__file__).resolve().parents[2]


def extension(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return an extension of the documentation."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "extensions"), str(ROOT), *sys.path])
    return importlib.import_module(name)


def test_a_page_stands_for_each_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there already is left alone, lest it be read anew; what nobody is called goes."""
    write = extension("cards", monkeypatch).write_pages
    write(SimpleNamespace(srcdir=tmp_path))
    folder = tmp_path / "cards" / "each"
    assert {path.stem for path in folder.iterdir()} == set(Character)
    monk, nun = folder / "monk.rst", folder / "nun.rst"
    assert "Monk\n====\n\n.. templated:: card monk\n" in monk.read_text("utf-8")
    assert "templated:: card monk" in (tmp_path / "de/cards/each/monk.rst").read_text("utf-8")
    (folder / "abbot.rst").write_text("Abbot", "utf-8")
    nun.write_text("Nun", "utf-8")
    before = monk.stat().st_mtime_ns
    write(SimpleNamespace(srcdir=tmp_path))
    assert monk.stat().st_mtime_ns == before
    assert ".. templated:: card nun" in nun.read_text("utf-8")
    assert not (folder / "abbot.rst").exists()


@pytest.mark.parametrize(
    ("clause", "characters"),
    [
        ("BLU-33", {Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR}),
        ("BLU-22", {Character.STONEMASON}),
        ("RED-3", {Character.STONE_SCULPTOR}),
        ("GRN-5", set[Character]()),
    ],
)
def test_a_clause_is_about_whom_it_names(
    clause: str, characters: set[Character], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Mason is no Stonemason; and each name leads to its page."""
    named = extension("cards", monkeypatch).named
    text = explain(clause).text
    assert {each for each in Character if named(each, text)} == characters
    written = extension("terms", monkeypatch).with_terms(text)
    for each in characters:
        assert f"</cards/each/{each}>" in written
