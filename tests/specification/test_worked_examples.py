"""Tests of worked examples: their initial positions, their results, and errors in them."""

import pickle
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from spec.checks.rules import Engine
from tests.specification import CASES
from valletta_rules.specification import worked_examples
from valletta_rules.specification.clauses import Example, lines_of

SOME = vr.explain("RED-1").examples[0]


def example(*play: str, refused: str = "", **given: Any) -> Example:
    """Return a worked example with the given position, actions and expected refusal."""
    return attrs.evolve(SOME, given=tuple(lines_of(given)), play=play, refused=refused)


@pytest.mark.parametrize("case", CASES["unreadable"], ids=lambda case: str(case["message"]))
def test_an_example_that_cannot_be_parsed_or_played_raises_an_error(case: dict[str, Any]) -> None:
    """The error contains the name of the example and the reason."""
    with pytest.raises(worked_examples.ExampleError, match=case["message"]) as error:
        worked_examples.work(example(*case.get("play", ()), **case["given"]))
    assert str(error.value).startswith("RED-1/")


def contradicted(worked: Example, *results: tuple[str, str]) -> list[str]:
    """Play an example, and return a message for each result in `results` that is wrong."""
    return list(
        worked_examples.contradictions(
            worked_examples.work(attrs.evolve(worked, then=results)), Engine()
        )
    )


MONK: Mapping[str, Any] = {
    "red": {"hand": "monk, maid"},
    "blue": {"goods": "4 gold"},
    "sites": {"4": "banker", "5": "Y/knight/2g1w/gold/1/1"},
}


@pytest.mark.parametrize(
    "case", CASES["said"], ids=lambda case: f"{case['key']} {case['otherwise']}"
)
def test_a_wrong_result_of_an_example_is_reported_and_a_right_one_is_not(
    case: dict[str, str],
) -> None:
    """The test cases in `cases.toml` cover every kind of result."""
    worked, key = example("monk", "give gold", **MONK), case["key"]
    assert contradicted(worked, (key, case["so"])) == []
    [wrong] = contradicted(worked, (key, case["otherwise"]))
    assert wrong.startswith(f"{key} is ")


def test_results_about_events_are_skipped_for_an_engine_without_events() -> None:
    """The engine returns `None` instead of events."""
    silent = Engine()
    silent.events = lambda position, action: None  # type: ignore[method-assign, assignment, return-value]
    with_events = attrs.evolve(
        example("monk", **MONK), then=(("told", "goods-taken red"), ("untold", "goods-taken blue"))
    )
    assert list(worked_examples.contradictions(worked_examples.work(with_events), silent)) == []


@pytest.mark.parametrize(("by", "expected"), [("", ["maid is refused as"]), ("TRN-3", [])])
def test_a_refusal_under_another_clause_than_the_example_expects_is_reported(
    by: str, expected: list[str]
) -> None:
    """If the example does not name the expected clause, it is the clause of the example itself."""
    refused = example("maid", refused="card-not-in-hand", red={"hand": "knight"})
    messages = contradicted(attrs.evolve(refused, by=by))
    assert [each[: len("maid is refused as")] for each in messages] == expected


def test_an_example_is_played_with_each_edition_and_number_of_players_that_it_names() -> None:
    """The value ``any`` means all combinations in which the clause is in force."""
    several = example(rules="hans-im-glueck, z-man", players="2, 4", red={"hand": "maid"})
    positions = [
        worked_examples.position_of(dict(each.given)) for each in worked_examples.variants(several)
    ]
    assert [(str(each.rules), len(each.players)) for each in positions] == [
        (str(rules), players) for rules in (vr.HANS_IM_GLUECK, vr.Z_MAN) for players in (2, 4)
    ]
    assert len(worked_examples.variants(example(rules="any", players="any"))) == 9
    between_two = attrs.evolve(example(rules="any", players="any"), clause="BLU-35")
    assert [dict(each.given) for each in worked_examples.variants(between_two)] == [
        {"rules": "z-man", "players": "2"}
    ]


def test_all_worked_examples_can_be_played_and_hashed() -> None:
    """An example in which nothing changes must say so, or expect a refusal."""
    assert pickle.loads(pickle.dumps(vr.explain("RED-1"))) == vr.explain("RED-1")
    for worked in worked_examples.examples():
        assert hash(worked.example)
        if worked.actions and worked.after == worked.before:
            assert worked.violation or "unchanged" in dict(worked.example.then)
