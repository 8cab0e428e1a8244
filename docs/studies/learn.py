"""Let a value learn from games: `python docs/studies/learn.py FOLDER` (it needs numpy).

The planner's value predicts how many points each player will have.  A regression tells by how much
the predicted lead misses the final one: by goods, icons, buildings and every kind of card, and all
of that for each turn that is left.  The games are quick ones of two planners, who leave some of
their turns to chance; each round after the first is played by the value learned so far.  In the end
planners with the value learned play against those without it.

Rounds that are complete stay in the folder; interrupted, the same command goes on after them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from valletta_rules import PlayerView, native, new_game, outcome, resolve_chance
from valletta_rules.bots import Bot, make_bot
from valletta_rules.bots.features import Features, read
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.turns import State, after, foresee, lines, options
from valletta_rules.bots.value import Forecast, turns_left
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.studies import Job, play_game
from valletta_rules.studies.statistics import wilson

FIRST: Final = 1000
"""The first game; where one round ended, the next begins."""

SEEDS: Final = 600_000
"""Where the seeds begin of those games that tell what the value learned is good for."""

EXPLORED: Final = 0.1
"""Which part of the turns is left to chance."""

PENALTY: Final = 300.0
"""How much weights are kept small: so many observations say that nothing matters."""

OWN: Final = 13 + len(CHARACTERS)
"""What there is of a player: predicted points, goods, icons, buildings, cards."""

WIDTH: Final = OWN + len(CHARACTERS)
"""The same with the cards in the hand, which count for themselves."""

Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
"""A row for the main phase and one for the final phase: `WIDTH`, then `OWN` for each ten turns."""


def describe(features: Features, plain: Forecast, seat: int) -> NDArray[np.float64]:
    """Return what there is of each player, a row of `WIDTH` numbers; the hand of a seat alone."""
    rows = []
    points = plain.points(features, seat)
    for number, owned in enumerate(features.players):
        held = plain.holdings(owned.built, owned.upgraded)
        played = features.played if number == features.active else 0
        cards = owned.left if features.is_final else owned.deck + played
        hand = owned.hand if number == seat and not features.is_final else None
        shown = held.green, held.blue, held.houses, held.upgrades
        counts = (*_counts(cards), *_counts(hand or 0))
        rows.append([points[number], *owned[3:7], *held.icons, *shown, *counts])
    return np.array(rows, np.float64)


def _counts(cards: int) -> bytes:
    return cards.to_bytes(len(CHARACTERS), "little")


def tens_left(features: Features, plain: Forecast) -> float:
    """Return how many tens of turns are left."""
    held = [plain.holdings(owned.built, owned.upgraded) for owned in features.players]
    return turns_left(features, held) / 10


class Learned(Forecast):
    """A forecast that knows by how much it usually misses."""

    def __init__(self, display: tuple[Building, ...], weights: Weights, share: float) -> None:
        """Take the buildings dealt, and weights, of which a share counts."""
        super().__init__(display, 2)
        self._plain, self._weights, self._share = Forecast(display, 2), weights, share

    def points(self, features: Features, seat: int | None) -> list[float]:
        """Return the points expected for each player; only the hand of a seat is looked at."""
        assert seat is not None, "a spectator plans nothing"
        rows, weights = describe(features, self._plain, seat), self._weights[int(features.is_final)]
        tens = tens_left(features, self._plain)
        missed = rows @ weights[:WIDTH] + tens * (rows[:, :OWN] @ weights[WIDTH:])
        found: list[float] = (rows[:, 0] + self._share * missed).tolist()
        return found


def observe(beam: int, weights: Weights | None, share: float, number: int) -> Floats:
    """Play a game, and return a row for each turn of it, as it was when the turn was over.

    What the player has more of than the other one (`WIDTH`), tens of turns left, whether it was the
    final phase, and how many points more the player was ahead in the end than predicted.
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
    """Return what a seat has more of than the other, tens of turns, the phase, the lead."""
    rows = describe(features, plain, seat)
    more = (rows[seat] - rows[1 - seat]).tolist()
    return [*more, tens_left(features, plain), float(features.is_final), more[0]]


def learn(rows: Floats) -> Weights:
    """Return weights that tell by how much the forecast missed, and print how well they do."""
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


class LearnedPlanner(PlannerBot):
    """A planner with a value that has learned."""

    weights: Weights
    share = 1.0

    def forecast(self, seen: PlayerView) -> Forecast:
        """Return the forecast of a game that is seen."""
        return Learned(seen.table.display, self.weights, self.share)


def face(weights: Weights, share: float, number: int) -> tuple[float, int]:
    """Play against the planner as it is; return the share of the victory, and the lead."""

    def make(spec: str, rng: random.Random) -> Bot:
        if spec != "learned":
            return make_bot(spec, rng)
        bot = LearnedPlanner(rng)
        bot.weights, bot.share = weights, share
        return bot

    bots = ("planner", "learned") if number % 2 else ("learned", "planner")
    game, seat = play_game(Job(bots, SEEDS + number // 2), make), number % 2
    return game.shares[seat], game.points[seat] - game.points[1 - seat]


def main(argv: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Play what is missing, learn, and tell what it is good for."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("folder", type=Path, help="where the rounds are kept")
    add("--rounds", type=int, nargs="+", default=[17_000, 16_500, 16_500], help="games of each")
    add("--beam", type=int, default=2, help="the beam in these games (default: 2)")
    add("--share", type=float, default=0.5, help="of what was learned (default: 0.5)")
    add("--matches", type=int, default=400, help="games to tell its strength (default: 400)")
    add("--jobs", type=int, default=1, help="games played at a time (default: 1)")
    given = parser.parse_args(argv)
    given.folder.mkdir(parents=True, exist_ok=True)
    weights, rounds, first = None, list[Floats](), FIRST
    with executor or ProcessPoolExecutor(given.jobs) as pool:
        for count, games in enumerate(given.rounds, start=1):
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
