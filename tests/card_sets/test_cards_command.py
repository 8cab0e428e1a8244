"""The command `cards`: showing, checking and beginning card sets."""

import tomllib
from pathlib import Path

import pytest

from tests.card_sets.texts import Changes, damaged, exchanged, filled
from valletta_rules.card_sets.files import RECONSTRUCTION, TEMPLATE, load_card_set
from valletta_rules.cli.main import main

CASES = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))["cases"]

Captured = pytest.CaptureFixture[str]


def command(*words: str) -> int:
    """Carry out the command and return its exit status."""
    return main(["cards", *words])


def file_with(tmp_path: Path, text: str) -> str:
    """Return the name of a new file with this text."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("changes", "words", "status", "out", "err"),
    [case[1:] for case in CASES],
    ids=next(zip(*CASES, strict=True)),
)
def test_the_command(
    capsys: Captured,
    tmp_path: Path,
    changes: Changes,
    words: list[str],
    status: int,
    out: list[str],
    err: list[str],
) -> None:
    """A set is shown with marks, a file checked, a template written, and misuse refused."""
    name = file_with(tmp_path, text := exchanged(changes))
    assert command(*(word.replace("FILE", name) for word in words)) == status
    captured = capsys.readouterr()
    for said, expected in ((captured.out, out), (captured.err, err)):
        joined, at = " ".join([*said.split(), ""]), 0
        for part in expected:
            at = joined.index(part.replace("FILE", name), at)
        assert bool(said) == bool(expected)
    assert Path(name).read_text("utf-8") == text


def test_columns(capsys: Captured) -> None:
    """The columns are aligned and the lines no longer than 100, in plain ASCII."""
    command()
    shown = capsys.readouterr().out
    assert shown.isascii()
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 100
    assert not any(line.endswith(" ") for line in lines)
    rows = [line for line in lines if line[1:2] in {"*", " "} and line[:1].isalpha()]
    assert len(rows) == 23
    icons = lines[2].index("icon")
    assert all(row[icons - 1] == " " and row[icons].isalpha() for row in rows)


def test_own(capsys: Captured, tmp_path: Path) -> None:
    """A printed set is shown without marks, its designs told apart by their codes."""
    text = damaged("copies = 3", "copies = 2", letter="C")
    second = damaged("copies = 3", "copies = 1", letter="C").split("\n[[building]]\n")[3]
    text += "\n[[building]]\n" + second.split("\n\n")[0].replace("points = 1", "points = 2")
    text = text.replace('default = "reconstructed"', 'default = "printed"').replace(
        '"Reconstruction 3"', '"Mine"'
    )
    assert command("--cards", file_with(tmp_path, text)) == 0
    shown = capsys.readouterr().out
    assert "*" not in shown
    assert "reconstruct" not in shown.lower()
    rows = [line.split() for line in shown.splitlines()]
    assert ["C2", "Carver", "1", "1", "2", "-", "1", "stone", "2"] in rows


def test_template(capsys: Captured, tmp_path: Path) -> None:
    """It is printed; filled in, it is a card set.

    Untouched it has nothing wrong, only values to fill in, table by table.
    """
    assert command("--template") == 0
    assert capsys.readouterr().out == TEMPLATE
    path = tmp_path / "mine.toml"
    path.write_text(TEMPLATE, encoding="utf-8")
    assert command("--check", str(path)) == 1
    shown = capsys.readouterr().out
    assert ': 188 values marked "?" are still to be filled in.\n' in shown
    assert "- the card set: still to be filled in: name, barrels\n" in shown
    assert "still to be filled in: letter, copies, cost, icon, points\n" in shown
    assert "problem" not in shown
    path.write_text(filled(RECONSTRUCTION), encoding="utf-8")
    assert load_card_set(path) == RECONSTRUCTION
