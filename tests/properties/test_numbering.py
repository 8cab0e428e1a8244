"""Tests of the numbers that identify actions. They are the same in every game."""

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks import random_games
from spec.checks.random_games import goods as any_goods
from valletta_rules.actions import ACTION_TYPES
from valletta_rules.numeric import numbering

PAYING = random_games.asks(vr.PaymentPrompt)


def test_the_numbers_of_actions_change_only_with_a_new_version() -> None:
    """Trained models depend on the numbers."""
    assert numbering.NUMBERING_VERSION == 1
    assert {kind.__name__: (each.start, each.stop) for kind, each in numbering.NUMBERS.items()} == {
        "DealBuilding": (0, 37),
        "DrawCard": (37, 68),
        "RevealBarrel": (68, 72),
        "DraftGood": (72, 76),
        "PlayCard": (76, 138),
        "TakeGood": (138, 142),
        "TakeGoods": (142, 152),
        "ReturnGood": (152, 156),
        "GiveGood": (156, 160),
        "Build": (160, 190),
        "Upgrade": (190, 220),
        "Pay": (220, 269),
        "Dismiss": (269, 300),
        "Hire": (300, 331),
        "Decline": (331, 332),
    }
    assert tuple(numbering.NUMBERS) == ACTION_TYPES
    assert numbering.COUNT == 332


def test_every_number_except_those_of_payments_identifies_one_action() -> None:
    """Encoding the action returns the number. Numbers of nonexistent buildings are refused."""
    for number in set(range(numbering.COUNT)) - set(numbering.NUMBERS[vr.Pay]):
        if number < len(numbering.NUMBERS[vr.DealBuilding]) and number >= len(
            vr.RECONSTRUCTION.buildings
        ):
            with pytest.raises(ValueError, match="no action has these numbers"):
                numbering.action_of((number,), vr.RECONSTRUCTION)
            continue
        action = numbering.action_of((number,), vr.RECONSTRUCTION)
        assert action is not None
        assert number in numbering.NUMBERS[type(action)]
        assert numbering.numbers_of(action, vr.RECONSTRUCTION) == (number,)


@given(random_games.positions())
def test_every_action_except_payments_and_goods_to_take_has_one_number(state: vr.GameState) -> None:
    """Decoding the number returns the action."""
    for action in random_games.every_action(state):
        (number,) = numbering.numbers_of(action, state.cards)
        assert numbering.action_of((number,), state.cards) == action


@random_games.scaled(4)
@given(any_goods(numbering.MOST_PAID))
def test_a_payment_is_encoded_as_four_numbers_and_decoded_after_the_last(goods: vr.Goods) -> None:
    """They encode the amounts of gold, wood, stone and brick."""
    numbers = numbering.numbers_of(vr.Pay(goods), vr.RECONSTRUCTION)
    assert len(numbers) == 4
    assert numbering.action_of(numbers, vr.RECONSTRUCTION) == vr.Pay(goods)
    assert all(numbering.action_of(numbers[:end], vr.RECONSTRUCTION) is None for end in (1, 2, 3))


@pytest.mark.parametrize(
    "action",
    [
        vr.Pay(vr.Goods(gold=numbering.MOST_PAID + 1)),
        vr.TakeGoods(vr.Goods(gold=3)),
        vr.Build(30),
        vr.DealBuilding("A99"),
    ],
)
def test_an_action_that_no_prompt_allows_has_no_number(action: vr.Action) -> None:
    """Encoding such an action raises an error that contains the action."""
    with pytest.raises(ValueError, match="no number: "):
        numbering.numbers_of(action, vr.RECONSTRUCTION)


@pytest.mark.parametrize(
    "numbers", [(), (-1,), (numbering.COUNT,), (220, 5), (331, 331), (220,) * 5, (36,), (5, 220)]
)
def test_decoding_numbers_that_identify_no_action_raises_an_error(numbers: tuple[int, ...]) -> None:
    """For example, a number is out of range, or several numbers do not form a payment."""
    with pytest.raises(ValueError, match="no action has these numbers"):
        numbering.action_of(numbers, vr.RECONSTRUCTION)


def leading_to(state: vr.GameState) -> set[vr.Action]:
    """Return the actions to which the legal numbers of a position decode."""
    actions: set[vr.Action] = set()
    waiting: list[tuple[int, ...]] = [(number,) for number in numbering.legal_numbers(state)]
    while waiting:
        prefix = waiting.pop()
        action = numbering.action_of(prefix, state.cards)
        if action is not None:
            actions.add(action)
        else:
            waiting += [(*prefix, number) for number in numbering.legal_numbers(state, prefix)]
    return actions


@random_games.in_every(random_games.games)
def test_legal_numbers_are_exactly_those_of_the_legal_actions(
    game: random_games.Playthrough,
) -> None:
    """They are in ascending order.

    The mask of the position contains the same numbers, and so does the mask for the seat that must
    answer.  For any other viewer, the mask is empty.
    """
    for state in game.positions[::9]:
        actions, numbers = vr.legal_actions(state), numbering.legal_numbers(state)
        assert list(numbers) == sorted(set(numbers))
        if not PAYING(state):
            assert (
                tuple(chain(*(numbering.numbers_of(each, state.cards) for each in actions)))
                == numbers
            )
        elif len(actions) < 100:
            assert leading_to(state) == set(actions)
        mask = numbering.legal_mask(state)
        assert len(mask) == numbering.COUNT
        assert tuple(number for number in range(numbering.COUNT) if mask[number]) == numbers
        for viewer in (*state.seats, None):
            is_to_answer = state.prompt is not None and state.prompt.seat == viewer is not None
            view_mask = numbering.legal_mask(vr.view(state, viewer))
            assert view_mask == (mask if is_to_answer else bytes(numbering.COUNT))


@given(random_games.positions(PAYING), st.integers(0, 2**32))
def test_any_sequence_of_legal_numbers_leads_to_a_legal_payment(
    state: vr.GameState, seed: int
) -> None:
    """After a complete payment, requesting legal numbers raises an error."""
    rng, payment = random.Random(seed), None
    prefix: tuple[int, ...] = ()
    while payment is None:
        prefix += (rng.choice(numbering.legal_numbers(state, prefix)),)
        payment = numbering.action_of(prefix, state.cards)
    vr.apply(state, payment)
    with pytest.raises(ValueError, match="complete"):
        numbering.legal_numbers(state, prefix)
    with pytest.raises(ValueError, match="no legal action begins with"):
        numbering.legal_numbers(state, (numbering.NUMBERS[vr.Pay].stop - 1,))


def test_after_a_complete_action_or_the_end_of_a_game_no_number_is_legal() -> None:
    """Requesting the numbers after an action other than a payment raises an error."""
    table = vr.new_game(2)
    with pytest.raises(ValueError, match="complete"):
        numbering.legal_numbers(table, (0,))
    assert numbering.legal_numbers(table.replace(agenda=())) == ()
    assert not any(numbering.legal_mask(table.replace(agenda=())))
