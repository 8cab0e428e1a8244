"""The red cards: four that take a given good, the Maid, the Builder and the Apprentice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.actions import Decline, TakeGood
from valletta_rules.agenda import MaidPrompt, Step
from valletta_rules.components import ONE, Character, Colour, Good
from valletta_rules.events import Log
from valletta_rules.rulebook.building import construction
from valletta_rules.rulebook.effects import (
    Declining,
    Effect,
    Rule,
    always,
    check_good,
    decline,
    legal_goods,
    question,
)
from valletta_rules.rulebook.ledger import take
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState


def gatherer(good: Good, clause: str) -> Effect:
    """Return an effect that takes one good of a given kind.

    Rules: RED-1, RED-2, RED-3, RED-4, RED-5
    """

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return take(state, seat, ONE[good], clause, log)

    return Effect(carry_out, always, Declining.AS_PLAYED_IF_OPTIONAL, "RED-5")


# The Maid


def serve(state: GameState, prompt: MaidPrompt, action: TakeGood | Decline, log: Log) -> GameState:
    """Take one good of any kind for the Maid, or decline.

    Rules: RED-6, RED-7
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "RED-7", log)
    return take(state, prompt.seat, ONE[action.good], "RED-6", log)


# The Apprentice


COPIED_COLOURS: Final = (Colour.RED, Colour.GREEN)
"""The colours of the cards that the Apprentice copies.

Rules: RED-10, RED-12
"""


def stands_for(
    rules: RuleSet, played: tuple[Character, ...], character: Character
) -> Character | None:
    """Return the card with the effect of a played card, or `None` if an Apprentice copies none.

    `played` are the cards played before it in the turn. Every card except the Apprentice has its
    own effect. An Apprentice copies the red or green card played just before, whether or not its
    effect was used. After a card of another colour, or as the first card of the turn, an Apprentice
    copies none. Directly after another Apprentice, it copies the card that the other Apprentice
    copied if Apprentices are red, and none if Apprentices are purple.

    Rules: RED-10, RED-11, RED-12, RED-13, RED-14, RED-15
    """
    if character is not Character.APPRENTICE:
        return character
    if not played:
        return None
    before = played[-1]
    if before is Character.APPRENTICE:
        red = rules.apprentice_colour is Colour.RED
        return stands_for(rules, played[:-1], before) if red else None
    return before if before.colour in COPIED_COLOURS else None


EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {
        Character.SHOPKEEPER: gatherer(Good.GOLD, "RED-1"),
        Character.LUMBERJACK: gatherer(Good.WOOD, "RED-2"),
        Character.STONE_SCULPTOR: gatherer(Good.STONE, "RED-3"),
        Character.BRICK_WORKER: gatherer(Good.BRICK, "RED-4"),
        Character.MAID: question(MaidPrompt),
        Character.BUILDER: construction(),
    }
)
"""The effects of the red characters except the Apprentice, which copies other cards.

Rules: RED-1, RED-2, RED-3, RED-4, RED-6, RED-8, RED-17
"""

RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        MaidPrompt: Rule(legal_goods, check_good, serve),
    }
)
"""The rules for the prompts of the red characters, keyed by the type of prompt."""
