"""Tests that positions are immutable values, whose equality does not depend on their history."""

import copy
import pickle
from collections import Counter
from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import is_chance, positions, scaled, well_formed_actions


def rebuilt(value: Any) -> Any:
    """Return a copy of a value that consists of new objects."""
    if isinstance(value, vr.CardBag):
        return vr.CardBag.of(*reversed(list(value)))
    if isinstance(value, vr.SiteSet):
        return vr.SiteSet.of(*reversed(list(value)))
    if isinstance(value, tuple):
        return tuple(rebuilt(item) for item in value)
    if attrs.has(type(value)):
        fields = attrs.fields(type(value))
        return type(value)(*(rebuilt(getattr(value, field.name)) for field in fields if field.init))
    return value


@scaled(2)
@given(positions().flatmap(lambda state: st.tuples(st.just(state), well_formed_actions(state))))
def test_no_call_of_the_engine_changes_a_position(drawn: tuple[vr.GameState, vr.Action]) -> None:
    """After each call, the value, the hash and the `repr` of the position are unchanged."""
    state, action = drawn
    twin, words, number = copy.deepcopy(state), repr(state), hash(state)
    vr.check(state, action)
    vr.outcome(state)
    for each in (action, *vr.legal_actions(state)):
        for function in (vr.apply, vr.transition):
            try:
                function(state, each)
            except vr.IllegalActionError:
                assert each is action
    assert state == twin
    assert repr(state) == words
    assert hash(state) == hash(twin) == number


@given(positions())
def test_a_position_equals_a_copy_that_consists_of_new_objects(state: vr.GameState) -> None:
    """Pickled and deep copies are also equal. All copies have the same hash."""
    for other in (rebuilt(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert repr(other) == repr(state)
        assert vr.legal_actions(other) == vr.legal_actions(state)


@pytest.mark.rule("TRN-18", "SET-15")
@scaled(3)
@given(positions(is_chance), st.data())
def test_drawing_two_cards_in_either_order_leads_to_the_same_position(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The same holds for two revealed barrels and, if their sites are exchanged, for two dealt
    buildings.
    """
    one, other = (data.draw(st.sampled_from(vr.legal_actions(state)), label="answer") for _ in "ab")
    ahead, back = vr.apply(state, one), vr.apply(state, other)
    assume(ahead.prompt == back.prompt == state.prompt)
    assume(other in vr.legal_actions(ahead))
    assume(one in vr.legal_actions(back))
    ahead, back = vr.apply(ahead, other), vr.apply(back, one)
    if isinstance(one, vr.DealBuilding):
        first, second = back.display[-2:]
        back = attrs.evolve(back, display=(*back.display[:-2], second, first))
    assert ahead == back
    assert hash(ahead) == hash(back)


BAGS = st.lists(st.sampled_from(list(vr.Character)[:3]), max_size=6)


@given(BAGS, BAGS)
def test_a_bag_of_cards_is_contained_in_another_if_and_only_if_no_count_is_larger(
    some: list[vr.Character], others: list[vr.Character]
) -> None:
    """Hypothesis generates the bags."""
    assert (vr.CardBag.of(*some) <= vr.CardBag.of(*others)) is (Counter(some) <= Counter(others))
