"""Automatic moves in a game, and the distribution of its events to bots.

`follow` makes automatic moves until a player has a choice. Its arguments are functions that choose
these moves. `by_draw` creates a function that resolves chance prompts, and the functions in
`valletta_rules.views.forced_actions` return forced actions. An `Audience` passes the events to
bots.
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
from valletta_rules.components import abbreviated
from valletta_rules.engine import Transition, apply, transition
from valletta_rules.events import Event, TurnBegan
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import Remembers, redact
from valletta_rules.views.view import view

Answerer = Callable[[GameState], Action | None]
"""A function that chooses an action in a position, or returns `None` to make no move."""


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
        step = transition(state, action)
        return Move(action, step.events, step.state)

    @property
    def transition(self) -> Transition:
        """The events of the move and the position after it, as a `Transition`."""
        return Transition(self.state, self.events)


def by_draw(draw: Draw) -> Answerer:
    """Return an answerer that resolves chance prompts with `draw` and ignores all other prompts.

    Raises `TypeError` if `draw` is not a function.
    """
    if not callable(draw):
        raise TypeError(
            f"draw must be a function, such as by_random(rng), not {type(draw).__name__}: "
            f"{abbreviated(draw)}"
        )

    def answer(state: GameState) -> Action | None:
        return draw_chance(state, draw) if isinstance(state.prompt, ChancePrompt) else None

    return answer


def with_chance(
    position: Any, answers: Iterable[Action], sample: Callable[[Any], Action]
) -> Iterator[Action]:
    """Yield all actions of a game: the players' answers, and the chance outcomes between them.

    `position` is the first position, in any form that `valletta_rules.apply` accepts. `sample`
    returns a chance outcome for a position.
    """
    for action in chain(answers, (None,)):
        while isinstance(position.prompt, ChancePrompt):
            yield (drawn := sample(position))
            position = apply(position, drawn)
        if action is not None:
            yield action
            position = apply(position, action)


def follow(state: GameState, *answerers: Answerer) -> Iterator[Move]:
    """Make and yield the moves that the answerers choose, until all answerers return `None`."""
    while (action := _answer(state, answerers)) is not None:
        yield (move := Move.of(state, action))
        state = move.state


def _answer(state: GameState, answerers: Iterable[Answerer]) -> Action | None:
    answers = (answer(state) for answer in answerers)
    return next((action for action in answers if action is not None), None)


class Audience:
    """A distributor of events to bots. Each bot receives them as redacted for its own seat.

    An audience also counts the turns of each seat.
    """

    def __init__(self, start: GameState, bots: Mapping[int, object]) -> None:
        """Create an audience of the bots that implement `Remembers`, and begin their memories."""
        self.turns: Counter[int] = Counter()
        """The number of turns that each seat has begun."""
        self._listeners = {seat: bot for seat, bot in bots.items() if isinstance(bot, Remembers)}
        self.listens = bool(self._listeners)
        """Whether any bot receives the events."""
        for seat, listener in self._listeners.items():
            listener.begin(view(start, seat))

    def receive(self, events: Iterable[Event]) -> None:
        """Pass events to the bots in the audience, and count the turns that begin."""
        for event in events:
            if isinstance(event, TurnBegan):
                self.turns[event.seat] += 1
            for seat, listener in self._listeners.items():
                listener.see(redact(event, seat))
