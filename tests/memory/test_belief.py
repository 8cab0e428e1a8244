"""What a memory believes of a hand is what follows from counting shuffles, as fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

import pytest

from tests.memory.shuffles import OWNER, Cards, Counted, Scene, scene
from valletta_rules import CardBag, Character, HiddenCardDrawn, determinize
from valletta_rules.components.numbers import Generator
from valletta_rules.events import CardDrawn, CardPlayed
from valletta_rules.memory import Memory, belief
from valletta_rules.views.view import see

T = TypeVar("T")


def memory_of(scene: Scene) -> Memory:
    """Return a memory that has just begun."""
    memory = Memory(0)
    memory.begin(scene.start)
    return memory


def stages(scene: Scene) -> Iterator[tuple[Memory, Counted]]:
    """Run through a scene: yield after each event what is remembered and what was counted."""
    memory, counted = memory_of(scene), Counted(scene.deck)
    for event in scene.events:
        memory.see(event)
        counted.hear(event)
        yield memory, counted


SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_beliefs_are_what_is_counted(seed: int) -> None:
    """After every event each hand has the share that it has in all shuffles that allow it."""
    for memory, counted in stages(scene(seed)):
        hands, believed = counted.hands(), memory.belief(OWNER)
        assert dict(believed.hands()) == hands
        assert memory.chances(OWNER) == {
            kind: sum(chance for hand, chance in hands.items() if kind in hand)
            for kind in believed.hidden.kinds()
        }


def test_the_scenes_have_everything() -> None:
    """Among them are all events that move cards, beliefs of many cases, and cards kept."""
    seen = {type(event).__name__ for seed in SEEDS for event in scene(seed).events}
    assert seen == {
        "Built",
        "CardPlayed",
        "Dismissed",
        "FinalPhaseBegan",
        "HiddenCardDrawn",
        "Hired",
        "PlayedCardsDiscarded",
        "Reshuffled",
    }
    beliefs = [memory.belief(OWNER) for seed in SEEDS for memory, _ in stages(scene(seed))]
    assert max(len(each.components) for each in beliefs) > 3
    assert sum(any(case.kept for case in each.components) for each in beliefs) > 20


def test_what_a_choice_tells() -> None:
    """A card that was played was in the hand; why it was chosen is not concluded.

    Of the six ways to draw two of two Builders, a Maid and a Nun five allow a Builder to be
    played, and one of them leaves another Builder.
    """
    deck = (Character.BUILDER, Character.BUILDER, Character.MAID, Character.NUN)
    drawing = HiddenCardDrawn(OWNER)
    memory = memory_of(Scene(deck, ()))
    for event in (drawing, drawing, CardPlayed(OWNER, Character.BUILDER)):
        memory.see(event)
    assert memory.chances(OWNER) == {
        Character.BUILDER: Fraction(1, 5),
        Character.MAID: Fraction(2, 5),
        Character.NUN: Fraction(2, 5),
    }


def test_impossible_hands() -> None:
    """A hand of another size, or of cards that the player does not own, has no chance."""
    memory = memory_of(Scene((Character.MAID, Character.NUN), ()))
    memory.see(HiddenCardDrawn(OWNER))
    believed = memory.belief(OWNER)
    assert believed.chance_of(CardBag.of(Character.MAID)) == Fraction(1, 2)
    assert believed.chance_of(CardBag.of(Character.MONK)) == 0
    assert believed.chance_of(CardBag.of(Character.MAID, Character.NUN)) == 0


# What is made up


class Fork:
    """A generator that takes one of the ways there are, and remembers the others."""

    def __init__(self, path: tuple[int, ...]) -> None:
        """Choose as in a path, and then the first."""
        self.path, self.chance = path, Fraction(1)
        self.others: list[tuple[int, ...]] = []
        self.chosen = 0

    def pick(self, weights: Sequence[int], number: object = None) -> int:
        """Choose one of some weights."""
        possible = [place for place, weight in enumerate(weights) if weight]
        if self.chosen == len(self.path):
            self.others += ((*self.path, other) for other in range(1, len(possible)))
            self.path += (0,)
        place = possible[self.path[self.chosen]]
        self.chosen += 1
        self.chance *= Fraction(weights[place], sum(weights))
        return place

    def randrange(self, stop: int, /) -> int:
        """Choose a number below a limit."""
        return self.pick([1] * stop)


def every_way(make: Callable[[Fork], T]) -> dict[T, Fraction]:
    """Return all that can be made with a generator, with the exact probabilities."""
    found: dict[T, Fraction] = {}
    ahead: list[tuple[int, ...]] = [()]
    while ahead:
        fork = Fork(ahead.pop())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(belief, "pick", fork.pick)
            made = make(fork)
        found[made] = found.get(made, Fraction(0)) + fork.chance
        ahead += fork.others
    return found


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_hands_are_made_up_with_their_exact_chances(seed: int) -> None:
    """Whatever numbers a generator gives, every hand comes with its probability, as a fraction."""
    *_, (memory, counted) = stages(scene(seed))
    now = see(0, memory.table, ())
    ways = every_way(lambda fork: determinize(now, fork, memory).players[OWNER].hand)
    assert ways == counted.hands()


def draws(memory: Memory, rng: Generator) -> Cards:
    """Return what was drawn in a made-up course of all that happened."""
    return tuple(each.character for each in memory.imagine(rng) if isinstance(each, CardDrawn))


SHORT = [
    number
    for number in range(120)
    if sum(isinstance(each, HiddenCardDrawn) for each in scene(number).events) <= 5
]


@pytest.mark.parametrize("seed", SHORT[:20])
def test_histories_are_made_up_with_their_exact_chances(seed: int) -> None:
    """Every way in which the cards can have been drawn comes with its probability."""
    *_, (memory, counted) = stages(scene(seed))
    assert every_way(lambda fork: draws(memory, fork)) == counted.draws()
