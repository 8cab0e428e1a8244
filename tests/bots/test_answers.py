"""The answers of the automatic player, question by question.

The questions stand in ``answers.toml``.
"""

import random
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from tests.positions import PLAIN, PLAIN_CARDS, position, seat
from valletta_rules.bots.automatic import choose
from valletta_rules.specification.worked_examples import position_of
from valletta_rules.text.notation import read_action
from valletta_rules.text.values import read_building

QUESTIONS = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))

FEW = {"blue": {"hand": "maid", "draw": "6maid"}, "supply": "-", "barrels": "7g6w6s6b"}
"""The position where a question says nothing else."""


def asked(question: str, given: dict[str, Any]) -> vr.GameState:
    """Return a position in which Red is asked a question."""
    sites = given.get("sites", {})
    every = read_building(given["every"]) if "every" in given else PLAIN
    kind, _, plays = question.rpartition("/")
    turn = {"plays": int(plays)} if kind == "play/0" else {"plays": 1, "asked": question}
    state = position_of(FEW | turn | {key: given[key] for key in given if key != "every"})
    display = (
        building if str(site) in sites else every for site, building in enumerate(state.display)
    )
    return attrs.evolve(state, display=tuple(display), cards=PLAIN_CARDS)


@pytest.mark.parametrize(("question", "given", "expected"), QUESTIONS["automatic"])
def test_what_is_answered(question: str, given: dict[str, Any], expected: str) -> None:
    """It follows from the values of goods, buildings and cards."""
    state = asked(question, given)
    assert choose(state, random.Random(0)) == read_action(state, expected)


def test_of_pairs_any_is_taken_that_is_needed() -> None:
    """The Seamstress brings missing goods."""
    pair = asked("seamstress/0", {"red": {"goods": "5g5w4b", "built": "0"}})
    chosen = choose(pair, random.Random(0))
    assert isinstance(chosen, vr.TakeGoods)
    assert chosen.goods.stone


# The automatic player's turns


@pytest.mark.parametrize(("question", "given", "played"), QUESTIONS["turns"])
def test_cards_are_played_in_a_good_order(
    question: str, given: dict[str, Any], played: str
) -> None:
    """Cards that prepare others go first."""
    state, cards, rng = asked(question, given), list[str](), random.Random(0)
    while state.prompt is not None and state.prompt.seat == state.active == 0:
        action = choose(state, rng)
        if isinstance(action, vr.PlayCard):
            cards.append(str(action.character.value))
        state = vr.apply(state, action)
    assert cards == played.split()


def test_nobody_chooses_for_chance_or_after_the_end() -> None:
    """The automatic player raises an error if no player is asked."""
    for state in (vr.new_game(2), position(seat(), seat(), agenda=(), phase=vr.Phase.OVER)):
        with pytest.raises(ValueError, match="no player is asked"):
            choose(state, random.Random(0))
