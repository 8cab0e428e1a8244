"""The README: its programs and its commands."""

import doctest
from pathlib import Path

from spec.checks import picture

README = Path(__file__).parent.parent / "README.md"


def test_the_programs_of_the_readme_print_its_output() -> None:
    """Every example of the README prints the output below it."""
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_the_readme_has_one_test_command() -> None:
    """`.ci/run` takes the command from the README."""
    commands = [line for line in README.read_text("utf-8").splitlines() if "-m pytest" in line]
    assert len(commands) == 1


def test_the_picture_of_the_readme_is_current() -> None:
    """It equals the drawing of the library."""
    assert picture.PICTURE.relative_to(README.parent).as_posix() in README.read_text("utf-8")
    remedy = "if this change is meant: python -m spec.checks accept generated"
    assert picture.PICTURE.read_text("utf-8") == picture.text(), remedy
