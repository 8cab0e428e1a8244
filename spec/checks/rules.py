"""The protocol for any implementation of the rules, and this package as one.

`spec.checks.engines` names the others: the native backend (`packed`), the package for JavaScript
(`javascript`) and the formal specification (`model`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Protocol, TypeVar

import valletta_rules as vr
from valletta_rules.specification.worked_examples import Playable

P = TypeVar("P")
"""A position in the form of the implementation."""


class Rules(Playable[P], Protocol[P]):
    """An implementation of the rules with all functions that make up the game."""

    refuses: ClassVar[tuple[type[Exception], ...]] = ()
    """The errors by which `new_game` refuses a table; none if it relies on its caller."""

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> P:
        """Return the first position of a game."""

    def resolved(self, position: P, rng: Random) -> P | None:
        """Return the position after a generator answered for chance, or `None` if it cannot."""
        return None

    def look(self, position: P, seat: int | None) -> vr.PlayerView | None:
        """Return the view of a seat, or of a spectator; `None` if there are no views."""
        return None

    def heard(self, events: Sequence[vr.Event], seat: int | None) -> Sequence[object]:
        """Return events as a seat, or a spectator, sees them."""
        return tuple(vr.redact(event, seat) for event in events)


class Library(Rules[P]):
    """An implementation whose positions the functions of this package accept."""

    def legal_actions(self, position: P) -> Sequence[vr.Action]:
        """Return the legal actions."""
        return vr.legal_actions(_taken(position))

    def is_legal(self, position: P, action: vr.Action) -> bool:
        """Return whether an action is legal."""
        return vr.check(_taken(position), action) is None

    def reason(self, position: P, action: vr.Action) -> vr.Violation | None:
        """Return the clause of a refusal."""
        return vr.check(_taken(position), action)

    def apply(self, position: P, action: vr.Action) -> P:
        """Apply an action."""
        after: P = vr.apply(_taken(position), action)
        return after

    def odds(self, position: P) -> Mapping[vr.Action, Fraction] | None:
        """Return the probabilities at a prompt of chance."""
        if isinstance(_taken(position).prompt, vr.ChancePrompt):
            return dict(vr.chance_outcomes(_taken(position)))
        return None

    def resolved(self, position: P, rng: Random) -> P:
        """Let a generator answer for chance."""
        after: P = vr.resolve_chance(_taken(position), rng)
        return after

    def outcome(self, position: P) -> vr.Outcome | None:
        """Return the outcome."""
        return vr.outcome(_taken(position))

    def look(self, position: P, seat: int | None) -> vr.PlayerView:
        """Return the view of a seat, or of a spectator."""
        return vr.view(_taken(position), seat)


def _taken(position: object) -> Any:
    return position


class Engine(Library[vr.GameState]):
    """The engine of this package."""

    refuses = (vr.PlayerCountError, vr.VariantError)

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
        """Return the first position."""
        return vr.new_game(players, rules=rules, cards=cards)

    def told(self, position: vr.GameState, action: vr.Action) -> Sequence[vr.Event]:
        """Return the events of an action."""
        return vr.transition(position, action).events

    def read(self, state: vr.GameState) -> vr.GameState:
        """Return the state itself."""
        return state

    def written(self, position: vr.GameState) -> vr.GameState:
        """Return the position itself."""
        return position
