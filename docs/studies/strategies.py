"""Play ten one-sided strategies against a bot: `python docs/studies/strategies.py FOLDER`.

A strategy is a planner that likes some ends of its turn better than they are worth.  None should
win more than half of its games; if one does, the bot can be exploited, or the value is wrong.
Once a strategy has played the least number of games, it stops when it clearly loses.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from docs.studies.strength import kept, row
from valletta_rules import Building, Character, Colour
from valletta_rules.bots import Bot, make_bot
from valletta_rules.bots.amateur import AmateurBot
from valletta_rules.bots.features import Features, Owned, read
from valletta_rules.bots.turns import Line
from valletta_rules.bots.value import Forecast, Holdings
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.rulebook.characters import REDUCTIONS
from valletta_rules.studies import Study, play_game
from valletta_rules.studies.statistics import wilson


class End(NamedTuple):
    """What a strategy looks at: the end of a turn, as its player has it."""

    features: Features
    seat: int
    houses: Sequence[Building]
    holdings: Holdings

    @property
    def own(self) -> Owned:
        """What the player has."""
        return self.features.players[self.seat]

    def of(self, colour: Colour) -> int:
        """Return how many of the player's houses are of a colour."""
        return sum(house.colour is colour for house in self.houses)

    def cards(self, kinds: Sequence[Character]) -> int:
        """Return how many cards of some kinds are in the player's deck."""
        counts = self.own.deck.to_bytes(len(CHARACTERS), "little")
        return sum(counts[card.rank] for card in kinds)


STRATEGIES: Final[Mapping[str, Callable[[End], float]]] = MappingProxyType(
    {
        "yellow": lambda end: 8.0 * end.of(Colour.YELLOW) - 4.0 * len(end.houses),
        "green": lambda end: 3.0 * end.of(Colour.GREEN),
        "blue": lambda end: 3.0 * end.of(Colour.BLUE),
        "builders": lambda end: 3.0 * end.cards(tuple(REDUCTIONS)),
        "cheap": lambda end: sum([8.0 - house.cost.total for house in end.houses]),
        "dear": lambda end: sum([house.points - 6.0 for house in end.houses]),
        "upgrades": lambda end: 3.0 * end.holdings.upgrades,
        "one-good": lambda end: 2.0 * end.holdings.best,
        "gold": lambda end: 0.3 * end.own.gold,
        "valette": lambda end: 2.0 * end.features.valette,
    }
)
"""What each strategy likes, in points; the last one, that Valette comes far."""


class OneSidedBot(AmateurBot):
    """A planner that overlooks nothing, but adds what a strategy likes to the worth of a plan."""

    def __init__(self, rng: random.Random, strategy: str) -> None:
        """Take the bot's own generator, and the strategy by name."""
        super().__init__(rng, overlook=0)
        self._strategy = STRATEGIES[strategy]

    def _likes(self, plan: Line, forecast: Forecast, seat: int) -> float:
        """Return the worth of a plan as it appears to the strategy."""
        return plan.worth + self._strategy(end_of(read(plan.state), forecast, seat))


def end_of(features: Features, forecast: Forecast, seat: int) -> End:
    """Return what a strategy looks at."""
    own = features.players[seat]
    houses = [card for site, card in enumerate(forecast.display) if own.built >> site & 1]
    return End(features, seat, houses, forecast.holdings(own.built, own.upgraded))


def seated(name: str, rng: random.Random) -> Bot:
    """Return the bot of a strategy, or another bot, by its name."""
    return OneSidedBot(rng, name) if name in STRATEGIES else make_bot(name, rng)


def is_decided(games: Sequence[dict[str, Any]], least: int) -> bool:
    """Tell whether enough games have been played, at least some, to see that a strategy loses."""
    won = sum((game["seat"] in game["winners"]) / len(game["winners"]) for game in games)
    return len(games) >= least and wilson(won, len(games)).high < 1 / 2


def main(argv: Sequence[str] | None = None) -> None:
    """Play what is missing, and print the rows of the table in the documentation."""
    given = parse(__doc__, argv, "folder", against="strong", games=200, least=40, seed=60000)
    given.folder.mkdir(parents=True, exist_ok=True)
    for strategy in STRATEGIES:
        series = Study((strategy, given.against), games=given.games, seed=given.seed)
        file = given.folder / f"{strategy}-{given.against}-{given.seed}.jsonl"
        text = file.read_text("utf-8") if file.exists() else ""
        games = [*map(json.loads, text.splitlines())]
        with file.open("a", encoding="utf-8") as lines:
            while len(games) < series.size and not is_decided(games, given.least):
                number = len(games)
                games.append(kept(series, number, play_game(series.job(number), seated).result))
                print(json.dumps(games[-1]), file=lines, flush=True)
        print(row(series, games), flush=True)


if __name__ == "__main__":
    main()
