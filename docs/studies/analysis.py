"""Analyse series of games between bots: `python docs/studies/analysis.py --games 100`.

Prints what the answers of each bot lose, the rows of the table in the documentation, and how often
the seat won that had more luck.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Final

sys.path.append(str(Path(__file__).parents[2]))

from valletta_rules import Record, Session, view
from valletta_rules.analysis import Grade, Summary, analyse
from valletta_rules.bots import make_bot
from valletta_rules.studies.statistics import wilson

SERIES: Final = (
    ("random", "strong"),
    ("strong", "strong"),
    ("novice", "club"),
    ("automatic", "master"),
)
"""The bots of each series; the first one starts in every second game."""


def play(bots: Sequence[str], seed: int) -> Record:
    """Return the record of a game between bots."""
    session = Session(len(bots), seed=seed)
    players = [make_bot(bot, random.Random(f"{seed} {seat}")) for seat, bot in enumerate(bots)]
    while session.prompt is not None:
        seat = session.prompt.seat
        assert seat is not None, "chance is resolved"
        session.play(players[seat].decide(view(session.state, seat)))
    return session.record


def row(bot: str, games: Sequence[Summary]) -> str:
    """Return a row of the table: what the answers of a bot lose."""
    lost = sorted(each.lost_points / each.decisions for each in games)
    grades = [f"{fmean(each.grades[grade] for each in games):.1f}" for grade in Grade][1:]
    figures = [f"{each:.2f}" for each in (fmean(lost), lost[0], lost[-1])]
    return f"{bot:10} {len(games):5} {figures[0]} [{figures[1]}, {figures[2]}] {' '.join(grades)}"


def main(argv: Sequence[str] | None = None) -> None:
    """Play and analyse the series, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="in each series (default: 100)")
    parser.add_argument("--seed", type=int, default=70_000, help="of the first (default: 70000)")
    given = parser.parse_args(argv)
    for number, series in enumerate(SERIES):
        found: dict[str, list[Summary]] = {bot: [] for bot in series}
        spent, lucky = 0.0, list[float]()
        for game in range(given.games):
            bots = series[:: -1 if game % 2 else 1]
            record = play(bots, given.seed + 1000 * number + game)
            begun = process_time()
            analysis = analyse(record)
            spent += process_time() - begun
            luckiest = max(analysis.summaries, key=lambda each: each.luck_chance)
            lucky.append(analysis.course[-1].chances[luckiest.seat])
            for summary in analysis.summaries:
                found[bots[summary.seat]].append(summary)
        for bot, games in found.items():
            print(row(bot, games))
        won = wilson(sum(lucky), len(lucky))
        print(f"with more luck {won.estimate:.2f} [{won.low:.2f}, {won.high:.2f}]")
        print(f"{spent / given.games:.2f} CPU seconds an analysis", flush=True)


if __name__ == "__main__":
    main()
