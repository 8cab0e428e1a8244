"""What is seen of packed positions: the same arrays, the same views, the same hidden cards."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import asks, positions, scaled
from tests.native.test_batch import SplitMix, a_batch, chosen
from tests.positions import EDITIONS, seat
from valletta_rules import (
    CardBag,
    Character,
    GameState,
    Goods,
    Pay,
    PlayCard,
    PlayerView,
    SeatError,
    determinize,
    legal_actions,
    native,
    new_game,
    resolve_chance,
    view,
)
from valletta_rules.agenda import PaymentPrompt, PlayPrompt
from valletta_rules.components.numbers import Generator
from valletta_rules.numeric import numbering
from valletta_rules.numeric.encoding import MOST, columns, encode

pytestmark = pytest.mark.usefixtures("backend")


def viewers(state: GameState) -> tuple[int | None, ...]:
    """Return all who can look at a position."""
    return None, *state.seats


@scaled(0.5)
@given(positions())
def test_arrays_are_those_of_python(state: GameState) -> None:
    """Byte for byte, for every seat and for a spectator."""
    packed = native.pack(state)
    for viewer in viewers(state):
        assert native.encode(packed, viewer) == encode(view(state, viewer))


@given(positions(asks(PaymentPrompt)), st.data())
def test_a_payment_half_made_is_told_alike(state: GameState, data: st.DataObject) -> None:
    """To its payer, and the same is refused."""
    packed = native.pack(state)
    action = data.draw(st.sampled_from(legal_actions(state)))
    every = numbering.numbers_of(action, state.cards)
    assert state.prompt is not None
    for parts in range(4):
        seen = encode(view(state, state.prompt.seat), every[:parts])
        assert native.encode(packed, state.prompt.seat, every[:parts]) == seen
    for viewer, begun in ((state.prompt.seat, every), (None, every[:1]), (0, (331,))):
        with pytest.raises(ValueError, match="cannot have begun"):
            native.encode(packed, viewer, begun)


def test_very_much_counts_as_the_most() -> None:
    """A row holds more than an array tells."""
    rich = seat(goods=Goods(gold=MOST + 1, wood=MOST, stone=65_000), score=65_000)
    state = new_game(2).replace(players=(seat(), rich))
    seen = native.encode(native.pack(state), 0)
    assert seen == encode(view(state, 0))
    assert dict(zip(columns(2), seen, strict=True))["player.1.score"] == MOST


def test_arrays_are_written_into_what_is_given() -> None:
    """A buffer can be used again and again; one that does not fit is refused."""
    packed = native.pack(new_game(2))
    into = array("h", [9] * len(columns(2)))
    assert native.encode(packed, 1, (), into) is into
    assert into == native.encode(packed, 1)
    for wrong in (array("h", [0]), array("i", into), bytes(2 * len(into))):
        with pytest.raises(ValueError, match="contiguous buffer"):
            native.encode(packed, 1, (), wrong)
    for nobody in (2, -1):
        with pytest.raises(SeatError):
            native.encode(packed, nobody)
    thing: Any
    for thing in (new_game(2), None):
        with pytest.raises(TypeError, match="a packed position"):
            native.encode(thing, 0)


def test_the_library_refuses_what_python_would_not_ask() -> None:
    """A wrong seat, a wrong size, too many parts."""
    packed = native.pack(new_game(2))
    into: Any = array("h", bytes(2 * len(columns(2))))
    for viewer in (-2, 2):
        with pytest.raises(ValueError, match=f"no seat {viewer}"):
            packed.encode(into, viewer, 0, 0, 0, 0)
        with pytest.raises(ValueError, match=f"no seat {viewer}"):
            packed.determinized(viewer, random.Random(1))
    for buffer, parts in ((into, -1), (into, 4), (into[1:], 0)):
        with pytest.raises(ValueError, match="bytes and at most"):
            packed.encode(buffer, 0, parts, 0, 0, 0)
    for wrong in ((b"", 0, 0, 0, 0, 0), (into, 0)):
        with pytest.raises(TypeError):
            packed.encode(*wrong)
    with pytest.raises(TypeError):
        packed.determinized(0)  # type: ignore[call-arg]


# Views and what they hide


@given(positions(), st.data())
def test_views_are_those_of_the_engine(state: GameState, data: st.DataObject) -> None:
    """With their legal actions, which the backend lists."""
    viewer = data.draw(st.sampled_from(viewers(state)))
    seen, packed = view(state, viewer), view(native.pack(state), viewer)
    assert packed == seen
    assert packed.legal_actions == seen.legal_actions


@given(positions(), st.data())
def test_hidden_cards_are_made_up_alike(state: GameState, data: st.DataObject) -> None:
    """From the same numbers the same position, of plain generators and of others."""
    seen = view(state, data.draw(st.sampled_from(viewers(state))))
    seed = data.draw(st.integers(min_value=0, max_value=2**64 - 1))
    for kind in (random.Random, SplitMix):
        for _ in range(2):  # the second time the view is known
            one, other = kind(seed), kind(seed)
            assert native.determinize(seen, one) == native.pack(determinize(seen, other))
            assert one.randrange(10**6) == other.randrange(10**6)


def test_a_memory_says_which_hands_there_are() -> None:
    """Then the position is that of Python, packed."""
    state = resolve_chance(new_game(2), random.Random(1))

    class Knowing:
        def hands(self, seen: PlayerView, rng: Generator, /) -> tuple[CardBag, ...]:
            return tuple(player.hand for player in state.players)

    assert native.determinize(view(state, 0), random.Random(2), Knowing()) == native.pack(state)


def test_what_cannot_be_made_up_is_refused() -> None:
    """A generator that fails, and cards shown that nobody has."""

    class Failing:
        def randrange(self, stop: int, /) -> int:
            raise ArithmeticError

    state = new_game(2)
    dealt = state.with_player(1, state.players[0].replace(hand=CardBag.of(Character.MAID)))
    seen = view(dealt, 0)
    native.determinize(seen, random.Random(1))  # the next is made up natively
    with pytest.raises(ArithmeticError):
        native.determinize(seen, Failing())
    odd = dealt.players[1].replace(shown=CardBag.of(Character.KNIGHT))
    with pytest.raises(ValueError, match="no answer"):
        native.pack(dealt.with_player(1, odd)).determinized(0, random.Random(1))


# Games side by side


def begun_in(batch: native.Batch, ids: array[int], begun: list[tuple[int, ...]]) -> None:
    """Note which payments are half made after a step."""
    for game, number in enumerate(ids):
        if number in numbering.NUMBERS[Pay] and len(begun[game]) < 3:
            begun[game] += (number,)
        else:
            begun[game] = ()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_batches_tell_what_views_tell(players: int) -> None:
    """At every step of a game to its end, to the seat to play and to all."""
    start = native.pack(new_game(players, rules=EDITIONS[players - 2]))
    batch = native.Batch(start, 2, chance="outside", threads=2)
    rng, halves = random.Random(players), 0
    begun: list[tuple[int, ...]] = [(), ()]
    while not all(batch.done()):
        one, every = batch.observe().tolist(), batch.observe(seats="all").tolist()
        for game, to_play in enumerate(batch.to_play().tolist()):
            packed, part = batch.position(game), begun[game]
            halves += bool(part)
            viewer = None if to_play < 0 else to_play
            assert one[game] == list(native.encode(packed, viewer, part))
            assert every[game] == [
                list(native.encode(packed, place, part if place == viewer else ()))
                for place in range(players)
            ]
        ids = chosen(batch, rng)
        batch.step(ids)
        begun_in(batch, ids, begun)
    assert halves > 20


def test_what_is_seen_is_written_into_what_is_given() -> None:
    """A buffer can be used again; one of another shape is refused."""
    batch = a_batch(3)
    into = memoryview(bytearray(batch.observe().nbytes)).cast("B").cast("h", (3, len(columns(2))))
    assert batch.observe(into) is into
    assert into == batch.observe()
    with pytest.raises(ValueError, match="contiguous buffer"):
        batch.observe(into, seats="all")
    with pytest.raises(ValueError, match="to play"):
        batch.observe(seats="mine")  # type: ignore[arg-type]


def test_of_a_game_that_does_not_go_on_nothing_is_seen() -> None:
    """All is 0: of one that never began, and of one that a row could not hold."""
    library: Any = native._library
    batch = library.Batch(native.pack(new_game(2)), 1, False, False, 1)
    into = bytearray(b"x" * 2 * len(columns(2)))
    batch.fill(5, into)
    assert not any(into)
    state = resolve_chance(new_game(2), random.Random(1))
    rich = seat(goods=Goods(gold=65_000), hand=[Character.SHOPKEEPER])
    state = state.replace(players=(rich, rich), agenda=(PlayPrompt(0, 1),))
    stopping = native.Batch(native.pack(state), 1)
    assert any(stopping.observe().tolist()[0])
    with pytest.raises(OverflowError):
        stopping.step(array("q", numbering.numbers_of(PlayCard(Character.SHOPKEEPER), state.cards)))
    assert not any(stopping.observe().tolist()[0])
