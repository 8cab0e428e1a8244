"""Tests of the report on the checks, which the documentation can include."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.docs import extension

pytest.importorskip("sphinx")
checks, templated, _ = map(extension, ("checks", "templated", "references"))

KILLED = {"verdict": "killed", "by": ["tests/rulebook/test_yellow.py::test_knight"]}
REPORT: dict[str, Any] = {
    "commit": "0123abc",
    "date": "2026-11-27",
    "machine": "2 cores",
    "checks": [
        {
            "name": "mutants",
            "verdict": "passed",
            "seconds": 1234.5,
            "figures": {"verdicts": {"engine": {"YEL-15 three-points": KILLED}}},
        },
        {"name": "agreement", "verdict": "failed", "figures": {"by_rules": {"manual": 12345}}},
        {"name": "hostile", "verdict": "not run"},
    ],
}


def give(path: Path, report: object) -> None:
    """Write a report to a file and read it, as a build does when it starts."""
    path.write_text(json.dumps(report), "utf-8")
    checks.read_report(None, SimpleNamespace(checks_report=str(path)))


@pytest.fixture(autouse=True)
def _no_report() -> Iterator[None]:
    """Remove the loaded report before and after each test."""
    checks.loaded_report.clear()
    yield
    checks.loaded_report.clear()


def rendered() -> str:
    """Render the part of the page about the checks that shows the report."""
    return str(templated.JINJA.get_template("checks/report.rst").render())


def test_the_page_about_the_checks_shows_the_verdict_time_and_figures_of_each_check(
    tmp_path: Path,
) -> None:
    """The data are from a report.  Mutants are counted by verdict.

    If there is no report, the page contains a sentence that says so.
    """
    assert "no report" in rendered()
    give(tmp_path / "report.json", REPORT)
    page = rendered()
    assert "Commit ``0123abc``, 2026-11-27, on 2 cores: 1 check failed, 1 check not run" in page
    assert "   * - ``mutants``\n     - passed\n     - 1,234\n" in page
    assert "* mutants of the engine: 1 killed" in page
    assert "* by rules: manual 12,345" in page


@pytest.mark.parametrize("lacking", ["commit", "date", "machine", "checks"])
def test_rendering_a_report_without_a_required_key_raises_an_error_that_names_the_key(
    tmp_path: Path, lacking: str
) -> None:
    """The required keys describe the run, and list the checks."""
    give(tmp_path / "report.json", {key: each for key, each in REPORT.items() if key != lacking})
    with pytest.raises(templated.jinja2.UndefinedError, match=f"no attribute '{lacking}'"):
        rendered()


def test_a_missing_or_invalid_report_file_ends_the_build_with_an_error(tmp_path: Path) -> None:
    """The report must be a JSON object."""
    with pytest.raises(checks.ConfigError, match=r"report\.json: .*No such file"):
        checks.read_report(None, SimpleNamespace(checks_report=str(tmp_path / "report.json")))
    for text, message in (("{", "Expecting"), ("[1]", "cannot convert")):
        (tmp_path / "report.json").write_text(text, "utf-8")
        with pytest.raises(checks.ConfigError, match=rf"report\.json: .*{message}"):
            checks.read_report(None, SimpleNamespace(checks_report=str(tmp_path / "report.json")))
