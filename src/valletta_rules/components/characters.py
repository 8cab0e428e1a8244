"""The 31 kinds of character card, and the five colours of cards."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from valletta_rules.components.values import Lasting


class Colour(StrEnum):
    """The colour of a card: any of the five for characters; green, blue or yellow for buildings.

    Rules: CMP-4, CMP-8
    """

    RED = "red"
    PURPLE = "purple"
    GREEN = "green"
    BLUE = "blue"
    YELLOW = "yellow"

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        """Return the Python expression of the member."""
        return f"Colour.{self.name}"


class Character(Lasting, StrEnum):
    """A kind of character card.

    Cards of the same kind are interchangeable. Members are in the order of the rulebook. `colour`
    is the colour on the printed card. The rulebooks leave open which colour the Apprentice has, so
    this colour is also a field of `RuleSet`.

    Rules: CMP-4, CMP-5, CMP-6, CMP-22
    """

    rank: int
    """The index of the kind in the order of the rulebook: 0 to 30."""
    colour: Colour
    """The colour of the printed card."""
    english: str
    """The name on the English card."""
    german: str
    """The name on the German card."""

    SHOPKEEPER = "shopkeeper", Colour.RED, "Shopkeeper", "Krämerin"
    LUMBERJACK = "lumberjack", Colour.RED, "Lumberjack", "Holzfäller"
    STONE_SCULPTOR = "stone_sculptor", Colour.RED, "Stone Sculptor", "Steinhauer"
    BRICK_WORKER = "brick_worker", Colour.RED, "Brick Worker", "Ziegelstreicher"
    MAID = "maid", Colour.RED, "Maid", "Magd"
    BUILDER = "builder", Colour.RED, "Builder", "Baumeister"
    APPRENTICE = "apprentice", Colour.RED, "Apprentice", "Lehrling"
    VALETTE = "valette", Colour.PURPLE, "Jean Parisot de Valette", "Jean de la Valette"
    BANKER = "banker", Colour.GREEN, "Banker", "Bankier"
    WOODWORKER = "woodworker", Colour.GREEN, "Woodworker", "Schreiner"
    CARVER = "carver", Colour.GREEN, "Carver", "Steinmetz"
    MASON = "mason", Colour.GREEN, "Mason", "Ziegler"
    MONK = "monk", Colour.BLUE, "Monk", "Bettelmönch"
    BRICKLAYER = "bricklayer", Colour.BLUE, "Bricklayer", "Dachdecker"
    TRADER = "trader", Colour.BLUE, "Trader", "Händlerin"
    SEAMSTRESS = "seamstress", Colour.BLUE, "Seamstress", "Schneiderin"
    MERCHANT = "merchant", Colour.BLUE, "Merchant", "Kaufmann"
    ARTISAN = "artisan", Colour.BLUE, "Artisan", "Vorarbeiter"
    CHAMBERLAIN = "chamberlain", Colour.BLUE, "Chamberlain", "Kämmerer"
    STONEMASON = "stonemason", Colour.BLUE, "Stonemason", "Maurer"
    INNKEEPER = "innkeeper", Colour.BLUE, "Innkeeper", "Wirt"
    NUN = "nun", Colour.BLUE, "Nun", "Ordensschwester"
    CARPENTER = "carpenter", Colour.BLUE, "Carpenter", "Zimmermann"
    TAX_COLLECTOR = "tax_collector", Colour.BLUE, "Tax Collector", "Zöllner"
    ARCHITECT = (
        "architect",
        Colour.YELLOW,
        "Architect Francesco Laparelli",
        "Architekt Francesco Laparelli",
    )
    GRAND_BAILIFF = (
        "grand_bailiff",
        Colour.YELLOW,
        "Grand Bailiff Georg Schilling von Cannstatt",
        "Großbailli Georg Schilling von Cannstatt",
    )
    GRAND_MASTER = (
        "grand_master",
        Colour.YELLOW,
        "Grand Master Pietro del Monte",
        "Großmeister Pietro del Monte",
    )
    PHILIP = "philip", Colour.YELLOW, "Philip II of Spain", "König Philipp II."
    CHARLES = "charles", Colour.YELLOW, "Emperor Charles V", "Kaiser Karl V."
    PIUS = "pius", Colour.YELLOW, "Pope Pius V", "Papst Pius V."
    KNIGHT = (
        "knight",
        Colour.YELLOW,
        "Knight Hieronymus von Rekuk",
        "Ritter Hieronymus von Rekuk",
    )

    def __new__(cls, value: str, colour: Colour, english: str, german: str) -> Character:
        """Create the member with its colour and names, and number it in order of definition."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.rank = len(cls.__members__)
        member.colour = colour
        member.english = english
        member.german = german
        return member

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        """Return the Python expression of the member."""
        return f"Character.{self.name}"


CHARACTERS: Final = tuple(Character)
"""The 31 kinds of character in the order of the rulebook."""

STARTING_CHARACTERS: Final = CHARACTERS[:8]
"""The eight kinds of character in the starting deck, which has one card of each."""

BUILDING_CHARACTERS: Final = CHARACTERS[8:]
"""The 23 kinds of character that come with buildings. They are green, blue or yellow."""
