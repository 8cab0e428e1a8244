"""How long the operations of the engine take, on positions of random games of four.

Run ``python -m pytest tests/benchmarks``.  Only ratios between figures of one run mean anything.
"""

from __future__ import annotations

import random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import valletta_rules as valletta
from valletta_rules import GameState, RuleSet

RULES = [valletta.HANS_IM_GLUECK, valletta.Z_MAN]


def play(seed: int, players: int, rules: RuleSet) -> list[GameState]:
    """Play one game at random and return the positions in which a player was asked."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players, rules=rules), rng)
    states = []
    while state.prompt is not None:
        states.append(state)
        actions = valletta.legal_actions(state)
        state = valletta.apply(state, actions[rng.randrange(len(actions))])
        state = valletta.resolve_chance(state, rng)
    return states


@pytest.fixture(scope="module")
def states() -> list[GameState]:
    """Return sixty positions taken from six games."""
    rng = random.Random(7)
    return rng.sample([state for seed in range(6) for state in play(seed, 4, RULES[0])], 60)


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


def test_legal_actions(benchmark: BenchmarkFixture, states: list[GameState]) -> None:
    """The legal actions of sixty positions."""
    benchmark(lambda: [valletta.legal_actions(state) for state in states])


def test_check(benchmark: BenchmarkFixture, states: list[GameState]) -> None:
    """Checking the last legal action of sixty positions."""
    pairs = [(state, valletta.legal_actions(state)[-1]) for state in states]
    benchmark(lambda: [valletta.check(*pair) for pair in pairs])


def test_apply(benchmark: BenchmarkFixture, states: list[GameState]) -> None:
    """Applying the first legal action of sixty positions."""
    pairs = [(state, valletta.legal_actions(state)[0]) for state in states]
    benchmark(lambda: [valletta.apply(*pair) for pair in pairs])


def test_transition(benchmark: BenchmarkFixture, states: list[GameState]) -> None:
    """The same, telling what happened."""
    pairs = [(state, valletta.legal_actions(state)[0]) for state in states]
    benchmark(lambda: [valletta.transition(*pair) for pair in pairs])


def test_hash(benchmark: BenchmarkFixture, states: list[GameState]) -> None:
    """Hashing copies of sixty positions, since a position remembers its hash."""
    benchmark(lambda: [hash(state.replace()) for state in states])
