"""Print a hash of games played by the native backend; the hash must be equal on all machines.

    python digest.py            plays 300 games one by one, and 300 in batches with two threads

The program needs an installed package with the backend, but not this repository.
"""

import hashlib
import random
import sys
from array import array

import valletta_rules as valletta
from valletta_rules import native

GAMES = 300


def one_by_one(seed: int, hasher: "hashlib._Hash") -> None:
    """Play a game, and update `hasher` with each position, choice and outcome."""
    rng = random.Random(seed)
    state = native.pack(valletta.new_game(2 + seed % 3))
    while True:
        state = valletta.resolve_chance(state, rng)
        hasher.update(bytes(state))
        if state.prompt is None:
            break
        legal = valletta.legal_actions(state)
        chosen = rng.randrange(len(legal))
        hasher.update(f"{chosen} of {len(legal)}: {legal[chosen]}".encode())
        state = valletta.apply(state, legal[chosen])
    hasher.update(str(valletta.outcome(state)).encode())


def side_by_side(players: int, hasher: "hashlib._Hash") -> None:
    """Play a batch of games in two threads, and update `hasher` with the results.

    The hash receives the observations, the rewards and the last positions.  In every
    game, each step chooses the first or the last legal action number.
    """
    games = GAMES // 3
    batch = native.Batch(native.pack(valletta.new_game(players)), games, threads=2, restart=True)
    batch.reset(array("Q", range(games)))
    for step in range(200):
        rows = [bytes(row) for row in batch.legal_mask().tolist()]
        find = bytes.index if step % 3 else bytes.rindex
        batch.step(array("q", [find(row, 1) for row in rows]))
        hasher.update(memoryview(batch.observe()))
        hasher.update(memoryview(batch.rewards()))
    for game in range(games):
        hasher.update(bytes(batch.position(game)))


digest = hashlib.sha256()
for number in range(GAMES):
    one_by_one(number, digest)
for seats in (2, 3, 4):
    side_by_side(seats, digest)
sys.stdout.write(f"{digest.hexdigest()}\n")
