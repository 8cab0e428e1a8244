"""The chapter *Setup*: what every table has before the first turn, and who takes the first turns.

Single steps of the setup are shown by the worked examples of the clauses.
"""

from __future__ import annotations

import pytest

from tests.positions import EDITIONS
from valletta_rules import PlayerCountError, RuleSet, VariantError, new_game

FEWER_BARRELS = [rules.with_variants(fewer_barrels=True) for rules in EDITIONS]


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 6])
def test_no_other_number_can_play(players: int) -> None:
    """There is no game for one, nor for five."""
    with pytest.raises(PlayerCountError):
        new_game(players)


@pytest.mark.rule("SET-7")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_fewer_barrels_are_for_two(rules: RuleSet) -> None:
    """Two may choose the variant; to ask for it with three or four is an error."""
    assert len(new_game(2, rules=rules).players) == 2
    for players in (3, 4):
        with pytest.raises(VariantError):
            new_game(players, rules=rules)
