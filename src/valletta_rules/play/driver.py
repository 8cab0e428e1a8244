"""What drives a game: the answers of chance, those that are forced, and who hears of what.

`follow` runs through what happens by itself until somebody has a choice.  Who has answers for a
position is given to it: chance by a random generator (`by_chance`), and, where they are not asked,
players who have but one answer (`valletta_rules.views.forced`).  An `Audience` hears what happens.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import ChancePrompt
from valletta_rules.bots.protocol import Remembers
from valletta_rules.chance import sample_chance
from valletta_rules.engine import Transition, transition
from valletta_rules.events import Event, TurnBegan
from valletta_rules.state import GameState
from valletta_rules.views.redaction import redact
from valletta_rules.views.view import view

Answerer = Callable[[GameState], Action | None]
"""What answers in some positions, and in others returns `None`."""


@attrs.frozen
class Move:
    """An action that was taken, and what it led to."""

    action: Action
    events: tuple[Event, ...]
    """What happened."""
    state: GameState
    """The position after it."""

    @staticmethod
    def of(state: GameState, action: Action) -> Move:
        """Return what an action leads to; raise the errors of `transition`."""
        made = transition(state, action)
        return Move(action, made.events, made.state)

    @property
    def transition(self) -> Transition:
        """What it led to, as `valletta_rules.transition` returns it."""
        return Transition(self.state, self.events)


def by_chance(rng: random.Random) -> Answerer:
    """Return what answers for chance, by a generator."""

    def answer(state: GameState) -> Action | None:
        return sample_chance(state, rng) if isinstance(state.prompt, ChancePrompt) else None

    return answer


def follow(state: GameState, *answerers: Answerer) -> Iterator[Move]:
    """Run through the moves that some make by themselves, until none of them has an answer."""
    while (action := _answer(state, answerers)) is not None:
        yield (move := Move.of(state, action))
        state = move.state


def _answer(state: GameState, answerers: Iterable[Answerer]) -> Action | None:
    answers = (answer(state) for answer in answerers)
    return next((action for action in answers if action is not None), None)


class Audience:
    """Those who hear what happens in a game, each as the seat may know it; turns are counted."""

    def __init__(self, start: GameState, bots: Mapping[int, object]) -> None:
        """Let those bots that remember take their seats, before anything has happened."""
        self.turns: Counter[int] = Counter()
        """How many turns of each seat have begun."""
        self._listeners = {seat: bot for seat, bot in bots.items() if isinstance(bot, Remembers)}
        for seat, listener in self._listeners.items():
            listener.begin(view(start, seat))

    def hear(self, events: Iterable[Event]) -> None:
        """Let everybody hear of events, in their order."""
        for event in events:
            if isinstance(event, TurnBegan):
                self.turns[event.seat] += 1
            for seat, listener in self._listeners.items():
                listener.see(redact(event, seat))
