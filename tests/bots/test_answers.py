"""The answers of the automatic player, question by question.

The questions are in ``answers.toml``.
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
"""The default position of a question."""


def asked(question: str, given: dict[str, Any]) -> vr.GameState:
    """Return a position with a question to Red."""
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
def test_the_automatic_player_answers_as_expected(
    question: str, given: dict[str, Any], expected: str
) -> None:
    """The answer follows from the values of goods, buildings and cards."""
    state = asked(question, given)
    assert choose(state, random.Random(0)) == read_action(state, expected)


def test_the_seamstress_takes_any_needed_pair() -> None:
    """It brings missing goods."""
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


def test_the_automatic_player_refuses_chance_and_the_end() -> None:
    """The automatic player raises an error if no player must answer."""
    for state in (vr.new_game(2), position(seat(), seat(), agenda=(), phase=vr.Phase.OVER)):
        with pytest.raises(ValueError, match="no player must answer"):
            choose(state, random.Random(0))
