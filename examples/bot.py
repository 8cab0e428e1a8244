"""A bot that is given views and nothing else, in games against automatic players.

It makes up a few positions that agree with its view (`determinize`), tries every answer in each
of them, plays on to the end of its turn by rules of thumb, and takes the answer after which it
stands best on average.  The true position stays with the referee.

Run ``python examples/bot.py [--games N] [--guesses N] [--seed N]``.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean

import valletta_rules as valletta
from valletta_rules import Action, GameState, Pay, PlayerView
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.bots.automatic import choose, progress

MOST_ANSWERS = 12
"""How many actions the bot tries at most."""


class Bot:
    """Answers by trying things out in positions that may be the true one."""

    def __init__(self, rng: random.Random, guesses: int) -> None:
        """Take a generator of its own, and how many positions to make up for a question."""
        self.rng, self.guesses = rng, guesses

    def answer(self, mine: PlayerView) -> Action:
        """Return one of the legal answers of a view whose viewer is asked."""
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
        """Return the answers that are worth a try: of all ways to pay, only the cheapest."""
        match mine.prompt:
            case PaymentPrompt(price=price):
                return (Pay(valletta.cheapest_payment(price, mine.table.players[seat].goods)),)
            case _:
                answers = mine.legal_actions
                return tuple(self.rng.sample(answers, min(len(answers), MOST_ANSWERS)))


def prospect(guess: GameState, action: Action, seat: int, rng: random.Random) -> float:
    """Return how a seat would stand at the end of the turn after an answer."""
    state = valletta.resolve_chance(valletta.apply(guess, action), rng)
    turn = state.active
    while state.prompt is not None and state.active == turn:
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return promise(state, seat)


def promise(state: GameState, seat: int) -> float:
    """Return how much better a seat stands than its best opponent, in points.

    Besides points there count the goods, and the buildings for the cards they brought.  The seat's
    own hand is known to it; of the others only what lies open is looked at.
    """
    early = 1 - progress(state)
    worths = [
        score.total + (0.3 + 0.3 * early) * player.goods.total + 3 * early * score.houses
        for score, player in zip(valletta.predicted_scores(state), state.players, strict=True)
    ]
    return worths[seat] - max(worth for other, worth in enumerate(worths) if other != seat)


def referee(bot: Bot, seat: int, players: int, rng: random.Random) -> valletta.Outcome:
    """Play a game in which the bot has one seat, and automatic players have the others."""
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    while (prompt := state.prompt) is not None:
        if prompt.seat == seat:
            action = bot.answer(valletta.view(state, seat))
        else:
            action = choose(state, rng)
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
    outcome = valletta.outcome(state)
    assert outcome is not None, "the game is over"
    return outcome


def main() -> None:
    """Play some games, the bot in each seat in turn, and print how they ended."""
    parser = argparse.ArgumentParser(description="Let a bot that sees only views play.")
    parser.add_argument("--games", type=int, default=1, help="how many games (default: 1)")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--guesses", type=int, default=2, help="positions made up for a question")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wins = 0
    for game in range(arguments.games):
        rng = random.Random(arguments.seed + game)
        bot, seat = Bot(random.Random(rng.random()), arguments.guesses), game % arguments.players
        outcome = referee(bot, seat, arguments.players, rng)
        totals = [score.total for score in outcome.scores]
        wins += seat in outcome.winners
        print(f"game {game + 1}: the bot in seat {seat} has {totals[seat]} of {totals} points")
    print(f"The bot won {wins} of {arguments.games} games.")


if __name__ == "__main__":
    main()
