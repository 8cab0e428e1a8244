"""What the characters do, in German and in symbols; `words.describe_effect` says it in English.

The sentences are our own and as short as they can be; the clauses of the rulebook have the
details.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from valletta_rules.components.characters import Character, Colour

C = Character


@attrs.frozen
class Text:
    """What stands on a character's card besides the effect in English."""

    german: str
    """The effect in German."""
    symbols: str
    """The effect as a row of symbols: words of the vocabulary that `cards` draws, with blanks
    between them."""


TEXTS: Final[Mapping[Character, Text]] = {
    C.SHOPKEEPER: Text("Du erhältst 1 Gold.", "+ gold"),
    C.LUMBERJACK: Text("Du erhältst 1 Holz.", "+ wood"),
    C.STONE_SCULPTOR: Text("Du erhältst 1 Stein.", "+ stone"),
    C.BRICK_WORKER: Text("Du erhältst 1 Ziegel.", "+ brick"),
    C.MAID: Text("Du erhältst 1 Gut nach Wahl.", "+ any"),
    C.BUILDER: Text(
        "Einmal bauen oder aufwerten, wenn du willst. Die Karte verbilligt nichts.",
        "build / upgrade",
    ),
    C.APPRENTICE: Text(
        "Wiederholt die rote oder grüne Karte, die direkt zuvor kam.",
        "red-card / green-card again",
    ),
    C.VALETTE: Text(
        "Valette geht weiter, und das Fass, das er erreicht, ist deines. Danach kannst du"
        " jemanden entlassen oder anwerben.",
        "valette → barrel · card- / card+",
    ),
    C.BANKER: Text("1 Gold für jedes Gold-Symbol deiner Gebäude.", "gold-icon → gold"),
    C.WOODWORKER: Text("1 Holz für jedes Holz-Symbol deiner Gebäude.", "wood-icon → wood"),
    C.CARVER: Text("1 Stein für jedes Stein-Symbol deiner Gebäude.", "stone-icon → stone"),
    C.MASON: Text("1 Ziegel für jedes Ziegel-Symbol deiner Gebäude.", "brick-icon → brick"),
    C.MONK: Text(
        "Alle anderen mit 4 oder mehr Gütern geben dir 1 davon, nach ihrer Wahl. Seid ihr nur"
        " 2, kannst du noch 1 Gut dazunehmen.",
        "opponent 4+ → any",
    ),
    C.BRICKLAYER: Text(
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Ziegel sparen.",
        "build / upgrade - brick brick",
    ),
    C.TRADER: Text(
        "Tausche 1 Holz, Stein oder Ziegel gegen 3 Gold, wenn du willst.",
        "wood / stone / brick → gold gold gold",
    ),
    C.SEAMSTRESS: Text("Du erhältst 2 Güter, auch zweimal das gleiche.", "+ any any"),
    C.MERCHANT: Text(
        "Tausche 1 Gold gegen 1 Holz, 1 Stein und 1 Ziegel, wenn du willst.",
        "gold → wood stone brick",
    ),
    C.ARTISAN: Text(
        "Nenne ein Gut: Du erhältst davon 1 für jedes seiner Symbole auf deinen Gebäuden.",
        "any-icon → any",
    ),
    C.CHAMBERLAIN: Text("1 Gold für jedes deiner grünen Gebäude.", "green-house → gold"),
    C.STONEMASON: Text(
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Steine sparen.",
        "build / upgrade - stone stone",
    ),
    C.INNKEEPER: Text(
        "Alle anderen mit 2 oder mehr Gold geben dir 1 davon. Seid ihr nur 2, kannst du noch"
        " 1 Gold dazunehmen.",
        "opponent 2+ gold → gold",
    ),
    C.NUN: Text(
        "Du erhältst 3 gleiche Güter, danach alle anderen 1 von dieser Art.",
        "+ any any any opponent + any",
    ),
    C.CARPENTER: Text(
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Holz sparen.",
        "build / upgrade - wood wood",
    ),
    C.TAX_COLLECTOR: Text(
        "Alle anderen geben dir von jedem Baustoff, den sie 3 Mal oder öfter haben, 1. Seid"
        " ihr nur 2, kannst du noch 1 Baustoff dazunehmen.",
        "opponent 3+ wood stone brick → 1",
    ),
    C.ARCHITECT: Text(
        "4 gleiche Baustoffe bringen dir 4 Punkte.",
        "4 wood / stone / brick → 4-points",
    ),
    C.GRAND_BAILIFF: Text("Für 4 Gold bekommst du 4 Punkte, wenn du willst.", "4 gold → 4-points"),
    C.GRAND_MASTER: Text(
        "Für je ein Gut jeder Art bekommst du 5 Punkte, wenn du willst.",
        "gold wood stone brick → 5-points",
    ),
    C.PHILIP: Text("1 Punkt für jedes deiner grünen Gebäude.", "green-house → 1-points"),
    C.CHARLES: Text("1 Punkt für jedes deiner blauen Gebäude.", "blue-house → 1-points"),
    C.PIUS: Text("1 Punkt für jedes deiner aufgewerteten Gebäude.", "upgrade → 1-points"),
    C.KNIGHT: Text("Du erhältst 2 Punkte.", "+ 2-points"),
}
"""The texts of the 31 characters, in the order of the rulebook."""

GERMAN_COLOURS: Final[Mapping[Colour, str]] = {
    Colour.RED: "rot",
    Colour.PURPLE: "violett",
    Colour.GREEN: "grün",
    Colour.BLUE: "blau",
    Colour.YELLOW: "gelb",
}
"""What the colours are called in German."""
