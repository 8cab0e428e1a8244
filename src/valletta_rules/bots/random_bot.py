"""A bot that answers at random."""

from __future__ import annotations

import random

from valletta_rules.actions import Action
from valletta_rules.views.view import PlayerView


class RandomBot:
    """Any legal answer, each as likely as any other."""

    def __init__(self, rng: random.Random) -> None:
        """Take a generator of its own."""
        self._rng = rng

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of a view."""
        return self._rng.choice(view.legal_actions)
