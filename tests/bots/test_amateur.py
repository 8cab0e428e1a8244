"""The mistakes of the weaker levels: they overlook, hoard, rush, and ignore opponents."""

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
    """Return the plans of a bot at a turn in the middle of a game, its choice first."""
    state = at_a_turn()
    seen = view(state, state.active)
    return bot._weigh(seen, imagine(seen, random.Random(0)), state.active)


def kept(features: Features) -> int:
    """Return the number of goods of the player whose turn has just ended."""
    return sum(features.players[at_a_turn().active][3:7])


def houses(features: Features) -> int:
    """Return the number of houses of that player."""
    return features.players[at_a_turn().active].built.bit_count()


def test_without_a_weakness_an_amateur_is_the_planner() -> None:
    """Its best plan is the same."""
    best, *_ = plans(AmateurBot(random.Random(0), overlook=0))
    usual, *_ = plans(PlannerBot(random.Random(0)))
    assert (best.actions, best.worth) == (usual.actions, usual.worth)


@pytest.mark.parametrize(("weakness", "counted"), [("hoard", kept), ("rush", houses)])
def test_an_amateur_seeks_what_it_overrates(
    weakness: str, counted: Callable[[Features], int]
) -> None:
    """A great weakness gives the most of all plans; the opposite one, the least."""

    def sought(worth: float) -> list[int]:
        bot = make_bot(f"amateur:overlook=0,{weakness}={worth}", random.Random(0))
        assert isinstance(bot, AmateurBot)
        return [counted(read(plan.state)) for plan in plans(bot)]

    most, least = sought(100.0), sought(-100.0)
    assert most[0] == max(most) > min(most) == least[0]


def test_the_worth_of_a_solo_player_is_its_own_points() -> None:
    """The opponents' points do not matter."""
    bot = AmateurBot(random.Random(0), overlook=0, solo=1)
    state = at_a_turn()
    forecast = bot.forecast(view(state, state.active))
    for plan in plans(bot)[:9]:
        points = forecast.points(read(plan.state), state.active)
        assert plan.worth == pytest.approx(points[state.active])


def test_an_overlooked_action_is_in_no_plan_if_there_is_another() -> None:
    """If all actions are overlooked, the shortest plans are left."""
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
def test_a_weakness_beyond_its_range_is_refused(wrong: str) -> None:
    """A share is from 0 to 1."""
    with pytest.raises(BotSpecError, match=r"from 0 to 1|1 or more"):
        make_bot(f"amateur:{wrong}", random.Random(0))
