"""Tests that beliefs equal the exact probabilities from a reference implementation."""

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
    """Yield a memory and an observer after each event of a scene. Both have recorded the event."""
    deck, events = scene(seed)
    memory, observer = scene(seed).memory(), Observer(deck, keeps_draws=keeps_draws)
    for event in events:
        memory.see(event)
        observer.observe(event)
        yield memory, observer


@pytest.mark.parametrize("seed", SEEDS)
def test_beliefs_of_a_memory_equal_those_of_the_reference_observer(seed: int) -> None:
    """The test compares the probabilities of all hands after each of a series of random events."""
    for memory, observer in stages(seed):
        hands, believed = observer.hands(), memory.belief(OWNER)
        assert dict(believed.hands()) == hands
        assert memory.chances(OWNER) == {
            kind: sum(chance for hand, chance in hands.items() if kind in hand)
            for kind in believed.hidden.kinds()
        }


def test_the_random_scenes_of_these_tests_contain_all_events_that_move_cards() -> None:
    """The scenes also lead to complex beliefs, such as those about cards that were not played."""
    types = {type(event).__name__ for seed in SEEDS for event in scene(seed).events}
    moves = {"Built", "CardPlayed", "Dismissed", "HiddenCardDrawn", "Hired"}
    assert types == moves | {"FinalPhaseBegan", "PlayedCardsDiscarded", "Reshuffled"}
    beliefs = [memory.belief(OWNER) for seed in SEEDS for memory, _ in stages(seed)]
    assert max(len(each.components) for each in beliefs) > 3
    assert sum(any(case.kept for case in each.components) for each in beliefs) > 20


def test_an_impossible_hand_has_probability_zero() -> None:
    """The hand has a wrong size, or contains a card that the player does not own."""
    memory = scene(0)._replace(deck=CardBag.of(Character.MAID, Character.NUN)).memory()
    memory.see(HiddenCardDrawn(OWNER))
    believed = memory.belief(OWNER)
    assert believed.chance_of(CardBag.of(Character.MAID)) == Fraction(1, 2)
    assert believed.chance_of(CardBag.of(Character.MONK)) == 0
    assert believed.chance_of(CardBag.of(Character.MAID, Character.NUN)) == 0


# Sampling


@pytest.fixture
def _picks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the weighted random choice with one that `Ways` can enumerate."""
    monkeypatch.setattr(belief, "pick", lambda weights, number: number.__self__.pick(weights))


@pytest.mark.usefixtures("_picks")
@pytest.mark.parametrize("seed", SEEDS[::6])
def test_sampled_hands_have_exactly_the_probabilities_of_the_reference_observer(seed: int) -> None:
    """The test enumerates all choices that the random generator could make."""
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
    """A history is the sequence of cards that a player drew."""
    *_, (memory, observer) = stages(seed, keeps_draws=True)

    def draws(ways: Ways) -> Cards:
        events = memory.imagine(ways)
        return tuple(each.character for each in events if isinstance(each, CardDrawn))

    assert distribution(draws) == observer.draws()


def test_a_random_choice_among_very_many_values_combines_several_random_numbers_without_bias(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The choice uses as few numbers as possible, and rejects combinations that cause a bias."""
    monkeypatch.setattr(belief, "CHUNK", 4)
    drawn = iter([3, 3, 0, 2, 3, 3])
    assert [belief.pick(weights, lambda _: next(drawn)) for weights in ((2, 3), (8, 8))] == [1, 1]
    assert not [*drawn]


def test_the_belief_about_a_known_hand_has_a_single_case() -> None:
    """A belief consists of weighted cases.

    The weight of a single case is 1, so equal beliefs are equal values.
    """
    hand = CardBag.of(Character.MAID, Character.NUN)
    hidden = hand + CardBag.of(Character.MONK)
    known = belief.belief_in(hidden, hidden, hand, len(hand))
    joined = certainty(hand, hand).after_joining(CardBag.of(Character.MONK))
    for each in (known, certainty(hidden, hand), joined):
        assert each.components == (belief.Component(hand, 0, 1),)
        assert (each.pile_size, each.old) == (1, CardBag.of())
