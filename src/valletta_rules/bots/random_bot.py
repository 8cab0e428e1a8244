"""A bot that chooses random actions."""

from __future__ import annotations

import random

from valletta_rules.actions import Action
from valletta_rules.views.view import PlayerView, asked_seat


class RandomBot:
    """A bot that chooses uniformly among the legal actions."""

    def __init__(self, rng: random.Random) -> None:
        """Create a bot with its own random generator `rng`."""
        self.rng = rng
        """The random generator of the bot."""

    def decide(self, view: PlayerView) -> Action:
        """Return a random legal action for the viewer of `view`, who must answer.

        Raises `ValueError` if the viewer need not answer.
        """
        asked_seat(view)
        return self.rng.choice(view.legal_actions)
