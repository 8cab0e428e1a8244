"""Tests of the planner, which follows its plan as long as the game continues as predicted."""

import random
from collections.abc import Callable

import pytest

import valletta_rules as vr
from tests.bots.test_value import middle
from tests.positions import a_building, position, seat
from valletta_rules.bots import planner
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.turns import Line, State, foresee, lines

C = vr.Character


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """Return a list of the positions that the planner searches during the test."""
    found = list[State]()

    def note(
        state: State, seat: int, value: Callable[[State], float], beam: int, keep: int
    ) -> list[Line]:
        found.append(state)
        return lines(state, seat, value, beam, keep)

    monkeypatch.setattr(planner, "lines", note)
    return found


def ask(bot: PlannerBot, state: vr.GameState) -> vr.GameState:
    """Check that a bot's answer begins its best plan, and return the position after the answer."""
    assert state.prompt is not None
    answer = bot.decide(vr.view(state, state.prompt.seat))
    if plans := bot.explain():
        assert plans[0].actions[0] == answer
    return vr.apply(state, answer)


def at_a_turn() -> vr.GameState:
    """Return a position at the start of a turn in the middle of a game."""
    rng, state = random.Random(2), middle()
    while not (isinstance(state.prompt, vr.PlayPrompt) and state.prompt.plays == 3):
        answer = PlannerBot(rng).decide(vr.view(state, state.active))
        state = vr.resolve_chance(vr.apply(state, answer), rng)
    return state


def test_the_planner_answers_all_prompts_of_a_turn_from_one_search(searches: list[State]) -> None:
    """Each answer is the next action of the plan. The expected value does not change."""
    bot, start = PlannerBot(random.Random(1)), at_a_turn()
    searches.clear()
    bot.decide(vr.view(start, start.active))
    state: State = start
    plan = bot.explain()[0]
    for number, answer in enumerate(plan.actions[:-1], start=1):
        state = foresee(state, answer, start.active)
        assert bot.decide(vr.view(state, start.active)) == plan.actions[number]
        best, *others = bot.explain()
        assert (best.actions, best.value) == (plan.actions[number:], plan.value)
        assert all(each.value <= best.value for each in others)
    assert number > 2
    assert len(searches) == 1


@pytest.mark.parametrize(("barrel", "expected"), [(vr.Good.STONE, 1), (vr.Good.GOLD, 2)])
def test_the_planner_searches_again_if_a_barrel_contains_another_good_than_the_likeliest(
    barrel: vr.Good, expected: int, searches: list[State]
) -> None:
    """The plan assumes stone, since most barrels contain it.

    If this barrel contains stone, there is no second search.
    """
    me, other = seat(hand=[C.VALETTE, C.BUILDER]), seat(hand=[C.MAID], draw_pile=[C.MAID] * 6)
    display = {0: a_building(cost=vr.Goods(stone=1), points=9)}
    state = position(me, other, barrels=vr.Goods(1, 1, 4, 1), plays=2, display=display)
    bot = PlannerBot(random.Random(1))
    while state.active == 0 and state.prompt is not None:
        if isinstance(state.prompt, vr.BarrelPrompt):
            state = vr.apply(state, vr.RevealBarrel(barrel))
        elif state.prompt.seat == 0:
            state = ask(bot, state)
        else:
            break
    assert len(searches) == expected


def test_the_planner_searches_again_in_another_game_or_for_another_seat(
    searches: list[State],
) -> None:
    """A plan for one game or seat must not be used for another."""
    bot, state = PlannerBot(random.Random(1)), at_a_turn()
    searches.clear()
    ask(bot, state)
    ask(bot, state)
    ask(bot, position(seat(hand=[C.MAID, C.BUILDER]), seat(hand=[C.MAID])))
    assert len(searches) == 3


def test_one_planner_can_play_both_seats_of_a_game_to_its_end() -> None:
    """The planner must drop its plan for one seat before it answers for the other."""
    last = seat(hand=[C.MAID, C.BUILDER])
    bot, state = PlannerBot(random.Random(1)), position(last, last, phase=vr.Phase.FINAL)
    while state.prompt is not None:
        state = ask(bot, state)
