"""The chapter *Final phase*: what no single position shows, beside its worked examples."""

from __future__ import annotations

import random

import pytest

from tests.positions import editions
from valletta_rules import (
    Character,
    Decline,
    Phase,
    PlayCard,
    RuleSet,
    apply,
    legal_actions,
    new_game,
    resolve_chance,
)
from valletta_rules.agenda import PlayPrompt


@pytest.mark.rule("FIN-19")
@editions
def test_main_phase_is_unlimited(rules: RuleSet) -> None:
    """Players who neither build nor move Valette play 200 turns and could play on."""
    rng = random.Random(1)
    state = resolve_chance(new_game(2, rules=rules), rng)
    turns = 0
    while turns < 200:
        assert state.prompt is not None
        legal = legal_actions(state)
        turns += isinstance(state.prompt, PlayPrompt) and not state.played
        quiet = [action for action in legal if action != PlayCard(Character.VALETTE)]
        action = Decline() if Decline() in legal else quiet[0]
        state = resolve_chance(apply(state, action), rng)
    assert state.phase is Phase.MAIN
    assert [player.score for player in state.players] == [0, 0]
