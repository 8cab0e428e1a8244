"""The strength of the bots, as documented."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from docs.studies import strength
from valletta_rules.studies import Study, play_game

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "players.rst"


def games() -> list[dict[str, Any]]:
    """Return the games on which the figures are based."""
    return [*map(json.loads, gzip.decompress(strength.GAMES.read_bytes()).splitlines())]


def test_the_figures_on_the_page_are_those_of_the_games() -> None:
    """Every row follows from the games that are kept, which are all games of the series."""
    kept, page = games(), PAGE.read_text(encoding="utf-8")
    for series in strength.SERIES:
        own = kept[: series.blocks * series.block_size]
        del kept[: len(own)]
        assert [(game["bots"], game["seed"]) for game in own] == [
            (list(job.bots), job.seed) for job in series.jobs()
        ]
        assert strength.row(series, own) in page
    assert not kept
    rows = page.partition("list-table:: Strength")[2].partition(".. end")[0]
    assert rows.count("* - ") == len(strength.SERIES) + 1


def test_a_game_that_is_kept_is_played_again() -> None:
    """Bots and seed determine a game."""
    series = strength.SERIES[0]
    again, kept = strength.kept(series, 0, play_game(series.job(0)).result), games()[0]
    times = "cpu_ms", "longest_ms"
    assert {key: again[key] for key in again if key not in times} == {
        key: kept[key] for key in kept if key not in times
    }


def test_series_are_played_by_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games that are there are not played again, and the same games make the same file."""
    tiny = Study(("random", "automatic"), players=4, games=4, seed=5)
    monkeypatch.setattr(strength, "SERIES", (tiny,))
    monkeypatch.setattr(strength, "GAMES", tmp_path / "games.jsonl.gz")
    strength.main([str(tmp_path / "series")])
    first, told = strength.GAMES.read_bytes(), capsys.readouterr().out
    assert "three ``automatic``\n     - 4\n     - " in told
    strength.main([str(tmp_path / "series")])
    assert strength.GAMES.read_bytes() == first
    assert capsys.readouterr().out == told
