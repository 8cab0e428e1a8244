"""The search of a tree of information sets."""

from __future__ import annotations

import random

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import Character, EndTurn, Goods, Phase, PlayCard, PlayPrompt, view
from valletta_rules.bots import make_bot

C = Character

STATE = position(
    seat(hand=[C.KNIGHT, C.CHARLES], draw_pile=[C.MAID] * 6),
    seat(hand=[C.MAID], draw_pile=[C.BUILDER, C.MAID]),
    plays=1,
    display={0: a_building(cost=Goods(gold=9))},
)


@pytest.mark.parametrize("policy", ["max_visit_count", "max_value", "normalized_visit_count"])
def test_what_scores_is_found(policy: str) -> None:
    """Every final policy prefers what brings points to what brings none."""
    spec = f"ismcts:max_simulations=60,uct_c=0.1,final_policy_type={policy}"
    chosen = [make_bot(spec, random.Random(seed)).decide(view(STATE, 0)) for seed in range(5)]
    assert chosen.count(PlayCard(C.KNIGHT)) >= 3


def test_a_world_for_each_simulation() -> None:
    """With -1 every simulation makes up a world of its own."""
    bot = make_bot("ismcts:max_simulations=5,max_world_samples=-1", random.Random(1))
    assert bot.decide(view(STATE, 0)) in view(STATE, 0).legal_actions


def test_the_end_of_the_game_ends_a_simulation() -> None:
    """Where an answer ends the game, there is nothing below it."""
    mine = seat(hand=[C.KNIGHT, C.MAID])
    last = position(mine, seat(), phase=Phase.FINAL, plays=1).replace(
        agenda=(PlayPrompt(0, 1), EndTurn(0))
    )
    bot = make_bot("ismcts:max_simulations=40", random.Random(1))
    assert bot.decide(view(last, 0)) in view(last, 0).legal_actions
