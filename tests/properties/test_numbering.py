"""Numbers for actions: one list for every game, and back again without loss."""

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import (
    Playthrough,
    asks,
    every_action,
    games,
    in_every,
    positions,
    scaled,
)
from spec.checks.random_games import goods as any_goods
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    Build,
    DealBuilding,
    GameState,
    Goods,
    Pay,
    TakeGoods,
    apply,
    legal_actions,
    new_game,
)
from valletta_rules.actions import ACTION_TYPES
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.numeric.numbering import (
    COUNT,
    MOST_PAID,
    NUMBERS,
    VERSION,
    action_of,
    legal_mask,
    legal_numbers,
    numbers_of,
)

PAYING = asks(PaymentPrompt)


def test_the_numbers_are_those_of_their_version() -> None:
    """A change of a number needs a new version: programs have learned with them."""
    assert VERSION == 1
    assert {kind.__name__: (each.start, each.stop) for kind, each in NUMBERS.items()} == {
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
    assert tuple(NUMBERS) == ACTION_TYPES
    assert COUNT == 332


def test_every_number_has_its_action() -> None:
    """Every number but those of payments is that of one action, which has that number."""
    for number in set(range(COUNT)) - set(NUMBERS[Pay]):
        if number < len(NUMBERS[DealBuilding]) and number >= len(RECONSTRUCTION.buildings):
            with pytest.raises(ValueError, match="no action has these numbers"):
                action_of((number,), RECONSTRUCTION)
            continue
        action = action_of((number,), RECONSTRUCTION)
        assert action is not None
        assert number in NUMBERS[type(action)]
        assert numbers_of(action, RECONSTRUCTION) == (number,)


@given(positions())
def test_every_action_has_its_numbers(state: GameState) -> None:
    """Every action that names no amount has one number, and the number leads back to it."""
    for action in every_action(state):
        (number,) = numbers_of(action, state.cards)
        assert action_of((number,), state.cards) == action


@scaled(4)
@given(any_goods(MOST_PAID))
def test_a_payment_has_four_numbers(goods: Goods) -> None:
    """A payment is made in four answers, and is known when all four have been given."""
    numbers = numbers_of(Pay(goods), RECONSTRUCTION)
    assert len(numbers) == 4
    assert action_of(numbers, RECONSTRUCTION) == Pay(goods)
    assert all(action_of(numbers[:end], RECONSTRUCTION) is None for end in (1, 2, 3))


@pytest.mark.parametrize(
    "action",
    [
        Pay(Goods(gold=MOST_PAID + 1)),
        TakeGoods(Goods(gold=3)),
        Build(30),
        DealBuilding("A99"),
    ],
)
def test_an_action_without_a_number_is_named(action: Action) -> None:
    """An action that no prompt could ask for has no number."""
    with pytest.raises(ValueError, match="no number: "):
        numbers_of(action, RECONSTRUCTION)


@pytest.mark.parametrize(
    "numbers", [(), (-1,), (COUNT,), (220, 5), (331, 331), (220,) * 5, (36,), (5, 220)]
)
def test_numbers_of_no_action_are_refused(numbers: tuple[int, ...]) -> None:
    """Numbers lead to an action, to the beginning of a payment, or to an error."""
    with pytest.raises(ValueError, match="no action has these numbers"):
        action_of(numbers, RECONSTRUCTION)


def leading_to(state: GameState) -> set[Action]:
    """Return the actions to which the legal numbers of a position lead, answer by answer."""
    found: set[Action] = set()
    waiting: list[tuple[int, ...]] = [(number,) for number in legal_numbers(state)]
    while waiting:
        begun = waiting.pop()
        action = action_of(begun, state.cards)
        if action is not None:
            found.add(action)
        else:
            waiting += [(*begun, number) for number in legal_numbers(state, begun)]
    return found


@in_every(games)
def test_legal_numbers_are_those_of_the_legal_actions(game: Playthrough) -> None:
    """Legal numbers are ascending, those of the legal actions, and the mask shows them."""
    for state in game.positions[::9]:
        actions, numbers = legal_actions(state), legal_numbers(state)
        assert list(numbers) == sorted(set(numbers))
        if not PAYING(state):
            assert tuple(chain(*(numbers_of(each, state.cards) for each in actions))) == numbers
        elif len(actions) < 100:
            assert leading_to(state) == set(actions)
        mask = legal_mask(state)
        assert len(mask) == COUNT
        assert tuple(number for number in range(COUNT) if mask[number]) == numbers


@given(positions(PAYING), st.integers(0, 2**32))
def test_a_payment_can_be_made_answer_by_answer(state: GameState, seed: int) -> None:
    """Any choice among the legal numbers leads to a legal payment."""
    rng, payment = random.Random(seed), None
    begun: tuple[int, ...] = ()
    while payment is None:
        begun += (rng.choice(legal_numbers(state, begun)),)
        payment = action_of(begun, state.cards)
    apply(state, payment)
    with pytest.raises(ValueError, match="complete"):
        legal_numbers(state, begun)
    with pytest.raises(ValueError, match="no legal action begins with"):
        legal_numbers(state, (NUMBERS[Pay].stop - 1,))


def test_what_is_complete_has_no_next_number() -> None:
    """An action other than a payment is one answer; and when the game is over there is none."""
    table = new_game(2)
    with pytest.raises(ValueError, match="complete"):
        legal_numbers(table, (0,))
    assert legal_numbers(table.replace(agenda=())) == ()
    assert not any(legal_mask(table.replace(agenda=())))
