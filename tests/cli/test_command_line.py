"""Tests of the command line, `python -m valletta_rules`."""

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
"""Typed lines that choose option 1 at each prompt, or "-" (no building) if option 1 is missing."""


@pytest.mark.parametrize("name", COMMANDS["scenes"])
def test_commands_with_typed_input_print_the_expected_texts(name: str, terminal: Terminal) -> None:
    """`commands.toml` lists input and expected output. No line has more than 80 columns."""
    for scene in COMMANDS["scenes"][name]:
        lines = [*scene.get("typed", ()), *GREEDY * scene.get("greedy", False)]
        out = terminal(scene["command"], lines, scene.get("status", 0))
        assert max(map(len, ["", *out.splitlines()])) <= 80
        words = " ".join((out + terminal.complaints).split()) + " "
        for text in scene.get("contains", ()):
            assert text in words
        for text, times in scene.get("times", {}).items():
            assert words.count(text) == times, text


# Watching


@pytest.mark.parametrize(
    ("rules", "players"), [("hans-im-glueck", 2), ("z-man", 3), ("reference-manual", 4)]
)
def test_a_game_between_bots_is_narrated_from_the_first_turn_to_the_score_sheet(
    terminal: Terminal, rules: str, players: int
) -> None:
    """The test watches a game with each edition, with two, three and four players."""
    output = terminal(f"--rules {rules} --players {players} --seed 4")
    assert max(map(len, output.splitlines())) <= 80
    words = " ".join(output.split())
    assert words.count("reconstruction") == 1
    assert "Red, turn 1" in words
    assert "walks to space 1; the barrel holds 1 " in words
    assert "scores 2 points from Valette" in words
    assert words.count(", which triggers the final phase. ") == 1
    assert "The final phase begins" in words
    assert "If it ended after 4 rounds: Red " in words
    assert re.search(r"\n(Red|Blue|Green|Yellow).* \(SCO-\d+\)\.\n$", output)


def test_two_games_between_bots_with_the_same_seed_are_equal(terminal: Terminal) -> None:
    """If the option `--seed` is missing, a random seed is chosen and printed."""
    output = terminal("--quiet")
    seed = re.search(r"seed (\d+)", output)
    assert seed is not None
    assert terminal(f"--seed {seed[1]} --quiet") == output
    assert terminal("--seed 11 --quiet") != terminal("--seed 12 --quiet")


def test_the_option_quiet_prints_only_the_heading_and_the_score_sheet(terminal: Terminal) -> None:
    """Without this option, the output ends with the same score sheet."""
    output, quiet = terminal("--seed 4"), terminal("--seed 4 --quiet")
    assert quiet.splitlines()[0] == "Hans im Glück, 2 players, seed 4"
    assert output.endswith("".join(quiet.splitlines(keepends=True)[1:]))
    assert len(quiet.splitlines()) == 7


def test_cards_that_opponents_draw_are_not_named_to_the_player(terminal: Terminal) -> None:
    """The person at the terminal plays Red, and sees only the cards that Red draws."""
    turns = re.split(r"\n(?=(?:Red|Blue), turn )", terminal("play --seed 3", GREEDY))
    assert any("draws " in turn for turn in turns if turn.startswith("Red"))
    assert not any("draws " in turn for turn in turns if turn.startswith("Blue"))


def test_replay_with_until_and_line_prints_the_position_after_a_move_on_one_line(
    terminal: Terminal,
) -> None:
    """A user can paste this line into a bug report."""
    line = terminal("replay game.txt --until 50 --line")
    assert parse_position_line(line.strip()) == position_after(read_record("game.txt"), 50)


# Options


@pytest.mark.parametrize(("command", "message"), COMMANDS["misuse"])
def test_invalid_options_exit_with_status_2_and_an_error_message(
    command: str, message: str, terminal: Terminal
) -> None:
    """The message is on standard error, and standard output is empty."""
    assert terminal(command, status=2) == ""
    assert message in terminal.complaints


def test_the_options_version_and_help_print_the_version_and_the_usage(terminal: Terminal) -> None:
    """The exit status is 0."""
    assert terminal("--version").startswith("valletta-rules ")
    assert terminal("--help").startswith("usage: valletta")


# The process


def test_python_m_valletta_rules_plays_a_game_in_a_new_process() -> None:
    """The process writes ASCII, so a question mark replaces the letter ü."""
    done = subprocess.run(
        [sys.executable, "-m", "valletta_rules", "--seed", "4", "--quiet"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Hans im Gl?ck, 2 players, seed 4")


def test_ctrl_c_during_a_game_exits_with_status_130_and_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    """Bots play the game, so the command does not wait for input."""
    monkeypatch.setattr(TerminalTable, "play", Mock(side_effect=KeyboardInterrupt))
    terminal("--quiet", status=130)
    assert "Traceback" not in terminal.complaints


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
@pytest.mark.parametrize("command", ["cards --check -", "--cards - --seed 3 --quiet"])
def test_the_output_for_a_card_set_from_standard_input_equals_that_for_a_file(
    command: str, terminal: Terminal
) -> None:
    """The file name "-" denotes standard input."""
    done = shell(f"{PROGRAM} {command} < mine.toml")
    assert done.returncode == 0, done.stderr

    output = terminal(command.replace(" -", " mine.toml").replace(" mine.toml-", " --"))
    assert done.stdout.replace("standard input:", "mine.toml:").split() == output.split()


def test_a_tilde_in_a_file_name_is_expanded_to_the_home_folder(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shells do not expand every tilde. An example is the one in `--cards=~/mine.toml`."""
    monkeypatch.setenv("HOME", os.getcwd())
    assert "Mine" in terminal("cards --cards=~/mine.toml")
    assert terminal("replay ~/game.txt --line") == terminal("replay game.txt --line")
    terminal("play --seed 5", ["1", "save ~/kept.txt", "q"])
    assert Path("kept.txt").exists()


def test_the_text_of_a_clause_is_wrapped_at_the_width_of_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminals are 44 and 100 columns wide."""
    for width in (44, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = [line for line in terminal("rule BLD-6").splitlines() if " " in line.strip()]
        assert width - 12 < max(map(len, lines)) <= width


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("command", "status", "message"), COMMANDS["streams"])
def test_a_full_disk_or_a_closed_standard_stream_ends_a_command_without_a_traceback(
    command: str, status: int, message: str
) -> None:
    """`commands.toml` lists commands with the expected exit statuses and messages."""
    done = shell(f"{PROGRAM} {command}")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", message)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_a_command_ends_without_a_message_if_the_program_that_reads_its_output_exits() -> None:
    """A program such as `head` closes the pipe. The exit status is 1."""
    assert shell(f"{{ {PROGRAM} --seed 4; echo $? >&2; }} | true").stderr == "1\n"


PROGRAM = f"{shlex.quote(sys.executable)} -m valletta_rules"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell, which can redirect streams, and capture the output."""
    return subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=False)
