"""Tests of `valletta cards`, which shows and checks card sets, and prints a template."""

import tomllib
from pathlib import Path

import pytest

from tests.card_sets.texts import Changes, damaged, exchanged, filled
from valletta_rules.card_sets.files import RECONSTRUCTION, TEMPLATE, load_card_set
from valletta_rules.cli.main import main

CASES = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))["cases"]

Captured = pytest.CaptureFixture[str]


def command(*words: str) -> int:
    """Run `valletta cards` with arguments, and return the exit status."""
    return main(["cards", *words])


def file_with(tmp_path: Path, text: str) -> str:
    """Write `text` to a new file, and return the path."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("changes", "words", "status", "out", "err"),
    [case[1:] for case in CASES],
    ids=next(zip(*CASES, strict=True)),
)
def test_the_cards_command_has_the_expected_output_and_exit_status(
    capsys: Captured,
    tmp_path: Path,
    changes: Changes,
    words: list[str],
    status: int,
    out: list[str],
    err: list[str],
) -> None:
    """The test cases show a card set, check a file, print a template, or have invalid arguments."""
    name = file_with(tmp_path, text := exchanged(changes))
    assert command(*(word.replace("FILE", name) for word in words)) == status
    captured = capsys.readouterr()
    for output, expected in ((captured.out, out), (captured.err, err)):
        joined, at = " ".join([*output.split(), ""]), 0
        for part in expected:
            at = joined.index(part.replace("FILE", name), at)
        assert bool(output) == bool(expected)
    assert Path(name).read_text("utf-8") == text


def test_the_cards_command_aligns_columns_in_plain_ascii(capsys: Captured) -> None:
    """Lines have at most 100 characters and no trailing spaces."""
    command()
    output = capsys.readouterr().out
    assert output.isascii()
    lines = output.splitlines()
    assert max(map(len, lines)) <= 100
    assert not any(line.endswith(" ") for line in lines)
    rows = [line for line in lines if line[1:2] in {"*", " "} and line[:1].isalpha()]
    assert len(rows) == 23
    icons = lines[2].index("icon")
    assert all(row[icons - 1] == " " and row[icons].isalpha() for row in rows)


def test_the_cards_command_shows_printed_values_without_marks(
    capsys: Captured, tmp_path: Path
) -> None:
    """For example, an asterisk marks a reconstructed value.

    The test file has only printed values.
    """
    text = damaged("copies = 3", "copies = 2", letter="C")
    second = damaged("copies = 3", "copies = 1", letter="C").split("\n[[building]]\n")[3]
    text += "\n[[building]]\n" + second.split("\n\n")[0].replace("points = 1", "points = 2")
    text = text.replace('default = "reconstructed"', 'default = "printed"').replace(
        '"Reconstruction 3"', '"Mine"'
    )
    assert command("--cards", file_with(tmp_path, text)) == 0
    output = capsys.readouterr().out
    assert "*" not in output
    assert "reconstruct" not in output.lower()
    rows = [line.split() for line in output.splitlines()]
    assert ["C2", "Carver", "1", "1", "2", "-", "1", "stone", "2"] in rows


def test_the_template_of_the_cards_command_can_be_filled_in_and_loaded(
    capsys: Captured, tmp_path: Path
) -> None:
    """Checking the unchanged template reports only the values that must still be filled in."""
    assert command("--template") == 0
    assert capsys.readouterr().out == TEMPLATE
    path = tmp_path / "mine.toml"
    path.write_text(TEMPLATE, encoding="utf-8")
    assert command("--check", str(path)) == 1
    output = capsys.readouterr().out
    assert ': 188 values marked "?" are still to be filled in.\n' in output
    assert "- the card set: still to be filled in: name, barrels\n" in output
    assert "still to be filled in: letter, copies, cost, icon, points\n" in output
    assert "problem" not in output
    path.write_text(filled(RECONSTRUCTION), encoding="utf-8")
    assert load_card_set(path) == RECONSTRUCTION
