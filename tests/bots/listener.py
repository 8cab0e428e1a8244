"""A bot for tests that a program passes all events to its bots."""

import random

from valletta_rules import Action, PlayerView, RedactedEvent, fold
from valletta_rules.bots.random_bot import RandomBot


class Listener(RandomBot):
    """A random bot that reconstructs the table from the events that it receives."""

    def __init__(self, rng: random.Random) -> None:
        """Create a bot that has received no event yet and chooses its actions with `rng`."""
        super().__init__(rng)
        self.began: PlayerView | None = None
        self.received: list[RedactedEvent] = []

    def begin(self, view: PlayerView) -> None:
        """Store the first view of the game. This method may be called only once."""
        assert self.began is None
        self.began, self.table = view, view.table

    def see(self, event: RedactedEvent) -> None:
        """Apply an event to the reconstructed table, and record it."""
        self.table = fold(self.table, (event,))
        self.received.append(event)

    def decide(self, view: PlayerView) -> Action:
        """Check that the reconstructed table is correct, and return a random legal action."""
        assert self.began is not None
        assert (view.seat, view.table) == (self.began.seat, self.table)
        return super().decide(view)
