"""Legal and illegal actions: what is listed is what is accepted, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import (
    Playthrough,
    asks,
    every_action,
    games,
    goods,
    in_every,
    in_order,
    positions,
    scaled,
    well_formed_actions,
)
from tests.positions import refusal
from valletta_rules import (
    Action,
    GameState,
    Goods,
    Pay,
    TakeGoods,
    apply,
    check,
    legal_actions,
)
from valletta_rules.agenda import PaymentPrompt, SeamstressPrompt


@in_every(games)
def test_legal_actions_are_listed_in_order(game: Playthrough) -> None:
    """The legal actions of a position are sorted, and none is listed twice."""
    for state in game.positions:
        actions = legal_actions(state)
        assert list(actions) == in_order(actions)
        assert len(set(actions)) == len(actions)


@scaled(2)
@given(positions())
def test_every_legal_action_is_accepted(state: GameState) -> None:
    """Every legal action passes the check, answers the prompt and leads to a position."""
    for action in legal_actions(state):
        assert check(state, action) is None
        assert state.prompt is not None
        assert isinstance(action, state.prompt.answers)
        apply(state, action)


@scaled(5)
@given(positions())
def test_an_action_is_legal_if_and_only_if_it_is_listed(state: GameState) -> None:
    """Of all actions that name no amount of goods, those pass the check that are listed."""
    passed = [action for action in every_action(state) if check(state, action) is None]
    listed = [action for action in legal_actions(state) if not isinstance(action, Pay | TakeGoods)]
    assert in_order(passed) == listed


@scaled(4)
@given(positions().flatmap(lambda state: st.tuples(st.just(state), well_formed_actions(state))))
def test_an_action_that_is_not_listed_is_refused(drawn: tuple[GameState, Action]) -> None:
    """Any other well-formed action is refused with the violation, and nothing changes."""
    state, action = drawn
    if action not in legal_actions(state):
        assert refusal(state, action).message


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-24", "BLU-10")
@scaled(3)
@given(positions(asks(PaymentPrompt, SeamstressPrompt)), goods(), goods(2))
def test_an_amount_is_legal_if_and_only_if_it_is_listed(
    state: GameState, payment: Goods, taken: Goods
) -> None:
    """Of all payments, and of all goods to take, those are accepted that are listed."""
    for action in (Pay(payment), TakeGoods(taken)):
        if action in legal_actions(state):
            assert check(state, action) is None
        else:
            assert refusal(state, action).message


@in_every(games)
def test_apply_and_transition_agree(game: Playthrough) -> None:
    """Both lead to the same position, however the move came about."""
    for move in game.moves:
        assert apply(move.before, move.action) == move.after
