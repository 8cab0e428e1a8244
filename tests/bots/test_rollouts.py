"""Tests of the bot `rollouts`, which evaluates plans by playing on from their ends."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import valletta_rules as vr
from tests.positions import position, seat
from valletta_rules import native
from valletta_rules.bots import Explains, Remembers, make_bot, rollouts
from valletta_rules.bots.rollouts import leads_of
from valletta_rules.bots.turns import State, graft, imagine
from valletta_rules.bots.value import Forecast
from valletta_rules.memory import Memory, MemoryMismatchError
from valletta_rules.studies import Job, play_game

C = vr.Character

TINY = "rollouts:beam=1,narrow=1,plans=2,turns=1,worlds=1"
"""The specification of a bot with a budget that is small enough for tests."""


def test_the_option_plans_limits_the_number_of_plans_that_are_evaluated_by_rollouts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With `plans=1`, no rollout is needed.

    With `plans=9`, all five plans of the turn are evaluated.
    """
    tried = list[State]()

    def note(ends: Sequence[State], *given: object) -> list[list[float]]:
        tried.extend(ends)
        return [[0.0] for _ in ends]

    monkeypatch.setattr(rollouts, "leads_of", note)
    me = seat(hand=[C.MAID, C.CHAMBERLAIN], draw_pile=[C.MAID] * 3)
    state = position(me, seat(hand=[C.MAID] * 5), plays=1)
    assert len(vr.legal_actions(state)) == 2
    for plans, tries in ((1, 0), (4, 4), (9, 9)):
        bot = make_bot(f"rollouts:plans={plans}", random.Random(1))
        assert bot.decide(vr.view(state, 0)) == vr.PlayCard(C.MAID)
        assert len(tried) == min(tries, 5)
        tried.clear()


def test_after_each_round_of_rollouts_only_the_better_half_of_the_plans_remains(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At least two plans remain.

    The value of a plan is its average over all worlds in which it was tried.
    """
    tried = list[list[State]]()

    def note(ends: list[State], worlds: list[State], *given: object) -> list[list[float]]:
        tried.append([*ends])
        leads = [float(tried[0].index(end)) for end in ends]
        return [[lead if len(tried) == 1 else 9 * lead - 20] * len(worlds) for lead in leads]

    monkeypatch.setattr(rollouts, "leads_of", note)
    me = seat(hand=[C.MAID, C.CHAMBERLAIN], draw_pile=[C.MAID] * 3)
    state = position(me, seat(hand=[C.MAID] * 5), plays=1)
    bot = make_bot("rollouts:rounds=4,worlds=2", random.Random(1))
    assert isinstance(bot, Explains)
    bot.decide(vr.view(state, 0))
    first, *others = tried
    assert len(first) == 5
    assert others == [[first[4], first[3], first[2]], [first[4], first[3]], [first[4], first[3]]]
    worths = [plan.value for plan in bot.explain()]
    assert worths == [(4 + 3 * 16) / 4, (3 + 3 * 7) / 4, (2 - 2) / 2, 1, 0]


def final(*hands: list[vr.Character], **mine: Any) -> vr.GameState:
    """Return a position in the final phase, in which seat 0 must play its last card."""
    seats = [seat(hand=hand, **(mine if n == 0 else {})) for n, hand in enumerate(hands)]
    agenda = (vr.PlayPrompt(0, 1), vr.EndTurn(0))
    return position(*seats, phase=vr.Phase.FINAL, agenda=agenda)


def leads(state: vr.GameState, turns: int, worlds: int = 1) -> list[list[float]]:
    """Return the leads of seat 0 after rollouts of at most `turns` turns."""
    forecast = Forecast(state.display, len(state.players))
    return leads_of([state], [state] * worlds, range(worlds), forecast, 0, turns, 30)


def test_a_rollout_to_the_end_of_the_game_returns_the_lead_in_points() -> None:
    """The lead is over the best opponent. A rollout that ends earlier returns an estimate."""
    state = final([C.KNIGHT], [C.KNIGHT], [], score=9, goods=vr.Goods(gold=8))
    assert leads(state, turns=9) == [[9 + 3 + 2 - 3]]
    assert leads(state, turns=1)[0][0] not in (8, 11)


def test_the_number_of_turns_in_a_rollout_affects_its_result() -> None:
    """Only the turns of the bot's seat are counted. The opponents play their turns in between."""
    knights = [C.KNIGHT] * 9
    state = final(knights, knights, score=0)
    assert [leads(state, turns)[0][0] for turns in (3, 9)] != [0, 0]
    assert leads(state, turns=9, worlds=2) == [[0.0 - 6 + 6] * 2]


def test_the_function_graft_replaces_only_the_cards_that_are_hidden_from_the_seat() -> None:
    """The function copies hidden cards from another position. The seat's view does not change."""
    state = vr.resolve_chance(vr.new_game(3), random.Random(1))
    world = vr.determinize(vr.view(state, 0), random.Random(2))
    forms: list[Callable[[vr.GameState], State]] = [lambda plain: plain]
    for form in (*forms, native.pack) if native.available else forms:
        one, other = form(state), form(world)
        grafted = graft(one, other, 0)
        assert type(grafted) is type(one)
        assert vr.view(grafted, 0) == vr.view(state, 0)
        assert vr.view(grafted, 1) == vr.view(world, 1)


def test_positions_sampled_for_rollouts_agree_with_the_events_that_the_bot_has_received(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given the events, the opponent's sampled hand has a probability above 0."""
    worlds = 0

    def check(view: vr.PlayerView, rng: random.Random, memory: Memory | None) -> State:
        nonlocal worlds
        worlds += 1
        sampled = imagine(view, rng, memory)
        plain = sampled if isinstance(sampled, vr.GameState) else sampled.unpack()
        assert memory is not None
        assert memory.belief(1).chance_of(plain.players[1].hand)
        return sampled

    monkeypatch.setattr(rollouts, "imagine", check)
    assert play_game(Job((TINY, "random"), 5)).result.stop == "over"
    assert worlds > 10


def test_a_bot_that_has_not_received_all_events_raises_an_error_when_it_decides() -> None:
    """Without these events, the bot's memory contradicts the view."""
    start, bot = vr.new_game(2), make_bot(TINY, random.Random(1))
    state = vr.resolve_chance(start, random.Random(1))
    assert state.prompt is not None
    assert state.prompt.seat is not None
    assert isinstance(bot, Remembers)
    bot.begin(vr.view(start, state.prompt.seat))
    with pytest.raises(MemoryMismatchError):
        bot.decide(vr.view(state, state.prompt.seat))
