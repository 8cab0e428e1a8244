"""The command line: `python -m valletta_rules`."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cli.conftest import Terminal
from valletta_rules import Character, parse_position_line, position_after, read_record
from valletta_rules.cli.table import TerminalTable

C = Character


COMMANDS = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))

GREEDY = ["1", "-"] * 400
"""The lines of a player who takes the first offer, and builds nothing if 1 is no site."""


@pytest.mark.parametrize("name", COMMANDS["scenes"])
def test_a_scene_is_played_as_written(name: str, terminal: Terminal) -> None:
    """No line of the output is wider than 80 columns."""
    for scene in COMMANDS["scenes"][name]:
        lines = [*scene.get("typed", ()), *GREEDY * scene.get("greedy", False)]
        out = terminal(scene["command"], lines, scene.get("status", 0))
        assert max(map(len, ["", *out.splitlines()])) <= 80
        told = " ".join((out + terminal.complaints).split()) + " "
        for said in scene.get("said", ()):
            assert said in told
        for said, times in scene.get("times", {}).items():
            assert told.count(said) == times, said


# Watching


@pytest.mark.parametrize(
    ("rules", "players"), [("hans-im-glueck", 2), ("z-man", 3), ("reference-manual", 4)]
)
def test_a_whole_game_is_narrated_to_its_end(terminal: Terminal, rules: str, players: int) -> None:
    """A game of any edition and number of players ends with the score sheet."""
    told = terminal(f"--rules {rules} --players {players} --seed 4")
    assert max(map(len, told.splitlines())) <= 80
    words = " ".join(told.split())
    assert words.count("reconstruction") == 1
    assert "Red, turn 1" in words
    assert "walks to space 1; the barrel holds 1 " in words
    assert "scores 2 points from Valette" in words
    assert words.count(", which triggers the final phase. ") == 1
    assert "The final phase begins" in words
    assert "If it ended after 4 rounds: Red " in words
    assert re.search(r"\n(Red|Blue|Green|Yellow).* \(SCO-\d+\)\.\n$", told)


def test_a_seed_makes_a_game_repeatable(terminal: Terminal) -> None:
    """Without a seed a new one is chosen and printed; another seed gives another game."""
    told = terminal("--quiet")
    seed = re.search(r"seed (\d+)", told)
    assert seed is not None
    assert terminal(f"--seed {seed[1]} --quiet") == told
    assert terminal("--seed 11 --quiet") != terminal("--seed 12 --quiet")


def test_quiet_prints_the_score_sheet_only(terminal: Terminal) -> None:
    """With --quiet only the result of the same game is printed."""
    told, quiet = terminal("--seed 4"), terminal("--seed 4 --quiet")
    assert quiet.splitlines()[0] == "Hans im Glück, 2 players, seed 4"
    assert told.endswith("".join(quiet.splitlines(keepends=True)[1:]))
    assert len(quiet.splitlines()) == 7


def test_cards_drawn_by_others_are_not_named(terminal: Terminal) -> None:
    """Only the player's own cards are named."""
    turns = re.split(r"\n(?=(?:Red|Blue), turn )", terminal("play --seed 3", GREEDY))
    assert any("draws " in turn for turn in turns if turn.startswith("Red"))
    assert not any("draws " in turn for turn in turns if turn.startswith("Blue"))


def test_the_last_position_is_printed_for_a_bug_report(terminal: Terminal) -> None:
    """One line holds the position after a move, and there is no other output."""
    line = terminal("replay game.txt --until 50 --line")
    assert parse_position_line(line.strip()) == position_after(read_record("game.txt"), 50)


# Options


@pytest.mark.parametrize(("command", "said"), COMMANDS["misuse"])
def test_invalid_options_end_with_status_2(command: str, said: str, terminal: Terminal) -> None:
    """The error is the only output."""
    assert terminal(command, status=2) == ""
    assert said in terminal.complaints


def test_version_and_help_are_printed(terminal: Terminal) -> None:
    """Each has its option."""
    assert terminal("--version").startswith("valletta-rules ")
    assert terminal("--help").startswith("usage: valletta")


# The process


def test_the_package_can_be_run_as_a_program() -> None:
    """`python -m valletta_rules` plays a game."""
    done = subprocess.run(
        [sys.executable, "-m", "valletta_rules", "--seed", "4", "--quiet"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Hans im Gl?ck, 2 players, seed 4")


def test_an_interruption_ends_the_game_quietly(
    monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    """Ctrl-C ends the program without a traceback, also while bots play."""
    monkeypatch.setattr(TerminalTable, "play", Mock(side_effect=KeyboardInterrupt))
    terminal("--quiet", status=130)
    assert "Traceback" not in terminal.complaints


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
@pytest.mark.parametrize("command", ["cards --check -", "--cards - --seed 3 --quiet"])
def test_a_card_set_is_read_from_standard_input(command: str, terminal: Terminal) -> None:
    """It is the same as one from a file."""
    done = shell(f"{PROGRAM} {command} < mine.toml")
    assert done.returncode == 0, done.stderr

    told = terminal(command.replace(" -", " mine.toml").replace(" mine.toml-", " --"))
    assert done.stdout.replace("standard input:", "mine.toml:").split() == told.split()


def test_a_file_can_be_in_the_home_folder(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign ~ is the home even if no shell has expanded it, as in --cards=~/mine.toml."""
    monkeypatch.setenv("HOME", os.getcwd())
    assert "Mine" in terminal("cards --cards=~/mine.toml")
    assert terminal("replay ~/game.txt --line") == terminal("replay game.txt --line")
    terminal("play --seed 5", ["1", "save ~/kept.txt", "q"])
    assert Path("kept.txt").exists()


def test_a_clause_is_wrapped_at_the_width_of_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for a narrow terminal and for a wide one."""
    for width in (44, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = [line for line in terminal("rule BLD-6").splitlines() if " " in line.strip()]
        assert width - 12 < max(map(len, lines)) <= width


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("command", "status", "said"), COMMANDS["streams"])
def test_errors_of_the_standard_streams_are_reported(command: str, status: int, said: str) -> None:
    """A full disk is named, and a closed stream is reported by the status, without a traceback."""
    done = shell(f"{PROGRAM} {command}")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_a_closed_pipe_ends_the_game_quietly() -> None:
    """There is no message if the reader is gone."""
    assert shell(f"{{ {PROGRAM} --seed 4; echo $? >&2; }} | true").stderr == "1\n"


PROGRAM = f"{shlex.quote(sys.executable)} -m valletta_rules"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell, which redirects streams."""
    return subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=False)
