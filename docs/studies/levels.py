"""Rate the levels for people on one scale: `python docs/studies/levels.py FOLDER`.

Each level plays against the one below, in each seat and with every number of players.  A level's
chance to win is taken to be in proportion to its strength, against all others at the table; the
ratings are those under which the victories are likeliest, and their intervals come from blocks
drawn anew, with repetition.  Each series is a study in the folder, by the options of its bots: the
same command goes on where it stopped, and plays a level's series anew if its options change.  In
the end `RATINGS` holds what the documentation shows.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from valletta_rules.bots.registry import LEVELS
from valletta_rules.components.display import SITES
from valletta_rules.studies import Store, Study, read_games, run
from valletta_rules.studies.statistics import luce, share_at, wilson

RATINGS: Final = Path(__file__).parents[1] / "explanation" / "strength" / "levels.json"
"""The figures of the documentation."""

NAMES: Final = tuple(LEVELS)
"""The levels, from the weakest."""

PAIRS: Final[Mapping[tuple[str, str], int]] = {
    pair: 120 * number for number, pair in enumerate(zip(NAMES[1:], NAMES, strict=False))
}
"""Which level plays against which other one in all other seats, and how far from the first seed."""

GAMES: Final[Mapping[int, int]] = {2: 120, 3: 60, 4: 60}
"""How many games they play, by the number of players."""

LEAST: Final[Mapping[str, int]] = {"expert": 90}
"""How many a level plays at least, with any number of players."""

LOWEST: Final = 1000
"""The rating of the weakest, by definition."""

DRAWN: Final = 200
"""How often blocks are drawn anew."""


@attrs.frozen
class Series:
    """The games of a level against another one in all other seats."""

    study: Study
    blocks: Sequence[float]
    """The victories of the first level, block by block."""

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(self.blocks) * self.study.block_size


def studies(seed: int) -> Iterator[Study]:
    """Run through the series, each with seeds of its own."""
    for players, games in GAMES.items():
        for pair, apart in PAIRS.items():
            first, least = seed + 1320 * (players - 2) + apart, LEAST.get(pair[0], 0)
            yield Study(pair, players=players, games=max(games, least), seed=first)


def played(study: Study, folder: Path, jobs: int) -> Series:
    """Return a series, after what is missing of it has been played."""
    bots = crc32(" ".join(LEVELS.get(bot, bot) for bot in study.bots).encode())
    folder /= f"{'-'.join(study.bots)}-{study.players}-{bots:08x}"
    with Store(folder, study) as store:
        run(store, workers=jobs)
    blocks = [0.0] * study.blocks
    for number, game in enumerate(read_games(folder)):
        seat = study.seating(number).index(study.bots[0])
        blocks[number // study.block_size] += game.shares[seat]
    return Series(study, blocks)


def rated(known: Sequence[Series]) -> Mapping[str, float]:
    """Return the rating of each level.

    One game with a fair result is added to each series, so that a level which won all, or none, has
    a rating, too.
    """
    series = list[tuple[str, str, int, float, float]]()
    for each in known:
        (upper, lower), players = each.study.bots, each.study.players
        won, games = sum(each.blocks) + 1 / players, each.games + 1
        series.append((upper, lower, players - 1, won, games))
    ratings = luce(series)
    return {level: LOWEST + ratings[level] - ratings[NAMES[0]] for level in NAMES}


def figures(known: Sequence[Series], rng: random.Random) -> dict[str, Any]:
    """Return the ratings by some series, and the steps between neighbours, with their intervals."""
    estimate = rated(known)
    samples = [
        rated([Series(each.study, rng.choices(each.blocks, k=len(each.blocks))) for each in known])
        for _ in range(DRAWN)
    ]

    def interval(upper: str, lower: str, base: int) -> list[int]:
        found = sorted(each[upper] - each[lower] for each in samples)
        ends = found[DRAWN // 40], found[-1 - DRAWN // 40]
        return [round(base + each) for each in (estimate[upper] - estimate[lower], *ends)]

    return {
        "ratings": {level: interval(level, NAMES[0], LOWEST) for level in NAMES},
        "steps": {upper: interval(upper, lower, 0) for lower, upper in pairwise(NAMES)},
    }


def row(series: Series, scale: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a level won against another one, and what it should by the ratings."""
    upper, lower = series.study.bots
    share = wilson(sum(series.blocks), series.games)
    ahead = scale["ratings"][upper][0] - scale["ratings"][lower][0]
    return {
        "games": series.games,
        "seed": series.study.seed,
        "won": [round(100 * each, 1) for each in (share.estimate, share.low, share.high)],
        "rated": round(100 * share_at(ahead, series.study.players), 1),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Play what is missing, and write the ratings down."""
    given = parse(__doc__, argv, "folder", seed=90000)
    known = [played(study, given.folder, given.jobs) for study in studies(given.seed)]
    scales = {
        str(players or "all"): figures(
            [each for each in known if players in (0, each.study.players)], random.Random(players)
        )
        for players in (0, *SITES)
    }
    series = defaultdict[str, dict[int, Any]](dict)
    for each in known:
        players = each.study.players
        series[" ".join(each.study.bots)][players] = row(each, scales[str(players)])
    bots = {level: LEVELS.get(level, level) for level in NAMES}
    written = {"bots": bots, "scales": scales, "series": series}
    RATINGS.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
