"""How long the native twin takes, beside the engine on the same positions of random games of four.

Run ``python -m pytest tests/benchmarks``.  Only ratios between figures of one run mean anything.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import valletta_rules as valletta
from valletta_rules import native

pytestmark = pytest.mark.skipif(not native.available, reason=str(native.why_not))

FORMS: dict[str, Callable[[valletta.GameState], Any]] = {
    "engine": lambda state: state,
    "native": native.pack,
}
"""The forms that a position has."""


def play(seed: int, form: Callable[[valletta.GameState], Any]) -> list[Any]:
    """Play one game at random and return the positions in which a player was asked."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(form(valletta.new_game(4)), rng)
    states = []
    while state.prompt is not None:
        states.append(state)
        actions = valletta.legal_actions(state)
        action = actions[rng.randrange(len(actions))]
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
    return states


@pytest.mark.parametrize("form", FORMS)
def test_whole_games(benchmark: BenchmarkFixture, form: str) -> None:
    """Ten games of random players, the same in both forms."""
    decisions = sum(len(play(seed, FORMS[form])) for seed in range(10))
    benchmark.extra_info["decisions"] = decisions
    benchmark(lambda: [play(seed, FORMS[form]) for seed in range(10)])
    if benchmark.stats is not None:
        benchmark.extra_info["decisions_per_second"] = round(decisions / benchmark.stats["median"])


WAYS: dict[str, Callable[[valletta.GameState, native.PackedState], object]] = {
    "pack": lambda state, packed: native.pack(state),
    "unpack": lambda state, packed: packed.unpack(),
    "hash": lambda state, packed: hash(packed),
    "view": lambda state, packed: valletta.view(packed, 0),
    "determinize": lambda state, packed: native.determinize(
        valletta.view(packed, 0), random.Random(1)
    ),
}
"""What leads from one form to the other, or to something else."""


@pytest.mark.parametrize("way", WAYS)
def test_ways_between_forms(benchmark: BenchmarkFixture, way: str) -> None:
    """One way for sixty positions."""
    states = random.Random(7).sample(play(1, FORMS["engine"]), 60)
    pairs = [(state, native.pack(state)) for state in states]
    benchmark(lambda: [WAYS[way](*pair) for pair in pairs])
