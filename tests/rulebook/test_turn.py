"""The chapter *A player's turn*: what each card lets its player do without, in each edition.

The course of a turn is shown by the worked examples of the clauses.
"""

from __future__ import annotations

import pytest

from tests.positions import a_building, editions, play, position, prompt_of, refusal, seat
from valletta_rules import (
    CardBag,
    Character,
    Code,
    Decline,
    GameState,
    Good,
    Goods,
    PlayCard,
    RuleSet,
    legal_actions,
    transition,
)
from valletta_rules.agenda import PlayPrompt
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.events import CardPlayed, EffectDeclined, EffectFizzled

C = Character

DECLINED_AS_PLAYED = {
    C.SHOPKEEPER: "RED-5",
    C.LUMBERJACK: "RED-5",
    C.STONE_SCULPTOR: "RED-5",
    C.BRICK_WORKER: "RED-5",
    C.APPRENTICE: "RED-17",
    C.BANKER: "GRN-9",
    C.WOODWORKER: "GRN-9",
    C.CARVER: "GRN-9",
    C.MASON: "GRN-9",
    C.MONK: "BLU-33",
    C.INNKEEPER: "BLU-33",
    C.TAX_COLLECTOR: "BLU-33",
    C.MERCHANT: "BLU-13",
    C.CHAMBERLAIN: "BLU-21",
    C.GRAND_BAILIFF: "YEL-8",
    C.GRAND_MASTER: "YEL-8",
    C.PHILIP: "YEL-16",
    C.CHARLES: "YEL-16",
    C.PIUS: "YEL-16",
    C.KNIGHT: "YEL-16",
}
"""The cards that ask their player for no choice, and the clause by which each may be declined."""

DECLINED_AT_A_CHOICE = {*CHARACTERS} - {*DECLINED_AS_PLAYED, C.VALETTE}

BY_PERMISSION = {
    *(C.BUILDER, C.BRICKLAYER, C.STONEMASON, C.CARPENTER),
    *(C.TRADER, C.MERCHANT, C.GRAND_BAILIFF, C.GRAND_MASTER),
}
"""The cards that say that their player may do something."""

NEVER_IDLE = {
    *(C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR, C.BRICK_WORKER),
    *(C.MAID, C.VALETTE, C.SEAMSTRESS, C.NUN, C.KNIGHT),
}
"""The cards that need nothing to work with."""


def able(character: Character, rules: RuleSet) -> GameState:
    """Return a position of three players in which each card's effect can do something."""
    others = seat(hand=[C.MAID], goods=Goods(5, 5, 5, 5))
    return position(
        seat(hand=[character, C.MAID], goods=Goods(4, 4, 4, 4), built=[0, 1, 3], upgraded=[2]),
        *(others, others),
        rules=rules,
        display={
            0: a_building(character=C.BANKER, icon=Good.GOLD),
            1: a_building(character=C.NUN, icon=Good.WOOD),
            2: a_building(character=C.KNIGHT, icon=Good.STONE),
            3: a_building(character=C.MASON, icon=Good.BRICK),
            14: a_building(cost=Goods(gold=1)),
        },
        supply=[C.BUILDER],
        played=[C.LUMBERJACK],
        plays=2,
    )


@pytest.mark.rule("TRN-7", "TRN-8", "TRN-9", "TRN-11")
@editions
@pytest.mark.parametrize(("card", "clause"), DECLINED_AS_PLAYED.items(), ids=str)
def test_an_effect_without_a_choice(card: Character, clause: str, rules: RuleSet) -> None:
    """It is declined as the card is played, by its clause, or is compulsory."""
    state, in_vain = able(card, rules), PlayCard(card, use_effect=False)
    assert PlayCard(card) in legal_actions(state)
    if rules.effects_are_optional or card in BY_PERMISSION:
        step = transition(state, in_vain)
        assert step.events == (CardPlayed(0, card), EffectDeclined(0, clause))
        red = state.players[0].replace(hand=CardBag.of(C.MAID))
        assert step.state.players == state.players_with(0, red)
        assert prompt_of(step.state) == PlayPrompt(0, 1)
    else:
        violation = refusal(state, in_vain)
        assert (violation.code, violation.clause) == (Code.EFFECT_COMPULSORY, "TRN-7")


@pytest.mark.rule("TRN-7", "TRN-8", "TRN-9", "TRN-10")
@editions
@pytest.mark.parametrize("card", sorted(DECLINED_AT_A_CHOICE))
def test_an_effect_with_a_choice(card: Character, rules: RuleSet) -> None:
    """It is declined at that choice and nowhere else, or is compulsory."""
    state = able(card, rules)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert (violation.code, violation.clause) == (Code.NO_EFFECT_TO_DECLINE, "TRN-10")
    asked = play(state, card)
    if rules.effects_are_optional or card in BY_PERMISSION:
        after = play(asked, Decline())
        assert (after.players, prompt_of(after)) == (asked.players, PlayPrompt(0, 1))
    else:
        violation = refusal(asked, Decline())
        clause = "YEL-3" if card is C.ARCHITECT else "TRN-7"
        assert (violation.code, violation.clause) == (Code.EFFECT_COMPULSORY, clause)


@pytest.mark.rule("TRN-14", "TRN-15")
@editions
@pytest.mark.parametrize("card", CHARACTERS)
def test_an_effect_that_can_do_nothing(card: Character, rules: RuleSet) -> None:
    """Where nobody owns anything many cards are simply played, in one way."""
    others = seat(hand=[C.MAID])
    state = position(seat(hand=[card, C.MAID]), *(others, others), rules=rules)
    step = transition(state, PlayCard(card))
    assert (EffectFizzled(0, card) in step.events) is (card not in NEVER_IDLE)
    if card not in NEVER_IDLE:
        assert refusal(state, PlayCard(card, use_effect=False)).code is Code.NO_EFFECT_TO_DECLINE
        red = state.players[0].replace(hand=CardBag.of(C.MAID))
        assert step.state.players == state.players_with(0, red)
        assert (step.state.played, prompt_of(step.state)) == ((card,), PlayPrompt(0, 2))
