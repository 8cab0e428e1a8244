"""Tests of the conformance runner, which asks an engine questions and reports on its answers."""

import gzip
import hashlib
import json
import queue
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conformance import miniatures
from valletta_rules.cli import conformance
from valletta_rules.cli.main import main
from valletta_rules.specification.conformance import peer
from valletta_rules.specification.conformance import report as reports
from valletta_rules.specification.conformance.judge import differing
from valletta_rules.specification.conformance.kit import Kit, KitError
from valletta_rules.specification.conformance.runner import Verdict

DATA = miniatures.DATA
ENGINES: dict[str, dict[str, Any]] = DATA["engines"]
COMMON: dict[str, Any] = DATA["common"]
VECTORS = [COMMON | each for each in DATA["vectors"]]
ALL = [each["id"] for each in VECTORS]


def turn(name: str, **others: Any) -> dict[str, Any]:
    """Return a test vector that can be added to the miniature suite."""
    id = f"turn/{name}"
    return COMMON | {"id": id, "kind": "turn", "clauses": ["TRN-1"]} | others


def write_kit(folder: Path, vectors: list[dict[str, Any]], **others: Any) -> Path:
    """Write a suite to a folder; all vectors but the first are in a compressed file."""
    files = []
    for name, some in (("smoke.jsonl", vectors[:1]), ("rest.jsonl.gz", vectors[1:])):
        data = "".join(f"{json.dumps(each)}\n" for each in some).encode()
        data = gzip.compress(data, mtime=0) if name.endswith("gz") else data
        (folder / name).write_bytes(data)
        files.append({"path": name, "sha256": hashlib.sha256(data).hexdigest()})
    for name in ("rules", "cards"):
        (folder / name).mkdir(exist_ok=True)
        for each in ("plain", "other"):
            (folder / name / f"{each}.json").write_text(json.dumps({"name": each}))
    manifest = DATA["manifest"] | {"files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest | others))
    return folder


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Write the miniature suite to a folder, and return the folder."""
    folder = tmp_path / "kit"
    folder.mkdir()
    return write_kit(folder, VECTORS)


Run = Callable[..., tuple[int, str, str, list[dict[str, Any]]]]


class Lines(queue.Queue[bytes]):
    """A queue of replies. `get` times out only after the engine has signalled that it hangs."""

    hangs: Path

    def get(self, block: bool = True, timeout: float | None = None) -> bytes:
        """Return the next line, or raise `queue.Empty` if the engine hangs."""
        while True:
            try:
                return super().get(block, min(timeout or 0.1, 0.1))
            except queue.Empty:
                if self.hangs.exists():
                    self.hangs.unlink()
                    raise


@pytest.fixture
def run(
    kit: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Return a function that runs the conformance command with a miniature engine.

    The function returns the exit status, standard output, standard error, and the report.
    """
    monkeypatch.setattr(peer, "queue", SimpleNamespace(Queue=Lines, Empty=queue.Empty))
    monkeypatch.setattr(Lines, "hangs", tmp_path / "hangs", raising=False)
    monkeypatch.setenv(miniatures.HANGS, str(tmp_path / "hangs"))

    def running(manner: str, *options: str) -> tuple[int, str, str, list[dict[str, Any]]]:
        command = shlex.join([sys.executable, miniatures.__file__, manner])
        file = tmp_path / "report.jsonl"
        arguments = ["--engine", command, "--vectors", str(kit), "--report", str(file)]
        status = main(["conformance", *arguments, "--timeout", "20", *options])
        captured = capsys.readouterr()
        lines = file.read_text().splitlines() if file.exists() else []
        return status, captured.out, captured.err, [json.loads(line) for line in lines]

    return running


def verdicts(report: list[dict[str, Any]]) -> dict[str, str]:
    """Return the verdict on each vector in a report, keyed by vector id."""
    return {line["id"]: line["verdict"] for line in report if "id" in line}


def whys(report: list[dict[str, Any]]) -> set[str]:
    """Return the reasons for verdicts in a report."""
    return {line["why"] for line in report if "why" in line}


def one_line(text: str) -> str:
    """Return a text as a single line, with single spaces between words."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", ENGINES)
def test_the_runner_gives_the_expected_verdict_on_each_faulty_engine(run: Run, name: str) -> None:
    """Verdicts are passed, failed, skipped, errored, timed out and not run.

    An engine that hangs or does not stop is killed with its child processes.
    """
    expected = ENGINES[name]
    status, out, err, report = run(name, *expected.get("options", ()))
    assert status == expected["status"]
    assert expected.get("err", "") in err
    if "verdicts" not in expected:
        assert (out, report) == ("", [])
        return
    each = expected["verdicts"]
    assert list(verdicts(report).items()) == list(
        zip(ALL, [each] * 4 if isinstance(each, str) else each, strict=True)
    )
    assert not ("why" in expected and expected["why"] not in whys(report))
    assert one_line(expected.get("out", "")) in one_line(out)
    for line in report[1:-1]:
        assert ("findings" in line) == (
            line["verdict"] == "failed" or "failed" in line["levels"].values()
        )


def test_a_report_ends_with_the_conformance_levels_that_the_engine_claims_and_passes(
    run: Run,
) -> None:
    """The last line of a report is a footer with a sentence about these levels.

    The first line is a header.
    """
    _, out, err, report = run("right")
    assert (report[0], report[-1], err) == (DATA["header"], DATA["footer"], "")
    assert one_line(out).endswith(DATA["footer"]["sentence"])


def test_a_failed_test_vector_is_reported_with_the_expected_and_the_actual_answer(run: Run) -> None:
    """The engine answers with wrong probabilities. The report also contains the operation."""
    _, out, _, report = run("wrong-odds")
    finding = {
        "op": "chance",
        "action": None,
        "viewer": "",
        "levels": ["chance"],
        "expected": VECTORS[2]["chance"],
        "answered": ENGINES["wrong-odds"]["chance"],
        "breaks": [],
        "position": "",
    }
    assert report[3]["findings"] == [finding]
    assert "passes 3 of 4 vectors sent" in one_line(out)


def test_the_summary_of_a_conformance_run_distinguishes_the_outcomes_of_chapters(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chapter passes, fails, or is not run because of the option `--only` or an abort."""

    def outcomes(manner: str, *options: str) -> str:
        return str(run(manner, *options)[3][-1]["sentence"]).partition("Rule sets: ")[2]

    failed = "Failed or errored: turn (1 of 2 clauses passed)."
    assert outcomes("wrong-odds") == f"plain. Chapters passed: setup, scoring. {failed}"
    assert outcomes("right", "--only", "SET-1") == (
        "plain. Chapters passed: setup. Not run: turn, scoring."
    )
    monkeypatch.setattr(peer, "MOST_RESTARTS", 0)
    failed = "Failed or errored: setup (0 of 1 clauses passed)."
    assert outcomes("ends") == f"none. Chapters passed: none. {failed} Not run: turn, scoring."


def test_a_chapter_is_passed_in_part_only_if_at_least_one_of_its_clauses_is_passed() -> None:
    """A clause is not passed if one of its vectors was not run."""
    verdicts = {Verdict.PASSED, Verdict.NOT_RUN}
    assert [reports._outcome(verdicts, passed, 2) for passed in (0, 1)] == [
        "Not run",
        "Passed in part",
    ]


def test_a_conformance_level_affects_the_verdict_only_if_it_is_chosen(run: Run) -> None:
    """For example, a refusal that cites a wrong clause fails only the level of clauses."""
    levels = run("wrong-clause")[3][2]["levels"]
    expected = {"rules": "passed", "events": "passed", "codes": "passed", "clauses": "failed"}
    assert levels == expected
    status, _, _, report = run("wrong-clause", "--level", "clauses")
    assert (status, report[0]["levels"]) == (1, ["clauses"])
    assert verdicts(report)["turn/play"] == "failed"
    assert run("partial", "--level", "rules")[0] == 0


def test_the_runner_stops_after_the_maximum_number_of_restarts_of_an_engine(
    run: Run, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine exits instead of replying. The report lists the remaining vectors as not run."""
    monkeypatch.setattr(peer, "MOST_RESTARTS", 2)
    status, out, _, report = run("ends")
    assert status == 2
    assert list(verdicts(report).values()) == ["errored", "errored", "errored", "not run"]
    assert report[-1]["report"] == "footer"
    assert "the engine was restarted 2 times, the maximum" in whys(report)
    monkeypatch.setattr(peer, "MOST_RESTARTS", 1)
    status, out, _, report = run("ends")
    assert list(verdicts(report).values()) == ["errored", "errored", "not run", "not run"]
    assert "2 not run" in out
    assert "Not every vector was run. Number of vectors" in out
    assert "the engine was restarted 1 times, the maximum" in out


def test_the_runner_sends_rules_and_cards_before_each_vector_that_changes_them(
    run: Run, kit: Path
) -> None:
    """One of three vectors has other rules.

    An engine without support for setups skips all of them.
    """
    write_kit(kit, [turn("1"), turn("2", rules="other"), turn("3")])
    assert run("right")[0] == 0
    assert set(verdicts(run("no-rules")[3]).values()) == {"skipped"}


def test_the_report_contains_the_end_of_the_standard_error_of_the_engine(run: Run) -> None:
    """The end is its last 2,000 characters. They do not affect the verdict."""
    status, _, _, report = run("chatters")
    assert status == 0
    assert report[-1]["stderr"].endswith("x the end\n")
    assert len(report[-1]["stderr"]) == 2_000


def test_a_conformance_run_can_be_limited_to_a_chapter_a_clause_or_a_test_vector(run: Run) -> None:
    """The option `--only` limits the run. The report repeats its values."""
    assert list(verdicts(run("right", "--only", "turn")[3])) == ["turn/play", "turn/draw"]
    assert list(verdicts(run("right", "--only", "TRN-1")[3])) == ["turn/play"]
    report = run("right", "--only", "scoring/end", "--only", "SET-1")[3]
    assert list(verdicts(report)) == ["setup/table", "scoring/end"]
    assert ", limited to SET-1, scoring/end," in report[-1]["sentence"]
    status, out, err, _ = run("right", "--only", "tarot")
    assert (status, out) == (3, "")
    assert err == "valletta conformance: no test vector matches tarot\n"


def test_the_output_of_the_runner_shows_only_the_first_failures(run: Run, kit: Path) -> None:
    """Two of twelve failures are not printed. The report file contains all of them."""
    write_kit(kit, [turn(str(n), text="so " * 300) for n in range(12)])
    _, out, _, report = run("refuses")
    assert "... and 2 more; --report FILE lists all of them" in out
    assert len(report) == 14
    write_kit(kit, [turn("long", legal=[{"type": "A"}] * 100)])
    assert "..." in run("right")[1]


def test_a_clause_with_twelve_failures_is_listed_before_a_clause_with_a_single_failure(
    run: Run, kit: Path
) -> None:
    """All twelve vectors of TRN-2 fail. One of them also tests TRN-1, which has no other vector."""
    others = [turn(str(n), clauses=["TRN-2"]) for n in range(11)]
    write_kit(kit, [turn("both", clauses=["TRN-2", "TRN-1"]), *others])
    assert run("refuses")[1].index("  TRN-2 ") < run("refuses")[1].index("  TRN-1 ")


@pytest.mark.parametrize(
    ("expected", "answered", "differences"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, [("a[1].b", 2, 3)]),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, [("a", 1, None), ("c", None, 3)]),
        ({"a": [1]}, {"a": [1, 2]}, [("a[1]", None, 2)]),
        ({"built": [3, 1]}, {"built": [1, 4, 3]}, [("built", None, 4)]),
        ([{"type": "A"}, {"type": "B"}], [{"type": "B"}], [("", {"type": "A"}, None)]),
        ({"phase": "final"}, 7, [("", {"phase": "final"}, 7)]),
        ({"built": [2, 1], "a": []}, {"a": [], "built": [1, 2]}, []),
    ],
)
def test_each_difference_between_two_answers_is_reported_with_its_path(
    expected: object, answered: object, differences: object
) -> None:
    """The order of arrays matters, but the order of sets and of object keys does not."""
    assert list(differing(expected, answered)) == differences


def test_the_output_shows_the_first_difference_of_a_long_answer(run: Run) -> None:
    """The whole answer would be too long. The difference can be deeply nested."""
    out = one_line(run("accepts")[1])
    assert "expected: {'refused': {'codes': ['no'], 'clauses': ['TRN-2']}} answered: {" in out
    out = one_line(run("elsewhere")[1])
    assert "asked: next {'type': 'A'} at players[1].score: expected: nothing answered: 1 ..." in out
    assert "answered: 1 ... and 1 more" in out


def test_the_runner_writes_its_progress_to_standard_error_at_intervals(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test sets the interval to zero."""
    monkeypatch.setattr(conformance, "EVERY", -1.0)
    assert "1 of 4 vectors" in run("right")[2]


def test_an_invalid_conformance_suite_is_refused_with_a_reason(
    run: Run, kit: Path, tmp_path: Path
) -> None:
    """The suite is missing or damaged, or has an unknown format or kind of vector."""
    (kit / "smoke.jsonl").write_text("{}\n")
    assert "the checksum of smoke.jsonl differs from the one in manifest.json" in run("right")[2]
    write_kit(kit, VECTORS, format=2)
    assert "the kit has format 2, but this version reads format 1" in run("right")[2]
    write_kit(kit, [*VECTORS, turn("new", kind="dream")])
    assert "the vector turn/new has an unknown kind: 'dream'" in run("right")[2]
    (kit / "manifest.json").write_text("{")
    assert "manifest.json cannot be read" in run("right")[2]
    (kit / "manifest.json").write_text("[]")
    assert "manifest.json is not a JSON object" in run("right")[2]
    with pytest.raises(KitError, match=r"not a conformance suite: manifest\.json: No such file"):
        Kit.load(str(tmp_path / "nothing"))


def test_the_conformance_command_refuses_unusable_options(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """Examples are an engine that cannot be started, and a report that cannot be written."""
    assert main(["conformance", "--engine", ""]) == 3
    assert "--engine needs a command that starts the engine" in capsys.readouterr().err
    assert main(["conformance", "--engine", "no-such-engine"]) == 2
    assert "no-such-engine: No such file or directory" in capsys.readouterr().err
    status, _, err, _ = run("right", "--report", "/no/such/folder/report")
    assert status == 3
    assert "/no/such/folder/report: No such file or directory" in err
