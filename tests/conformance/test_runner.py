"""The runner of the conformance kit: what it makes of engines, sound and faulty ones."""

from __future__ import annotations

import gzip
import hashlib
import json
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import miniatures
from valletta_rules.cli import conformance
from valletta_rules.cli.main import main
from valletta_rules.specification.conformance import peer
from valletta_rules.specification.conformance.kit import Kit, KitError

A, B, C = ({"type": name} for name in "ABC")
TABLE = {"players": [{"built": [1, 2]}, {}]}


def vector(name: str, kind: str, clauses: list[str], **others: Any) -> dict[str, Any]:
    """Return a vector of the miniature kit."""
    return {
        "id": name,
        "kind": kind,
        "clauses": clauses,
        "rules": "plain",
        "cards": "plain",
        "needs": ["plays"],
        "text": "Something is so.",
        "position": TABLE,
        "legal": [A, B],
        "next": [{"action": A, "position": TABLE}, {"action": B, "position": TABLE}],
        "refused": [],
    } | others


VECTORS = [
    vector("setup/table", "start", ["SET-1"], needs=["setup"], position={"players": [{}, {}]}),
    vector(
        "turn/play",
        "turn",
        ["TRN-1", "TRN-2"],
        refused=[{"action": C, "codes": ["no"], "clauses": ["TRN-2"]}],
    ),
    vector(
        "turn/draw",
        "chance",
        ["TRN-2"],
        chance=[
            {"action": A, "numerator": 2, "denominator": 3},
            {"action": B, "numerator": 1, "denominator": 3},
        ],
    ),
    vector(
        "scoring/end",
        "final",
        ["SCO-9"],
        needs=["scoring"],
        position={"players": [{}, {}]},
        legal=[],
        next=[],
        final={"winners": [0]},
    ),
]


def write_kit(folder: Path, vectors: list[dict[str, Any]], **others: Any) -> Path:
    """Write a kit, the first vector in plain text."""
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
    manifest = {
        "protocol": 1,
        "format": 1,
        "kit": "1.2.3",
        "specification": "4.5.6",
        "files": files,
        "chapters": {"setup": ["SET-1"], "turn": ["TRN-1", "TRN-2"], "scoring": ["SCO-9"]},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest | others))
    return folder


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Return the folder of the miniature kit."""
    folder = tmp_path / "kit"
    folder.mkdir()
    return write_kit(folder, VECTORS)


Run = Callable[..., tuple[int, str, str, list[dict[str, Any]]]]


@pytest.fixture
def run(kit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs an engine: status, output, error output, and the report."""

    def running(manner: str, *options: str) -> tuple[int, str, str, list[dict[str, Any]]]:
        command = shlex.join([sys.executable, miniatures.__file__, manner])
        file = tmp_path / "report.jsonl"
        arguments = ["--engine", command, "--vectors", str(kit), "--report", str(file)]
        status = main(["conformance", *arguments, "--timeout", "20", *options])
        said = capsys.readouterr()
        lines = file.read_text().splitlines() if file.exists() else []
        return status, said.out, said.err, [json.loads(line) for line in lines]

    return running


def verdicts(report: list[dict[str, Any]]) -> dict[str, str]:
    """Return the verdicts of a report by id."""
    return {line["id"]: line["verdict"] for line in report if "id" in line}


def whys(report: list[dict[str, Any]]) -> set[str]:
    """Return the reasons that a report gives."""
    return {line["why"] for line in report if "why" in line}


ALL = [each["id"] for each in VECTORS]


HEADER = {
    "report": "header",
    "protocol": 1,
    "kit": "1.2.3",
    "specification": "4.5.6",
    "engine": {
        "name": "miniature",
        "version": "1",
        "language": "Python",
        "needs": ["plays", "scoring", "setup"],
        "ops": ["chance", "final", "first", "legal", "next"],
        "players": [2],
    },
    "levels": ["rules", "chance"],
    "only": [],
}

SENTENCE = (
    "miniature 1 (Python) passes all 4 vectors asked, of 4 of conformance kit 1.2.3 "
    "(specification 4.5.6), about rules, chance. Rule sets: plain. "
    "Chapters: setup, turn, scoring. Not claimed: nothing."
)

FOOTER = {
    "report": "footer",
    "verdicts": {"passed": 4},
    "levels": {
        "rules": {"passed": 4},
        "codes": {"passed": 1},
        "clauses": {"passed": 1},
        "chance": {"passed": 1},
    },
    "blamed": {},
    "clauses": {
        "SET-1": {"passed": 1},
        "TRN-1": {"passed": 1},
        "TRN-2": {"passed": 2},
        "SCO-9": {"passed": 1},
    },
    "known_failures": {"listed": 0, "outdated": []},
    "stderr": "",
    "sentence": SENTENCE,
    "status": 0,
}


def test_an_engine_that_is_right_passes(run: Run) -> None:
    """It is said what it has passed and what it claims, and the report has head and foot."""
    status, out, err, report = run("right")
    assert (status, err) == (0, "")
    assert verdicts(report) == dict.fromkeys(ALL, "passed")
    assert report[0] == HEADER
    assert " ".join(out.split()).endswith(SENTENCE)
    assert report[-1] == FOOTER


@pytest.mark.parametrize(
    ("manner", "failed"),
    [
        ("refuses", ALL),
        ("shapeless", ALL),
        ("accepts", ["turn/play"]),
        ("wrong-odds", ["turn/draw"]),
    ],
)
def test_a_wrong_answer_fails(run: Run, manner: str, failed: list[str]) -> None:
    """It is reported with what was expected, under the clauses of the vector."""
    status, out, _, report = run(manner)
    assert status == 1
    assert verdicts(report) == {id: "failed" if id in failed else "passed" for id in ALL}
    assert all(f"failed: {id} [" in out for id in failed)
    assert "By clause: wrong where it is shown, wrong, passed, skipped" in out
    for line in report[1:-1]:
        assert ("findings" in line) == (line["id"] in failed)


def test_what_is_wrong_is_reported_to_the_letter(run: Run) -> None:
    """The question, what was expected, what was answered, and about what it is wrong."""
    _, out, _, report = run("wrong-odds")
    assert report[3]["findings"] == [
        {
            "op": "chance",
            "action": None,
            "levels": ["chance"],
            "expected": VECTORS[2]["chance"],
            "answered": {
                "result": [{"action": each, "numerator": 1, "denominator": 2} for each in (A, B)]
            },
        }
    ]
    assert "  TRN-2       1     1     1     0" in out
    assert "passes 3 of 4 vectors asked" in " ".join(out.split())
    assert "Not claimed: turn." in " ".join(out.split())


def test_other_levels_are_reported_and_judged_if_chosen(run: Run) -> None:
    """A refusal under another clause is a failure only to whoever asks for clauses."""
    status, out, _, report = run("wrong-clause")
    assert status == 0
    assert "  clauses     0     1     0  (not judged)" in out
    assert report[2]["levels"] == {"rules": "passed", "codes": "passed", "clauses": "failed"}
    status, out, _, report = run("wrong-clause", "--level", "clauses")
    assert status == 1
    assert verdicts(report)["turn/play"] == "failed"
    assert report[0]["levels"] == ["clauses"]


@pytest.mark.parametrize(
    ("manner", "why"),
    [
        ("dies", "the engine has ended in mid-line: b'{\"seq\"'"),
        ("ends", "the engine has ended"),
        ("babbles", r"no JSON: b'what?\n'"),
        ("array", r"no object: b'[]\n'"),
        ("wrong-seq", "question 1 was answered as 7000"),
        ("two-answers", 'no reply to ask: {"result": 1, "refused": {}}'),
        ("odd-refusal", 'no reply to ask: {"refused": "no"}'),
        ("deaf", "the engine has ended"),
        ("errs", "the engine says: out of cheese"),
        ("odd-setup", 'no reply to setup: {"ok": "yes"}'),
    ],
)
def test_an_engine_that_fails_to_answer(run: Run, manner: str, why: str) -> None:
    """Every vector is errored, none failed, and the engine is started again for each."""
    status, _, _, report = run(manner)
    assert status == 2
    assert verdicts(report) == dict.fromkeys(ALL, "errored")
    assert why in whys(report)


def test_an_unknown_field_in_a_reply_is_a_breach(run: Run) -> None:
    """What is not agreed is not overlooked."""
    status, _, _, report = run("unknown-field")
    assert status == 2
    assert set(verdicts(report).values()) == {"errored"}


def test_an_engine_that_hangs_is_ended_with_its_children(run: Run) -> None:
    """Each vector is timed out, and the run goes on."""
    began = time.monotonic()
    status, _, _, report = run("hangs", "--timeout", "0.3")
    assert time.monotonic() - began < 30
    assert status == 2
    assert verdicts(report) == dict.fromkeys(ALL, "timed out")
    assert whys(report) == {"no reply to ask within 0.3 s"}


def test_an_engine_that_recovers_passes_the_rest(run: Run) -> None:
    """After a restart the rules and cards are told again, and the next vector is asked about."""
    status, _, _, report = run("once")
    assert status == 2
    assert verdicts(report) == dict.fromkeys(ALL, "passed") | {"setup/table": "errored"}


def test_after_ten_restarts_the_run_is_given_up(
    run: Run, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is not run, and the report is complete."""
    monkeypatch.setattr(peer, "MOST_RESTARTS", 2)
    status, out, _, report = run("ends")
    assert status == 2
    assert list(verdicts(report).values()) == ["errored", "errored", "errored", "not run"]
    assert report[-1]["report"] == "footer"
    assert "the engine was started again 2 times" in whys(report)
    monkeypatch.setattr(peer, "MOST_RESTARTS", 1)
    status, out, _, report = run("ends")
    assert list(verdicts(report).values()) == ["errored", "errored", "not run", "not run"]
    assert "2 not run" in out


@pytest.mark.parametrize(
    ("manner", "why"),
    [
        ("gone", "the engine has ended"),
        ("no-start", 'no reply to start: {"hello": true}'),
        ("no-engine", "no reply to start: {"),
        ("newer", "the engine speaks protocol 2, not 1"),
        ("mute", "no reply to start within 0.5 s"),
    ],
)
def test_an_engine_that_does_not_start(run: Run, manner: str, why: str) -> None:
    """Nothing is asked, and it is said why."""
    status, out, err, report = run(manner, "--start-timeout", "0.5" if manner == "mute" else "30")
    assert (status, out, report) == (2, "", [])
    assert err.startswith(f"valletta conformance: the engine does not start: {why}")


def test_a_command_that_does_not_exist(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named."""
    status = main(["conformance", "--engine", "no-such-engine", "--vectors", str(kit)])
    assert status == 2
    assert "no-such-engine: No such file or directory" in capsys.readouterr().err


def test_a_partial_engine_is_skipped_where_it_claims_nothing(run: Run) -> None:
    """What it does not support is skipped with the reason, and not claimed."""
    status, _, _, report = run("partial")
    assert status == 0
    assert list(verdicts(report).values()) == ["skipped", "passed", "skipped", "skipped"]
    assert whys(report) == {"needs setup", "needs scoring", "op chance"}
    sentence = report[-1]["sentence"]
    assert "passes all 1 vectors asked, of 4" in sentence
    assert "Chapters: turn (in part: 2 of 2 clauses). Not claimed: setup, scoring." in sentence
    assert run("partial", "--level", "rules")[0] == 0


def test_what_is_not_supported_is_skipped(run: Run) -> None:
    """Questions, rules and numbers of players can be declined."""
    for manner, why in (
        ("unsupported", "op legal"),
        ("no-rules", "these rules"),
        ("alone", "2 players"),
    ):
        status, out, _, report = run(manner)
        assert status == 0
        assert set(verdicts(report).values()) == {"skipped"}
        assert why in whys(report)
        assert "Rule sets: none. Chapters: none." in " ".join(out.split())


def test_another_table_is_set_up_anew(run: Run, kit: Path) -> None:
    """Rules and cards are told whenever they change."""
    others = [vector(f"turn/{n}", "turn", ["TRN-1"], rules=n) for n in ("plain", "other")]
    write_kit(kit, [*others, vector("turn/last", "turn", ["TRN-1"])])
    assert run("right")[0] == 0
    assert set(verdicts(run("no-rules")[3]).values()) == {"skipped"}


def test_what_it_writes_to_its_standard_error_is_kept(run: Run) -> None:
    """It is never judged."""
    status, _, _, report = run("chatters")
    assert status == 0
    assert report[-1]["stderr"].endswith("x the end\n")
    assert len(report[-1]["stderr"]) == 2_000


def test_an_engine_that_does_not_stop_is_ended(run: Run) -> None:
    """There is no reply to the last message, and none is waited for long."""
    began = time.monotonic()
    assert run("stays", "--timeout", "5")[0] == 0
    assert time.monotonic() - began < 20


def test_a_kind_that_is_newer_is_unknown(run: Run, kit: Path) -> None:
    """The runner says so, and cannot call the engine sound."""
    write_kit(kit, [*VECTORS, vector("turn/new", "dream", ["TRN-9"])])
    status, out, _, report = run("right")
    assert status == 2
    assert verdicts(report)["turn/new"] == "unknown"
    assert "vectors of kind 'dream'" in out


def test_a_run_can_be_limited(run: Run) -> None:
    """To a chapter, a clause or a vector; and it says so."""
    assert list(verdicts(run("right", "--only", "turn")[3])) == ["turn/play", "turn/draw"]
    assert list(verdicts(run("right", "--only", "TRN-1")[3])) == ["turn/play"]
    report = run("right", "--only", "scoring/end", "--only", "SET-1")[3]
    assert list(verdicts(report)) == ["setup/table", "scoring/end"]
    assert ", limited to SET-1, scoring/end," in report[-1]["sentence"]
    status, out, err, _ = run("right", "--only", "tarot")
    assert (status, out) == (3, "")
    assert err == "valletta conformance: no vector is of tarot\n"


def test_known_failures(run: Run, tmp_path: Path) -> None:
    """What is listed may fail, but must: passing, skipped or gone it is an error."""
    file = tmp_path / "known.txt"
    known = ("--known-failures", str(file))
    file.write_text("# mine\n\nturn/play: refuses nothing yet\n")
    status, out, _, report = run("accepts", *known)
    assert (status, report[-1]["known_failures"]) == (0, {"listed": 1, "outdated": []})
    assert "1 failed" in out
    outdated = {
        "right": "turn/play is known to fail and was passed",
        "unsupported": "turn/play is known to fail and was skipped",
    }
    for manner, message in outdated.items():
        status, out, _, report = run(manner, *known)
        assert (status, report[-1]["known_failures"]["outdated"]) == (1, [message])
        assert message in out
    file.write_text("turn/gone: was there once\nturn/play: refuses nothing yet\n")
    assert "turn/gone is known to fail and is no vector" in run("accepts", *known)[1]
    assert run("accepts", *known, "--only", "turn")[0] == 0
    for wrong in ("turn/play", "a: b\na: c"):
        file.write_text(wrong)
        status, _, err, _ = run("right", *known)
        assert status == 3
        assert f"{file}: line " in err
    file.write_bytes(b"\xff")
    assert run("right", *known)[0] == 3
    assert run("right", "--known-failures", str(tmp_path / "none"))[0] == 3


def test_many_failures_are_told_in_short(run: Run, kit: Path) -> None:
    """The report file has them all."""
    write_kit(kit, [vector(f"turn/{n}", "turn", ["TRN-1"], text="so " * 300) for n in range(12)])
    _, out, _, report = run("refuses")
    assert "... and 2 more; --report FILE has them all" in out
    assert len(report) == 14
    write_kit(kit, [vector("turn/long", "turn", ["TRN-1"], legal=[A] * 100)])
    assert "..." in run("right")[1]


def test_it_says_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then, on standard error."""
    monkeypatch.setattr(conformance, "EVERY", -1.0)
    assert "1 of 4" in run("right")[2]


def test_a_run_without_a_report_file(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The summary is written all the same."""
    command = shlex.join([sys.executable, miniatures.__file__, "right"])
    assert main(["conformance", "--engine", command, "--vectors", str(kit)]) == 0
    assert "4 passed" in capsys.readouterr().out


def test_what_is_no_kit_is_refused(run: Run, kit: Path, tmp_path: Path) -> None:
    """A folder without a kit, a damaged one, and one of another format."""
    (kit / "smoke.jsonl").write_text("{}\n")
    assert "smoke.jsonl is not what the manifest says" in run("right")[2]
    write_kit(kit, VECTORS, format=2)
    assert "the kit has format 2, and this version knows 1" in run("right")[2]
    (kit / "manifest.json").write_text("{")
    assert "manifest.json cannot be read" in run("right")[2]
    (kit / "manifest.json").write_text("[]")
    assert "manifest.json holds no object" in run("right")[2]
    with pytest.raises(KitError, match=r"no conformance kit: manifest\.json: No such file"):
        Kit.load(str(tmp_path / "nothing"))


def test_options_that_cannot_be_used(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine without a command, a report that cannot be written."""
    assert main(["conformance", "--engine", ""]) == 3
    assert "--engine names no command" in capsys.readouterr().err
    status, _, err, _ = run("right", "--report", "/no/such/folder/report")
    assert status == 3
    assert "/no/such/folder/report: No such file or directory" in err
