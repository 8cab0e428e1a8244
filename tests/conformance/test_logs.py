"""Tests that this package reads the conformance suite's game logs as expected.

``src/javascript/test/game.test.js`` tests the JavaScript package with the same logs.
"""

import json
from typing import Any

import pytest

import valletta_rules as vr
from spec.checks.kit import logs

TABLE: dict[str, list[dict[str, Any]]] = json.loads(logs.FILE.read_text("utf-8"))

LOGS = {log["name"]: log for log in TABLE["logs"]}


def test_the_file_of_game_logs_is_current() -> None:
    """`python -m spec.checks accept generated` updates the file."""
    assert logs.table() == logs.FILE.read_text("utf-8")


@pytest.mark.parametrize("name", LOGS)
def test_replaying_a_log_gives_each_seat_its_expected_news(name: str) -> None:
    """The news of a seat is the list of events since a revision, as the seat sees them.

    The replayed game also has the expected log and record.
    """
    game = vr.Game.replay(LOGS[name]["log"])
    assert logs.documents(game) == LOGS[name]["log"]
    assert logs.record(game) == LOGS[name]["record"]
    for news in LOGS[name]["news"]:
        assert vr.to_json(game.since(news["revision"], news["seat"])) == news["text"]


@pytest.mark.parametrize("faulty", TABLE["faulty"], ids=lambda each: each["name"])
def test_the_error_about_a_faulty_log_names_the_entry_and_the_code(faulty: dict[str, Any]) -> None:
    """Each faulty log has an expected error. In some cases, the error may have any code."""
    log = LOGS[faulty["of"]]["log"]
    entries = [log[each] if isinstance(each, int) else each for each in faulty["entries"]]
    with pytest.raises(vr.LogError) as refused:
        vr.Game.replay(entries)
    assert refused.value.entry == faulty["entry"]
    assert faulty["code"] in (None, refused.value.code)
