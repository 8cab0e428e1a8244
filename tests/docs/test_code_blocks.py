"""Tests that each code block in the documentation is run, or is listed with a reason why not."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from spec.checks import code_blocks
from tests.docs import DOCS, ROOT

CASES = tomllib.loads(Path(__file__).with_name("damaged_blocks.toml").read_text("utf-8"))
"""Inputs for the checker of code blocks, with the expected messages."""


@pytest.fixture(autouse=True)
def _prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a temporary folder with the files that the documentation's commands read."""
    monkeypatch.chdir(tmp_path)
    for name, content in code_blocks.PREPARED.items():
        Path(name).write_text(content, encoding="utf-8")


def faults_of(page: str, text: str) -> list[str]:
    """Check the code blocks of a page, and return the checker's messages with their lines."""
    return [
        f"{page}:{block.line}: {fault}"
        for block in code_blocks.blocks(page, text)
        for fault in code_blocks.faults(block)
    ]


@pytest.mark.parametrize(("page", "text"), code_blocks.pages().items(), ids=code_blocks.pages())
def test_every_code_block_of_a_page_runs_with_the_result_that_the_page_shows(
    page: str, text: str
) -> None:
    """A block that tests cannot run must be listed in the table of exceptions."""
    faults = faults_of(page, text)
    assert not faults, "\n".join(faults)


def test_commands_in_texts_and_messages_have_existing_names_options_and_extras() -> None:
    """Readers can therefore type these commands exactly as printed."""
    faults = [
        f"{path}: {fault}"
        for path, text in (code_blocks.pages() | code_blocks.messages()).items()
        for fault in code_blocks.promises(text)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("text", "message"), CASES["promises"])
def test_the_checker_reports_a_text_with_a_command_that_does_not_exist(
    text: str, message: str
) -> None:
    """Texts with existing commands are not reported."""
    faults = [*code_blocks.promises(text)]
    assert len(faults) == bool(message)
    assert all(message in fault for fault in faults)


def test_every_block_and_command_listed_as_not_run_is_on_a_page() -> None:
    """An entry without a block or command on a page is obsolete."""
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
def test_a_command_that_is_not_tested_because_a_script_runs_it_is_in_the_script_verbatim(
    file: str, commands: list[str]
) -> None:
    """The script is then the test of the command, so options and variables must be the same."""
    assert [each for each in commands if not code_blocks.is_run_by(file, each)] == []
    assert not code_blocks.is_run_by(file, f"{commands[0]} --other")
    assert not code_blocks.is_run_by(file, "PYTHON=../.venv/bin/python npm run build")


@pytest.mark.parametrize(("command", "message"), CASES["commands"])
def test_a_missing_file_or_option_in_a_command_that_is_not_run_is_reported(
    command: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a command is listed in the table of exceptions.

    Only its files and options are checked.
    """
    monkeypatch.setattr(code_blocks, "ELSEWHERE", [command])
    (fault,) = faults_of("page.rst", rst("sh", command))
    assert message in fault


def test_the_doctest_builder_is_configured_to_run_all_examples_and_compare_error_messages() -> None:
    """By default, the builder skips examples outside directives, and compares only error types."""
    conf = (code_blocks.DOCS / "conf.py").read_text("utf-8")
    assert '"sphinx.ext.doctest"' in conf
    assert 'doctest_test_doctest_blocks = "default"' in conf
    assert "doctest_default_flags = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1\n" in conf


def test_each_example_that_a_page_names_is_included_or_linked_on_the_page() -> None:
    """Readers of the HTML pages may have only a wheel, which does not contain the examples."""
    for page, text in code_blocks.pages().items():
        if page.endswith(".md") or page == "docs/index.rst":
            continue
        folder = r"(?:(?<=``)|(?<=python ))(?:examples/|src/javascript/test/)"
        for name in re.findall(rf"{folder}[\w/]+\.\w+", text):
            link = rf"``{name}`` \(:(download:`|ref:`download)"
            whole = rf"literalinclude:: [./]+{name}\n   :language: \w+\n\n"
            assert re.search(f"{link}|{whole}", text), f"{page}: {name}"


def test_paths_of_files_are_relative_to_the_root_of_the_repository_or_to_the_package() -> None:
    """The start page of the documentation states this rule."""
    for path in (*DOCS.rglob("*.rst"), *DOCS.rglob("*.md")):
        text = path.read_text("utf-8")
        for name in re.findall(r"`(\w+(?:/[\w.-]+)+\.(?:py|toml|c|h|js|md|rst|sh))`", text):
            assert (ROOT / name).exists() or (ROOT / "src" / name).exists(), f"{path}: {name}"


def test_a_page_uses_a_folder_for_only_one_tournament() -> None:
    """The tournament command refuses a folder with the results of a different tournament."""
    for page, text in code_blocks.pages().items():
        commands = [
            command
            for block in code_blocks.blocks(page, text)
            for command in code_blocks.commands_of(block)
        ]
        folders = [match[1] for each in commands if (match := re.search(r" --out (\S+)", each))]
        assert len({*folders}) == len(folders), f"{page}: {folders}"


# The checker itself


def rst(language: str, *lines: str) -> str:
    """Return a reStructuredText page that contains a code block inside a list item."""
    head = f".. {language}::" if language in code_blocks.DOCTEST else f".. code-block:: {language}"
    block = [head, "", *(f"   {line}" for line in lines), "", "End."]
    return "\n".join(["* Text.", "", *(f"  {line}" for line in block)])


@pytest.mark.parametrize("damaged", CASES["block"], ids=lambda damaged: damaged["name"])
def test_the_checker_reports_a_damaged_code_block_with_its_line(damaged: dict[str, Any]) -> None:
    """`damaged_blocks.toml` contains the damaged blocks and the expected messages."""
    faults = faults_of("page.rst", rst(damaged["language"], *damaged["lines"]))
    assert len(faults) == 1
    assert damaged["message"] in faults[0]
    assert faults[0].startswith("page.rst:3: ")


@pytest.mark.parametrize(("page", "fence", "message"), CASES["markdown"])
def test_the_checker_reports_code_blocks_in_markdown_that_no_test_runs(
    page: str, fence: str, message: str
) -> None:
    """Doctests in the README are an exception, because another test runs them."""
    faults = faults_of(page, fence)
    assert len(faults) == bool(message)
    assert all(message in fault for fault in faults)
