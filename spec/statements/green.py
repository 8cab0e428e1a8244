"""Green characters: formal statements of the clauses about them."""

from __future__ import annotations

from valletta_rules.components.goods import NOTHING, ONE, Goods
from valletta_rules.state import GameState

from . import defines


@defines("GRN-5", "GRN-6", "GRN-7")
def icons(state: GameState, seat: int) -> Goods:
    """Return the income icons on the player's buildings, twice those of an upgraded one."""
    me = state.players[seat]
    shown = [*me.built, *me.upgraded]
    return sum((ONE[state.display[site].icon] for site in shown), NOTHING)
