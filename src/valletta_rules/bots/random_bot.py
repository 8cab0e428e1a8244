"""A bot that plays at random."""

from __future__ import annotations

import random

from valletta_rules.actions import Action
from valletta_rules.views.view import PlayerView


class RandomBot:
    """A player that chooses uniformly among the legal actions."""

    def __init__(self, rng: random.Random) -> None:
        """Create a bot with its own generator."""
        self.rng = rng
        """The generator by which it chooses."""

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of a view."""
        return self.rng.choice(view.legal_actions)
