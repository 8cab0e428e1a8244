"""Multisets of cards: hands, piles and the character supply.

A draw pile is a multiset, too, because its order is undetermined until the cards are drawn.

A bag stores its counts in one integer, with eight bits for each kind of character. Bags are
therefore small and fast to hash, to compare, to add and to draw from.
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
"""The bit mask for the count of one kind, before it is shifted to the bits of this kind."""

_SHIFT: Final = {character: _BITS * character.rank for character in CHARACTERS}
"""A mapping from each kind to the lowest bit of its count in `CardBag.packed`."""

_UNIT: Final = {character: 1 << shift for character, shift in _SHIFT.items()}
"""A mapping from each kind to the value of `CardBag.packed` for one card of this kind."""

MOST_CARDS: Final = _LANE - 1
"""The maximum number of cards in a bag. A game has far fewer cards."""


@attrs.frozen(repr=False)
class CardBag(Value):
    """A multiset of character cards: a hand, a draw pile, a discard pile or the supply.

    `CardBag()` is empty; `CardBag.of` creates a bag of given cards.
    """

    packed: int = attrs.field(default=0, kw_only=True)
    """The counts of all kinds, packed into one integer: one byte for each kind, in the order of
    `Character.rank`.
    """

    @staticmethod
    def of(*characters: Character) -> CardBag:
        """Return a bag with the given cards. A kind may be given several times.

        Raises `TypeError` for anything but cards.
        """
        try:
            return CardBag(packed=sum(map(_UNIT.__getitem__, characters)))
        except KeyError as error:
            raise TypeError(f"expected a card, not {abbreviated(*error.args)}") from None

    def __repr__(self) -> str:
        """Return a call of `CardBag.of` with the names of the cards."""
        return f"CardBag.of({', '.join(map(repr, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bag as its packed number."""
        return _unpack, (self.packed,)

    def __str__(self) -> str:
        """Return the English names of the cards. A count follows the name of a repeated kind."""
        named = (
            card.english if count == 1 else f"{card.english} (x{count})"
            for card, count in self.items()
        )
        return ", ".join(named) or "none"

    def __len__(self) -> int:
        """Return the number of cards.

        This is the sum of the bytes of `packed`. It equals `packed` modulo 255, because 256 modulo
        255 is 1 and a bag has fewer than 255 cards.
        """
        return self.packed % _LANE

    def __bool__(self) -> bool:
        """Return whether the bag contains any card."""
        return self.packed != 0

    def __contains__(self, character: object) -> bool:
        """Return whether the bag contains a card of this kind."""
        return isinstance(character, Character) and self.count(character) > 0

    def __iter__(self) -> Iterator[Character]:
        """Iterate over all cards, including repeated ones, in the order of the rulebook."""
        lanes = self._lanes()
        return chain.from_iterable(map(repeat, compress(CHARACTERS, lanes), filter(None, lanes)))

    def __add__(self, other: CardBag) -> CardBag:
        """Return the cards of both bags together."""
        return CardBag(packed=self.packed + other.packed)

    def __sub__(self, other: CardBag) -> CardBag:
        """Return this bag without the cards of another bag, which must all be in this bag."""
        return CardBag(packed=self.packed - other.packed)

    def __le__(self, other: CardBag) -> bool:
        """Return whether another bag contains all cards of this bag."""
        return all(map(le, self._lanes(), other._lanes()))

    def count(self, character: Character) -> int:
        """Return the number of cards of one kind."""
        return (self.packed >> _SHIFT[character]) & _LANE

    def items(self) -> list[tuple[Character, int]]:
        """Return each kind with at least one card and its count, in the order of the rulebook."""
        return [each for each in zip(CHARACTERS, self._lanes(), strict=True) if each[1]]

    def is_possible(self) -> bool:
        """Return whether `packed` encodes a bag: it is not negative and not too large."""
        return 0 <= self.packed < 1 << _BITS * len(CHARACTERS)

    def counts(self) -> tuple[int, ...]:
        """Return the number of cards of each kind, in the order of `CHARACTERS`."""
        return tuple(self._lanes())

    def _lanes(self) -> bytes:
        return self.packed.to_bytes(len(CHARACTERS), "little")

    def kinds(self) -> tuple[Character, ...]:
        """Return the kinds with at least one card, in the order of the rulebook."""
        return tuple(compress(CHARACTERS, self._lanes()))

    def plus(self, character: Character) -> CardBag:
        """Return the bag with one more card."""
        return CardBag(packed=self.packed + _UNIT[character])

    def minus(self, character: Character) -> CardBag:
        """Return the bag without one card, which it must contain."""
        assert self.count(character), f"there is no {character} in {self!r}"
        return CardBag(packed=self.packed - _UNIT[character])


def _unpack(packed: int) -> CardBag:
    return CardBag(packed=packed)


EMPTY: Final = CardBag()
"""The empty bag."""
