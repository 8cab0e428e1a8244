"""The quick policy that rollouts play on with, and rollouts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    Action,
    Build,
    Character,
    Decline,
    DraftGood,
    GiveGood,
    Good,
    Goods,
    Hire,
    MonkPrompt,
    Phase,
    PlayCard,
    PlayPrompt,
    ReturnGood,
    SitePrompt,
    TakeGood,
    TakeGoods,
    Upgrade,
    ValettePrompt,
    check,
    legal_actions,
    new_game,
    resolve_chance,
    view,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    EndTurn,
    MaidPrompt,
    PaymentPrompt,
    SeamstressPrompt,
    Step,
)
from valletta_rules.bots import make_bot, rollouts
from valletta_rules.bots.rollout_policy import quick_answer
from valletta_rules.bots.rollouts import RolloutsBot, play_a_turn
from valletta_rules.bots.turns import Line, State, lines
from valletta_rules.bots.value import Forecast
from valletta_rules.components.goods import NOTHING

C = Character


def answer(*steps: Step, **table: Any) -> Action:
    """Return what is answered at prompts put before the rest of a turn of seat 0."""
    players = (seat(**table.pop("me", {})), seat(hand=[C.MAID], draw_pile=[C.MAID] * 6))
    agenda = (*steps, PlayPrompt(0, 1), EndTurn(0))
    state = position(*players, agenda=agenda, **table)
    chosen = quick_answer(state, Forecast(state.display, 2), random.Random(1))
    assert check(state, chosen) is None
    return chosen


def test_what_brings_goods_is_played_before_what_builds() -> None:
    """Of the cards that bring most the one that prepares the others comes first."""
    me = {"hand": [C.BUILDER, C.SEAMSTRESS, C.APPRENTICE], "goods": Goods(2, 2, 2, 2)}
    assert answer(PlayPrompt(0, 2), me=me) == PlayCard(C.SEAMSTRESS)


def test_nobody_thinks_of_building_without_goods() -> None:
    """A Builder waits until there is something to build with."""
    me = {"hand": [C.BUILDER, C.MAID], "goods": Goods(1)}
    assert answer(me=me) == PlayCard(C.MAID)


def test_the_best_site_is_built_on() -> None:
    """Points and costs decide; an upgrade may be better, and at a loss nothing is built."""
    good, dear = a_building(cost=Goods(gold=2), points=3), a_building(cost=Goods(gold=9), points=1)
    asked = SitePrompt(0, NOTHING)
    rich = {"goods": Goods(9, 2, 2, 2)}
    assert answer(asked, me=rich, display={0: dear, 1: good}) == Build(1)
    owned = rich | {"built": [1]}
    assert answer(asked, me=owned, display={0: dear, 1: good}) == Upgrade(1)
    ruinous = dict.fromkeys(range(20), a_building(cost=Goods(gold=14)))
    assert answer(asked, me={"goods": Goods(gold=14)}, display=ruinous) == Decline()


def test_the_cheapest_payment_is_made() -> None:
    """There is nothing to think about in a payment."""
    paid = answer(PaymentPrompt(0, 1, Goods(gold=1)), me={"goods": Goods(1, 1, 1, 1)})
    assert paid.goods == Goods(gold=1)  # type: ignore[union-attr]


def test_a_good_character_is_hired_and_a_weak_one_is_not() -> None:
    """Nobody is dismissed."""
    me = {"hand": [C.MAID]}
    assert answer(ValettePrompt(0), me=me, supply=[C.BUILDER, C.MAID]) == Hire(C.BUILDER)
    assert answer(ValettePrompt(0), me=me, supply=[C.MAID]) == Decline()


def test_goods_are_evened_out() -> None:
    """What there is least of is taken, and what there is most of is given."""
    me = {"goods": Goods(1, 0, 5, 4)}
    assert answer(MaidPrompt(0), me=me) == TakeGood(Good.WOOD)
    assert answer(MonkPrompt(0, 1), me=me) == GiveGood(Good.STONE)
    assert answer(ArchitectPrompt(0), me=me) == ReturnGood(Good.STONE)
    assert isinstance(answer(SeamstressPrompt(0), me=me), TakeGoods)
    start = resolve_chance(new_game(2), random.Random(3))
    drafted = quick_answer(start, Forecast(start.display, 2), random.Random(3))
    assert isinstance(drafted, DraftGood)


def test_a_turn_is_played_to_the_next() -> None:
    """It stops before the first card of the next turn, or when the game is over."""
    rng = random.Random(2)
    state = resolve_chance(new_game(2), rng)
    forecast = Forecast(state.display, 2)
    turns = 0
    while state.prompt is not None:
        state = play_a_turn(state, forecast, rng)  # type: ignore[assignment]
        assert state.played == ()
        turns += 1
    assert state.phase is Phase.OVER
    assert turns > 15


def test_a_player_left_alone_has_turn_after_turn() -> None:
    """In the final phase the next turn may be the same player's."""
    state = position(
        seat(hand=[C.MAID] * 5), seat(), phase=Phase.FINAL, agenda=(PlayPrompt(0, 3), EndTurn(0))
    )
    after = play_a_turn(state, Forecast(state.display, 2), random.Random(1))
    assert after.prompt == PlayPrompt(0, 3)


def test_a_single_plan_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is nothing to choose, nothing is to be tried; else so many plans are."""
    tried = list[State]()

    def note(bot: RolloutsBot, end: State, *given: object) -> float:
        tried.append(end)
        return 0.0

    monkeypatch.setattr(RolloutsBot, "_try", note)
    me = seat(hand=[C.MAID, C.CHAMBERLAIN], draw_pile=[C.MAID] * 3)
    state = position(me, seat(hand=[C.MAID] * 5), plays=1)
    assert len(legal_actions(state)) == 2
    for plans, tries in ((1, 0), (4, 4), (9, 9)):
        bot = make_bot(f"rollouts:plans={plans}", random.Random(1))
        assert bot.decide(view(state, 0)) == PlayCard(C.MAID)
        assert len(tried) == min(tries, 5)
        tried.clear()


def test_a_seat_thinks_its_next_turn_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """What brings points next turn counts, and the game may be over before there is one."""
    searched = list[State]()

    def note(state: State, *given: Any) -> list[Line]:
        searched.append(state)
        return lines(state, *given)

    monkeypatch.setattr(rollouts, "lines", note)
    me, other = seat(hand=[C.MAID, C.KNIGHT], draw_pile=[C.MAID] * 5), seat(hand=[C.MAID] * 5)
    for phase, turns in ((Phase.MAIN, 2 * 3), (Phase.FINAL, 0)):
        mine = me if phase is Phase.MAIN else seat(hand=[C.MAID, C.KNIGHT])
        state = position(mine, other, plays=2 if turns == 0 else 1, phase=phase)
        make_bot("rollouts:plans=2,worlds=3", random.Random(1)).decide(view(state, 0))
        assert len(searched) == turns
        assert all(isinstance(each.prompt, PlayPrompt) for each in searched)
        assert all(each.prompt.seat == 0 for each in searched)  # type: ignore[union-attr]
        searched.clear()
