"""The protocol for any implementation of the rules, and this package as one.

`spec.checks.engines` names the others: the native backend (`packed`), the package for JavaScript
(`javascript`) and the formal specification (`model`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, ClassVar, Protocol, TypeVar

from valletta_rules import (
    Action,
    CardSet,
    Event,
    GameState,
    Outcome,
    PlayerCountError,
    PlayerView,
    RuleSet,
    VariantError,
    Violation,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    new_game,
    outcome,
    redact,
    resolve_chance,
    transition,
    view,
)
from valletta_rules.agenda import ChancePrompt
from valletta_rules.specification.worked_examples import Playable

P = TypeVar("P")
"""A position, in whatever form the rules have it."""


class Rules(Playable[P], Protocol[P]):
    """Rules that can be asked everything that makes up the game."""

    refuses: ClassVar[tuple[type[Exception], ...]] = ()
    """The errors by which `new_game` refuses a table; none if it relies on its caller."""

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> P:
        """Return the first position of a game."""

    def resolved(self, position: P, rng: Random) -> P | None:
        """Return the position after a generator answered for chance; nothing if it cannot."""
        return None

    def look(self, position: P, seat: int | None) -> PlayerView | None:
        """Return what a seat, or a spectator, may know of a position; nothing if it cannot say."""
        return None

    def heard(self, events: Sequence[Event], seat: int | None) -> Sequence[object]:
        """Return what a seat, or a spectator, hears of events."""
        return tuple(redact(event, seat) for event in events)


class Library(Rules[P]):
    """Rules whose positions the functions of this package take as they are."""

    def legal_actions(self, position: P) -> Sequence[Action]:
        """List what is legal."""
        return legal_actions(_taken(position))

    def is_legal(self, position: P, action: Action) -> bool:
        """Check one action."""
        return check(_taken(position), action) is None

    def reason(self, position: P, action: Action) -> Violation | None:
        """Say by which clause an action is refused."""
        return check(_taken(position), action)

    def apply(self, position: P, action: Action) -> P:
        """Carry an action out."""
        after: P = apply(_taken(position), action)
        return after

    def odds(self, position: P) -> Mapping[Action, Fraction] | None:
        """Return the probabilities, if chance is asked."""
        if isinstance(_taken(position).prompt, ChancePrompt):
            return dict(chance_outcomes(_taken(position)))
        return None

    def resolved(self, position: P, rng: Random) -> P:
        """Let a generator answer for chance."""
        after: P = resolve_chance(_taken(position), rng)
        return after

    def outcome(self, position: P) -> Outcome | None:
        """Return the outcome."""
        return outcome(_taken(position))

    def look(self, position: P, seat: int | None) -> PlayerView:
        """Return the view of a seat, or of a spectator."""
        return view(_taken(position), seat)


def _taken(position: object) -> Any:
    return position


class Engine(Library[GameState]):
    """The engine of this package."""

    refuses = (PlayerCountError, VariantError)

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Lay the table."""
        return new_game(players, rules=rules, cards=cards)

    def told(self, position: GameState, action: Action) -> Sequence[Event]:
        """Return what happens."""
        return transition(position, action).events

    def read(self, state: GameState) -> GameState:
        """Return the state itself."""
        return state

    def written(self, position: GameState) -> GameState:
        """Return the position itself."""
        return position
