"""``python -m valletta_rules.native --check cuda``: does a GPU play the games of the processor?

``--measure cuda`` prints how many it plays.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from valletta_rules import native, new_game
from valletta_rules.native import cuda
from valletta_rules.native.device import Array

PLAYERS = 2, 3, 4
GAMES, MEASURED = 4096, 262_144
"""How many games are compared, and measured."""


def compare(steps: int) -> None:
    """Play so many steps both ways, shared out among games of 2, 3 and 4 players, and rollouts.

    Raises `SystemExit` at the first difference.
    """
    for players in PLAYERS:
        start, threads = native.pack(new_game(players)), min(os.cpu_count() or 1, 256)
        batch = native.Batch(start, GAMES, restart=True, threads=threads)
        other = cuda.Batch(start, GAMES, restart=True)
        for step in range(-(-steps // (GAMES * len(PLAYERS)))):
            ids = batch.sample(step)
            batch.step(ids)
            other.step(other.sample(step))
            for name in ("sample", "legal_mask", "observe", "to_play", "done", "rewards", "scores"):
                given = (step + 1,) if name == "sample" else ()
                mine: Array = getattr(other, name)(*given)
                if mine.to_host().tobytes() != getattr(batch, name)(*given).tobytes():
                    sys.exit(f"{players} players, step {step}: {name} differs")
        other.check()
        if cuda.rollouts(start, GAMES, 1) != native.rollouts(start, GAMES, 1, threads=threads):
            sys.exit(f"{players} players: rollouts differ")
        print(f"{players} players: equal", flush=True)


def timed(work: Callable[[], object], wait: Callable[[], object]) -> float:
    """Return the median time of five runs of something that a GPU does, after two others."""
    times = []
    for _ in range(7):
        wait()
        begun = time.perf_counter()
        work()
        wait()
        times.append(time.perf_counter() - begun)
    return median(times[2:])


def measure(games: int, repeats: int = 20) -> None:
    """Print millions of steps a second, alone and with observations and masks, and of rollouts."""
    for players in PLAYERS:
        start = native.pack(new_game(players))
        batch = cuda.Batch(start, games, restart=True)

        def step(batch: cuda.Batch = batch) -> None:
            for _ in range(repeats):
                batch.step(batch.sample(1))

        def advance(batch: cuda.Batch = batch) -> None:
            for _ in range(repeats):
                batch.advance(batch.sample(1))

        for _ in range(5):
            step()  # so that games are not all at their beginning
        each = {
            work.__name__: games * repeats / timed(work, batch.check) for work in (step, advance)
        }
        decisions = native.rollouts(start, 1000, 1).decisions / 1000
        played = timed(partial(cuda.rollouts, start, games, 1), batch.check)
        each["decisions of rollouts"] = decisions * games / played
        told = ", ".join(f"{name} {value / 1e6:.1f}" for name, value in each.items())
        print(f"{players} players, {games} games, million a second: {told}", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Run what is asked for; end with a sentence if there is no GPU to play on."""
    parser = argparse.ArgumentParser("python -m valletta_rules.native", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", choices=["cuda"], help="compare games with those of the processor")
    what.add_argument("--measure", choices=["cuda"], help="measure how fast games are played")
    parser.add_argument("--steps", type=int, default=10_000_000, help="steps to compare")
    parser.add_argument("--games", type=int, default=MEASURED, help="games to measure")
    options = parser.parse_args(arguments)
    if (reason := cuda.why_not()) is not None:
        sys.exit(reason)
    print(cuda.card(0).name)
    compare(options.steps) if options.check else measure(options.games)


if __name__ == "__main__":
    main()
