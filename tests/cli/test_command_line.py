"""The command line: `python -m valletta_rules`."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.test_play import COMMANDS
from tests.positions import position, seat
from valletta_rules import Character
from valletta_rules.cli.main import main
from valletta_rules.cli.narrator import Narrator
from valletta_rules.cli.screen import Screen
from valletta_rules.cli.table import TerminalTable
from valletta_rules.events import CardPlayed, EndCondition, FinalPhaseTriggered, PointsScored

C = Character


@pytest.fixture
def output(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that carries out a command line and returns what it prints."""

    def run(*argv: str, status: int = 0) -> str:
        capsys.readouterr()
        assert main(argv) == status
        captured = capsys.readouterr()
        return captured.out + captured.err

    return run


Output = Callable[..., str]


# Watching


@pytest.mark.parametrize(
    ("rules", "players"), [("hans-im-glueck", "2"), ("z-man", "3"), ("reference-manual", "4")]
)
def test_a_whole_game_is_told_to_its_end(output: Output, rules: str, players: str) -> None:
    """A game of any edition and number of players is told and ends with the score sheet."""
    told = output("--rules", rules, "--players", players, "--seed", "4")
    assert max(map(len, told.splitlines())) <= 80
    words = " ".join(told.split())
    assert words.count("reconstruction") == 1
    assert "Red, turn 1" in words
    assert "walks to space 1; the barrel holds 1 " in words
    assert "scores 2 points from Valette" in words
    assert ", which triggers the final phase. " in words
    assert "The final phase begins" in words
    assert "If it ended after 4 rounds: Red " in words
    assert re.search(r"\n(Red|Blue|Green|Yellow).* \(SCO-\d+\)\.\n$", told)


@pytest.mark.parametrize("variants", [["start-player"], ["fewer-barrels", "start-player"]])
def test_variants_are_switched_on(output: Output, variants: list[str]) -> None:
    """Each variant named is played with, and the heading says so."""
    options = [word for name in variants for word in ("--variant", name)]
    told = output("--seed", "4", *options)
    heading = told.splitlines()[0]
    assert "start-player variant" in heading
    assert ("fewer barrels" in heading) == (len(variants) == 2)
    assert "Red, turn 1, 1 card (" in told
    assert "Blue, turn 1, 2 cards (" in told


def test_a_seed_makes_a_game_repeatable(output: Output) -> None:
    """Without one a new one is taken and told; another seed is another game."""
    told = output()
    seed = re.search(r"seed (\d+)", told)
    assert seed is not None
    assert output("--seed", seed[1]) == told
    assert output("--seed", "11") != output("--seed", "12")


def test_quiet_prints_the_score_sheet_only(output: Output) -> None:
    """With --quiet nothing is told but the result of the same game."""
    told, quiet = output("--seed", "4"), output("--seed", "4", "--quiet")
    assert quiet.splitlines()[0] == "Hans im Glück, 2 players, seed 4"
    assert told.endswith("".join(quiet.splitlines(keepends=True)[1:]))
    assert len(quiet.splitlines()) == 7


def test_the_first_trigger_alone_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    """The final phase is announced to be triggered once, after the card that did it."""
    story, before, after = (
        Narrator(Screen()),
        position(seat(), seat()),
        position(seat(score=25), seat()),
    )
    houses = FinalPhaseTriggered(0, EndCondition.HOUSES, "FIN-3")
    score = FinalPhaseTriggered(0, EndCondition.SCORE, "FIN-2")
    story.tell(before, (CardPlayed(0, C.KNIGHT), houses, score), after)
    story.tell(after, (PointsScored(0, 2, "YEL-15"), score), after)
    story.pause()
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "  Knight          scores 2 points",
        "* Red builds the last of 8 houses, which triggers the final phase.",
    ]


def test_a_game_is_broken_off_after_too_many_turns(output: Output) -> None:
    """The rules set no limit, the simulation does, and says where the game stands."""
    told = output("--seed", "4", "--max-turns", "3", status=1)
    assert "Red, turn 2" in told
    assert "Blue, turn 2" not in told
    assert "If it ended now: Red " in told
    assert "broken off after 3 turns (--max-turns)" in told
    assert "broken off" in output("--quiet", "--max-turns", "1", status=1)


# Options


def test_a_card_set_of_ones_own_is_played(output: Output, tmp_path: Path) -> None:
    """With --cards a game is played with the cards of a file."""
    shipped = resources.files("valletta_rules.card_sets") / "reconstruction.toml"
    text = shipped.read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('name = "Reconstruction 2"', 'name = "Mine"'), encoding="utf-8")
    told = output("--cards", str(path), "--seed", "4")
    assert "The cards are those of Mine.\n" in told
    assert "reconstruction" not in told


def test_all_problems_of_a_card_set_are_shown(output: Output, tmp_path: Path) -> None:
    """A faulty card set is refused with everything that is wrong."""
    path = tmp_path / "faulty.toml"
    path.write_text("format = 1\n[barrels]\ngold = 99\n", encoding="utf-8")
    told = output("--cards", str(path), status=2)
    assert told.startswith(f"valletta: {path}: ")
    assert told.count("\n- ") > 1


@pytest.mark.parametrize(("command", "said"), COMMANDS["misuse"])
def test_misuse_ends_with_status_2(
    command: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the options do not permit is refused, and nothing else is printed."""
    try:
        status: object = main(command.split(" "))
    except SystemExit as exit_:
        status = exit_.code
    told, complaints = capsys.readouterr()
    assert (status, told) == (2, "")
    assert said in complaints


@pytest.mark.parametrize(
    ("option", "words"), [("--version", "valletta-rules "), ("--help", "usage: valletta")]
)
def test_version_and_help_are_printed(
    option: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Version and help are at hand."""
    with pytest.raises(SystemExit) as exit_:
        main([option])
    assert not exit_.value.code
    assert capsys.readouterr().out.startswith(words)


# The process


def test_the_package_is_a_program() -> None:
    """`python -m valletta_rules` plays a game."""
    done = subprocess.run(
        [sys.executable, "-m", "valletta_rules", "--seed", "4", "--quiet"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Hans im Gl?ck, 2 players, seed 4")


def test_an_interruption_ends_the_game_quietly(
    monkeypatch: pytest.MonkeyPatch, output: Output
) -> None:
    """Ctrl-C ends the program without a traceback."""

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert "Traceback" not in output("--interactive", status=130)
    monkeypatch.setattr(TerminalTable, "play", interrupted)
    assert "Traceback" not in output("--quiet", status=130)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("command", "status", "said"), COMMANDS["streams"])
def test_what_cannot_be_written_or_read_is_said(command: str, status: int, said: str) -> None:
    """A full disk is named, and a closed stream is told by the status, without a traceback."""
    done = shell(f"{PROGRAM} {command}")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_a_closed_pipe_ends_the_game_quietly() -> None:
    """When nobody reads on, nothing more is said."""
    assert shell(f"{{ {PROGRAM} --seed 4; echo $? >&2; }} | true").stderr == "1\n"


PROGRAM = f"{shlex.quote(sys.executable)} -m valletta_rules"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell, which redirects streams."""
    return subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=False)
