"""Goods that cards bring, counted on the buildings of any position."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import asks, positions, scaled
from valletta_rules import (
    Building,
    Character,
    Colour,
    Event,
    GameState,
    Good,
    Goods,
    PlayCard,
    transition,
)
from valletta_rules.agenda import PlayPrompt
from valletta_rules.events import CardPlayed, EffectFizzled, GoodsTaken

Houses = Sequence[tuple[Building, bool]]
"""The buildings of a player, and whether they are upgraded."""


def icons(good: Good) -> Callable[[Houses], int]:
    """Return what counts the icons of a good, those of upgraded buildings twice."""
    return lambda houses: sum(1 + upgraded for each, upgraded in houses if each.icon is good)


def of_colour(colour: Colour) -> Callable[[Houses], int]:
    """Return what counts the buildings of a colour, upgraded or not."""
    return lambda houses: sum(each.colour is colour for each, _ in houses)


GOODS = {
    Character.BANKER: ("GRN-1", Good.GOLD, icons(Good.GOLD)),
    Character.WOODWORKER: ("GRN-2", Good.WOOD, icons(Good.WOOD)),
    Character.CARVER: ("GRN-3", Good.STONE, icons(Good.STONE)),
    Character.MASON: ("GRN-4", Good.BRICK, icons(Good.BRICK)),
    Character.CHAMBERLAIN: ("BLU-19", Good.GOLD, of_colour(Colour.GREEN)),
}
"""By which clause a card takes which good, and what it counts."""


def played(state: GameState, card: Character) -> tuple[Houses, Event]:
    """Return the buildings of the player on turn, and what a card of theirs does."""
    player = state.players[state.active]
    state = state.with_player(state.active, player.replace(hand=player.hand.plus(card)))
    houses = [(state.display[site], site in player.upgraded) for site in player.built]
    playing, happened, *_ = transition(state, PlayCard(card)).events
    assert playing == CardPlayed(state.active, card)
    return houses, happened


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4", "BLU-19")
@scaled(3)
@given(positions(asks(PlayPrompt)), st.sampled_from(list(GOODS)))
def test_goods_are_counted_on_ones_buildings(state: GameState, card: Character) -> None:
    """Green cards count icons, upgraded ones twice, and the Chamberlain counts green buildings."""
    clause, good, count = GOODS[card]
    houses, happened = played(state, card)
    taken = GoodsTaken(state.active, Goods.of(good, count(houses)), clause)
    assert happened == (taken if count(houses) else EffectFizzled(state.active, card))
