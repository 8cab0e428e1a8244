"""The grammars of the languages, which inflect words within a sentence.

All other parts of a language are data, in ``phrases``.
"""

from __future__ import annotations

from typing import Final, Protocol

from valletta_rules.components import SEVERAL, Character, Good, Goods

C = Character

PERSONS: Final = (C.VALETTE, C.PHILIP, C.CHARLES, C.PIUS)
"""Characters whose names take no article and do not change with the case."""


class Grammar(Protocol):
    """The interface of a grammar.  Each argument `name` is a name as written in ``phrases``."""

    def title(self, character: Character, name: str, case: str) -> str:
        """Return the name of a character within a sentence.

        `case` is ``nominative``, ``dative``, ``accusative``, or ``from`` (as in *from the
        Builder*).
        """
        ...

    def amount(self, count: int, good: Good, name: str) -> str:
        """Return an amount of a good: ``2 stones``."""
        ...

    def none_of(self, good: Good, name: str) -> str:
        """Return words for the absence of a good, as the object of a verb: ``no stone``."""
        ...

    def are_several(self, goods: Goods) -> bool:
        """Return whether the verb after `goods` is in the plural."""
        ...


class English:
    """The grammar of English, which does not inflect the names of characters."""

    def title(self, character: Character, name: str, case: str) -> str:
        """Return the name of a character with its article: ``the Builder``, but ``Valette``."""
        return name if character in PERSONS else f"the {name}"

    def amount(self, count: int, good: Good, name: str) -> str:
        """Return an amount of a good: ``2 gold``, ``1 stone``, ``2 stones``."""
        return f"{count} {name if count == 1 else SEVERAL.get(good, name)}"

    def none_of(self, good: Good, name: str) -> str:
        """Return words for the absence of a good: ``no stone``."""
        return f"no {name}"

    def are_several(self, goods: Goods) -> bool:
        """Return whether there is more than one item, so that the verb is in the plural."""
        return goods.total > 1


class German:
    """The grammar of German, which declines the names of cards and the word *Stein*."""

    WOMEN: Final = (C.SHOPKEEPER, C.MAID, C.TRADER, C.SEAMSTRESS, C.NUN)
    """Characters whose names are feminine; all other names are masculine."""
    WEAK: Final = (C.CARVER, C.ARCHITECT)
    """Characters whose names end in *-en* in every case except the nominative."""
    MASCULINE_GOODS: Final = (Good.STONE, Good.BRICK)
    """Goods whose names are masculine; the names of all other goods are neuter."""
    ARTICLES: Final = {
        "nominative": ("der", "die"),
        "dative": ("dem", "der"),
        "accusative": ("den", "die"),
        "from": ("vom", "von der"),
    }
    """The masculine and the feminine article in each case."""

    def title(self, character: Character, name: str, case: str) -> str:
        """Return the name of a character in a case, with its article: ``dem Baumeister``."""
        if character in PERSONS:
            return f"von {name}" if case == "from" else name
        ending = "en" if character in self.WEAK and case != "nominative" else ""
        return f"{self.ARTICLES[case][character in self.WOMEN]} {name}{ending}"

    def amount(self, count: int, good: Good, name: str) -> str:
        """Return an amount of a good: ``1 Stein``, ``2 Steine``, ``2 Ziegel``."""
        return f"{count} {'Steine' if good is Good.STONE and count != 1 else name}"

    def none_of(self, good: Good, name: str) -> str:
        """Return words for the absence of a good, in the accusative: ``keinen Stein``."""
        return f"{'keinen' if good in self.MASCULINE_GOODS else 'kein'} {name}"

    def are_several(self, goods: Goods) -> bool:
        """Return whether the verb is in the plural: ``2 Steine genügen``, but ``2 Gold genügt``."""
        return len(goods.kinds()) > 1 or any(goods[good] > 1 for good in self.MASCULINE_GOODS)
