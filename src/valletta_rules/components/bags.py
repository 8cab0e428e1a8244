"""Cards whose order does not matter: hands, piles and the character supply.

A draw pile is a bag too: the order of its cards is undecided until they are drawn.
A bag keeps its counts in one integer, eight bits for each kind of character, so that bags are
small, equal when they hold the same cards, and cheap to hash, add and draw from.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, compress, repeat
from operator import le
from typing import Any, Final

import attrs

from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.names import abbreviated
from valletta_rules.components.values import Value

_BITS: Final = 8
_LANE: Final = (1 << _BITS) - 1
"""The bits that hold the count of one kind."""

_SHIFT: Final = {character: _BITS * character.rank for character in CHARACTERS}
"""The position of the count of each kind."""

_UNIT: Final = {character: 1 << shift for character, shift in _SHIFT.items()}
"""The number that one card of each kind adds."""

MOST_CARDS: Final = _LANE - 1
"""The most cards that a bag can hold; a game has far fewer."""


@attrs.frozen(repr=False)
class CardBag(Value):
    """A multiset of character cards: a hand, a draw pile, a discard pile or the supply.

    `CardBag()` is empty, `CardBag.of` makes a bag of the cards named.
    """

    packed: int = attrs.field(default=0, kw_only=True)
    """The number of cards of each kind, in one number: a byte for each rank."""

    @staticmethod
    def of(*characters: Character) -> CardBag:
        """Return a bag of the given cards; a kind given twice is in it twice.

        Raises `TypeError` for anything but cards.
        """
        try:
            return CardBag(packed=sum(map(_UNIT.__getitem__, characters)))
        except KeyError as error:
            raise TypeError(f"a card is needed, not {abbreviated(*error.args)}") from None

    def __repr__(self) -> str:
        """Show the cards by name, as arguments of `CardBag.of`."""
        return f"CardBag.of({', '.join(map(repr, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the counts as one number."""
        return _unpack, (self.packed,)

    def __str__(self) -> str:
        """Name the cards in English, a kind held more than once with its count."""
        named = (
            card.english if count == 1 else f"{card.english} (x{count})"
            for card, count in self.items()
        )
        return ", ".join(named) or "none"

    def __len__(self) -> int:
        """Return the number of cards.

        A number written in base 256 leaves, divided by 255, the same remainder as the sum of its
        digits.
        """
        return self.packed % _LANE

    def __bool__(self) -> bool:
        """Return whether there is any card."""
        return self.packed != 0

    def __contains__(self, character: object) -> bool:
        """Return whether there is a card of this kind."""
        return isinstance(character, Character) and self.count(character) > 0

    def __iter__(self) -> Iterator[Character]:
        """Iterate over the cards in the order of the rulebook, each as often as it is held."""
        lanes = self._lanes()
        return chain.from_iterable(map(repeat, compress(CHARACTERS, lanes), filter(None, lanes)))

    def __add__(self, other: CardBag) -> CardBag:
        """Return the cards of both bags."""
        return CardBag(packed=self.packed + other.packed)

    def __sub__(self, other: CardBag) -> CardBag:
        """Return the cards of this bag without those of another, which must be among them."""
        return CardBag(packed=self.packed - other.packed)

    def __le__(self, other: CardBag) -> bool:
        """Return whether another bag contains all these cards."""
        return all(map(le, self._lanes(), other._lanes()))

    def count(self, character: Character) -> int:
        """Return the number of cards of one kind."""
        return (self.packed >> _SHIFT[character]) & _LANE

    def items(self) -> list[tuple[Character, int]]:
        """Return the kinds held and how many of each, in the order of the rulebook."""
        return [each for each in zip(CHARACTERS, self._lanes(), strict=True) if each[1]]

    def is_possible(self) -> bool:
        """Return whether the number `packed` is that of a possible bag."""
        return 0 <= self.packed < 1 << _BITS * len(CHARACTERS)

    def counts(self) -> tuple[int, ...]:
        """Return the number of cards of each kind, in the order of `CHARACTERS`."""
        return tuple(self._lanes())

    def _lanes(self) -> bytes:
        return self.packed.to_bytes(len(CHARACTERS), "little")

    def kinds(self) -> tuple[Character, ...]:
        """Return the kinds held, each once, in the order of the rulebook."""
        return tuple(compress(CHARACTERS, self._lanes()))

    def plus(self, character: Character) -> CardBag:
        """Return the bag with one more card."""
        return CardBag(packed=self.packed + _UNIT[character])

    def minus(self, character: Character) -> CardBag:
        """Return the bag with one card fewer; there must be such a card."""
        assert self.count(character), f"there is no {character} in {self!r}"
        return CardBag(packed=self.packed - _UNIT[character])


def _unpack(packed: int) -> CardBag:
    return CardBag(packed=packed)


EMPTY: Final = CardBag()
"""No cards."""
