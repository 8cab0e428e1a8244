"""Trying all numbers of the value at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docs.studies import tune
from tests.bots.test_value import middle
from valletta_rules.bots import expected_points


def test_a_number_changed_changes_the_value() -> None:
    """With factors of 1 the value is unchanged."""
    state, names = middle(), tune.numbers()
    same = tune.varied((1.0,) * len(names))
    assert same.expected_points(state, 0) == expected_points(state, 0)
    place = next(n for n, name in enumerate(names) if "POINTS_A_BUILDING" in name)
    factors = [1.0] * len(names)
    factors[place] = 2.0
    more = tune.varied(tuple(factors))
    assert more.POINTS_A_BUILDING == 2 * same.POINTS_A_BUILDING
    assert more.expected_points(state, 0) > expected_points(state, 0)


def test_what_numbers_do_is_found_in_games() -> None:
    """A number on which the lead depends stands out, whatever the advantage of a seat."""
    games = []
    for number in range(120):
        sign, seat = 1 if number // 2 % 2 else -1, number % 2
        signs = [-sign if place == 1 else 1 for place in range(len(tune.numbers()))]
        lead = 5 * sign + 10 * seat - 5 + number % 3 - 1
        games.append({"signs": [sign, *signs[1:]], "seat": seat, "lead": lead})
    (_, ahead, _), (_, first, error), (_, second, _), (_, third, _), *_ = tune.effects(games, 2)
    assert ahead == pytest.approx(0)
    assert (first, second, third) == pytest.approx((5, -5, 0), abs=2 * error)


def test_trying_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Games that are kept are not played again."""
    file, kept = tmp_path / "games.jsonl", list[str]()
    for games in (2, 3):
        with ThreadPoolExecutor(1) as executor:
            tune.main([str(file), "--beam", "1", "--games", str(games)], executor)
        lines = file.read_text().splitlines()
        assert lines[: len(kept)] == kept
        kept = lines
    assert [json.loads(line)["seat"] for line in kept] == [0, 1, 0]
    assert len(capsys.readouterr().out.splitlines()) == 2 * (1 + len(tune.numbers()))
