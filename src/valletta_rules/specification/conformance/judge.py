"""The questions to an engine about a test vector, and the judgement of the engine's answers.

The expected answers are never sent.  Objects are compared without regard to the order of their
keys, sets without regard to the order of their members; messages are not compared at all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Final

import attrs

from valletta_rules.specification.conformance.form import Json
from valletta_rules.specification.conformance.kit import KitError, Vector


class Level(StrEnum):
    """The aspects of an answer that are judged and reported separately."""

    RULES = "rules"
    """Legal actions, their results, and the winners."""
    CHANCE = "chance"
    """The probabilities of random outcomes."""
    VIEWS = "views"
    """The views of seats and spectators, and the redaction of events."""
    EVENTS = "events"
    """The events that an action causes."""
    CODES = "codes"
    """The code of the violation in a refusal."""
    CLAUSES = "clauses"
    """The clause in a refusal."""


Judged = Mapping[Level, bool]
"""A mapping from the judged aspects of an answer to booleans: `True` if the aspect is right."""


@attrs.frozen
class Question:
    """A question to an engine, and the function that judges the answer."""

    op: str
    """The kind of question: one of `OPS`."""
    parameters: Json
    """The parameters of the question, such as the position and the action."""
    expected: object
    """The right answer, for the report."""
    levels: tuple[Level, ...]
    """The aspects of the answer that are judged."""
    judge: Callable[[Json], Judged]
    """A function that returns which aspects of a reply are right.

    The reply contains the key `result` or `refused`.
    """


def questions(vector: Vector) -> Iterator[Question]:
    """Yield the questions about a vector; raise `KitError` for an unknown kind of vector."""
    if vector.kind not in _QUESTIONS:
        raise KitError(f"the vector {vector.id} has an unknown kind: {vector.kind!r}")
    return _QUESTIONS[vector.kind](vector.content)


def _about_a_start(content: Json) -> Iterator[Question]:
    parameters = {"players": len(content["position"]["players"])}
    yield _result("first", parameters, content["position"], _same)


def _about_a_turn(content: Json) -> Iterator[Question]:
    position = {"position": content["position"]}
    yield _result("legal", position, content["legal"], _same_set)
    for step in content["next"]:
        parameters = {**position, "action": step["action"]}
        yield _result("next", parameters, step["position"], _same)
        yield _result("events", parameters, step["events"], _same_events, Level.EVENTS)
    for refused in content["refused"]:
        yield _refusal({**position, "action": refused["action"]}, refused)


def _about_chance(content: Json) -> Iterator[Question]:
    yield from _about_a_turn(content)
    parameters = {"position": content["position"]}
    yield _result("chance", parameters, content["chance"], _same_odds, Level.CHANCE)


def _about_an_end(content: Json) -> Iterator[Question]:
    yield from _about_a_turn(content)
    yield _result("final", {"position": content["position"]}, content["final"], _same)


def _about_a_view(content: Json) -> Iterator[Question]:
    position = {"position": content["position"]}
    for each in content["views"]:
        parameters = {**position, "seat": each["seat"]}
        yield _result("view", parameters, each["view"], _same, Level.VIEWS)
    for step in content["next"]:
        parameters = {**position, "action": step["action"]}
        yield _result("next", parameters, step["position"], _same, Level.VIEWS)
        yield _result("events", parameters, step["events"], _same_events, Level.EVENTS)
        for each in step["seen"]:
            seat_parameters = {**parameters, "seat": each["seat"]}
            yield _result("events", seat_parameters, each["events"], _same_events, Level.VIEWS)


_QUESTIONS: Final[Mapping[str, Callable[[Json], Iterator[Question]]]] = MappingProxyType(
    {
        "start": _about_a_start,
        "turn": _about_a_turn,
        "chance": _about_chance,
        "final": _about_an_end,
        "view": _about_a_view,
    }
)
"""A mapping from kinds of vector to the functions that create the questions about a vector."""


def _result(
    op: str,
    parameters: Json,
    expected: object,
    same: Callable[[Any, Any], bool],
    level: Level = Level.RULES,
) -> Question:
    """Return a question whose right answer is a result, not a refusal."""

    def judge(reply: Json) -> Judged:
        return {level: "result" in reply and same(reply["result"], expected)}

    return Question(op, parameters, expected, (level,), judge)


def _refusal(parameters: Json, expected: Json) -> Question:
    """Return a question whose right answer is a refusal."""

    def judge(reply: Json) -> Judged:
        refused = reply.get("refused")
        if refused is None:
            return dict.fromkeys((Level.RULES, Level.CODES, Level.CLAUSES), False)
        return {
            Level.RULES: True,
            Level.CODES: refused.get("code") in expected["codes"],
            Level.CLAUSES: refused.get("clause") in expected["clauses"],
        }

    expected_reply = {"refused": {key: expected[key] for key in ("codes", "clauses")}}
    return Question(
        "next", parameters, expected_reply, (Level.RULES, Level.CODES, Level.CLAUSES), judge
    )


SETS: Final = frozenset({"built", "upgraded", "legal_actions"})
"""The names of JSON entries that contain a set, written as an array in any order."""


def plain(value: object) -> str:
    """Return a canonical serialisation of a value: equal values have equal serialisations."""
    ordered = json.loads(json.dumps(value), object_hook=_with_sets_in_order)
    return json.dumps(ordered, sort_keys=True)


def _with_sets_in_order(entries: Json) -> Json:
    return {
        name: sorted(each, key=plain) if name in SETS and isinstance(each, list) else each
        for name, each in entries.items()
    }


def differing(expected: Any, answered: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the differences between two answers, each as a path, the right value and the wrong one.

    A value that is missing on one side is `None`.  The path of a difference in a set is the path of
    the set, since its members have no order.
    """
    if plain(expected) == plain(answered):
        return
    if isinstance(expected, dict) and isinstance(answered, dict):
        for key in dict.fromkeys((*expected, *answered)):
            inner = f"{path}.{key}" if path else key
            yield from differing(expected.get(key), answered.get(key), inner)
    elif not (isinstance(expected, list) and isinstance(answered, list)):
        yield path, expected, answered
    elif not path or path.rpartition(".")[2] in SETS:
        expected_texts, answered_texts = list(map(plain, expected)), list(map(plain, answered))
        for each in Counter(expected_texts) - Counter(answered_texts):
            yield path, expected[expected_texts.index(each)], None
        for each in Counter(answered_texts) - Counter(expected_texts):
            yield path, None, answered[answered_texts.index(each)]
    else:
        for place, pair in enumerate(zip_longest(expected, answered)):
            yield from differing(*pair, f"{path}[{place}]")


def _same(given: object, expected: object) -> bool:
    return plain(given) == plain(expected)


def _same_set(given: object, expected: list[Json]) -> bool:
    if not isinstance(given, list):
        return False
    return sorted(map(plain, given)) == sorted(map(plain, expected))


def _same_events(given: object, expected: list[Json]) -> bool:
    """Return whether two lists of events are equal; an event may omit its clause."""
    if not isinstance(given, list) or len(given) != len(expected):
        return False
    pairs = zip(given, expected, strict=True)
    return all(_same(event, _strip_omitted_clause(right, event)) for event, right in pairs)


def _strip_omitted_clause(event: Json, given: object) -> Json:
    has_clause = not isinstance(given, dict) or "clause" in given
    return event if has_clause else {key: event[key] for key in event if key != "clause"}


def _same_odds(given: object, expected: list[Json]) -> bool:
    try:
        return _odds(given) == _odds(expected)
    except (TypeError, KeyError, ZeroDivisionError):
        return False


def _odds(answers: Any) -> list[tuple[str, Fraction]]:
    return sorted(
        (plain(each["action"]), Fraction(each["numerator"], each["denominator"]))
        for each in answers
    )
