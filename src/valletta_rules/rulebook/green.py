"""The green cards: goods for the icons on the player's own buildings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.components import Character, Good, Goods
from valletta_rules.events import Log
from valletta_rules.rulebook.effects import Declining, Effect
from valletta_rules.rulebook.houses_and_icons import icons
from valletta_rules.rulebook.ledger import take
from valletta_rules.state import GameState


def collector(good: Good, clause: str) -> Effect:
    """Return an effect that takes one good for each icon of this good on the player's buildings.

    Rules: GRN-1, GRN-2, GRN-3, GRN-4, GRN-8, GRN-9
    """

    def can_do_something(state: GameState, seat: int) -> bool:
        return icons(state, seat, good) > 0

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return take(state, seat, Goods.of(good, icons(state, seat, good)), clause, log)

    return Effect(carry_out, can_do_something, Declining.AS_PLAYED_IF_OPTIONAL, "GRN-9")


EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {
        Character.BANKER: collector(Good.GOLD, "GRN-1"),
        Character.WOODWORKER: collector(Good.WOOD, "GRN-2"),
        Character.CARVER: collector(Good.STONE, "GRN-3"),
        Character.MASON: collector(Good.BRICK, "GRN-4"),
    }
)
"""The effects of the green characters.

Rules: GRN-1, GRN-2, GRN-3, GRN-4
"""
