"""The types for effects of characters and rules of prompts, and the rules for declining."""

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
    """When, and in which editions, an effect may be declined.

    Rules: TRN-9, TRN-10, TRN-11
    """

    NEVER = auto()
    """Valette's advance."""
    AT_ITS_CHOICE = auto()
    """The effect asks its player for a choice and is declined there."""
    AS_PLAYED = auto()
    """The card's wording permits its player to use it: declined as it is played."""
    AS_PLAYED_IF_OPTIONAL = auto()
    """Declined as it is played, where the edition makes effects optional."""


StatePredicate = Callable[[GameState, int], bool]
"""A question about a position and the seat that plays the card."""


@attrs.frozen
class Effect:
    """The effect of a character."""

    carry_out: Callable[[GameState, int, Log], GameState]
    """Carries out the effect for a seat; called only where the effect can do something."""
    can_do_something: StatePredicate
    """Whether the effect could change anything, or lead to a prompt."""
    declining: Declining
    """When the effect may be declined."""
    permission: str = "TRN-11"
    """The clause that permits declining the effect as the card is played."""
    at_once: StatePredicate | None = None
    """Whether the effect does something as soon as it is played; `None` if that is the same
    question.
    """
    reduction: Goods | None = None
    """The reduction of the price, if the card builds."""

    def is_declinable_as_played(self, effects_are_optional: bool) -> bool:
        """Return whether the card may be played without an effect that would do something.

        An effect that offers a choice is declined at that choice.

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
        """Return whether the effect would do something as soon as its card is played.

        Rules: TRN-11, TRN-12
        """
        return self.at_once or self.can_do_something


def always(state: GameState, what: object) -> bool:
    """Return true: the effect can do something, or the prompt is due, in every position."""
    return True


def question(
    asks: Callable[[int], PlayerPrompt],
    can_do_something: StatePredicate = always,
    reduction: Goods | None = None,
) -> Effect:
    """Return the effect of a prompt to the player, which may be declined there if at all.

    Rules: TRN-10
    """

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return state.doing_first(asks(seat))

    return Effect(carry_out, can_do_something, Declining.AT_ITS_CHOICE, reduction=reduction)


def check_declining_choice(
    state: GameState, character: Character, clause: str = "TRN-7"
) -> Violation | None:
    """Return the violation of declining at a choice where effects are compulsory, or `None`.

    Rules: TRN-7, TRN-10
    """
    if state.rules.effects_are_optional:
        return None
    message = f"{character.english}'s effect must be carried out"
    return violation(clause, Code.EFFECT_COMPULSORY, message, character=character)


def decline(state: GameState, seat: int, clause: str, log: Log) -> GameState:
    """A player declines an offer; its prompt is already off the agenda."""
    if log is not None:
        log.append(EffectDeclined(seat, clause))
    return state


# The answers to prompts


P = TypeVar("P")
A = TypeVar("A")


@attrs.frozen
class Rule(Generic[P, A]):
    """The way in which a prompt is answered."""

    legal: Callable[[GameState, P], tuple[A, ...]]
    """Every legal answer, sorted."""
    check: Callable[[GameState, P, A], Violation | None]
    """The violation of an illegal answer of the right type, or `None`; needs no enumeration."""
    resolve: Callable[[GameState, P, A, Log], GameState]
    """The position after a legal answer, before any step without a prompt runs."""
    still_stands: Callable[[GameState, P], bool] = always
    """Whether the prompt is still due when it comes up."""


@attrs.frozen
class ChanceRule(Rule[P, A]):
    """The way in which chance answers a prompt."""

    weights: Callable[[GameState, P], tuple[tuple[A, int], ...]] = attrs.field(kw_only=True)
    """Every answer, with an integer proportional to its probability."""


def by_chance(
    weights: Callable[[GameState, P], tuple[tuple[A, int], ...]],
    check: Callable[[GameState, P, A], Violation | None],
    resolve: Callable[[GameState, P, A, Log], GameState],
    still_stands: Callable[[GameState, P], bool] = always,
) -> ChanceRule[P, A]:
    """Return the rule of a prompt that chance answers, given the weights of its answers."""

    def legal(state: GameState, prompt: P) -> tuple[A, ...]:
        return tuple([answer for answer, _ in weights(state, prompt)])

    return ChanceRule(legal, check, resolve, still_stands, weights=weights)


# Choosing any good: Maid, Artisan and Nun


ANY_GOOD: Final = tuple(TAKE[good] for good in GOODS)
"""The choice of one good out of four."""

ANY_GOOD_OR_NONE: Final[tuple[TakeGood | Decline, ...]] = (*ANY_GOOD, DECLINE)
"""The choice of one good out of four, or of none."""


def legal_goods(state: GameState, prompt: Prompt) -> tuple[TakeGood | Decline, ...]:
    """Return the four goods and, where effects are optional, the option to decline.

    Rules: RED-6, RED-7, BLU-15, BLU-16, BLU-18, BLU-26, BLU-28
    """
    return ANY_GOOD_OR_NONE if state.rules.effects_are_optional else ANY_GOOD


def check_good(
    state: GameState, prompt: MaidPrompt | ArtisanPrompt | NunPrompt, action: TakeGood | Decline
) -> Violation | None:
    """Return the violation if the choice of a good may not be declined, else `None`.

    Rules: RED-6, RED-7, BLU-16, BLU-18, BLU-26, BLU-28
    """
    if isinstance(action, Decline):
        return check_declining_choice(state, prompt.character)
    return None
