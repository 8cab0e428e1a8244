"""Try all numbers of the planner's value at once: `python docs/studies/tune.py FILE`.

In every game one planner, in each seat by turns, has each number of the value a bit greater or a
bit less, as lots have it; the others have the value as it is.  How many points it was ahead where a
number was greater, compared with where it was less, tells what that number does, and every game
tells it of all numbers.  Games are kept in the file, a line each; interrupted, the same command
goes on.  What to make of the effects is for people: go some way, and try again.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any, Final

import attrs

from valletta_rules import PlayerView, apply, new_game, outcome, resolve_chance, view
from valletta_rules.bots import value
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.protocol import MOST_TURNS
from valletta_rules.bots.value import Forecast

SOURCE: Final = Path(value.__file__)
"""What holds the numbers: each that is written with a point."""


@attrs.frozen
class Trial:
    """What is tried, but for the lots."""

    players: int
    beam: int
    spread: float
    """How much greater or less the numbers are: by this power of e."""


@attrs.frozen
class Game:
    """A game that was played."""

    number: int
    signs: tuple[int, ...]
    """Of each number, whether it was greater, 1, or less, -1."""
    seat: int
    lead: int
    """How many points ahead of the best of the others the planner with these numbers was."""


class Varying(ast.NodeTransformer):
    """Goes through all numbers of a module that have a point, in the order of the text."""

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
def varied(factors: tuple[float, ...]) -> ModuleType:
    """Return the value with other numbers."""
    module = ModuleType("valletta_rules.bots.varied_value")
    sys.modules[module.__name__] = module  # where classes look for themselves
    tree = ast.fix_missing_locations(Varying(factors).visit(ast.parse(SOURCE.read_text("utf-8"))))
    exec(compile(tree, SOURCE, "exec"), module.__dict__)
    return module


class VariedPlanner(PlannerBot):
    """A planner whose value has other numbers."""

    factors: tuple[float, ...] = ()

    def forecast(self, seen: PlayerView) -> Forecast:
        """Return the forecast of a game by these numbers."""
        module: Any = varied(self.factors)
        found: Forecast = module.forecast_of(seen.table.display, len(seen.table.players))
        return found


def play(trial: Trial, number: int) -> Game:
    """Play a game: its number decides everything."""
    lots = random.Random(f"numbers {number}")
    signs = tuple(lots.choice((-1, 1)) for _ in numbers())
    seat = number % trial.players
    bots = [PlannerBot(random.Random(number), trial.beam) for _ in range(trial.players)]
    bots[seat] = mine = VariedPlanner(random.Random(number), trial.beam)
    mine.factors = tuple(math.exp(trial.spread * sign) for sign in signs)
    state = resolve_chance(new_game(trial.players), lots)
    for _ in range(10 * MOST_TURNS):
        if state.prompt is None or state.prompt.seat is None:
            break
        asked = state.prompt.seat
        state = resolve_chance(apply(state, bots[asked].decide(view(state, asked))), lots)
    end = outcome(state)
    points = [0] * trial.players if end is None else [score.total for score in end.scores]
    own = points.pop(seat)
    return Game(number, signs, seat, own - max(points))


def effects(games: Sequence[Game], players: int) -> Iterator[tuple[str, float, float]]:
    """Return what the planner is ahead, then what each number does to that; with standard errors.

    What a seat is worth is left out of account.
    """
    leads = [[game.lead for game in games if game.seat == seat] for seat in range(players)]
    usual = [fmean(lead) for lead in leads]
    beyond = [game.lead - usual[game.seat] for game in games]
    error = stdev(beyond) / math.sqrt(len(games))
    yield "ahead, with numbers by lot", fmean(usual), error
    for place, name in enumerate(numbers()):
        signed = [lead * game.signs[place] for lead, game in zip(beyond, games, strict=True)]
        yield name, fmean(signed), error


def read(file: Path) -> list[Game]:
    """Return the games that a file holds; none if there is no such file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    found = [Game(**json.loads(line)) for line in lines]
    if any(len(game.signs) != len(numbers()) for game in found):
        raise SystemExit(f"{file} is of a value with other numbers")
    return found


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
    trial = Trial(given.players, given.beam, given.spread)
    games = read(given.file)
    missing = range(len(games), given.games)
    with (
        executor or ProcessPoolExecutor(given.jobs) as pool,
        given.file.open("a", encoding="utf-8") as lines,
    ):
        for game in pool.map(play, [trial] * len(missing), missing):
            games.append(game)
            print(json.dumps(attrs.asdict(game)), file=lines, flush=True)
            print(f"\r{len(games)} of {given.games} games", end="", file=sys.stderr)
    ahead, *found = effects(games, given.players)
    for name, effect, error in [ahead, *sorted(found, key=lambda each: -abs(each[1]))]:
        print(f"{effect:+6.2f} ± {error:.2f}  {name}")


if __name__ == "__main__":
    main()
