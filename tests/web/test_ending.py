"""Tests of the sentence about the result of a game, and of the decisive moments."""

from valletta_rules.results import Outcome, Score
from valletta_rules.web.ending import SWINGS, describe_lead, swings
from valletta_rules.words import ENGLISH

NAMES = ("Ann", "Ben", "Cem")


def outcome(*scores: tuple[int, int, int], winners: tuple[int, ...]) -> Outcome:
    """Return the outcome for scores.

    Each score consists of points for track, buildings and goods.
    """
    lines = tuple(Score(seat, *score, 8) for seat, score in enumerate(scores))
    return Outcome(lines, winners, "SCO-9")


def test_the_sentence_about_the_result_names_the_part_of_the_score_with_the_largest_lead() -> None:
    """A lead is measured against the best opponent.

    If the totals are equal, there is no sentence.
    """
    ended = outcome((20, 30, 9), (25, 31, 1), (1, 60, 2), winners=(2,))
    sentence = "The buildings decided it: 60 points, Ann has 30."
    assert describe_lead(ENGLISH, ended, NAMES) == sentence
    goods = outcome((20, 30, 2), (20, 30, 9), winners=(1,))
    assert describe_lead(ENGLISH, goods, NAMES) == (
        "The goods that were left decided it: 9 points, Ann has 2."
    )
    for winners in ((0,), (0, 1)):
        tied = outcome((20, 30, 2), (22, 28, 2), winners=winners)
        assert describe_lead(ENGLISH, tied, NAMES) is None


def test_decisive_moments_are_the_steps_that_changed_the_lead_most() -> None:
    """They are in the order of the game, and limited in number.

    Steps that do not change the lead are omitted.
    """
    ended = outcome((1, 1, 1), (0, 0, 0), winners=(0,))
    assert swings(ended, [(0, 0), (0, 4), (1, 4), (9, 4), (9, 6), (9, 6)]) == [1, 2, 3, 4]
    assert len(swings(ended, [(each % 3, 0) for each in range(99)])) == SWINGS
