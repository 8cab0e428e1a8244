"""The search of a tree of information sets."""

from __future__ import annotations

import random

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    Character,
    Decline,
    EndTurn,
    Goods,
    Phase,
    PlayCard,
    PlayerView,
    SitePrompt,
    Upgrade,
    view,
)
from valletta_rules.bots import Explains, ismcts, make_bot
from valletta_rules.bots.turns import State, imagine
from valletta_rules.components.goods import NOTHING

C = Character

STATE = position(
    seat(hand=[C.KNIGHT, C.CHARLES], draw_pile=[C.MAID] * 6),
    seat(hand=[C.MAID], draw_pile=[C.BUILDER, C.MAID]),
    plays=1,
    display={0: a_building(cost=Goods(gold=9))},
)


class Own(random.Random):
    """A generator from which the native backend does not draw: the search is in Python."""


@pytest.mark.parametrize("generator", [random.Random, Own])
@pytest.mark.parametrize("policy", ["max_visit_count", "max_value", "normalized_visit_count"])
def test_a_card_that_scores_is_found(policy: str, generator: type[random.Random]) -> None:
    """Every final policy prefers a card that brings points, in either form of the search."""
    spec = f"ismcts:max_simulations=60,uct_c=0.1,final_policy_type={policy}"
    chosen = [make_bot(spec, generator(seed)).decide(view(STATE, 0)) for seed in range(5)]
    assert chosen.count(PlayCard(C.KNIGHT)) >= 3


@pytest.mark.parametrize(("samples", "worlds"), [(-1, 5), (2, 2), (9, 5)])
def test_simulations_share_a_number_of_worlds(
    samples: int, worlds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With -1 every simulation samples a world of its own."""
    made = list[State]()

    def note(view: PlayerView, rng: random.Random) -> State:
        made.append(imagine(view, rng))
        return made[-1]

    monkeypatch.setattr(ismcts, "imagine", note)
    bot = make_bot(f"ismcts:max_simulations=5,max_world_samples={samples}", Own(1))
    assert bot.decide(view(STATE, 0)) in view(STATE, 0).legal_actions
    assert len(made) == worlds


@pytest.mark.parametrize("policy", ismcts.POLICIES)
def test_the_answer_given_is_explained_first(policy: str) -> None:
    """Whatever the policy chooses; of the others, the most visited are first."""
    spec = f"ismcts:max_simulations=5,final_policy_type={policy}"
    for number in range(20):
        bot = make_bot(spec, random.Random(number))
        chosen = bot.decide(view(STATE, 0))
        assert isinstance(bot, Explains)
        first, *others = [plan.actions for plan in bot.explain()]
        assert first == (chosen,)
        assert {*others} == {(each,) for each in view(STATE, 0).legal_actions if each != chosen}


@pytest.mark.parametrize("generator", [random.Random, Own])
def test_the_end_of_the_game_ends_a_simulation(generator: type[random.Random]) -> None:
    """An answer that ends the game has no node below it, and the value of the final position."""
    asked = (SitePrompt(0, NOTHING), EndTurn(0))
    mine = seat(goods=Goods(gold=3), built=[0])
    display = {0: a_building(cost=Goods(gold=3), points=6)}
    last = position(mine, seat(), phase=Phase.FINAL, agenda=asked, display=display)
    bot = make_bot("ismcts:max_simulations=40", generator(1))
    assert bot.decide(view(last, 0)) == Upgrade(0)
    assert isinstance(bot, Explains)
    values = {plan.actions[0]: plan.value for plan in bot.explain()}
    assert 12 < values[Upgrade(0)] < 13  # the gold counts, too
    assert 6 < values[Decline()] < 7
