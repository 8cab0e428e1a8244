"""Tests of the chapter *Components*: goods, characters, the street and the display."""

import pytest

from valletta_rules import CHARACTERS, Good, SiteSet
from valletta_rules.components import MATERIALS, ODD_SPACES, SPACES, TOWER, area_of, display


@pytest.mark.rule("CMP-1", "CMP-4", "CMP-20")
def test_the_game_has_four_goods_three_materials_and_31_characters() -> None:
    """Gold is a good, but not a material."""
    assert [good.value for good in Good] == ["gold", "wood", "stone", "brick"]
    assert MATERIALS == (Good.WOOD, Good.STONE, Good.BRICK)
    assert len({character.english for character in CHARACTERS}) == 31


@pytest.mark.rule("CMP-13", "CMP-14")
def test_the_street_has_a_tower_and_five_areas_of_five_spaces() -> None:
    """The tower is before space 1 and belongs to no area."""
    assert [TOWER, *SPACES] == list(range(26))
    assert len(ODD_SPACES) == 13
    assert [area_of(space) for space in SPACES] == [area for area in range(5) for _ in range(5)]
    assert area_of(TOWER) is None


@pytest.mark.rule("CMP-15", "CMP-16", "CMP-17")
@pytest.mark.parametrize(("players", "rows"), [(2, 4), (3, 5), (4, 6)])
def test_sites_are_neighbours_only_on_the_same_side_of_the_street(players: int, rows: int) -> None:
    """Sites form rows of five, which alternate between the two sides of the street."""
    sites = range(display.SITES[players])
    assert [display.row_of(site) for site in sites] == [
        row for row in range(rows) for _ in range(5)
    ]
    assert [display.column_of(site) for site in sites] == list(range(5)) * rows
    assert [display.is_above(site) for site in sites] == [site // 5 % 2 == 0 for site in sites]
    neighbours = {(row, row + 2) for row in range(rows - 2)}
    assert neighbours == {
        (row, other)
        for row in range(rows)
        for other in range(row + 1, rows)
        if display.are_adjacent(5 * row, 5 * other)
    }
    for site in sites:
        adjacent = [other for other in sites if display.are_adjacent(site, other)]
        assert list(display.neighbours_of(site, len(sites))) == adjacent
    assert display.neighbours_of(0) == SiteSet.of(1, 10)
