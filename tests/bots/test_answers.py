"""Tests of the automatic player's answers to single prompts, which ``answers.toml`` lists."""

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
"""Default values for the position in which the prompt is answered."""


def position_with_prompt(question: str, given: dict[str, Any]) -> vr.GameState:
    """Return a position in which Red must answer the prompt `question`.

    The values in `given` override the defaults.
    """
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
def test_the_automatic_player_gives_the_expected_answer_to_each_listed_prompt(
    question: str, given: dict[str, Any], expected: str
) -> None:
    """The bot answers according to the values that it assigns to goods, buildings and cards."""
    state = position_with_prompt(question, given)
    assert choose(state, random.Random(0)) == read_action(state, expected)


def test_the_automatic_player_takes_a_missing_stone_with_the_seamstress() -> None:
    """The player has all other kinds of goods, and may take any two goods."""
    pair = position_with_prompt("seamstress/0", {"red": {"goods": "5g5w4b", "built": "0"}})
    chosen = choose(pair, random.Random(0))
    assert isinstance(chosen, vr.TakeGoods)
    assert chosen.goods.stone


# The automatic player's turns


@pytest.mark.parametrize(("question", "given", "played"), QUESTIONS["turns"])
def test_the_automatic_player_plays_the_cards_of_a_turn_in_the_expected_order(
    question: str, given: dict[str, Any], played: str
) -> None:
    """A card is played before the cards that benefit from it."""
    state, cards, rng = position_with_prompt(question, given), list[str](), random.Random(0)
    while state.prompt is not None and state.prompt.seat == state.active == 0:
        action = choose(state, rng)
        if isinstance(action, vr.PlayCard):
            cards.append(str(action.character.value))
        state = vr.apply(state, action)
    assert cards == played.split()


def test_the_automatic_player_raises_an_error_if_the_position_has_no_prompt_for_a_player() -> None:
    """For example, chance must deal a building, or the game is over."""
    for state in (vr.new_game(2), position(seat(), seat(), agenda=(), phase=vr.Phase.OVER)):
        with pytest.raises(ValueError, match="the position has no prompt for a player"):
            choose(state, random.Random(0))
