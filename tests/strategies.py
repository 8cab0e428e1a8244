"""Hypothesis strategies for the values of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import ascii_uppercase
from typing import NamedTuple

from hypothesis import strategies as st

from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS, Good, Goods


class Face(NamedTuple):
    """What a building shows besides its letter."""

    cost: Goods
    icon: Good
    points: int


def _in_letter_order(design: tuple[Face, int]) -> tuple[Goods, int, int]:
    """Return by what the designs of a letter are put in order, as they are when read."""
    face, _ = design
    return face.cost, face.icon.rank, face.points


_RARELY = st.sampled_from((False, False, False, True))
"""Whether a copy of a building differs from the others."""


@st.composite
def card_sets(draw: st.DrawFn, *, dearest: int = 4, points: int = 5) -> CardSet:
    """Draw a card set within the facts of the rulebook.

    A cost has at most `dearest` goods of a kind, a front at most `points` points.  It shrinks
    towards one design a letter in alphabetical order, many Bankers and Monks, no costs, no
    points, and barrels of gold.
    """
    copies = draw(_copies())
    letters = draw(_letters())
    owed = dict(zip(draw(_four_characters()), GOODS, strict=True))
    faces = _faces(dearest, points)
    buildings: list[Building] = []
    for character in BUILDING_CHARACTERS:
        cards = [draw(faces)] * copies[character]
        for copy in range(1, copies[character]):
            if draw(_RARELY):
                cards[copy] = draw(faces)
        if character in owed:
            cards[0] = cards[0]._replace(icon=owed[character])
        designs = sorted(Counter(cards).items(), key=_in_letter_order)
        buildings += (
            Building(letters[character], character, *face, copies=count, design=design)
            for design, (face, count) in enumerate(designs, 1)
        )
    buildings.sort(key=lambda building: (building.letter, building.design))
    return CardSet("Generated", tuple(buildings), draw(_barrels()))


@st.composite
def _copies(draw: st.DrawFn) -> Counter[Character]:
    """Draw how often each character occurs: 37 cards, enough of each colour, some yellow twice."""
    green, blue, yellow = (
        [each for each in BUILDING_CHARACTERS if each.colour is colour]
        for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
    )
    twice = draw(st.lists(st.sampled_from(yellow), min_size=1, max_size=6, unique=True))
    others = 37 - len(yellow) - len(twice) - len(green) - len(blue)
    more_green = draw(st.integers(min_value=6, max_value=others))
    return Counter(
        [
            *BUILDING_CHARACTERS,
            *twice,
            *draw(_some(green, more_green)),
            *draw(_some(blue, others - more_green)),
        ]
    )


def _some(characters: Sequence[Character], count: int) -> st.SearchStrategy[list[Character]]:
    """Draw so many characters, alike or different."""
    return st.lists(st.sampled_from(characters), min_size=count, max_size=count)


def _letters() -> st.SearchStrategy[dict[Character, str]]:
    """Draw a letter for each character: A for the Banker, any other for the others."""
    return st.permutations(ascii_uppercase[1:]).map(
        lambda letters: dict(zip(BUILDING_CHARACTERS, ["A", *letters], strict=False))
    )


def _four_characters() -> st.SearchStrategy[list[Character]]:
    """Draw the characters that have to show gold, wood, stone and brick, so that all occur."""
    return st.lists(st.sampled_from(BUILDING_CHARACTERS), min_size=4, max_size=4, unique=True)


def _faces(dearest: int, points: int) -> st.SearchStrategy[Face]:
    """Draw a face: its cost has any number of each good."""
    number = st.integers(min_value=0, max_value=dearest)
    return st.tuples(
        st.tuples(number, number, number, number),
        st.sampled_from(GOODS),
        st.integers(min_value=0, max_value=points),
    ).map(lambda face: Face(Goods(*face[0]), *face[1:]))


@st.composite
def _barrels(draw: st.DrawFn) -> Goods:
    """Draw the mix of 25 barrels."""
    wood = draw(st.integers(min_value=0, max_value=25))
    stone = draw(st.integers(min_value=0, max_value=25 - wood))
    brick = draw(st.integers(min_value=0, max_value=25 - wood - stone))
    return Goods(25 - wood - stone - brick, wood, stone, brick)
