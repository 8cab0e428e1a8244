"""A bot that is given views and nothing else, in games against automatic players.

It samples a few positions that agree with its view (`determinize`), tries every action in each of
them, plays on to the end of its turn by rules of thumb, and takes the action after which its
average lead is greatest.

Run ``python examples/bot.py [--games N] [--guesses N] [--seed N]``.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean

import valletta_rules as valletta
from valletta_rules import Action, GameState, Pay, PlayerView, bots
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.bots.automatic import choose, progress
from valletta_rules.studies import Job, play_game

MOST_ANSWERS = 12
"""How many actions the bot tries at most."""


class Guesser:
    """A bot that tries its actions in positions that may be the true one."""

    def __init__(self, rng: random.Random, guesses: int) -> None:
        """Take the bot's own generator, and the number of positions to sample for a decision."""
        self.rng, self.guesses = rng, guesses

    def decide(self, mine: PlayerView) -> Action:
        """Return one of the legal actions of a view whose viewer is asked."""
        assert mine.seat is not None, "a spectator is asked nothing"
        answers = self.candidates(mine, mine.seat)
        if len(answers) == 1:
            return answers[0]
        guesses = [valletta.determinize(mine, self.rng) for _ in range(self.guesses)]
        luck, seat = self.rng.random(), mine.seat
        return max(
            answers,
            key=lambda action: fmean(
                # The same random numbers for every action, so that they do not decide between them.
                prospect(guess, action, seat, random.Random(luck))
                for guess in guesses
            ),
        )

    def candidates(self, mine: PlayerView, seat: int) -> tuple[Action, ...]:
        """Return the actions worth trying: of all payments, only the cheapest."""
        match mine.prompt:
            case PaymentPrompt(price=price):
                return (Pay(valletta.cheapest_payment(price, mine.table.players[seat].goods)),)
            case _:
                answers = mine.legal_actions
                return tuple(self.rng.sample(answers, min(len(answers), MOST_ANSWERS)))


def prospect(guess: GameState, action: Action, seat: int, rng: random.Random) -> float:
    """Return the lead of a seat at the end of the turn after an action."""
    state = valletta.resolve_chance(valletta.apply(guess, action), rng)
    turn = state.active
    while state.prompt is not None and state.active == turn:
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return promise(state, seat)


def promise(state: GameState, seat: int) -> float:
    """Return how far a seat is ahead of its best opponent, in points.

    Goods count besides points, and buildings for the cards that they brought.  Only public
    information is used.
    """
    early = 1 - progress(state)
    worths = [
        score.total + (0.3 + 0.3 * early) * player.goods.total + 3 * early * score.houses
        for score, player in zip(valletta.predicted_scores(state), state.players, strict=True)
    ]
    return worths[seat] - max(worth for other, worth in enumerate(worths) if other != seat)


def main() -> None:
    """Play some games, the bot in each seat in turn, and print how they ended."""
    parser = argparse.ArgumentParser(description="Let a bot that sees only views play.")
    parser.add_argument("--games", type=int, default=1, help="how many games (default: 1)")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--guesses", type=int, default=2, help="positions sampled for a decision")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    def make(name: str, rng: random.Random) -> bots.Bot:
        return Guesser(rng, arguments.guesses) if name == "guesser" else bots.make_bot(name, rng)

    wins = 0
    for game in range(arguments.games):
        seat = game % arguments.players
        names = ["automatic"] * arguments.players
        names[seat] = "guesser"
        result = play_game(Job(names, arguments.seed + game), make).result
        wins += seat in result.winners
        points = result.points
        print(f"game {game + 1}: the bot in seat {seat} has {points[seat]} of {points} points")
    print(f"The bot won {wins} of {arguments.games} games.")


if __name__ == "__main__":
    main()
