"""The strength of the players, as the documentation tells it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from docs.studies import strength

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "players.rst"


def games() -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """Return the games on which the figures rest, by the one bot and the others."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for line in gzip.decompress(strength.GAMES.read_bytes()).decode().splitlines():
        game = json.loads(line)
        others = list(game["bots"])
        found.setdefault((others.pop(game["seat"]), *others), []).append(game)
    return found


@pytest.mark.parametrize("series", strength.SERIES, ids=lambda series: series.name)
def test_the_figures_on_the_page_are_those_of_the_games(series: strength.Series) -> None:
    """Every row follows from the games that are kept, and these are all of the series."""
    kept = games()[series.one, *series.others]
    assert [(game["seed"], game["seat"]) for game in kept] == series.games
    assert strength.row(series, kept) in PAGE.read_text(encoding="utf-8")


def test_no_other_games_are_kept() -> None:
    """Each series has its row."""
    series = {(series.one, *series.others) for series in strength.SERIES}
    assert {*games()} == series
    rows = PAGE.read_text(encoding="utf-8").partition("list-table:: Strength")[2]
    assert rows.partition(".. end")[0].count("* - ") == len(series) + 1


@pytest.mark.parametrize("others", [("random",), ("independent",)])
def test_a_game_that_is_kept_is_played_again(others: tuple[str, ...]) -> None:
    """Bots and seed are all that a game follows from."""
    series = next(series for series in strength.SERIES if series.others == others)
    kept = games()[series.one, *series.others][0]
    again = strength.play(series, series.games[0])
    times = "cpu_ms", "longest_ms"
    assert {key: again[key] for key in again if key not in times} == {
        key: kept[key] for key in kept if key not in times
    }


def test_series_are_played_and_told_by_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is there is not played again, and the same games make the same file."""
    tiny = strength.Series("random", ("random", "random", "random"), 1, 5)
    monkeypatch.setattr(strength, "SERIES", (tiny,))
    monkeypatch.setattr(strength, "GAMES", tmp_path / "games.jsonl.gz")
    strength.main([str(tmp_path / "series")])
    first, told = strength.GAMES.read_bytes(), capsys.readouterr().out
    assert "three ``random``\n     - 4\n     - " in told
    strength.main([str(tmp_path / "series")])
    assert strength.GAMES.read_bytes() == first
    assert capsys.readouterr().out == told
