"""Driving a game: automatic moves, and events for listeners.

`follow` makes automatic moves until a player has a choice. It takes functions that choose these
moves: `by_draw` creates one that resolves chance prompts, and those in
`valletta_rules.views.forced_actions` return forced actions. An `Audience` passes the events to
listeners.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import ChancePrompt
from valletta_rules.chance import Draw, draw_chance
from valletta_rules.engine import Transition, apply, transition
from valletta_rules.events import Event, TurnBegan
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import Remembers, redact
from valletta_rules.views.view import view

Answerer = Callable[[GameState], Action | None]
"""A function that takes a position, and returns an action or, if it has none, `None`."""


@attrs.frozen
class Move:
    """An action of a game, with its events and the position after it."""

    action: Action
    events: tuple[Event, ...]
    """The events caused by the action."""
    state: GameState
    """The position after the action."""

    @staticmethod
    def of(state: GameState, action: Action) -> Move:
        """Apply an action to a position and return the move; raise the errors of `transition`."""
        made = transition(state, action)
        return Move(action, made.events, made.state)

    @property
    def transition(self) -> Transition:
        """The move as a transition, as `valletta_rules.transition` returns it."""
        return Transition(self.state, self.events)


def by_draw(draw: Draw) -> Answerer:
    """Return a function that calls `draw` for chance prompts, and returns `None` for all others."""

    def answer(state: GameState) -> Action | None:
        return draw_chance(state, draw) if isinstance(state.prompt, ChancePrompt) else None

    return answer


def with_chance(
    position: Any, answers: Iterable[Action], sample: Callable[[Any], Action]
) -> Iterator[Action]:
    """Yield all actions of a game: the players' answers, with chance outcomes in between.

    `position` is the first position, in any form. `sample` returns a chance outcome for a position.
    """
    for action in chain(answers, (None,)):
        while isinstance(position.prompt, ChancePrompt):
            yield (drawn := sample(position))
            position = apply(position, drawn)
        if action is not None:
            yield action
            position = apply(position, action)


def follow(state: GameState, *answerers: Answerer) -> Iterator[Move]:
    """Make the actions that the functions return, and yield the moves, until all return `None`."""
    while (action := _answer(state, answerers)) is not None:
        yield (move := Move.of(state, action))
        state = move.state


def _answer(state: GameState, answerers: Iterable[Answerer]) -> Action | None:
    answers = (answer(state) for answer in answerers)
    return next((action for action in answers if action is not None), None)


class Audience:
    """The bots that receive the events of a game, redacted for their seats.

    It also counts turns.
    """

    def __init__(self, start: GameState, bots: Mapping[int, object]) -> None:
        """Begin the memories of the bots that follow the events."""
        self.turns: Counter[int] = Counter()
        """The number of turns that each seat has had so far."""
        self._listeners = {seat: bot for seat, bot in bots.items() if isinstance(bot, Remembers)}
        self.listens = bool(self._listeners)
        """Whether any bot receives the events."""
        for seat, listener in self._listeners.items():
            listener.begin(view(start, seat))

    def hear(self, events: Iterable[Event]) -> None:
        """Count the turns in some events, and pass the events to all bots that follow them."""
        for event in events:
            if isinstance(event, TurnBegan):
                self.turns[event.seat] += 1
            for seat, listener in self._listeners.items():
                listener.see(redact(event, seat))
