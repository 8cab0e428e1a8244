"""The table of logs of the conformance suite: every program reads a log in the same way.

``src/javascript/test/game.test.js`` applies it to JavaScript.
"""

import json
from typing import Any

import pytest

import valletta_rules as vr
from spec.checks.kit import logs

TABLE: dict[str, list[dict[str, Any]]] = json.loads(logs.FILE.read_text("utf-8"))

LOGS = {log["name"]: log for log in TABLE["logs"]}


def test_the_table_is_current() -> None:
    """`python -m spec.checks accept generated` writes it."""
    assert logs.table() == logs.FILE.read_text("utf-8")


@pytest.mark.parametrize("name", LOGS)
def test_each_seat_gets_the_news_of_a_log_in_the_table(name: str) -> None:
    """The game also writes the same log again."""
    game = vr.Game.replay(LOGS[name]["log"])
    assert logs.documents(game) == LOGS[name]["log"]
    assert logs.record(game) == LOGS[name]["record"]
    for news in LOGS[name]["news"]:
        assert vr.to_json(game.since(news["revision"], news["seat"])) == news["text"]


@pytest.mark.parametrize("faulty", TABLE["faulty"], ids=lambda each: each["name"])
def test_the_error_about_a_faulty_log_names_the_entry(faulty: dict[str, Any]) -> None:
    """It also has the code of the fault."""
    log = LOGS[faulty["of"]]["log"]
    entries = [log[each] if isinstance(each, int) else each for each in faulty["entries"]]
    with pytest.raises(vr.LogError) as refused:
        vr.Game.replay(entries)
    assert refused.value.entry == faulty["entry"]
    assert faulty["code"] in (None, refused.value.code)
