"""Goes on with a log that it reads, for the tests in JavaScript: ``python continued.py 7 < log``.

Prints the log with some calls more, and of the game after it the choices that stand, the record,
the log of the game that the record makes and, for each seat and a spectator, the news since the
last entry that it read.
"""

import json
import random
import sys
from collections.abc import Iterable

import attrs

import valletta_rules as vr

CALLS = 30
"""How many calls are carried out."""


def go_on(game: vr.Game, rng: random.Random) -> vr.Game:
    """Return the game after a call: an undo or a redo now and then, else an answer."""
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
    """Print the moves and positions that the JavaScript package must produce from a log."""
    rng = random.Random(seed)
    game = before = vr.Game.replay(log)
    for _ in range(CALLS):
        game = go_on(game, rng)
    viewers = (*range(len(game.position.players)), None)
    record = game.record([f"player {seat}" for seat in game.position.seats])
    resumed = vr.Game.resume(record, draw=None, skip_forced=len(record.names) > 2)
    told = {
        "log": [vr.to_json(entry) for entry in game.log],
        "news": [vr.to_json(game.since(before.revision, seat)) for seat in viewers],
        "choices": [attrs.astuple(each) for each in game.choices()],
        "record": vr.to_json(record),
        "resumed": [vr.to_json(entry) for entry in resumed.log],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.read().splitlines())
