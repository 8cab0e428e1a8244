"""Let a value learn from games: `python docs/studies/learn.py FOLDER` (it needs numpy).

The planner's value foretells how many points each player will have.  By how much its lead misses
the one in the end, a regression tells: by goods, icons, buildings and every kind of card, and all
of that for each turn that is left.  The games are quick ones of two planners, who leave some of
their turns to lots; after each round the next is played by the value learned so far.  In the end
planners with the value learned play against those without it.

Rounds that are complete stay in the folder; interrupted, the same command goes on after them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache, partial
from operator import mul
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from valletta_rules import PlayerView, apply, native, new_game, outcome, resolve_chance, view
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.reading import Owned, Reading, read
from valletta_rules.bots.turns import State, after, foresee, lines, options
from valletta_rules.bots.value import Forecast, Holdings, turns_left
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.studies.statistics import wilson

FIRST: Final = 1000
"""The first game; where the last ended, the next round begins."""

SEEDS: Final = 600_000
"""Where the seeds begin of those games that tell what the value learned is good for."""

BY_LOT: Final = 0.1
"""Which part of the turns is left to lots."""

PENALTY: Final = 300.0
"""How much weights are kept small: so many observations say that nothing matters."""

OWN: Final = 13 + len(CHARACTERS)
"""What there is of a player: points foretold, goods, icons, buildings, cards."""

WIDTH: Final = OWN + len(CHARACTERS)
"""The same with the cards in the hand, which count for themselves."""

Floats = NDArray[np.float32]
Weights = NDArray[np.float64]
"""A row for the main phase and one for the final phase: `WIDTH`, then `OWN` for each ten turns."""


def describe(
    owned: Owned, played: int, holdings: Holdings, is_seen: bool, is_final: bool, points: float
) -> list[float]:
    """Return what there is of a player, in numbers; the hand if it is seen."""
    cards = owned.left if is_final else owned.deck + played
    hand = owned.hand if is_seen and not is_final else None
    shown = holdings.green, holdings.blue, holdings.houses, holdings.upgrades
    return [points, *owned[3:7], *holdings.icons, *shown, *_counts(cards), *_counts(hand or 0)]


def _counts(cards: int) -> bytes:
    return cards.to_bytes(len(CHARACTERS), "little")


class Learned(Forecast):
    """A forecast that knows by how much it usually misses."""

    def __init__(
        self, display: tuple[Building, ...], players: int, weights: Weights, share: float
    ) -> None:
        """Take what every forecast takes, and weights, of which a share counts."""
        super().__init__(display, players)
        self._main, self._final = weights.tolist()
        self._share = share
        self._shown = lru_cache(maxsize=1 << 14)(self._of_what_is_shown)
        self._hand = lru_cache(maxsize=1 << 14)(self._of_a_hand)

    def points(self, reading: Reading, seat: int | None) -> list[float]:
        """Return the points expected for each player; only the hand of a seat is looked at."""
        holdings = [self.holdings(owned.built, owned.upgraded) for owned in reading.players]
        tens = turns_left(reading, holdings) / 10
        weights = self._final if reading.is_final else self._main
        found = super().points(reading, seat)
        for number, (owned, held) in enumerate(zip(reading.players, holdings, strict=True)):
            played = reading.played if number == reading.active else 0
            cards = owned.left if reading.is_final else owned.deck + played
            one, ten = self._shown(cards, held, reading.is_final)
            missed = one + tens * ten
            for place, count in enumerate((found[number], *owned[3:7])):
                missed += (weights[place] + tens * weights[WIDTH + place]) * count
            if number == seat and owned.hand and not reading.is_final:
                missed += self._hand(owned.hand)
            found[number] += self._share * missed
        return found

    def _of_what_is_shown(self, cards: int, held: Holdings, is_final: bool) -> tuple[float, float]:
        """Return what is missed by cards and buildings, and what for each ten turns."""
        weights = self._final if is_final else self._main
        shown = *held.icons, held.green, held.blue, held.houses, held.upgrades, *_counts(cards)
        one, ten = weights[5:OWN], weights[WIDTH + 5 :]
        return sum(map(mul, one, shown)), sum(map(mul, ten, shown))

    def _of_a_hand(self, hand: int) -> float:
        return float(sum(map(mul, self._main[OWN:WIDTH], _counts(hand))))


def observe(beam: int, weights: Weights | None, share: float, number: int) -> Floats:
    """Play a game, and return a row for each turn of it, as it was when the turn was over.

    What the player has more of than the other one (`WIDTH`), tens of turns left, whether it was the
    final phase, and how many points more the player was ahead in the end than foretold.
    """
    rng = random.Random(f"learn {number}")
    start = resolve_chance(new_game(), rng)
    plain = Forecast(start.display, 2)
    value = plain if weights is None else Learned(start.display, 2, weights, share)
    state = native.pack(start) if native.available else start
    rows, seats, leads = list[list[float]](), list[int](), list[float]()
    while (prompt := state.prompt) is not None and (seat := prompt.seat) is not None:
        plan = tuple(options(state))
        if len(plan) > 1:
            found = lines(state, seat, partial(_worth, value, seat), beam)
            line = rng.choice(found) if rng.random() < BY_LOT else found[0]
            plan = line.actions
        for action in plan:
            foreseen, done = foresee(state, action, seat), after(state, action)
            state = resolve_chance(done, rng)
            if seat not in (_asked(done), _asked(state)):
                row, lead = compare(read(done), plain, seat)
                rows.append(row)
                seats.append(seat)
                leads.append(lead)
            if state != foreseen:
                break
    ahead = _lead(state)
    missed = [
        [*row, (-ahead if seat else ahead) - lead]
        for row, seat, lead in zip(rows, seats, leads, strict=True)
    ]
    return np.array(missed, np.float32)


def _worth(value: Forecast, seat: int, state: State) -> float:
    return value.lead(read(state), seat)


def _asked(state: State) -> int | None:
    return None if state.prompt is None else state.prompt.seat


def compare(reading: Reading, plain: Forecast, seat: int) -> tuple[list[float], float]:
    """Return what a seat has more of than the other, and how far ahead it is foretold to end."""
    holdings = [plain.holdings(owned.built, owned.upgraded) for owned in reading.players]
    points = plain.points(reading, seat)
    mine, others = (
        describe(
            reading.players[number],
            reading.played if number == reading.active else 0,
            holdings[number],
            number == seat,
            reading.is_final,
            points[number],
        )
        for number in (seat, 1 - seat)
    )
    more = [one - other for one, other in zip(mine, others, strict=True)]
    tens = turns_left(reading, holdings) / 10
    return [*more, tens, float(reading.is_final)], points[seat] - points[1 - seat]


def _lead(state: State) -> int:
    end = outcome(state)
    assert end is not None, "the game is not over"
    first, second = end.scores
    return first.total - second.total


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
    _made: tuple[tuple[Building, ...], Forecast] | None = None

    def forecast(self, seen: PlayerView) -> Forecast:
        """Return the forecast of a game that is seen, which it makes once."""
        display = seen.table.display
        if self._made is None or self._made[0] != display:
            self._made = display, Learned(display, 2, self.weights, self.share)
        return self._made[1]


def face(weights: Weights, share: float, number: int) -> tuple[float, int]:
    """Play against the planner as it is; return the share of the victory, and the lead."""
    seed, seat = SEEDS + number // 2, number % 2
    bots = [PlannerBot(random.Random(f"{seed} {place}")) for place in range(2)]
    bots[seat] = mine = LearnedPlanner(random.Random(f"{seed} {seat}"))
    mine.weights, mine.share = weights, share
    rng = random.Random(seed)
    state = resolve_chance(new_game(), rng)
    while (prompt := state.prompt) is not None and prompt.seat is not None:
        chosen = bots[prompt.seat].decide(view(state, prompt.seat))
        state = resolve_chance(apply(state, chosen), rng)
    end = outcome(state)
    assert end is not None, "the game is not over"
    lead = _lead(state)
    return (seat in end.winners) / len(end.winners), -lead if seat else lead


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
            file, numbers = given.folder / f"round-{count}.npy", range(first, first + games)
            if not file.exists():
                play = partial(observe, given.beam, weights, given.share)
                played = list[Floats]()
                for rows in pool.map(play, numbers, chunksize=20):
                    played.append(rows)
                    told = f"\rround {count}: {len(played)} of {games} games"
                    print(told, end="", file=sys.stderr, flush=True)
                print(file=sys.stderr)
                np.save(file, np.concatenate(played))
            rounds.append(np.load(file))
            weights, first = learn(np.concatenate(rounds)), numbers.stop
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
