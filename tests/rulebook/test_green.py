"""The green characters: goods for icons, whatever lies around; the rest are examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valletta_rules import (
    Character,
    GameState,
    Good,
    Goods,
    PlayCard,
    SiteSet,
    transition,
)
from valletta_rules.components.display import SITES
from valletta_rules.events import CardPlayed, EffectFizzled, GoodsTaken
from valletta_rules.specification.worked_examples import position_of
from valletta_rules.text.values import SEATS

GREEN = {
    Character.BANKER: (Good.GOLD, "GRN-1"),
    Character.WOODWORKER: (Good.WOOD, "GRN-2"),
    Character.CARVER: (Good.STONE, "GRN-3"),
    Character.MASON: (Good.BRICK, "GRN-4"),
}


@st.composite
def positions_with_buildings(draw: st.DrawFn) -> GameState:
    """Draw a position in which anybody owns buildings, upgraded or not, of any display."""
    players = draw(st.integers(2, 4))
    active = draw(st.sampled_from(SEATS[:players]))
    hand = {"hand": "maid, banker, woodworker, carver, mason"}
    state = position_of({"players": players, "active": active, active: hand})
    display = draw(st.permutations(state.display))
    owners = draw(st.lists(st.integers(0, 2 * players), min_size=SITES[players]))
    for seat, player in enumerate(state.players):
        built = [site for site in range(SITES[players]) if owners[site] // 2 == seat][:8]
        upgraded = [site for site in built if owners[site] % 2]
        mine = player.replace(built=SiteSet.of(*built), upgraded=SiteSet.of(*upgraded))
        state = state.with_player(seat, mine)
    return state.replace(display=tuple(display))


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4", "GRN-5")
@given(state=positions_with_buildings(), card=st.sampled_from(sorted(GREEN)))
def test_a_green_card_takes_a_good_for_each_icon(state: GameState, card: Character) -> None:
    """It counts each of the player's buildings, whatever its colour and cost, upgraded ones twice.

    Nobody else's count, nor those on sites where nobody has built.
    """
    good, clause = GREEN[card]
    seat = state.active
    player = state.players[seat]
    icons = [state.display[site].icon for site in (*player.built, *player.upgraded)]
    step = transition(state, PlayCard(card))
    taken = Goods.of(good, icons.count(good))
    assert step.state.players[seat].goods == taken
    happened = GoodsTaken(seat, taken, clause) if taken.total else EffectFizzled(seat, card)
    assert step.events == (CardPlayed(seat, card), happened)
    others = [step.state.players[other] for other in state.opponents_of(seat)]
    assert others == [state.players[other] for other in state.opponents_of(seat)]
