"""Tests of confidence intervals, Elo points, the sequential test and ratings."""

import math
import random
from collections.abc import Iterable, Iterator

import pytest

from valletta_rules.studies import statistics


def test_the_wilson_interval_of_8_victories_in_10_games_is_the_published_one() -> None:
    """If all games are won or lost, the width is above 0. Without games, the interval is 0 to 1."""
    eight = statistics.wilson(8, 10)
    assert (eight.estimate, round(eight.low, 4), round(eight.high, 4)) == (0.8, 0.4902, 0.9433)
    assert statistics.wilson(10, 10).high == pytest.approx(1)
    assert statistics.wilson(10, 10).low == pytest.approx(0.7225, abs=1e-4)
    assert statistics.wilson(0, 10).low == 0.0
    assert statistics.wilson(0, 0) == statistics.wilson(0.0, 0)
    assert (statistics.wilson(0, 0).low, statistics.wilson(0, 0).high) == (0, 1)


def test_the_confidence_interval_over_blocks_depends_on_the_spread_of_their_results() -> None:
    """The width is 0 for ten blocks with equal results.

    For a single block, the interval is 0 to 1.
    """
    assert statistics.around({0.5: 10}).low == statistics.around({0.5: 10}).high == 0.5
    wide = statistics.around({0.0: 5, 1.0: 5})
    assert wide.estimate == 0.5
    assert wide.high - wide.low == pytest.approx(0.653, abs=1e-3)
    assert (statistics.around({}).estimate, statistics.around({1.0: 1}).estimate) == (0.5, 1.0)
    assert (statistics.around({1.0: 1}).low, statistics.around({1.0: 1}).high) == (0, 1)


def test_the_function_ranked_returns_the_number_at_an_index_of_a_sorted_list() -> None:
    """The list is passed as pairs of a number and its count."""
    counts = [(3, 2), (5, 1), (9, 3)]
    assert [statistics.ranked(counts, place) for place in range(6)] == [3, 3, 5, 9, 9, 9]
    with pytest.raises(IndexError, match="too large for 6 numbers"):
        statistics.ranked(counts, 6)


@pytest.mark.parametrize(("players", "share"), [(2, 0.550), (3, 0.380), (4, 0.290)])
def test_a_lead_of_35_elo_points_gives_55_38_or_29_percent_of_victories_with_2_3_or_4_players(
    players: int, share: float
) -> None:
    """Players with equal ratings win equally often."""
    assert statistics.share_at(35, players) == pytest.approx(share, abs=5e-4)
    assert statistics.share_at(0, players) == pytest.approx(1 / players)


SEATS = {2: (0.67, 0.33), 3: (0.55, 0.27, 0.18), 4: (0.44, 0.27, 0.15, 0.14)}
"""The approximate win rates of the seats if all players are equally strong."""


def blocks(players: int, elo: float, rng: random.Random) -> Iterator[float]:
    """Simulate blocks of one game in each seat; yield a player's win rate in each block.

    The player is `elo` Elo points stronger than the other players.
    """
    low, high = 0.1, 10.0
    for _ in range(50):
        factor = math.sqrt(low * high)
        chances = [share * factor / (share * factor + 1 - share) for share in SEATS[players]]
        is_less = sum(chances) / players < statistics.share_at(elo, players)
        low, high = (factor, high) if is_less else (low, factor)
    while True:
        yield sum(rng.random() < chance for chance in chances) / players


def judged(test: statistics.Sprt, results: Iterable[float]) -> statistics.SprtVerdict:
    """Return the verdict of `test` when it first accepts a hypothesis, or after the last result."""
    count, total, squares, verdict = 0, 0.0, 0.0, test.judge(0, 0.0, 0.0)
    for result in results:
        count, total, squares = count + 1, total + result, squares + result * result
        verdict = test.judge(count, total, squares)
        if verdict.accepted is not None:
            break
    return verdict


@pytest.mark.parametrize("players", SEATS)
def test_the_sequential_test_rarely_accepts_h1_for_equal_players_and_usually_for_stronger_ones(
    players: int,
) -> None:
    """At most 10 of 100 runs accept H1 for equal players, and at least 48 of 50 for 70 Elo more."""
    rng, test = random.Random(players), statistics.Sprt(0, 35, players)
    equals = [judged(test, blocks(players, 0, rng)) for _ in range(100)]
    betters = [judged(test, blocks(players, 70, rng)) for _ in range(50)]
    assert sum(verdict.accepted == "H1" for verdict in equals) <= 10
    assert sum(verdict.accepted == "H1" for verdict in betters) >= 48
    assert sum(verdict.blocks for verdict in betters) / 50 < 150
    assert min(verdict.blocks for verdict in (*equals, *betters)) >= test.least


def test_the_sequential_test_has_no_verdict_before_30_blocks() -> None:
    """If a player wins or loses all blocks, the verdict is reached after block 30."""
    test = statistics.Sprt(0, 35)
    won = judged(test, [1.0] * 40)
    assert (won.accepted, won.blocks) == ("H1", 30)
    assert won.ratio > test.bounds[1]
    lost = judged(test, [0.0] * 40)
    assert (lost.accepted, lost.blocks) == ("H0", 30)
    assert judged(test, [1.0] * 29).accepted is None
    assert judged(test, []).ratio == 0


@pytest.mark.parametrize(
    ("elo0", "elo1", "players", "alpha"),
    [(35, 0, 2, 0.05), (0, 2000, 2, 0.05), (0, 35, 5, 0.05), (0, 35, 2, 0)],
)
def test_a_sequential_test_with_invalid_parameters_raises_a_value_error(
    elo0: float, elo1: float, players: int, alpha: float
) -> None:
    """The second hypothesis must be larger, but not too large.

    Players and `alpha` must be in range.
    """
    with pytest.raises(ValueError, match=r"elo0 and elo1|players|alpha"):
        statistics.Sprt(elo0, elo1, players, alpha)


def test_the_bradley_terry_rating_of_three_victories_in_four_games_is_191_elo() -> None:
    """Without defeats, a rating is still finite.

    Three players who each beat the next have equal ratings.
    """
    three = statistics.bradley_terry({("a", "b"): 7500, ("b", "a"): 2500})
    assert three["a"] - three["b"] == pytest.approx(190.8, abs=0.1)
    assert sum(three.values()) == pytest.approx(0)
    won_all = statistics.bradley_terry({("a", "b"): 10})["a"]  # 10.5 of 11, with the added game
    assert won_all == pytest.approx(200 * math.log10(10.5 / 0.5), abs=0.1)
    circle = statistics.bradley_terry({("a", "b"): 5, ("b", "c"): 5, ("c", "a"): 5})
    assert all(abs(rating) < 1e-6 for rating in circle.values())
    assert statistics.bradley_terry({}) == {}
