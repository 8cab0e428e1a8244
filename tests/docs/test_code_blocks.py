"""Every code block of the documentation is run, or a table gives the reason why it is not."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from spec.checks import code_blocks

CASES = tomllib.loads(Path(__file__).with_name("damaged_blocks.toml").read_text("utf-8"))
"""The inputs of the checker, and its reports."""


@pytest.fixture(autouse=True)
def _prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the files that commands may name."""
    monkeypatch.chdir(tmp_path)
    for name, content in code_blocks.PREPARED.items():
        Path(name).write_text(content, encoding="utf-8")


def faults_of(page: str, text: str) -> list[str]:
    """Return the faults of the blocks of a page, with their lines."""
    return [
        f"{page}:{block.line}: {fault}"
        for block in code_blocks.blocks(page, text)
        for fault in code_blocks.faults(block)
    ]


@pytest.mark.parametrize(("page", "text"), code_blocks.pages().items(), ids=code_blocks.pages())
def test_every_block_of_a_page_is_run(page: str, text: str) -> None:
    """Text that looks like code is run, and its result is that of the page."""
    found = faults_of(page, text)
    assert not found, "\n".join(found)


def test_commands_in_running_text_exist() -> None:
    """A command that a sentence or a message names can be typed unchanged."""
    found = [
        f"{path}: {fault}"
        for path, text in (code_blocks.pages() | code_blocks.messages()).items()
        for fault in code_blocks.promises(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("text", "said"), CASES["promises"])
def test_commands_that_do_not_exist_are_found(text: str, said: str) -> None:
    """The checker reports the fault of a command in running text."""
    found = [*code_blocks.promises(text)]
    assert len(found) == bool(said)
    assert all(said in fault for fault in found)


def test_no_excuse_is_unused() -> None:
    """Every excused block is on some page."""
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
def test_a_command_that_a_file_runs_is_printed_unchanged(file: str, commands: list[str]) -> None:
    """With another value, or another option, it would be another command."""
    assert [each for each in commands if not code_blocks.is_run_by(file, each)] == []
    assert not code_blocks.is_run_by(file, f"{commands[0]} --other")
    assert not code_blocks.is_run_by(file, "PYTHON=../.venv/bin/python npm run build")


@pytest.mark.parametrize(("command", "said"), CASES["commands"])
def test_the_files_and_options_of_an_excused_command_exist(
    command: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test runs such a command as printed."""
    monkeypatch.setattr(code_blocks, "ELSEWHERE", [command])
    (found,) = faults_of("page.rst", rst("sh", command))
    assert said in found


def test_the_doctest_builder_runs_all_examples() -> None:
    """It also runs examples outside directives, and compares the messages of errors.

    By default, it only compares the type of an error.
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
    """The checker reports the fault and its line."""
    found = faults_of("page.rst", rst(damaged["language"], *damaged["lines"]))
    assert len(found) == 1
    assert damaged["said"] in found[0]
    assert found[0].startswith("page.rst:3: ")


@pytest.mark.parametrize(("page", "fence", "said"), CASES["markdown"])
def test_markdown_is_checked_as_well(page: str, fence: str, said: str) -> None:
    """The README's Python is run by a test of its own; that of other files is not run."""
    found = faults_of(page, fence)
    assert len(found) == bool(said)
    assert all(said in fault for fault in found)
