"""How long the native backend takes, compared with the engine on positions of four-player games.

Run ``python -m pytest tests/benchmarks``.  Only ratios between figures of one run mean anything.
"""

from __future__ import annotations

import gc
import pickle
import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import valletta_rules as valletta
from tests.benchmarks.games import play
from valletta_rules import GameState, native
from valletta_rules.numeric import numbering
from valletta_rules.numeric.encoding import encode

pytestmark = pytest.mark.skipif(not native.available, reason=str(native.why_not))

FORMS: dict[str, Callable[[GameState], Any]] = {
    "engine": lambda state: state,
    "native": native.pack,
}
"""The forms that a position has."""


@pytest.mark.parametrize("form", FORMS)
def test_whole_games(benchmark: BenchmarkFixture, form: str) -> None:
    """Ten games of random players, the same in both forms."""
    decisions = sum(len(play(seed, form=FORMS[form])) for seed in range(10))
    benchmark.extra_info["decisions"] = decisions
    benchmark(lambda: [play(seed, form=FORMS[form]) for seed in range(10)])
    if benchmark.stats is not None:
        benchmark.extra_info["decisions_per_second"] = round(decisions / benchmark.stats["median"])


def unpack_anew(packed: native.PackedState) -> GameState:
    """Unpack a position with no player in the cache."""
    native._read_player.cache_clear()
    return packed.unpack()


class Looked:
    """A position in both forms, with the view of the seat that is asked."""

    def __init__(self, state: GameState) -> None:
        """Pack the position, and look at it."""
        self.state, self.packed = state, native.pack(state)
        assert state.prompt is not None
        self.seat = state.prompt.seat
        self.view = valletta.view(state, self.seat)


RNG = random.Random(1)

WAYS: dict[str, Callable[[Looked], object]] = {
    "pack": lambda of: native.pack(of.state),
    "unpack": lambda of: of.packed.unpack(),
    "unpack anew": lambda of: unpack_anew(of.packed),
    "hash": lambda of: hash(of.packed),
    "view of a GameState": lambda of: valletta.view(of.state, of.seat),
    "view": lambda of: valletta.view(of.packed, of.seat),
    "determinize in Python": lambda of: valletta.determinize(of.view, RNG),
    "determinize": lambda of: native.determinize(of.view, RNG),
    "determinize again": lambda of: [native.determinize(of.view, RNG) for _ in range(100)],
    "encode in Python": lambda of: encode(of.view),
    "encode": lambda of: native.encode(of.packed, of.seat),
    "pickle": lambda of: pickle.loads(pickle.dumps(of.packed)),
}
"""The conversions that are timed."""


@pytest.mark.parametrize("way", WAYS)
def test_ways_between_forms(benchmark: BenchmarkFixture, way: str) -> None:
    """One way for sixty positions."""
    states = random.Random(7).sample(play(1), 60)
    positions = [Looked(state) for state in states]
    benchmark(lambda: [WAYS[way](of) for of in positions])


@pytest.mark.parametrize("what", ["legal_mask", "observe"])
def test_what_a_batch_tells(benchmark: BenchmarkFixture, what: str) -> None:
    """A thousand games at once, into a buffer."""
    batch = native.Batch(native.pack(valletta.new_game(4)), 1_000)
    tell = getattr(batch, what)
    into = tell()
    benchmark(lambda: tell(into))


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_of_a_batch(benchmark: BenchmarkFixture, threads: int) -> None:
    """An answer in each of ten thousand games that are under way, by the clock."""
    batch = native.Batch(native.pack(valletta.new_game(4)), 10_000, restart=True, threads=threads)
    rng = random.Random(7)

    def picked() -> tuple[tuple[array[int]], dict[str, Any]]:
        mask, width = bytes(memoryview(batch.legal_mask()).cast("B")), numbering.COUNT
        rows = (mask[begin : begin + width] for begin in range(0, len(mask), width))
        ids = [rng.choice([number for number, legal in enumerate(row) if legal]) for row in rows]
        return (array("q", ids),), {}

    for _ in range(40):
        batch.step(*picked()[0])
    benchmark.pedantic(batch.step, setup=picked, rounds=40)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("kept", ["nothing", "packed", "packed and actions", "GameState"])
def test_walks_of_the_collector(benchmark: BenchmarkFixture, kept: str) -> None:
    """One walk of the garbage collector while 30,000 positions are kept."""
    states = random.Random(7).sample(play(1), 60)
    found: list[Any] = []
    for view in [Looked(state).view for state in states] * 500:
        made_up = native.determinize(view, RNG)
        match kept:
            case "packed":
                found.append(made_up)
            case "packed and actions":
                found.append((made_up, valletta.legal_actions(made_up)))
            case "GameState":
                found.append(valletta.determinize(view, RNG))
    benchmark(gc.collect)
    assert kept == "nothing" or found
