"""Card sets: the building cards and barrel tokens of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import attrs

from valletta_rules.components.buildings import Building
from valletta_rules.components.goods import Goods
from valletta_rules.components.values import Value


def _in_order(buildings: Iterable[Building]) -> tuple[Building, ...]:
    """Return the designs sorted by letter and number, so that equal card sets compare equal."""
    return tuple(sorted(buildings, key=lambda building: (building.letter, building.design)))


@attrs.frozen(cache_hash=True)
class CardSet(Value):
    """The values printed on the cards and tokens: 37 buildings and 25 barrels.

    The starting characters are not included, because they are the same in every game.

    Rules: CMP-7, CMP-8, CMP-10, CMP-18
    """

    name: str
    """The name of the card set."""
    buildings: tuple[Building, ...] = attrs.field(converter=_in_order)
    """The designs of the building cards in the order of their codes, without duplicates."""
    barrels: Goods
    """The number of barrel tokens of each good."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` if two designs have the same code."""
        codes = Counter(building.code for building in self.buildings)
        if twice := sorted(code for code, count in codes.items() if count > 1):
            raise ValueError(f"two designs have the same code: {', '.join(twice)}")

    def building(self, code: str) -> Building:
        """Return the building with the given code. Raise `KeyError` if the code is unknown."""
        for building in self.buildings:
            if building.code == code:
                return building
        raise KeyError(code)

    def __repr__(self) -> str:
        """Return a short `repr` with only the name, because all values would fill a page."""
        return f"<CardSet {self.name!r}>"

    def __str__(self) -> str:
        """Return the name of the card set."""
        return self.name
