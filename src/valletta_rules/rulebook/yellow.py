"""The yellow cards: points during the game."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.actions import DECLINE, RETURN, Decline, ReturnGood
from valletta_rules.agenda import ArchitectPrompt, Step
from valletta_rules.components import MATERIALS, ONE_OF_EACH, Character, Colour, Good, Goods
from valletta_rules.errors import Code, Violation, violation
from valletta_rules.events import Log
from valletta_rules.rulebook.effects import (
    Declining,
    Effect,
    Rule,
    always,
    check_declining_choice,
    decline,
    question,
)
from valletta_rules.rulebook.houses_and_icons import count_of_colour
from valletta_rules.rulebook.ledger import give_back, score
from valletta_rules.state import GameState

ARCHITECT_PRICE: Final = 4
"""The number of goods of one material that a player returns for the Architect's effect.

Rules: YEL-1
"""

ARCHITECT_POINTS: Final = 4
"""The points that the Architect scores.

Rules: YEL-1
"""

BAILIFF_PRICE: Final = Goods(gold=4)
"""The goods that a player pays for the effect of the Grand Bailiff.

Rules: YEL-6
"""

BAILIFF_POINTS: Final = 4
"""The points that the Grand Bailiff scores.

Rules: YEL-6
"""

GRAND_MASTER_PRICE: Final = ONE_OF_EACH
"""The goods that a player pays for the effect of the Grand Master.

Rules: YEL-7
"""

GRAND_MASTER_POINTS: Final = 5
"""The points that the Grand Master scores.

Rules: YEL-7
"""

KNIGHT_POINTS: Final = 2
"""The points that the Knight scores.

Rules: YEL-15
"""


# The Architect


def can_pay_architect(state: GameState, seat: int) -> bool:
    """Return whether the player has four goods of one material.

    Rules: YEL-5
    """
    goods = state.players[seat].goods
    return any(goods[material] >= ARCHITECT_PRICE for material in MATERIALS)


def legal_plans(state: GameState, prompt: ArchitectPrompt) -> tuple[ReturnGood | Decline, ...]:
    """Return an action for each material that the player can return, and one to decline if allowed.

    Rules: YEL-2, YEL-3, YEL-4
    """
    goods = state.players[prompt.seat].goods
    plans = tuple(RETURN[good] for good in MATERIALS if goods[good] >= ARCHITECT_PRICE)
    return (*plans, DECLINE) if state.rules.effects_are_optional else plans


def check_plan(
    state: GameState, prompt: ArchitectPrompt, action: ReturnGood | Decline
) -> Violation | None:
    """Return the violation of an answer to the Architect's prompt, or `None` if it is legal.

    Rules: YEL-1, YEL-2, YEL-3, YEL-4
    """
    if isinstance(action, Decline):
        return check_declining_choice(state, Character.ARCHITECT, "YEL-3")
    if action.good is Good.GOLD:
        message = "the Architect returns wood, stone or brick, not gold"
        return violation("YEL-2", Code.GOOD_NOT_OFFERED, message, good=action.good)
    owned = state.players[prompt.seat].goods[action.good]
    if owned < ARCHITECT_PRICE:
        price, owned_goods = (Goods.of(action.good, count) for count in (ARCHITECT_PRICE, owned))
        message = f"the Architect returns {price}; the player has {owned_goods}"
        return violation("YEL-1", Code.NOT_OWNED, message, good=action.good, owned=owned)
    return None


def plan(
    state: GameState, prompt: ArchitectPrompt, action: ReturnGood | Decline, log: Log
) -> GameState:
    """Pay four goods of a material to the general supply and score points, or decline.

    Rules: YEL-1, YEL-4
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "YEL-4", log)
    price = Goods.of(action.good, ARCHITECT_PRICE)
    state = give_back(state, prompt.seat, price, "YEL-1", log)
    return score(state, prompt.seat, ARCHITECT_POINTS, "YEL-1", log)


# Grand Bailiff and Grand Master


def sale(price: Goods, points: int, clause: str) -> Effect:
    """Return an effect that exchanges goods for points and may be declined.

    Rules: YEL-6, YEL-7, YEL-8, YEL-9
    """

    def can_do_something(state: GameState, seat: int) -> bool:
        return state.players[seat].goods.covers(price)

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return score(give_back(state, seat, price, clause, log), seat, points, clause, log)

    return Effect(carry_out, can_do_something, Declining.AS_PLAYED, "YEL-8")


# Philip II, Charles V, Pius V and the Knight


def admirer(colour: Colour, clause: str) -> Effect:
    """Return an effect that scores one point for each of the player's buildings of a colour.

    Rules: YEL-10, YEL-11, YEL-12, YEL-14
    """

    def can_do_something(state: GameState, seat: int) -> bool:
        return count_of_colour(state, seat, colour) > 0

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        return score(state, seat, count_of_colour(state, seat, colour), clause, log)

    return Effect(carry_out, can_do_something, Declining.AS_PLAYED_IF_OPTIONAL, "YEL-16")


def has_upgraded(state: GameState, seat: int) -> bool:
    """Return whether the player has an upgraded building.

    Rules: YEL-14
    """
    return bool(state.players[seat].upgraded)


def pius(state: GameState, seat: int, log: Log) -> GameState:
    """Score a point for each upgraded building of any colour, for Pius V.

    Rules: YEL-13
    """
    return score(state, seat, len(state.players[seat].upgraded), "YEL-13", log)


def knight(state: GameState, seat: int, log: Log) -> GameState:
    """Score two points for the Knight.

    Rules: YEL-15
    """
    return score(state, seat, KNIGHT_POINTS, "YEL-15", log)


EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {
        Character.ARCHITECT: question(ArchitectPrompt, can_pay_architect),
        Character.GRAND_BAILIFF: sale(BAILIFF_PRICE, BAILIFF_POINTS, "YEL-6"),
        Character.GRAND_MASTER: sale(GRAND_MASTER_PRICE, GRAND_MASTER_POINTS, "YEL-7"),
        Character.PHILIP: admirer(Colour.GREEN, "YEL-10"),
        Character.CHARLES: admirer(Colour.BLUE, "YEL-11"),
        Character.PIUS: Effect(pius, has_upgraded, Declining.AS_PLAYED_IF_OPTIONAL, "YEL-16"),
        Character.KNIGHT: Effect(knight, always, Declining.AS_PLAYED_IF_OPTIONAL, "YEL-16"),
    }
)
"""The effects of the yellow characters. If a player has two cards of one character, both have the
effect.

Rules: YEL-6, YEL-7, YEL-16, YEL-17
"""

RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        ArchitectPrompt: Rule(legal_plans, check_plan, plan),
    }
)
"""The rules for the prompts of the yellow characters, keyed by the type of prompt."""
