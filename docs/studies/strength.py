"""Play the series that tell how strong the bots are: `python docs/studies/strength.py FOLDER`.

In every series the one bot takes each seat once with each seed.  The games are kept in the folder,
a file for each series and a line for each game; interrupted, the same command goes on.  In the end
`GAMES` holds them all, and the rows of the table in the documentation are printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final
from unittest.mock import patch

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.independent import IndependentPlanner
from valletta_rules.bots import registry
from valletta_rules.studies.game import GameResult, Job, play_game
from valletta_rules.studies.statistics import wilson

GAMES: Final = Path(__file__).parents[1] / "explanation" / "strength" / "games.jsonl.gz"
"""The games on which the figures of the documentation rest."""


@attrs.frozen
class Series:
    """Games of one bot against others."""

    one: str
    others: tuple[str, ...]
    seeds: int
    first: int
    """The first seed."""

    @property
    def name(self) -> str:
        """What its file is called."""
        return "-".join((self.one, *self.others)).replace(":", "_").replace("=", "_")

    @property
    def games(self) -> list[tuple[int, int]]:
        """The seed of each game, and the seat of the one bot."""
        seeds = range(self.first, self.first + self.seeds)
        return [(seed, seat) for seed in seeds for seat in range(len(self.others) + 1)]


SERIES: Final = (
    Series("automatic", ("random",), 50, 1000),
    Series("planner", ("automatic",), 200, 40000),
    Series("planner", ("automatic",) * 3, 30, 41000),
    Series("planner", ("independent",), 100, 45000),
    Series("rollouts", ("planner",), 200, 44000),
    Series("rollouts:worlds=60", ("planner",), 30, 47000),
    Series("rollouts", ("independent",), 50, 46000),
    Series("ismcts", ("automatic",), 50, 1000),
    Series("club", ("novice",), 100, 43000),
    Series("strong", ("club",), 100, 42000),
)
"""The series of the documentation."""


def play(series: Series, game: tuple[int, int]) -> dict[str, Any]:
    """Play a game of a series, and return what is kept of it."""
    seed, seat = game
    bots = list(series.others)
    bots.insert(seat, series.one)
    known = {**registry.BUILT_IN, "independent": IndependentPlanner}
    with patch.object(registry, "BUILT_IN", known):
        return kept(play_game(Job(tuple(bots), seed)), seat)


def kept(game: GameResult, seat: int) -> dict[str, Any]:
    """Return what is kept of a game, in which the one bot had a seat."""
    return {
        "bots": list(game.job.bots),
        "seed": game.job.seed,
        "seat": seat,
        "points": list(game.points),
        "winners": list(game.winners),
        "turns": sum(game.course.turns),
        "decisions": list(game.decisions),
        "cpu_ms": [round(each) for each in game.cpu_ms],
        "longest_ms": [round(each) for each in game.longest_ms],
    }


def complete(series: Series, file: Path, jobs: int) -> list[dict[str, Any]]:
    """Play what a file lacks of a series, and return its games in their order."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    found = {(game["seed"], game["seat"]): game for game in map(json.loads, lines)}
    missing = [game for game in series.games if game not in found]
    with ProcessPoolExecutor(jobs) as pool, file.open("a", encoding="utf-8") as kept:
        for game in pool.map(partial(play, series), missing):
            print(json.dumps(game, separators=(",", ":")), file=kept, flush=True)
            found[game["seed"], game["seat"]] = game
            told = f"\r{series.name}: {len(found)} of {len(series.games)} games"
            print(told, end="", file=sys.stderr, flush=True)
    return [found[game] for game in series.games]


def row(series: Series, games: Sequence[dict[str, Any]]) -> str:
    """Return a row of the table in the documentation."""
    seats = [(game, game["seat"]) for game in games]
    won = [(seat in game["winners"]) / max(1, len(game["winners"])) for game, seat in seats]
    share = wilson(sum(won), len(won))
    figures = [f"{100 * each:.1f}" for each in (share.estimate, share.low, share.high)]
    own = fmean(game["points"][seat] for game, seat in seats)
    best = fmean(max(_without(game["points"], seat)) for game, seat in seats)
    taken = sum(game["cpu_ms"][seat] for game, seat in seats)
    asked = sum(game["decisions"][seat] for game, seat in seats)
    count = {1: "", 3: "three "}[len(series.others)]
    cells = [
        f"``{series.one}``",
        f"{count}``{series.others[0]}``",
        str(len(games)),
        "{} % [{}, {}]".format(*figures),
        f"{own:.1f} : {best:.1f}",
        f"{taken / asked:.1f}",
        str(max(game["longest_ms"][seat] for game, seat in seats)),
        str(series.first),
    ]
    return "   * - " + "\n     - ".join(cells)


def _without(points: Sequence[int], seat: int) -> list[int]:
    return [*points[:seat], *points[seat + 1 :]]


def write(games: Iterable[dict[str, Any]]) -> None:
    """Write the games of all series down, the same bytes for the same games."""
    text = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
    GAMES.write_bytes(gzip.compress(text.encode(), mtime=0))


def main(argv: Sequence[str] | None = None) -> None:
    """Play what is missing, write all games down, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the games are kept")
    parser.add_argument("--jobs", type=int, default=1, help="games played at a time (default: 1)")
    given = parser.parse_args(argv)
    given.folder.mkdir(parents=True, exist_ok=True)
    rows, every = list[str](), list[dict[str, Any]]()
    for series in SERIES:
        games = complete(series, given.folder / f"{series.name}.jsonl", given.jobs)
        rows.append(row(series, games))
        every += games
    write(every)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
