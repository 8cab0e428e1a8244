"""What a bot is: it is given a view and returns an action, and may do more."""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

import attrs

from valletta_rules.actions import Action
from valletta_rules.components.values import Value
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.views.view import PlayerView

MOST_TURNS: Final = 1000
"""After how many turns of all players a game of bots is broken off, if nothing else is said.

Random players, the slowest that are known, need some hundred.
"""


@runtime_checkable
class Bot(Protocol):
    """Whoever can answer for a seat.

    A bot sees views only, and has a random generator of its own, given to it when it is made.  Its
    answers follow from the views that it has been given, in their order, and from that generator.
    """

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of a view whose viewer is asked."""
        ...


@runtime_checkable
class Remembers(Protocol):
    """A bot that wants to hear what happens between the questions put to it."""

    def begin(self, view: PlayerView) -> None:
        """Take a seat in a game, as its first position is seen from there.

        Called once for each game, before anything else.
        """

    def see(self, event: RedactedEvent) -> None:
        """Hear of an event, as the seat may know it; all events come, and in order."""
        ...


@attrs.frozen
class Plan(Value):
    """Something that a bot thought of doing."""

    actions: tuple[Action, ...]
    """What it would do, the next answer first; the answers of others and of chance are left out."""
    value: float
    """How many points ahead of the best opponent it expects to end, if it does that."""


@runtime_checkable
class Explains(Protocol):
    """A bot that can say what it thought of, as a hint for a person."""

    def explain(self) -> tuple[Plan, ...]:
        """Return the plans weighed for the last answer, that one's first; none before the first."""
        ...
