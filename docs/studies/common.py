"""What the commands of the studies share: their options, and planners with a value of their own."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from valletta_rules import PlayerView
from valletta_rules.bots import Bot, make_bot
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.value import Forecast


def parse(
    about: str | None, argv: Sequence[str] | None, kept: str, **defaults: float | str
) -> argparse.Namespace:
    """Return the arguments of a command: where its games are kept, and options with defaults."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(kept, type=Path, help="where the games are kept")
    for name, usual in (defaults | {"jobs": 1}).items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"default: {usual}")
    return parser.parse_args(argv)


def seating(
    name: str, make_forecast: Callable[[PlayerView], Forecast], beam: int = 30
) -> Callable[[str, random.Random], Bot]:
    """Return a function that makes bots by name, one of them a planner with such a forecast."""

    class ForecastPlanner(PlannerBot):
        def forecast(self, seen: PlayerView) -> Forecast:
            return make_forecast(seen)

    def make(spec: str, rng: random.Random) -> Bot:
        return ForecastPlanner(rng, beam) if spec == name else make_bot(spec, rng)

    return make
