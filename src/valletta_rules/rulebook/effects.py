"""Types for the effects of characters and for the rules that handle answers to prompts."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Generic, TypeVar, assert_never

import attrs

from valletta_rules.actions import DECLINE, TAKE, Decline, TakeGood
from valletta_rules.agenda import ArtisanPrompt, MaidPrompt, NunPrompt, PlayerPrompt, Prompt
from valletta_rules.components import GOODS, Character, Goods
from valletta_rules.errors import Code, Violation, violation
from valletta_rules.events import EffectDeclined, Log
from valletta_rules.state import GameState


class Declining(Enum):
    """Whether and when an effect may be declined.

    Rules: TRN-9, TRN-10, TRN-11
    """

    NEVER = auto()
    """The effect may not be declined. Only Valette's advance is such an effect."""
    AT_ITS_CHOICE = auto()
    """The effect prompts the player for a choice; the player can decline it only at this prompt."""
    AS_PLAYED = auto()
    """The effect may be declined when the card is played, in all editions."""
    AS_PLAYED_IF_OPTIONAL = auto()
    """The effect may be declined when the card is played, but only in editions with optional
    effects.
    """


StatePredicate = Callable[[GameState, int], bool]
"""A predicate that takes a position and the seat that plays the card."""


@attrs.frozen
class Effect:
    """The effect of a character."""

    carry_out: Callable[[GameState, int, Log], GameState]
    """The function that carries out the effect for a seat. It is called only if the effect can do
    something.
    """
    can_do_something: StatePredicate
    """A predicate that is true if the effect could change anything or lead to a prompt."""
    declining: Declining
    """Whether and when the effect may be declined."""
    permission: str = "TRN-11"
    """The clause that permits declining the effect when the card is played."""
    at_once: StatePredicate | None = None
    """A predicate that is true if the effect does something at once. The default is
    `can_do_something`.
    """
    reduction: Goods | None = None
    """If the effect allows building, its reduction of the price, otherwise `None`."""

    def is_declinable_as_played(self, effects_are_optional: bool) -> bool:
        """Return whether the effect may be declined when the card is played, not at a later prompt.

        Rules: TRN-8, TRN-9, TRN-10, TRN-11, VAL-2
        """
        match self.declining:
            case Declining.AS_PLAYED:
                return True
            case Declining.AS_PLAYED_IF_OPTIONAL:
                return effects_are_optional
            case Declining.NEVER | Declining.AT_ITS_CHOICE:
                return False
            case _:
                assert_never(self.declining)

    @property
    def stake(self) -> StatePredicate:
        """A predicate that is true if the effect would do something as soon as the card is played.

        Rules: TRN-11, TRN-12
        """
        return self.at_once or self.can_do_something


def always(state: GameState, seat_or_prompt: object) -> bool:
    """Return true. This is the predicate for effects and prompts that apply in every position."""
    return True


def question(
    asks: Callable[[int], PlayerPrompt],
    can_do_something: StatePredicate = always,
    reduction: Goods | None = None,
) -> Effect:
    """Return an effect that consists of a prompt, and can be declined only at this prompt.

    Rules: TRN-10
    """

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return state.doing_first(asks(seat))

    return Effect(carry_out, can_do_something, Declining.AT_ITS_CHOICE, reduction=reduction)


def check_declining_choice(
    state: GameState, character: Character, clause: str = "TRN-7"
) -> Violation | None:
    """Return the violation if the player declines although effects are compulsory, else `None`.

    Rules: TRN-7, TRN-10
    """
    if state.rules.effects_are_optional:
        return None
    message = f"{character.english}'s effect must be carried out"
    return violation(clause, Code.EFFECT_COMPULSORY, message, character=character)


def decline(state: GameState, seat: int, clause: str, log: Log) -> GameState:
    """Record that a player declined an offer. Its prompt must already be gone from the agenda."""
    if log is not None:
        log.append(EffectDeclined(seat, clause))
    return state


# The answers to prompts


P = TypeVar("P")
A = TypeVar("A")


@attrs.frozen
class Rule(Generic[P, A]):
    """The functions that handle the answers to a type of prompt."""

    legal: Callable[[GameState, P], tuple[A, ...]]
    """Returns all legal answers, sorted."""
    check: Callable[[GameState, P, A], Violation | None]
    """Returns the violation of an illegal answer of the right type, or `None` for a legal one."""
    resolve: Callable[[GameState, P, A, Log], GameState]
    """Returns the position directly after a legal answer; automatic steps have not run yet."""
    still_stands: Callable[[GameState, P], bool] = always
    """Returns whether a prompt is still necessary when it becomes the next step."""


@attrs.frozen
class ChanceRule(Rule[P, A]):
    """The functions that handle the answers of chance to a type of prompt."""

    weights: Callable[[GameState, P], tuple[tuple[A, int], ...]] = attrs.field(kw_only=True)
    """Returns all answers, each with an integer weight proportional to its probability."""


def by_chance(
    weights: Callable[[GameState, P], tuple[tuple[A, int], ...]],
    check: Callable[[GameState, P, A], Violation | None],
    resolve: Callable[[GameState, P, A, Log], GameState],
    still_stands: Callable[[GameState, P], bool] = always,
) -> ChanceRule[P, A]:
    """Return the rule for a type of chance prompt.

    The actions in `weights` are the legal answers.
    """

    def legal(state: GameState, prompt: P) -> tuple[A, ...]:
        return tuple([answer for answer, _ in weights(state, prompt)])

    return ChanceRule(legal, check, resolve, still_stands, weights=weights)


# Choosing any good: Maid, Artisan and Nun


ANY_GOOD: Final = tuple(TAKE[good] for good in GOODS)
"""The actions that take one good: one action for each of the four kinds."""

ANY_GOOD_OR_NONE: Final[tuple[TakeGood | Decline, ...]] = (*ANY_GOOD, DECLINE)
"""The actions that take one good, one for each of the four kinds, and the action that declines."""


def legal_goods(state: GameState, prompt: Prompt) -> tuple[TakeGood | Decline, ...]:
    """Return the four actions that take a good and, if effects are optional, the one that declines.

    Rules: RED-6, RED-7, BLU-15, BLU-16, BLU-18, BLU-26, BLU-28
    """
    return ANY_GOOD_OR_NONE if state.rules.effects_are_optional else ANY_GOOD


def check_good(
    state: GameState, prompt: MaidPrompt | ArtisanPrompt | NunPrompt, action: TakeGood | Decline
) -> Violation | None:
    """Return the violation if the player declines although effects are compulsory, else `None`.

    Rules: RED-6, RED-7, BLU-16, BLU-18, BLU-26, BLU-28
    """
    if isinstance(action, Decline):
        return check_declining_choice(state, prompt.character)
    return None
