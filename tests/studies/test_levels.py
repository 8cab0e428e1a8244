"""Rating the levels on one scale: the fit, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.studies import levels
from docs.studies.levels import Series, rated
from valletta_rules.studies import Study
from valletta_rules.studies.statistics import share_at


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of the ratings of three bots that play a block each."""
    monkeypatch.setattr(levels, "NAMES", ("random", "automatic", "strong"))
    pairs = ("automatic", "random"), ("strong", "automatic"), ("strong", "random")
    monkeypatch.setattr(levels, "PAIRS", {pair: 10 * number for number, pair in enumerate(pairs)})
    monkeypatch.setattr(levels, "GAMES", {2: 2, 3: 3, 4: 4})
    monkeypatch.setattr(levels, "DRAWN", 20)
    monkeypatch.setattr(levels, "RATINGS", tmp_path / "levels.json")
    return tmp_path / "levels.json"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_rating_gives_back_the_victories(
    players: int, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the game with a fair result that is added, with any number of players."""
    monkeypatch.setattr(levels, "NAMES", ("random", "automatic"))
    series = Series(Study(("automatic", "random"), players, 20 * players), [players - 0.5] * 20)
    ratings = rated([series])
    won = (sum(series.blocks) + 1 / players) / (series.games + 1)
    assert ratings["random"] == levels.LOWEST
    assert share_at(ratings["automatic"] - levels.LOWEST, players) == pytest.approx(won, abs=1e-4)


def test_levels_are_rated_by_all_their_games(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each scale has all levels, ordered as they play, with intervals.

    A second call plays no game, unless a level has changed: then it plays its series.
    """
    levels.main([str(tmp_path)])
    first = few.read_text("utf-8")
    written = json.loads(first)
    assert written["bots"] == {"random": "random", "automatic": "automatic", "strong": "planner"}
    assert [*written["scales"]] == ["all", "2", "3", "4"]
    for scale in written["scales"].values():
        assert scale["ratings"]["random"] == [levels.LOWEST] * 3
        estimates = [each[0] for each in scale["ratings"].values()]
        assert estimates == sorted(estimates)
        assert all(low <= estimate <= high for estimate, low, high in scale["steps"].values())
    assert {*written["series"]} == {"automatic random", "strong automatic", "strong random"}
    assert {*written["series"]["strong random"]} == {"2", "3", "4"}
    told = written["series"]["automatic random"]["4"]
    assert (told["games"], told["won"][0]) == (4, 100.0)
    assert told["rated"] > 50
    levels.main([str(tmp_path)])
    assert few.read_text("utf-8") == first
    before = {*tmp_path.glob("*-*/games.csv")}
    monkeypatch.setattr(levels, "LEVELS", {"strong": "planner:beam=2"})
    levels.main([str(tmp_path)])
    new = {path.parent.name[:-9] for path in {*tmp_path.glob("*-*/games.csv")} - before}
    assert new == {f"strong-{other}-{n}" for other in ("automatic", "random") for n in (2, 3, 4)}
