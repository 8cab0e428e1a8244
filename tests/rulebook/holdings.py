"""Positions in which anybody owns any buildings, for cards that count them."""

from __future__ import annotations

from hypothesis import strategies as st

from valletta_rules import GameState, SiteSet
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.display import SITES
from valletta_rules.specification.worked_examples import position_of
from valletta_rules.text.values import SEATS


@st.composite
def positions_with_buildings(draw: st.DrawFn, hand: str) -> GameState:
    """Draw a position in which everybody may own buildings, upgraded or not, of any display.

    Takes the hand of the player on turn, who is any of two to four players.
    """
    players = draw(st.integers(2, 4))
    active = draw(st.sampled_from(SEATS[:players]))
    state = position_of({"players": players, "active": active, active: {"hand": hand}})
    display = draw(st.permutations(state.display))
    owners = draw(st.lists(st.integers(0, 2 * players), min_size=SITES[players]))
    for seat, player in enumerate(state.players):
        built = [site for site in range(SITES[players]) if owners[site] // 2 == seat]
        built = built[:HOUSES_PER_PLAYER]
        upgraded = [site for site in built if owners[site] % 2]
        owner = player.replace(built=SiteSet.of(*built), upgraded=SiteSet.of(*upgraded))
        state = state.with_player(seat, owner)
    return state.replace(display=tuple(display))
