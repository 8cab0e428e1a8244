"""Tests of the runner that runs, skips and reports the checks in a table."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spec.checks import runner
from spec.checks.__main__ import main
from spec.checks.established import ROOT
from spec.checks.runner import CheckTable, files, matching, opened

TABLE = Path(__file__).with_name("small_table.toml").read_text("utf-8")
"""A table of checks in TOML. Tests replace FOLDER with a temporary folder."""

RunChecks = Callable[..., tuple[int, str]]


@pytest.fixture
def run_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> RunChecks:
    """Create a repository with a table of checks, and return a function that runs the checks.

    The function returns the exit status and the output.
    """
    root = tmp_path / "root"
    for name in ("src/code.py", "src/web/page.js", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("code = 1\n")
    (root / "table.toml").write_text(TABLE.replace("FOLDER", str(tmp_path)))
    subprocess.run(("git", "init", "-q", root), check=True)
    monkeypatch.setattr(runner, "ROOT", root)
    monkeypatch.setattr(runner, "TABLE", root / "table.toml")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*words: str) -> tuple[int, str]:
        for cached in (files, runner.hashed):
            cached.cache_clear()
        return main(["run", *words]), capsys.readouterr().out

    return run


def log(folder: Path) -> list[str]:
    """Return the lines that checks have written to the log, and delete the log."""
    file = folder / "log"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return lines


def test_a_check_that_passed_is_skipped_until_an_input_changes(
    run_checks: RunChecks, tmp_path: Path
) -> None:
    """The inputs of a check are the files that the table lists for it.

    Excluded files are not inputs.  In this table, changed comments in code are ignored.
    """
    code = tmp_path / "root/src/code.py"
    assert run_checks()[0] == 0
    assert log(tmp_path) == ["prepared", "code = 1"]
    status, out = run_checks()
    assert (status, log(tmp_path)) == (0, [])
    assert "reads: skipped, nothing has changed since it passed" in out
    code.write_text("# a comment\ncode = 1\n")
    (tmp_path / "root/src/web/page.js").write_text("other\n")
    run_checks()
    assert log(tmp_path) == []
    run_checks("--all")
    assert log(tmp_path) == ["prepared", "# a comment", "code = 1"]
    run_checks("reads")
    assert log(tmp_path)[0] == "prepared"
    code.write_text("code = 2\n")
    run_checks()
    assert log(tmp_path) == ["prepared", "code = 2"]
    (tmp_path / "root/src/new.py").write_text("")
    run_checks()
    assert log(tmp_path) == ["prepared", "code = 2"]
    table = tmp_path / "root/table.toml"
    table.write_text(table.read_text().replace("cat src/code.py", "cat src/new.py"))
    run_checks()
    assert log(tmp_path) == ["prepared"]


def test_a_failed_check_is_reported_and_is_not_skipped_in_the_next_run(
    run_checks: RunChecks, tmp_path: Path
) -> None:
    """The other check in the run is run as usual, and passes."""
    for _ in range(2):
        status, out = run_checks("fails", "reads")
        assert status == 1
        assert "=== fails failed: echo because; false" in out
        assert "\nbecause\n" in out
        assert "\nnever\n" not in out
        assert "1 failed, 1 passed" in out
        assert log(tmp_path) == ["prepared", "code = 1"]


def test_a_check_whose_tool_is_missing_fails_with_the_name_of_the_tool(
    run_checks: RunChecks,
) -> None:
    """The table has a command that prepares each tool. A tool is missing if its command fails."""
    status, out = run_checks("--release")
    assert (status, "released: failed, as missing is missing" in out) == (1, True)


def test_a_report_has_the_verdict_and_the_figures_of_each_check(
    run_checks: RunChecks, tmp_path: Path
) -> None:
    """For a skipped check, the figures are from the run in which it passed.

    Texts are escaped in the HTML version of the report.
    """
    file = tmp_path / "report.json"
    for verdict in ("passed", "skipped"):
        assert run_checks("--report", str(file))[0] == 0
        read = json.loads(file.read_text())
        assert {"commit", "date", "machine"} < read.keys()
        rows = {row["name"]: row for row in read["checks"]}
        assert rows["reads"]["verdict"] == verdict
        assert rows["reads"]["figures"] == {"games": 3}
        assert len(rows["reads"]["fingerprint"]) == 64
        assert {rows[name]["verdict"] for name in rows.keys() - {"reads"}} == {"not run"}
    assert "<td>&lt;b&gt; &amp; c</td><td>skipped</td>" in file.with_suffix(".html").read_text()


def test_the_option_explain_lists_the_inputs_of_a_check_and_whether_it_passed(
    run_checks: RunChecks,
) -> None:
    """For an unknown check, the exit status is 2."""
    status, out = run_checks("--explain", "reads")
    assert status == 0
    assert [line.split()[1] for line in out.splitlines()[2:-1]] == ["src/code.py"]
    assert out.endswith(": has not passed\n")
    run_checks()
    assert run_checks("--explain", "reads")[1].endswith(": passed\n")
    assert run_checks("--explain", "nothing")[0] == 2


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_nightly_run_fails_if_a_check_opens_a_file_that_is_not_among_its_inputs(
    run_checks: RunChecks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a copy of the file also counts as opening it, but making the copy does not.

    The program strace reports the files that a check opens.
    """
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    table = tmp_path / "root/table.toml"
    text = table.read_text().replace("exit 1", "true").replace("echo because; false;", "")
    text += "[tool.strace]\ncommand = 'command -v strace'\n"
    table.write_text(text)
    status, out = run_checks("--night")
    assert status == 0, out
    copied = (
        f"cp -r src/web {tmp_path}/web; cp -r src {tmp_path}/src; cat {tmp_path}/src/web/page.js;"
    )
    table.write_text(text.replace("cat src", f"{copied} cat src"))
    status, out = run_checks("--night")
    assert (status, "not an input: src/web/page.js\n" in out) == (1, True)


def test_opening_a_compiled_installed_or_copied_file_counts_as_opening_the_original(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files that a check opens are compared with its inputs.

    The test parses sample output of the program strace.
    """
    monkeypatch.setattr(runner, "ROOT", Path("/checkout"))
    known = (
        "README.md",
        "src/valletta_rules/a.py",
        "spec/clauses/b.toml",
        "tests/c.py",
        "tests/d.py",
    )
    trace = """\
1 openat(AT_FDCWD</checkout>, "README.md", O_RDONLY) = 3</checkout/README.md>
1 openat(AT_FDCWD</>, "/v/site-packages/tests/d.py", O_RDONLY) = 3</v/site-packages/tests/d.py>
1 openat(AT_FDCWD</>, "a") = 3</v/site-packages/valletta_rules/__pycache__/a.cpython-311.pyc>
2 <... openat resumed>) = 3</v/site-packages/valletta_rules/_spec/clauses/b.toml>
2     execve("/usr/bin/tar", ["tar"], 0x7 /* 9 vars */) = 0
2     clone3({flags=CLONE_VM, exit_signal=0} => {parent_tid=[4]}, 88) = 4
2 openat(AT_FDCWD</checkout>, "tests/d.py", O_RDONLY) = 3</checkout/tests/d.py>
4 openat(AT_FDCWD</checkout>, "tests/d.py", O_RDONLY) = 3</checkout/tests/d.py>
3 openat(AT_FDCWD</tmp/x>, "tests/c.py", O_RDONLY) = 3</tmp/x/tests/c.py>
"""
    assert opened(trace.splitlines(), known) == {*known} - {"tests/d.py"}


def test_the_last_pattern_that_matches_a_path_includes_or_excludes_it() -> None:
    """A pattern that starts with ! excludes paths. A star matches any text, including slashes."""
    patterns = ("a/*", "!a/b/*", "a/b/*.c", "d")
    names = ("a/x.c", "a/b/x.c", "a/b/x.h", "d", "d/e", "b/d")
    assert [*matching(patterns, names)] == ["a/x.c", "a/b/x.c", "d"]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('needs = ["ready"]', 'needs = ["hammer"]', "reads needs an unknown tool: .hammer."),
        ("@sources", "@nothing", "reads: unknown set of inputs: '@nothing'"),
        ("[tool.missing]", "[tool.reads]", "'reads' must not name both a check and a tool"),
        ('when = "night"', 'when = "never"', "must be in"),
        ('group = "rules"', 'group = "chairs"', "must be in"),
        ("cost = 1\n", "", "cost"),
    ],
)
def test_an_invalid_table_of_checks_raises_an_error_that_names_the_wrong_entry(
    before: str, after: str, why: str, tmp_path: Path
) -> None:
    """Examples are an unknown tool, a duplicate name, and a missing value."""
    path = tmp_path / "table.toml"
    text = TABLE.replace(before, after, 1)
    if "missing" in before:
        text = text.replace('needs = ["missing"]', "")
    path.write_text(text)
    with pytest.raises((TypeError, ValueError), match=why):
        CheckTable.read(path)


def test_each_pattern_in_the_table_of_checks_matches_a_file_of_the_repository() -> None:
    """A pattern that matches no file is misspelled or obsolete."""
    table = CheckTable.read(runner.TABLE)
    steps: list[Any] = [*table.checks.values(), *table.tools.values()]
    patterns = {each for step in steps for each in table.patterns(step)}
    names = files(ROOT)
    assert [each for each in patterns if not any(matching([each.lstrip("!")], names))] == []


def test_the_commands_to_run_before_a_commit_are_commands_of_checks() -> None:
    """`CONTRIBUTING.md` lists the commands. Each must be the command of a check in the table."""
    commands = {each.command for each in CheckTable.read(runner.TABLE).checks.values()}
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| before a commit"))
    listed = re.findall(r"`([^`]+)`", row)
    assert len(listed) == 3
    assert {*listed} <= commands


def test_every_file_of_the_repository_is_an_input_of_a_check_that_runs_on_changes() -> None:
    """A change to any file therefore causes at least one check to run."""
    table = CheckTable.read(runner.TABLE)
    checks = [each for each in table.checks.values() if each.when == "change"]
    assert {name for each in checks for name in table.inputs(each)} == {*files(ROOT)}
