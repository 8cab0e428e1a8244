"""Positions are values: nothing changes them, and it does not matter how they came about."""

import copy
import pickle
from collections import Counter
from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spec.checks.random_games import is_chance, positions, scaled, well_formed_actions
from valletta_rules import (
    Action,
    CardBag,
    Character,
    DealBuilding,
    GameState,
    IllegalActionError,
    SiteSet,
    apply,
    check,
    legal_actions,
    outcome,
    transition,
)


def rebuilt(value: Any) -> Any:
    """Return an equal value of which every part has been made anew."""
    if isinstance(value, CardBag):
        return CardBag.of(*reversed(list(value)))
    if isinstance(value, SiteSet):
        return SiteSet.of(*reversed(list(value)))
    if isinstance(value, tuple):
        return tuple(rebuilt(item) for item in value)
    if attrs.has(type(value)):
        fields = attrs.fields(type(value))
        return type(value)(*(rebuilt(getattr(value, field.name)) for field in fields if field.init))
    return value


@scaled(2)
@given(positions().flatmap(lambda state: st.tuples(st.just(state), well_formed_actions(state))))
def test_nothing_changes_a_position(drawn: tuple[GameState, Action]) -> None:
    """Whatever is asked of a position, its value, its hash and its words stay the same."""
    state, action = drawn
    twin, words, number = copy.deepcopy(state), repr(state), hash(state)
    check(state, action)
    outcome(state)
    for each in (action, *legal_actions(state)):
        for function in (apply, transition):
            try:
                function(state, each)
            except IllegalActionError:
                assert each is action
    assert state == twin
    assert repr(state) == words
    assert hash(state) == hash(twin) == number


@given(positions())
def test_a_position_is_equal_to_one_put_together_anew(state: GameState) -> None:
    """A position made from its parts, copied or pickled is equal and has the same hash."""
    for other in (rebuilt(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert repr(other) == repr(state)
        assert legal_actions(other) == legal_actions(state)


@pytest.mark.rule("TRN-18", "SET-15")
@scaled(3)
@given(positions(is_chance), st.data())
def test_the_order_of_draws_leaves_no_trace(state: GameState, data: st.DataObject) -> None:
    """Drawing one card and then another leads to the same position as the other way round.

    So does revealing barrels and dealing, except that buildings lie where they were dealt.
    """
    one, other = (data.draw(st.sampled_from(legal_actions(state)), label="answer") for _ in "ab")
    ahead, back = apply(state, one), apply(state, other)
    assume(ahead.prompt == back.prompt == state.prompt)
    assume(other in legal_actions(ahead))
    assume(one in legal_actions(back))
    ahead, back = apply(ahead, other), apply(back, one)
    if isinstance(one, DealBuilding):
        first, second = back.display[-2:]
        back = attrs.evolve(back, display=(*back.display[:-2], second, first))
    assert ahead == back
    assert hash(ahead) == hash(back)


BAGS = st.lists(st.sampled_from(list(Character)[:3]), max_size=6)


@given(BAGS, BAGS)
def test_a_bag_is_within_another_where_every_card_is(
    some: list[Character], others: list[Character]
) -> None:
    """It is, if the other has each of the cards as often or more often."""
    assert (CardBag.of(*some) <= CardBag.of(*others)) is (Counter(some) <= Counter(others))
