"""The command `cards`: showing, checking and beginning card sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.card_sets.texts import SOUND, damaged, filled
from valletta_rules.card_sets.files import RECONSTRUCTION, TEMPLATE, load_card_set
from valletta_rules.cli.main import main


def command(*words: str) -> int:
    """Carry out the command and return its exit status."""
    return main(["cards", *words])


def file_with(tmp_path: Path, text: str) -> str:
    """Return the name of a new file with this text."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


Captured = pytest.CaptureFixture[str]


class TestShowing:
    """A card set is shown as a table in which every value is marked."""

    def test_built_in(self, capsys: Captured) -> None:
        """Without options the built-in set is shown, and said to be a reconstruction."""
        assert command() == 0
        shown = capsys.readouterr().out
        assert "No printed cost, icon, point value, number of copies or mix of barrels" in shown
        assert "24 rulebook, 115 reconstructed (*)" in " ".join(shown.split())
        assert "Green: 12 cards" in shown
        assert "Barrels: 7 gold, 6 wood, 6 stone and 6 brick*" in shown

    def test_marks(self, capsys: Captured) -> None:
        """An invented value is marked, a value of the rulebook is not; no good is a dash."""
        command()
        rows = {
            line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line
        }
        assert rows["A"][1:] == ["Banker", "3*", "1*", "1*", "1*", "1*", "gold*", "1*"]
        assert rows["B*"][1:] == ["Woodworker", "3*", "1*", "-*", "1*", "2*", "wood*", "1*"]

    def test_columns(self, capsys: Captured) -> None:
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

    def test_own(self, capsys: Captured, tmp_path: Path) -> None:
        """A printed set is shown without marks, its designs told apart by their codes."""
        text = damaged("copies = 3", "copies = 2", letter="C")
        second = damaged("copies = 3", "copies = 1", letter="C").split("\n[[building]]\n")[3]
        text += "\n[[building]]\n" + second.split("\n\n")[0].replace("points = 1", "points = 2")
        text = text.replace('default = "reconstructed"', 'default = "printed"').replace(
            '"Reconstruction 2"', '"Mine"'
        )
        assert command("--cards", file_with(tmp_path, text)) == 0
        shown = capsys.readouterr().out
        assert "*" not in shown
        assert "reconstruct" not in shown.lower()
        rows = [line.split() for line in shown.splitlines()]
        assert ["C2", "Carver", "1", "1", "2", "-", "1", "stone", "2"] in rows

    def test_own_with_guesses(self, capsys: Captured, tmp_path: Path) -> None:
        """Where an own set is partly invented, that is said; derived values have another mark."""
        text = SOUND.replace('default = "reconstructed"', 'default = "derived"')
        text = damaged('{ letter = "rulebook" }', '{ letter = "reconstructed" }', text=text)
        assert command("--cards", file_with(tmp_path, text)) == 0
        shown = capsys.readouterr().out
        assert "A* Banker " in shown
        assert "6 brick+\n" in shown
        assert "they are not those of the printed game" in shown
        assert "No printed cost" not in shown

    def test_faulty(self, capsys: Captured, tmp_path: Path) -> None:
        """A faulty file is not shown; its problems go to standard error."""
        assert command("--cards", file_with(tmp_path, "format = 1")) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "building: is missing" in captured.err


class TestChecking:
    """A file is checked, and everything that is wrong with it is listed."""

    def test_valid(self, capsys: Captured, tmp_path: Path) -> None:
        """A valid file is said to be valid, with where its values come from."""
        name = file_with(tmp_path, SOUND)
        assert command("--check", name) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"{name}: a valid card set, Reconstruction 2. 37 buildings in 23 designs" in shown

    def test_doubts(self, capsys: Captured, tmp_path: Path) -> None:
        """What is unlike the printed cards, as reviews describe them, is told of a valid file."""
        text = SOUND.replace("cost = { gold = 1", "cost = { gold = 0", 1)
        assert command("--check", file_with(tmp_path, text)) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "a valid card set" in shown
        assert '- building 1 ("A"), cost: has no gold, which every cost is said to contain' in shown

    def test_problems(self, capsys: Captured, tmp_path: Path) -> None:
        """All problems of a file are listed with their places, broken into lines that fit."""
        text = damaged("points = 1", "points = 77", letter="B")
        text = damaged('icon = "stone"', 'icon = "marble"', letter="C", text=text)
        assert command("--check", file_with(tmp_path, text)) == 1
        shown = capsys.readouterr().out
        assert ": 2 problems.\n" in shown
        assert '- building 2 ("B"), points (line ' in shown
        assert '- building 3 ("C"), icon (line ' in shown
        assert max(map(len, shown.splitlines())) <= 80

    def test_one_problem(self, capsys: Captured, tmp_path: Path) -> None:
        """A single problem is called a problem."""
        text = damaged("points = 1", "points = -1", letter="B")
        command("--check", file_with(tmp_path, text))
        assert ": 1 problem.\n" in capsys.readouterr().out

    def test_template(self, capsys: Captured, tmp_path: Path) -> None:
        """An untouched template has nothing wrong, only values to fill in, table by table."""
        assert command("--check", file_with(tmp_path, TEMPLATE)) == 1
        shown = capsys.readouterr().out
        assert ': 188 values are still to be filled in where "?" stands.\n' in shown
        assert "- the card set: still to be filled in: name, barrels\n" in shown
        assert "still to be filled in: letter, copies, cost, icon,\n  points\n" in shown
        assert "problem" not in shown

    def test_last_value(self, capsys: Captured, tmp_path: Path) -> None:
        """When a single value is missing, it is named, apart from what is wrong."""
        text = damaged("points = 1", 'points = "?"', letter="B")
        text = damaged("points = 1", 'points = "one"', letter="C", text=text)
        assert command("--check", file_with(tmp_path, text)) == 1
        shown = capsys.readouterr().out
        assert ": 1 problem.\n" in shown
        assert ': 1 value is still to be filled in where "?" stands.\n' in shown
        assert shown.index('building 3 ("C"), points') < shown.index('building 2 ("B") (line')

    def test_missing_file(self, capsys: Captured, tmp_path: Path) -> None:
        """A file that is not there is one problem."""
        assert command("--check", str(tmp_path / "none.toml")) == 1
        assert "cannot be read: No such file" in capsys.readouterr().out


class TestTemplate:
    """A file to fill in is written where it is wanted, and replaces nothing unasked."""

    def test_to_standard_output(self, capsys: Captured) -> None:
        """Without a file name the template is printed as it is."""
        assert command("--template") == 0
        assert capsys.readouterr().out == TEMPLATE

    def test_to_a_file(self, capsys: Captured, tmp_path: Path) -> None:
        """The template is written to a new file, and it is said how to go on."""
        path = tmp_path / "mine.toml"
        assert command("--template", "--output", str(path)) == 0
        assert path.read_text(encoding="utf-8") == TEMPLATE
        assert "--check" in capsys.readouterr().out

    def test_replaces_nothing(self, capsys: Captured, tmp_path: Path) -> None:
        """A file that exists is left alone, unless it is to be replaced by force."""
        name = file_with(tmp_path, "precious")
        assert command("--template", "--output", name) == 1
        assert "exists; --force replaces it" in capsys.readouterr().err
        assert Path(name).read_text(encoding="utf-8") == "precious"
        assert command("--template", "--output", name, "--force") == 0
        assert Path(name).read_text(encoding="utf-8") == TEMPLATE

    def test_cannot_be_written(self, capsys: Captured, tmp_path: Path) -> None:
        """Where nothing can be written, that is said in one line."""
        assert command("--template", "--output", str(tmp_path / "no" / "mine.toml")) == 1
        assert "cannot be written: No such file or directory" in capsys.readouterr().err
        assert command("--template", "--output", "\0") == 1
        assert "is no file name" in capsys.readouterr().err

    def test_filled_in(self, tmp_path: Path) -> None:
        """A template that is filled in is a valid card set: from template to play."""
        path = tmp_path / "mine.toml"
        command("--template", "--output", str(path))
        path.write_text(filled(RECONSTRUCTION), encoding="utf-8")
        assert command("--check", str(path)) == 0
        assert load_card_set(path) == RECONSTRUCTION


class TestMisuse:
    """Options that do not go together are refused."""

    @pytest.mark.parametrize(
        ("words", "complaint"),
        [
            (("--cards", "x", "--check", "y"), "--cards goes neither"),
            (("--cards", "x", "--template"), "--cards goes neither"),
            (("--output", "x"), "--output goes with --template"),
            (("--template", "--force"), "--force goes with --output"),
        ],
    )
    def test_refused(self, capsys: Captured, words: tuple[str, ...], complaint: str) -> None:
        """The status is 2 and standard error says which options do not go together."""
        assert command(*words) == 2
        assert complaint in capsys.readouterr().err
