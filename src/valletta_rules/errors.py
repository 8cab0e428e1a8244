"""Errors and violations.

Mistakes of the caller, illegal moves and bugs in this package raise errors of different classes.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final, Self

import attrs

from valletta_rules.components import Pattern, Value, abbreviated

ClauseId = Annotated[str, Pattern("[A-Z]{3}-[1-9][0-9]{0,3}")]
"""The id of a clause of the rulebook, such as TRN-2."""


class VallettaError(Exception):
    """The base class of the errors that are specific to this package."""

    @property
    def code(self) -> str:
        """A stable word for the kind of error, such as ``not-asked``.

        Translations can use the code as a key. The code is derived from the name of the class. An
        `IllegalActionError` has the code of its violation.
        """
        words = re.findall("[A-Z][a-z]*", type(self).__name__.removesuffix("Error"))
        return "-".join(words).lower()

    @property
    def facts(self) -> Mapping[str, object]:
        """The attributes of the error, as a mapping from their names to their values."""
        return MappingProxyType(
            {name: fact for name, fact in vars(self).items() if not name.startswith("_")}
        )


class PlayerCountError(VallettaError, ValueError):
    """A game was requested for a number of players other than 2, 3 or 4."""


class VariantError(VallettaError, ValueError):
    """A game was requested with a variant that is not allowed for its number of players."""


class MalformedActionError(VallettaError, TypeError):
    """An action is malformed: a field has a wrong type, or a site or building does not exist.

    A malformed action cannot be legal in any position of this game, unlike an illegal action.
    """


@attrs.define(slots=False)
class IllegalActionError(VallettaError):
    """A well-formed action violates the rules in this position.

    The position is unchanged.
    """

    violation: Violation
    """The clause that forbids the action, with the reason."""

    @property
    def code(self) -> str:
        """The code of the violation."""
        return self.violation.code

    @property
    def facts(self) -> Mapping[str, object]:
        """The parameters of the violation, keyed by name."""
        return self.violation.facts

    def __str__(self) -> str:
        """Return the message of the violation and its clause."""
        return f"{self.violation.message} [{self.violation.clause}]"


class NoChanceError(VallettaError, ValueError):
    """A chance outcome was requested although a player must answer or the game is over."""


@attrs.define(slots=False)
class SeatError(VallettaError, ValueError):
    """A seat number was passed that the game does not have."""

    seat: int
    """The number that was passed as the seat."""
    players: int
    """The number of players in the game."""

    def __str__(self) -> str:
        """State the number that was passed, and the seats of the game."""
        return f"a game of {self.players} players has no seat {abbreviated(self.seat)}"


@attrs.define(slots=False)
class NotAskedError(VallettaError, ValueError):
    """A seat answered although chance or another seat must answer, or the game is over."""

    seat: int | None
    """The seat that answered, or `None` for a spectator."""
    asked: int | None
    """The seat that must answer, or `None` if chance must answer or the game is over."""

    def __str__(self) -> str:
        """Name the seat that answered and the seat that must answer."""
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        subject = "no player is" if self.asked is None else f"seat {self.asked} is"
        return f"{who} cannot move now: {subject} asked"


@attrs.define(slots=False)
class StaleError(VallettaError, ValueError):
    """A call refers to an earlier revision of a game, because the call is late or a duplicate."""

    revision: int
    """The revision to which the call refers."""
    now: int
    """The current revision of the game."""

    def __str__(self) -> str:
        """Name the revision of the call and the current revision of the game."""
        return f"the call is for revision {self.revision}, but the game is at revision {self.now}"


@attrs.define(slots=False)
class FutureRevisionError(VallettaError, ValueError):
    """A call refers to a revision that the game has not reached yet."""

    revision: int
    """The revision to which the call refers."""
    now: int
    """The current revision of the game."""

    def __str__(self) -> str:
        """Name the revision to which the call refers, and the current revision of the game."""
        return f"there is no revision {self.revision} yet: the game is at revision {self.now}"


@attrs.define(slots=False)
class ForeignIdError(VallettaError, ValueError):
    """The id of a call was used before, for a call by another seat or with other contents."""

    id: str
    """The id of the call."""
    revision: int
    """The revision of the earlier call with this id."""

    def __str__(self) -> str:
        """Return a message with the id and the revision of the earlier call."""
        return (
            f"the id {abbreviated(self.id)} was used for another call, "
            f"which led to revision {self.revision}"
        )


@attrs.define(slots=False)
class CallIdError(VallettaError, ValueError):
    """The id of a call is not a valid `CallId`: it is empty, too long, or contains a space."""

    id: str
    """The invalid id."""

    def __str__(self) -> str:
        """Name the id and describe the form of a valid id."""
        return (
            "an id must be 1 to 100 printable ASCII characters without spaces, "
            f"not {abbreviated(self.id)}"
        )


@attrs.define(slots=False)
class NothingToUndoError(VallettaError):
    """There is no choice to undo, or the server does not allow undoing it."""

    text: str = ""
    """The reason as an untranslated text, or an empty string for the default message."""
    to: int | None = None
    """The earlier revision that the caller asked to restore, or `None` if the caller named none."""

    def __str__(self) -> str:
        """Return the reason, or the default message."""
        if self.to is not None:
            return self.text or f"an undo to revision {self.to} would remove no answer"
        return self.text or "no player has made a choice yet"


@attrs.define(slots=False)
class NothingToRedoError(VallettaError):
    """Nothing has been undone since the last move, or the server does not allow a redo."""

    text: str = ""
    """The reason as an untranslated text, or an empty string for the default message."""

    def __str__(self) -> str:
        """Return the reason, or the default message."""
        return self.text or "nothing has been undone since the last answer"


@attrs.define(slots=False)
class LogError(VallettaError, ValueError):
    """An entry of a log cannot be read, or does not follow from the earlier entries.

    If another error of this package caused this one, `code` is the code of that error.
    """

    entry: int
    """The number of the entry, counted from 0. It is also the revision that the entry should
    produce.
    """
    reason: str
    """A description of the problem with the entry."""
    problem: Problem | None = None
    """The problem as a code with parameters, from which a frontend can translate the message.
    `None` if another error caused this one and is its `__cause__`.
    """

    @classmethod
    def of(cls, entry: int, flaw: Flaw, /, **facts: Hashable) -> Self:
        """Return the error for a flaw in an entry. `facts` are the parameters of the message."""
        problem = flaw.at("", **facts)
        return cls(entry, problem.message, problem)

    @property
    def code(self) -> str:
        """The code of the error that caused this one, or else the code of this class."""
        return self.__cause__.code if isinstance(self.__cause__, VallettaError) else super().code

    def __str__(self) -> str:
        """Name the entry and state its problem."""
        return f"entry {self.entry} of the log: {self.reason}"


class CutLogError(LogError):
    """A log is incomplete: it is empty, or an entry or the chance outcomes after it are missing."""


@attrs.define(slots=False)
class ObserverError(VallettaError):
    """Observers raised errors. The move was still made, and all observers were called."""

    errors: tuple[Exception, ...]
    """The errors of the observers, in order. There is at least one."""

    def __str__(self) -> str:
        """State that the move was made, and list the errors of the observers."""
        raised = "; ".join(f"{type(error).__name__}: {error}" for error in self.errors)
        return f"the move was made, but observers raised {raised}"


class RedactedForAnotherError(VallettaError, ValueError):
    """Events were redacted for one seat, but applied to the view of another seat or game."""


class BrokenInvariantError(VallettaError, AssertionError):
    """A bug in this package led to a position that the rules cannot produce. Please report it."""


class Code(StrEnum):
    """The stable codes of violations, which frontends can use as keys for translated messages."""

    GAME_OVER = "game-over"
    """The game is over: no action is possible."""
    WRONG_KIND = "wrong-kind"
    """The action answers a different type of prompt."""
    CARD_NOT_IN_HAND = "card-not-in-hand"
    """The card is not in the player's hand."""
    CARD_NOT_IN_SUPPLY = "card-not-in-supply"
    """The card is not in the character supply."""
    CARD_NOT_IN_PILE = "card-not-in-pile"
    """The card cannot be drawn, because it is not in the draw pile."""
    EFFECT_COMPULSORY = "effect-compulsory"
    """The player may not decline the effect."""
    NO_EFFECT_TO_DECLINE = "no-effect-to-decline"
    """The player declined an effect that could do nothing, or that can be declined only at a later
    prompt.
    """
    SITE_TAKEN = "site-taken"
    """Another player's house is on the site."""
    SITE_NOT_OWN = "site-not-own"
    """Only the player's own buildings can be upgraded."""
    ALREADY_BUILT = "already-built"
    """The player has already built on the site."""
    ALREADY_UPGRADED = "already-upgraded"
    """The building has already been upgraded."""
    NO_HOUSE_LEFT = "no-house-left"
    """The player has built all eight houses."""
    NOT_AFFORDABLE = "not-affordable"
    """The player's goods cannot pay the price, even if other goods replace the missing ones."""
    NOT_OWNED = "not-owned"
    """The player does not have the goods."""
    PAYMENT_SHORT = "payment-short"
    """The payment is less than the price, even if other goods replace the missing ones."""
    PAYMENT_EXCESSIVE = "payment-excessive"
    """The payment is more than the price."""
    GOOD_NOT_OFFERED = "good-not-offered"
    """The player may not choose this good at this prompt."""
    WRONG_NUMBER_OF_GOODS = "wrong-number-of-goods"
    """The action takes the wrong number of goods."""
    BUILDING_NOT_AVAILABLE = "building-not-available"
    """No copy of this building card is left to deal."""
    NO_SUCH_BARREL = "no-such-barrel"
    """No unrevealed barrel shows this good."""


class Factual(Value):
    """The base class of error descriptions, which include the parameters of the message."""

    __slots__ = ()

    details: tuple[tuple[str, Hashable], ...]
    """The parameters of the message, as pairs of a name and a value."""

    @property
    def facts(self) -> Mapping[str, Hashable]:
        """The parameters of the message, keyed by name.

        Seats, sites, goods and characters have the types of this package.
        """
        return MappingProxyType(dict(self.details))


@attrs.frozen
class Violation(Factual):
    """The reason why an action is illegal."""

    clause: ClauseId
    """The id of the clause that the action would violate."""
    code: Code
    """The kind of violation."""
    message: str
    """The reason in one sentence."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The parameters of the message, as pairs of a name and a value."""


def violation(clause: str, code: Code, message: str, /, **facts: Hashable) -> Violation:
    """Return a violation. The keyword arguments become its `details`."""
    return Violation(clause, code, message, tuple(facts.items()))


@attrs.frozen
class Problem(Factual):
    """A defect in a value from outside the package, such as a document."""

    path: str
    """The path to the defect, such as ``players[1].goods.wood``, or an empty string if the defect
    concerns the whole value.
    """
    code: str
    """A stable word for the kind of problem, which frontends can translate."""
    message: str
    """A description of the problem, to be shown after the path and a colon."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that the value contradicts, if there is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The parameters of the message, as pairs of a name and a value."""

    def __str__(self) -> str:
        """Return the path, the message and the clause of the problem."""
        place = f"{self.path}: " if self.path else ""
        clause = f" [{self.clause}]" if self.clause is not None else ""
        return f"{place}{self.message}{clause}"


@attrs.frozen
class Refusal(Factual):
    """A description of an error, to be sent to the client that caused the error."""

    code: str
    """A stable word for the kind of error."""
    message: str
    """The error as a sentence."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that was violated, if there is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The parameters of the message, as pairs of a name and a value."""
    problems: tuple[Problem, ...] = ()
    """The individual problems, if the error is about a document or a file."""


class Flaw(StrEnum):
    """A kind of problem: its code, the template of its message, and the contradicted clause.

    Each enumeration of kinds of problems inherits from this class.
    """

    template: str
    """The template of the message, with placeholders in braces."""
    clause: ClauseId | None
    """The id of the clause of the rulebook that a value with this problem contradicts, if there is
    one.
    """

    def __new__(cls, code: str, template: str, clause: str | None = None) -> Self:
        """Create a member from its code, the template of its message, and its clause."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.template, member.clause = template, clause
        return member

    def at(self, path: str, /, **facts: Hashable) -> Problem:
        """Return the problem at `path`; `facts` replace the placeholders of the template."""
        message = self.template.format_map(facts)
        return Problem(path, self, message, self.clause, tuple(facts.items()))


MOST_PROBLEMS: Final = 50
"""The maximum number of problems in an error message."""


class MoreProblems(Flaw):
    """The last line of a long list of problems, which counts the problems that are left out."""

    MORE = "more", "and {more:,} more"


def limit_problems(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the first `MOST_PROBLEMS` problems, and if there are more, a count of the rest."""
    if len(problems) <= MOST_PROBLEMS:
        return tuple(problems)
    more = MoreProblems.MORE.at("", more=len(problems) - MOST_PROBLEMS)
    return (*problems[:MOST_PROBLEMS], more)
