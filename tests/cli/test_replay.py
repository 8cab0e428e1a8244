"""The command `valletta replay`."""

from __future__ import annotations

import random
from pathlib import Path

import attrs
import pytest

from valletta_rules import (
    Note,
    Record,
    Session,
    format_record,
    parse_position_line,
    position_after,
    write_record,
)
from valletta_rules.bots.automatic import choose
from valletta_rules.cli.main import main
from valletta_rules.words import NAMES


def a_game(choices: int = 1000) -> Record:
    """Return the record of a game between automatic players."""
    session, rng = Session(["Anna", "Ben"], seed=7), random.Random(1)
    for _ in range(choices):
        if session.prompt is None:
            break
        session.play(choose(session.state, rng))
    return session.record


GAME = a_game()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a whole game with a note."""
    path = tmp_path / "game.txt"
    write_record(attrs.evolve(GAME, notes=[Note(0, "league, round 3"), Note(33, "why?")]), path)
    return path


def test_a_whole_game_is_told_to_its_score_sheet(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every move is told with its number, under the players' names, and the notes with them."""
    assert main(["replay", str(file)]) == 0
    told, complaints = capsys.readouterr()
    assert complaints == ""
    assert told.startswith("Anna and Ben play by the rules Hans im Glück.\n")
    assert "      # league, round 3\n" in told
    assert told.count("==1-5") == 1
    assert "\n  31  Ben takes 1 " in told
    assert "\nTurn 1, Anna\n  33  Anna plays " in told
    assert "\n      # why?\n" in told
    assert " draws the " in told
    assert " chooses to build " in told
    assert f"\n {len(GAME.actions)}  " in told
    assert not any(f"{name} " in told for name in NAMES)
    assert "(SCO-9).\n" in told
    assert max(map(len, told.splitlines())) <= 80


def test_a_part_of_a_game_is_told_up_to_the_question(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game is told up to a move; then what is asked, and how the players stand."""
    assert main(["replay", str(file), "--until", "35"]) == 0
    told = capsys.readouterr().out
    assert "\n  35  " in told
    assert "\n  36  " not in told
    assert "\nHere the record ends.  Anna, " in told
    assert "\nIf it ended now: Anna " in told
    assert main(["replay", str(file), "--until", "3"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("Chance, which building is dealt to site 3?\n")


def test_the_last_position_is_printed_for_a_bug_report(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line holds the position after a move, and nothing else is printed."""
    assert main(["replay", str(file), "--until", "50", "--line"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert parse_position_line(line) == position_after(GAME, 50)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "line 1: this is no record of a game: it is empty"),
        (b"\xff", "line 1: not UTF-8 text"),
        (
            format_record(GAME).replace("draft ", "draft x", 1).encode(),
            "line 15, move 31: 'draft x",
        ),
        (
            format_record(GAME).replace("Turn 1, Anna", "").encode() + b"Maid\n",
            f"move {len(GAME.actions) + 1}: Maid: the game is over [FIN-16]",
        ),
    ],
)
def test_a_damaged_or_illegal_file_says_where_and_why(
    file: Path, content: bytes, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is told of a faulty file but what is wrong with it; the exit status is 2."""
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    told, complaints = capsys.readouterr()
    assert told == ""
    assert complaints.startswith(f"valletta replay: {file}: line ")
    assert complaint in complaints


@pytest.mark.parametrize("move", ["-1", "9999"])
def test_a_move_that_there_is_not_is_complained_about(
    file: Path, move: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be done is said in a line; the exit status is 2."""
    assert main(["replay", str(file), "--until", move]) == 2
    assert "--until must be a number from 0 to " in capsys.readouterr().err
