"""What the characters do, in English, in German and in symbols.

The sentences are our own and as short as they can be; the clauses of the rulebook have the
details.  How far an effect is compulsory depends on the edition, and so a sentence says *may* only
where every edition does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from valletta_rules.components.characters import Character, Colour

C = Character


@attrs.frozen
class Text:
    """What stands on a character's card."""

    english: str
    """The effect in English."""
    german: str
    """The effect in German."""
    symbols: str
    """The effect as a row of symbols: words of the vocabulary that `cards` draws, with blanks
    between them."""


TEXTS: Final[Mapping[Character, Text]] = {
    C.SHOPKEEPER: Text("Take 1 gold.", "Du erhältst 1 Gold.", "+ gold"),
    C.LUMBERJACK: Text("Take 1 wood.", "Du erhältst 1 Holz.", "+ wood"),
    C.STONE_SCULPTOR: Text("Take 1 stone.", "Du erhältst 1 Stein.", "+ stone"),
    C.BRICK_WORKER: Text("Take 1 brick.", "Du erhältst 1 Ziegel.", "+ brick"),
    C.MAID: Text("Take 1 good of any kind.", "Du erhältst 1 Gut nach Wahl.", "+ any"),
    C.BUILDER: Text(
        "You may build or upgrade once. The card takes nothing off the price.",
        "Einmal bauen oder aufwerten, wenn du willst. Die Karte verbilligt nichts.",
        "build / upgrade",
    ),
    C.APPRENTICE: Text(
        "Repeats the red or green card played just before.",
        "Wiederholt die rote oder grüne Karte, die direkt zuvor kam.",
        "red-card / green-card again",
    ),
    C.VALETTE: Text(
        "Valette walks on, and the barrel he reaches is yours. Then you may dismiss or hire"
        " a character.",
        "Valette geht weiter, und das Fass, das er erreicht, ist deines. Danach kannst du"
        " jemanden entlassen oder anwerben.",
        "valette → barrel · card- / card+",
    ),
    C.BANKER: Text(
        "Take 1 gold for each gold icon on your buildings.",
        "1 Gold für jedes Gold-Symbol deiner Gebäude.",
        "gold-icon → gold",
    ),
    C.WOODWORKER: Text(
        "Take 1 wood for each wood icon on your buildings.",
        "1 Holz für jedes Holz-Symbol deiner Gebäude.",
        "wood-icon → wood",
    ),
    C.CARVER: Text(
        "Take 1 stone for each stone icon on your buildings.",
        "1 Stein für jedes Stein-Symbol deiner Gebäude.",
        "stone-icon → stone",
    ),
    C.MASON: Text(
        "Take 1 brick for each brick icon on your buildings.",
        "1 Ziegel für jedes Ziegel-Symbol deiner Gebäude.",
        "brick-icon → brick",
    ),
    C.MONK: Text(
        "Every opponent with 4 goods or more gives you 1 which they choose. If you are 2"
        " players, you may take 1 good besides.",
        "Alle anderen mit 4 oder mehr Gütern geben dir 1 davon, nach ihrer Wahl. Seid ihr nur 2,"
        " kannst du noch 1 Gut dazunehmen.",
        "opponent 4+ → any",
    ),
    C.BRICKLAYER: Text(
        "You may build or upgrade once, for up to 2 brick less.",
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Ziegel sparen.",
        "build / upgrade - brick brick",
    ),
    C.TRADER: Text(
        "You may return 1 wood, 1 stone or 1 brick for 3 gold.",
        "Tausche 1 Holz, 1 Stein oder 1 Ziegel gegen 3 Gold, wenn du willst.",
        "wood / stone / brick → gold gold gold",
    ),
    C.SEAMSTRESS: Text(
        "Take 2 goods, alike or not.",
        "Du erhältst 2 Güter, auch zweimal das gleiche.",
        "+ any any",
    ),
    C.MERCHANT: Text(
        "You may return 1 gold for 1 wood, 1 stone and 1 brick.",
        "Tausche 1 Gold gegen 1 Holz, 1 Stein und 1 Ziegel, wenn du willst.",
        "gold → wood stone brick",
    ),
    C.ARTISAN: Text(
        "Name a good, and take 1 of it for each of its icons on your buildings.",
        "Nenne ein Gut: Du erhältst davon 1 für jedes seiner Symbole auf deinen Gebäuden.",
        "any-icon → any",
    ),
    C.CHAMBERLAIN: Text(
        "Take 1 gold for each of your green buildings.",
        "1 Gold für jedes deiner grünen Gebäude.",
        "green-house → gold",
    ),
    C.STONEMASON: Text(
        "You may build or upgrade once, for up to 2 stone less.",
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Steine sparen.",
        "build / upgrade - stone stone",
    ),
    C.INNKEEPER: Text(
        "Every opponent with 2 gold or more gives you 1 of it. If you are 2 players, you may take"
        " 1 gold besides.",
        "Alle anderen mit 2 oder mehr Gold geben dir 1 davon. Seid ihr nur 2, kannst du noch"
        " 1 Gold dazunehmen.",
        "opponent 2+ gold → gold",
    ),
    C.NUN: Text(
        "Take 3 goods of one kind; then every opponent gets 1 of that kind.",
        "Du erhältst 3 gleiche Güter, danach alle anderen 1 von dieser Art.",
        "+ any any any opponent + any",
    ),
    C.CARPENTER: Text(
        "You may build or upgrade once, for up to 2 wood less.",
        "Einmal bauen oder aufwerten, wenn du willst, und bis zu 2 Holz sparen.",
        "build / upgrade - wood wood",
    ),
    C.TAX_COLLECTOR: Text(
        "Of each material, every opponent with 3 or more gives you 1. If you are 2 players, you"
        " may take 1 material besides.",
        "Alle anderen geben dir von jedem Baustoff, den sie 3 Mal oder öfter haben, 1. Seid ihr"
        " nur 2, kannst du noch 1 Baustoff dazunehmen.",
        "opponent 3+ wood stone brick → 1",
    ),
    C.ARCHITECT: Text(
        "Return 4 wood, 4 stone or 4 brick and score 4 points.",
        "4 Holz, 4 Steine oder 4 Ziegel bringen dir 4 Punkte.",
        "4 wood / stone / brick → 4-points",
    ),
    C.GRAND_BAILIFF: Text(
        "You may return 4 gold and score 4 points.",
        "Für 4 Gold bekommst du 4 Punkte, wenn du willst.",
        "4 gold → 4-points",
    ),
    C.GRAND_MASTER: Text(
        "You may return one good of each kind and score 5 points.",
        "Für je ein Gut jeder Art bekommst du 5 Punkte, wenn du willst.",
        "gold wood stone brick → 5-points",
    ),
    C.PHILIP: Text(
        "Score 1 point for each of your green buildings.",
        "1 Punkt für jedes deiner grünen Gebäude.",
        "green-house → 1-points",
    ),
    C.CHARLES: Text(
        "Score 1 point for each of your blue buildings.",
        "1 Punkt für jedes deiner blauen Gebäude.",
        "blue-house → 1-points",
    ),
    C.PIUS: Text(
        "Score 1 point for each of your upgraded buildings.",
        "1 Punkt für jedes deiner aufgewerteten Gebäude.",
        "upgrade → 1-points",
    ),
    C.KNIGHT: Text("Score 2 points.", "Du erhältst 2 Punkte.", "+ 2-points"),
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
