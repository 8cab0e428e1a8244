"""An agent that learns the value of positions by self-play, on one processor.

The value is the expected final lead of a seat: its current lead plus a weighted sum of features of
its view.  The agent simulates each legal action up to the next card, the next random event or the
other player's turn to answer.  It chooses the action that leads to the view with the highest value.
After each round of games, the weights are fitted to the results (temporal differences with a trace,
by least squares).  Games are played in parallel, so that numpy evaluates their views together.
Wilson intervals show the uncertainty of results against bots.

Run ``python examples/train_an_agent.py [--rounds N] [--games N]``.  The extra ``rl`` and a C
compiler are required.
"""

import argparse
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import valletta_rules as vr
from valletta_rules import agenda, native
from valletta_rules.bots import make_bot
from valletta_rules.numeric.encoding import STEP_TYPES, columns
from valletta_rules.studies.statistics import format_interval, wilson

NAMES = columns(2)
TRACE, DECAY, RIDGE, NOISE, LONGEST = 0.9, 0.8, 100, 0.5, 1500
"""Training parameters.

They are the decay of the eligibility trace, the decay of the statistics from earlier games, the
weight of the regularisation, the noise in the choice of actions, and the maximum number of actions
per game.
"""

Array = np.ndarray[Any, Any]


def places(start: str, end: str = "") -> list[int]:
    """Return the indices of the view columns whose names begin with `start` and end with `end`."""
    return [at for at, name in enumerate(NAMES) if name.startswith(start) and name.endswith(end)]


OWNER, POINTS, UPGRADED, ICON = (
    places("site.", end) for end in (".owner", ".points", ".upgraded", ".icon")
)
COST = np.array([places("site.", f".cost.{good}") for good in vr.Good]).T
STEP = places("step.0.")


def one_hot(numbers: Array, size: int) -> Array:
    """Return a one-hot row for each number: all zeros, except for a one at the number's index."""
    rows: Array = np.eye(size, dtype=np.float32)[numbers.astype(int)]
    return rows


def holdings(rows: Array, place: int) -> tuple[Array, Array, Array]:
    """Return a player's points, progress towards the game's end and features, for each view."""
    goods, score = (rows[:, places(f"player.{place}.{part}")] for part in ("goods.", "score"))
    is_own, is_free = rows[:, OWNER] == place + 1, (rows[:, OWNER] == 0) & (rows[:, ICON] > 0)
    worth, houses = rows[:, POINTS], is_own.sum(1, keepdims=True)
    points = score[:, 0] + (is_own * worth * (1 + rows[:, UPGRADED])).sum(1) + goods.sum(1) / 3
    played = sum(one_hot(rows[:, at], 1 + len(vr.Character))[:, 1:] for at in places("played."))
    played = played * (rows[:, places("active")] == place + 1)
    piles = (rows[:, places(f"player.{place}.{pile}.")] for pile in ("hidden", "discard_pile"))
    deck = sum(piles, played)
    missing = np.maximum(rows[:, COST] - goods[:, None, :], 0).sum(2)
    gain = worth - 0.4 * (rows[:, COST].sum(2) + 2 * missing)  # three goods replace a missing one
    features = [
        *(goods, np.minimum(goods, 3), goods.sum(1, keepdims=True) ** 0.5, deck, deck > 0),
        *(deck.sum(1, keepdims=True), score, rows[:, places(f"player.{place}.hand_size")]),
        *(houses, houses >= 7, (is_own & (rows[:, UPGRADED] > 0)).sum(1, keepdims=True)),
        *(((rows[:, ICON] == good + 1) & is_own).sum(1, keepdims=True) for good in range(4)),
        np.sort(np.where(is_free, gain, -9), 1)[:, -2:],
        np.where(is_own & (rows[:, UPGRADED] == 0), gain, -9).max(1, keepdims=True),
        np.where(is_free, missing, 9).min(1, keepdims=True),
    ]
    return points, np.maximum(score / 25, houses / 8), np.concatenate(features, 1)


def rate(views: Array) -> tuple[Array, Array]:
    """Return the lead and the features for each view.

    The features occur twice: as they are, and multiplied by the progress of the game.
    """
    rows = views.astype(np.float32)
    (mine, early, own), (others, late, other) = (holdings(rows, place) for place in range(2))
    progress = np.maximum(np.maximum(early, late), rows[:, places("valette")] / 25).clip(max=1)
    kind, is_mine = rows[:, STEP[0]], rows[:, STEP[1:2]] == 1
    plays = rows[:, STEP[2:3]] * (kind == 1 + STEP_TYPES.index(agenda.PlayPrompt))[:, None]
    kinds = one_hot(kind, 1 + len(STEP_TYPES))
    common = rows[:, places("hand.") + places("barrels.") + places("valette")]
    parts = own, other, common, kinds * is_mine, kinds * ~is_mine, plays, plays * is_mine
    features = np.concatenate([np.ones((len(rows), 1)), *parts], 1, dtype=np.float32)
    return mine - others, np.concatenate([features, features * progress], 1, dtype=np.float32)


def ends(position: native.PackedState, seat: int) -> Iterator[tuple[vr.Action, native.PackedState]]:
    """Yield pairs of a legal action of `seat` and a position to which it can lead.

    Further prompts to `seat` are answered in every way, up to the next card, the next random event
    or the other player's turn to answer.  At each prompt, only the first twelve legal actions are
    simulated.
    """
    for action in native.legal_actions(position)[:12]:  # only the payments with the fewest gold
        after = native.apply(position, action)
        prompt = after.prompt
        is_card = isinstance(prompt, agenda.PlayPrompt | agenda.ChancePrompt)
        if prompt is None or is_card or prompt.seat != seat:
            yield action, after
        else:
            yield from ((action, end) for _, end in ends(after, seat))


class Game:
    """A game that the agent plays against itself, or against a bot in one seat."""

    def __init__(self, seed: int, bot: str | None = None, seat: int = 0) -> None:
        """Start a game.

        `seed` seeds random events and the bot named `bot`, which plays in `seat`.
        """
        self.luck, self.bot_seat = random.Random(seed), seat if bot else None
        self.seat: Any = None
        self.bot = make_bot(bot or "random", random.Random(seed))
        self.past: tuple[list[Any], list[Any]] = ([], [])
        self.go_on(native.pack(vr.new_game(2)))

    def go_on(self, position: Any) -> None:
        """Draw random events and let the bot act until the agent must act or the game ends."""
        position = vr.resolve_chance(position, self.luck)
        while (prompt := position.prompt) is not None and prompt.seat == self.bot_seat:
            action = self.bot.decide(vr.view(position, prompt.seat))
            position = vr.resolve_chance(native.apply(position, action), self.luck)
        self.position, self.seat = position, prompt.seat if prompt else None


def act(games: list[Game], weights: Array, rng: np.random.Generator, noise: float) -> None:
    """Let the agent act in each game, and store the lead and features of each chosen position."""
    candidates = [(game, *each) for game in games for each in ends(game.position, game.seat)]
    views = np.zeros((len(candidates), len(NAMES)), np.int16)
    for view, (game, _, end) in zip(views, candidates, strict=True):
        native.encode(end, game.seat, into=view)
    leads, features = rate(views)
    values = leads + features @ weights + noise * rng.gumbel(size=len(candidates))
    best = dict[Game, int]()
    for place, (game, *_) in enumerate(candidates):
        best[game] = max(best.get(game, place), place, key=values.__getitem__)
    for game, place in best.items():
        game.past[game.seat].append((leads[place], features[place]))
        game.go_on(native.apply(game.position, candidates[place][1]))


def play(games: list[Game], weights: Array, rng: np.random.Generator, noise: float = 0) -> None:
    """Play all games in parallel, up to the maximum number of actions."""
    for _ in range(LONGEST):
        if not (playing := [game for game in games if game.seat is not None]):
            break
        act(playing, weights, rng, noise)


def lessons(games: list[Game], weights: Array) -> Iterator[tuple[Array, Array]]:
    """Yield, for each game and seat, the features of its positions and their training targets."""
    for game, seat in ((game, seat) for game in games for seat in range(2)):
        leads, features = (np.array(part) for part in zip(*game.past[seat], strict=True))
        values, points = leads + features @ weights, game.position.points()
        aims = np.full(len(leads), points[seat] - points[1 - seat], float)
        for step in reversed(range(len(aims) - 1)):
            aims[step] = (1 - TRACE) * values[step + 1] + TRACE * aims[step + 1]
        yield features, aims - leads


def face(weights: Array, bot: str, games: int, seed: int) -> str:
    """Return how many games the agent wins against a bot.  Each seed is played from both seats."""
    played = [Game(seed + number // 2, bot, number % 2) for number in range(games)]
    play(played, weights, np.random.default_rng(0))
    outcomes = [game.position.outcome().winners for game in played]
    wins = sum((1 - number % 2 in each) / len(each) for number, each in enumerate(outcomes))
    return f"{wins:g} of {games} games against {bot}: {format_interval(wilson(wins, games))}"


def main() -> None:
    """Train the agent, then let it play against bots."""
    parser = argparse.ArgumentParser(description="Train a small agent, and test it against bots.")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of training (default: 6)")
    parser.add_argument("--each", type=int, default=100, help="games in each round (default: 100)")
    parser.add_argument(
        "--watch", type=int, default=0, help="test games after each round (default: 0)"
    )
    parser.add_argument(
        "--games", type=int, default=200, help="games against each bot (default: 200)"
    )
    options, rng, began = parser.parse_args(), np.random.default_rng(1), time.process_time()
    size = rate(np.zeros((1, len(NAMES)), np.int16))[1].shape[1]
    weights, aims, sums = np.zeros(size), np.zeros(size), np.zeros((size, size))
    for first in range(0, options.rounds * options.each, options.each):
        games = [Game(first + number) for number in range(options.each)]
        play(games, weights, rng, NOISE)
        aims, sums = DECAY * aims, DECAY * sums
        for features, aim in lessons(games, weights):
            aims, sums = aims + features.T @ aim, sums + features.T @ features
        weights = np.linalg.solve(sums + RIDGE * np.eye(size), aims)
        print(f"{first + options.each} games, {time.process_time() - began:.0f} s", flush=True)
        if options.watch:
            print(f"  {face(weights, 'automatic', options.watch, 10**6)}", flush=True)
    for bot in ("random", "automatic"):
        print(f"It won {face(weights, bot, options.games, 2 * 10**6)}", flush=True)


if __name__ == "__main__":
    main()
