"""The blue characters: what holds whatever anybody owns; the rest are examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valletta_rules import (
    Character,
    GameState,
    GiveGood,
    Good,
    Goods,
    PlayCard,
    apply,
    legal_actions,
)
from valletta_rules.agenda import PlayerPrompt, PlayPrompt
from valletta_rules.specification.worked_examples import action_of, position_of
from valletta_rules.text.values import SEATS


def owned(draw: st.DrawFn) -> Goods:
    """Draw goods that are just enough, or not."""
    return Goods(*(draw(st.integers(0, 4)) for _ in Good))


@st.composite
def positions_with_goods(draw: st.DrawFn) -> GameState:
    """Draw a position of three or four players, of whom everybody may own goods."""
    players = draw(st.integers(3, 4))
    active = draw(st.sampled_from(SEATS[:players]))
    hand = {"hand": "maid, monk, innkeeper, tax_collector"}
    state = position_of({"players": players, "active": active, active: hand})
    for seat, player in enumerate(state.players):
        state = state.with_player(seat, player.replace(goods=owned(draw)))
    return state


def due(character: Character, goods: Goods) -> int:
    """Return how many goods somebody with some goods must give."""
    match character:
        case Character.MONK:
            return int(goods.total >= 4)
        case Character.INNKEEPER:
            return int(goods.gold >= 2)
        case _:
            return sum(count >= 3 for count in (goods.wood, goods.stone, goods.brick))


@pytest.mark.rule("BLU-1", "BLU-3", "BLU-23", "BLU-30")
@given(
    positions_with_goods(),
    st.sampled_from([Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR]),
)
def test_opponents_who_own_enough_give(state: GameState, card: Character) -> None:
    """Each opponent gives as many goods as the card asks, clockwise; the player takes them all."""
    seat, before = state.active, state
    state = apply(state, PlayCard(card))
    asked = []
    while isinstance(state.prompt, PlayerPrompt) and GiveGood in state.prompt.answers:
        asked.append(state.prompt.seat)
        state = apply(state, legal_actions(state)[0])
    dues = {other: due(card, before.players[other].goods) for other in before.opponents_of(seat)}
    given_by = {
        other: before.players[other].goods.total - state.players[other].goods.total
        for other in dues
    }
    assert given_by == dues
    assert asked == [other for other, count in dues.items() if count and card is Character.MONK]
    gained = state.players[seat].goods.total - before.players[seat].goods.total
    assert gained == sum(dues.values())


@pytest.mark.rule("BLU-5", "BLU-25", "BLU-32")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("play", [("monk", "give gold"), ("innkeeper",), ("tax_collector",)])
def test_no_extra_good_with_more_players(play: tuple[str, ...], players: int) -> None:
    """With three or four players there is no extra good after the gifts."""
    red, blue = {"hand": f"{play[0]}, maid"}, {"goods": "3 gold, 3 wood"}
    state = position_of({"players": players, "red": red, "blue": blue})
    for text in play:
        state = apply(state, action_of(state, text))
    assert state.prompt == PlayPrompt(0, 2)
    assert state.players[0].goods.total == 1
