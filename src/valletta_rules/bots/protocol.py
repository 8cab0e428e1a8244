"""The protocols of bots: they take a view and return an action, and may offer more."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import attrs

from valletta_rules.actions import Action
from valletta_rules.components import Value
from valletta_rules.views.seen_events import Remembers as Remembers
from valletta_rules.views.view import PlayerView


@runtime_checkable
class Bot(Protocol):
    """A player that can act for a seat.

    A bot gets only views, and has its own random generator, which is passed when it is made.  Its
    actions are determined by the views it has been given, in order, and by that generator.
    """

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of a view whose viewer must answer."""
        ...


@attrs.frozen
class Plan(Value):
    """A plan that a bot considered."""

    actions: tuple[Action, ...]
    """Its own actions, the next one first; those of others and of chance are omitted."""
    value: float
    """The lead in points over the best opponent that it expects from the plan."""


@runtime_checkable
class Explains(Protocol):
    """A bot that can report the plans it considered, as hints for people."""

    def explain(self) -> tuple[Plan, ...]:
        """Return the plans considered for the last action, the chosen one first; none before it."""
        ...
