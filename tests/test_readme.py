"""Tests that the programs in the README work and that its picture is current."""

import doctest
from pathlib import Path

from spec.checks import picture

README = Path(__file__).parent.parent / "README.md"


def test_every_program_in_the_readme_prints_the_output_shown_below_it() -> None:
    """The programs are doctests."""
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_the_readme_contains_exactly_one_command_that_runs_the_tests() -> None:
    """The script `.ci/run` reads the command from the README."""
    commands = [line for line in README.read_text("utf-8").splitlines() if "-m pytest" in line]
    assert len(commands) == 1


def test_the_picture_in_the_readme_equals_the_current_drawing() -> None:
    """The library draws the picture. If the drawing changes, the picture must be updated."""
    assert picture.PICTURE.relative_to(README.parent).as_posix() in README.read_text("utf-8")
    remedy = "if the new picture is right, run python -m spec.checks accept generated"
    assert picture.PICTURE.read_text("utf-8") == picture.text(), remedy
