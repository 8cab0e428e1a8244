"""The effects of all characters, and tables that are derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.components import Character, Goods
from valletta_rules.rulebook import blue, green, red, valette, yellow
from valletta_rules.rulebook.effects import Effect, StatePredicate
from valletta_rules.rulings import Effects

CARD_EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {**red.EFFECTS, **valette.EFFECTS, **green.EFFECTS, **blue.EFFECTS, **yellow.EFFECTS}
)
"""The effect of every character except the Apprentice, which copies another card.

Rules: TRN-13
"""

REDUCTIONS: Final[Mapping[Character, Goods]] = MappingProxyType(
    {
        character: effect.reduction
        for character, effect in CARD_EFFECTS.items()
        if effect.reduction is not None
    }
)
"""The cards that allow building, each with its reduction of the price.

Rules: BLD-12, BLD-13, RED-8, BLU-6, BLU-22, BLU-29
"""

STAKES: Final[Mapping[Effects, Mapping[Character | None, StatePredicate]]] = MappingProxyType(
    {
        answer: MappingProxyType(
            {
                character: effect.stake
                for character, effect in CARD_EFFECTS.items()
                if effect.is_declinable_as_played(answer is Effects.OPTIONAL)
            }
        )
        for answer in Effects
    }
)
"""The cards that may be played without their effect, for each answer to the ruling *effects*.

The value for a card is the predicate `Effect.stake`, which is true in positions where the effect
would do something at once. The effect may be declined only in these positions.

Rules: TRN-8, TRN-9, TRN-11, TRN-12
"""
