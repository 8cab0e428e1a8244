"""What the characters do, in symbols; `words` says it in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from valletta_rules.components.characters import Character

C = Character

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
    C.MONK: "opponent 4+ → any",
    C.BRICKLAYER: "build / upgrade - brick brick",
    C.TRADER: "wood / stone / brick → gold gold gold",
    C.SEAMSTRESS: "+ any any",
    C.MERCHANT: "gold → wood stone brick",
    C.ARTISAN: "any-icon → any",
    C.CHAMBERLAIN: "green-house → gold",
    C.STONEMASON: "build / upgrade - stone stone",
    C.INNKEEPER: "opponent 2+ gold → gold",
    C.NUN: "+ 3 any opponent + any",
    C.CARPENTER: "build / upgrade - wood wood",
    C.TAX_COLLECTOR: "opponent 3+ wood stone brick → 1",
    C.ARCHITECT: "4 wood / stone / brick → 4-points",
    C.GRAND_BAILIFF: "4 gold → 4-points",
    C.GRAND_MASTER: "gold wood stone brick → 5-points",
    C.PHILIP: "green-house → 1-points",
    C.CHARLES: "blue-house → 1-points",
    C.PIUS: "upgrade → 1-points",
    C.KNIGHT: "+ 2-points",
}
"""The effects of the 31 characters, in the order of the rulebook.

Each is a row of words, with blanks between them, that `cards` draws as symbols.
"""
