"""An agent that learns the game by playing against itself, in some minutes of one processor.

One small network in numpy plays both seats in many games side by side.  It rates the numbers of
actions, and predicts the final lead of the seat that must decide, minus its present lead.  Each
action becomes more or less likely depending on whether it was better or worse than the network
expected (advantage actor-critic, with generalised advantage estimation).

Then it plays against bots, and the results are printed with Wilson intervals.

Run ``python examples/train_an_agent.py [--minutes N] [--games N] [--seed N]``.  It needs
the extra ``rl`` and a C compiler.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from valletta_rules.environments.single import LearnerEnv
from valletta_rules.environments.vector import Arrays, GamesEnv
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.numbering import COUNT
from valletta_rules.rulebook.scoring import GOODS_PER_POINT
from valletta_rules.studies.statistics import wilson

GAMES, STEPS, HIDDEN = 128, 8, 64
"""Games side by side, actions in each of them between two lessons, and the size of the network."""

DISCOUNT, TRACE, RATE, ENTROPY = 0.998, 0.95, 0.001, 0.01
"""The discount, the trace decay, the learning rate and the weight of the entropy."""

POINT = 1 / 20
"""The reward for a point."""

NAMES = columns(2)

Floats = NDArray[np.float32]


def places(start: str, end: str) -> list[int]:
    """Return the indices of the columns whose names begin and end with the given texts."""
    return [at for at, name in enumerate(NAMES) if name.startswith(start) and name.endswith(end)]


OWNERS, WORTHS, UPGRADED = (places("site.", end) for end in (".owner", ".points", ".upgraded"))
GOODS = [places(f"player.{place}.goods.", "") for place in range(2)]
SCORES = [places(f"player.{place}.score", "") for place in range(2)]


def standing(seen: NDArray[Any]) -> Floats:
    """Return the lead of each viewer if the game ended now."""
    worths = seen[:, WORTHS] * (1 + seen[:, UPGRADED])
    mine, others = (
        seen[:, SCORES[place]].sum(axis=1)
        + (worths * (seen[:, OWNERS] == place + 1)).sum(axis=1)
        + seen[:, GOODS[place]].sum(axis=1) / GOODS_PER_POINT
        for place in range(2)
    )
    return np.asarray((mine - others) * POINT, np.float32)


class Network:
    """One hidden layer over the observation, with a rating for each number and a value above it."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Begin with equal ratings: a random player."""
        self.rng, self.lessons = rng, 0
        self.mean, self.scale = np.zeros(2, np.float32)
        self.weights = [
            rng.normal(0, len(NAMES) ** -0.5, (len(NAMES), HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, COUNT + 1), np.float32),
            np.zeros(COUNT + 1, np.float32),
        ]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]

    def normalise_to(self, seen: NDArray[Any]) -> None:
        """Set mean and scale of each column from some observations."""
        self.mean = seen.mean(axis=0).astype(np.float32)
        self.scale = 1 / (seen.std(axis=0).astype(np.float32) + np.float32(0.1))

    def features(self, seen: NDArray[Any]) -> Floats:
        """Return normalised observations."""
        return np.asarray(np.clip((seen - self.mean) * self.scale, -5, 5), np.float32)

    def rate(self, features: Floats, masks: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
        """Return the hidden layer, the probability of each number, and the lead still to come."""
        first, shift, second, bias = self.weights
        hidden = np.maximum(features @ first + shift, 0)
        top = hidden @ second + bias
        ratings = np.where(masks, top[:, :COUNT], np.float32(-1e9))
        chances = np.exp(ratings - ratings.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), top[:, COUNT]

    def choose(self, chances: Floats) -> NDArray[np.int64]:
        """Return a number for each row, drawn by its probability."""
        tickets = self.rng.random((len(chances), 1)) * 0.9999
        return np.asarray((chances.cumsum(axis=1) > tickets).argmax(axis=1))

    def learn(self, lesson: Lesson) -> None:
        """Make actions with a gain more likely, and move predictions towards the results."""
        hidden, chances, values = self.rate(lesson.features, lesson.masks)
        logs = np.log(chances + np.float32(1e-9))
        variety = -(chances * logs).sum(axis=1, keepdims=True)
        slope = np.empty((len(values), COUNT + 1), np.float32)
        slope[:, :COUNT] = chances * (lesson.gains[:, None] + ENTROPY * (logs + variety))
        slope[np.arange(len(values)), lesson.chosen] -= lesson.gains
        slope[:, COUNT] = (values - lesson.aims) / 2
        slope /= len(values)
        below = (slope @ self.weights[2].T) * (hidden > 0)
        self.move([lesson.features.T @ below, below.sum(0), hidden.T @ slope, slope.sum(0)])

    def move(self, slopes: Sequence[Floats]) -> None:
        """Take a step of the optimiser Adam."""
        self.lessons += 1
        rate = RATE * (1 - 0.999**self.lessons) ** 0.5 / (1 - 0.9**self.lessons)
        each = zip(self.weights, slopes, self.moments, strict=True)
        for weight, slope, (mean, square) in each:
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            weight -= rate * mean / (np.sqrt(square) + 1e-8)


class Step(NamedTuple):
    """The observations, actions, predictions and rewards of all games in one step."""

    features: Floats
    masks: NDArray[Any]
    seats: NDArray[Any]
    chosen: NDArray[Any]
    standing: Floats
    coming: Floats
    earned: NDArray[Any]
    over: NDArray[np.bool_]
    points: NDArray[Any]
    """The sum of the points of each game that was over."""


class Lesson(NamedTuple):
    """The data from which the network learns after some steps."""

    features: Floats
    masks: NDArray[Any]
    chosen: NDArray[Any]
    gains: Floats
    aims: Floats


def play(env: GamesEnv, network: Network, seen: Arrays) -> Iterator[tuple[Step, Arrays]]:
    """Play endlessly; yield each step, and the observations after it."""
    while True:
        features, masks = network.features(seen["observation"]), seen["action_mask"]
        _, chances, coming = network.rate(features, masks)
        chosen, seats, now = network.choose(chances), seen["seat"], standing(seen["observation"])
        seen, rewards, over, _, infos = env.step(chosen)
        earned = np.take_along_axis(rewards, seats[:, None].astype(int), axis=1)[:, 0] * POINT
        points = infos["points"][over].sum(axis=1) if over.any() else np.zeros(0)
        yield Step(features, masks, seats, chosen, now, coming, earned, over, points), seen


def lesson_of(steps: Sequence[Step], values: Floats, seats: NDArray[Any]) -> Lesson:
    """Return the advantage of each action, and the targets of the predictions.

    Takes the predicted final leads of the seats that must decide after the last step, and these
    seats.  A lead of the other seat counts as a loss.
    """
    gains, found = np.zeros_like(values), list[Floats]()
    for step in reversed(steps):
        sign = np.where(step.seats == seats, 1, -1) * ~step.over
        before = step.standing + step.coming
        gains = step.earned + DISCOUNT * sign * (values + TRACE * gains) - before
        found.append(gains)
        values, seats = before, step.seats
    parts = (np.concatenate(part) for part in zip(*steps, strict=True))
    features, masks, _, chosen, _, coming, *_ = parts
    gains = np.concatenate(found[::-1]).astype(np.float32)
    aims = gains + coming
    return Lesson(features, masks, chosen, (gains - gains.mean()) / (gains.std() + 1e-6), aims)


def train(minutes: float, seed: int) -> Network:
    """Return a network after some minutes of CPU time."""
    env, network = GamesEnv(GAMES, max_answers=2000), Network(np.random.default_rng(seed))
    seen, _ = env.reset(seed=seed)
    course = play(env, network, seen)
    network.normalise_to(np.concatenate([next(course)[1]["observation"] for _ in range(300)]))
    began, reported, points, answers = time.process_time(), 0.0, list[float](), 0
    while (spent := (time.process_time() - began) / 60) < minutes:
        steps, afters = zip(*(next(course) for _ in range(STEPS)), strict=True)
        seen = afters[-1]
        ahead = network.rate(network.features(seen["observation"]), seen["action_mask"])[2]
        network.learn(lesson_of(steps, ahead + standing(seen["observation"]), seen["seat"]))
        points += [total / 2 for step in steps for total in step.points]
        answers += STEPS * GAMES
        if spent - reported > minutes / 40 and len(points) >= 100:
            reported = spent
            print(
                f"{spent:5.1f} of {minutes:g} minutes, {answers:10,} answers,"
                f" {np.mean(points):4.1f} points a seat in the last {len(points)} games",
                flush=True,
            )
            points.clear()
    return network


def face(network: Network, bot: str, games: int, seed: int) -> float:
    """Return the network's wins against a bot, with each seed in both seats."""
    wins = 0.0
    for game in range(games):
        env = LearnerEnv(bot, seat=game % 2)
        seen, info = env.reset(seed=seed + game // 2)
        while "shares" not in info:
            _, chances, _ = network.rate(network.features(seen[None]), info["action_mask"][None])
            seen, _, _, is_cut, info = env.step(int(chances[0].argmax()))
            if is_cut:
                break
        wins += info.get("shares", (0, 0))[game % 2]
    return wins


def main() -> None:
    """Train, and play against bots."""
    parser = argparse.ArgumentParser(description="Train a small agent, and measure its strength.")
    parser.add_argument("--minutes", type=float, default=2, help="minutes of CPU time (default: 2)")
    parser.add_argument(
        "--games", type=int, default=100, help="games against each bot (default: 100)"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    network = train(arguments.minutes, arguments.seed)
    for bot in ("random", "automatic", "planner"):
        print(f"It plays {arguments.games} games against {bot}.", flush=True)
        wins = face(network, bot, arguments.games, seed=1000)
        sure = wilson(wins, arguments.games)
        print(
            f"It won {wins:g} of {arguments.games} games against {bot}:"
            f" {sure.estimate:.0%}, between {sure.low:.0%} and {sure.high:.0%}."
        )


if __name__ == "__main__":
    main()
