"""Tests that a study assigns bots and seeds to its games."""

from typing import Any

import attrs
import pytest

from valletta_rules.studies import Sprt, Study


def seatings(study: Study) -> list[str]:
    """Return the bots, in the order of the seats, and the seed of each game."""
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
def test_every_line_up_of_bots_is_played_in_every_rotation_with_the_same_seed(
    bots: str, players: int, games: int, expected: str
) -> None:
    """Each bot therefore plays in each seat.

    The number of games is increased to complete the rotations.
    """
    study = Study(tuple(bots), players, games, seed=1)
    assert ", ".join(seatings(study)) == expected
    assert len(seatings(study)) == study.size


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bots": ()}, "must have one or more distinct bots, not: none"),
        ({"bots": ("A", "A")}, "one or more distinct bots, not: A, A"),
        ({"bots": "AB"}, "sequence of names"),
        ({"players": 5}, "players"),
        ({"games": 0}, "games"),
        (
            {"bots": ("A", "B", "C"), "sprt": Sprt(0, 35)},
            "needs at least 2 and at most 2 bots, not 3",
        ),
        ({"bots": ("A",), "sprt": Sprt(0, 35)}, "needs at least 2 and at most 2 bots, not 1"),
        ({"sprt": Sprt(0, 35, 3)}, "the sequential test is for games with 3 players, not 2"),
    ],
)
def test_a_study_with_invalid_bots_players_games_or_sequential_test_raises_an_error(
    wrong: dict[str, Any], message: str
) -> None:
    """All bots must be different.

    A sequential test needs at least two bots, and at most one per player.
    """
    with pytest.raises((ValueError, TypeError), match=message):
        attrs.evolve(Study(("A", "B")), **wrong)


def test_the_number_of_a_game_determines_its_bots_and_its_seed() -> None:
    """Games are numbered from 0. A number outside the study raises an `IndexError`."""
    study = Study(("A", "B"), games=4)
    assert study.size == 4
    for number in range(4):
        assert study.job(number).bots == study.seating(number)
        assert study.job(number).seed == study.seed_of(number)
    for number in (4, -1):
        with pytest.raises(IndexError, match="has 4 games"):
            study.job(number)
