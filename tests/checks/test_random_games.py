"""Tests of the games that Hypothesis explores: fixed by default, and new in nightly runs."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from spec.checks.figures import VARIABLE
from spec.checks.random_games import Explored, drawn, sample, tables, whole_games
from tests.sources import ROOT
from valletta_rules import RECONSTRUCTION

FAILING = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_integers(number):
    assert abs(number) < 1_000, number

def test_pass():
    pass
"""


TOO_FEW = "fewer than 2,000 games"
"""The last line printed by a nightly run that fails because it explored too few games."""


def night(*arguments: str, **variables: str) -> tuple[int, str]:
    """Run pytest with the Hypothesis profile `night`, and return the exit status and the output."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    env = os.environ | {"HYPOTHESIS_PROFILE": "night", "PYTHONPATH": str(ROOT), **variables}
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    return ended.returncode, ended.stdout


def test_the_command_that_a_failed_nightly_run_prints_reproduces_the_failure(
    tmp_path: Path,
) -> None:
    """The command contains the seed that the nightly run drew.

    The published figures also contain the seed.
    """
    test, figures = tmp_path / "test_failing.py", tmp_path / "figures.json"
    test.write_text(FAILING, "utf-8")
    _, first = night("-p", "tests.conftest", str(test), **{VARIABLE: str(figures)})
    (line,) = re.findall(
        r"^to reproduce it: HYPOTHESIS_PROFILE=night python -m pytest (.*)", first, re.M
    )
    seed = json.loads(figures.read_text("utf-8"))["seed"]
    assert line.endswith(f"-k test_integers --hypothesis-seed={seed}")
    _, again = night(*shlex.split(line))
    falsifying = re.compile(r"reproduce_failure\(.*?\)")
    assert falsifying.findall(first) == falsifying.findall(again) != []
    assert f"seed: {seed:,}, games: 0," in again
    assert [TOO_FEW in each for each in (first, again)] == [True, False]


def test_a_nightly_run_that_explores_too_few_games_fails_though_its_tests_pass(
    tmp_path: Path,
) -> None:
    """The run consists of a single test that passes and explores no games."""
    test, figures = tmp_path / "test_failing.py", tmp_path / "figures.json"
    test.write_text(FAILING, "utf-8")
    code, output = night(
        *("-p", "tests.conftest", str(test), "-k", "test_pass"), **{VARIABLE: str(figures)}
    )
    assert (code, TOO_FEW in output) == (1, True)


def test_a_game_that_occurs_twice_is_counted_once_in_the_figures() -> None:
    """Games are equal if their moves, card sets and rule sets are equal."""
    explored = Explored()
    for game in 2 * sample(whole_games, 12):
        explored.note(game.positions)
    figures = explored.figures()
    games = {(game.start, game.end): game.positions for game in sample(whole_games, 12)}
    assert (figures["games"], figures["editions"]) == (len(games), 3)
    assert figures["positions"] == sum(map(len, games.values()))


def test_more_than_a_third_of_the_explored_games_have_generated_card_sets() -> None:
    """The tests therefore cover costs that no built-in building has."""
    cards = [table.cards for table in drawn(tables(), 60)]
    generated = [each for each in cards if each != RECONSTRUCTION]
    assert len(generated) > 60 / 3
    assert max(max(each.cost) for some in generated for each in some.buildings) > 6
