"""Building cards: their designs, and the values that are printed on them."""

from __future__ import annotations

from typing import Annotated, Final, SupportsIndex

import attrs
from attrs.validators import ge, instance_of, matches_re

from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.goods import Good, Goods
from valletta_rules.components.limits import Count, Pattern, Positive
from valletta_rules.components.numbers import whole
from valletta_rules.components.values import Value

HOUSES_PER_PLAYER: Final = 8
"""The number of houses that each player has. A player cannot own more buildings.

Rules: CMP-19
"""


BuildingCode = Annotated[str, Pattern("[A-Z]([2-9]|[1-3][0-9])?")]
"""The code of a building: A is the first design with the letter A, and A2 the second."""


def _number(value: SupportsIndex) -> int:
    return whole(value, "a number of a building")


@attrs.frozen(cache_hash=True)
class Building(Value):
    """A design of a building card, with its number of copies.

    Cards with the same design are interchangeable. The upgraded side has twice as many icons and
    points as the front.

    Rules: CMP-9, CMP-10, CMP-11, CMP-12
    """

    letter: str = attrs.field(validator=matches_re("[A-Z]"))
    """The letter that links the building to its character: A to Z."""
    character: Character = attrs.field(validator=instance_of(Character))
    """The character card that a player gets for constructing the building."""
    cost: Goods = attrs.field(validator=instance_of(Goods))
    """The printed cost of construction."""
    icon: Good = attrs.field(validator=instance_of(Good))
    """The kind of good shown by the icon in the lower left corner of the front."""
    points: Count = attrs.field(converter=_number, validator=ge(0))
    """The points shown in the lower right corner of the front."""
    copies: Positive = attrs.field(default=1, converter=_number, validator=ge(1))
    """The number of cards of this design in the card set."""
    design: Positive = attrs.field(default=1, converter=_number, validator=ge(1))
    """The number of the design, counted from 1 for each letter."""

    @property
    def code(self) -> str:
        """A short name, unique in the card set: ``A``, or ``A2`` for a second design."""
        return self.letter if self.design == 1 else f"{self.letter}{self.design}"

    @property
    def colour(self) -> Colour:
        """The colour of the building and of its character."""
        return self.character.colour

    def __str__(self) -> str:
        """Return the code of the building and the name of its character."""
        return f"{self.code} ({self.character.english})"
