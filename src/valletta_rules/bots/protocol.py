"""The protocols that bots implement: the required `Bot`, and the optional `Explains`."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import attrs

from valletta_rules.actions import Action
from valletta_rules.components import Value
from valletta_rules.views.seen_events import Remembers as Remembers
from valletta_rules.views.view import PlayerView


@runtime_checkable
class Bot(Protocol):
    """The protocol of a bot, which plays for a seat.

    A bot receives only views.  The function that creates the bot receives a random generator.  The
    actions of a bot must depend only on the views that it has received, in order, and on this
    generator.
    """

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of `view`, whose viewer must answer."""
        ...


@attrs.frozen
class Plan(Value):
    """A plan that a bot considered for its turn."""

    actions: tuple[Action, ...]
    """The bot's planned actions, the next one first; those of other players are omitted."""
    value: float
    """The bot's expected lead over its best opponent after the plan, in points."""


@runtime_checkable
class Explains(Protocol):
    """The protocol of a bot that can report its plans, which are used as hints for people."""

    def explain(self) -> tuple[Plan, ...]:
        """Return the plans considered for the last action, the chosen plan first.

        The result is empty before the first action.
        """
        ...
