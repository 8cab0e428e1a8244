"""Searches in C return the same values, lines and leads as the searches in Python."""

from __future__ import annotations

import _thread
import operator
import random
import signal
from array import array
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

import valletta_rules as vr
from tests.positions import position, seat
from valletta_rules import native
from valletta_rules.agenda import EndTurn, PaymentPrompt, Step
from valletta_rules.bots import native_search
from valletta_rules.bots.features import read
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.rollouts import leads_of
from valletta_rules.bots.turns import Lead, lines, options
from valletta_rules.bots.value import Forecast, forecast_of
from valletta_rules.rulebook.building import can_pay

pytestmark = pytest.mark.usefixtures("backend")


def positions(players: int, seed: int, every: int = 1) -> Iterator[tuple[native.PackedState, int]]:
    """Yield every `every`-th position of a random game, together with the seat that must decide."""
    rng = random.Random(seed)
    state = vr.resolve_chance(native.pack(vr.new_game(players)), rng)
    number = 0
    while (prompt := state.prompt) is not None:
        if number % every == seed % every:
            assert prompt.seat is not None
            yield state, prompt.seat
        state = vr.resolve_chance(vr.apply(state, rng.choice(vr.legal_actions(state))), rng)
        number += 1


def forecast(state: native.PackedState) -> Forecast:
    """Return the forecast for the game to which a position belongs."""
    unpacked = state.unpack()
    return forecast_of(unpacked.display, len(unpacked.players))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_expected_points_in_c_equal_those_in_python_to_the_last_bit(players: int) -> None:
    """The viewer is a seat with a hand, or `None`.

    The positions range from the draft to the final phase.
    """
    near = position(seat(score=20, goods=vr.Goods(brick=9)), *[seat()] * (players - 1), valette=24)
    for state, mover in (*positions(players, players), (native.pack(near), 0)):
        for viewer in (mover, None):
            expected = tuple(forecast(state).points(read(state), viewer))
            assert native_search.expected_points(state, forecast(state), viewer) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_search_of_a_turn_in_c_returns_the_same_lines_as_in_python(players: int) -> None:
    """The lines have equal actions, positions and values, and the same order."""
    for state, mover in positions(players, players, every=17):
        value = Lead(forecast(state), mover)
        for beam in (30, 2):
            result = lines(state, mover, value, beam)
            assert result == lines(state, mover, value.__call__, beam)
            assert best_by_prefix(result, 2) == lines(state, mover, value, beam, keep=2)


def best_by_prefix(results: list[Any], keep: int) -> list[Any]:
    """For each prefix of the best line, return the `keep` best lines that begin with that
    prefix.
    """
    wanted, best = set[int](), results[0].actions
    for length in range(len(best) + 1):
        alike = [n for n, line in enumerate(results) if line.actions[:length] == best[:length]]
        wanted.update(alike[:keep])
    return [line for n, line in enumerate(results) if n in wanted]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_leads_after_rollouts_in_c_equal_those_in_python(players: int) -> None:
    """The test compares rollouts of at most 1 and at most 30 turns.

    The leads do not depend on the number of threads.
    """
    for number, (state, mover) in enumerate(positions(players, players, every=61)):
        view, rng = vr.view(state, mover), random.Random(number)
        worlds = [native.determinize(view, rng) for _ in range(2)]
        ends = [end for _, end, _ in native_search.lines(state, forecast(state), mover, 5, 2)]
        tried = partial(leads_of, forecast=forecast(state), seat=mover, narrow=2)
        for turns in (1, 30):
            leads = tried(ends[:2], worlds, (number, 9), turns=turns, threads=2)
            assert leads == tried(ends[:2], worlds, (number, 9), turns=turns)
            end, world = (
                number % len(ends[:2]),
                number // 2 % 2,
            )  # only one of them, because Python is slow
            one, other = [ends[end].unpack()], [worlds[world].unpack()]
            assert tried(one, other, [(number, 9)[world]], turns=turns) == [[leads[end][world]]]


def test_the_payment_of_a_search_in_c_equals_the_cheapest_payment_in_python() -> None:
    """The prices and goods are random."""
    rng = random.Random(5)
    for _ in range(200):
        price, goods = (
            vr.Goods(*[rng.choice((0, 1, 2, 5, 9)) for _ in range(4)]) for _ in range(2)
        )
        goods += vr.Goods(*[3 * price.total * (rng.random() < 0.3) for _ in range(4)])
        steps: tuple[Step, ...] = (PaymentPrompt(0, 0, price), EndTurn(0))
        state = native.pack(position(seat(goods=goods), seat(), agenda=steps))
        if can_pay(goods, price):
            (line, *_) = lines(state, 0, Lead(forecast(state), 0), 5)
            assert line.actions[:1] == tuple(options(state))


def test_a_search_that_exceeds_the_limits_of_a_packed_position_raises_an_error() -> None:
    """In the test, goods exceed their limit. `apply` raises this error, too."""
    hand = [vr.Character.SHOPKEEPER, vr.Character.MAID]
    much = vr.Goods(gold=65_000, wood=65_000, stone=65_000, brick=65_000)
    state: vr.GameState = position(seat(hand=hand, goods=much), seat(hand=hand))
    with pytest.raises(OverflowError, match="cannot hold"):
        PlannerBot(random.Random(1)).decide(vr.view(state, 0))
    monk = position(
        seat(hand=[vr.Character.MONK], goods=much), seat(goods=vr.Goods(gold=9)), plays=1
    )
    with pytest.raises(OverflowError, match="cannot hold"):
        lines(native.pack(monk), 0, Lead(forecast(native.pack(monk)), 0), 5)
    packed = [native.pack(monk)]
    with pytest.raises(OverflowError, match="cannot hold"):
        leads_of(packed, packed, [1], forecast(packed[0]), 0, 9, 5)


def test_a_signal_interrupts_a_search() -> None:
    """Without the signal, the search would run for a very long time."""
    hand = [vr.Character.NUN, vr.Character.SEAMSTRESS, vr.Character.MAID, vr.Character.TRADER]
    state = native.pack(position(seat(hand=hand * 2, goods=vr.Goods(9, 9, 9, 9)), seat(), plays=8))
    weights, words = native_search._weights(2), array("I", random.Random(1).getstate()[1])
    library: Any = native_search._library
    call: Any = operator.call
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a background process ignores it
    try:
        for search in (
            partial(library.lines, state, weights, 0, 1 << 20, 1),
            partial(library.leads, (state,) * 999, (state,), weights, words, 0, 9, 2, 2),
        ):
            with pytest.raises(KeyboardInterrupt):  # no Python code runs between the two calls
                list(map(call, (_thread.interrupt_main, search)))
    finally:
        signal.signal(signal.SIGINT, before)


def with_impossible_hand(packed: native.PackedState, seat: int) -> native.PackedState:
    """Return a position in which `seat` has cards that cannot all exist in the game."""
    state = packed.unpack()
    theirs = state.players[seat]
    strange = vr.CardBag.of(*[vr.Character.PIUS] * len(theirs.hand))
    return native.pack(state.with_player(seat, theirs.replace(hand=strange)))


def test_a_search_in_c_refuses_wrong_arguments() -> None:
    """For example, the weights are wrong, or it is not the turn of the given seat."""
    library: Any = native_search._library
    state, mover = next(positions(2, 1))
    weights = native_search._weights(2)
    words = array("I", random.Random(1).getstate()[1])
    wild = [changed(weights, at, bad) for at in (-40, -70) for bad in (99.0, -1.0)]
    another, third = native.pack(vr.new_game(2)), native.pack(vr.new_game(3))
    plans = ((state,), (state,), weights, words, mover, 1, 1, 1)
    unfit: tuple[tuple[int, object], ...] = (
        *((place, some) for place in (0, 1) for some in ((), (1,), (another,), (third,))),
        (1, (with_impossible_hand(state, 1 - mover),)),
        *((2, b""), (3, words[1:]), (4, -1), (4, 2), (5, 0), (6, 0), (7, 0), (7, 257)),
    )
    refused = (
        *((library.leads, (*plans[:place], bad, *plans[place + 1 :])) for place, bad in unfit),
        (library.leads, ((state,) * (1 << 15), (state,) * (1 << 15), *plans[2:])),
        *((library.expected, (state, bad, 0)) for bad in (b"", *wild)),
        *((library.expected, (state, weights, bad)) for bad in (-2, 2)),
        (library.lines, (state, weights, -1, 5, 5)),
        (library.lines, (state, weights, 1 - mover, 5, 5)),
        (library.lines, (state, b"", mover, 5, 5)),
        (library.lines, (state, weights, mover, 0, 5)),
        (library.lines, (state, weights, mover, 5, 0)),
    )
    for function, arguments in refused:
        with pytest.raises(ValueError, match=r"weights|seat|searched|tried|one game"):
            function(*arguments)
    for function in (library.expected, library.lines, library.leads):
        with pytest.raises(TypeError):
            function(state)


def changed(weights: Any, place: int, value: float) -> array[float]:
    """Return a copy of `weights` with the value at index `place` replaced."""
    copied = array("d", weights)
    copied[place] = value
    return copied


def test_a_search_in_c_is_not_used_for_other_forecasts_or_unpacked_positions() -> None:
    """A subclass of `Forecast` may override methods.

    The search in C reads only packed positions.
    """
    state, _ = next(positions(2, 1))
    plain = forecast(state)

    class Another(Forecast):
        """A subclass of `Forecast`; the search in C must not be used for it."""

    assert native_search.can_search(state, plain)
    assert not native_search.can_search(state, Another(plain.display, 2))
    assert not native_search.can_search(state.unpack(), plain)
    hand = vr.CardBag.of(*[vr.Character.MAID] * 129)
    assert not native_search.can_search(position(seat(hand=hand), seat()), plain)
