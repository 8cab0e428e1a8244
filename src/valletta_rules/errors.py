"""Errors and violations.

A caller's mistake, an illegal move and a bug of ours never share a class.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import StrEnum
from types import MappingProxyType

import attrs


class VallettaError(Exception):
    """The base of every error this package raises on purpose."""


class PlayerCountError(VallettaError, ValueError):
    """A game was asked for with a number of players other than 2, 3 or 4."""


class VariantError(VallettaError, ValueError):
    """A variant was asked for that does not fit the number of players."""


class MalformedActionError(VallettaError, TypeError):
    """Something that is no well-formed action: a wrong type, a site that does not exist.

    It could not be legal in any position of this game, unlike an illegal action.
    """


class IllegalActionError(VallettaError):
    """A well-formed action was played that the rules forbid in this position.

    Nothing has changed: the position that was passed in is as it was.
    """

    violation: Violation
    """Which clause forbids it, and why."""

    def __init__(self, violation: Violation) -> None:
        """Carry the violation and say it in words."""
        super().__init__(violation)
        self.violation = violation

    def __str__(self) -> str:
        """Say what is wrong, and which clause says so."""
        return f"{self.violation.message} [{self.violation.clause}]"


class NoChanceError(VallettaError, ValueError):
    """Chance was asked to answer where a player must, or where the game is over."""


class BrokenInvariantError(VallettaError, AssertionError):
    """A bug of this package: a position arose that the rules cannot produce.  Please report it."""


class Code(StrEnum):
    """Stable codes of violations; a frontend can translate by them."""

    GAME_OVER = "game-over"
    """The game is over: nothing can be played any more."""
    WRONG_KIND = "wrong-kind"
    """The action answers another question than the one asked."""
    CARD_NOT_IN_HAND = "card-not-in-hand"
    """The card is not in the player's hand."""
    CARD_NOT_IN_SUPPLY = "card-not-in-supply"
    """The card is not in the general supply."""
    CARD_NOT_IN_PILE = "card-not-in-pile"
    """The card cannot be drawn: the draw pile has none."""
    EFFECT_COMPULSORY = "effect-compulsory"
    """The effect must be carried out."""
    NO_EFFECT_TO_DECLINE = "no-effect-to-decline"
    """The effect could do nothing, or is declined later at a choice of its own."""
    SITE_TAKEN = "site-taken"
    """Another player's house stands on the site."""
    SITE_NOT_OWN = "site-not-own"
    """Only one's own building can be upgraded."""
    ALREADY_BUILT = "already-built"
    """The player has built there before."""
    ALREADY_UPGRADED = "already-upgraded"
    """The building has been upgraded before."""
    NO_HOUSE_LEFT = "no-house-left"
    """All eight houses are built."""
    NOT_AFFORDABLE = "not-affordable"
    """The player's goods cannot pay the price, not even with substitution."""
    NOT_OWNED = "not-owned"
    """The player does not have the goods."""
    PAYMENT_SHORT = "payment-short"
    """The payment is less than the price, substitution allowed for."""
    PAYMENT_EXCESSIVE = "payment-excessive"
    """The payment is more than the price."""
    GOOD_NOT_OFFERED = "good-not-offered"
    """This good cannot be chosen here."""
    WRONG_NUMBER_OF_GOODS = "wrong-number-of-goods"
    """Another number of goods must be taken."""
    BUILDING_NOT_AVAILABLE = "building-not-available"
    """No such building card is left to be dealt."""
    NO_SUCH_BARREL = "no-such-barrel"
    """No unrevealed barrel shows this good."""


@attrs.frozen
class Violation:
    """Why an action is illegal: the clause, a stable code, a sentence, and the facts."""

    clause: str
    """The id of the clause that the action would violate."""
    code: Code
    """What kind of violation it is."""
    message: str
    """The violation in one sentence, with the facts."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""

    @property
    def facts(self) -> Mapping[str, Hashable]:
        """The facts by name: seats, sites, goods and characters as values of this package."""
        return MappingProxyType(dict(self.details))


def violation(clause: str, code: Code, message: str, /, **facts: Hashable) -> Violation:
    """Return a violation with its facts given by name."""
    return Violation(clause, code, message, tuple(facts.items()))
