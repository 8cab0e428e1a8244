"""Tests of the probabilities of random outcomes.

For example, drawing cards one by one is equivalent to shuffling the pile first.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks import random_games
from tests.distributions import distribution, mixture
from tests.positions import position, seat

T = TypeVar("T")

Distribution = Mapping[T, Fraction]


def by_outcomes(state: vr.GameState) -> Distribution[vr.GameState]:
    """Return the distribution of positions after all pending chance events."""
    now, done = {state: Fraction(1)}, dict[vr.GameState, Fraction]()
    while now:
        done |= {each: odds for each, odds in now.items() if not random_games.is_chance(each)}
        now = mixture(
            (vr.apply(each, action), odds * probability)
            for each, odds in now.items()
            if random_games.is_chance(each)
            for action, probability in vr.chance_outcomes(each)
        )
    return done


# Outcomes of chance


@pytest.mark.rule("SET-9", "TRN-18", "SET-5", "SET-15")
@random_games.in_every(random_games.games)
def test_the_outcomes_of_chance_are_the_legal_actions_and_their_probabilities_add_up_to_1(
    game: random_games.Playthrough,
) -> None:
    """If no chance event is pending, requesting the outcomes raises an error."""
    for state in game.positions:
        if not random_games.is_chance(state):
            with pytest.raises(vr.NoChanceError):
                vr.chance_outcomes(state)
            continue
        actions, odds = zip(*vr.chance_outcomes(state), strict=True)
        assert actions == vr.legal_actions(state)
        assert all(isinstance(each, Fraction) and each > 0 for each in odds)
        assert sum(odds) == 1


# Resolving chance with a generator


@pytest.mark.rule("SET-9", "SET-10", "TRN-18", "VAL-4")
@given(random_games.positions(random_games.is_chance))
def test_sampled_outcomes_have_the_probabilities_of_the_listed_outcomes(
    state: vr.GameState,
) -> None:
    """The test tries every number that a random generator could return."""
    sampled = distribution(lambda rng: vr.sample_chance(state, rng))
    assert sampled == dict(vr.chance_outcomes(state))


@given(random_games.positions(), st.integers())
def test_resolving_chance_equals_sampling_and_applying_each_outcome_in_turn(
    state: vr.GameState, seed: int
) -> None:
    """Both ways use the same random numbers. If no chance event is pending, nothing changes."""
    one, other = random.Random(seed), random.Random(seed)
    resolved = vr.resolve_chance(state, one)
    while random_games.is_chance(state):
        state = vr.apply(state, vr.sample_chance(state, other))
    assert resolved == state
    assert hash(resolved) == hash(state)
    assert one.getstate() == other.getstate()
    assert vr.resolve_chance(state, one) is state
    assert one.getstate() == other.getstate()


# Drawing when needed


PLAIN = (
    vr.Character.SHOPKEEPER,
    vr.Character.LUMBERJACK,
    vr.Character.STONE_SCULPTOR,
    vr.Character.BRICK_WORKER,
    vr.Character.BANKER,
    vr.Character.KNIGHT,
)
"""Characters with effects that never require a decision."""


def cards(least: int, most: int) -> st.SearchStrategy[list[vr.Character]]:
    """Return a strategy for lists of `least` to `most` characters in `PLAIN`."""
    return st.lists(st.sampled_from(PLAIN), min_size=least, max_size=most)


Piles = tuple[vr.CardBag, vr.CardBag, vr.CardBag]
"""A player's hand, draw pile and discard pile."""


def shuffled(
    hand: Sequence[vr.Character], pile: Sequence[vr.Character], discarded: Sequence[vr.Character]
) -> Iterable[tuple[tuple[Sequence[vr.Character], ...], Fraction]]:
    """Refill a hand from an ordered pile, and shuffle the discarded cards if the pile is too small.

    Yield each possible result with its probability.
    A result consists of the hand, the rest of the pile, and the discarded cards.
    """
    wanted = max(0, 5 - len(hand))
    if len(pile) >= wanted or not discarded:
        yield ((*hand, *pile[:wanted]), pile[wanted:], discarded), Fraction(1)
        return
    orders = list(permutations(discarded))
    for order in orders:
        whole = (*pile, *order)
        yield ((*hand, *whole[:wanted]), whole[wanted:], ()), Fraction(1, len(orders))


def play_lowest(
    hand: Sequence[vr.Character],
) -> tuple[Sequence[vr.Character], Sequence[vr.Character]]:
    """Split a hand into the cards to keep and the three cards to play.

    The cards to play are the first three in the order of the rulebook.
    """
    order = sorted(hand, key=lambda card: card.rank)
    return order[3:], order[:3]


def shuffling_first(
    hand: Sequence[vr.Character], pile: Sequence[vr.Character], turns: int
) -> Distribution[Piles]:
    """Return the distribution of a player's piles if each new draw pile is shuffled immediately."""
    orders = list(permutations(pile))
    tables = [((tuple(hand), order, ()), Fraction(1, len(orders))) for order in orders]
    now: dict[tuple[Sequence[vr.Character], ...], Fraction] = mixture(tables)
    for _ in range(turns):
        after = []
        for (held, rest, discarded), odds in now.items():
            kept, played = play_lowest(held)
            for result, probability in shuffled(kept, rest, (*discarded, *played)):
                after.append((tuple(map(tuple, result)), odds * probability))
        now = mixture(after)
    return mixture(
        ((vr.CardBag.of(*held), vr.CardBag.of(*rest), vr.CardBag.of(*discarded)), odds)
        for (held, rest, discarded), odds in now.items()
    )


def drawing_when_needed(
    hand: Sequence[vr.Character], pile: Sequence[vr.Character], turns: int
) -> Distribution[Piles]:
    """Return the distribution of a player's piles in the engine, where piles have no order."""
    start = position(seat(hand=hand, draw_pile=pile), seat())
    now: Distribution[vr.GameState] = {start: Fraction(1)}
    for _ in range(turns):
        after = []
        for state, odds in now.items():
            for card in play_lowest(list(state.players[0].hand))[1]:
                state = vr.apply(state, vr.PlayCard(card))
            after += [(each, odds * more) for each, more in by_outcomes(state).items()]
        now = mixture(after)
    return mixture(
        ((player.hand, player.draw_pile, player.discard_pile), odds)
        for state, odds in now.items()
        for player in state.players[:1]
    )


@pytest.mark.rule("TRN-16", "TRN-17", "TRN-18", "TRN-19", "TRN-20")
@random_games.scaled(0.5)
@given(cards(5, 5), cards(1, 4), st.integers(min_value=1, max_value=3))
def test_drawing_random_cards_when_needed_is_equivalent_to_shuffling_the_pile_first(
    hand: list[vr.Character], pile: list[vr.Character], turns: int
) -> None:
    """The probabilities of all hands and piles are equal after one to three turns."""
    assert drawing_when_needed(hand, pile, turns) == shuffling_first(hand, pile, turns)


# Dealing the display
