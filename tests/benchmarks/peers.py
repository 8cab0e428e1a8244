"""Measure decisions per second of CPU time, in this engine and in other game engines.

    python -m tests.benchmarks.peers --players 2 4 --rounds 5 --seconds 2

A decision consists of listing the legal actions, choosing one at random, applying it, and drawing
the results of random events.  The result is a new position.  The other engines are measured if they
are installed: catanatron, which copies its game at every decision, and OpenSpiel's crazy eights,
which is written in C++ and clones its position.  Ratios are relative to the first installed engine.
In each round, each engine runs in a process of its own.

The batch of native games requires numpy, which chooses legal actions.  A batch stores no earlier
positions.  In a batch, a payment consists of four actions, but it counts as one decision.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from multiprocessing import get_context
from statistics import median
from typing import Final

import valletta_rules as valletta
from tests.benchmarks.games import decisions as played
from valletta_rules import native
from valletta_rules.numeric import numbering


def catanatron(players: int, rng: random.Random) -> int:
    """Play a random game of Catan with catanatron, and return the number of decisions."""
    peer = import_module("catanatron")
    seats = [peer.RandomPlayer(colour) for colour in list(peer.Color)[:players]]
    game = peer.Game(seats, seed=rng.randrange(1, 2**31))
    decisions = 0
    while game.winning_color() is None and game.state.num_turns < 1000:
        home = game if hasattr(game, "playable_actions") else game.state  # before version 3.3
        action = home.playable_actions[rng.randrange(len(home.playable_actions))]
        game = game.copy()
        game.execute(action)
        decisions += 1
    return decisions


def engine(players: int, rng: random.Random) -> int:
    """Play a random game of Valletta with the Python engine, and return the number of decisions."""
    return played(valletta.new_game(players), rng)


def twin(players: int, rng: random.Random) -> int:
    """Play a random game of Valletta with the native backend, and return the number of
    decisions.
    """
    return played(native.pack(valletta.new_game(players)), rng, native)


def batch(players: int, rng: random.Random) -> int:
    """Play 1,000 games in one batch for 200 steps, and return the number of decisions."""
    numpy = import_module("numpy")
    games, paid, answered = 1_000, 0, 200
    pick, numbers = numpy.random.default_rng(rng.randrange(2**32)), numbering.COUNT
    side_by_side = native.Batch(native.pack(valletta.new_game(players)), games, restart=True)
    side_by_side.reset(pick.integers(2**63, size=games, dtype=numpy.uint64))
    mask = numpy.zeros((games, numbers), numpy.bool_)
    first = numpy.arange(games) * numbers
    for _ in range(answered):
        legal = numpy.flatnonzero(side_by_side.legal_mask(mask))
        begins = numpy.searchsorted(legal, first)
        counts = numpy.diff(begins, append=len(legal))
        ids = legal[begins + (pick.random(games) * counts).astype(numpy.int64)] - first
        side_by_side.step(ids)
        payments = numbering.NUMBERS[valletta.Pay]
        paid += int(numpy.count_nonzero((ids >= payments.start) & (ids < payments.stop)))
    return games * answered - paid + paid // len(valletta.GOODS)


def crazy_eights(players: int, rng: random.Random) -> int:
    """Play a random game of crazy eights, and return the number of decisions."""
    state = import_module("pyspiel").load_game(f"crazy_eights(players={players})")
    state = state.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            drawn = rng.random()
            for action, probability in state.chance_outcomes():  # noqa: B007 -- the one drawn
                if (drawn := drawn - probability) <= 0:
                    break
        else:
            actions = state.legal_actions()
            action = actions[rng.randrange(len(actions))]
            decisions += 1
        state = state.clone()
        state.apply_action(action)
    return decisions


IMPLEMENTATIONS: Final[Mapping[str, Callable[[int, random.Random], int]]] = {
    "catanatron": catanatron,
    "engine": engine,
    "native backend": twin,
    "batch": batch,
    "crazy eights": crazy_eights,
}
"""Functions that play one game or a batch of games, keyed by engine.

Ratios are relative to the first installed engine.
"""


def installed() -> list[str]:
    """Return the names of the engines that are installed."""
    missing = {
        "catanatron": find_spec("catanatron") is None,
        "native backend": not native.available,
        "batch": not native.available or find_spec("numpy") is None,
        "crazy eights": find_spec("pyspiel") is None,
    }
    return [name for name in IMPLEMENTATIONS if not missing.get(name)]


def rate(name: str, players: int, seconds: float) -> float:
    """Measure an engine for `seconds`, and return its decisions per second of CPU time.

    The first game is a warm-up and is not measured.
    """
    play = IMPLEMENTATIONS[name]
    play(players, random.Random(0))
    decisions, began = 0, time.process_time()
    for seed in count(1):
        decisions += play(players, random.Random(seed))
        if (spent := time.process_time() - began) >= seconds:
            break
    return decisions / spent


def report(players: int, rates: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield the lines of a report: median rates, and medians of the per-round ratios."""
    first = next(iter(rates))
    yield f"{players} players: decisions per second of CPU time, ratio to {first}"
    for name, measured in rates.items():
        ratios = [each / base for each, base in zip(measured, rates[first], strict=True)]
        spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
        yield f"  {name:12}{median(measured):12,.0f}{median(ratios):9.2f} {spread}"


def main() -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.peers",
        description="Compare the decisions per second of engine, native backend and other engines.",
    )
    parser.add_argument(
        "--players", type=int, nargs="+", default=[2, 3, 4], help="the numbers of players"
    )
    parser.add_argument("--rounds", type=int, default=5, help="the number of rounds")
    parser.add_argument(
        "--seconds", type=float, default=2, help="the CPU time of an engine in a round"
    )
    options = parser.parse_args()
    fresh = ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1)
    with fresh as processes:
        for players in options.players:
            rates: dict[str, list[float]] = {name: [] for name in installed()}
            for _ in range(options.rounds):
                for name, measured in rates.items():
                    turn = processes.submit(rate, name, players, options.seconds)
                    measured.append(turn.result())
            sys.stdout.writelines(f"{line}\n" for line in report(players, rates))


if __name__ == "__main__":
    main()
