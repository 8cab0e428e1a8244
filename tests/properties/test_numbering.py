"""Numbers for actions: one list for every game, and back again without loss."""

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


def test_the_numbers_are_those_of_their_version() -> None:
    """A change of a number needs a new version: programs have learned with them."""
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


def test_every_number_has_its_action() -> None:
    """Every number but those of payments is that of one action, which has that number."""
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
def test_every_action_has_its_numbers(state: vr.GameState) -> None:
    """Every action that names no amount has one number, and the number leads back to it."""
    for action in random_games.every_action(state):
        (number,) = numbering.numbers_of(action, state.cards)
        assert numbering.action_of((number,), state.cards) == action


@random_games.scaled(4)
@given(any_goods(numbering.MOST_PAID))
def test_a_payment_has_four_numbers(goods: vr.Goods) -> None:
    """A payment is made in four answers, and is known when all four have been given."""
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
def test_an_action_without_a_number_is_named(action: vr.Action) -> None:
    """An action that no prompt could ask for has no number."""
    with pytest.raises(ValueError, match="no number: "):
        numbering.numbers_of(action, vr.RECONSTRUCTION)


@pytest.mark.parametrize(
    "numbers", [(), (-1,), (numbering.COUNT,), (220, 5), (331, 331), (220,) * 5, (36,), (5, 220)]
)
def test_numbers_of_no_action_are_refused(numbers: tuple[int, ...]) -> None:
    """Numbers lead to an action, to the beginning of a payment, or to an error."""
    with pytest.raises(ValueError, match="no action has these numbers"):
        numbering.action_of(numbers, vr.RECONSTRUCTION)


def leading_to(state: vr.GameState) -> set[vr.Action]:
    """Return the actions to which the legal numbers of a position lead, answer by answer."""
    found: set[vr.Action] = set()
    waiting: list[tuple[int, ...]] = [(number,) for number in numbering.legal_numbers(state)]
    while waiting:
        begun = waiting.pop()
        action = numbering.action_of(begun, state.cards)
        if action is not None:
            found.add(action)
        else:
            waiting += [(*begun, number) for number in numbering.legal_numbers(state, begun)]
    return found


@random_games.in_every(random_games.games)
def test_legal_numbers_are_those_of_the_legal_actions(game: random_games.Playthrough) -> None:
    """Legal numbers are ascending, those of the legal actions, and the mask shows them."""
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
            is_asked = state.prompt is not None and state.prompt.seat == viewer is not None
            seen = numbering.legal_mask(vr.view(state, viewer))
            assert seen == (mask if is_asked else bytes(numbering.COUNT))


@given(random_games.positions(PAYING), st.integers(0, 2**32))
def test_a_payment_can_be_made_answer_by_answer(state: vr.GameState, seed: int) -> None:
    """Any choice among the legal numbers leads to a legal payment."""
    rng, payment = random.Random(seed), None
    begun: tuple[int, ...] = ()
    while payment is None:
        begun += (rng.choice(numbering.legal_numbers(state, begun)),)
        payment = numbering.action_of(begun, state.cards)
    vr.apply(state, payment)
    with pytest.raises(ValueError, match="complete"):
        numbering.legal_numbers(state, begun)
    with pytest.raises(ValueError, match="no legal action begins with"):
        numbering.legal_numbers(state, (numbering.NUMBERS[vr.Pay].stop - 1,))


def test_what_is_complete_has_no_next_number() -> None:
    """An action other than a payment is one answer; and when the game is over there is none."""
    table = vr.new_game(2)
    with pytest.raises(ValueError, match="complete"):
        numbering.legal_numbers(table, (0,))
    assert numbering.legal_numbers(table.replace(agenda=())) == ()
    assert not any(numbering.legal_mask(table.replace(agenda=())))
