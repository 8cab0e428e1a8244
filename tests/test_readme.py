"""The README: its programs run, and its commands are there to be taken."""

import doctest
from pathlib import Path

from spec.checks import picture

README = Path(__file__).parent.parent / "README.md"


def test_the_programs_of_the_readme_print_what_it_says() -> None:
    """Every example of the README runs and prints what stands below it."""
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_the_readme_holds_one_test_command() -> None:
    """The gates take the command that passes the tests from the README."""
    commands = [line for line in README.read_text("utf-8").splitlines() if "-m pytest" in line]
    assert len(commands) == 1


def test_the_picture_of_the_readme_is_what_is_drawn_today() -> None:
    """The README shows a position as the library draws it."""
    assert picture.PICTURE.relative_to(README.parent).as_posix() in README.read_text("utf-8")
    remedy = "if this change is meant: python -m spec.checks accept generated"
    assert picture.PICTURE.read_text("utf-8") == picture.text(), remedy
