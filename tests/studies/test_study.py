"""The games of a study, and the blocks that count."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from tests.studies.test_game import RESULT
from valletta_rules.studies import GameResult
from valletta_rules.studies.statistics import Sprt
from valletta_rules.studies.study import Study


def seatings(study: Study) -> list[str]:
    """Return the line-up of each game by seat, with the seed."""
    return [f"{''.join(job.bots)} {job.seed}" for job in study.jobs()]


@pytest.mark.parametrize(
    ("bots", "players", "games", "expected"),
    [
        ("AB", 2, 3, "AB 1, BA 1, AB 2, BA 2"),
        ("A", 3, 2, "AAA 1, AAA 2"),
        ("AB", 4, 1, "ABBB 1, BABB 1, BBAB 1, BBBA 1"),
        ("ABC", 2, 2, "AB 1, BA 1, AC 1, CA 1, BC 1, CB 1"),
        ("ABC", 3, 3, "ABC 1, CAB 1, BCA 1"),
        ("ABC", 4, 1, "ABCC 1, CABC 1, CCAB 1, BCCA 1"),
    ],
)
def test_each_bot_takes_each_seat_over_the_same_seeds(
    bots: str, players: int, games: int, expected: str
) -> None:
    """A block is one seed and a line-up in every rotation; there are enough for all games."""
    study = Study(tuple(bots), players, games, seed=1)
    assert ", ".join(seatings(study)) == expected
    assert [job.number for job in study.jobs()] == list(range(len(seatings(study))))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bots": ()}, "needs bots"),
        ({"bots": ("A", "A")}, "all different"),
        ({"bots": "AB"}, "sequence of names"),
        ({"players": 5}, "players"),
        ({"games": 0}, "games"),
        ({"bots": ("A", "B", "C"), "sprt": Sprt(0, 35)}, "one bot against"),
        ({"bots": ("A",), "sprt": Sprt(0, 35)}, "one bot against"),
        ({"sprt": Sprt(0, 35, 3)}, "3 players, not of 2"),
    ],
)
def test_what_is_no_study_is_refused(wrong: dict[str, Any], message: str) -> None:
    """There must be bots to compare, and something for a test to test."""
    with pytest.raises((ValueError, TypeError), match=message):
        attrs.evolve(Study(("A", "B")), **wrong)


def test_a_game_that_there_is_not_is_no_game_of_the_study() -> None:
    """Games are numbered from 0."""
    study = Study(("A", "B"), games=4)
    assert study.job(3) in study
    assert attrs.evolve(study.job(3), seed=5) not in study
    assert attrs.evolve(study.job(3), number=4) not in study
    for number in (4, -1):
        with pytest.raises(IndexError, match="has 4 games"):
            study.job(number)


STUDY = Study(("A", "B"), games=200, sprt=Sprt(0, 35))


def won(study: Study, number: int) -> GameResult:
    """Return the result of a game that the first bot has won."""
    job = study.job(number)
    return attrs.evolve(RESULT, job=job, winners=(job.bots.index("A"),))


def test_without_a_test_all_complete_blocks_count() -> None:
    """An incomplete block does not count, but those after it do."""
    study = attrs.evolve(STUDY, sprt=None)
    results = {number: won(study, number) for number in (0, 1, 2, 4, 5)}
    counted = [[game.job.number for game in block] for block in study.complete(results)]
    assert counted == [[0, 1], [4, 5]]
    assert study.result_of((results[4], results[5])) == 1
    assert study.verdict(results) is None
    assert next(study.missing(results)).number == 3


def test_with_a_test_blocks_count_in_their_order_and_up_to_the_verdict() -> None:
    """The verdict waits until a gap is filled, whichever game finishes first."""
    results = {number: won(STUDY, number) for number in range(100)}
    verdict = STUDY.verdict(results)
    assert verdict is not None
    assert (verdict.accepted, verdict.blocks) == ("H1", 30)
    assert len(list(STUDY.complete(results))) == 30
    assert not list(STUDY.missing(results))
    del results[7]
    assert len(list(STUDY.complete(results))) == 3
    assert STUDY.verdict(results) == Sprt(0, 35).judge([1.0] * 3)
    assert next(STUDY.missing(results)).number == 7
