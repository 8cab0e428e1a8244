"""Tests of random games that the native backend plays with Python's random generators.

Tests in `tests/studies` compare these games with the engine.
"""

import random
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from tests.native.uses import PLAYING, at_random
from valletta_rules.rulebook.building import can_pay

pytestmark = pytest.mark.usefixtures("backend")


def test_a_random_game_stops_after_the_given_number_of_turns() -> None:
    """It also stops when a new phase begins, and when a seat without a generator must decide."""
    packed: Any = vr.native.pack(vr.new_game(2))
    bots, chance, *_ = at_random(2)
    start, _ = packed.played_on(bots, chance, 0, False)
    assert isinstance(start.prompt, vr.PlayPrompt)
    assert start.played_on(bots, chance, 0, False) == (start, [])
    for turns in (0, 2):
        _, runs = start.played_on(bots, chance, turns, True)
        assert [begins for _, begins, _ in runs].count(True) == turns
        assert not runs[0][1]
    _, runs = start.played_on(bots, chance, 3, False)
    assert [begins for _, begins, _ in runs].count(True) == 3
    final, _ = start.played_on(bots, chance, 1000, False)
    assert vr.native.peek(final).phase is vr.Phase.FINAL
    over, _ = final.played_on(bots, chance, 1000, False)
    assert over.prompt is None
    left, runs = start.played_on((None, bots[1]), chance, 1000, False)
    assert (left.prompt.seat, {seat for seat, _, _ in runs} - {1}) == (0, set())


def test_a_random_game_accepts_any_random_generator() -> None:
    """The backend calls the methods of generators whose type is not `random.Random`."""
    packed: Any = vr.native.pack(vr.new_game(2))
    bots, chance, *rest = at_random(2)
    likes = at_random(2)
    others = [tuple(SimpleNamespace(randrange=rng.randrange) for rng in some) for some in likes[:2]]
    assert packed.played_on(bots, chance, *rest) == packed.played_on(*others, *rest)


def test_a_random_player_chooses_a_payment_by_its_index_in_the_legal_actions() -> None:
    """All payments are therefore equally likely."""
    rng, counts = random.Random(3), (0, 0, 1, 2, 4, 9)
    _, chance, *_ = at_random(3)
    for _ in range(300):
        price, goods = (vr.Goods(*rng.choices(counts, k=4)) for _ in range(2))
        player = attrs.evolve(PLAYING.players[PLAYING.active], goods=goods)
        state = PLAYING.with_player(PLAYING.active, player)
        state = state.replace(agenda=(vr.PaymentPrompt(PLAYING.active, 0, price),))
        legal = vr.legal_actions(state) if can_pay(goods, price) else ()
        for place in {0, len(legal) // 2, len(legal) - 1} if legal else ():
            limits = list[int]()
            draws: Any = SimpleNamespace(
                randrange=lambda n, to=place, by=limits: by.append(n) or to
            )
            packed: Any = vr.native.pack(state)
            _, ((_, _, picked),) = packed.played_on((draws,) * 3, chance, 0, True)
            assert (picked, limits) == ([legal[place]], [len(legal)])


def test_a_random_game_with_unusable_generators_raises_an_error() -> None:
    """A generator is missing, has a wrong type, or raises an error."""
    packed: Any = vr.native.pack(vr.new_game(2))
    bots, chance, *rest = at_random(2)
    for wrong in ((bots[1:], chance), (bots, chance[1:])):
        with pytest.raises(ValueError, match="another number of generators"):
            packed.played_on(*wrong, *rest)
    wrong_types: tuple[Any, ...] = (
        (bots, (None, *chance[1:])),
        ((object(), bots[1]), chance),
        ([], chance),
        (1, 2),
    )
    for odd in wrong_types:
        with pytest.raises(TypeError):
            packed.played_on(*odd, *rest)
    failing: Any = random.Random(1)
    vars(failing)["getrandbits"] = lambda bits: bits // 0
    for bad in ((bots, (failing, *chance[1:])), ((failing, failing), chance)):
        with pytest.raises(ZeroDivisionError):
            packed.played_on(*bad, *rest)


def test_a_random_game_that_cannot_continue_raises_an_error() -> None:
    """No action is legal, no random outcome is possible, or the next position cannot be packed."""
    given = at_random(3)
    empty = attrs.evolve(PLAYING.players[PLAYING.active], hand=vr.CardBag(), shown=vr.CardBag())
    for stuck in (
        PLAYING.replace(agenda=(vr.PaymentPrompt(0, 0, vr.Goods(gold=200)),)),
        PLAYING.with_player(PLAYING.active, empty),
    ):
        dead: Any = vr.native.pack(stuck)
        with pytest.raises(ValueError, match="no answer is legal"):
            dead.played_on(*given)
    at_barrel = PLAYING.replace(barrels=vr.Goods(), agenda=(vr.BarrelPrompt(0),))
    none: Any = vr.native.pack(at_barrel)
    with pytest.raises(ValueError, match="chance has no answer"):
        none.played_on(*given)
    rich = attrs.evolve(at_barrel.players[0], goods=vr.Goods(gold=65_000))
    knight = attrs.evolve(empty, hand=vr.CardBag.of(vr.Character.KNIGHT), score=65_000)
    for state in (
        at_barrel.with_player(0, rich).replace(barrels=vr.Goods(gold=1)),
        PLAYING.with_player(PLAYING.active, knight),
    ):
        full: Any = vr.native.pack(state)
        with pytest.raises(OverflowError, match="cannot hold"):
            full.played_on(*given)
