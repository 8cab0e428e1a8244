"""The strength of the players, as the documentation tells it."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from valletta_rules.studies.game import Job, play_game
from valletta_rules.studies.statistics import wilson

FOLDER = Path(__file__).parents[2] / "docs" / "explanation"


def games() -> list[dict[str, Any]]:
    """Return the games on which the figures rest."""
    text = gzip.decompress((FOLDER / "strength" / "games.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_the_figures_on_the_page_are_those_of_the_games() -> None:
    """Every share and its interval follow from the games that are kept."""
    page = " ".join((FOLDER / "players.rst").read_text(encoding="utf-8").split())
    shares: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for game in games():
        one = game["bots"].pop(game["seat"])
        share = (game["seat"] in game["winners"]) / max(1, len(game["winners"]))
        shares[one, *game["bots"]].append(share)
    for (one, other, *_), won in shares.items():
        found = wilson(sum(won), len(won))
        figures = [f"{100 * each:.1f}" for each in (found.estimate, found.low, found.high)]
        told = "{} % [{}, {}]".format(*figures)
        assert f"* - ``{one}``" in page
        assert f"``{other}`` - {len(won)} - {told}" in page


def test_a_game_that_is_kept_is_played_again() -> None:
    """Bots and seed are all that a game follows from."""
    kept = next(game for game in games() if "random" in game["bots"])
    again = play_game(Job(tuple(kept["bots"]), kept["seed"]))
    assert list(again.points) == kept["points"]
