"""The native backend at its edges: what no game comes to, and what only a stranger would ask."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from spec.checks import native_comparison
from spec.checks.lockstep import Lockstep
from tests.native.test_comparison import GAME, PLAYING
from valletta_rules import (
    BrokenInvariantError,
    Character,
    GameState,
    Goods,
    Pay,
    PlayCard,
    apply,
    legal_actions,
    native,
    new_game,
    resolve_chance,
)
from valletta_rules.agenda import (
    BarrelPrompt,
    BonusPrompt,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
    Turn,
)
from valletta_rules.components.bags import CardBag
from valletta_rules.specification.worked_examples import examples

pytestmark = pytest.mark.usefixtures("backend")

SEAT = PLAYING.active


def owning(state: GameState, goods: Goods) -> GameState:
    """Return a position in which the player who is to act owns just these goods."""
    return state.with_player(SEAT, state.players[SEAT].replace(goods=goods))


def test_every_action_is_judged_at_every_prompt() -> None:
    """At a position of each prompt, all actions are accepted or refused as by the engine."""
    by_prompt = {
        type(state.prompt): state
        for each in examples()
        for state in (each.after, *(state for state, _ in each.steps()))
    }
    lockstep = Lockstep(native_comparison.Native())
    for state in by_prompt.values():
        lockstep.compare(state, legal_actions(state), ())
    assert len(by_prompt) > 14
    assert not lockstep.tally.divergences, lockstep.tally.divergences[0]


def test_a_price_beyond_all_means_cannot_be_paid() -> None:
    """No game asks for it; payments of very many goods are payments all the same."""
    dear = PaymentPrompt(SEAT, 0, Goods(brick=86))
    poor = owning(PLAYING, Goods(gold=3)).replace(agenda=(dear,))
    with pytest.raises(BrokenInvariantError, match="no legal answer"):
        legal_actions(native.pack(poor))
    rich = owning(PLAYING, Goods(gold=258)).replace(agenda=(dear,))
    assert legal_actions(native.pack(rich)) == legal_actions(rich) == (Pay(Goods(gold=258)),)


def test_chance_without_an_answer_is_an_error() -> None:
    """A barrel is asked for, and none is left; or its good is one too many."""
    asked = PLAYING.replace(barrels=Goods(), agenda=(BarrelPrompt(SEAT),))
    with pytest.raises(ValueError, match="chance has no answer"):
        resolve_chance(native.pack(asked), random.Random(1))
    with pytest.raises(OverflowError, match="stops"):
        native.Batch(native.pack(asked), 2)
    full = owning(asked.replace(barrels=Goods(gold=1)), Goods(gold=65_000))
    with pytest.raises(OverflowError, match="cannot hold"):
        resolve_chance(native.pack(full), random.Random(1))


def test_a_generator_may_fail_within() -> None:
    """An error of its own bits is passed on."""

    def fail(bits: int) -> int:
        raise ZeroDivisionError

    failing: Any = random.Random(1)
    vars(failing)["getrandbits"] = fail
    with pytest.raises(ZeroDivisionError):
        resolve_chance(native.pack(new_game(2)), failing)


def test_an_agenda_can_be_too_long() -> None:
    """A question more than a row can hold is told."""
    state = PLAYING.replace(agenda=(PlayPrompt(SEAT, 3), *[Turn(0, 3)] * 11), played=())
    maid = state.players[SEAT].replace(hand=CardBag.of(Character.MAID))
    with pytest.raises(OverflowError, match="cannot hold"):
        apply(native.pack(state.with_player(SEAT, maid)), PlayCard(Character.MAID))


@pytest.mark.parametrize("goods", [None, (1, 1), Goods(gold=1 << 70), Goods(gold=66_000), "gone"])
def test_a_payment_need_not_hold_goods(goods: Any) -> None:
    """What was done to a payment behind its back makes it none, and does no harm."""
    packed = native.pack(PLAYING.replace(agenda=(PaymentPrompt(SEAT, 0, Goods(gold=1)),)))
    payment = Pay(Goods(gold=1))
    if goods == "gone":
        object.__delattr__(payment, "goods")
    else:
        object.__setattr__(payment, "goods", goods)
    assert not packed.allows(payment)
    amounts = Goods(gold=1)
    object.__delattr__(amounts, "gold")
    object.__setattr__(payment, "goods", amounts)
    assert not packed.allows(payment)


class Touchy:
    """Rules that are not to be compared."""

    def __eq__(self, other: object) -> bool:
        """Fail."""
        raise ZeroDivisionError

    __hash__ = None  # type: ignore[assignment]


def test_rules_that_cannot_be_compared_are_heard() -> None:
    """Equal rows of such rules cannot be compared, others are not equal anyway."""
    packed: Any = native.pack(PLAYING)
    known = list(native._TABLE.unpack(bytes(native._TABLE.size)))
    known[0], known[5] = 3, 37
    dealings, told = tuple(range(37)), native._TABLE.pack(*known)
    library: Any = native._library
    one, other = (library.Table(Touchy(), 2, dealings, told) for _ in range(2))
    with pytest.raises(ZeroDivisionError):
        _ = one.position(bytes(packed)) == other.position(bytes(packed))
    assert packed != native.pack(new_game(2))
    assert packed != native.pack(GAME[-1])
    with pytest.raises(ValueError, match="each design is dealt"):
        library.Table(1, 2, (), told)
    known[5] = 0
    empty = library.Table(1, 2, (), native._TABLE.pack(*known))
    with pytest.raises(ValueError, match="not in the card set"):
        empty.position(bytes(30).join((bytes(packed)[:12], bytes(packed)[42:])))


DISPLAY, PLAYED, STEP = 12, 42, 82
"""Where the display, the cards played and the agenda begin in a row."""


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((2, 9), (3, 26), (4, 31), (5, 9), (6, 13), (7, 1)),
        *((DISPLAY, 255), (DISPLAY + 29, 1), (PLAYED, 200), (PLAYED + 7, 1)),
        (STEP, 0),
        (STEP, 200),
        (STEP + 1, 3),
        (STEP + 3, 1),
        (STEP + 2, 0),
        (STEP + 2, 255),
        (native.HEAD.size - 1, 1),
        (native.HEAD.size - 2, 1),
        (native.HEAD.size + 31, 99),
        (native.HEAD.size + 4 * 32 - 1, 99),
        (native.HEAD.size + native.PLAYER.size - 1, 1),
    ],
)
def test_no_byte_of_a_row_is_anybodys(place: int, value: int) -> None:
    """What is unused is zero, and a question is one that can be asked."""
    state = PLAYING.replace(played=(Character.MAID,), agenda=(BonusPrompt(SEAT, Character.MONK),))
    packed = native.pack(state)
    row = bytearray(bytes(packed))
    row[place] = value
    with pytest.raises(ValueError, match="this is no row"):
        native._table(packed.rules, packed.cards, 3).position(bytes(row))


@pytest.mark.parametrize("step", [Turn(0, 3), PassTurn(0)])
def test_what_runs_by_itself_is_no_question(step: Any) -> None:
    """A row waits for an answer."""
    with pytest.raises(native.RowError, match="asks nobody"):
        native.pack(PLAYING.replace(agenda=(step,)))


def test_a_game_that_is_not_over_has_no_outcome() -> None:
    """Nor have games that were never begun anything to tell."""
    assert native.pack(PLAYING).outcome() is None
    assert native.pack(PLAYING).weights() == native.pack(GAME[-1]).weights() == ()
    library: Any = native._library
    batch = library.Batch(native.pack(new_game(2)), 1, False, False, 1)
    mask = bytearray(native.Batch(native.pack(new_game(2)), 1).legal_mask().nbytes)
    batch.fill(0, mask)
    assert not any(mask)
    with pytest.raises(ValueError, match="no game was over"):
        batch.position(0, False)
    uses: tuple[Callable[[], object], ...] = (
        lambda: batch.step(array("q", [0])),
        lambda: batch.position(1, False),
        lambda: batch.position("first", False),
        lambda: batch.reset("seeds", "all"),
        lambda: batch.step("answers"),
        lambda: native.Batch(native.pack(PLAYING), 4, threads=2).step(array("q", [-1] * 4)),
    )
    for use in uses:
        with pytest.raises((ValueError, IndexError, TypeError)):
            use()
