"""The built-in card sets, and the names under which they are stored.

A stored document or file can name a built-in card set instead of listing all cards. The name is
``reconstruction@`` followed by a fingerprint of the values.
"""

from __future__ import annotations

import copyreg
import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

import attrs

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import CardSet
from valletta_rules.errors import VallettaError
from valletta_rules.text.values import UnfitError, quoted, read_cards, write_cards

FAMILY: Final = "reconstruction"
"""The first part of the name of every built-in card set. This part alone is a name for
`RECONSTRUCTION`.
"""


@attrs.define(slots=False)
class UnknownCardSetError(VallettaError, ValueError):
    """No built-in card set has this name."""

    name: str
    """The unknown name."""

    @property
    def known(self) -> str:
        """The names of all built-in card sets, separated by commas."""
        return ", ".join(f"{FAMILY}@{mark}" for mark in BUILT_IN)

    def __str__(self) -> str:
        """List the known names, and recommend writing other card sets in full."""
        return (
            f"there is no card set {quoted(self.name)} in this package, only {self.known}; "
            "if another version has this card set, use that version to write the cards in full, "
            "under another name"
        )


@lru_cache(maxsize=16)
def fingerprint(cards: CardSet) -> str:
    """Return eight hexadecimal digits that identify a card set.

    They are the first digits of the SHA-256 of a JSON text in ASCII without spaces. The text is a
    list of the card set's name, its barrels, and its buildings in order. Goods are lists of four
    counts. A building is a list of its letter, design, character, cost, icon, points and copies::

        ["Mine",[7,6,6,6],[["A",1,"banker",[1,1,1,1],"gold",1,3],...]]
    """
    buildings = [
        [
            *(each.letter, each.design, each.character.value),
            *([*each.cost], each.icon.value, each.points, each.copies),
        ]
        for each in cards.buildings
    ]
    values = [cards.name, [*cards.barrels], buildings]
    return sha256(json.dumps(values, separators=(",", ":")).encode()).hexdigest()[:8]


BUILT_IN: Final[Mapping[str, CardSet]] = MappingProxyType(
    {fingerprint(RECONSTRUCTION): RECONSTRUCTION}
)
"""A mapping from fingerprints to the built-in card sets."""


def find_built_in_cards(name: str) -> CardSet:
    """Return the built-in card set for a name: ``reconstruction@`` followed by a fingerprint.

    The name ``reconstruction`` without a fingerprint means `RECONSTRUCTION`. Raises
    `UnknownCardSetError` for an unknown name.
    """
    family, _, mark = name.partition("@")
    cards = BUILT_IN.get(mark) if mark else RECONSTRUCTION
    if family.lower() != FAMILY or cards is None:
        raise UnknownCardSetError(name)
    return cards


def name_built_in_cards(cards: CardSet) -> str | None:
    """Return the name of a built-in card set, or `None` for any other card set."""
    mark = fingerprint(cards)
    return f"{FAMILY}@{mark}" if BUILT_IN.get(mark) == cards else None


def write_any_cards(cards: CardSet) -> str:
    """Write a card set as text: its name if it is built in, otherwise its name and all cards."""
    return name_built_in_cards(cards) or write_cards(cards)


def read_any_cards(text: str) -> CardSet:
    """Read a text that `write_any_cards` has written. Raise `UnfitError` if it is invalid."""
    if ":" in text:
        return read_cards(text)
    try:
        return find_built_in_cards(text)
    except UnknownCardSetError as error:
        raise UnfitError(str(error)) from error


def _pickled(cards: CardSet) -> tuple[Any, ...]:
    """Pickle a built-in card set as its name, and any other in full."""
    name = name_built_in_cards(cards)
    return cards.__reduce__() if name is None else (find_built_in_cards, (name,))


copyreg.pickle(CardSet, _pickled)
