"""The card sets that come with the package, and how text names them.

A text need not spell out a card set that its reader has too: ``reconstruction@`` and a fingerprint
of its values name it.
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
"""The word that all names of built-in card sets begin with; alone, it means `RECONSTRUCTION`."""


@attrs.define(slots=False)
class UnknownCardSetError(VallettaError, ValueError):
    """A name that is that of no built-in card set."""

    name: str
    """The name, as it was given."""

    @property
    def known(self) -> str:
        """The names that there are, with commas between."""
        return ", ".join(f"{FAMILY}@{mark}" for mark in BUILT_IN)

    def __str__(self) -> str:
        """Say which names there are, and how cards can be written that no reader need have."""
        return (
            f"there is no card set {quoted(self.name)} in this package, only {self.known}; "
            "if another version wrote this, have it write the cards in full, under a name of "
            "their own"
        )


@lru_cache(maxsize=16)
def fingerprint(cards: CardSet) -> str:
    """Return eight hexadecimal digits by which a card set can be told from any other.

    They are the first of the SHA-256 of a JSON text in ASCII without spaces, a list of the card
    set's name, its barrels, and its buildings in their order; goods are lists of four counts, a
    building is the list of its letter, design, character, cost, icon, points and copies::

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
"""The built-in card sets by their fingerprints."""


def find_built_in_cards(name: str) -> CardSet:
    """Return the built-in card set of a name, such as ``reconstruction@`` and a fingerprint.

    Without a fingerprint, ``reconstruction`` is `RECONSTRUCTION`.
    Raises `UnknownCardSetError` for a name that this package does not know.
    """
    family, _, mark = name.partition("@")
    cards = BUILT_IN.get(mark) if mark else RECONSTRUCTION
    if family.lower() != FAMILY or cards is None:
        raise UnknownCardSetError(name)
    return cards


def name_built_in_cards(cards: CardSet) -> str | None:
    """Return the name by which `find_built_in_cards` finds a card set; `None` for any other."""
    mark = fingerprint(cards)
    return f"{FAMILY}@{mark}" if BUILT_IN.get(mark) == cards else None


def write_any_cards(cards: CardSet) -> str:
    """Write a card set: by its name if it is built in, in full if it is not."""
    return name_built_in_cards(cards) or write_cards(cards)


def read_any_cards(text: str) -> CardSet:
    """Return the card set that a text names or spells out; raise `UnfitError` if there is none."""
    if ":" in text:
        return read_cards(text)
    try:
        return find_built_in_cards(text)
    except UnknownCardSetError as error:
        raise UnfitError(str(error)) from error


def _pickled(cards: CardSet) -> tuple[Any, ...]:
    """Let a pickle hold a built-in card set by its name, and any other in full."""
    name = name_built_in_cards(cards)
    return cards.__reduce__() if name is None else (find_built_in_cards, (name,))


copyreg.pickle(CardSet, _pickled)
