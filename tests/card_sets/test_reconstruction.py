"""Tests that the built-in cards agree with the rulebook and with their design criteria."""

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
"""All building cards, including the copies of each design."""

BY_COLOUR = {
    colour: [card for card in CARDS if card.colour is colour]
    for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
}
COPIES = Counter(card.character for card in CARDS)


@pytest.mark.rule("CMP-6", "CMP-7", "CMP-8", "CMP-9", "CMP-11", "CMP-18", "CMP-23", "SET-8")
def test_the_built_in_card_set_neither_contradicts_the_rulebook_nor_has_doubtful_values() -> None:
    """The test also counts 73 character cards, including starting decks and Builders."""
    assert validate(RECONSTRUCTION) == doubts(RECONSTRUCTION) == ()
    assert 4 * 8 + 4 + COPIES.total() == 73
    assert Counter(each.colour for each in COPIES) == {
        Colour.GREEN: 4,
        Colour.BLUE: 12,
        Colour.YELLOW: 7,
    }


def test_the_built_in_cards_allow_the_scoring_example_of_the_rulebook() -> None:
    """Its seven buildings score 2, 3, 4, 4, 3, 1 and 8 points. The last one is upgraded."""
    fronts = Counter(card.points for card in CARDS)
    assert fronts >= Counter([2, 3, 4, 4, 3, 1, 8 // 2])


# If no printed value is known, the invented value is fair and plausible.
# A transcription of the printed cards need not pass these tests.


def test_the_built_in_card_set_has_12_green_15_blue_and_10_yellow_cards() -> None:
    """The rulebook also allows other numbers. The authors of the package chose these."""
    assert [len(cards) for cards in BY_COLOUR.values()] == [12, 15, 10]


def test_each_character_is_on_the_chosen_number_of_building_cards() -> None:
    """Green characters are on three cards, and three blue and three yellow ones on two.

    Each of the other characters is on one card.
    """
    twice = {Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER}
    for character, copies in COPIES.items():
        if character.colour is Colour.GREEN:
            assert copies == 3
        elif character.colour is Colour.BLUE:
            assert copies == (2 if character in twice else 1)
    yellow = [COPIES[each] for each in COPIES if each.colour is Colour.YELLOW]
    assert sorted(yellow) == [1, 1, 1, 1, 2, 2, 2]


def test_the_costs_of_buildings_are_within_the_chosen_ranges() -> None:
    """A cost includes 1 to 4 gold and at least one material.

    The cheapest building costs 3 or 4 goods, and the most expensive one 8 or 9.
    A player's first goods, one of each kind, cannot pay for a blue or yellow building.
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
def test_the_costs_of_three_related_characters_are_permutations_of_one_pattern(
    trio: tuple[Character, ...],
) -> None:
    """Each of the three characters uses a different material: wood, stone or brick."""
    costs = [card.cost for card in CARDS if card.character in trio]
    assert len(set(costs)) == 3
    assert len({tuple(sorted(cost)) for cost in costs}) == 1


def test_wood_stone_and_brick_occur_equally_often_in_costs_and_in_icons() -> None:
    """All 37 building cards are counted."""
    assert len({sum(card.cost[good] for card in CARDS) for good in MATERIALS}) == 1
    assert len({sum(card.icon is good for card in CARDS) for good in MATERIALS}) == 1


def test_a_green_building_shows_the_good_that_its_character_collects() -> None:
    """Banker, Woodworker, Carver and Mason collect gold, wood, stone and brick."""
    green = (Character.BANKER, Character.WOODWORKER, Character.CARVER, Character.MASON)
    assert {(card.character, card.icon) for card in BY_COLOUR[Colour.GREEN]} == set(
        zip(green, GOODS, strict=True)
    )


def test_green_buildings_have_fewer_points_on_average_than_blue_and_yellow_ones() -> None:
    """The average of blue buildings is not above that of yellow ones.

    All cards have 1 to 4 points.
    """
    assert {card.points for card in CARDS} == {1, 2, 3, 4}
    green, blue, yellow = (fmean(card.points for card in cards) for cards in BY_COLOUR.values())
    assert green < blue <= yellow


def test_the_built_in_card_set_has_seven_gold_barrels_and_six_of_each_material() -> None:
    """The rulebook requires 25 barrels in total."""
    assert RECONSTRUCTION.barrels == Goods(7, 6, 6, 6)


# Known and invented values


def test_only_characters_and_the_letter_of_the_banker_are_marked_as_from_the_rulebook() -> None:
    """All other values of the built-in cards are marked as reconstructed."""
    for building, sources in zip(
        RECONSTRUCTION.buildings, RECONSTRUCTION_SHEET.sources, strict=True
    ):
        rulebook = {"character", "letter"} if building.letter == "A" else {"character"}
        provenances = attrs.asdict(sources)
        assert {key for key in provenances if provenances[key] is Provenance.RULEBOOK} == rulebook
        assert set(provenances.values()) == {Provenance.RULEBOOK, Provenance.RECONSTRUCTED}
    assert RECONSTRUCTION_SHEET.barrels is Provenance.RECONSTRUCTED


def test_the_built_in_card_set_file_begins_with_a_note_that_it_is_not_a_transcription() -> None:
    """The note explains how to transcribe the printed cards."""
    head = " ".join(SOUND.split("format =")[0].replace("#", " ").split())
    assert "This is NOT a transcription of the printed cards." in head
    assert "cards --template" in head


def test_the_name_of_the_built_in_card_set_calls_it_a_reconstruction() -> None:
    """Users must not mistake the set for that of the printed game."""
    assert str(RECONSTRUCTION) == tomllib.loads(SOUND)["name"] == "Reconstruction 3"
