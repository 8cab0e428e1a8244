"""Try all numbers of the planner's value at once: `python docs/studies/tune.py FILE`.

In every game one planner, in each seat in turn, has each number of the value a bit greater or a bit
smaller, at random; the others have the value as it is.  The difference between its lead in games in
which a number was greater and in those in which it was smaller is the effect of that number, and
every game counts for all numbers.  Games are kept in the file, a line each; interrupted, the same
command goes on.  People decide what to make of the effects: change the numbers a little, and try
again.

The options are the games, the players, the beam of all planners, how much the numbers vary, and how
many games are played at a time.
"""

from __future__ import annotations

import ast
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any, Final

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse, seating
from valletta_rules import PlayerView
from valletta_rules.bots import value
from valletta_rules.bots.value import Forecast
from valletta_rules.studies import Job, play_game

SOURCE: Final = Path(value.__file__)
"""The module with the numbers: all that are written with a decimal point."""

GameSample = dict[str, Any]
"""A game that was played: ``signs``, of each number 1 if it was greater and -1 if it was smaller;
``seat`` of the planner with these numbers; its ``lead`` over the best of the others, in points."""


class Varying(ast.NodeTransformer):
    """Visits all numbers of a module that have a decimal point, in the order of the text."""

    def __init__(self, factors: Sequence[float] = ()) -> None:
        """Take the factor for each number; none to collect them only."""
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


def play(players: int, beam: int, spread: float, number: int) -> GameSample:
    """Play a game, which its number determines; `spread` says how much the numbers vary."""
    lots, seat = random.Random(f"numbers {number}"), number % players
    signs = [lots.choice((-1, 1)) for _ in numbers()]
    module = varied(tuple(math.exp(spread * sign) for sign in signs))

    def forecast(seen: PlayerView) -> Forecast:
        found: Forecast = module.forecast_of(seen.table.display, len(seen.table.players))
        return found

    bots = [f"planner:beam={beam}"] * players
    bots[seat] = "varied"
    points = [*play_game(Job(bots, number), seating("varied", forecast, beam)).result.points]
    return {"signs": signs, "seat": seat, "lead": points.pop(seat) - max(points)}


def effects(games: Sequence[GameSample], players: int) -> Iterator[tuple[str, float, float]]:
    """Return the planner's lead, then the effect of each number on it, with standard errors.

    The advantage of each seat is subtracted.
    """
    usual = [fmean(g["lead"] for g in games if g["seat"] == seat) for seat in range(players)]
    beyond = [game["lead"] - usual[game["seat"]] for game in games]
    error = stdev(beyond) / math.sqrt(len(games))
    yield "ahead, with numbers at random", fmean(usual), error
    for place, name in enumerate(numbers()):
        signed = [lead * game["signs"][place] for lead, game in zip(beyond, games, strict=True)]
        yield name, fmean(signed), error


def main(argv: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Play the missing games, and print the effects of the numbers, the clearest first."""
    given = parse(__doc__, argv, "file", games=2000, players=2, beam=8, spread=0.2)
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
