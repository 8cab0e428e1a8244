"""Setup: formal statements of its clauses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from valletta_rules import actions, agenda
from valletta_rules.actions import Action
from valletta_rules.components.goods import GOODS
from valletta_rules.rulings import BarrelLayout
from valletta_rules.state import GameState

from . import defines, odds

# The barrels


@defines("SET-3", "SET-4", "SET-6")
def has_barrel(state: GameState, space: int) -> bool:
    """Tell whether a space of the street receives a barrel."""
    if state.rules.fewer_barrels:
        return space % 2 == 1
    if state.rules.barrel_layout is BarrelLayout.BY_PLAYERS:
        return (True, space % 2 == 1, space % 3 > 0, True)[len(state.players) - 1]
    return True


@odds("SET-6", at=agenda.BarrelPrompt)
@odds("SET-31", at=agenda.BarrelPrompt)
def next_barrels(state: GameState) -> Mapping[Action, Fraction]:
    """Return the goods that the next barrel can show, each of the barrels left equally likely."""
    left = state.barrels
    return {actions.RevealBarrel(g): Fraction(left[g], left.total) for g in GOODS if left[g]}
