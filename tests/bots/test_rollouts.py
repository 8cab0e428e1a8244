"""Rollouts, and the turns of their policy."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.positions import position, seat
from valletta_rules import (
    Character,
    Phase,
    PlayCard,
    PlayPrompt,
    legal_actions,
    new_game,
    resolve_chance,
    view,
)
from valletta_rules.agenda import (
    EndTurn,
)
from valletta_rules.bots import make_bot, rollouts
from valletta_rules.bots.rollouts import RolloutsBot, play_a_turn
from valletta_rules.bots.turns import Line, State, lines
from valletta_rules.bots.value import Forecast

C = Character


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
    """A single plan needs no rollouts; otherwise as many plans are tried as wanted."""
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


def test_a_seat_searches_its_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of the next turn count, and the game may be over before there is one."""
    searched = list[State]()

    def note(state: State, *given: Any, **kept: Any) -> list[Line]:
        searched.append(state)
        return lines(state, *given, **kept)

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
