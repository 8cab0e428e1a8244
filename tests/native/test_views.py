"""Tests that the native backend and Python compute equal views.

They compare arrays, views and sampled hidden cards.
"""

import gc
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import asks, positions, scaled
from tests.native.test_batch import SplitMix
from tests.positions import seat, viewers
from valletta_rules import native
from valletta_rules.components import Generator
from valletta_rules.numeric import numbering
from valletta_rules.numeric.encoding import MOST, columns, encode

pytestmark = pytest.mark.usefixtures("backend")


@scaled(0.5)
@given(positions())
def test_arrays_of_packed_positions_equal_those_computed_in_python(state: vr.GameState) -> None:
    """The arrays are equal byte for byte, for every seat and for a spectator."""
    packed = native.pack(state)
    for viewer in viewers(state):
        assert native.encode(packed, viewer) == encode(vr.view(state, viewer))


@given(positions(asks(vr.PaymentPrompt)), st.data())
def test_the_array_of_a_partial_payment_equals_that_computed_in_python(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Only the payer can see the parts of an unfinished payment.

    Impossible parts raise an error.
    """
    packed = native.pack(state)
    action = data.draw(st.sampled_from(vr.legal_actions(state)))
    every = numbering.numbers_of(action, state.cards)
    assert state.prompt is not None
    for parts in range(4):
        expected = encode(vr.view(state, state.prompt.seat), every[:parts])
        assert native.encode(packed, state.prompt.seat, every[:parts]) == expected
    for viewer, begun in ((state.prompt.seat, every), (None, every[:1]), (0, (331,))):
        with pytest.raises(ValueError, match="cannot have begun"):
            native.encode(packed, viewer, begun)


def test_the_view_of_a_packed_position_has_the_display_of_that_position() -> None:
    """The test alternates between a display of three buildings and one with a fourth building."""
    buildings = vr.new_game(3).cards.buildings
    for display in (buildings[1:4], (*buildings[1:4], buildings[0]), buildings[1:4]):
        state = vr.new_game(3).replace(display=display)
        assert vr.view(native.pack(state), None).table.display == display


def test_numbers_above_the_maximum_of_an_array_are_capped() -> None:
    """A packed position can hold larger numbers than an array."""
    rich = seat(goods=vr.Goods(gold=MOST + 1, wood=MOST, stone=65_000), score=65_000)
    state = vr.new_game(2).replace(players=(seat(), rich))
    encoded = native.encode(native.pack(state), 0)
    assert encoded == encode(vr.view(state, 0))
    assert dict(zip(columns(2), encoded, strict=True))["player.1.score"] == MOST


# Views and hidden cards


@given(positions(), st.data())
def test_views_of_packed_positions_equal_those_of_the_engine(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The views include the legal actions, which the backend computes."""
    viewer = data.draw(st.sampled_from(viewers(state)))
    view, packed = vr.view(state, viewer), vr.view(native.pack(state), viewer)
    assert packed == view
    assert packed.legal_actions == view.legal_actions


@given(positions(), st.integers(min_value=0, max_value=2**32 - 1))
def test_a_view_of_a_packed_position_contains_no_hidden_card(
    state: vr.GameState, seed: int
) -> None:
    """If two views are equal, their packed bytes and their pickles are equal, too."""
    for viewer in viewers(state):
        like = vr.determinize(vr.view(state, viewer), random.Random(seed))
        one, other = (vr.view(native.pack(each), viewer) for each in (state, like))
        assert bytes(row_of(one)) == bytes(row_of(other))
        assert gc.get_referents(row_of(one)) == []
        assert (hash(one), repr(one)) == (
            hash(vr.view(state, viewer)),
            repr(vr.view(state, viewer)),
        )
        assert pickle.dumps(one) == pickle.dumps(other)
        assert pickle.loads(pickle.dumps(one)) == vr.view(state, viewer)
        assert vr.to_json(one) == vr.to_json(vr.view(state, viewer))


def row_of(view: vr.PlayerView) -> Any:
    """Return the packed position from which a view is decoded."""
    return view._row


def test_parts_of_a_view_are_not_decoded_before_they_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading the prompt or the legal actions does not decode the table.

    No part is decoded twice.
    """
    state = vr.resolve_chance(vr.new_game(3), random.Random(1))
    viewer = state.prompt.seat if state.prompt is not None else None
    view = vr.view(native.pack(state), viewer)
    with monkeypatch.context() as patch:
        patch.setattr(native, "_read_display", None)
        assert view.is_asked
        assert view.legal_actions == vr.legal_actions(state)
        assert view.prompt == state.prompt
    assert view.table is view.table
    assert view.agenda is view.agenda
    assert view.agenda == state.agenda
    with pytest.raises(AttributeError, match="a view has no 'display', but its table has"):
        _ = view.display  # type: ignore[attr-defined]


def test_a_view_for_a_seat_outside_the_game_is_an_error() -> None:
    """The seat may have any integer type, as it may for a `GameState`."""

    class Two:
        def __index__(self) -> int:
            return 2

    packed = native.pack(vr.new_game(3))
    assert vr.view(packed, Two()) == vr.view(packed, 2) == vr.view(vr.new_game(3), 2)
    for beyond in (-1, 3, 2**70):
        with pytest.raises(vr.SeatError):
            vr.view(packed, beyond)
    for wrong in ("1", True, 1.0):
        with pytest.raises(TypeError, match="a seat must be a whole number"):
            vr.view(packed, wrong)  # type: ignore[arg-type]


@given(positions(), st.data())
def test_legal_numbers_and_masks_equal_those_computed_in_python(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Unfinished payments are included. An impossible part of a payment raises an error."""
    packed = native.pack(state)
    begun: tuple[int, ...] = ()
    for _ in range(4):
        numbers = numbering.legal_numbers(state, begun)
        assert numbering.legal_numbers(packed, begun) == numbers
        assert numbering.legal_mask(packed, begun) == numbering.legal_mask(state, begun)
        if not (numbers and isinstance(state.prompt, vr.PaymentPrompt)):
            break
        begun = (*begun, data.draw(st.sampled_from(numbers)))
        if len(begun) == 4:
            break
    for wrong in ((331,), (*begun, 220, 220, 220, 220), (0,), (2**70,)):
        with pytest.raises(ValueError, match=r"begins with|already a complete"):
            numbering.legal_mask(packed, wrong)


@given(positions(), st.data())
def test_sampled_hidden_cards_equal_those_sampled_in_python(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Equal random numbers lead to equal positions, for any type of generator."""
    view = vr.view(state, data.draw(st.sampled_from(viewers(state))))
    seed = data.draw(st.integers(min_value=0, max_value=2**64 - 1))
    for kind in (random.Random, SplitMix):
        for _ in range(2):  # the second time, the view is cached
            one, other = kind(seed), kind(seed)
            assert native.determinize(view, one) == native.pack(vr.determinize(view, other))
            assert one.randrange(10**6) == other.randrange(10**6)


def test_sampling_with_a_memory_uses_the_hands_of_the_memory() -> None:
    """The result equals the position that Python samples."""
    state = vr.resolve_chance(vr.new_game(2), random.Random(1))

    class Knowing:
        def hands(self, view: vr.PlayerView, rng: Generator, /) -> tuple[vr.CardBag, ...]:
            return tuple(player.hand for player in state.players)

    assert native.determinize(vr.view(state, 0), random.Random(2), Knowing()) == native.pack(state)


def test_an_error_of_a_generator_while_sampling_propagates() -> None:
    """The caller receives the generator's own error.

    Packing a hand that lacks a shown card is an error, too.
    """

    class Failing:
        def randrange(self, stop: int, /) -> int:
            raise ArithmeticError

    state = vr.new_game(2)
    dealt = state.with_player(1, state.players[0].replace(hand=vr.CardBag.of(vr.Character.MAID)))
    view = vr.view(dealt, 0)
    native.determinize(view, random.Random(1))  # the next call samples in C
    with pytest.raises(ArithmeticError):
        native.determinize(view, Failing())
    with pytest.raises(ArithmeticError):
        native.pack(dealt).determinized(0, Failing())
    odd = dealt.players[1].replace(shown=vr.CardBag.of(vr.Character.KNIGHT))
    with pytest.raises(native.RowError, match="counted or shown"):
        native.pack(dealt.with_player(1, odd))
