"""Compare the editions over a thousand games: does the start player have an advantage?

Automatic players play the same seeds under each edition, on all processors; a progress bar tells
how far they are, and a table what came out: how often each seat won, with the standard error,
its mean score, and how long a game takes.  A shared victory counts in parts.

It needs ``pip install ".[examples]"`` in a clone of the repository.
Run ``python examples/compare_editions.py [--games N] [--players N] [--start-player-variant]``.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from rich.console import Console
from rich.progress import track
from rich.table import Table

import valletta_rules as valletta
from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL, Z_MAN, Outcome, RuleSet
from valletta_rules.agenda import PlayPrompt
from valletta_rules.bots.automatic import choose


@dataclass(frozen=True)
class Result:
    """What is kept of a game."""

    rules: RuleSet
    outcome: Outcome
    plays: int
    """How many cards were played."""

    def share(self, seat: int) -> float:
        """Return the part of the victory that a seat has."""
        winners = self.outcome.winners
        return 1 / len(winners) if seat in winners else 0.0


def play(rules: RuleSet, players: int, seed: int) -> Result:
    """Play a game between automatic players; the seed decides everything."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players, rules=rules), rng)
    plays = 0
    while state.prompt is not None:
        plays += isinstance(state.prompt, PlayPrompt)
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    outcome = valletta.outcome(state)
    assert outcome is not None, "the game is over"
    return Result(rules, outcome, plays)


def simulate(
    editions: Sequence[RuleSet], players: int, games: int, console: Console
) -> list[Result]:
    """Play this many games of each edition and show the progress."""
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        futures = [
            pool.submit(play, rules, players, seed) for seed in range(games) for rules in editions
        ]
        done = track(as_completed(futures), "Playing", len(futures), console=console)
        return [future.result() for future in done]


def tabulate(results: Sequence[Result], players: int) -> Table:
    """Return the table of what came out, edition by edition."""
    table = Table("Edition", "Games", title="Automatic players, win shares in %")
    for seat in range(players):
        table.add_column(f"Seat {seat} wins", justify="right")
    for heading in ("Mean scores", "Winner's score", "Cards played"):
        table.add_column(heading, justify="right")
    for rules in dict.fromkeys(result.rules for result in results):
        own = [result for result in results if result.rules == rules]
        shares = [fmean(result.share(seat) for result in own) for seat in range(players)]
        sheets = [[score.total for score in result.outcome.scores] for result in own]
        table.add_row(
            str(rules),
            str(len(own)),
            *(f"{share:.1%} ± {sqrt(share * (1 - share) / len(own)):.1%}" for share in shares),
            " / ".join(f"{fmean(totals):.1f}" for totals in zip(*sheets, strict=True)),
            f"{fmean(map(max, sheets)):.1f}",
            f"{fmean(result.plays for result in own):.0f}",
        )
    return table


def main() -> None:
    """Compare the three editions."""
    parser = argparse.ArgumentParser(description="Compare the editions over many games.")
    parser.add_argument(
        "--games", type=int, default=1000, help="how many games of each edition (default: 1000)"
    )
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--start-player-variant", action="store_true")
    arguments = parser.parse_args()
    editions = [
        rules.with_variants(start_player_variant=arguments.start_player_variant)
        for rules in (HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL)
    ]
    console = Console()
    results = simulate(editions, arguments.players, arguments.games, console)
    # Games end in any order; the table lists the editions always in the same.
    results.sort(key=lambda result: editions.index(result.rules))
    console.print(tabulate(results, arguments.players))


if __name__ == "__main__":
    main()
