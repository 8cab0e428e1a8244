"""The chapter *Scoring*: properties of all scores, in addition to its worked examples."""

import pytest

from tests.positions import position, seat
from valletta_rules import Character, Goods, Outcome, Phase, Score, outcome
from valletta_rules.rulebook.scoring import score_sheet, track_position


@pytest.mark.rule("SCO-8")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
def test_no_outcome_before_the_end(phase: Phase) -> None:
    """Before the end there is a score sheet, but no outcome."""
    red = seat(hand=[Character.SHOPKEEPER], score=4, goods=Goods(gold=3))
    state = position(red, seat(), phase=phase)
    assert outcome(state) is None
    assert [line.total for line in score_sheet(state)] == [5, 0]


def test_no_score_below_zero() -> None:
    """No rule takes points away: a score below zero has no space."""
    with pytest.raises(ValueError, match="a score is 0 or more, not -1"):
        track_position(-1)


def test_an_outcome_in_words() -> None:
    """There is a line for each seat, and one for the winner with the clause."""
    scores = (Score(0, 12, 3, 2, 4), Score(1, 10, 5, 2, 4))
    lines = (
        "seat 0: 17 points (12 scored, 3 of buildings, 2 of goods), houses: 4",
        "seat 1: 17 points (10 scored, 5 of buildings, 2 of goods), houses: 4",
    )
    assert str(Score(0, 1, 0, 0, 0)).startswith("seat 0: 1 point (1 scored, ")
    shared = "seat 0 and seat 1 share the victory [SCO-11]"
    assert str(Outcome(scores, (0, 1), "SCO-11")).splitlines() == [*lines, shared]
    assert str(Outcome(scores, (1,), "SCO-10")).splitlines()[2] == "seat 1 wins [SCO-10]"
