"""A bot that remembers, for whoever lets bots play."""

from __future__ import annotations

import random

from valletta_rules import PlayerView
from valletta_rules.actions import Action
from valletta_rules.bots.random_bot import RandomBot
from valletta_rules.views.redaction import RedactedEvent, fold


class Listener(RandomBot):
    """A random bot that hears of a game and follows the table."""

    def __init__(self, rng: random.Random) -> None:
        """Hear nothing yet."""
        super().__init__(rng)
        self.began: PlayerView | None = None
        self.heard: list[RedactedEvent] = []

    def begin(self, view: PlayerView) -> None:
        """Take a seat."""
        assert self.began is None
        self.began, self.table = view, view.table

    def see(self, event: RedactedEvent) -> None:
        """Hear of an event."""
        self.table = fold(self.table, (event,))
        self.heard.append(event)

    def decide(self, view: PlayerView) -> Action:
        """Answer at random; what was heard has led to the table that is shown."""
        assert self.began is not None
        assert (view.seat, view.table) == (self.began.seat, self.table)
        return super().decide(view)
