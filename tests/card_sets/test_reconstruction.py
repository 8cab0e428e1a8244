"""The built-in card set keeps to the facts of the rulebook and to the criteria it was made for."""

import tomllib
from collections import Counter
from statistics import fmean

import attrs
import pytest

from tests.card_sets.texts import SOUND
from valletta_rules.card_sets.files import (
    RECONSTRUCTION,
    RECONSTRUCTION_SHEET,
    Provenance,
)
from valletta_rules.card_sets.validation import doubts, validate
from valletta_rules.components import GOODS, MATERIALS, ONE_OF_EACH, Character, Colour, Goods

CARDS = [design for design in RECONSTRUCTION.buildings for _ in range(design.copies)]
"""The building cards one by one: a design stands in it once for each of its copies."""

BY_COLOUR = {
    colour: [card for card in CARDS if card.colour is colour]
    for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
}
COPIES = Counter(card.character for card in CARDS)


@pytest.mark.rule("CMP-6", "CMP-7", "CMP-8", "CMP-9", "CMP-11", "CMP-18", "CMP-23", "SET-8")
def test_the_rulebook_is_kept_to() -> None:
    """Nothing contradicts it, or is doubtful; with decks and Builders there are 73 characters."""
    assert validate(RECONSTRUCTION) == doubts(RECONSTRUCTION) == ()
    assert 4 * 8 + 4 + COPIES.total() == 73
    assert Counter(each.colour for each in COPIES) == {
        Colour.GREEN: 4,
        Colour.BLUE: 12,
        Colour.YELLOW: 7,
    }


def test_scoring_example() -> None:
    """Seven buildings can count 2, 3, 4, 4, 3, 1 and 8, the 8 being an upgraded 4."""
    fronts = Counter(card.points for card in CARDS)
    assert fronts >= Counter([2, 3, 4, 4, 3, 1, 8 // 2])


# Where no printed value is known, the invented ones are at least fair and plausible.
# A faithful transcription of the printed cards need not satisfy all of this.


def test_numbers_of_cards_by_colour() -> None:
    """There are 12 green, 15 blue and 10 yellow cards."""
    assert [len(cards) for cards in BY_COLOUR.values()] == [12, 15, 10]


def test_copies_of_characters() -> None:
    """Green characters occur three times, discount builders and three yellow ones twice."""
    twice = {Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER}
    for character, copies in COPIES.items():
        if character.colour is Colour.GREEN:
            assert copies == 3
        elif character.colour is Colour.BLUE:
            assert copies == (2 if character in twice else 1)
    yellow = [COPIES[each] for each in COPIES if each.colour is Colour.YELLOW]
    assert sorted(yellow) == [1, 1, 1, 1, 2, 2, 2]


def test_costs_are_plausible() -> None:
    """Costs contain from 1 to 4 gold and a material, some of them three or more of one.

    The cheapest building costs 3 or 4 goods, the dearest 8 or 9.  What everybody starts with,
    one good of each, pays for no blue or yellow building.
    """
    assert {card.cost.gold for card in CARDS} == {1, 2, 3, 4}
    materials = [[card.cost[good] for good in MATERIALS] for card in CARDS]
    assert all(sum(each) >= 1 for each in materials)
    assert max(map(max, materials)) >= 3
    totals = [card.cost.total for card in CARDS]
    assert min(totals) in {3, 4}
    assert max(totals) in {8, 9}
    strong = (*BY_COLOUR[Colour.BLUE], *BY_COLOUR[Colour.YELLOW])
    assert not any(ONE_OF_EACH.covers(card.cost) for card in strong)


@pytest.mark.parametrize(
    "trio",
    [
        (Character.WOODWORKER, Character.CARVER, Character.MASON),
        (Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER),
    ],
)
def test_the_costs_of_a_trio_are_one_pattern(trio: tuple[Character, ...]) -> None:
    """The costs of the three who deal in wood, stone and brick are one pattern rearranged."""
    costs = [card.cost for card in CARDS if card.character in trio]
    assert len(set(costs)) == 3
    assert len({tuple(sorted(cost)) for cost in costs}) == 1


def test_materials_are_treated_alike() -> None:
    """Wood, stone and brick are equally frequent in all costs and as icons."""
    assert len({sum(card.cost[good] for card in CARDS) for good in MATERIALS}) == 1
    assert len({sum(card.icon is good for card in CARDS) for good in MATERIALS}) == 1


def test_green_buildings_show_what_their_characters_collect() -> None:
    """Banker, Woodworker, Carver and Mason show gold, wood, stone and brick."""
    green = (Character.BANKER, Character.WOODWORKER, Character.CARVER, Character.MASON)
    assert {(card.character, card.icon) for card in BY_COLOUR[Colour.GREEN]} == set(
        zip(green, GOODS, strict=True)
    )


def test_points_are_plausible() -> None:
    """Fronts show 1 to 4 points; green ones fewer than blue ones, and those than yellow."""
    assert {card.points for card in CARDS} == {1, 2, 3, 4}
    green, blue, yellow = (fmean(card.points for card in cards) for cards in BY_COLOUR.values())
    assert green < blue <= yellow


def test_mix_of_barrels() -> None:
    """The barrels are 7 gold, 6 wood, 6 stone and 6 brick."""
    assert RECONSTRUCTION.barrels == Goods(7, 6, 6, 6)


# The built-in card set says what is known and what is invented


def test_provenance_of_the_reconstruction() -> None:
    """Only the characters and the Banker's letter are the rulebook's; the rest is invented."""
    for building, sources in zip(
        RECONSTRUCTION.buildings, RECONSTRUCTION_SHEET.sources, strict=True
    ):
        rulebook = {"character", "letter"} if building.letter == "A" else {"character"}
        found = attrs.asdict(sources)
        assert {key for key in found if found[key] is Provenance.RULEBOOK} == rulebook
        assert set(found.values()) == {Provenance.RULEBOOK, Provenance.RECONSTRUCTED}
    assert RECONSTRUCTION_SHEET.barrels is Provenance.RECONSTRUCTED


def test_file_opens_honestly() -> None:
    """The file says at its head that it is no transcription, and how to make one."""
    head = " ".join(SOUND.split("format =")[0].replace("#", " ").split())
    assert "This is NOT a transcription of the printed cards." in head
    assert "cards --template" in head


def test_the_name_says_that_it_is_a_reconstruction() -> None:
    """The card set's name, which records carry, says that it is a reconstruction."""
    assert str(RECONSTRUCTION) == tomllib.loads(SOUND)["name"] == "Reconstruction 3"
