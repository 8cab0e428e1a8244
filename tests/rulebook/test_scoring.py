"""Tests of the chapter *Scoring*, in addition to the worked examples in its clauses."""

import pytest

from tests.positions import position, seat
from valletta_rules import Character, Goods, Outcome, Phase, Score, outcome
from valletta_rules.rulebook.scoring import score_sheet, track_position


@pytest.mark.rule("SCO-8")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
def test_a_game_that_is_not_over_has_a_score_sheet_but_no_outcome(phase: Phase) -> None:
    """The score sheet already includes the points for goods and buildings."""
    red = seat(hand=[Character.SHOPKEEPER], score=4, goods=Goods(gold=3))
    state = position(red, seat(), phase=phase)
    assert outcome(state) is None
    assert [line.total for line in score_sheet(state)] == [5, 0]


def test_a_negative_score_has_no_space_on_the_score_track() -> None:
    """A negative score cannot occur, because no rule reduces a score."""
    with pytest.raises(ValueError, match="a score must be 0 or more, not -1"):
        track_position(-1)


def test_the_str_of_an_outcome_has_a_line_for_each_seat_and_one_for_the_winners() -> None:
    """The last line contains the clause that decided the game."""
    scores = (Score(0, 12, 3, 2, 4), Score(1, 10, 5, 2, 4))
    lines = (
        "seat 0: 17 points (12 scored, 3 of buildings, 2 of goods), houses: 4",
        "seat 1: 17 points (10 scored, 5 of buildings, 2 of goods), houses: 4",
    )
    assert str(Score(0, 1, 0, 0, 0)).startswith("seat 0: 1 point (1 scored, ")
    shared = "seat 0 and seat 1 share the victory [SCO-11]"
    assert str(Outcome(scores, (0, 1), "SCO-11")).splitlines() == [*lines, shared]
    assert str(Outcome(scores, (1,), "SCO-10")).splitlines()[2] == "seat 1 wins [SCO-10]"
