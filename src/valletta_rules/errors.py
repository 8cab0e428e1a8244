"""Errors and violations.

A caller's mistake, an illegal move and a bug of ours never share a class.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final, Self

import attrs

from valletta_rules.components import Pattern, Value, shown

ClauseId = Annotated[str, Pattern("[A-Z]{3}-[1-9][0-9]{0,3}")]
"""The id of a clause of the rulebook, such as TRN-2."""


class VallettaError(Exception):
    """The base of every error this package raises on purpose."""

    @property
    def code(self) -> str:
        """A stable word for what is wrong, such as ``not-asked``; a frontend can translate by it.

        It is derived from the class, except for an illegal action, whose violation has a code.
        """
        words = re.findall("[A-Z][a-z]*", type(self).__name__.removesuffix("Error"))
        return "-".join(words).lower()

    @property
    def facts(self) -> Mapping[str, object]:
        """The facts of the error by name; each is also an attribute."""
        return MappingProxyType(
            {name: fact for name, fact in vars(self).items() if not name.startswith("_")}
        )


class PlayerCountError(VallettaError, ValueError):
    """A game was requested with a number of players other than 2, 3 or 4."""


class VariantError(VallettaError, ValueError):
    """A variant was requested that does not fit the number of players."""


class MalformedActionError(VallettaError, TypeError):
    """Something that is not a well-formed action: a wrong type, a site that does not exist.

    It could not be legal in any position of this game, unlike an illegal action.
    """


@attrs.define(slots=False)
class IllegalActionError(VallettaError):
    """A well-formed action was played that the rules forbid in this position.

    Nothing has changed: the position that was passed in is as it was.
    """

    violation: Violation
    """Which clause forbids it, and why."""

    @property
    def code(self) -> str:
        """The code of the violation."""
        return self.violation.code

    @property
    def facts(self) -> Mapping[str, object]:
        """The facts of the violation."""
        return self.violation.facts

    def __str__(self) -> str:
        """Say what is wrong, and which clause says so."""
        return f"{self.violation.message} [{self.violation.clause}]"


class NoChanceError(VallettaError, ValueError):
    """Chance was asked to answer where a player must, or where the game is over."""


@attrs.define(slots=False)
class SeatError(VallettaError, ValueError):
    """A seat was given that the game does not have."""

    seat: int
    """The seat that was given."""
    players: int
    """How many players the game has."""

    def __str__(self) -> str:
        """Say how many seats there are."""
        return f"a game of {self.players} players has no seat {shown(self.seat)}"


@attrs.define(slots=False)
class NotAskedError(VallettaError, ValueError):
    """A seat answered a question that is put to another seat, or to chance, or to nobody."""

    seat: int | None
    """The seat that answered; `None` for a spectator."""
    asked: int | None
    """The seat that is asked; `None` if chance is, or the game is over."""

    def __str__(self) -> str:
        """Say who answered, and who is asked."""
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        asked = "no player is" if self.asked is None else f"seat {self.asked} is"
        return f"{who} cannot move now: {asked} asked"


@attrs.define(slots=False)
class StaleError(VallettaError, ValueError):
    """A call was made for an earlier revision of a game: it was late, or it came twice."""

    revision: int
    """The revision for which the call was made."""
    now: int
    """The revision of the game."""

    def __str__(self) -> str:
        """Say for which revision the call was made, and which one the game has."""
        return f"this answers revision {self.revision}, but it is revision {self.now} now"


@attrs.define(slots=False)
class FutureRevisionError(VallettaError, ValueError):
    """A revision was given that the game does not have yet: it is one of another game or log."""

    revision: int
    """The revision that was given."""
    now: int
    """The revision of the game."""

    def __str__(self) -> str:
        """Say which revision was given, and which one the game has."""
        return f"there is no revision {self.revision} yet: it is revision {self.now} now"


@attrs.define(slots=False)
class ForeignIdError(VallettaError, ValueError):
    """A call has the id of another call: of another seat, or of something else to be done."""

    id: str
    """The id."""
    revision: int
    """The revision of the call that already has this id."""

    def __str__(self) -> str:
        """Name the id, and the entry that has it."""
        return f"another call, that of revision {self.revision}, has the id {shown(self.id)}"


@attrs.define(slots=False)
class CallIdError(VallettaError, ValueError):
    """A call has an id of another form than `CallId`: empty, too long, or with a space."""

    id: str
    """The id."""

    def __str__(self) -> str:
        """Name the id, and say what an id is."""
        return f"an id is 1 to 100 printable ASCII characters without spaces: {shown(self.id)}"


@attrs.define(slots=False)
class NothingToUndoError(VallettaError):
    """There is no choice that could be taken back, or a server does not allow it."""

    text: str = ""
    """Why not, in the caller's words, which are not translated."""
    to: int | None = None
    """The revision to which nothing can be taken back, if one was given."""

    def __str__(self) -> str:
        """Say why nothing can be taken back."""
        if self.to is not None:
            return self.text or f"an undo to revision {self.to} takes no answer back"
        return self.text or "no player has made a choice yet"


@attrs.define(slots=False)
class NothingToRedoError(VallettaError):
    """Nothing has been undone since the last move, or a server does not allow to redo it."""

    text: str = ""
    """Why not, in the caller's words, which are not translated."""

    def __str__(self) -> str:
        """Say why nothing can be done again."""
        return self.text or "nothing has been undone since the last answer"


@attrs.define(slots=False)
class LogError(VallettaError, ValueError):
    """An entry of a log cannot be read, or does not follow from those before it.

    Its code is that of its cause, the error that the entry raised.
    """

    entry: int
    """The number of the entry, from 0: the revision that it should lead to."""
    reason: str
    """What is wrong with it."""
    problem: Problem | None = None
    """The same by its code and facts, for other languages, if there is no cause."""

    @classmethod
    def of(cls, entry: int, flaw: Flaw, /, **facts: Hashable) -> Self:
        """Return the error for a flaw of an entry, with its facts."""
        problem = flaw.at("", **facts)
        return cls(entry, problem.message, problem)

    @property
    def code(self) -> str:
        """The code of the cause; that of this class if there is none."""
        return self.__cause__.code if isinstance(self.__cause__, VallettaError) else super().code

    def __str__(self) -> str:
        """Name the entry, and say what is wrong with it."""
        return f"entry {self.entry} of the log: {self.reason}"


class CutLogError(LogError):
    """A log was cut: it is empty, an entry is missing, or what chance answered after one is."""


@attrs.define(slots=False)
class ObserverError(VallettaError):
    """Observers raised errors.  The move was made all the same, and all observers were told."""

    errors: tuple[Exception, ...]
    """What they raised, in order; never empty."""

    def __str__(self) -> str:
        """Say that the move stands, and what was raised."""
        raised = "; ".join(f"{type(error).__name__}: {error}" for error in self.errors)
        return f"the move was made, but observers raised {raised}"


class RedactedForAnotherError(VallettaError, ValueError):
    """Events were folded over a table to which they do not belong: another seat's or game's."""


class BrokenInvariantError(VallettaError, AssertionError):
    """A bug of this package: a position arose that the rules cannot produce.  Please report it."""


class Code(StrEnum):
    """Stable codes of violations; a frontend can translate by them."""

    GAME_OVER = "game-over"
    """The game is over: nothing can be played any more."""
    WRONG_KIND = "wrong-kind"
    """The action answers a different question from the one asked."""
    CARD_NOT_IN_HAND = "card-not-in-hand"
    """The card is not in the player's hand."""
    CARD_NOT_IN_SUPPLY = "card-not-in-supply"
    """The card is not in the character supply."""
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
    """The payment is less than the price, even with substitution."""
    PAYMENT_EXCESSIVE = "payment-excessive"
    """The payment is more than the price."""
    GOOD_NOT_OFFERED = "good-not-offered"
    """This good cannot be chosen here."""
    WRONG_NUMBER_OF_GOODS = "wrong-number-of-goods"
    """A different number of goods must be taken."""
    BUILDING_NOT_AVAILABLE = "building-not-available"
    """No such building card is left to be dealt."""
    NO_SUCH_BARREL = "no-such-barrel"
    """No unrevealed barrel shows this good."""


class Factual(Value):
    """The base of values that say what is wrong: their `details` are facts by name."""

    __slots__ = ()

    details: tuple[tuple[str, Hashable], ...]
    """The facts as pairs of name and value."""

    @property
    def facts(self) -> Mapping[str, Hashable]:
        """The facts by name: seats, sites, goods and characters as values of this package."""
        return MappingProxyType(dict(self.details))


@attrs.frozen
class Violation(Factual):
    """Why an action is illegal: the clause, a stable code, a sentence, and the facts."""

    clause: ClauseId
    """The id of the clause that the action would violate."""
    code: Code
    """What kind of violation it is."""
    message: str
    """The violation in one sentence, with the facts."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""


def violation(clause: str, code: Code, message: str, /, **facts: Hashable) -> Violation:
    """Return a violation with its facts given by name."""
    return Violation(clause, code, message, tuple(facts.items()))


@attrs.frozen
class Problem(Factual):
    """Something that is wrong with a value from outside, and where."""

    path: str
    """Where it is, as in ``players[1].goods.wood``; empty if it is the value as a whole."""
    code: str
    """What kind of problem it is, by a stable word; a frontend can translate by it."""
    message: str
    """What is wrong, as a clause that can follow the place and a colon."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that is contradicted, if it is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""

    def __str__(self) -> str:
        """Say where the problem is, what it is, and which clause it contradicts."""
        place = f"{self.path}: " if self.path else ""
        clause = f" [{self.clause}]" if self.clause is not None else ""
        return f"{place}{self.message}{clause}"


@attrs.frozen
class Refusal(Factual):
    """An error as a value, to be sent to the client that caused it."""

    code: str
    """What is wrong, by a stable word: the code of the error."""
    message: str
    """What is wrong, in a sentence."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that is violated, if it is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""
    problems: tuple[Problem, ...] = ()
    """What is wrong in detail, if it is a document or a file."""


class Flaw(StrEnum):
    """A kind of problem: a stable code, the wording, and the clause it contradicts.

    The enumerations of what can be wrong with something inherit from it.
    """

    template: str
    """What is wrong, in words, with the names of the facts in braces."""
    clause: ClauseId | None
    """The id of the clause of the rulebook that is contradicted, if it is one."""

    def __new__(cls, code: str, template: str, clause: str | None = None) -> Self:
        """Make a member with its wording and clause."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.template, member.clause = template, clause
        return member

    def at(self, path: str, /, **facts: Hashable) -> Problem:
        """Return a problem of this kind: where it is, and its facts by name."""
        message = self.template.format_map(facts)
        return Problem(path, self, message, self.clause, tuple(facts.items()))


MOST_PROBLEMS: Final = 50
"""How many problems of one value are told."""


class Surplus(Flaw):
    """What stands for the problems that are not told."""

    MORE = "more", "and {more:,} more"


def told(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems to be told: all, or the first ones and how many more there are."""
    if len(problems) <= MOST_PROBLEMS:
        return tuple(problems)
    more = Surplus.MORE.at("", more=len(problems) - MOST_PROBLEMS)
    return (*problems[:MOST_PROBLEMS], more)
