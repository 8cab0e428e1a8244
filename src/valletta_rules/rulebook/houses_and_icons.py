"""Houses and icons: the owner of a building, and the icons on a player's buildings."""

from __future__ import annotations

from valletta_rules.components import Colour, Good
from valletta_rules.state import Board


def owner_of(board: Board, site: int) -> int | None:
    """Return the seat whose house is on a site, or `None` if the site is free.

    Rules: BLD-3, BLD-29
    """
    for seat, player in enumerate(board.players):
        if site in player.built:
            return seat
    return None


def icons(board: Board, seat: int, good: Good) -> int:
    """Return the number of icons of a good on a player's buildings. Upgraded buildings have two.

    Goods in construction costs are not icons. Buildings of all colours count.

    Rules: GRN-5, GRN-6, GRN-7
    """
    player, display = board.players[seat], board.display
    count = 0
    for site in player.built:
        if display[site].icon is good:
            count += 2 if site in player.upgraded else 1
    return count


def count_of_colour(board: Board, seat: int, colour: Colour) -> int:
    """Return the number of a player's buildings of a colour. Upgraded buildings count once.

    Rules: BLU-19, YEL-10, YEL-11, YEL-12
    """
    display = board.display
    return sum([display[site].colour is colour for site in board.players[seat].built])


def building_points(board: Board, seat: int) -> int:
    """Return the points for a player's buildings. Upgraded buildings count double.

    Rules: SCO-5, SCO-6
    """
    player = board.players[seat]
    return sum(board.display[site].points for site in (*player.built, *player.upgraded))
