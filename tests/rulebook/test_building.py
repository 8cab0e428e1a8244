"""The chapter *Building and upgrading*: what holds for every site, beside its worked examples."""

from __future__ import annotations

import pytest

from tests.positions import a_building, play, position, prompt_of, seat
from valletta_rules import Build, Character, Goods, Pay, Upgrade
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.components.street import AREA_LENGTH, SPACES


def adjacent_sites(site: int) -> set[int]:
    """Return the sites adjacent to one in the display of four players, found by drawing it.

    Above the street lie, from the outside in, the rows of sites 20, 10 and 0; below it those of
    5, 15 and 25.
    """
    found = set[int]()
    for side in ([20, 10, 0], [5, 15, 25]):
        grid = {(y, x): row + x for y, row in enumerate(side) for x in range(5)}
        for (y, x), here in grid.items():
            if here == site:
                around = [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
                found |= {grid[place] for place in around if place in grid}
    return found


@pytest.mark.rule("BLD-7", "BLD-8", "BLD-9", "BLD-10")
@pytest.mark.parametrize("site", range(30))
def test_what_is_adjacent_to_a_site(site: int) -> None:
    """A single house of Red's anywhere else saves a gold just where the cards touch."""
    for own in set(range(30)) - {site}:
        state = position(
            seat(hand=[Character.BUILDER], goods=Goods(9, 9, 9, 9), built=[own]),
            *[seat()] * 3,
            display={site: a_building(cost=Goods(gold=3))},
        )
        price = Goods(gold=2) if own in adjacent_sites(site) else Goods(gold=3)
        asked = play(state, Character.BUILDER, Build(site))
        assert prompt_of(asked) == PaymentPrompt(0, site, price)


@pytest.mark.rule("BLD-32", "BLD-33", "CMP-14", "CMP-16")
@pytest.mark.parametrize("choice", [Build, Upgrade])
@pytest.mark.parametrize("column", range(5))
def test_valette_rewards_what_rises_in_his_area(column: int, choice: type[Build | Upgrade]) -> None:
    """Red scores two points when Valette stands on one of the five spaces of the column."""
    for space in SPACES:
        state = position(
            seat(hand=[Character.BUILDER], built=[column] if choice is Upgrade else []),
            seat(),
            display={column: a_building(cost=Goods())},
            valette=space,
        )
        after = play(state, Character.BUILDER, choice(column), Pay(Goods()))
        seen = column * AREA_LENGTH < space <= (column + 1) * AREA_LENGTH
        assert [player.score for player in after.players] == [2 if seen else 0, 0]
