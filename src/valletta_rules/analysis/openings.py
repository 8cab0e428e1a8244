"""The opening book: the results of each first choice in games that a bot played against itself.

The choices are the extra good of a seat and its first two buildings.  In the games that compare
extra goods, the goods were drawn at random, so different results are due to the goods.  Buildings
were chosen by the bot, so a seat that could afford a building early may have been ahead for other
reasons.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final

import attrs
from cattrs import Converter

from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.components import CardSet, Character, Good, Value, need
from valletta_rules.rulings import RuleSet

BOOK: Final = resources.files("valletta_rules") / "analysis" / "openings.json"
"""The file that contains the opening book; `docs/studies/make.py` writes it."""

LEAST: Final = 30
"""The documentation shows the results of choices that at least `LEAST` seats made."""


@attrs.frozen
class Experience(Value):
    """The results of all seats that made the same first choice, such as the same first building."""

    seats: int
    beyond: float
    """The win rate of these seats, minus the usual win rate for their places in the turn order."""
    margin: float
    """Half the width of the 95 % confidence interval around `beyond`."""


@attrs.frozen
class Fortune(Value):
    """The mean results of one seat, such as the start player's."""

    share: float
    """The seat's win rate, from 0 to 1."""
    points: float
    """The seat's mean points."""


@attrs.frozen
class Openings(Value):
    """The results for one number of players and one kind of opening, by first choice."""

    players: int
    opening: str
    """The kind of opening, as returned by `opening_of`."""
    games: int
    """The number of games that contributed to `seats` and `houses`."""
    seats: tuple[Fortune, ...]
    """The mean results of the seats, in the order of their first turns."""
    drafts: tuple[dict[Good, Experience], ...]
    """For each seat, the results by extra good; empty if the opening has no draft.  The results are
    from additional games, which `games` does not count.
    """
    houses: tuple[dict[Character, Experience], ...]
    """The results by first building, and the results by second building, keyed by character."""


@attrs.frozen
class Book(Value):
    """The opening book as it is stored in the package."""

    cards: str
    """The card set, as text from `valletta_rules.card_sets.built_in.write_any_cards`."""
    bot: str
    """The bot that played the games against itself."""
    cells: tuple[Openings, ...]


CONVERTER: Final = Converter(detailed_validation=False)
"""The converter between a `Book` and plain JSON values."""
for figures in (Experience, Fortune):
    CONVERTER.register_unstructure_hook(figures, attrs.astuple)
    CONVERTER.register_structure_hook(figures, lambda row, kind: kind(*row))


@cache
def read_book() -> Book:
    """Read the opening book from the package, and return it."""
    return CONVERTER.structure(json.loads(BOOK.read_text("utf-8")), Book)


def opening_of(rules: RuleSet) -> str:
    """Return a rule set's opening: "draft", "draft, staggered" or "start-player variant"."""
    need(rules, RuleSet, "a rule set")
    if rules.start_player_variant:
        return "start-player variant"
    return "draft, staggered" if rules.has_staggered_start else "draft"


def find_openings(players: int, opening: str) -> Openings:
    """Return the results in the opening book for a number of players and a kind of opening.

    Raises `LookupError` for a number of players or a kind of opening that is not in the book.
    """
    for each in read_book().cells:
        if (each.players, each.opening) == (players, opening):
            return each
    raise LookupError(f"not in the opening book: {players} players with the opening {opening!r}")


def known_of(rules: RuleSet, cards: CardSet, players: int) -> Openings | None:
    """Return the results in the opening book for a game; `None` for another card set."""
    if name_built_in_cards(cards) != read_book().cards:
        return None
    return find_openings(players, opening_of(rules))
