"""The report of a run: JSON lines for programs, and a summary by clause for people.

A report without a footer is incomplete.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final

import attrs

from valletta_rules.specification.conformance.form import Json
from valletta_rules.specification.conformance.judge import Level, differing
from valletta_rules.specification.conformance.kit import PROTOCOL, Kit
from valletta_rules.specification.conformance.peer import Declared
from valletta_rules.specification.conformance.runner import ALL_LEVELS, Finding, Result, Verdict
from valletta_rules.text.layout import filled

PASSED: Final = 0
"""The exit status if every answer was right."""

FAILED: Final = 1
"""The exit status if at least one answer was wrong."""

BROKEN: Final = 2
"""The exit status if at least one question could not be sent or answered."""

SENT: Final = (Verdict.PASSED, Verdict.FAILED, Verdict.ERRORED, Verdict.TIMED_OUT)
"""The possible verdicts on a vector that was sent to the engine."""

WRONG: Final = frozenset({Verdict.FAILED, Verdict.ERRORED, Verdict.TIMED_OUT})
"""The verdicts on vectors with a wrong answer, an error or a timeout."""

OUTCOMES: Final = (
    "Chapters passed",
    "Passed in part",
    "Failed or errored",
    "Not run",
    "Not claimed",
)
"""The outcomes of a chapter, in the order in which `Report.sentence` lists them.

A chapter is not claimed if some of its vectors were selected, and the engine supports none of them.
Otherwise, it is not run if none of its vectors failed and none of its clauses passed.
"""

PARTLY: Final = OUTCOMES[1:3]
"""The outcomes for which the report states how many clauses of the chapter passed."""

EXTRA: Final = 4
"""The number of imaginary passed vectors that are added to each clause when clauses are ranked."""

MOST_LISTED: Final = 10
"""The maximum number of failed vectors that the terminal shows."""


def _counts() -> defaultdict[Any, Counter[Verdict]]:
    return defaultdict(Counter)


@attrs.define
class Report:
    """The results of a run so far, and the figures computed from them."""

    kit: Kit
    declared: Declared
    levels: Collection[Level]
    """The aspects that decide whether a vector is passed."""
    only: Collection[str] = ()
    """The chapters, clauses and vectors to which the run is limited; empty if it is not limited."""
    verdicts: Counter[Verdict] = attrs.field(factory=Counter)
    by_level: defaultdict[Level, Counter[Verdict]] = attrs.field(factory=_counts)
    by_clause: defaultdict[str, Counter[Verdict]] = attrs.field(factory=_counts)
    blamed: Counter[str] = attrs.field(factory=Counter)
    """For each clause, the number of vectors with a wrong answer in the vector's main part."""
    broken: Counter[str] = attrs.field(factory=Counter)
    """For each clause, the number of vectors for which the first wrong answer breaks the clause.

    If the answer violates several formal statements, only the first one counts.
    """
    by_rules: defaultdict[str, Counter[Verdict]] = attrs.field(factory=_counts)
    unsent: Counter[str] = attrs.field(factory=Counter)
    """A mapping from reasons to the number of vectors that were not sent for this reason."""
    wrong: list[Result] = attrs.field(factory=list)
    """The results of vectors that were neither passed nor skipped."""

    def header(self) -> Json:
        """Return the first line of the report: the kit, the engine and the selection."""
        return {
            "report": "header",
            "protocol": PROTOCOL,
            "kit": self.kit.version,
            "specification": self.kit.specification,
            "engine": attrs.asdict(self.declared),
            "levels": [level for level in ALL_LEVELS if level in self.levels],
            "only": sorted(self.only),
        }

    def add(self, result: Result) -> Json:
        """Count a result, and return the report's line for it."""
        vector, verdict = result.vector, result.verdict
        self.verdicts[verdict] += 1
        if verdict not in SENT:
            self.unsent[result.why] += 1
        for clause in vector.clauses:
            self.by_clause[clause][verdict] += 1
            self.blamed[clause] += self._is_to_the_point(result)
        for breach in (each for finding in result.findings[:1] for each in finding.breaks[:1]):
            self.broken.update(breach.clauses)
        self.by_rules[vector.rules][verdict] += 1
        for level, judged in result.levels.items():
            self.by_level[level][judged] += 1
        if verdict not in (Verdict.PASSED, Verdict.SKIPPED):
            self.wrong.append(result)
        return _line(result)

    def _is_to_the_point(self, result: Result) -> bool:
        """Return whether the engine gave a wrong answer in the main part of a vector.

        The main part of a vector consists of the actions in its entry ``about``.  If this
        entry is empty, it consists of the questions about the position itself.
        """
        about = result.vector.content.get("about", [])
        return any(
            (finding.action in about if finding.op == "next" else not about)
            for finding in result.findings
            if not set(self.levels).isdisjoint(finding.levels)
        )

    def close(self, stderr: str) -> Json:
        """Return the last line of the report; `stderr` is the end of the engine's error output."""
        return {
            "report": "footer",
            "verdicts": self.verdicts,
            "levels": self.by_level,
            "blamed": {clause: count for clause, count in self.blamed.items() if count},
            "clauses": dict(self.by_clause),
            "stderr": stderr,
            "sentence": self.sentence(),
            "status": self.status(),
        }

    def status(self) -> int:
        """Return the exit status of the run."""
        verdicts = {result.verdict for result in self.wrong}
        if verdicts - {Verdict.FAILED} or not self.sent:
            return BROKEN
        return FAILED if verdicts else PASSED

    @property
    def sent(self) -> int:
        """The number of vectors that were sent to the engine."""
        return sum(self.verdicts[verdict] for verdict in SENT)

    # A sentence for publication

    def sentence(self) -> str:
        """Return a text for publication: the result of the run, and the outcome of each chapter."""
        sent, passed = self.sent, self.verdicts[Verdict.PASSED]
        limited = f", limited to {', '.join(sorted(self.only))}" if self.only else ""
        rules = [name for name, count in self.by_rules.items() if count[Verdict.PASSED]]
        engine = self.declared.name, self.declared.version
        outcomes = {OUTCOMES[0]: "none"} | self._outcomes()
        chapters = " ".join(f"{each}: {outcomes[each]}." for each in OUTCOMES if each in outcomes)
        return (
            f"{' '.join(filter(None, engine))} ({self.declared.language}) passes "
            f"{'all' if passed == sent > 0 else f'{passed:,} of'} {sent:,} vectors sent, "
            f"out of {sum(self.verdicts.values()):,} in conformance suite {self.kit.version} "
            f"(specification {self.kit.specification}){limited}, about "
            f"{', '.join(level for level in ALL_LEVELS if level in self.levels)}. "
            f"Rule sets: {', '.join(sorted(rules)) or 'none'}. {chapters}"
        )

    def _outcomes(self) -> dict[str, str]:
        """Return a mapping from outcomes to lists of the chapters with this outcome, as text.

        If the outcome is in `PARTLY`, the list states how many clauses of each chapter passed.  A
        clause passes if at least one of its vectors passes, and the others pass or are skipped.
        """
        chapters: defaultdict[str, list[str]] = defaultdict(list)
        for chapter, clauses in self.kit.chapters.items():
            passed = sum(map(self._is_passed, clauses))
            verdicts = {each for clause in clauses for each in self.by_clause.get(clause, ())}
            outcome = _outcome(verdicts, passed, len(clauses))
            share = f" ({passed} of {len(clauses)} clauses passed)" if outcome in PARTLY else ""
            chapters[outcome].append(chapter + share)
        return {outcome: ", ".join(names) for outcome, names in chapters.items()}

    def _is_passed(self, clause: str) -> bool:
        count = self.by_clause.get(clause, Counter())
        passed = count[Verdict.PASSED]
        return passed > 0 and passed + count[Verdict.SKIPPED] == count.total()

    def lines(self) -> Iterator[str]:
        """Yield the results of the run as lines for a terminal."""
        for result in self.wrong[:MOST_LISTED]:
            yield from _failure_lines(result)
        if len(self.wrong) > MOST_LISTED:
            yield f"... and {len(self.wrong) - MOST_LISTED:,} more; --report FILE lists all of them"
        if faulty := [each for each in self.by_clause if self._wrong(each) or self.broken[each]]:
            yield "\nBy clause: broken, wrong in the main part, wrong, passed, skipped"
            for clause in sorted(faulty, key=self._rank):
                count = self.by_clause[clause]
                wrong = self._wrong(clause)
                passed, skipped = count[Verdict.PASSED], count[Verdict.SKIPPED]
                broken, blamed = self.broken[clause], self.blamed[clause]
                yield f"  {clause:7} {broken:5} {blamed:5} {wrong:5} {passed:5} {skipped:5}"
        yield "\nBy level: passed, failed, skipped"
        for level in ALL_LEVELS:
            count = self.by_level[level]
            figures = (count[Verdict.PASSED], count[Verdict.FAILED], count[Verdict.SKIPPED])
            judged = "" if level in self.levels else "  (not judged)"
            yield f"  {level:7} {figures[0]:5,} {figures[1]:5,} {figures[2]:5,}{judged}"
        if not self.sent or self.verdicts[Verdict.NOT_RUN]:
            heading = "Not every vector was run" if self.sent else "No question was sent"
            yield f"\n{heading}. Number of vectors, by reason:"
            yield from (
                f"  {count:5,}  {why}" for why, count in self.unsent.most_common(MOST_LISTED)
            )
        summary = ", ".join(f"{count:,} {verdict}" for verdict, count in self.verdicts.items())
        yield f"\n{summary or 'no vector'}\n"
        yield filled(self.sentence())

    def _rank(self, clause: str) -> tuple[int, float, str]:
        """Return the sort key of a clause: broken clauses first, then by share of `WRONG` verdicts.

        A vector with a wrong answer in its main part counts twice.  `EXTRA` passed vectors are
        added to each clause, so that clauses with few vectors do not come first.
        """
        sent = sum(self.by_clause[clause][verdict] for verdict in SENT)
        share = (self._wrong(clause) + self.blamed[clause]) / (sent + EXTRA)
        return -self.broken[clause], -share, clause

    def _wrong(self, clause: str) -> int:
        return sum(self.by_clause[clause][verdict] for verdict in WRONG)


def _outcome(verdicts: Collection[Verdict], passed_clauses: int, clauses: int) -> str:
    """Return the outcome of a chapter, given the verdicts on its vectors and its passed clauses."""
    passed, in_part, failed, not_run, not_claimed = OUTCOMES
    if not WRONG.isdisjoint(verdicts):
        return failed
    if passed_clauses:
        is_whole = passed_clauses == clauses and Verdict.SKIPPED not in verdicts
        return passed if is_whole else in_part
    return not_claimed if verdicts == {Verdict.SKIPPED} else not_run


def _line(result: Result) -> Json:
    line: Json = {
        "id": result.vector.id,
        "verdict": result.verdict,
        "clauses": result.vector.clauses,
        "levels": result.levels,
    }
    if result.why:
        line["why"] = result.why
    if result.findings:
        line["findings"] = [attrs.asdict(finding) for finding in result.findings]
    return line


def _failure_lines(result: Result) -> Iterator[str]:
    """Yield lines for a terminal with the reasons why a vector failed."""
    vector = result.vector
    yield f"{result.verdict}: {vector.id} [{', '.join(vector.clauses)}]"
    yield filled(str(vector.content["text"]), "    ")
    if result.why:
        yield f"    {result.why}"
    for finding in result.findings[:1]:
        parts = (finding.op, finding.action, finding.viewer and f"for {finding.viewer}")
        yield f"    asked: {' '.join(str(part) for part in parts if part)}"
        yield from (f"    {line}" for line in _differences(finding))
        yield from (f"    {line}" for line in _breaches(finding))


def _differences(finding: Finding) -> Iterator[str]:
    """Yield lines with the first difference in a wrong answer, and the number of differences."""
    if "result" not in finding.answered or Level.CLAUSES in finding.levels:
        yield f"expected: {_short(finding.expected)}"
        yield f"answered: {_short(finding.answered)}"
        return
    differences = list(differing(finding.expected, finding.answered["result"]))
    for path, expected, answered in differences[:1]:
        yield f"at {path}:" if path else "as a whole:"
        yield f"  expected: {_short(expected)}"
        yield f"  answered: {_short(answered)}"
    if len(differences) > 1:
        yield f"... and {len(differences) - 1:,} more"


def _breaches(finding: Finding) -> Iterator[str]:
    """Yield lines with the first violated clause, the value that it requires, and the position."""
    for each in finding.breaks[:1]:
        if not each.clauses:
            yield "breaks the journal: the position does not follow from the events"
        for clause, sentence in zip(each.clauses, each.sentences, strict=True):
            yield filled(f"breaks {clause}: {sentence}", rest=" " * 6)
        yield f"  expected: {_short(each.due)}"
        yield f"  actual: {_short(each.found)}"
        yield f"  in: {finding.position}"
    if len(finding.breaks) > 1:
        yield f"... and {len(finding.breaks) - 1:,} more"


def _short(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 300 else f"{text[:300]}..."
