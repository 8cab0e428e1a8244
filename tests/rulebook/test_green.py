"""The green characters: goods for icons, whatever lies around; the rest are examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rulebook.holdings import positions_with_buildings
from valletta_rules import Character, GameState, Good, Goods, PlayCard, transition
from valletta_rules.events import CardPlayed, EffectFizzled, GoodsTaken

GREEN = {
    Character.BANKER: (Good.GOLD, "GRN-1"),
    Character.WOODWORKER: (Good.WOOD, "GRN-2"),
    Character.CARVER: (Good.STONE, "GRN-3"),
    Character.MASON: (Good.BRICK, "GRN-4"),
}


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4", "GRN-5")
@given(
    state=positions_with_buildings(hand="maid, banker, woodworker, carver, mason"),
    card=st.sampled_from(sorted(GREEN)),
)
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
    for other in state.opponents_of(seat):
        assert step.state.players[other] == state.players[other]
