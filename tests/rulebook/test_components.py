"""The chapter *Components*: goods, characters, street, display and houses, as constants.

What they mean in play is shown by the worked examples of the clauses; the built-in card set is
looked at in `tests/card_sets`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.positions import EDITIONS
from valletta_rules import (
    RECONSTRUCTION,
    Character,
    Colour,
    Good,
    Goods,
    RuleSet,
    SiteSet,
    new_game,
)
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS
from valletta_rules.components.display import (
    SITES,
    are_adjacent,
    column_of,
    is_above,
    neighbours_of,
    row_of,
)
from valletta_rules.components.goods import MATERIALS
from valletta_rules.components.street import ODD_SPACES, SPACES, TOWER, area_of


@pytest.mark.rule("CMP-1", "CMP-20")
def test_goods() -> None:
    """A good is gold, wood, stone or brick, the last three are materials; kinds are told apart."""
    assert [good.value for good in Good] == ["gold", "wood", "stone", "brick"]
    assert set(MATERIALS) == set(Good) - {Good.GOLD}
    assert [Goods.of(Good.WOOD, 3)[good] for good in Good] == [0, 3, 0, 0]
    assert Goods.of(Good.WOOD, 3) != Goods(wood=1, brick=2)
    assert Goods(wood=1, brick=2).total == 3


@pytest.mark.rule("CMP-32")
def test_opponents_are_all_others() -> None:
    """Everybody else at the table, clockwise."""
    assert new_game(4).opponents_of(1) == (2, 3, 0)


@pytest.mark.rule("CMP-4", "CMP-5", "CMP-6")
def test_characters() -> None:
    """The 31 kinds have five colours and names of their own; the starting ones are red or purple.

    Valette alone is purple.
    """
    colours = Counter(character.colour for character in CHARACTERS)
    green, blue, yellow = colours[Colour.GREEN], colours[Colour.BLUE], colours[Colour.YELLOW]
    assert (green, blue, yellow, colours.total()) == (4, 12, 7, 31)
    assert len({character.english for character in CHARACTERS}) == 31
    assert len({character.german for character in CHARACTERS}) == 31
    assert Character.VALETTE.colour is Colour.PURPLE
    red = {character for character in CHARACTERS if character.colour is Colour.RED}
    assert red == {*STARTING_CHARACTERS} - {Character.VALETTE}


@pytest.mark.rule("CMP-5")
def test_the_colour_of_the_apprentice() -> None:
    """The Apprentice is red in every edition, may be purple, and has no third colour."""
    assert {rules.apprentice_colour for rules in EDITIONS} == {Colour.RED}
    for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW):
        with pytest.raises(ValueError, match="apprentice_colour"):
            RuleSet("nonsense", apprentice_colour=colour)


@pytest.mark.rule("CMP-9", "CMP-11")
def test_buildings() -> None:
    """A building has its character's colour, a cost, one income icon and points."""
    for building in RECONSTRUCTION.buildings:
        assert building.colour is building.character.colour
        assert building.cost.total > 0
        assert building.icon in Good
        assert building.points > 0


@pytest.mark.rule("CMP-13", "CMP-14")
def test_street() -> None:
    """The tower comes first, in no area, and then the spaces 1 to 25, five of them an area."""
    assert [TOWER, *SPACES] == list(range(26))
    assert len(ODD_SPACES) == 13
    assert [area_of(space) for space in SPACES] == [area for area in range(5) for _ in range(5)]
    assert area_of(TOWER) is None


@pytest.mark.rule("CMP-15", "CMP-16", "CMP-17")
@pytest.mark.parametrize(("players", "rows"), [(2, 4), (3, 5), (4, 6)])
def test_display(players: int, rows: int) -> None:
    """Rows of five lie alternately above and below the street; each side is a chain of its own."""
    sites = range(SITES[players])
    assert [row_of(site) for site in sites] == [row for row in range(rows) for _ in range(5)]
    assert [column_of(site) for site in sites] == list(range(5)) * rows
    assert [is_above(site) for site in sites] == [site // 5 % 2 == 0 for site in sites]
    neighbours = {(row, row + 2) for row in range(rows - 2)}
    assert neighbours == {
        (row, other)
        for row in range(rows)
        for other in range(row + 1, rows)
        if are_adjacent(5 * row, 5 * other)
    }
    for site in sites:
        adjacent = [other for other in sites if are_adjacent(site, other)]
        assert list(neighbours_of(site, len(sites))) == adjacent
    assert neighbours_of(0) == SiteSet.of(1, 10)


@pytest.mark.rule("CMP-18", "CMP-19")
def test_barrels_and_houses() -> None:
    """A new game has all 25 barrels face down, and eight unused houses for each player."""
    state = new_game(4)
    assert state.barrels == RECONSTRUCTION.barrels
    assert (state.barrels.total, HOUSES_PER_PLAYER) == (25, 8)
    assert not any(player.built for player in state.players)
