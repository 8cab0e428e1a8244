"""Tests of this package as an engine in the conformance suite, and of faulty versions of it."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import leaky
from tests.conformance.miniatures import DATA
from valletta_rules import RECONSTRUCTION, explain, parse_position_line
from valletta_rules.cli.main import main
from valletta_rules.specification.conformance.form import read_cards, write
from valletta_rules.specification.conformance.kit import Kit
from valletta_rules.specification.conformance.server import serve

SERVE = f"{sys.executable} -m valletta_rules conformance --serve"


def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the conformance server's replies to the given requests."""
    replies = io.StringIO()
    serve(map(json.dumps, requests), replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_the_conformance_server_ignores_requests_after_a_stop_request() -> None:
    """Only the first start request gets a reply, which contains the name of the server."""
    start = {"command": "start", "protocol": 1, "kit": "1.0.0"}
    (reply,) = answers(start, {"command": "stop"}, start)
    assert reply["engine"]["name"] == "valletta-rules"
    assert answers() == []


def test_the_conformance_suite_contains_card_sets_in_full() -> None:
    """Therefore, an engine can be tested even if it does not know the built-in cards."""
    assert read_cards(write(RECONSTRUCTION)) == RECONSTRUCTION


def test_the_conformance_server_distinguishes_refusals_from_malformed_requests() -> None:
    """The reply to an illegal action has a code and a clause. A malformed request gets an error."""
    kit = Kit.load()
    vector = next(each for each in kit.vectors() if each.content.get("refused"))
    refused = vector.content["refused"][0]
    tables = {"rules": kit.rules(vector.rules), "cards": kit.cards(vector.cards)}
    question = {
        "command": "ask",
        "seq": 5,
        "op": "next",
        "position": vector.content["position"],
        "action": refused["action"],
    }
    _, reply, nonsense, final = answers(
        {"command": "setup", **tables},
        question,
        {**question, "action": {"type": "Castle"}},
        {**question, "op": "final"},
    )
    assert final == {"seq": 5, "result": None}
    code, clause = refused["codes"][0], refused["clauses"][0]
    assert reply == {"seq": 5, "refused": {"code": code, "clause": clause}}
    assert nonsense["error"].startswith("CodecError: $.type: must be one of DealBuilding, DrawCard")


def test_this_package_passes_its_conformance_suite_at_every_level(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The test runs four chapters of the suite."""
    levels = [
        word
        for level in ("rules", "chance", "views", "events", "codes", "clauses")
        for word in ("--level", level)
    ]
    chapters = ("setup", "green", "scoring", "player_information")
    only = [word for chapter in chapters for word in ("--only", chapter)]
    status = main(["conformance", "--engine", SERVE, *levels, *only, "--timeout", "30"])
    out = capsys.readouterr().out
    assert status == 0, out
    assert "valletta-rules" in out


SECRETS = DATA["secrets"]
"""For each faulty engine, the request whose reply reveals hidden information."""


@pytest.mark.parametrize("leak", SECRETS)
def test_an_engine_that_reveals_hidden_information_fails_the_conformance_suite(
    leak: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The engine reveals another seat's hand, legal actions or drawn card.

    The reports of these failures do not name a broken clause.
    """
    lines, printed = wrong_lines(leak, "INF-13", capsys, tmp_path)
    assert all(each["breaks"] == [] for line in lines for each in line["findings"])
    assert "breaks" not in printed
    out = " ".join(printed.split())
    assert SECRETS[leak] in out
    assert re.search(r" views +\d+ +[1-9]\d* +0 events +\d+ +0 +0 ", out)


BROKEN = DATA["broken"]
"""For each faulty engine: the clause to test, the clause that it breaks, and part of the output."""


@pytest.mark.parametrize("leak", BROKEN)
def test_the_report_on_a_faulty_engine_names_the_clause_that_the_engine_breaks(
    leak: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The report also contains the expected and the actual result, and the position."""
    only, clause, due = BROKEN[leak]
    lines, out = wrong_lines(leak, only, capsys, tmp_path)
    breaks = [broken for line in lines for each in line["findings"] for broken in each["breaks"]]
    sentences = [explain(clause).text] if clause else []
    own = [each for each in breaks if each["sentences"] == sentences]
    assert any(due in each["due"] != each["found"] for each in own)
    first = next(each for line in lines[:10] for each in line["findings"][:1] if each["breaks"])
    assert f"      in: {first['position']}\n" in out
    assert parse_position_line(first["position"]).players
    if clause == only:
        assert out.partition("\nBy clause: ")[2].splitlines()[1].split()[0] == clause
    assert (" breaks the journal: " if not clause else f" breaks {clause}: ") in out


def test_a_refusal_that_cites_a_wrong_clause_is_not_reported_as_a_broken_clause(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The engine refuses the right actions, but with a wrong reason."""
    lines, out = wrong_lines("confused", "BLD-3", capsys, tmp_path, "--level", "clauses")
    assert all(each["breaks"] == [] for line in lines for each in line["findings"])
    assert "breaks" not in out


def wrong_lines(
    leak: str, only: str, capsys: pytest.CaptureFixture[str], folder: Path, *options: str
) -> tuple[list[dict[str, Any]], str]:
    """Run a faulty engine; return the failed vectors in the report, and the standard output."""
    file, command = folder / "report.jsonl", f"{sys.executable} {Path(leaky.__file__)} {leak}"
    named = ["--only", only, "--report", str(file), "--timeout", "30"]
    assert main(["conformance", "--engine", command, *named, *options]) == 1
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [line for line in lines if line.get("verdict") == "failed"], capsys.readouterr().out


def test_the_serve_command_reads_standard_input_to_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The input contains only a stop request, to which the server does not reply."""
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"command": "stop"}\n'))
    assert main(["conformance", "--serve"]) == 0
    assert capsys.readouterr().out == ""
