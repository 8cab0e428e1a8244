"""The chapter *Scoring*: what holds for every score, beside its worked examples."""

from __future__ import annotations

import pytest

from tests.positions import position, seat
from valletta_rules import Character, Goods, Phase, outcome
from valletta_rules.rulebook.scoring import score_sheet, track_position


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
def test_track_shows_every_score() -> None:
    """Space and tokens together always show the score."""
    for score in range(1, 200):
        space, tokens = track_position(score)
        assert 1 <= space <= 25
        assert tokens % 25 == 0
        assert space + tokens == score


@pytest.mark.parametrize("score", [-1, -25])
def test_no_score_below_zero(score: int) -> None:
    """No rule takes points away: a score below zero has no space."""
    with pytest.raises(ValueError, match=str(score)):
        track_position(score)


@pytest.mark.rule("SCO-8")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
def test_no_outcome_before_the_end(phase: Phase) -> None:
    """While a card is left to play there is a score sheet, but no outcome."""
    red = seat(hand=[Character.SHOPKEEPER], score=4, goods=Goods(gold=3))
    state = position(red, seat(), phase=phase)
    assert outcome(state) is None
    assert [line.total for line in score_sheet(state)] == [5, 0]
