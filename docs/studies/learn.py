"""Let a value learn from games: `python docs/studies/learn.py FOLDER` (it needs numpy).

The planner's value predicts how many points each player will have.  A regression estimates the
error of the predicted lead from goods, icons, buildings and every kind of card, and from all of
these for each turn that is left.  The games are quick ones between two planners, which play some of
their turns at random; each round after the first is played with the value learned so far.  In the
end planners with the value learned play against those without it.

Rounds that are complete stay in the folder; interrupted, the same command goes on after them.  The
options are the games of each round, the beam in these games, the share of what was learned that
counts, the games that measure the strength, and how many games are played at a time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse, seating
from valletta_rules import native, new_game, outcome, resolve_chance
from valletta_rules.bots.features import Features, read
from valletta_rules.bots.turns import State, after, foresee, lines, options
from valletta_rules.bots.value import Forecast, turns_left
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.studies import Job, play_game
from valletta_rules.studies.statistics import wilson

FIRST: Final = 1000
"""The first game; where one round ended, the next begins."""

SEEDS: Final = 600_000
"""The first seed of the games that measure the strength of the value learned."""

EXPLORED: Final = 0.1
"""The share of the turns that is played at random."""

PENALTY: Final = 300.0
"""How strongly weights are kept small: the penalty of the ridge regression."""

OWN: Final = 13 + len(CHARACTERS)
"""The figures of a player: predicted points, goods, icons, buildings, cards."""

WIDTH: Final = OWN + len(CHARACTERS)
"""The same with the cards in the hand, which are counted separately."""

Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
"""A row for the main phase and one for the final phase: `WIDTH`, then `OWN` for each ten turns."""


def describe(features: Features, plain: Forecast, seat: int) -> NDArray[np.float64]:
    """Return a row of `WIDTH` figures for each player; only one seat's hand is used."""
    rows = []
    points = plain.points(features, seat)
    for number, owned in enumerate(features.players):
        held = plain.holdings(owned.built, owned.upgraded)
        played = features.played if number == features.active else 0
        cards = owned.left if features.is_final else owned.deck + played
        hand = owned.hand if number == seat and not features.is_final else None
        shown = held.green, held.blue, held.houses, held.upgrades
        counts = [each.to_bytes(len(CHARACTERS), "little") for each in (cards, hand or 0)]
        rows.append([points[number], *owned[3:7], *held.icons, *shown, *chain(*counts)])
    return np.array(rows, np.float64)


def tens_left(features: Features, plain: Forecast) -> float:
    """Return how many tens of turns are left."""
    held = [plain.holdings(owned.built, owned.upgraded) for owned in features.players]
    return turns_left(features, held) / 10


class Learned(Forecast):
    """A forecast that corrects its usual error."""

    def __init__(self, display: tuple[Building, ...], weights: Weights, share: float) -> None:
        """Take the buildings dealt, the weights, and the share of the correction that counts."""
        super().__init__(display, 2)
        self._plain, self._weights, self._share = Forecast(display, 2), weights, share

    def points(self, features: Features, seat: int | None) -> list[float]:
        """Return the expected points of each player; only one seat's hand is used."""
        assert seat is not None, "a spectator plans nothing"
        rows, weights = describe(features, self._plain, seat), self._weights[int(features.is_final)]
        tens = tens_left(features, self._plain)
        missed = rows @ weights[:WIDTH] + tens * (rows[:, :OWN] @ weights[WIDTH:])
        found: list[float] = (rows[:, 0] + self._share * missed).tolist()
        return found


def observe(beam: int, weights: Weights | None, share: float, number: int) -> Floats:
    """Play a game, and return a row for each turn, as of its end.

    It holds the player's figures minus the opponent's (`WIDTH`), tens of turns left, whether it was
    the final phase, and the final lead minus the predicted one.
    """
    rng = random.Random(f"learn {number}")
    start = resolve_chance(new_game(), rng)
    plain = Forecast(start.display, 2)
    value = plain if weights is None else Learned(start.display, weights, share)
    state = native.pack(start) if native.available else start
    rows, seats = list[list[float]](), list[int]()
    while (prompt := state.prompt) is not None and (seat := prompt.seat) is not None:
        plan = tuple(options(state))
        if len(plan) > 1:
            found = lines(state, seat, partial(_worth, value, seat), beam)
            plan = (rng.choice(found) if rng.random() < EXPLORED else found[0]).actions
        for action in plan:
            foreseen, done = foresee(state, action, seat), after(state, action)
            state = resolve_chance(done, rng)
            if seat not in (_asked(done), _asked(state)):
                rows.append(compare(read(done), plain, seat))
                seats.append(seat)
            if state != foreseen:
                break
    end = outcome(state)
    assert end is not None, "the game is not over"
    ahead = end.scores[0].total - end.scores[1].total
    found_rows = np.array(rows, np.float32)
    found_rows[:, -1] = np.where(seats, -ahead, ahead) - found_rows[:, -1]
    return found_rows


def _worth(value: Forecast, seat: int, state: State) -> float:
    return value.lead(read(state), seat)


def _asked(state: State) -> int | None:
    return None if state.prompt is None else state.prompt.seat


def compare(features: Features, plain: Forecast, seat: int) -> list[float]:
    """Return a seat's figures minus the opponent's, tens of turns, the phase, the lead."""
    rows = describe(features, plain, seat)
    more = (rows[seat] - rows[1 - seat]).tolist()
    return [*more, tens_left(features, plain), float(features.is_final), more[0]]


def learn(rows: Floats) -> Weights:
    """Return weights that predict the error of the forecast, and print how well they do."""
    found = []
    for name, phase in (("main phase", 0), ("final phase", 1)):
        part = rows[rows[:, -2] == phase].astype(np.float64)
        seen, tens, missed = part[:, :WIDTH], part[:, WIDTH, None], part[:, -1]
        given = np.concatenate([seen, tens * seen[:, :OWN]], axis=1)
        scale = given.std(axis=0)
        scale[scale == 0] = 1
        given /= scale
        square = given.T @ given + PENALTY * np.eye(given.shape[1])
        weights = np.linalg.solve(square, given.T @ missed)
        before, after = (np.sqrt(np.mean(each**2)) for each in (missed, missed - given @ weights))
        print(f"{name}: {len(part)} turns; missed by {before:.2f} points, then by {after:.2f}")
        found.append(weights / scale)
    return np.array(found)


def face(weights: Weights, share: float, number: int) -> tuple[float, int]:
    """Play against the planner as it is; return the share of the victory, and the lead."""
    make = seating("learned", lambda seen: Learned(seen.table.display, weights, share))
    bots = ("planner", "learned") if number % 2 else ("learned", "planner")
    game, seat = play_game(Job(bots, SEEDS + number // 2), make).result, number % 2
    return game.shares[seat], game.points[seat] - game.points[1 - seat]


def main(argv: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Play the missing rounds, learn, and measure the strength of the result."""
    rounds_of = "17000,16500,16500"
    given = parse(__doc__, argv, "folder", rounds=rounds_of, beam=2, share=0.5, matches=400)
    given.folder.mkdir(parents=True, exist_ok=True)
    weights, rounds, first = None, list[Floats](), FIRST
    with executor or ProcessPoolExecutor(given.jobs) as pool:
        for count, games in enumerate(map(int, given.rounds.split(",")), start=1):
            file = given.folder / f"round-{count}.npy"
            if not file.exists():
                play = partial(observe, given.beam, weights, given.share)
                played = pool.map(play, range(first, first + games), chunksize=20)
                np.save(file, np.concatenate(list(played)))
            rounds.append(np.load(file))
            weights, first = learn(np.concatenate(rounds)), first + games
        assert weights is not None, "there is no round"
        for share in (given.share, 1.0):
            found = list(pool.map(partial(face, weights, share), range(given.matches)))
            won = wilson(sum(each for each, _ in found), given.matches)
            print(
                f"with {share:g} of it {won.estimate:.1%} [{won.low:.1%}, {won.high:.1%}] of"
                f" {given.matches} games, {np.mean([lead for _, lead in found]):+.1f} points"
            )


if __name__ == "__main__":
    main()
