"""Tests of `valletta trace`, which checks a game and cites the clauses behind each event."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest
from referencing import Registry, Resource

import valletta_rules as vr
from tests.cli.conftest import Terminal, a_game
from valletta_rules.cli import trace
from valletta_rules.codec.schema import json_schema
from valletta_rules.rulings import EDITIONS

GAME = a_game()


def moves_of(text: str) -> list[dict[str, Any]]:
    """Parse the JSON output of a trace, and return its moves."""
    moves: list[dict[str, Any]] = json.loads(text)
    return moves


def test_a_trace_in_json_lists_each_event_and_prompt_with_the_clauses_behind_it(
    terminal: Terminal,
) -> None:
    """The function `replay` returns the same events and prompts. Each clause has its title."""
    moves = moves_of(terminal("trace game.txt --format json"))
    assert [each["move"] for each in moves] == [*range(1, len(GAME.actions) + 1)]
    for move, step in zip(moves, vr.replay(GAME), strict=True):
        entries = [(each["value"]["type"], each["clauses"][0]) for each in move["entries"]]
        assert entries == [(type(each).__name__, each.clause) for each in step.events]
        traced_prompt, prompt = move["prompt"], step.state.prompt
        assert (traced_prompt and traced_prompt["value"]["type"]) == (
            prompt and type(prompt).__name__
        )
        for given in (*move["entries"], *move["price"], *filter(None, [traced_prompt])):
            titles = [vr.explain(clause).title for clause in given["clauses"]]
            assert given["titles"] == titles != []
        assert move["failures"] == []


def test_the_schema_of_traces_accepts_a_trace_and_rejects_an_additional_key(
    terminal: Terminal,
) -> None:
    """The schema file equals the schema that is generated from the types."""
    text = trace.TRACE_SCHEMA.read_text("utf-8")
    assert text == trace.schema_text()
    documents = Resource.from_contents(json_schema())
    known = Registry[Any]().with_resource(str(documents.id()), documents)
    judge = jsonschema.Draft202012Validator(json.loads(text), registry=known)
    moves = moves_of(terminal("trace game.txt --format json"))
    judge.validate(moves)
    assert not judge.is_valid([moves[0] | {"more": 1}])


def test_a_trace_itemises_a_price_as_the_printed_price_and_its_reductions(
    terminal: Terminal,
) -> None:
    """The printed price minus all reductions is the price in the prompt."""
    moves = moves_of(terminal("trace game.txt --format json"))
    priced = [each for each in moves if (each["prompt"] or {}).get("value", {}).get("price")]
    for move in priced:
        first, *less = [vr.Goods(**each["value"]["goods"]) for each in move["price"]]
        assert first - sum(less, vr.Goods()) == vr.Goods(**move["prompt"]["value"]["price"])
    items = [each for move in priced for each in move["price"]]
    discount = next(each for each in items if each["clauses"] == ["BLD-6"])
    site = discount["value"]["site"]
    assert discount["text"] == f"1 gold less for the house on site {site}."
    text = terminal("trace game.txt")
    assert f"      BLD-6: 1 gold less for the house on site {site}.\n" in text


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_an_unfinished_game_is_traced_up_to_its_last_move(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, edition: str, language: str
) -> None:
    """The game has a custom card set, and the terminal has 60 columns."""
    session = vr.Session(3, rules=EDITIONS[edition], cards=vr.load_card_set("mine.toml"), seed=5)
    while len(session.record.actions) < 90:
        session.play(vr.legal_actions(session.state)[-1])
    vr.write_record(session.record, "new.txt")
    monkeypatch.setenv("COLUMNS", "60")
    output = terminal(f"trace new.txt --language {language}")
    assert max(map(len, output.splitlines())) <= 60
    assert f"\n{len(session.record.actions):4}  " in output
    assert {"en": "Turn 1, Red", "de": "Zug 1, Rot"}[language] in output


# Violated clauses


def with_free_buildings(step: vr.Transition) -> vr.Transition:
    """Return `step` with a price of zero goods if the prompt is a payment."""
    state = step.state
    if not isinstance(state.prompt, vr.PaymentPrompt):
        return step
    free = attrs.evolve(state.prompt, price=vr.Goods())
    return attrs.evolve(step, state=state.replace(agenda=(free, *state.agenda[1:])))


def without_taking(step: vr.Transition) -> vr.Transition:
    """Return `step` without events of the type `GoodsTaken`."""
    events = tuple(each for each in step.events if not isinstance(each, vr.GoodsTaken))
    return attrs.evolve(step, events=events)


@pytest.mark.parametrize(
    ("mistaken", "language", "report"),
    [
        (
            with_free_buildings,
            "en",
            f"The move breaks BLD-5: {vr.explain('BLD-5').text} expected: Pay",
        ),
        (with_free_buildings, "de", f"verstößt gegen BLD-5: {vr.explain('BLD-5', 'de').text} ver"),
        (
            without_taking,
            "en",
            "The events do not lead to this position. expected: players",
        ),
        (without_taking, "en", f"breaks RED-4: {vr.explain('RED-4').text} expected: [GoodsTak"),
    ],
)
def test_a_trace_of_a_game_that_violates_a_clause_reports_the_clause(
    terminal: Terminal,
    monkeypatch: pytest.MonkeyPatch,
    mistaken: Callable[[vr.Transition], vr.Transition],
    language: str,
    report: str,
) -> None:
    """The report contains the text of the clause and the expected value. The exit status is 1."""

    def replayed(record: vr.Record) -> Iterator[vr.Transition]:
        return map(mistaken, vr.replay(record))

    monkeypatch.setattr(trace, "replay", replayed)
    output = terminal(f"trace game.txt --language {language}", status=1)
    assert report in " ".join(output.split())
    moves = moves_of(terminal("trace game.txt --format json", status=1))
    clauses = {each for move in moves for broken in move["failures"] for each in broken["clauses"]}
    assert clauses & {"BLD-5", "RED-4"}


# Files and streams


def test_the_trace_command_prints_the_same_for_a_record_from_standard_input_as_from_a_file(
    terminal: Terminal,
) -> None:
    """The file name "-" means standard input. A damaged record causes the same error."""
    for file, status in (("game.txt", 0), ("damaged.txt", 2)):
        with Path(file).open("rb") as given:
            command = [sys.executable, "-m", "valletta_rules", "trace", "-", "--language", "en"]
            done = subprocess.run(command, stdin=given, capture_output=True, check=False)
        assert done.returncode == status
        output = terminal(f"trace {file} --language en", status=status)
        assert done.stdout.decode("utf-8").splitlines() == output.splitlines()
        assert done.stderr.decode() == terminal.complaints.replace(file, "standard input")


def test_the_trace_command_with_until_n_traces_only_the_first_n_moves(terminal: Terminal) -> None:
    """With `--until 0`, the text output is empty, and the JSON output is an empty list."""
    moves = moves_of(terminal("trace game.txt --until 2 --format json"))
    assert [each["move"] for each in moves] == [1, 2]
    assert moves_of(terminal("trace game.txt --until 0 --format json")) == []
    assert terminal("trace game.txt --until 0") == ""
