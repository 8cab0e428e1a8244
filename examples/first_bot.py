"""A first bot: it tries every answer on a guess of what it cannot see, and counts points.

Run ``python examples/first_bot.py``, or in this folder
``valletta tournament first_bot:FirstBot random --games 200 --out match``.
"""

from __future__ import annotations

import random

import valletta_rules as valletta
from valletta_rules.studies import Job, play_game


class FirstBot:
    """Takes the answer that promises most."""

    def __init__(self, rng: random.Random) -> None:
        """Take a generator for this bot alone."""
        self.rng = rng

    def decide(self, mine: valletta.PlayerView) -> valletta.Action:
        """Return one of the legal actions of the seat that is asked."""
        guess, seat = valletta.determinize(mine, self.rng), mine.seat or 0

        def worth(action: valletta.Action) -> float:
            after = valletta.apply(guess, action)
            return promise(valletta.resolve_chance(after, self.rng), seat)

        return max(mine.legal_actions, key=worth)


def promise(position: valletta.GameState, seat: int) -> float:
    """Count the points of a seat, a little for its goods, and the best house it may build now."""
    points: float = valletta.predicted_scores(position)[seat].total
    prompt = position.prompt
    if isinstance(prompt, valletta.SitePrompt) and prompt.seat == seat:
        offers = valletta.affordable_sites(position, seat)
        points += max((offer.points for offer in offers), default=0)
    return points + position.players[seat].goods.total / 5


def main() -> None:
    """Play a few games against random play."""
    jobs = [Job(("first_bot:FirstBot", "random"), seed) for seed in range(4)]
    won = sum(0 in play_game(job).result.winners for job in jobs)
    print(f"{won} of {len(jobs)} games won")


if __name__ == "__main__":
    main()
