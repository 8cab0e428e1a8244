"""What is written in pictures of a game: a value that every language has."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from valletta_rules.components.characters import Colour
from valletta_rules.state import Phase


@attrs.frozen(kw_only=True)
class Captions:
    """What is written in pictures; ``{}`` stands where something is filled in."""

    code: str
    """The code of the language, as pages name it: ``en``."""
    game: str
    """That it is a game, and how far it has come."""
    table: str
    """That it is what lies on the table, and how far the game has come."""
    status: str
    """The rules, the number of players, the phase."""
    phases: Mapping[Phase, str]
    """What the parts of a game are called."""
    seen_by: str
    """Whose view it is."""
    spectator: str
    """Somebody who has no seat."""
    over: str
    """That the game is over, and who has won."""
    asked: str
    """That it is for this player to answer."""
    on_turn: str
    """That it is this player's turn."""
    piles: str
    """How many cards are in the hand, in the draw pile, and discarded."""
    houses_left: str
    """How many houses are not yet built."""
    site: str
    """A site by its number."""
    valette: str
    """On which space Valette stands."""
    tower: str
    """That Valette stands on the tower."""
    barrels: str
    """The goods in the barrels that are still closed."""
    played: str
    """The cards played this turn."""
    draw_pile: str
    """The cards of a draw pile."""
    hidden: str
    """The cards of a hand and a draw pile together."""
    discard_pile: str
    """The cards of a discard pile."""
    free: str
    """That nobody has built there."""
    upgraded: str
    """That a building is turned to its upgraded side."""
    card_colours: Mapping[Colour, str]
    """What the colours of cards and buildings are called."""
    seat_colours: Mapping[str, str]
    """What the colours are called that players can choose, which are named in English."""
    street: str
    """The street, for how many players and by which rules."""
    street_told: str
    """How long the street is and how it is parted, how many barrels lie on it, and where."""
    every_space: str
    """That they lie on every space."""
    some_spaces: str
    """That they lie on some spaces."""
    area: str
    """An area of the street by its number, with its first and its last space."""
    track: str
    """The score track."""
    scored: str
    """A player, what he has scored, and where his figure stands."""
    before_the_track: str
    """That a figure has not come to a space yet."""
    on_space: str
    """That a figure is on a space."""
    with_tokens: str
    """That there are tokens for completed rounds as well, worth so much."""
    display: str
    """The display, for how many players."""
    display_told: str
    """How many sites there are, in rows of how many; the rows above the street, and those below."""
    row_told: str
    """A row by its first and its last site."""
    neighbours: str
    """A site, and the sites that are next to it."""
    row: str
    """A row by its number."""
