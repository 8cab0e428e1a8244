"""Play the series that measure how strong the bots are: `python docs/studies/strength.py FOLDER`.

Each series is a study in the folder; interrupted, the same command goes on.  In the end `GAMES`
holds the games of all series, and the rows of the table in the documentation are printed.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from valletta_rules.studies import GameResult, Store, Study, read_games, run
from valletta_rules.studies.statistics import wilson

GAMES: Final = Path(__file__).parents[1] / "explanation" / "strength" / "games.jsonl.gz"
"""The games on which the figures of the documentation rest."""

SERIES: Final = (
    Study(("automatic", "random"), games=100, seed=1000),
    Study(("planner", "automatic"), games=400, seed=40000),
    Study(("planner", "automatic"), players=4, games=120, seed=41000),
    Study(("rollouts", "planner"), games=60, seed=48000),
)
"""The series of the documentation: one bot against others, in each seat with each seed."""


def kept(series: Study, number: int, game: GameResult) -> dict[str, Any]:
    """Return the figures of a game that are kept, with the seat of the first bot."""
    return {
        "bots": list(series.seating(number)),
        "seed": series.seed_of(number),
        "seat": number % series.players,
        "points": list(game.points),
        "winners": list(game.winners),
        "turns": sum(game.turns),
        "decisions": list(game.decisions),
        "cpu_ms": [round(each) for each in game.cpu_ms],
        "longest_ms": [round(each) for each in game.longest_ms],
    }


def row(series: Study, games: Sequence[dict[str, Any]]) -> str:
    """Return a row of the table in the documentation."""
    own = [{key: game[key][game["seat"]] for key in FIGURES} for game in games]
    won = [(game["seat"] in game["winners"]) / max(1, len(game["winners"])) for game in games]
    share = wilson(sum(won), len(won))
    figures = [f"{100 * each:.1f}" for each in (share.estimate, share.low, share.high)]
    best = [max(p for s, p in enumerate(game["points"]) if s != game["seat"]) for game in games]
    spent = sum(each["cpu_ms"] for each in own) / sum(each["decisions"] for each in own)
    one, other = series.bots
    cells = [
        f"``{one}``",
        f"{'three ' if series.players == 4 else ''}``{other}``",
        str(len(games)),
        "{} % [{}, {}]".format(*figures),
        f"{fmean(each['points'] for each in own):.1f} : {fmean(best):.1f}",
        f"{spent:.1f}",
        str(max(each["longest_ms"] for each in own)),
        str(series.seed),
    ]
    return "   * - " + "\n     - ".join(cells)


FIGURES: Final = ("points", "decisions", "cpu_ms", "longest_ms")
"""The figures of each seat."""


def main(argv: Sequence[str] | None = None) -> None:
    """Play what is missing, write all games down, and print the table."""
    given = parse(__doc__, argv, "folder")
    lines = []
    for series in SERIES:
        folder = given.folder / f"{'-'.join(series.bots)}-{series.seed}"
        with Store(folder, series) as store:
            run(store, workers=given.jobs)
        games = [kept(series, number, game) for number, game in enumerate(read_games(folder))]
        lines += [json.dumps(game, separators=(",", ":")) + "\n" for game in games]
        print(row(series, games))
    GAMES.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
