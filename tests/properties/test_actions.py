"""Tests that the engine accepts an action if and only if it lists the action as legal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks import random_games
from tests.positions import refusal


@random_games.in_every(random_games.games)
def test_legal_actions_are_sorted_and_listed_once(game: random_games.Playthrough) -> None:
    """Actions are sorted by type, and actions of one type by their values."""
    for state in game.positions:
        actions = vr.legal_actions(state)
        assert list(actions) == random_games.in_order(actions)
        assert len(set(actions)) == len(actions)


@random_games.scaled(2)
@given(random_games.positions())
def test_every_legal_action_is_accepted(state: vr.GameState) -> None:
    """`check` accepts the action, its type answers the prompt, and `apply` raises no error."""
    for action in vr.legal_actions(state):
        assert vr.check(state, action) is None
        assert state.prompt is not None
        assert isinstance(action, state.prompt.answers)
        vr.apply(state, action)


@random_games.scaled(5)
@given(random_games.positions())
def test_an_action_without_goods_is_legal_if_and_only_if_it_is_listed(state: vr.GameState) -> None:
    """The test tries all actions except payments and goods to take, because these are too many."""
    passed = [
        action for action in random_games.every_action(state) if vr.check(state, action) is None
    ]
    listed = [
        action
        for action in vr.legal_actions(state)
        if not isinstance(action, vr.Pay | vr.TakeGoods)
    ]
    assert random_games.in_order(passed) == listed


@random_games.scaled(4)
@given(
    random_games.positions().flatmap(
        lambda state: st.tuples(st.just(state), random_games.well_formed_actions(state))
    )
)
def test_an_action_that_is_not_listed_is_refused(drawn: tuple[vr.GameState, vr.Action]) -> None:
    """Hypothesis generates the action.

    The refusal has a message, and the position does not change.
    """
    state, action = drawn
    if action not in vr.legal_actions(state):
        assert refusal(state, action).message


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-24", "BLU-10")
@random_games.scaled(3)
@given(
    random_games.positions(random_games.asks(vr.PaymentPrompt, vr.SeamstressPrompt)),
    random_games.goods(),
    random_games.goods(2),
)
def test_an_amount_is_legal_if_and_only_if_it_is_listed(
    state: vr.GameState, payment: vr.Goods, taken: vr.Goods
) -> None:
    """Hypothesis generates payments and goods to take."""
    for action in (vr.Pay(payment), vr.TakeGoods(taken)):
        if action in vr.legal_actions(state):
            assert vr.check(state, action) is None
        else:
            assert refusal(state, action).message


@random_games.in_every(random_games.games)
def test_apply_and_transition_lead_to_the_same_position(game: random_games.Playthrough) -> None:
    """The test makes the moves of random games."""
    for move in game.moves:
        assert vr.apply(move.before, move.action) == move.after
