"""A bot that remembers, for tests of all code that passes events to bots."""

import random

from valletta_rules import Action, PlayerView, RedactedEvent, fold
from valletta_rules.bots.random_bot import RandomBot


class Listener(RandomBot):
    """A random bot that follows the table by its events."""

    def __init__(self, rng: random.Random) -> None:
        """Start without any event."""
        super().__init__(rng)
        self.began: PlayerView | None = None
        self.heard: list[RedactedEvent] = []

    def begin(self, view: PlayerView) -> None:
        """Take a seat."""
        assert self.began is None
        self.began, self.table = view, view.table

    def see(self, event: RedactedEvent) -> None:
        """Record an event."""
        self.table = fold(self.table, (event,))
        self.heard.append(event)

    def decide(self, view: PlayerView) -> Action:
        """Answer at random; the events must lead to the table in the view."""
        assert self.began is not None
        assert (view.seat, view.table) == (self.began.seat, self.table)
        return super().decide(view)
