"""A card set: the buildings and barrels that a game is played with."""

from __future__ import annotations

import attrs

from valletta_rules.components.buildings import Building
from valletta_rules.components.goods import Goods


@attrs.frozen(cache_hash=True)
class CardSet:
    """The values printed on the cards and tokens: 37 buildings and 25 barrels.

    The starting characters are not part of it: they are the same in every game.

    Rules: CMP-7, CMP-8, CMP-10, CMP-18
    """

    name: str
    """What the card set is called."""
    buildings: tuple[Building, ...]
    """The designs of building card, in the order of their letters."""
    barrels: Goods
    """How many barrel tokens show each good."""

    def building(self, code: str) -> Building:
        """Return the building of a code; raise `KeyError` if the set has none."""
        for building in self.buildings:
            if building.code == code:
                return building
        raise KeyError(code)

    def __str__(self) -> str:
        """Give the card set's name."""
        return self.name
