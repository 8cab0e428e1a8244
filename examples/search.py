"""A search in forty lines: a multi-armed bandit over the legal actions, with sampled positions.

The search repeatedly samples a position that is consistent with the seat's view, chooses the action
with the highest upper confidence bound (UCB1), continues with random actions for a while, and adds
up the seat's lead in points.  If the native backend is compiled, positions are packed, which is
many times faster.

Run ``python examples/search.py [--games N] [--worlds N] [--seed N]``.
"""

import argparse
import math
import random

import valletta_rules as valletta
from valletta_rules import Action, PlayerView, native

AHEAD = 40
"""The number of random actions that are played in each sampled position."""

SCALE = 8.0
"""The lead in points for which the reward is about three quarters of the maximum reward."""


def search(mine: PlayerView, rng: random.Random, worlds: int) -> Action:
    """Return the best action for the viewer, after trying actions in `worlds` sampled positions."""
    assert mine.seat is not None, "a spectator has no decision"
    answers = mine.legal_actions
    tries, sums = [0] * len(answers), [0.0] * len(answers)
    for world in range(worlds if len(answers) > 1 else 0):

        def promise(number: int, world: int = world) -> float:
            if not tries[number]:
                return math.inf
            return sums[number] / tries[number] + math.sqrt(2 * math.log(world + 1) / tries[number])

        number = max(range(len(answers)), key=promise)
        tries[number] += 1
        sums[number] += math.tanh(margin_after(mine, answers[number], rng) / SCALE)
    return answers[max(range(len(answers)), key=tries.__getitem__)]


def margin_after(mine: PlayerView, answer: Action, rng: random.Random) -> int:
    """Return the viewer's lead in points after the action `answer` and some random actions."""
    state = valletta.determinize(mine, rng)
    position = native.pack(state) if native.available else state
    position = valletta.resolve_chance(valletta.apply(position, answer), rng)
    for _ in range(AHEAD):
        if position.prompt is None:
            break
        action = rng.choice(valletta.legal_actions(position))
        position = valletta.resolve_chance(valletta.apply(position, action), rng)
    end = position if isinstance(position, valletta.GameState) else position.unpack()
    points = [score.total for score in valletta.predicted_scores(end)]
    own = points.pop(mine.seat or 0)
    return own - max(points)


def play(rng: random.Random, worlds: int, seat: int) -> float:
    """Play a two-player game against a random player.

    Returns 1 if the search wins, 0.5 if both players win, and 0 if the search loses.
    """
    state = valletta.resolve_chance(valletta.new_game(players=2), rng)
    while state.prompt is not None:
        if state.prompt.seat == seat:
            action = search(valletta.view(state, seat), rng, worlds)
        else:
            action = rng.choice(valletta.legal_actions(state))
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
    result = valletta.outcome(state)
    assert result is not None
    return (seat in result.winners) / len(result.winners)


def main() -> None:
    """Play several games; print how many of them the search wins.  A shared victory counts half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="number of games (default: 2)")
    parser.add_argument("--worlds", type=int, default=60, help="worlds per decision (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the random numbers (default: 1)"
    )
    options = parser.parse_args()
    rng = random.Random(options.seed)
    shares = [play(rng, options.worlds, game % 2) for game in range(options.games)]
    print(f"The search won {sum(shares):g} of {options.games} games against random answers.")


if __name__ == "__main__":
    main()
