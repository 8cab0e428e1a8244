"""Beliefs equal the probabilities that a reference observer computes as exact fractions."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from tests.distributions import Ways, distribution
from tests.memory.observer import OWNER, Cards, Observer, scene
from valletta_rules import CardBag, CardDrawn, Character, HiddenCardDrawn, determinize
from valletta_rules.memory import Memory, belief
from valletta_rules.memory.belief_updates import certainty
from valletta_rules.views.view import see

SEEDS = range(60)


def stages(seed: int, *, keeps_draws: bool = False) -> Iterator[tuple[Memory, Observer]]:
    """Yield, after each event in a scene, a memory and an observer that have both recorded it."""
    deck, events = scene(seed)
    memory, observer = scene(seed).memory(), Observer(deck, keeps_draws=keeps_draws)
    for event in events:
        memory.see(event)
        observer.hear(event)
        yield memory, observer


@pytest.mark.parametrize("seed", SEEDS)
def test_beliefs_of_a_memory_equal_those_of_the_reference_observer(seed: int) -> None:
    """The test compares them after every event."""
    for memory, observer in stages(seed):
        hands, believed = observer.hands(), memory.belief(OWNER)
        assert dict(believed.hands()) == hands
        assert memory.chances(OWNER) == {
            kind: sum(chance for hand, chance in hands.items() if kind in hand)
            for kind in believed.hidden.kinds()
        }


def test_the_random_scenes_contain_all_events_that_move_cards() -> None:
    """They also lead to beliefs with many cases, and with cards that were held but not played."""
    seen = {type(event).__name__ for seed in SEEDS for event in scene(seed).events}
    moves = {"Built", "CardPlayed", "Dismissed", "HiddenCardDrawn", "Hired"}
    assert seen == moves | {"FinalPhaseBegan", "PlayedCardsDiscarded", "Reshuffled"}
    beliefs = [memory.belief(OWNER) for seed in SEEDS for memory, _ in stages(seed)]
    assert max(len(each.components) for each in beliefs) > 3
    assert sum(any(case.kept for case in each.components) for each in beliefs) > 20


def test_an_impossible_hand_has_probability_zero() -> None:
    """The hand has the wrong size, or contains cards that the player does not own."""
    memory = scene(0)._replace(deck=CardBag.of(Character.MAID, Character.NUN)).memory()
    memory.see(HiddenCardDrawn(OWNER))
    believed = memory.belief(OWNER)
    assert believed.chance_of(CardBag.of(Character.MAID)) == Fraction(1, 2)
    assert believed.chance_of(CardBag.of(Character.MONK)) == 0
    assert believed.chance_of(CardBag.of(Character.MAID, Character.NUN)) == 0


# Sampling


@pytest.fixture
def _picks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the choice by weight with one that a test can enumerate exhaustively."""
    monkeypatch.setattr(belief, "pick", lambda weights, number: number.__self__.pick(weights))


@pytest.mark.usefixtures("_picks")
@pytest.mark.parametrize("seed", SEEDS[::6])
def test_sampled_hands_have_exactly_the_probabilities_of_the_reference_observer(seed: int) -> None:
    """The test enumerates every choice that the random generator could make."""
    *_, (memory, observer) = stages(seed)
    now = see(0, memory.table, ())
    hands = distribution(lambda ways: determinize(now, ways, memory).players[OWNER].hand)
    assert hands == observer.hands()


SHORT = [
    seed
    for seed in range(120)
    if sum(isinstance(each, HiddenCardDrawn) for each in scene(seed).events) <= 5
]


@pytest.mark.usefixtures("_picks")
@pytest.mark.parametrize("seed", SHORT[:20])
def test_sampled_histories_have_exactly_the_probabilities_of_the_reference_observer(
    seed: int,
) -> None:
    """A history is a sequence of drawn cards."""
    *_, (memory, observer) = stages(seed, keeps_draws=True)

    def draws(ways: Ways) -> Cards:
        events = memory.imagine(ways)
        return tuple(each.character for each in events if isinstance(each, CardDrawn))

    assert distribution(draws) == observer.draws()


def test_a_random_number_above_the_limit_is_drawn_in_parts_without_bias(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of parts is minimal, and values that would introduce bias are rejected."""
    monkeypatch.setattr(belief, "CHUNK", 4)
    drawn = iter([3, 3, 0, 2, 3, 3])
    assert [belief.pick(weights, lambda _: next(drawn)) for weights in ((2, 3), (8, 8))] == [1, 1]
    assert not [*drawn]


def test_the_belief_about_a_known_hand_has_a_single_case() -> None:
    """The case has weight 1, so that equal beliefs are equal values."""
    hand = CardBag.of(Character.MAID, Character.NUN)
    hidden = hand + CardBag.of(Character.MONK)
    known = belief.belief_in(hidden, hidden, hand, len(hand))
    joined = certainty(hand, hand).after_joining(CardBag.of(Character.MONK))
    for each in (known, certainty(hidden, hand), joined):
        assert each.components == (belief.Component(hand, 0, 1),)
        assert (each.pile_size, each.old) == (1, CardBag.of())
