"""A small engine in JavaScript passes what it claims, and its mistakes are found where they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from spec.checks.node import NODE
from valletta_rules.specification.conformance.judge import Level
from valletta_rules.specification.conformance.kit import Kit, Vector
from valletta_rules.specification.conformance.peer import Peer
from valletta_rules.specification.conformance.report import Report
from valletta_rules.specification.conformance.runner import Runner, Verdict

ENGINE = Path(__file__).resolve().parents[2] / "examples" / "javascript" / "engine.js"
KIT = Kit.load()
VECTORS = tuple(KIT.vectors())
LEVELS = (Level.RULES,)

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def asked(engine: Path, vectors: Sequence[Vector]) -> Report:
    """Ask an engine about vectors."""
    with Peer([NODE or "node", str(engine)], KIT.version, timeout=30.0) as peer:
        report = Report(KIT, peer.start(), LEVELS)
        for result in Runner(KIT, peer, LEVELS).run(vectors):
            report.add(result)
    return report


def test_it_passes_what_it_claims_and_says_what_it_does_not() -> None:
    """All that it is asked, of a fifth of the kit, is right; whole chapters are not claimed."""
    report = asked(ENGINE, VECTORS[::5])
    assert [(each.vector.id, each.findings[:1], each.why) for each in report.wrong] == []
    assert report.verdicts[Verdict.PASSED] > 50
    sentence = report.sentence()
    assert sentence.startswith("small-valletta 1 (JavaScript) passes all ")
    assert "red (in part: " in sentence
    assert "building (in part: " in sentence
    assert "Not claimed: " in sentence
    assert "yellow" in sentence.partition("Not claimed: ")[2]


@pytest.mark.parametrize(
    ("right", "wrong", "clause"),
    [
        ("(rows === 2 && columns === 0)", "(rows >= 1 && columns === 0)", "BLD-8"),
        ("good === 'gold' ? 0 : Math.max(0, cost", "Math.max(0, cost", "BLD-17"),
        ("hand: isUpgrade ? hand : counted", "hand: counted", "BLD-31"),
        ("take(after, seat, GATHERERS[copied])", "take(after, seat, 'gold')", "RED-2"),
        ("built.length < HOUSES", "true", "BLD-4"),
    ],
)
def test_a_mistake_is_reported_under_its_clause(
    right: str, wrong: str, clause: str, tmp_path: Path
) -> None:
    """Of all clauses, that of the mistake is one of those with the greatest share of failures."""
    text = ENGINE.read_text("utf-8")
    assert text.count(right) == 1
    mistaken = tmp_path / "engine.js"
    mistaken.write_text(text.replace(right, wrong), "utf-8")
    chapter = "red/" if clause.startswith("RED") else "building/"
    vectors = [each for each in VECTORS if each.id.startswith(chapter)]
    some = [each for n, each in enumerate(vectors) if clause in each.clauses or n % 12 == 0]
    report = asked(mistaken, some)
    shares = {each: report.share(each) for each in report.by_clause}
    assert shares[clause] > 0
    worst = sorted(shares.values(), reverse=True)[:5]
    assert shares[clause] >= worst[-1], sorted(shares.items(), key=lambda item: -item[1])[:8]
