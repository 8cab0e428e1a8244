"""Continue a game from its log, for the JavaScript tests: ``python continued.py SEED < log``.

The program replays the log and makes further random calls.  It prints one JSON object with the
extended log, the answers that have not been undone, the record of the game, and the log of a game
that is resumed from this record.  For each seat and a spectator, it also prints the `News` since
the last entry of the original log.
"""

import json
import random
import sys
from collections.abc import Iterable

import attrs

import valletta_rules as vr

CALLS = 30
"""The number of calls that continue the game."""


def go_on(game: vr.Game, rng: random.Random) -> vr.Game:
    """Return the game after a random call: usually an answer, sometimes an undo or a redo."""
    number = game.revision + 1
    chance = rng.random()
    if chance < 0.2 and game.last_choice is not None:
        return game.undo(seat=0, revision=game.revision, id=f"python-{number}")[0]
    if chance < 0.35 and game.can_redo:
        return game.redo(seat=1, revision=game.revision)[0]
    if game.asked is None:
        return game
    action, draw = rng.choice(vr.legal_actions(game.position)), vr.by_random(rng)
    return game.answer(action, seat=game.asked, revision=game.revision, draw=draw)[0]


def main(seed: int, log: Iterable[str]) -> None:
    """Print the results that the JavaScript package must also compute for the continued game."""
    rng = random.Random(seed)
    game = before = vr.Game.replay(log)
    for _ in range(CALLS):
        game = go_on(game, rng)
    viewers = (*range(len(game.position.players)), None)
    record = game.record([f"player {seat}" for seat in game.position.seats])
    resumed = vr.Game.resume(record, draw=None, skip_forced=len(record.names) > 2)
    results = {
        "log": [vr.to_json(entry) for entry in game.log],
        "news": [vr.to_json(game.since(before.revision, seat)) for seat in viewers],
        "choices": [attrs.astuple(each) for each in game.choices()],
        "record": vr.to_json(record),
        "resumed": [vr.to_json(entry) for entry in resumed.log],
    }
    print(json.dumps(results))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.read().splitlines())
