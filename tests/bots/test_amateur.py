"""Tests of the amateur, a bot that overlooks actions, hoards goods, rushes or ignores opponents."""

import random
from collections.abc import Callable

import pytest

from tests.bots.test_planner import at_a_turn
from valletta_rules import view
from valletta_rules.bots import BotSpecError, make_bot
from valletta_rules.bots.amateur import AmateurBot
from valletta_rules.bots.features import Features, read
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.turns import Line, imagine


def plans(bot: PlannerBot) -> list[Line]:
    """Return a bot's plans for a turn in the middle of a game, the best plan first."""
    state = at_a_turn()
    player_view = view(state, state.active)
    return bot._weigh(player_view, imagine(player_view, random.Random(0)), state.active)


def goods(features: Features) -> int:
    """Return the number of goods that the active player owns at the end of a plan."""
    return sum(features.players[at_a_turn().active][3:7])


def houses(features: Features) -> int:
    """Return the number of houses that the active player owns at the end of a plan."""
    return features.players[at_a_turn().active].built.bit_count()


def test_an_amateur_without_weaknesses_has_the_same_best_plan_as_the_planner() -> None:
    """Both bots also assign the same value to this plan."""
    best, *_ = plans(AmateurBot(random.Random(0), overlook=0))
    usual, *_ = plans(PlannerBot(random.Random(0)))
    assert (best.actions, best.worth) == (usual.actions, usual.worth)


@pytest.mark.parametrize(("weakness", "counted"), [("hoard", goods), ("rush", houses)])
def test_an_amateur_that_overrates_goods_or_houses_ends_its_turn_with_as_many_as_possible(
    weakness: str, counted: Callable[[Features], int]
) -> None:
    """With a weight of -100 instead of 100, it ends its turn with as few as possible."""

    def sought(worth: float) -> list[int]:
        bot = make_bot(f"amateur:overlook=0,{weakness}={worth}", random.Random(0))
        assert isinstance(bot, AmateurBot)
        return [counted(read(plan.state)) for plan in plans(bot)]

    most, least = sought(100.0), sought(-100.0)
    assert most[0] == max(most) > min(most) == least[0]


def test_an_amateur_with_the_option_solo_1_values_a_plan_by_its_own_points_only() -> None:
    """With `solo` below 1, points of the opponents reduce the value of a plan."""
    bot = AmateurBot(random.Random(0), overlook=0, solo=1)
    state = at_a_turn()
    forecast = bot.forecast(view(state, state.active))
    for plan in plans(bot)[:9]:
        points = forecast.points(read(plan.state), state.active)
        assert plan.worth == pytest.approx(points[state.active])


def test_an_amateur_considers_only_the_plans_with_the_fewest_overlooked_actions() -> None:
    """The option `overlook` is the probability of overlooking an action: 0.2 or 1 in the test."""
    everything = {
        action
        for plan in plans(AmateurBot(random.Random(0), overlook=0))
        for action in plan.actions
    }
    left = plans(AmateurBot(random.Random(3), overlook=0.2))
    assert left
    assert {action for plan in left for action in plan.actions} < everything
    blind = plans(AmateurBot(random.Random(3), overlook=1))
    assert len({len(set(plan.actions)) for plan in blind}) == 1


@pytest.mark.parametrize("wrong", ["overlook=1.1", "overlook=-0.1", "solo=2", "beam=0"])
def test_an_option_of_the_amateur_outside_its_range_raises_an_error(wrong: str) -> None:
    """The options `overlook` and `solo` must be from 0 to 1, and `beam` must be at least 1."""
    with pytest.raises(BotSpecError, match=r"from 0 to 1|at least 1"):
        make_bot(f"amateur:{wrong}", random.Random(0))
