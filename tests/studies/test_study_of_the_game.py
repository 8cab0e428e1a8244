"""Tests of the large study that measures the game itself, and of its published summary."""

import json
from pathlib import Path

import pytest

from docs.studies import criteria, make
from valletta_rules import RECONSTRUCTION
from valletta_rules.analysis import Book, read_book
from valletta_rules.analysis.openings import CONVERTER
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.studies import read_store
from valletta_rules.studies.report import tables
from valletta_rules.studies.statistics import ConfidenceInterval
from valletta_rules.studies.store import GAMES


def test_the_published_summary_covers_every_opening_and_number_of_players() -> None:
    """No game is truncated. Each part contains the digest of its games."""
    published = make.read()
    assert {f"planner, {n} players, {opening}" for opening in make.OPENINGS for n in (2, 3, 4)} <= {
        *published
    }
    for digest, summary in published.values():
        assert len(digest) == 64
        assert summary.games > 0
        assert summary.broken_off == 0
        assert tables(summary)


def test_the_make_command_plays_the_study_and_writes_the_summary_and_the_opening_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run for fewer games plays none, and writes the same summary."""
    monkeypatch.setattr(make, "SUMMARY", tmp_path / "summary.json")
    monkeypatch.setattr(make, "BOOK", tmp_path / "openings.json")
    monkeypatch.setattr(make, "OPENINGS", dict(list(make.OPENINGS.items())[:1]))
    folder = tmp_path / "games"
    bots = ["--planner", "random", "--rollouts", "automatic"]
    make.main([str(folder), *bots, "--games", "2", "--checks", "1", "--drafts", "3"])
    first = make.read()
    assert {name: summary.games for name, (_, summary) in first.items()} == {
        "random, 2 players, draft": 2,
        "random, 3 players, draft": 2,
        "random, 4 players, draft": 2,
        "automatic, 2 players, draft": 1,
    }
    for each in folder.iterdir():
        assert read_store(each).games == len((each / GAMES).read_text().splitlines()) - 1
    make.main([str(folder), *bots, "--games", "1", "--checks", "0", "--drafts", "3"])
    again = make.read()
    assert again["random, 4 players, draft"] == first["random, 4 players, draft"]
    assert "1e-" not in json.dumps(json.loads(make.SUMMARY.read_text()))
    book = CONVERTER.structure(json.loads(make.BOOK.read_text()), Book)
    assert (book.bot, [each.players for each in book.cells]) == ("random", [2, 3, 4])
    for cell in book.cells:
        drafted = [sum(known.seats for known in seat.values()) for seat in cell.drafts]
        assert drafted == [3] * cell.players
        assert sum(known.seats for known in cell.houses[0].values()) <= 2 * cell.players


def test_the_published_summary_was_measured_with_the_current_built_in_cards() -> None:
    """If the cards change, play the study again."""
    assert {summary.study.cards for _, summary in make.read().values()} == {RECONSTRUCTION}


def test_the_opening_book_is_based_on_the_same_games_and_cards_as_the_published_summary() -> None:
    """The test compares the cards and the numbers of games.

    In addition, the advantages of the goods that a seat drafts, weighted by games, must add up to
    about 0.
    """
    book = read_book()
    assert book.cards == name_built_in_cards(RECONSTRUCTION)
    for each in book.cells:
        _, summary = make.read()[f"{book.bot}, {each.players} players, {each.opening}"]
        assert each.games == summary.games
        assert sum(known.seats for known in each.houses[0].values()) <= each.games * each.players
        assert bool(each.drafts) == make.OPENINGS[each.opening].has_draft
        for seat in each.drafts:
            assert sum(known.seats * known.beyond for known in seat.values()) == pytest.approx(
                0, abs=1
            )


def test_the_built_in_cards_violate_none_of_the_criteria_for_a_fair_card_set(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command `criteria` exits with status 0, and prints only the criteria in doubt."""
    every = list(criteria.criteria({name: summary for name, (_, summary) in make.read().items()}))
    assert len(every) == 2 * 2 * 23 + 2 + 3 + 4
    assert criteria.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [str(each) for each in every if each.verdict != "met"]


def test_a_criterion_whose_interval_crosses_a_bound_is_in_doubt() -> None:
    """The bounds in the test are 0.4 and 0.98.

    Inside them, the verdict is *met*, and outside, *missed*.
    """
    verdicts = {
        low: criteria.Criterion("", ConfidenceInterval(low, low, low + 0.2), 0.4, 0.98).verdict
        for low in (0.1, 0.3, 0.5, 0.9, 0.99)
    }
    assert list(verdicts.values()) == ["missed", "in doubt", "met", "in doubt", "missed"]
