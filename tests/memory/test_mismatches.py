"""What does not belong to a memory is refused, and leaves it as it was."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from tests.positions import position, seat
from valletta_rules import (
    CardBag,
    Character,
    GameState,
    HiddenCardDrawn,
    Outcome,
    RedactedEvent,
    RedactedForAnotherError,
    SeatError,
    determinize,
    view,
)
from valletta_rules.components.goods import ONE_OF_EACH
from valletta_rules.events import (
    CardDrawn,
    CardPlayed,
    Dismissed,
    FinalPhaseBegan,
    GameEnded,
    GoodsTaken,
    Hired,
    PlayedCardsDiscarded,
    Reshuffled,
)
from valletta_rules.memory import Memory, MemoryMismatchError, belief

MAID, NUN, MONK, BUILDER = (
    Character.MAID,
    Character.NUN,
    Character.MONK,
    Character.BUILDER,
)


def table() -> GameState:
    """Return a position in which the other player may hold a Maid or a Nun."""
    return position(
        seat(hand=[MONK], draw_pile=[BUILDER]),
        seat(hand=[MAID], draw_pile=[NUN]),
    )


@pytest.fixture
def memory() -> Memory:
    """Return a memory of seat 0 that has just begun."""
    memory = Memory(0)
    memory.begin(view(table(), 0))
    return memory


@pytest.mark.parametrize(
    ("heard", "event"),
    [
        ([], CardPlayed(0, BUILDER)),
        ([], CardPlayed(1, MONK)),
        ([], Dismissed(0, BUILDER)),
        ([], CardDrawn(0, MONK)),
        ([], Hired(1, MONK)),
        ([], Reshuffled(1)),
        # A card may be hidden, and yet be known not to be in the hand, but in the draw pile.
        ([CardPlayed(1, NUN), HiddenCardDrawn(1), CardPlayed(1, MAID)], HiddenCardDrawn(1)),
        (
            [HiddenCardDrawn(1), CardPlayed(1, NUN), PlayedCardsDiscarded(1), Reshuffled(1)],
            CardPlayed(1, NUN),
        ),
        # The piles are joined once, and not after the end.
        ([FinalPhaseBegan()], FinalPhaseBegan()),
        ([FinalPhaseBegan(), GameEnded(Outcome((), (), "SCO-9"))], FinalPhaseBegan()),
    ],
    ids=str,
)
def test_what_cannot_have_happened(
    memory: Memory, heard: list[RedactedEvent], event: RedactedEvent
) -> None:
    """A card that was not there cannot move; the memory stays as it was."""
    for each in heard:
        memory.see(each)
    before = copy.copy(memory)
    with pytest.raises(MemoryMismatchError, match="this cannot happen: ") as refused:
        memory.see(event)
    assert repr(event) in str(refused.value)
    assert memory == before


def test_events_redacted_for_another(memory: Memory) -> None:
    """A memory hears only what its seat may know, and all of that."""
    before = copy.copy(memory)
    for event in (CardDrawn(1, NUN), HiddenCardDrawn(0)):
        with pytest.raises(RedactedForAnotherError, match=f"seat {event.seat} is"):
            memory.see(event)
    assert memory == before


def test_seats_that_there_are_not(memory: Memory) -> None:
    """A game has the seats that it has."""
    with pytest.raises(SeatError):
        Memory(4)
    for call in (memory.belief, memory.chances, lambda seat: memory.see(HiddenCardDrawn(seat))):
        with pytest.raises(SeatError):
            call(2)


def test_a_memory_that_has_not_begun() -> None:
    """Without a beginning there is nothing to remember."""
    memory = Memory(0)
    for call in (
        lambda: memory.see(HiddenCardDrawn(1)),
        lambda: memory.table,
        lambda: memory.chances(1),
        lambda: memory.imagine(random.Random(1)),
        lambda: determinize(view(table(), 0), random.Random(1), memory),
    ):
        with pytest.raises(MemoryMismatchError, match="has not begun"):
            call()


def test_views_of_another_seat(memory: Memory) -> None:
    """What one seat sees is not for the memory of another."""
    for viewer, whose in ((1, "that of seat 1"), (None, "a spectator's")):
        theirs = view(table(), viewer)
        for call in (
            memory.begin,
            memory.information_state,
            lambda seen: memory.hands(seen, random.Random(1)),
        ):
            with pytest.raises(MemoryMismatchError) as refused:
                call(theirs)
            assert str(refused.value) == f"the memory is that of seat 0, the view is {whose}"


def test_views_of_another_moment(memory: Memory) -> None:
    """A memory must have heard exactly what has led to a view; the error says what differs."""
    now = view(table(), 0)
    memory.see(GoodsTaken(1, ONE_OF_EACH, "GRN-1"))
    with pytest.raises(MemoryMismatchError) as refused:
        determinize(now, random.Random(1), memory)
    assert str(refused.value) == (
        "the memory has not heard what led to this view, or more than that: "
        "table.players[1].goods is Goods(gold=0, wood=0, stone=0, brick=0) in the view, "
        "Goods(gold=1, wood=1, stone=1, brick=1) in the memory"
    )
    memory.begin(now)
    other = view(table().replace(valette=3), 0)
    with pytest.raises(MemoryMismatchError, match=r"table\.valette is 3 in the view, 0 in the mem"):
        memory.information_state(other)


def test_things_that_are_no_views_and_no_memories(memory: Memory) -> None:
    """A position is no view, and only a memory remembers."""
    state: Any = table()
    for call in (memory.begin, memory.information_state):
        with pytest.raises(TypeError, match="a view"):
            call(state)
    with pytest.raises(TypeError, match=r"a memory \(Memory\) is needed, not GameState"):
        determinize(view(state, 0), random.Random(1), state)


# In the middle of a game


def test_a_memory_that_begins_late_believes_what_the_view_tells() -> None:
    """Of a view in the middle of a game it makes what is made of it without a memory."""
    state = position(
        seat(),
        seat(hand=[MAID, BUILDER, NUN], draw_pile=[BUILDER, BUILDER, MONK], discard_pile=[MONK]),
    )
    state = state.with_player(1, state.players[1].replace(shown=CardBag.of(BUILDER)))
    memory = Memory(0)
    memory.begin(view(state, 0))
    rest, hands = [MAID, NUN, BUILDER, BUILDER, MONK], dict[CardBag, int]()
    for one, other in combinations(rest, 2):
        hand = CardBag.of(BUILDER, one, other)
        hands[hand] = hands.get(hand, 0) + 1
    assert dict(memory.belief(1).hands()) == {
        hand: Fraction(count, 10) for hand, count in hands.items()
    }


def test_the_cards_on_the_board_count_as_copies() -> None:
    """A kind of which a copy has been played this turn is counted by cases."""
    state = position(
        seat(hand=[NUN, MONK], draw_pile=[MAID, BUILDER]), seat(), active=0, played=[NUN]
    )
    memory = Memory(1)
    memory.begin(view(state, 1))
    assert set(memory.belief(0).new) == {MONK, MAID, BUILDER}
    assert memory.chances(0)[NUN] == Fraction(1, 2)


# Generators


class ThirtyTwoBits:
    """A generator like those of numpy, which cannot draw below a large limit."""

    def __init__(self) -> None:
        """Draw the numbers of `random.Random`."""
        self.rng = random.Random(1)

    def integers(self, low: int, /) -> int:
        """Return a number from 0 up to `low` less one."""
        assert low <= 2**32
        return self.rng.randrange(low)


def test_each_weight_has_its_share() -> None:
    """Of all the numbers that a generator can give, each choice has as many as it weighs."""
    picked = [belief.pick([1, 0, 3, 2], lambda limit, n=n: n) for n in range(6)]  # type: ignore[misc]
    assert picked == [0, 2, 2, 2, 3, 3]


def test_weights_beyond_what_a_generator_can_draw() -> None:
    """Weights of any size are drawn from in proportion."""
    heavy, rng = [2**70, 2**71], ThirtyTwoBits()
    picked = [belief.pick(heavy, rng.integers) for _ in range(600)]
    assert 340 < sum(picked) < 460
    numbers = iter([2**32 - 1, 2**32 - 1, 0, 2**31])
    assert belief.pick([2**33, 2**33 + 1], lambda limit: next(numbers)) == 0
    assert not list(numbers)


def test_a_memory_takes_the_generators_that_are_taken_elsewhere(memory: Memory) -> None:
    """Hands are drawn by a generator like numpy's, too."""
    now = view(table(), 0)
    guess = determinize(now, ThirtyTwoBits(), memory)
    assert view(guess, 0) == now
