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

from valletta_rules.components import Pattern, Value, abbreviated

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
    """An action is malformed: it has a wrong type, or names a site that does not exist.

    It could not be legal in any position of this game, unlike an illegal action.
    """


@attrs.define(slots=False)
class IllegalActionError(VallettaError):
    """A well-formed action violates the rules in this position.

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
    """Chance was to answer a prompt of a player, or after the end of the game."""


@attrs.define(slots=False)
class SeatError(VallettaError, ValueError):
    """A seat was given that the game does not have."""

    seat: int
    """The seat that was given."""
    players: int
    """How many players the game has."""

    def __str__(self) -> str:
        """Say how many seats there are."""
        return f"a game of {self.players} players has no seat {abbreviated(self.seat)}"


@attrs.define(slots=False)
class NotAskedError(VallettaError, ValueError):
    """A seat answered a prompt of another seat or of chance, or after the end of the game."""

    seat: int | None
    """The seat that answered; `None` for a spectator."""
    asked: int | None
    """The seat that must answer; `None` if chance must, or the game is over."""

    def __str__(self) -> str:
        """Name the seat that answered, and the seat that must answer."""
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        asked = "no player is" if self.asked is None else f"seat {self.asked} is"
        return f"{who} cannot move now: {asked} asked"


@attrs.define(slots=False)
class StaleError(VallettaError, ValueError):
    """A call was made for an earlier revision of a game: it was late or a duplicate."""

    revision: int
    """The revision for which the call was made."""
    now: int
    """The revision of the game."""

    def __str__(self) -> str:
        """Name the revision of the call, and that of the game."""
        return f"this answers revision {self.revision}, but it is revision {self.now} now"


@attrs.define(slots=False)
class FutureRevisionError(VallettaError, ValueError):
    """A revision does not exist yet: it is that of another game or log."""

    revision: int
    """The revision that was given."""
    now: int
    """The revision of the game."""

    def __str__(self) -> str:
        """Name the revision that was given, and that of the game."""
        return f"there is no revision {self.revision} yet: it is revision {self.now} now"


@attrs.define(slots=False)
class ForeignIdError(VallettaError, ValueError):
    """A call has the id of an earlier call by another seat or with other contents."""

    id: str
    """The id."""
    revision: int
    """The revision of the call that already has this id."""

    def __str__(self) -> str:
        """Name the id, and the entry that has it."""
        return f"another call, that of revision {self.revision}, has the id {abbreviated(self.id)}"


@attrs.define(slots=False)
class CallIdError(VallettaError, ValueError):
    """A call has an id of another form than `CallId`: empty, too long, or with a space."""

    id: str
    """The id."""

    def __str__(self) -> str:
        """Name the id, and say what an id is."""
        return (
            f"an id is 1 to 100 printable ASCII characters without spaces: {abbreviated(self.id)}"
        )


@attrs.define(slots=False)
class NothingToUndoError(VallettaError):
    """There is no choice to undo, or the server does not allow it."""

    text: str = ""
    """The reason in the words of the caller, which are not translated."""
    to: int | None = None
    """The revision to which nothing can be undone, if one was given."""

    def __str__(self) -> str:
        """Give the reason."""
        if self.to is not None:
            return self.text or f"an undo to revision {self.to} takes no answer back"
        return self.text or "no player has made a choice yet"


@attrs.define(slots=False)
class NothingToRedoError(VallettaError):
    """Nothing has been undone since the last move, or the server does not allow redoing it."""

    text: str = ""
    """The reason in the words of the caller, which are not translated."""

    def __str__(self) -> str:
        """Give the reason."""
        return self.text or "nothing has been undone since the last answer"


@attrs.define(slots=False)
class LogError(VallettaError, ValueError):
    """An entry of a log cannot be read, or does not follow from those before it.

    Its code is that of its cause, the error that the entry raised.
    """

    entry: int
    """The number of the entry, from 0: the revision that it should lead to."""
    reason: str
    """The problem in words."""
    problem: Problem | None = None
    """The problem as code and facts, for other languages; `None` if there is a cause."""

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
        """Name the entry and its problem."""
        return f"entry {self.entry} of the log: {self.reason}"


class CutLogError(LogError):
    """A log is incomplete: it is empty, or lacks an entry, or the answers of chance after one."""


@attrs.define(slots=False)
class ObserverError(VallettaError):
    """Observers raised errors.  The move has been made, and all observers were called."""

    errors: tuple[Exception, ...]
    """The errors of the observers, in order; never empty."""

    def __str__(self) -> str:
        """State that the move has been made, and list the errors."""
        raised = "; ".join(f"{type(error).__name__}: {error}" for error in self.errors)
        return f"the move was made, but observers raised {raised}"


class RedactedForAnotherError(VallettaError, ValueError):
    """Events were folded over a table of another seat or game."""


class BrokenInvariantError(VallettaError, AssertionError):
    """A bug of this package: a position arose that the rules cannot produce.  Please report it."""


class Code(StrEnum):
    """Stable codes of violations; a frontend can translate by them."""

    GAME_OVER = "game-over"
    """The game is over: nothing can be played any more."""
    WRONG_KIND = "wrong-kind"
    """The action answers another prompt than the present one."""
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
    """The base of values that describe an error: their `details` are facts by name."""

    __slots__ = ()

    details: tuple[tuple[str, Hashable], ...]
    """The facts as pairs of name and value."""

    @property
    def facts(self) -> Mapping[str, Hashable]:
        """The facts by name: seats, sites, goods and characters as values of this package."""
        return MappingProxyType(dict(self.details))


@attrs.frozen
class Violation(Factual):
    """The reason why an action is illegal: the clause, a stable code, a sentence, and the facts."""

    clause: ClauseId
    """The id of the clause that the action would violate."""
    code: Code
    """The kind of violation."""
    message: str
    """The violation in one sentence, with the facts."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""


def violation(clause: str, code: Code, message: str, /, **facts: Hashable) -> Violation:
    """Return a violation with its facts given by name."""
    return Violation(clause, code, message, tuple(facts.items()))


@attrs.frozen
class Problem(Factual):
    """A defect of a value from outside, and its place."""

    path: str
    """The path of the place, as in ``players[1].goods.wood``; empty for the whole value."""
    code: str
    """The kind of problem as a stable word, which frontends can translate."""
    message: str
    """The problem as a clause that can follow the place and a colon."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that the value contradicts, if there is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""

    def __str__(self) -> str:
        """Name the place, the problem and the clause."""
        place = f"{self.path}: " if self.path else ""
        clause = f" [{self.clause}]" if self.clause is not None else ""
        return f"{place}{self.message}{clause}"


@attrs.frozen
class Refusal(Factual):
    """An error as a value, to be sent to the client that caused it."""

    code: str
    """The code of the error, a stable word."""
    message: str
    """The error in a sentence."""
    clause: ClauseId | None = None
    """The id of the clause of the rulebook that was violated, if there is one."""
    details: tuple[tuple[str, Hashable], ...] = ()
    """The facts as pairs of name and value."""
    problems: tuple[Problem, ...] = ()
    """The problems of a document or a file in detail."""


class Flaw(StrEnum):
    """A kind of problem: a stable code, the wording, and the clause it contradicts.

    The enumerations of what can be wrong with something inherit from it.
    """

    template: str
    """The wording, with the names of the facts in braces."""
    clause: ClauseId | None
    """The id of the clause of the rulebook that is contradicted, if there is one."""

    def __new__(cls, code: str, template: str, clause: str | None = None) -> Self:
        """Make a member with its wording and clause."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.template, member.clause = template, clause
        return member

    def at(self, path: str, /, **facts: Hashable) -> Problem:
        """Return a problem of this kind, with its place and its facts by name."""
        message = self.template.format_map(facts)
        return Problem(path, self, message, self.clause, tuple(facts.items()))


MOST_PROBLEMS: Final = 50
"""The number of problems of one value that are reported."""


class MoreProblems(Flaw):
    """A placeholder for the problems beyond `MOST_PROBLEMS`."""

    MORE = "more", "and {more:,} more"


def told(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems to report: all, or the first ones and the number of the others."""
    if len(problems) <= MOST_PROBLEMS:
        return tuple(problems)
    more = MoreProblems.MORE.at("", more=len(problems) - MOST_PROBLEMS)
    return (*problems[:MOST_PROBLEMS], more)
