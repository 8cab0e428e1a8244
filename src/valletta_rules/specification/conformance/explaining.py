"""Explanations of wrong answers: the clauses that an answer violates.

The violations are found with the formal statements of the clauses.  The position of a vector may be
incomplete, so even the right answer may violate a statement.  Such violations are ignored in wrong
answers, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import attrs

from valletta_rules import events
from valletta_rules.records.position_line import position_line
from valletta_rules.specification.conformance import form
from valletta_rules.specification.conformance.judge import Question, plain
from valletta_rules.specification.conformance.kit import Kit, Vector
from valletta_rules.specification.statements import Broken, broken, statements
from valletta_rules.state import GameState


def key_of(op: str, action: object = None) -> tuple[str, str]:
    """Return the key under which the reply to a question is cached."""
    return op, plain(action)


@attrs.define
class Explainer:
    """Determines which formal statements an engine's replies about one vector violate."""

    kit: Kit
    vector: Vector
    replies: Mapping[tuple[str, str], form.Json]
    """The engine's replies, keyed by `key_of`, except those about the view of a seat."""

    def breaks(self, question: Question) -> tuple[Broken, ...]:
        """Return the formal statements that the wrong answer to a question violates.

        Statements of the vector's clauses come first.  If the position does not follow from the
        events, the next statement says so, and has no clause.  The violations of other clauses,
        which may be consequences, come last.  The result is empty if the answer cannot be parsed,
        or if the question is about the first position, the scores or the view of a seat.
        """
        if (
            question.op not in ("legal", "chance", "next", "events")
            or "seat" in question.parameters
        ):
            return ()
        try:
            right, actual = (self._failures(question, is_right) for is_right in (True, False))
        except Exception:  # a wrong answer can cause any error
            _judge.cache_clear()
            return ()
        known = {str(each) for each in right}
        wrong = [each for each in actual if str(each) not in known]
        own = set(self.vector.clauses)
        ranked = sorted(wrong, key=lambda each: (own.isdisjoint(each.clauses), bool(each.clauses)))
        return tuple(broken(ranked))

    def line(self) -> str:
        """Return the vector's position as a position line."""
        return position_line(self._state(self.vector.content["position"]))

    def _failures(self, question: Question, is_right: bool) -> Sequence[Any]:
        """Return the statements that a reply violates.

        The reply is the right one if `is_right` is true, otherwise the engine's.
        """
        content, action = self.vector.content, question.parameters.get("action")
        state = self._state(content["position"])
        legal, chances = content.get("legal", []), content.get("chance")
        if action is None:
            if not is_right and question.op == "legal":
                legal = self._result("legal", None, [])
            if not is_right and question.op == "chance":
                chances = self._result("chance", None, [])
            return _judged(state, legal, chances)
        item = next((each for each in content["next"] if each["action"] == action), None)
        is_accepted = "refused" not in self.replies[key_of(question.op, action)]
        if item is not None and is_accepted:
            return self._of_a_step(state, item, is_right)
        accepted = [each for each in legal if each != action]
        accepted += [action] if (item is not None if is_right else is_accepted) else []
        return _judged(state, accepted, chances)

    def _of_a_step(self, state: GameState, item: form.Json, is_right: bool) -> Sequence[Any]:
        action, position, event_rows = item["action"], item["position"], item["events"]
        if not is_right:
            position = self._result("next", action, position)
            event_rows = self._result("events", action, event_rows)
        clauses = {each["type"]: each["clause"] for each in item["events"] if "clause" in each}
        entries = tuple(form.read_event(self._with_clause(each, clauses)) for each in event_rows)
        after = self._state(position)
        step = statements().Step(state, form.read_action(action), after, entries)
        if not any("shown" in player for player in position["players"]):
            pairs = zip(after.players, step.table.players, strict=True)
            players = tuple(player.replace(shown=due.shown) for player, due in pairs)
            step = attrs.evolve(step, after=after.replace(players=players))
        failures: Sequence[Any] = _judge().step(step)
        return failures

    def _with_clause(self, event: form.Json, clauses: Mapping[str, str]) -> form.Json:
        """Return an event with its clause; a missing clause is copied from the correct event."""
        kind = event["type"]
        has_clause = "clause" in attrs.fields_dict(getattr(events, kind))
        clause = clauses.get(kind, self.vector.clauses[0])
        return {"clause": clause, **event} if has_clause else event

    def _result(self, op: str, action: object, otherwise: Any) -> Any:
        """Return the result in the engine's reply, or `otherwise` if the reply has no result."""
        return self.replies.get(key_of(op, action), {}).get("result", otherwise)

    def _state(self, position: form.Json) -> GameState:
        rules, cards = self.kit.rules(self.vector.rules), self.kit.cards(self.vector.cards)
        return form.read_position(position, form.read_rules(rules), form.read_cards(cards))


@cache
def _judge() -> Any:
    return statements().Judge()


def _judged(state: GameState, legal: Iterable[form.Json], chances: Any) -> Sequence[Any]:
    """Return the statements that a position, its legal actions and its random outcomes violate."""
    odds = chances and {
        form.read_action(each["action"]): Fraction(each["numerator"], each["denominator"])
        for each in chances
    }
    failures: Sequence[Any] = _judge().position(state, [*map(form.read_action, legal)], odds)
    return failures
