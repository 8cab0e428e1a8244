"""The opening book: how seats fared that began a game in some way, from the study of the game.

It knows which extra good a seat chose, which was left to chance, so that the choice is the cause of
the result; and the first two buildings of a seat, which its bot chose, so that who could afford a
building early may have been ahead anyway.
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
"""The file of the book, which `docs/studies/make.py` writes."""

LEAST: Final = 30
"""From how many seats on the book tells how they fared."""


@attrs.frozen
class Experience(Value):
    """How many seats began so, and how they fared."""

    seats: int
    beyond: float
    """By how much their share of the victory exceeds what their seats have on average."""
    margin: float
    """How far the interval of 95 % around that reaches to either side."""


@attrs.frozen
class Fortune(Value):
    """How a seat fared that any bot of the games might have had."""

    share: float
    """Its share of the victory."""
    points: float
    """Its points, on average."""


@attrs.frozen
class Openings(Value):
    """How seats began games with a number of players and a kind of opening, and how they fared."""

    players: int
    opening: str
    """The kind, as `opening_of` names it."""
    games: int
    """How many games were played whose seats and buildings are told."""
    seats: tuple[Fortune, ...]
    """What each seat is worth, in the order of their first turns."""
    drafts: tuple[dict[Good, Experience], ...]
    """The extra goods, seat by seat, of other games; nothing without a draft."""
    houses: tuple[dict[Character, Experience], ...]
    """The first buildings of all seats, and the second ones, by the characters they bring."""


@attrs.frozen
class Book(Value):
    """The opening book."""

    cards: str
    """The card set, as `valletta_rules.card_sets.built_in.write_any_cards` writes it."""
    bot: str
    """The bot that played the games against itself."""
    cells: tuple[Openings, ...]


CONVERTER: Final = Converter(detailed_validation=False)
"""Turns the book into plain values and back."""
for figures in (Experience, Fortune):
    CONVERTER.register_unstructure_hook(figures, attrs.astuple)
    CONVERTER.register_structure_hook(figures, lambda row, kind: kind(*row))


@cache
def read_book() -> Book:
    """Return the book."""
    return CONVERTER.structure(json.loads(BOOK.read_text("utf-8")), Book)


def opening_of(rules: RuleSet) -> str:
    """Return the name of the opening of a rule set."""
    if rules.start_player_variant:
        return "start-player variant"
    return "draft, staggered" if rules.has_staggered_start else "draft"


def find_openings(players: int, opening: str) -> Openings:
    """Return what the book says of such games.

    Raises `LookupError` for a number of players or an opening that does not exist.
    """
    for each in read_book().cells:
        if (each.players, each.opening) == (players, opening):
            return each
    raise LookupError(f"the book has no games of {players} players with the opening {opening!r}")


def known_of(rules: RuleSet, cards: CardSet, players: int) -> Openings | None:
    """Return what the book says of games by some rules; `None` if it is about other cards."""
    if name_built_in_cards(cards) != read_book().cards:
        return None
    return find_openings(players, opening_of(rules))
