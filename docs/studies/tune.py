"""Try all numbers of the planner's value at once: `python docs/studies/tune.py FILE`.

In every game one planner, in each seat in turn, has each number of the value a bit greater or a bit
smaller, at random; the others have the value as it is.  How many points it was ahead where a number
was greater, compared with where it was smaller, tells what that number does, and every game tells
it of all numbers.  Games are kept in the file, a line each; interrupted, the same command goes on.
What to make of the effects is for people: go some way, and try again.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any, Final

from valletta_rules import PlayerView
from valletta_rules.bots import Bot, make_bot, value
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.value import Forecast
from valletta_rules.studies import Job, play_game

SOURCE: Final = Path(value.__file__)
"""What holds the numbers: each that is written with a decimal point."""

GameSample = dict[str, Any]
"""A game that was played: ``signs``, of each number 1 if it was greater and -1 if it was smaller;
``seat`` of the planner with these numbers; its ``lead`` over the best of the others, in points."""


class Varying(ast.NodeTransformer):
    """Goes through all numbers of a module that have a decimal point, in the order of the text."""

    def __init__(self, factors: Sequence[float] = ()) -> None:
        """Take by how much each is to be multiplied; none to look at them only."""
        self.factors, self.met = factors, list[ast.Constant]()

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Note a number, and change it."""
        if not isinstance(node.value, float) or not node.value:
            return node
        self.met.append(node)
        factor = self.factors[len(self.met) - 1] if self.factors else 1.0
        return ast.copy_location(ast.Constant(node.value * factor), node)


def numbers() -> list[str]:
    """Return the numbers of the value, each by its line, what stands there, and itself."""
    text, varying = SOURCE.read_text("utf-8"), Varying()
    varying.visit(ast.parse(text))
    lines = text.splitlines()
    return [
        f"{node.lineno}: {lines[node.lineno - 1].strip()[:60]} [{node.value!r}]"
        for node in varying.met
    ]


@lru_cache(maxsize=1)
def varied(factors: tuple[float, ...]) -> Any:
    """Return the module of the value with other numbers."""
    module = ModuleType("varied_value")
    tree = ast.fix_missing_locations(Varying(factors).visit(ast.parse(SOURCE.read_text("utf-8"))))
    exec(compile(tree, SOURCE, "exec"), module.__dict__)
    return module


class VariedPlanner(PlannerBot):
    """A planner whose value has other numbers."""

    factors: tuple[float, ...] = ()

    def forecast(self, seen: PlayerView) -> Forecast:
        """Return the forecast of a game by these numbers."""
        module = varied(self.factors)
        found: Forecast = module.forecast_of(seen.table.display, len(seen.table.players))
        return found


def play(players: int, beam: int, spread: float, number: int) -> GameSample:
    """Play a game: its number decides everything; `spread` is by how much the numbers differ."""
    lots, seat = random.Random(f"numbers {number}"), number % players
    signs = [lots.choice((-1, 1)) for _ in numbers()]

    def make(spec: str, rng: random.Random) -> Bot:
        if spec != "varied":
            return make_bot(spec, rng)
        bot = VariedPlanner(rng, beam)
        bot.factors = tuple(math.exp(spread * sign) for sign in signs)
        return bot

    bots = [f"planner:beam={beam}"] * players
    bots[seat] = "varied"
    points = [*play_game(Job(bots, number), make).points]
    return {"signs": signs, "seat": seat, "lead": points.pop(seat) - max(points)}


def effects(games: Sequence[GameSample], players: int) -> Iterator[tuple[str, float, float]]:
    """Return what the planner is ahead, then what each number does to that; with standard errors.

    What a seat is worth is left out of account.
    """
    usual = [fmean(g["lead"] for g in games if g["seat"] == seat) for seat in range(players)]
    beyond = [game["lead"] - usual[game["seat"]] for game in games]
    error = stdev(beyond) / math.sqrt(len(games))
    yield "ahead, with numbers at random", fmean(usual), error
    for place, name in enumerate(numbers()):
        signed = [lead * game["signs"][place] for lead, game in zip(beyond, games, strict=True)]
        yield name, fmean(signed), error


def main(argv: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Play what is missing, and tell what the numbers do, the clearest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("file", type=Path, help="where the games are kept")
    add("--games", type=int, default=2000, help="how many games (default: 2000)")
    add("--players", type=int, default=2, choices=(2, 3, 4), help="(default: 2)")
    add("--beam", type=int, default=8, help="the beam of all planners (default: 8)")
    add("--spread", type=float, default=0.2, help="how much numbers vary (default: 0.2)")
    add("--jobs", type=int, default=1, help="games played at a time (default: 1)")
    given = parser.parse_args(argv)
    with (
        executor or ProcessPoolExecutor(given.jobs) as pool,
        given.file.open("a+", encoding="utf-8") as file,
    ):
        file.seek(0)
        games = [json.loads(line) for line in file]
        one = partial(play, given.players, given.beam, given.spread)
        for game in pool.map(one, range(len(games), given.games)):
            games.append(game)
            print(json.dumps(game), file=file, flush=True)
    ahead, *found = effects(games, given.players)
    for name, effect, error in [ahead, *sorted(found, key=lambda each: -abs(each[1]))]:
        print(f"{effect:+6.2f} ± {error:.2f}  {name}")


if __name__ == "__main__":
    main()
