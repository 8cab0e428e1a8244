"""The rules of the game, by whoever wrote them: what two sides of a lockstep have in common.

`Engine` is this package.  `spec.checks.model` has the formal specification, and any program that
answers questions as it does; `spec.checks.twins` has the engine's native twin.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import ClassVar, Protocol, TypeVar

from valletta_rules import (
    Action,
    CardSet,
    GameState,
    Outcome,
    RuleSet,
    Violation,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    new_game,
    outcome,
    resolve_chance,
)
from valletta_rules.agenda import ChancePrompt

P = TypeVar("P")
"""A position, in whatever form the rules have it."""


class Rules(Protocol[P]):
    """Rules that can be asked everything that makes up the game.

    Positions are theirs alone: nobody else looks into one.  `read` and `written` translate them;
    actions and outcomes are the engine's.
    """

    in_order: ClassVar[bool] = False
    """Whether legal actions are listed in the order of the engine."""

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> P:
        """Return the first position of a game."""

    def read(self, state: GameState) -> P:
        """Return the position that a state of the engine is."""

    def written(self, position: P) -> GameState:
        """Return the state of the engine that a position is, as `canonical` has it."""

    def canonical(self, state: GameState) -> GameState:
        """Return a state without what these rules do not keep."""

    def agrees(self, position: P, state: GameState) -> bool:
        """Tell whether a position is that of a state."""
        return self.written(position) == self.canonical(state)

    def legal_actions(self, position: P) -> Collection[Action]:
        """Return the legal actions; those of chance are what it may answer."""

    def is_legal(self, position: P, action: Action) -> bool:
        """Tell whether an action is accepted, without listing what else there is."""

    def reason(self, position: P, action: Action) -> Violation | None:
        """Return why an action is refused; nothing if they cannot say."""
        return None

    def apply(self, position: P, action: Action) -> P:
        """Return the position after a legal action."""

    def odds(self, position: P) -> Mapping[Action, Fraction] | None:
        """Return how probable each answer of chance is; nothing if they cannot say."""

    def resolved(self, position: P, rng: Random) -> P | None:
        """Return the position after a generator answered for chance; nothing if it cannot."""
        return None

    def outcome(self, position: P) -> Outcome | None:
        """Return the outcome, if the game is over."""


class Engine(Rules[GameState]):
    """The engine of this package."""

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Lay the table."""
        return new_game(players, rules=rules, cards=cards)

    def read(self, state: GameState) -> GameState:
        """Return the state itself."""
        return state

    def written(self, position: GameState) -> GameState:
        """Return the position itself."""
        return position

    def canonical(self, state: GameState) -> GameState:
        """Return the state itself: nothing is left out."""
        return state

    def legal_actions(self, position: GameState) -> Sequence[Action]:
        """List what is legal."""
        return legal_actions(position)

    def is_legal(self, position: GameState, action: Action) -> bool:
        """Check one action."""
        return check(position, action) is None

    def reason(self, position: GameState, action: Action) -> Violation | None:
        """Say by which clause an action is refused."""
        return check(position, action)

    def apply(self, position: GameState, action: Action) -> GameState:
        """Carry an action out."""
        return apply(position, action)

    def odds(self, position: GameState) -> Mapping[Action, Fraction] | None:
        """Return the probabilities, if chance is asked."""
        if isinstance(position.prompt, ChancePrompt):
            return dict(chance_outcomes(position))
        return None

    def resolved(self, position: GameState, rng: Random) -> GameState:
        """Let a generator answer for chance."""
        return resolve_chance(position, rng)

    def outcome(self, position: GameState) -> Outcome | None:
        """Return the outcome."""
        return outcome(position)
