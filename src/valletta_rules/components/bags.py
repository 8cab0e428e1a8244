"""Cards whose order does not matter: hands, piles and the general supply.

A draw pile is a bag too: the order of its cards is undecided until they are drawn.
A bag keeps its counts in one integer, eight bits a kind of character, so that bags are small,
equal when they hold the same cards, and cheap to hash, add and draw from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from valletta_rules.components.characters import CHARACTERS, Character

_BITS: Final = 8
LANE: Final = (1 << _BITS) - 1
"""The bits that hold the count of one kind in a packed bag, and the largest count."""

UNIT: Final = {character: 1 << (_BITS * character.rank) for character in CHARACTERS}
"""What one card of each kind adds to a packed bag."""

SHIFT: Final = {character: _BITS * character.rank for character in CHARACTERS}
"""Where the count of each kind lies in a packed bag."""


def pack(characters: Iterable[Character]) -> int:
    """Return the packed counts of some cards."""
    return sum(UNIT[character] for character in characters)


def size_of(packed: int) -> int:
    """Return how many cards a packed bag holds.

    A number written in base 256 leaves, divided by 255, the same remainder as the sum of its
    digits; a game has far fewer than 255 character cards.
    """
    return packed % LANE


@attrs.frozen(repr=False)
class CardBag:
    """A multiset of character cards: a hand, a draw pile, a discard pile or the supply."""

    packed: int = 0
    """The counts, eight bits for each kind in the order of the rulebook."""

    @staticmethod
    def of(*characters: Character) -> CardBag:
        """Return a bag of the cards named; a kind named twice is in it twice."""
        return CardBag(pack(characters))

    def __repr__(self) -> str:
        """Show the cards by name, as they would be given to `CardBag.of`."""
        return f"CardBag.of({', '.join(map(repr, self))})"

    def __str__(self) -> str:
        """Name the cards in English, a kind held more than once with its count."""
        named = (
            card.english if count == 1 else f"{card.english} (x{count})"
            for card, count in self.items()
        )
        return ", ".join(named) or "none"

    def __len__(self) -> int:
        """Return how many cards there are."""
        return self.packed % LANE

    def __bool__(self) -> bool:
        """Tell whether there is any card."""
        return self.packed != 0

    def __contains__(self, character: object) -> bool:
        """Tell whether there is a card of this kind."""
        return isinstance(character, Character) and self.count(character) > 0

    def __iter__(self) -> Iterator[Character]:
        """Run through the cards in the order of the rulebook, each as often as it is held."""
        for character, count in self.items():
            for _ in range(count):
                yield character

    def __add__(self, other: CardBag) -> CardBag:
        """Return the cards of both bags."""
        return CardBag(self.packed + other.packed)

    def count(self, character: Character) -> int:
        """Return how many cards of one kind there are."""
        return (self.packed >> SHIFT[character]) & LANE

    def items(self) -> Iterator[tuple[Character, int]]:
        """Run through the kinds held and how many of each, in the order of the rulebook."""
        rest = self.packed
        while rest:
            lane = ((rest & -rest).bit_length() - 1) // _BITS
            count = (rest >> (lane * _BITS)) & LANE
            yield CHARACTERS[lane], count
            rest ^= count << (lane * _BITS)

    def kinds(self) -> tuple[Character, ...]:
        """Return the kinds held, each once, in the order of the rulebook."""
        return tuple(character for character, _ in self.items())

    def plus(self, character: Character) -> CardBag:
        """Return the bag with one card more."""
        return CardBag(self.packed + UNIT[character])

    def minus(self, character: Character) -> CardBag:
        """Return the bag with one card less; there must be such a card."""
        assert self.count(character) > 0, f"there is no {character} in {self!r}"
        return CardBag(self.packed - UNIT[character])

    def at(self, number: int) -> Character:
        """Return card `number` (0 up to the size less one) in the order of the rulebook."""
        rest = self.packed
        while rest:
            lane = ((rest & -rest).bit_length() - 1) // _BITS
            count = (rest >> (lane * _BITS)) & LANE
            if number < count:
                return CHARACTERS[lane]
            number -= count
            rest ^= count << (lane * _BITS)
        raise IndexError("no card of that number in the bag")


EMPTY: Final = CardBag()
"""No cards."""
