"""Games without end, in a memory that does not grow.

    python -m spec.checks.endurance --games 1000000

plays that many games in a batch, by answers picked at random, and one game for every two hundred of
them position by position.  It fails if more memory is in use after the last of them
than after half of them: with a million games, all caches are full by then.
"""

from __future__ import annotations

import argparse
import random
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from spec.checks.figures import publish
from valletta_rules import apply, legal_actions, native, new_game, resolve_chance
from valletta_rules.numeric import numbering

SIDE_BY_SIDE: Final = 500
"""The number of games that are played at a time."""

ALONE: Final = 200
"""One game in this many is also played position by position."""

SLACK: Final = 1 << 20
"""A difference of no more bytes than this is no growth."""


def in_use() -> int:
    """Return how many bytes of memory this process has in use."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096


def one_by_one(rng: random.Random) -> None:
    """Play a game position by position, there and back."""
    state = resolve_chance(native.pack(new_game(2)), rng)
    while actions := legal_actions(state):
        state = resolve_chance(apply(state, rng.choice(actions)), rng)
    assert native.pack(state.unpack()) == state


def play(games: int, seed: int) -> dict[str, int]:
    """Play some games; return how many decisions that took, and the memory in use."""
    rng, size = random.Random(seed), numbering.COUNT
    batch = native.Batch(native.pack(new_game(2)), SIDE_BY_SIDE, restart=True)
    batch.reset(array("Q", [rng.getrandbits(64) for _ in range(SIDE_BY_SIDE)]))
    mask, ids = bytearray(SIDE_BY_SIDE * size), array("q", bytes(8 * SIDE_BY_SIDE))
    told = memoryview(mask).cast("B", (SIDE_BY_SIDE, size))
    over = memoryview(bytearray(SIDE_BY_SIDE)).cast("B", (SIDE_BY_SIDE,))
    decisions = played = alone = before = 0
    while played < games:
        batch.legal_mask(told)
        turn = rng.randrange(size)
        for game in range(SIDE_BY_SIDE):
            first = game * size
            place = mask.find(1, first + (turn + 17 * game) % size, first + size)
            ids[game] = (mask.find(1, first) if place < 0 else place) - first
        batch.step(ids)
        decisions += SIDE_BY_SIDE
        played += batch.done(over).tolist().count(1)
        while alone < played // ALONE:
            alone += 1
            one_by_one(rng)
        if not before and played * 2 > games:
            before = in_use()
    return {
        "games": played,
        "one_by_one": alone,
        "decisions": decisions,
        "bytes_before": before,
        "bytes_after": in_use(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if memory has grown, 2 if there is no native backend."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.endurance", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games to play")
    parser.add_argument("--seed", type=int, default=0, help="of the random generator")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    found = play(options.games, options.seed)
    print(
        f"{found['games']:,} games, {found['decisions']:,} decisions: {found['bytes_before']:,}"
        f" bytes in use after half of them, {found['bytes_after']:,} after the last"
    )
    publish(seed=options.seed, **found)
    return int(found["bytes_after"] > found["bytes_before"] + SLACK)


if __name__ == "__main__":
    sys.exit(main())
