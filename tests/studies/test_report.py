"""Tests of the report on a study."""

from collections import Counter
from collections.abc import Sequence

import attrs
import pytest

from tests.studies.test_game import GAME, RESULT
from valletta_rules import CHARACTERS, Character, Good
from valletta_rules.studies import Study, Totals
from valletta_rules.studies.report import as_text, tables
from valletta_rules.studies.statistics import ConfidenceInterval, Sprt, around, format_interval
from valletta_rules.studies.summary import Summary, openings, summarise
from valletta_rules.studies.timeline import Timeline
from valletta_rules.studies.totals import Played

STUDY = Study(("A", "B", "C"), games=4)


def make_game(study: Study, number: int, points: tuple[int, ...]) -> Played:
    """Return a game with the given points. Bot A, if it plays, has built the Banker's building."""
    bots, most = study.seating(number), max(points)
    seat = bots.index("A") if "A" in bots else 0
    result = attrs.evolve(
        RESULT,
        points=points,
        houses=(8, 8),
        winners=tuple(each for each, sum_ in enumerate(points) if sum_ == most),
        main_turns=(10, 10),
        turns=(15 + number % 2, 15),
    )
    bankers = tuple(int(each is Character.BANKER) for each in CHARACTERS)
    course = Timeline(
        triggers=GAME.course.triggers,
        valette=8,
        buildings=("A", "A", "W"),
        owners=(seat, None, 1 - seat),
        built=(3, None, 5),
        upgraded=(9, None, None),
        drafted=(Good.WOOD, None),
        sites=((0,), (2,)) if seat == 0 else ((2,), (0,)),
        uses=(tuple(2 * each for each in bankers), bankers, (0,) * len(CHARACTERS)),
    )
    return result, course


def added(study: Study, games: Sequence[Played]) -> Totals:
    """Add games to the totals of a study block by block, and return the totals."""
    sums, size = Totals(study), study.block_size
    for first in range(0, len(games), size):
        sums.add(games[first : first + size])
    return sums


POINTS = [(60, 50), (40, 50), (50, 50), (30, 40), (55, 45), (50, 60)]
GAMES = [make_game(STUDY, number, points) for number, points in enumerate(POINTS)]
SUMMARY = summarise(added(STUDY, GAMES))


def table(title: str, summary: Summary = SUMMARY) -> list[list[str]]:
    """Return the rows of the table with the given title, as lists of strings."""
    (match,) = (each for each in tables(summary) if each.title == title)
    return [list(map(str, row)) for row in match.rows]


def test_the_cross_table_shows_how_often_each_bot_finished_ahead_of_each_other_bot() -> None:
    """In the test, A finished ahead of B twice, ahead of C once, and tied with C once.

    A tie counts as one half.
    """
    assert {(each.one, each.other): each.ahead.estimate for each in SUMMARY.meetings} == {
        ("A", "B"): 1.0,
        ("B", "A"): 0.0,
        ("A", "C"): 0.75,
        ("C", "A"): 0.25,
        ("B", "C"): 1.0,
        ("C", "B"): 0.0,
    }
    first, *_ = table("Who came in before whom")
    assert first == ["A", "", "100 % [34, 100]", "75 % [20, 97]"]


def test_the_standings_are_sorted_by_win_rate() -> None:
    """Each win rate has confidence intervals over seats and over blocks.

    Other columns are average points, the Elo rating, and the time of a decision.
    """
    assert [each.bot for each in SUMMARY.standings] == ["A", "B", "C"]
    best = SUMMARY.standings[0]
    assert (best.seats, best.share.estimate, best.by_block.estimate) == (4, 0.875, 0.875)
    assert best.points == (60 + 50 + 50 + 40) / 4
    assert best.elo > SUMMARY.standings[2].elo
    assert best.decision_ms == pytest.approx(sum(RESULT.cpu_ms) / sum(RESULT.decisions), abs=1e-4)


def test_all_blocks_with_the_same_seed_count_as_one_observation() -> None:
    """They use the same random numbers, so they are not independent.

    Two seeds give two observations.
    """
    assert [STUDY.seed_of(number) for number in range(12)] == [1000] * 6 + [1001] * 6
    one_seed = SUMMARY.standings[0].by_block
    assert (one_seed.estimate, one_seed.low, one_seed.high) == (0.875, 0, 1)
    lost = [make_game(STUDY, n + 6, points[::-1]) for n, points in enumerate(POINTS)]
    two_seeds = summarise(added(STUDY, GAMES + lost)).standings[0].by_block
    assert two_seeds == around(Counter([0.875, 1 - 0.875]))


def test_the_share_of_a_seat_is_its_win_rate_over_all_bots() -> None:
    """In the test, the first seat wins games 0 and 4, and half of game 2."""
    assert [each.share.estimate for each in SUMMARY.chairs] == [2.5 / 6, 3.5 / 6]
    assert table("Seats")[0][2] == "50 %"


def test_the_report_contains_averages_of_turns_points_leads_and_shared_victories() -> None:
    """It also contains the range of turns, and counts of the triggers of the final phase."""
    rows = dict(table("Course of the games"))
    assert rows["Turns of the start player"] == "15.5 (15 to 16)"
    assert rows["Final phase triggered by: houses"] == "6 (100 %)"
    assert rows["Points of the best"] == f"{(60 + 50 + 50 + 40 + 55 + 60) / 6:.1f}"
    assert rows["Points ahead of the next"] == f"{50 / 6:.1f}"
    assert rows["Victories shared"] == "1 (17 %)"


def test_the_advantage_of_a_building_compares_its_owners_with_the_averages_of_their_seats() -> None:
    """In the test, one of the two copies of the Banker's building is built, in turn 3."""
    banker = SUMMARY.designs[0]
    assert (banker.code, banker.dealt, banker.built.estimate) == ("A", 12, 0.5)
    assert (banker.turn, banker.upgraded) == (3, 0.5)
    assert banker.beyond.estimate == pytest.approx(0.5 / 6)  # B won once out of two there
    assert [row[0] for row in table("Buildings")] == ["A", "W"]
    assert table("Cards, times a game") == [["Banker", "2.00", "1.00", "0.00"]]


def test_the_advantage_of_a_drafted_good_compares_players_with_the_average_of_their_seat() -> None:
    """The first seat always drafts wood, so the advantage of wood is 0.

    The advantage of the character of a first house is computed in the same way.
    """
    sums = added(STUDY, GAMES)
    cell = openings(sums, sums)
    assert (cell.players, cell.opening, cell.games) == (2, "draft", 6)
    (wood,), none = (each.items() for each in cell.drafts)
    assert wood[0] is Good.WOOD
    assert wood[1].seats == 6
    assert wood[1].beyond == 0  # the only choice there
    assert not none
    first, second = cell.houses
    assert {who: each.seats for who, each in first.items()} == {
        Character.BANKER: 6,
        STUDY.cards.building("W").character: 6,
    }
    assert first[Character.BANKER].beyond == pytest.approx(
        SUMMARY.designs[0].beyond.estimate, abs=1e-4
    )
    assert not second
    assert not openings(sums).drafts


def test_the_report_of_a_study_without_games_has_a_heading_and_no_empty_tables() -> None:
    """Only the table of seats has rows."""
    nothing = summarise(Totals(STUDY))
    assert as_text(nothing).splitlines()[0].startswith("A - B - C: Hans im Glück")
    assert [each.title for each in tables(nothing)] == ["Seats"]


def test_the_report_contains_the_verdict_of_the_sequential_test_and_the_number_of_blocks() -> None:
    """It warns that win rates do not measure strength if the test ended the study."""
    study = Study(("A", "B"), games=4, sprt=Sprt(0, 35, least=2))
    games = [make_game(study, n, (60, 50) if n % 2 == 0 else (50, 60)) for n in range(4)]
    summary = summarise(added(study, games))
    text = as_text(summary)
    assert "SPRT of 0 against 35 Elo: undecided after 2 blocks" in text
    assert "do not quote their win rate" in text


def test_shares_are_printed_as_percentages_without_a_minus_sign_for_zero() -> None:
    """The interval in the test begins at -25 %, and the estimate rounds to 0 %."""
    assert format_interval(ConfidenceInterval(-0.001, -0.25, 1)) == "0 % [\N{MINUS SIGN}25, 100]"
