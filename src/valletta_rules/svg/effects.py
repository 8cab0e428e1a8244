"""What the characters do, in symbols; `words` says it in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from valletta_rules.components.characters import Character
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.rulebook.blue import (
    INNKEEPER_SPARES,
    MERCHANT_WARES,
    MONK_SPARES,
    NUN_TAKES,
    SEAMSTRESS_TAKES,
    TAX_COLLECTOR_SPARES,
    TRADER_TAKES,
)
from valletta_rules.rulebook.characters import REDUCTIONS
from valletta_rules.rulebook.yellow import (
    ARCHITECT_POINTS,
    ARCHITECT_PRICE,
    BAILIFF_POINTS,
    BAILIFF_PRICE,
    GRAND_MASTER_POINTS,
    GRAND_MASTER_PRICE,
    KNIGHT_POINTS,
)

C = Character


def _each(goods: Goods) -> str:
    """Return a word for each of some goods."""
    return " ".join(good for good in GOODS for _ in range(goods[good]))


EFFECTS: Final[Mapping[Character, str]] = {
    C.SHOPKEEPER: "+ gold",
    C.LUMBERJACK: "+ wood",
    C.STONE_SCULPTOR: "+ stone",
    C.BRICK_WORKER: "+ brick",
    C.MAID: "+ any",
    C.BUILDER: "build / upgrade",
    C.APPRENTICE: "red-card / green-card again",
    C.VALETTE: "valette → barrel · card- / card+",
    C.BANKER: "gold-icon → gold",
    C.WOODWORKER: "wood-icon → wood",
    C.CARVER: "stone-icon → stone",
    C.MASON: "brick-icon → brick",
    C.MONK: f"opponent {MONK_SPARES}+ → any",
    C.BRICKLAYER: f"build / upgrade - {_each(REDUCTIONS[C.BRICKLAYER])}",
    C.TRADER: f"wood / stone / brick → {_each(TRADER_TAKES)}",
    C.SEAMSTRESS: " ".join(["+", *["any"] * SEAMSTRESS_TAKES]),
    C.MERCHANT: f"gold → {_each(MERCHANT_WARES)}",
    C.ARTISAN: "any-icon → any",
    C.CHAMBERLAIN: "green-house → gold",
    C.STONEMASON: f"build / upgrade - {_each(REDUCTIONS[C.STONEMASON])}",
    C.INNKEEPER: f"opponent {INNKEEPER_SPARES}+ gold → gold",
    C.NUN: f"+ {NUN_TAKES} any opponent + any",
    C.CARPENTER: f"build / upgrade - {_each(REDUCTIONS[C.CARPENTER])}",
    C.TAX_COLLECTOR: f"opponent {TAX_COLLECTOR_SPARES}+ wood stone brick → 1",
    C.ARCHITECT: f"{ARCHITECT_PRICE} wood / stone / brick → {ARCHITECT_POINTS}-points",
    C.GRAND_BAILIFF: f"{BAILIFF_PRICE.gold} gold → {BAILIFF_POINTS}-points",
    C.GRAND_MASTER: f"{_each(GRAND_MASTER_PRICE)} → {GRAND_MASTER_POINTS}-points",
    C.PHILIP: "green-house → 1-points",
    C.CHARLES: "blue-house → 1-points",
    C.PIUS: "upgrade → 1-points",
    C.KNIGHT: f"+ {KNIGHT_POINTS}-points",
}
"""The effects of the 31 characters, in the order of the rulebook.

Each is a row of words, with blanks between them, that `cards` draws as symbols.
"""
