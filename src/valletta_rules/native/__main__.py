"""The command ``python -m valletta_rules.native --check cuda`` compares games on GPU and CPU.

``--measure cuda`` prints the speed of a GPU.
"""

import argparse
import os
import sys
import timeit
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from valletta_rules import native, new_game
from valletta_rules.native import cuda

PLAYERS = 2, 3, 4
GAMES, MEASURED = 4096, 262_144
"""The number of games in a comparison, and the default number in a measurement."""


def results(batch: native.Batch) -> dict[str, bytes]:
    """Return the bytes of each result of a batch, keyed by the name of the method."""
    names = "legal_mask", "observe", "to_play", "done", "rewards", "scores"
    arrays: dict[str, Any] = {name: getattr(batch, name)() for name in names}
    arrays |= {"observe, of all": batch.observe(seats="all"), "sample": batch.sample(7)}
    if isinstance(batch, cuda.Batch):
        arrays = {name: each.to_host() for name, each in arrays.items()}
    return {name: each.tobytes() for name, each in arrays.items()}


def compare(steps: int) -> None:
    """Compare `steps` steps and some rollouts between GPU and CPU, in games of 2, 3 and 4 players.

    Raises `SystemExit` at the first difference.
    """
    for players in PLAYERS:
        start, threads = native.pack(new_game(players)), min(os.cpu_count() or 1, 256)
        batch = native.Batch(start, GAMES, restart=True, threads=threads)
        other = cuda.Batch(start, GAMES, restart=True)
        for step in range(-(-steps // (GAMES * len(PLAYERS)))):
            batch.step(batch.sample(7))
            other.step(other.sample(7))
            expected = results(batch)
            for name, actual in results(other).items():
                if actual != expected[name]:
                    sys.exit(f"{players} players, step {step}: {name} differs")
        other.check()
        if cuda.rollouts(start, GAMES, 1) != native.rollouts(start, GAMES, 1, threads=threads):
            sys.exit(f"{players} players: rollouts differ")
        print(f"{players} players: equal", flush=True)


def rate(work: Callable[[], object], wait: Callable[[], object], repeats: int) -> float:
    """Return the calls per second of a GPU function: the median of five runs after two warm-ups."""

    def run() -> None:
        for _ in range(repeats):
            work()
        wait()

    return repeats / median(timeit.repeat(run, number=1, repeat=7)[2:])


def measure(games: int) -> None:
    """Print the speed of `Batch.step`, `Batch.advance` and `rollouts` on the GPU."""
    for players in PLAYERS:
        start = native.pack(new_game(players))
        batch = cuda.Batch(start, games, restart=True)
        decisions = native.rollouts(start, 1000, 1).decisions / 1000
        step = rate(partial(_step, batch.step, batch), batch.check, 100)
        advance = rate(partial(_step, batch.advance, batch), batch.check, 20)
        played = rate(partial(cuda.rollouts, start, games, 1), batch.check, 1)
        print(
            f"{players} players, {games} games, million per second: step {games * step / 1e6:.1f},"
            f" advance {games * advance / 1e6:.1f},"
            f" decisions of rollouts {games * decisions * played / 1e6:.1f}",
            flush=True,
        )


def _step(play: Callable[[Any], object], batch: cuda.Batch) -> None:
    play(batch.sample(1))


def main(arguments: list[str] | None = None) -> None:
    """Run the check or the measurement; exit with a message if there is no usable GPU."""
    parser = argparse.ArgumentParser("python -m valletta_rules.native", description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", choices=["cuda"], help="compare games on GPU and CPU")
    mode.add_argument("--measure", choices=["cuda"], help="print the speed of a GPU")
    parser.add_argument("--steps", type=int, default=10_000_000, help="number of steps to compare")
    parser.add_argument("--games", type=int, default=MEASURED, help="number of games to measure")
    options = parser.parse_args(arguments)
    if (reason := cuda.why_not()) is not None:
        sys.exit(reason)
    print(cuda.card(0).name)
    compare(options.steps) if options.check else measure(options.games)


if __name__ == "__main__":
    main()
