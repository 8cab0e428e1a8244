"""How long the operations of the engine take, on positions of random games of four.

Run ``python -m pytest tests/benchmarks``.  Only ratios between figures of one run mean anything.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import valletta_rules as valletta
from tests.benchmarks.games import play
from valletta_rules import Action, GameState, RuleSet

RULES = [valletta.HANS_IM_GLUECK, valletta.Z_MAN]


@pytest.fixture(scope="module")
def states() -> list[GameState]:
    """Return sixty positions taken from six games."""
    rng = random.Random(7)
    return rng.sample([state for seed in range(6) for state in play(seed)], 60)


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game(benchmark: BenchmarkFixture, players: int, rules: RuleSet) -> None:
    """Ten games of random players; the share of forced moves and the branching are noted."""
    games = [play(seed, players, rules) for seed in range(10)]
    choices = [len(valletta.legal_actions(state)) for game in games for state in game]
    benchmark.extra_info["decisions"] = len(choices)
    benchmark.extra_info["branching"] = round(sum(choices) / len(choices), 2)
    benchmark.extra_info["forced"] = round(choices.count(1) / len(choices), 3)
    benchmark(lambda: [play(seed, players, rules) for seed in range(10)])
    stats = benchmark.stats
    if stats is not None:
        benchmark.extra_info["decisions_per_second"] = round(len(choices) / stats["median"])


OPERATIONS: dict[str, Callable[[GameState, Sequence[Action]], object]] = {
    "legal_actions": lambda state, actions: valletta.legal_actions(state),
    "check": lambda state, actions: valletta.check(state, actions[-1]),
    "apply": lambda state, actions: valletta.apply(state, actions[0]),
    "transition": lambda state, actions: valletta.transition(state, actions[0]),
    "hash": lambda state, actions: hash(state.replace()),  # a position caches its hash
}
"""The operations that are timed, each given a position and its legal actions."""


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations(benchmark: BenchmarkFixture, operation: str, states: list[GameState]) -> None:
    """One operation on sixty positions."""
    given = [(state, valletta.legal_actions(state)) for state in states]
    benchmark(lambda: [OPERATIONS[operation](*each) for each in given])
