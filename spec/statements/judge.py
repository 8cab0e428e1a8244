"""Compare the steps of an engine with the values that the formal statements require."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from operator import eq
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from valletta_rules import Action, CardBag, Event, GameState, RuleSet
from valletta_rules.specification.files import Clause, specification

from . import APPLIES, STATEMENTS, Applies, Perspective, Statement, Step

NO_STATEMENT: Final = "by no statement"

T = TypeVar("T")

_At = tuple[RuleSet, int, type]

Odds = Mapping[Action, Fraction] | None
"""The probability of each random outcome; `None` if a player must decide."""

Check = Callable[[Action], bool | str] | None
"""A function that checks an action.  It returns `True` if the action is accepted.  If the action is
refused, it returns the clause that forbids the action, or the error."""


def load() -> Sequence[Statement]:
    """Import all chapters of statements, and return the statements."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
    return STATEMENTS


@cache
def clauses() -> Mapping[str, Clause]:
    """Return the clauses of the specification, keyed by id."""
    return {clause.id: clause for clause in specification().clauses}


def in_force(ids: Iterable[str], rules: RuleSet, players: int) -> bool:
    """Return whether all given clauses apply to a rule set and a number of players.

    The conditions are in the field `when` of the clauses.
    """
    for key, wanted in [each for name in ids for each in clauses()[name].when.items()]:
        actual = players if key == "players" else getattr(rules, key)
        if actual not in (wanted if isinstance(wanted, list | tuple) else (wanted,)):
            return False
    return True


@attrs.frozen
class Failure:
    """A violation of a statement: the required value differs from the actual value."""

    clauses: tuple[str, ...]
    """The clauses of the violated statement, or the clause of an entry or prompt that no statement
    requires, or of the prompt for an action that no statement allows.
    """
    kind: str
    """The kind of the statement, or ``journal``."""
    due: str
    """The required value."""
    actual: str
    """The actual value."""

    def __str__(self) -> str:
        """Return the text of each clause, followed by the required and the actual value."""
        texts = [f"{name}: {clauses()[name].text}" for name in self.clauses]
        values = f"  {self.kind}, expected: {self.due}", f"  actual: {self.actual}"
        return "\n".join([*texts, *values])


@attrs.define
class Judge:
    """Checks steps and positions against the statements, and counts how often clauses applied."""

    statements: Sequence[Statement] = attrs.field(factory=load)
    applied: Counter[tuple[str, RuleSet, int]] = attrs.field(factory=Counter)
    """How often each clause applied.  The keys consist of the clause, the rule set and the number
    of players."""
    overruled: Counter[tuple[str, str]] = attrs.field(factory=Counter)
    """How often a clause would have failed if no exception had overridden it.  The keys are pairs
    of the exception and the clause."""
    _tables: dict[_At, dict[str, list[Statement]]] = attrs.field(factory=dict)
    _broken: list[Failure] = attrs.field(factory=list)
    """The failures caused by exceptions that statements raised."""

    def step(self, step: Step) -> list[Failure]:
        """Return the failures of all statements about a step."""
        return [
            *_of_the_journal(step),
            *self._of_entries(step),
            *self._of_the_next_prompt(step),
            *self._of_all_times("always", step, step.before),
            *self._errors(),
        ]

    def grounds(self, step: Step) -> tuple[Sequence[Sequence[str]], Sequence[str]]:
        """Return the clauses that require each entry, and those that require the next prompt."""
        posts = self._posting(step)
        entries = [_named(each for each, due in posts if entry in due) for entry in step.events]
        asks = self._asking(step)
        return entries, _named(each for each, prompt in asks if prompt == step.next_prompt)

    def position(
        self, state: GameState, legal: Sequence[Action], chances: Odds = None, check: Check = None
    ) -> list[Failure]:
        """Return the failures of all statements about a position.

        `legal` contains the legal actions, and `chances` the probabilities if a random event is
        due.  `check` tests an action; the default accepts exactly the legal actions.  A refusal
        must name a clause in force that determines the legal actions of the position, or the clause
        of the prompt.
        """
        return [
            *self._of_actions(state, frozenset(legal), chances, check),
            *self._of_all_times("always in positions", state, state),
            *self._errors(),
        ]

    def unanswered(
        self, state: GameState, action: Action | None, error: Exception
    ) -> list[Failure]:
        """Return the failures of statements that allow an action for which the engine failed.

        `error` is the exception of the engine.  If `action` is `None`, the engine raised it while
        listing the legal actions.  All statements that allow an action then fail.
        """
        results = self._results("odds", state, state)
        for statement, pairs in self._results("allows", state, state):
            results.append((statement, [each for each, is_legal in pairs if is_legal]))
        return [
            _failure(statement, f"{action or 'legal actions'}", repr(error))
            for statement, legal in results
            if (action in legal if action else legal)
        ]

    def table(self, players: int, rules: RuleSet, is_laid: bool | str) -> list[Failure]:
        """Return the failures of statements about a table that an engine accepted or refused.

        `is_laid` is the text of any other error that the engine raised.
        """
        results = self._results_at("lays", (rules, players, object), players, rules)
        is_due = all(verdict for _, verdict in results)
        return [
            _failure(statement, f"{players} players, laid: {is_due}", is_laid)
            for statement, verdict in results
            if verdict is is_due is not is_laid
        ]

    def _of_entries(self, step: Step) -> Iterator[Failure]:
        """Yield failures for journal entries that are missing, misplaced or not required."""
        due = Counter[Event]()
        for statement, entries in self._posting(step):
            due |= Counter(entries)
            if not _are_entered(step, entries):
                own = [each for each in entries if each is not APPLIES]
                theirs = [e for e in step.events if e in own or e.clause in statement.clauses]
                yield _failure(statement, own, theirs)
        for entry in (Counter(step.events) - due).elements():
            yield Failure((entry.clause,), "posts", NO_STATEMENT, repr(entry))

    def _posting(self, step: Step) -> list[tuple[Statement, Any]]:
        """Return the statements that require journal entries, with the required entries of each."""
        results = self._results("posts", step, step.before)
        return self._effective(results, partial(_are_entered, step))

    def _of_the_next_prompt(self, step: Step) -> Iterator[Failure]:
        """Yield failures if the next prompt differs from the required prompt."""
        due = self._asking(step)
        for statement, prompt in due:
            if prompt != step.next_prompt:
                yield _failure(statement, prompt, step.next_prompt)
        if not due and step.next_prompt is not None:
            yield Failure((step.next_prompt.clause,), "asks", NO_STATEMENT, repr(step.next_prompt))

    def _asking(self, step: Step) -> list[tuple[Statement, Any]]:
        """Return the statements that require a next prompt, with the required prompt of each."""
        results = self._results("asks", step, step.before)
        for is_last in (False, True):
            due = [each for each in results if each[0].last is is_last]
            effective = self._effective(due, partial(eq, step.next_prompt))
            if asking := [each for each in effective if each[1] is not APPLIES]:
                return asking
        return []

    def _of_actions(
        self, state: GameState, legal: frozenset[Action], chances: Odds, check: Check
    ) -> Iterator[Failure]:
        """Yield failures if the legal actions or probabilities differ from the required ones."""
        accounted = set[Action]()
        odds = self._effective(self._results("odds", state, state), partial(eq, chances))
        for statement, outcomes in odds:
            accounted |= outcomes.keys()
            if outcomes != chances:
                yield _failure(statement, outcomes, chances)
            elif outcomes.keys() != legal:
                yield _failure(statement, outcomes.keys(), legal)

        refusing: set[object] = {False, getattr(state.prompt, "clause", False)}
        stated = self._in_force((state.rules, len(state.players), type(state.prompt)))
        refusing.update(_named([*stated.get("allows", ()), *stated.get("odds", ())]))
        verdicts: dict[Action, list[tuple[Statement, bool]]] = {}
        for statement, pairs in self._results("allows", state, state):
            for action, is_legal in pairs:
                verdicts.setdefault(action, []).append((statement, is_legal))
        for action, claims in verdicts.items():
            is_listed, answer = action in legal, (check or legal.__contains__)(action)
            is_right = answer in refusing if not is_listed else answer is True
            actual = is_listed if is_right else f"listed: {is_listed}, checked: {answer}"
            for statement, is_legal in self._effective(claims, partial(eq, actual)):
                accounted |= {action} if is_legal else set()
                if is_legal is not actual:
                    yield _failure(statement, f"{action!r} is legal: {is_legal}", actual)
        if state.prompt is not None:
            for action in legal - accounted:
                yield Failure((state.prompt.clause,), "allows", NO_STATEMENT, repr(action))

    def view(self, perspective: Perspective, visible: Mapping[str, object]) -> Iterator[Failure]:
        """Yield the failures of statements about the information on a player that a viewer sees."""
        state, results = perspective.state, self._results("shows", perspective, perspective.state)
        for name in {name: None for _, due in results for name in due}:
            parts = [(each, due[name]) for each, due in results if name in due]
            for statement, part in self._effective(parts, partial(eq, visible.get(name))):
                if visible.get(name) != part:
                    due = f"{name} of {perspective.owner}, shown to {perspective.viewer}: {part}"
                    yield _failure(statement, due, visible.get(name))
        for statement, pairs in self._results("hides", perspective, state):
            for other, is_same in pairs:
                if (perspective.view(state) == perspective.view(other)) is not is_same:
                    due = f"looks the same: {is_same}: {other}"
                    yield _failure(statement, due, not is_same)
        yield from self._errors()

    def _errors(self) -> list[Failure]:
        """Return the failures caused by exceptions in statements since the last call."""
        self._broken, errors = [], self._broken
        return errors

    def _of_all_times(self, kind: str, subject: Any, state: GameState) -> Iterator[Failure]:
        """Yield the failures of the statements that must hold in every step or position."""
        for statement, holds in self._results(kind, subject, state):
            if holds is not True:
                yield _failure(statement, "holds", holds)

    def _results(self, kind: str, subject: Any, state: GameState) -> list[tuple[Statement, Any]]:
        """Return the statements of a kind that are in force and apply, each with its result."""
        at = (state.rules, len(state.players), type(state.prompt))
        return self._results_at(kind, at, subject)

    def _results_at(self, kind: str, at: _At, *subject: Any) -> list[tuple[Statement, Any]]:
        """Return the statements of a kind that apply to `subject`, each with its return value.

        `at` consists of a rule set, a number of players and a type of prompt.
        """
        results = list[tuple[Statement, Any]]()
        for statement in self._in_force(at).get(kind, ()):
            try:
                if statement.where is not None and not statement.where(*subject):
                    continue
                result = statement.says(*subject)
                if kind in ("posts", "allows", "hides"):
                    result = list(result) or None
            except Exception as error:  # the position contradicts an assumption of the statement
                self._broken.append(_failure(statement, "a verdict", repr(error)))
                continue
            if result is not None:
                results.append((statement, result))
                for clause in statement.clauses:
                    self.applied[clause, *at[:2]] += 1
        return results

    def _in_force(self, at: _At) -> dict[str, list[Statement]]:
        """Return lists, keyed by kind, of the statements that can apply.

        `at` consists of a rule set, a number of players and a type of prompt.
        """
        if (by_kind := self._tables.get(at)) is None:
            by_kind, (rules, players, prompt) = self._tables.setdefault(at, {}), at
            for each in self.statements:
                if issubclass(prompt, each.at) and in_force(each.clauses, rules, players):
                    is_of_positions = each.kind == "always" and each.is_of_positions
                    kind = "always in positions" if is_of_positions else each.kind
                    by_kind.setdefault(kind, []).append(each)
        return by_kind

    def _effective(
        self, results: list[tuple[Statement, T]], holds: Callable[[T], object]
    ) -> list[tuple[Statement, T]]:
        """Return the results that are not overridden by a statement with a different result.

        An overridden result that does not hold is counted, because it shows that the exception is
        necessary.
        """
        remaining = []
        for statement, result in results:
            others = {
                over for other, another in results if another != result for over in other.clauses
            }
            above = [
                (over, under)
                for over in others
                for under in statement.clauses
                if under in clauses()[over].overrides
            ]
            if not above:
                remaining.append((statement, result))
            elif not holds(result):
                self.overruled.update(above)
        return remaining


def exceptions() -> list[tuple[str, str]]:
    """Return all pairs of an exception and a clause that the exception overrides."""
    return [(over, under) for over, each in clauses().items() for under in each.overrides]


def _are_entered(step: Step, entries: Sequence[Event | Applies]) -> bool:
    """Return whether the journal of a step contains the given entries in the given order."""
    own = [each for each in entries if each is not APPLIES]
    return own == [each for each in step.events if each in own]


def _named(statements: Iterable[Statement]) -> list[str]:
    """Return the clauses of the given statements, without repetitions."""
    return [*dict.fromkeys(clause for each in statements for clause in each.clauses)]


def _failure(statement: Statement, due: object, actual: object) -> Failure:
    return Failure(statement.clauses, statement.kind, str(due), str(actual))


def _of_the_journal(step: Step) -> Iterator[Failure]:
    """Yield failures if the position after a step differs from the result of its journal."""
    players = len(step.before.players)
    for entry in step.events:
        if not in_force((entry.clause,), step.before.rules, players):
            yield Failure((entry.clause,), "journal", "a clause in force", repr(entry))
    after = _parts(step.after)
    for name, due in _parts(step.table).items():
        if due != after.get(name):
            yield Failure((), "journal", f"{name} {_written(due)}", _written(after.get(name)))


def _written(part: object) -> str:
    is_possible = not isinstance(part, CardBag) or part.is_possible()
    return str(part) if is_possible else "a card that was not there is missing"


def _parts(state: GameState) -> dict[str, object]:
    """Return the parts of a position and of its players, keyed by name, without the agenda."""
    parts = attrs.asdict(state, recurse=False, filter=lambda part, _: part.name != "agenda")
    for seat, player in enumerate(parts.pop("players")):
        own = attrs.asdict(player, recurse=False)
        parts |= {f"players[{seat}].{name}": part for name, part in own.items()}
    return parts
