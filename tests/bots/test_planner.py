"""Tests of the bot `planner`, which follows a plan while the game develops as predicted."""

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
    """Return a list that records each position that the planner searches."""
    searched = list[State]()

    def note(
        state: State, seat: int, value: Callable[[State], float], beam: int, keep: int
    ) -> list[Line]:
        searched.append(state)
        return lines(state, seat, value, beam, keep)

    monkeypatch.setattr(planner, "lines", note)
    return searched


def play_answer(bot: PlannerBot, state: vr.GameState) -> vr.GameState:
    """Check that a bot's answer is the first action of its best plan; return the next position."""
    assert state.prompt is not None
    answer = bot.decide(vr.view(state, state.prompt.seat))
    if plans := bot.explain():
        assert plans[0].actions[0] == answer
    return vr.apply(state, answer)


def at_a_turn() -> vr.GameState:
    """Return a position in the middle of a game, at the start of a turn."""
    rng, state = random.Random(2), middle()
    while not (isinstance(state.prompt, vr.PlayPrompt) and state.prompt.plays == 3):
        answer = PlannerBot(rng).decide(vr.view(state, state.active))
        state = vr.resolve_chance(vr.apply(state, answer), rng)
    return state


def test_the_planner_answers_all_prompts_of_a_turn_from_one_search(searches: list[State]) -> None:
    """Each answer is the next action of the plan. The value of the plan does not change."""
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
def test_the_planner_searches_again_only_if_a_barrel_does_not_contain_the_expected_good(
    barrel: vr.Good, expected: int, searches: list[State]
) -> None:
    """The plan expects stone, the content of most barrels.

    In one case, the barrel contains stone, and in the other one gold.
    """
    me, other = seat(hand=[C.VALETTE, C.BUILDER]), seat(hand=[C.MAID], draw_pile=[C.MAID] * 6)
    display = {0: a_building(cost=vr.Goods(stone=1), points=9)}
    state = position(me, other, barrels=vr.Goods(1, 1, 4, 1), plays=2, display=display)
    bot = PlannerBot(random.Random(1))
    while state.active == 0 and state.prompt is not None:
        if isinstance(state.prompt, vr.BarrelPrompt):
            state = vr.apply(state, vr.RevealBarrel(barrel))
        elif state.prompt.seat == 0:
            state = play_answer(bot, state)
        else:
            break
    assert len(searches) == expected


def test_the_planner_searches_again_in_another_game_or_if_a_prompt_is_repeated(
    searches: list[State],
) -> None:
    """The bot answers twice in the same position, and then in another game."""
    bot, state = PlannerBot(random.Random(1)), at_a_turn()
    searches.clear()
    play_answer(bot, state)
    play_answer(bot, state)
    play_answer(bot, position(seat(hand=[C.MAID, C.BUILDER]), seat(hand=[C.MAID])))
    assert len(searches) == 3


def test_one_planner_can_play_both_seats_of_a_game_to_its_end() -> None:
    """The bot must discard its plan for one seat before it answers for the other one."""
    last = seat(hand=[C.MAID, C.BUILDER])
    bot, state = PlannerBot(random.Random(1)), position(last, last, phase=vr.Phase.FINAL)
    while state.prompt is not None:
        state = play_answer(bot, state)
