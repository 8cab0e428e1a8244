"""Tests that generated files are current, and that `python -m spec.checks accept` updates them."""

import json
from pathlib import Path

import pytest

from spec.checks import goldens
from spec.checks.__main__ import main
from spec.checks.established import ROOT, is_present, stamp
from valletta_rules import codec


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder that contains a Quint file and a Python file."""
    (tmp_path / "one.qnt").write_text("module one {\n  val a = 1\n}\n", encoding="utf-8")
    (tmp_path / "two.py").write_text('"""Two."""\n\nA = "# 2"\n"""A."""\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "is_valid"),
    [
        ("one.qnt", "module one {\n  val a = 1\n}\n", True),
        # Comments, docstrings and empty lines do not count.
        ("one.qnt", "// One.\nmodule one {\n\n  val a = 1   // the first\n}\n", True),
        ("two.py", '"""Two,\n\nat length.\n"""\n\n# two\nA = "# 2"\n', True),
        # A change of anything else does, and so does a file that is added or removed.
        ("one.qnt", "module one {\n  val a = 2\n}\n", False),
        ("two.py", 'A = "# 3"\n', False),
        ("three.py", "B = 3\n", False),
        ("one.qnt", None, False),
    ],
)
def test_a_stamp_stays_valid_if_comments_change_and_becomes_invalid_if_code_changes(
    sources: Path, name: str, text: str | None, is_valid: bool
) -> None:
    """A stamp is a digest of source files that ignores comments, docstrings and blank lines."""
    stamped = stamp(("*.qnt", "*.py"), sources)
    if text is None:
        (sources / name).unlink()
    else:
        (sources / name).write_text(text, encoding="utf-8")
    assert is_present(stamped, sources) is is_valid


def test_the_recorded_explorations_were_made_with_the_current_model() -> None:
    """`spec/explored.json` contains the results of state exploration, and a digest of the model."""
    sources = json.loads((ROOT / "spec/explored.json").read_text(encoding="utf-8"))["sources"]
    assert all(map(is_present, sources.values())), "run: python -m spec.checks accept model"


# Accepting


def test_accept_generated_writes_the_current_schema_types_and_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The written JSON Schema and TypeScript types must equal the files in the repository."""
    published = codec.SCHEMA, codec.TYPESCRIPT
    monkeypatch.setattr(codec, "SCHEMA", tmp_path / "schema")
    monkeypatch.setattr(codec, "TYPESCRIPT", tmp_path / "types")
    monkeypatch.setattr("spec.checks.messages.TYPES", tmp_path / "messages")
    monkeypatch.setattr("spec.checks.picture.PICTURE", tmp_path / "picture")
    monkeypatch.setattr("spec.native_sources.accept", lambda: None)
    assert main(["accept", "generated"]) == 0
    for name, path in zip(("schema", "types"), published, strict=True):
        assert (tmp_path / name).read_text("utf-8") == path.read_text("utf-8")
    assert (tmp_path / "picture").exists()


def test_accept_goldens_writes_missing_games_and_deletes_unknown_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The written golden games must equal those that the engine plays now."""
    few = goldens.goldens()[:2]
    monkeypatch.setattr(goldens, "goldens", lambda: few)
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    (tmp_path / "stray.txt").write_text("nothing", encoding="utf-8")
    assert len(goldens.strays()) == 1
    assert main(["accept", "goldens"]) == 0
    assert goldens.strays() == ()
    assert [each.path.read_text("utf-8") for each in few] == [each.text() for each in few]
