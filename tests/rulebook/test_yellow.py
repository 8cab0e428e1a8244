"""The yellow characters: what they count, and what a refusal says; the rest are examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rulebook.holdings import positions_with_buildings
from valletta_rules import Character, Colour, GameState, Good, PlayCard, check, transition
from valletta_rules.events import CardPlayed, EffectFizzled, PointsScored
from valletta_rules.specification.worked_examples import action_of, position_of


@pytest.mark.rule("YEL-10", "YEL-11", "YEL-12", "YEL-13")
@given(
    state=positions_with_buildings(hand="maid, philip, charles, pius"),
    card=st.sampled_from([Character.PHILIP, Character.CHARLES, Character.PIUS]),
)
def test_points_for_buildings(state: GameState, card: Character) -> None:
    """Philip II counts the player's green buildings, Charles V the blue ones, Pius V the upgraded.

    Each counts once.
    """
    player = state.players[state.active]
    colours = [state.display[site].colour for site in player.built]
    points, clause = {
        Character.PHILIP: (colours.count(Colour.GREEN), "YEL-10"),
        Character.CHARLES: (colours.count(Colour.BLUE), "YEL-11"),
        Character.PIUS: (len(player.upgraded), "YEL-13"),
    }[card]
    step = transition(state, PlayCard(card))
    assert step.state.players[state.active].score == points
    scored = PointsScored(state.active, points, clause)
    happened = scored if points else EffectFizzled(state.active, card)
    assert CardPlayed(state.active, card) in step.events
    assert happened in step.events


@pytest.mark.rule("YEL-1", "YEL-2")
@pytest.mark.parametrize(
    ("refused", "clause", "facts"),
    [
        ("return gold", "YEL-2", {"good": Good.GOLD}),
        ("return stone", "YEL-1", {"good": Good.STONE, "owned": 3}),
    ],
)
def test_what_the_architect_refuses_is_named(
    refused: str, clause: str, facts: dict[str, Good | int]
) -> None:
    """The Architect refuses gold, and a material of which there are three, and says which."""
    red = {"hand": "maid", "goods": "5 gold, 4 wood, 3 stone"}
    state = position_of({"red": red, "asked": "architect/0"})
    violation = check(state, action_of(state, refused))
    assert violation is not None
    assert violation.clause == clause
    assert dict(violation.facts) == facts
