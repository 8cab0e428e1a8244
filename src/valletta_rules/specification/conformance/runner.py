"""Send every vector to an engine, and judge the engine's answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

import attrs

from valletta_rules.specification.conformance.explaining import Explainer, key_of
from valletta_rules.specification.conformance.form import Json
from valletta_rules.specification.conformance.judge import Level, Question, questions
from valletta_rules.specification.conformance.kit import Kit, Vector
from valletta_rules.specification.conformance.peer import AbortedError, FaultError, LateError, Peer
from valletta_rules.specification.statements import Broken


class Verdict(StrEnum):
    """The verdict on an engine's answers to the questions about a vector."""

    PASSED = "passed"
    """Every answer was right."""
    FAILED = "failed"
    """At least one answer was wrong."""
    ERRORED = "errored"
    """The engine reported an error, exited, or sent malformed replies."""
    TIMED_OUT = "timed out"
    """The engine did not reply before the timeout."""
    SKIPPED = "skipped"
    """The engine does not support at least one question about the vector."""
    NOT_RUN = "not run"
    """The run was aborted before the questions about the vector were sent."""


@attrs.frozen
class Finding:
    """A wrong answer to a question about a vector."""

    op: str
    action: Json | None
    """The action that the question is about; `None` if it is about the position."""
    viewer: str
    """The seat or spectator that sees the view or events in question; empty for other questions."""
    levels: tuple[Level, ...]
    """The aspects in which the answer is wrong."""
    expected: object
    answered: Json
    breaks: tuple[Broken, ...] = ()
    """The formal statements that the answer violates."""
    position: str = ""
    """The position of the vector as a position line; empty if no statement is violated."""


@attrs.frozen
class Result:
    """The verdict on an engine's answers about a vector, and the reasons for it."""

    vector: Vector
    verdict: Verdict
    levels: Mapping[Level, Verdict] = attrs.field(factory=dict)
    """The verdict on each aspect: passed, failed or skipped."""
    why: str = ""
    """The reason why the vector was skipped or not run, or the error of the engine."""
    findings: tuple[Finding, ...] = ()
    """The wrong answers."""


ALL_LEVELS: Final = tuple(Level)
"""The aspects of an answer, in the order in which they are reported."""

_WORSE: Final = (Verdict.PASSED, Verdict.SKIPPED, Verdict.FAILED)
"""The verdicts on single answers, from the best to the worst."""


@attrs.define
class Runner:
    """Sends the questions about vectors to an engine, and judges the answers."""

    kit: Kit
    peer: Peer
    levels: Collection[Level]
    """The aspects that decide whether a vector is passed; the others are only reported."""
    _set_up: dict[tuple[str, str], str | None] = attrs.field(factory=dict)
    _now: tuple[str, str] | None = None
    _replies: dict[tuple[str, str], Json] = attrs.field(factory=dict)
    """The replies to questions about the current vector, except those about the view of a seat."""

    def run(self, vectors: Iterable[Vector]) -> Iterator[Result]:
        """Run the vectors, and yield their results in the same order."""
        aborted = ""
        for vector in vectors:
            if aborted:
                yield Result(vector, Verdict.NOT_RUN, why=aborted)
                continue
            try:
                yield self._result(vector)
            except FaultError as fault:
                verdict = Verdict.TIMED_OUT if isinstance(fault, LateError) else Verdict.ERRORED
                yield Result(vector, verdict, why=str(fault))
            except AbortedError as error:
                aborted = str(error)
                yield Result(vector, Verdict.NOT_RUN, why=aborted)

    def _result(self, vector: Vector) -> Result:
        if why := self._why_skipped(vector):
            return Result(vector, Verdict.SKIPPED, why=why)
        levels: dict[Level, Verdict] = {}
        wrong: list[tuple[Question, Finding]] = []
        self._replies = {}
        skipped = ""
        for question in questions(vector):
            judged, why, finding = self._put(question)
            skipped = skipped or why
            wrong += ((question, each) for each in finding)
            for level, verdict in judged.items():
                levels[level] = max(levels.get(level, verdict), verdict, key=_WORSE.index)
        chosen = [verdict for level, verdict in levels.items() if level in self.levels]
        worst = max(chosen, key=_WORSE.index, default=Verdict.PASSED)
        return Result(vector, worst, levels, skipped, tuple(self._explained(vector, wrong)))

    def _explained(
        self, vector: Vector, wrong: Iterable[tuple[Question, Finding]]
    ) -> Iterator[Finding]:
        """Yield the wrong answers, each with the formal statements that it violates."""
        explainer = Explainer(self.kit, vector, self._replies)
        for question, finding in wrong:
            breaks = explainer.breaks(question)
            line = explainer.line() if breaks else ""
            yield attrs.evolve(finding, breaks=breaks, position=line)

    def _why_skipped(self, vector: Vector) -> str:
        """Return the reason for skipping a vector, or an empty string if it need not be skipped."""
        declared = self.peer.start()
        if missing := vector.needs.difference(declared.needs):
            return f"needs {', '.join(sorted(missing))}"
        if vector.players not in declared.players:
            return f"{vector.players} players"
        pair = vector.rules, vector.cards
        if pair != self._now and self._set_up.get(pair) is None:
            self._now = None  # unknown until the engine has answered
            rules, cards = self.kit.rules(vector.rules), self.kit.cards(vector.cards)
            self._set_up[pair] = self.peer.set_up(rules, cards)
            self._now = pair
        return self._set_up[pair] or ""

    def _put(self, question: Question) -> tuple[Mapping[Level, Verdict], str, tuple[Finding, ...]]:
        """Send a question.

        Return the verdicts, the reason if it was skipped, and any wrong answer.
        """
        if question.op in self.peer.start().ops:
            reply = self.peer.query(question.op, question.parameters)
        else:
            reply = {"unsupported": f"the engine does not support the operation {question.op}"}
        if "unsupported" in reply:
            skipped = dict.fromkeys(question.levels, Verdict.SKIPPED)
            return skipped, str(reply["unsupported"]), ()
        if "seat" not in question.parameters:
            self._replies[key_of(question.op, question.parameters.get("action"))] = reply
        judged = question.judge(reply)
        verdicts = {
            level: Verdict.PASSED if is_right else Verdict.FAILED
            for level, is_right in judged.items()
        }
        if not (wrong := tuple(level for level, is_right in judged.items() if not is_right)):
            return verdicts, "", ()
        action = question.parameters.get("action")
        viewer = _viewer(question.parameters["seat"]) if "seat" in question.parameters else ""
        finding = Finding(question.op, action, viewer, wrong, question.expected, reply)
        return verdicts, "", (finding,)


def _viewer(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def selected(vectors: Iterable[Vector], only: Collection[str]) -> Iterator[Vector]:
    """Iterate over the vectors of the chapters, clauses and vector ids in `only`.

    An empty selection contains all vectors.
    """
    for vector in vectors:
        if not only or not {vector.chapter, vector.id, *vector.clauses}.isdisjoint(only):
            yield vector
