"""The chapter *Red characters*: which cards the Apprentice copies; the rest are examples."""

from __future__ import annotations

import pytest

from valletta_rules import Character, Colour, GameState, PlayCard, transition
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.events import CardCopied, EffectFizzled
from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.worked_examples import position_of

editions = pytest.mark.parametrize("rules", EDITIONS)


def after(character: Character, rules: str) -> GameState:
    """Return a position in which Red has played a card that could work again, with all goods."""
    plenty = {"goods": "9 gold, 9 wood, 9 stone, 9 brick"}
    return position_of(
        {
            "rules": rules,
            "red": {"hand": "apprentice, knight", "upgraded": [0, 1, 2, 3], **plenty},
            "blue": plenty,
            "sites": {"0": "banker", "1": "woodworker", "2": "carver", "3": "mason"},
            "played": character.value,
        }
    )


def of_colours(*colours: Colour) -> list[Character]:
    """Return all characters of some colours but the Apprentice."""
    return [
        each for each in CHARACTERS if each.colour in colours and each is not Character.APPRENTICE
    ]


@pytest.mark.rule("RED-10")
@editions
@pytest.mark.parametrize("character", of_colours(Colour.RED, Colour.GREEN))
def test_every_red_and_green_card_is_copied(character: Character, rules: str) -> None:
    """After any red or green card the Apprentice copies it, and something changes."""
    state = after(character, rules)
    step = transition(state, PlayCard(Character.APPRENTICE))
    assert CardCopied(0, character) in step.events
    assert step.state.prompt != state.prompt


@pytest.mark.rule("RED-12")
@editions
@pytest.mark.parametrize("character", of_colours(Colour.PURPLE, Colour.BLUE, Colour.YELLOW))
def test_purple_blue_and_yellow_cards_are_not_copied(character: Character, rules: str) -> None:
    """After such a card the Apprentice does nothing, though the card could work again."""
    state = after(character, rules)
    step = transition(state, PlayCard(Character.APPRENTICE))
    assert EffectFizzled(0, Character.APPRENTICE) in step.events
    before = [(player.goods, player.score) for player in state.players]
    assert [(player.goods, player.score) for player in step.state.players] == before
    assert step.state.valette == state.valette
