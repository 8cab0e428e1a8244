"""The implementations of the rules that `spec.checks.statements` judges, keyed by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from spec.checks.model import Oracle
from spec.checks.rules import Engine, Rules
from valletta_rules import Action, CardSet, Event, GameState, RuleSet


def _packed() -> Rules[Any]:
    from spec.checks.packed import Packed  # some mutants do not fit the backend

    return Packed()


def _batch() -> Rules[Any]:
    from spec.checks.packed import Batched

    return Batched()


def _forwarding(name: str) -> Callable[..., Any]:
    """Return a method that forwards a request about a position to the other process."""

    def forward(self: Remote, position: GameState, *more: object) -> Any:
        return getattr(self.other, name)(self._at(position), *more)

    return forward


@attrs.define
class Remote(Rules[GameState]):
    """An implementation of the rules in another process, used with positions of this package.

    The engine of this package answers requests that the process does not support.
    """

    other: Any
    """The connection to the other process.  The process has one current position."""
    _engine: Engine = attrs.field(factory=Engine)
    _state: GameState | None = None
    _handle: Any = None

    def _at(self, state: GameState) -> Any:
        """Return the handle of a position in the other process.

        The position is sent first, unless it is the position that was sent last.
        """
        if state is not self._state:
            self._state, self._handle = state, self.other.read(state)
        return self._handle

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Return the first position of a game, as the other process creates it."""
        first: GameState = self.other.written(self.other.new_game(players, rules, cards))
        return first

    def read(self, state: GameState) -> GameState:
        """Return the state unchanged: the implementation uses positions of this package."""
        return state

    def written(self, position: GameState) -> GameState:
        """Return the position unchanged: the implementation uses positions of this package."""
        return position

    legal_actions = _forwarding("legal_actions")
    is_legal = _forwarding("is_legal")
    reason = _forwarding("reason")
    odds = _forwarding("odds")
    outcome = _forwarding("outcome")
    view = _forwarding("view")

    def apply(self, position: GameState, action: Action) -> GameState:
        """Apply an action in the other process."""
        after: GameState = self.other.written(self.other.apply(self._at(position), action))
        return after

    def events(self, position: GameState, action: Action) -> Sequence[Event]:
        """Return the events of an action; if the process has none, the engine computes them."""
        events: Sequence[Event] | None = self.other.events(self._at(position), action)
        return self._engine.events(position, action) if events is None else events

    def redact(self, events: Sequence[Event], seat: int | None) -> Sequence[object]:
        """Return the events as the viewer in `seat` may know them; `None` is a spectator."""
        redacted: Sequence[object] = self.other.redact(events, seat)
        return redacted


class Modelled(Remote):
    """The formal specification as an implementation of the rules.

    Its positions do not record revealed cards.
    """

    def apply(self, position: GameState, action: Action) -> GameState:
        """Apply an action in the formal specification; copy the revealed cards from the engine."""
        after, ours = super().apply(position, action), self._engine.apply(position, action)
        pairs = zip(after.players, ours.players, strict=True)
        return after.replace(players=tuple(new.replace(shown=our.shown) for new, our in pairs))


def _javascript() -> Rules[Any]:
    from spec.checks.javascript import JavaScript

    return Remote(JavaScript())


def _model(changes: Sequence[Mapping[str, object]] = ()) -> Rules[Any]:
    return Modelled(Oracle(changes))


ENGINES: Final[Mapping[str, Callable[[], Rules[Any]]]] = {
    "python": Engine,
    "packed": _packed,
    "batch": _batch,
    "javascript": _javascript,
    "model": _model,
}
"""The implementations, keyed by name: this package, its native backend, batches of the native
backend, the JavaScript package, and the formal model."""
