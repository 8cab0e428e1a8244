"""The opening book: how well players fared with each first choice, from games of the study.

The choices are the extra good of a seat and its first two buildings.  In the study the extra good
was drawn at random, so differences in results are caused by the good.  The buildings were chosen by
the bot, so a seat that could afford a building early may have been ahead for other reasons.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final

import attrs
from cattrs import Converter

from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.components import CardSet, Character, Good, Value
from valletta_rules.rulings import RuleSet

BOOK: Final = resources.files("valletta_rules") / "analysis" / "openings.json"
"""The file that contains the opening book; `docs/studies/make.py` writes it."""

LEAST: Final = 30
"""The minimum number of seats with a choice; the book omits the results of rarer choices."""


@attrs.frozen
class Experience(Value):
    """The results of all seats that made a certain first choice."""

    seats: int
    beyond: float
    """The difference between their share of the victories and the usual share of their seats."""
    margin: float
    """Half the width of the confidence interval of 95 % around `beyond`."""


@attrs.frozen
class Fortune(Value):
    """The mean results in one seat, such as the seat of the start player."""

    share: float
    """The seat's share of the victories."""
    points: float
    """The seat's mean points."""


@attrs.frozen
class Openings(Value):
    """The results by first choice for one number of players and one kind of opening."""

    players: int
    opening: str
    """The kind of opening, as returned by `opening_of`."""
    games: int
    """The number of games from which `seats` and `houses` were counted."""
    seats: tuple[Fortune, ...]
    """The mean results of the seats, in the order of their first turns."""
    drafts: tuple[dict[Good, Experience], ...]
    """For each seat, the results by extra good, counted in other games; empty without a draft."""
    houses: tuple[dict[Character, Experience], ...]
    """The results by first building, and by second building; the keys are characters."""


@attrs.frozen
class Book(Value):
    """The opening book as it is stored in the package."""

    cards: str
    """The card set, in the form of `valletta_rules.card_sets.built_in.write_any_cards`."""
    bot: str
    """The bot that played the games against itself."""
    cells: tuple[Openings, ...]


CONVERTER: Final = Converter(detailed_validation=False)
"""The converter between the book and plain values."""
for figures in (Experience, Fortune):
    CONVERTER.register_unstructure_hook(figures, attrs.astuple)
    CONVERTER.register_structure_hook(figures, lambda row, kind: kind(*row))


@cache
def read_book() -> Book:
    """Return the opening book of the package."""
    return CONVERTER.structure(json.loads(BOOK.read_text("utf-8")), Book)


def opening_of(rules: RuleSet) -> str:
    """Return the name of the kind of opening that a rule set has."""
    if rules.start_player_variant:
        return "start-player variant"
    return "draft, staggered" if rules.has_staggered_start else "draft"


def find_openings(players: int, opening: str) -> Openings:
    """Return the part of the book for games with a number of players and a kind of opening.

    Raises `LookupError` for a number of players or an opening that does not exist.
    """
    for each in read_book().cells:
        if (each.players, each.opening) == (players, opening):
            return each
    raise LookupError(f"the book has no games of {players} players with the opening {opening!r}")


def known_of(rules: RuleSet, cards: CardSet, players: int) -> Openings | None:
    """Return the part of the book for games with `rules`; `None` if the book has other cards."""
    if name_built_in_cards(cards) != read_book().cards:
        return None
    return find_openings(players, opening_of(rules))
