"""Every code block of the documentation is run, or a table says what vouches for it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from spec.checks import code_blocks

CASES = tomllib.loads(Path(__file__).with_name("damaged_blocks.toml").read_text("utf-8"))
"""What the checker is tried with, and what it says."""


@pytest.fixture(autouse=True)
def _prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the files that commands may name."""
    monkeypatch.chdir(tmp_path)
    for name, content in code_blocks.PREPARED.items():
        Path(name).write_text(content, encoding="utf-8")


def faults_of(page: str, text: str) -> list[str]:
    """Return what is wrong with the blocks of a page, and where."""
    return [
        f"{page}:{block.line}: {fault}"
        for block in code_blocks.blocks(page, text)
        for fault in code_blocks.faults(block)
    ]


@pytest.mark.parametrize(("page", "text"), code_blocks.pages().items(), ids=code_blocks.pages())
def test_every_block_of_a_page_is_run(page: str, text: str) -> None:
    """What looks like code is run, and does what the page says."""
    found = faults_of(page, text)
    assert not found, "\n".join(found)


def test_commands_in_running_text_exist() -> None:
    """What a page names in a sentence, or a message advises, can be typed as it stands."""
    found = [
        f"{path}: {fault}"
        for path, text in (code_blocks.pages() | code_blocks.messages()).items()
        for fault in code_blocks.promises(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("text", "said"), CASES["promises"])
def test_commands_that_do_not_exist_are_found(text: str, said: str) -> None:
    """The checker says what is wrong with a command in running text."""
    found = [*code_blocks.promises(text)]
    assert len(found) == bool(said)
    assert all(said in fault for fault in found)


def test_no_excuse_is_left_over() -> None:
    """Everything that the tables excuse stands on some page."""
    every = [
        block
        for page, text in code_blocks.pages().items()
        for block in code_blocks.blocks(page, text)
    ]
    commands = {command for block in every for command in code_blocks.commands_of(block)}
    assert {*code_blocks.ELSEWHERE} - commands == set()
    assert len({*code_blocks.ELSEWHERE}) == len(code_blocks.ELSEWHERE)
    assert {(block.page, block.language) for block in every} >= code_blocks.ALLOWED


@pytest.mark.parametrize(("file", "commands"), code_blocks.RUN_BY.items(), ids=code_blocks.RUN_BY)
def test_a_command_that_a_file_runs_is_there_as_printed(file: str, commands: list[str]) -> None:
    """With another value, or another option, it would be another command."""
    assert [each for each in commands if not code_blocks.is_run_by(file, each)] == []
    assert not code_blocks.is_run_by(file, f"{commands[0]} --other")
    assert not code_blocks.is_run_by(file, "PYTHON=../.venv/bin/python npm run build")


@pytest.mark.parametrize(("command", "said"), CASES["commands"])
def test_what_an_excused_command_names_exists(
    command: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that nothing runs as printed has at least files and options that are there."""
    monkeypatch.setattr(code_blocks, "ELSEWHERE", [command])
    (found,) = faults_of("page.rst", rst("sh", command))
    assert said in found


def test_the_doctest_builder_is_told_to_try_everything() -> None:
    """It also tries examples outside directives, and compares what errors say.

    Left alone, it only looks at the type of an error.
    """
    conf = (code_blocks.DOCS / "conf.py").read_text("utf-8")
    assert '"sphinx.ext.doctest"' in conf
    assert 'doctest_test_doctest_blocks = "default"' in conf
    assert "doctest_default_flags = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1\n" in conf


# The checker itself


def rst(language: str, *lines: str) -> str:
    """Return a page with a block in reStructuredText, in the middle of a list."""
    head = f".. {language}::" if language in code_blocks.DOCTEST else f".. code-block:: {language}"
    block = [head, "", *(f"   {line}" for line in lines), "", "End."]
    return "\n".join(["* Text.", "", *(f"  {line}" for line in block)])


@pytest.mark.parametrize("damaged", CASES["block"], ids=lambda damaged: damaged["what"])
def test_a_damaged_block_is_found(damaged: dict[str, Any]) -> None:
    """The checker says what is wrong, and on which line."""
    found = faults_of("page.rst", rst(damaged["language"], *damaged["lines"]))
    assert len(found) == 1
    assert damaged["said"] in found[0]
    assert found[0].startswith("page.rst:3: ")


@pytest.mark.parametrize(("page", "fence", "said"), CASES["markdown"])
def test_markdown_is_checked_as_well(page: str, fence: str, said: str) -> None:
    """The README's Python is run by a test of its own, and nobody runs that of other files."""
    found = faults_of(page, fence)
    assert len(found) == bool(said)
    assert all(said in fault for fault in found)
