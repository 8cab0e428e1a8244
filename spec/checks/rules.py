"""The protocol for implementations of the rules, and this package as an implementation.

`spec.checks.engines` lists the other implementations: the native backend (`packed`), the JavaScript
package (`javascript`) and the formal specification (`model`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Protocol, TypeVar

import valletta_rules as vr
from valletta_rules.specification.worked_examples import Playable

P = TypeVar("P")
"""The type of the implementation's positions."""


class Rules(Playable[P], Protocol[P]):
    """The protocol for the implementations of the rules that the checks judge."""

    refuses: ClassVar[tuple[type[Exception], ...]] = ()
    """The exceptions by which `new_game` refuses a table; empty if it accepts every table."""

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> P:
        """Return the first position of a game."""

    def resolved(self, position: P, rng: Random) -> P | None:
        """Decide all pending random events with `rng`; return the resulting position.

        Returns `None` if the implementation has no such function.
        """
        return None

    def view(self, position: P, seat: int | None) -> vr.PlayerView | None:
        """Return the view of a seat or a spectator; `None` if the implementation has no views."""
        return None

    def redact(self, events: Sequence[vr.Event], seat: int | None) -> Sequence[object]:
        """Return the events as the viewer in `seat` may know them; `None` is a spectator."""
        return tuple(vr.redact(event, seat) for event in events)


class Library(Rules[P]):
    """An implementation of the rules that calls the public functions of this package."""

    def legal_actions(self, position: P) -> Sequence[vr.Action]:
        """Return the legal actions in a position."""
        return vr.legal_actions(_untyped(position))

    def is_legal(self, position: P, action: vr.Action) -> bool:
        """Return whether an action is legal."""
        return vr.check(_untyped(position), action) is None

    def reason(self, position: P, action: vr.Action) -> vr.Violation | None:
        """Return the violation that makes an action illegal, or `None` if the action is legal."""
        return vr.check(_untyped(position), action)

    def apply(self, position: P, action: vr.Action) -> P:
        """Return the position after an action."""
        after: P = vr.apply(_untyped(position), action)
        return after

    def odds(self, position: P) -> Mapping[vr.Action, Fraction] | None:
        """Return the probability of each random outcome, or `None` if a player must decide."""
        if isinstance(_untyped(position).prompt, vr.ChancePrompt):
            return dict(vr.chance_outcomes(_untyped(position)))
        return None

    def resolved(self, position: P, rng: Random) -> P:
        """Decide all pending random events with `rng`; return the resulting position."""
        after: P = vr.resolve_chance(_untyped(position), rng)
        return after

    def outcome(self, position: P) -> vr.Outcome | None:
        """Return the outcome, or `None` if the game is not over."""
        return vr.outcome(_untyped(position))

    def view(self, position: P, seat: int | None) -> vr.PlayerView:
        """Return the view of a seat or a spectator."""
        return vr.view(_untyped(position), seat)


def _untyped(position: object) -> Any:
    return position


class Engine(Library[vr.GameState]):
    """The Python engine of this package as an implementation of the rules."""

    refuses = (vr.PlayerCountError, vr.VariantError)

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
        """Return the first position of a game."""
        return vr.new_game(players, rules=rules, cards=cards)

    def events(self, position: vr.GameState, action: vr.Action) -> Sequence[vr.Event]:
        """Return the events of an action."""
        return vr.transition(position, action).events

    def read(self, state: vr.GameState) -> vr.GameState:
        """Return the state unchanged, because positions of this engine are states."""
        return state

    def written(self, position: vr.GameState) -> vr.GameState:
        """Return the position unchanged, because positions of this engine are states."""
        return position
