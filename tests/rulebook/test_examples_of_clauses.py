"""Tests that the engine and the formal model satisfy the worked examples in the clauses.

Each test is marked with the clause of its example.
"""

from collections.abc import Iterable, Iterator

import pytest
from _pytest.mark import ParameterSet

from spec.checks.model import Oracle
from spec.checks.node import why_unavailable
from spec.checks.rules import Engine
from valletta_rules.specification.clauses import (
    ClauseKind,
    Example,
    chapters,
    clauses_in_force,
    explain,
)
from valletta_rules.specification.files import specification
from valletta_rules.specification.worked_examples import contradictions, variants, work

EXAMPLES = tuple(each for chapter in chapters() for c in chapter.clauses for each in c.examples)

UNAVAILABLE = why_unavailable()

shows = pytest.mark.rule


def parameters(among: Iterable[Example]) -> list[ParameterSet]:
    """Convert examples to pytest parameters that are marked with their clauses.

    The id of a parameter includes the edition and the number of players.
    """
    return [
        pytest.param(
            each,
            id=" ".join([str(each), *(v for k, v in each.given if k in ("rules", "players"))]),
            marks=shows(each.clause),
        )
        for each in among
    ]


@pytest.fixture(scope="module")
def model() -> Iterator[Oracle]:
    """Start the formal model in another process, and yield a client for it."""
    with Oracle() as running:
        yield running


@pytest.mark.parametrize(
    "example", parameters(variant for each in EXAMPLES for variant in variants(each))
)
def test_the_engine_satisfies_the_worked_example(example: Example) -> None:
    """Its assertions hold, or its action is refused with the expected clause and code.

    The clause is in force in the initial position of the example.
    """
    worked = work(example)
    state = worked.before
    assert explain(example.clause) in clauses_in_force(state.rules, len(state.players))
    assert bool(example.then) is not bool(example.refused)
    assert list(contradictions(worked, Engine())) == []


@pytest.mark.skipif(
    UNAVAILABLE is not None,
    reason=f"examples are not compared with the formal specification: {UNAVAILABLE}",
)
@pytest.mark.parametrize("example", parameters(each for each in EXAMPLES if not each.ask))
def test_the_formal_model_satisfies_the_worked_example(example: Example, model: Oracle) -> None:
    """Its assertions hold, or its refused action is not legal.

    Only the first variant is tested.
    The conformance suite contains the model's results for all variants.
    """
    assert list(contradictions(work(example), model)) == []


@pytest.mark.parametrize("example", [each for each in EXAMPLES if each.sentence], ids=str)
def test_the_rulebook_sentence_that_contains_an_example_refers_to_the_clause_of_the_example(
    example: Example,
) -> None:
    """The specification lists the sentences of the rulebooks and the clauses of each sentence."""
    sentences = {each.id: each for text in specification().texts for each in text.sentences}
    assert example.clause in sentences[example.sentence].relations


WITHOUT = {
    "REA-4": "The decisions for such cases are in other clauses.",
    "REA-5": "It is about texts.",
    "SET-29": "The library has no input for visits to islands: seat 0 is the start player.",
}
"""The reasons why some rules and exceptions have no example, keyed by clause id."""


def test_every_rule_and_exception_without_an_example_is_listed_with_a_reason() -> None:
    """Clauses of other kinds, such as definitions, need no example."""
    owing = {
        clause.id
        for chapter in chapters()
        for clause in chapter.clauses
        if clause.kind in (ClauseKind.RULE, ClauseKind.EXCEPTION) and not clause.examples
    }
    assert owing == set(WITHOUT)
