"""All numbers of the value tried at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docs.studies import tune
from tests.bots.test_value import middle
from valletta_rules.bots import expected_points


def test_a_number_changed_changes_the_value() -> None:
    """With factors of 1 the value is as it is; every number that is found is varied."""
    state, names = middle(), tune.numbers()
    assert any("GOODS_A_BUILDING" in name for name in names)
    same = tune.varied((1.0,) * len(names))
    assert same.expected_points(state, 0) == expected_points(state, 0)
    place = next(n for n, name in enumerate(names) if "POINTS_A_BUILDING" in name)
    factors = [1.0] * len(names)
    factors[place] = 2.0
    more = tune.varied(tuple(factors))
    assert more.POINTS_A_BUILDING == 2 * same.POINTS_A_BUILDING
    assert more.expected_points(state, 0) > expected_points(state, 0)


def test_what_numbers_do_is_found_in_games() -> None:
    """A number on which the lead depends stands out, whatever a seat is worth."""
    places = range(len(tune.numbers()))
    games = [
        tune.Game(
            number,
            signs=(
                sign := 1 if number // 2 % 2 else -1,
                *[-sign if n == 1 else 1 for n in places[1:]],
            ),
            seat=number % 2,
            lead=5 * sign + 10 * (number % 2) - 5 + number % 3 - 1,
        )
        for number in range(120)
    ]
    (_, ahead, _), (_, first, error), (_, second, _), (_, third, _), *_ = tune.effects(games, 2)
    assert ahead == pytest.approx(0)
    assert (first, second, third) == pytest.approx((5, -5, 0), abs=2 * error)


def test_trying_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that are kept are not played again; those of other numbers are refused."""
    file = tmp_path / "games.jsonl"
    usual = [str(file), "--beam", "1", "--players", "2"]
    with ThreadPoolExecutor(1) as executor:
        tune.main([*usual, "--games", "2"], executor)
        first = tune.read(file)
        with ThreadPoolExecutor(1) as another:
            tune.main([*usual, "--games", "3"], another)
    assert tune.read(file)[:2] == first
    assert len(tune.read(file)) == 3
    told = capsys.readouterr().out.splitlines()
    assert "ahead" in told[0]
    assert len(told) == 2 * (1 + len(tune.numbers()))
    monkeypatch.setattr(tune, "numbers", list)
    with pytest.raises(SystemExit, match="other numbers"):
        tune.read(file)
