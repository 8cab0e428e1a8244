"""The chapter *Jean Parisot de Valette*: what holds for every space and every character.

What a single play does is shown by the worked examples of the clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.positions import EDITIONS, play, position, prompt_of, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    CardBag,
    Character,
    Good,
    Hire,
    RevealBarrel,
    RuleSet,
    legal_actions,
)
from valletta_rules.agenda import BarrelPrompt, ValettePrompt
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.street import ODD_SPACES, SPACES

C = Character

NOT_EVERY_THIRD = tuple(space for space in SPACES if space % 3)

WALKS = [
    *((rules, players, SPACES) for rules in (HANS_IM_GLUECK, Z_MAN) for players in (2, 3, 4)),
    *zip([REFERENCE_MANUAL] * 3, (2, 3, 4), (ODD_SPACES, NOT_EVERY_THIRD, SPACES), strict=True),
]
"""The spaces with a barrel, by rule set and number of players."""


def walk(rules: RuleSet, players: int) -> list[tuple[int, bool]]:
    """Return the spaces that Valette comes to from the tower on, and whether a barrel is there."""
    visited, space = list[tuple[int, bool]](), 0
    while space < SPACES[-1]:
        others = [seat()] * (players - 1)
        state = position(seat(hand=[C.VALETTE, C.MAID]), *others, rules=rules, valette=space)
        state = play(state, C.VALETTE)
        space = state.valette
        assert prompt_of(state) in (BarrelPrompt(0), ValettePrompt(0))
        visited.append((space, prompt_of(state) == BarrelPrompt(0)))
    return visited


@pytest.mark.rule("VAL-1", "VAL-6", "SET-3", "SET-4", "CMP-13")
@pytest.mark.parametrize(("rules", "players", "barrels"), WALKS, ids=str)
def test_valette_comes_to_every_space(rules: RuleSet, players: int, barrels: Sequence[int]) -> None:
    """In 25 steps he walks the street, with barrels where the edition lays them."""
    assert walk(rules, players) == [(space, space in barrels) for space in SPACES]


@pytest.mark.rule("VAL-3", "SET-6")
@pytest.mark.parametrize("rules", EDITIONS, ids=str)
def test_with_fewer_barrels_valette_goes_from_one_to_the_next(rules: RuleSet) -> None:
    """There are thirteen, on the odd spaces."""
    fewer = rules.with_variants(fewer_barrels=True)
    assert walk(fewer, 2) == [(space, True) for space in range(1, 26, 2)]


@pytest.mark.rule("VAL-1")
@pytest.mark.parametrize("character", sorted({*CHARACTERS} - {C.VALETTE}))
def test_no_other_card_moves_valette(character: Character) -> None:
    """The figure stays where it is when any other card is played."""
    state = position(seat(hand=[character, C.MAID]), seat(hand=[C.MAID]), valette=9)
    assert play(state, character).valette == 9


@pytest.mark.rule("VAL-13")
@pytest.mark.parametrize("character", CHARACTERS)
def test_everybody_in_the_supply_is_for_hire(character: Character) -> None:
    """Starting cards of others, second Valettes and characters of buildings can all be hired."""
    red = seat(hand=[C.VALETTE, C.MAID])
    state = play(position(red, seat(), supply=[character]), C.VALETTE, RevealBarrel(Good.STONE))
    assert Hire(character) in legal_actions(state)
    assert play(state, Hire(character)).players[0].hand == CardBag.of(C.MAID, character)
