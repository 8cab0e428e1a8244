"""This package as an engine under test, and the conformance suite that it comes with."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import leaky
from valletta_rules import RECONSTRUCTION
from valletta_rules.cli.main import main
from valletta_rules.specification.conformance.form import read_cards, write
from valletta_rules.specification.conformance.judge import questions
from valletta_rules.specification.conformance.kit import Kit
from valletta_rules.specification.conformance.server import serve

SERVE = f"{sys.executable} -m valletta_rules conformance --serve"


def answers(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the replies to some requests."""
    replies = io.StringIO()
    serve(map(json.dumps, requests), replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_the_engine_stops_when_it_is_told_to() -> None:
    """It says what it is, and does not answer what comes after *stop*."""
    start = {"command": "start", "protocol": 1, "kit": "1.0.0"}
    (reply,) = answers(start, {"command": "stop"}, start)
    assert reply["engine"]["name"] == "valletta-rules"
    assert answers() == []


def test_the_engine_answers_every_kind_of_question() -> None:
    """Its answers about a vector of each kind are right, refusals with their codes and clauses."""
    kit = Kit.load()
    by_kind = {vector.kind: vector for vector in kit.vectors()}
    assert set(by_kind) == {"start", "turn", "chance", "final", "view"}
    for vector in by_kind.values():
        tables = {"rules": kit.rules(vector.rules), "cards": kit.cards(vector.cards)}
        asked = list(questions(vector) or ())
        asks = [
            {"command": "ask", "seq": n, "op": question.op, **question.asked}
            for n, question in enumerate(asked)
        ]
        is_set_up, *replies = answers({"command": "setup", **tables}, *asks)
        assert is_set_up == {"ok": True}
        for n, (question, reply) in enumerate(zip(asked, replies, strict=True)):
            assert all(question.judge(reply).values())
            assert reply["seq"] == n


def test_card_sets_are_written_in_full() -> None:
    """An engine that knows no card set by name reads all cards in the kit."""
    assert read_cards(write(RECONSTRUCTION)) == RECONSTRUCTION


def test_the_engine_refuses_and_errs() -> None:
    """An illegal action is refused with code and clause; nonsense is an error, not a refusal."""
    kit = Kit.load()
    vector = next(each for each in kit.vectors() if each.content.get("refused"))
    refused = vector.content["refused"][0]
    tables = {"rules": kit.rules(vector.rules), "cards": kit.cards(vector.cards)}
    ask = {
        "command": "ask",
        "seq": 5,
        "op": "next",
        "position": vector.content["position"],
        "action": refused["action"],
    }
    _, reply, nonsense, final = answers(
        {"command": "setup", **tables},
        ask,
        {**ask, "action": {"type": "Castle"}},
        {**ask, "op": "final"},
    )
    assert final == {"seq": 5, "result": None}
    code, clause = refused["codes"][0], refused["clauses"][0]
    assert reply == {"seq": 5, "refused": {"code": code, "clause": clause}}
    assert nonsense["error"].startswith("CodecError: $.type: must be one of DealBuilding, DrawCard")


def test_the_engine_passes_its_own_kit(capsys: pytest.CaptureFixture[str]) -> None:
    """All vectors of two chapters, at every level, through the same runner as any other engine."""
    levels = [
        word
        for level in ("rules", "chance", "views", "events", "codes", "clauses")
        for word in ("--level", level)
    ]
    only = ["--only", "scoring", "--only", "red"]
    status = main(["conformance", "--engine", SERVE, *levels, *only, "--timeout", "30"])
    out = capsys.readouterr().out
    assert status == 0, out
    assert "valletta-rules" in out


SECRETS = {
    "hand": "asked: view for seat 0",
    "answers": "asked: view for seat 1",
    "draw": "asked: events {'type': 'DrawCard'",
}


@pytest.mark.parametrize("leak", SECRETS)
def test_an_engine_that_tells_secrets_fails(leak: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It shows a hand, what another can answer, or which card another draws; and is found out."""
    command = f"{sys.executable} {Path(leaky.__file__)} {leak}"
    arguments = ["--engine", command, "--only", "player_information", "--timeout", "30"]
    assert main(["conformance", *arguments]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert SECRETS[leak] in out
    assert re.search(r" views +\d+ +[1-9]\d* +0 events +\d+ +0 +0 ", out)


def test_the_command_serves_from_within(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It reads its standard input until the end."""
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"command": "stop"}\n'))
    assert main(["conformance", "--serve"]) == 0
    assert capsys.readouterr().out == ""
