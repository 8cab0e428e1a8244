"""Tests that a memory refuses events and views that contradict it, and then does not change."""

import copy
import random
from collections.abc import Callable
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from tests.distributions import distribution
from tests.positions import position, seat
from valletta_rules.memory import Memory, MemoryMismatchError, belief

MAID, NUN, MONK = vr.Character.MAID, vr.Character.NUN, vr.Character.MONK
BUILDER = vr.Character.BUILDER

TABLE = position(seat(hand=[MONK], draw_pile=[BUILDER]), seat(hand=[MAID], draw_pile=[NUN]))
"""A position in which the other player may have a Maid or a Nun in hand."""


@pytest.fixture
def memory() -> Memory:
    """Return a new memory of seat 0."""
    memory = Memory(0)
    memory.begin(vr.view(TABLE, 0))
    return memory


@pytest.mark.parametrize(
    ("earlier", "event"),
    [
        ([], vr.CardPlayed(0, BUILDER)),
        ([], vr.CardPlayed(1, MONK)),
        ([], vr.Dismissed(0, BUILDER)),
        ([], vr.CardDrawn(0, MONK)),
        ([], vr.Hired(1, MONK)),
        ([], vr.Reshuffled(1)),
        ([], vr.Built(1, 8, MAID)),
        ([vr.Built(0, 8, TABLE.display[8].character)], vr.Built(1, 8, TABLE.display[8].character)),
        ([], vr.Built(1, 20, TABLE.display[0].character)),
        # A hidden card may be known to be in the draw pile.
        (
            [vr.CardPlayed(1, NUN), vr.HiddenCardDrawn(1), vr.CardPlayed(1, MAID)],
            vr.HiddenCardDrawn(1),
        ),
        (
            [
                vr.HiddenCardDrawn(1),
                vr.CardPlayed(1, NUN),
                vr.PlayedCardsDiscarded(1),
                vr.Reshuffled(1),
            ],
            vr.CardPlayed(1, NUN),
        ),
        # The piles are joined once, and not after the end.
        ([vr.FinalPhaseBegan()], vr.FinalPhaseBegan()),
        ([vr.FinalPhaseBegan(), vr.GameEnded(vr.Outcome((), (), "SCO-9"))], vr.FinalPhaseBegan()),
    ],
    ids=str,
)
def test_a_memory_refuses_an_impossible_event_and_does_not_change(
    memory: Memory, earlier: list[vr.RedactedEvent], event: vr.RedactedEvent
) -> None:
    """For example, a player plays a card that they cannot have in hand."""
    for each in earlier:
        memory.see(each)
    before = copy.copy(memory)
    with pytest.raises(MemoryMismatchError, match="impossible after the observed") as refused:
        memory.see(event)
    assert repr(event) in str(refused.value)
    assert memory == before


@pytest.mark.parametrize(
    "event",
    [
        vr.HiddenCardDrawn(0),
        vr.HiddenCardDrawn(2),
        vr.CardDrawn(1, NUN),
        vr.GoodsTaken(7, vr.Goods(1), "BLD-1"),
        vr.GoodsReturned(0, vr.Goods(10**9), "BLD-1"),
        vr.GoodsReturned(0, vr.Goods(-1), "BLD-1"),
        vr.Upgraded(1, 8),
        vr.Built(1, 99, MAID),
    ],
    ids=str,
)
def test_an_event_that_a_memory_refuses_changes_neither_its_beliefs_nor_its_digest(
    memory: Memory, event: vr.RedactedEvent
) -> None:
    """The memory has recorded three other events before."""
    for each in (
        vr.HiddenCardDrawn(1),
        vr.CardPlayed(1, MAID),
        vr.GoodsTaken(0, vr.Goods(1), "BLU-1"),
    ):
        memory.see(each)
    before = copy.copy(memory)
    view = attrs.evolve(vr.view(TABLE, 0), table=memory.table)
    key = memory.information_state(view).digest
    with pytest.raises((MemoryMismatchError, vr.RedactedForAnotherError, vr.SeatError)):
        memory.see(event)
    assert (memory, memory.events, memory.table) == (before, before.events, before.table)
    assert [memory.belief(each) for each in (0, 1)] == [before.belief(each) for each in (0, 1)]
    assert memory.information_state(view).digest == key


def test_information_states_with_different_card_sets_or_agendas_have_different_digests() -> None:
    """The card sets have equal names. They differ only in a card that is not on display."""
    keys = set()
    for more in (0, 1):
        one, *others = vr.RECONSTRUCTION.buildings
        cards = vr.CardSet(
            "Mine", [attrs.evolve(one, points=one.points + more), *others], vr.Goods(25)
        )
        for seat_of in (None, 0, 1):
            view, memory = (
                vr.view(position(seat(hand=[MAID]), seat(), cards=cards), seat_of),
                Memory(seat_of),
            )
            memory.begin(view)
            keys.add(memory.information_state(view).digest)
            later = attrs.evolve(view, agenda=(view.agenda[0],))
            keys.add(memory.information_state(later).digest)
    assert len(keys) == 12


def test_cards_played_by_the_active_player_do_not_affect_beliefs_about_other_players() -> None:
    """The memory begins in the middle of the turn, after these cards were played."""
    other = seat(hand=[MAID, BUILDER], draw_pile=[NUN, MONK, MONK])
    beliefs = []
    for played in ([], [NUN, NUN]):
        memory = Memory(0)
        memory.begin(vr.view(position(seat(hand=[MONK]), other, played=played), 0))
        beliefs.append(memory.belief(1))
    assert beliefs[0] == beliefs[1]


NO_VIEW: Any = TABLE

REFUSED: list[tuple[Callable[[Memory], object], type[Exception], str]] = [
    (lambda memory: memory.see(vr.CardDrawn(1, NUN)), vr.RedactedForAnotherError, "must be hidden"),
    (
        lambda memory: memory.see(vr.HiddenCardDrawn(0)),
        vr.RedactedForAnotherError,
        "from this seat",
    ),
    (lambda memory: memory.see(vr.HiddenCardDrawn(2)), vr.SeatError, "seat 2"),
    (lambda memory: memory.chances(2), vr.SeatError, "seat 2"),
    (lambda memory: Memory(4), vr.SeatError, "seat 4"),
    (lambda memory: memory.begin(NO_VIEW), TypeError, "a view"),
    (lambda memory: memory.information_state(NO_VIEW), TypeError, "a view"),
    (lambda memory: determinized(memory=NO_VIEW), TypeError, r"expected a memory \(Memory\)"),
    (lambda memory: determinized(memory=Memory(0)), MemoryMismatchError, "call begin"),
    (lambda memory: Memory(0).see(vr.HiddenCardDrawn(1)), MemoryMismatchError, "call begin"),
    (
        lambda memory: memory.begin(vr.view(TABLE, 1)),
        MemoryMismatchError,
        "^the view must be that of seat 0, like the memory, not that of seat 1$",
    ),
    (
        lambda memory: memory.hands(vr.view(TABLE, None), random.Random(1)),
        MemoryMismatchError,
        "^the view must be that of seat 0, like the memory, not a spectator's$",
    ),
    (
        lambda memory: memory.information_state(vr.view(TABLE.replace(valette=3), 0)),
        MemoryMismatchError,
        "^the memory has not observed exactly the events that led to this view: "
        r"table\.valette is 3 in the view, 0 in the memory$",
    ),
]
"""Calls that must be refused, each with the type and the message of the error."""


def determinized(*, memory: Memory) -> vr.GameState:
    """Return a position sampled from the view of seat 0 with a memory."""
    return vr.determinize(vr.view(TABLE, 0), random.Random(1), memory)


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_a_memory_refuses_a_wrong_seat_view_or_event_with_the_reason(
    memory: Memory, call: Callable[[Memory], object], error: type[Exception], message: str
) -> None:
    """The memory does not change."""
    before = copy.copy(memory)
    with pytest.raises(error, match=message):
        call(memory)
    assert memory == before


def test_the_error_for_a_view_that_contradicts_a_memory_names_both_values(memory: Memory) -> None:
    """In the test, the view and the memory differ in the goods of player 1."""
    memory.see(vr.GoodsTaken(1, vr.Goods(gold=1), "GRN-1"))
    differs = (
        r"players\[1\]\.goods is Goods\(gold=0, .* in the view, Goods\(gold=1, .* in the memory"
    )
    with pytest.raises(MemoryMismatchError, match=differs):
        determinized(memory=memory)


# In the middle of a game


def test_a_memory_that_begins_in_the_middle_of_a_game_has_the_beliefs_of_the_view_alone() -> None:
    """In the test, one of the player's Builders is public, and a Nun was played this turn."""
    blue = seat(
        hand=[MAID, BUILDER, NUN], draw_pile=[BUILDER, BUILDER, MONK], discard_pile=[MONK]
    ).replace(shown=vr.CardBag.of(BUILDER))
    state = position(seat(), blue, active=1, played=[NUN])
    memory = Memory(0)
    memory.begin(vr.view(state, 0))
    sampled = distribution(lambda ways: vr.determinize(vr.view(state, 0), ways).players[1].hand)
    assert dict(memory.belief(1).hands()) == sampled
    assert set(memory.belief(1).new) == {MAID}


def test_a_weighted_random_choice_selects_each_index_exactly_in_proportion_to_its_weight() -> None:
    """The test tries every number that the generator could return."""
    picked = [belief.pick([1, 0, 3, 2], lambda limit, n=n: n) for n in range(6)]  # type: ignore[misc]
    assert picked == [0, 2, 2, 2, 3, 3]
