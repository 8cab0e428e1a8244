"""The built-in card set keeps to the facts of the rulebook and to the criteria it was made for."""

from __future__ import annotations

import tomllib
from collections import Counter
from statistics import fmean

import attrs
import pytest

from tests.card_sets.texts import SOUND
from valletta_rules.card_sets.built_in import RECONSTRUCTION_1
from valletta_rules.card_sets.criteria import Finding, cards_of, examine
from valletta_rules.card_sets.files import (
    RECONSTRUCTION,
    RECONSTRUCTION_SHEET,
    Provenance,
    validate,
)
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS
from valletta_rules.components.goods import GOODS, MATERIALS, Good, Goods

CARDS = cards_of(RECONSTRUCTION)
BY_COLOUR = {
    colour: [card for card in CARDS if card.colour is colour]
    for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
}
COPIES = Counter(card.character for card in CARDS)


class TestFacts:
    """What the rulebook says of the cards is so."""

    def test_validates(self) -> None:
        """Nothing in the built-in card set contradicts the rulebook."""
        assert validate(RECONSTRUCTION) == ()

    @pytest.mark.rule("CMP-8")
    def test_thirty_seven_buildings(self) -> None:
        """There are 37 building cards, all of them green, blue or yellow."""
        assert len(CARDS) == 37
        assert sum(map(len, BY_COLOUR.values())) == 37

    @pytest.mark.rule("SET-8")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_enough_for_every_number_of_players(self, players: int) -> None:
        """There are enough cards of each colour for every number of players."""
        for colour, needed in QUOTAS[players].items():
            assert len(BY_COLOUR[colour]) >= needed

    @pytest.mark.rule("CMP-7")
    def test_seventy_three_characters(self) -> None:
        """With four starting decks and four Builders, the characters are 73."""
        assert 4 * 8 + 4 + COPIES.total() == 73

    @pytest.mark.rule("CMP-6")
    def test_every_character(self) -> None:
        """Four green, twelve blue and seven yellow characters come with the buildings."""
        assert set(COPIES) == set(BUILDING_CHARACTERS)
        assert Counter(each.colour for each in COPIES) == {
            Colour.GREEN: 4,
            Colour.BLUE: 12,
            Colour.YELLOW: 7,
        }

    @pytest.mark.rule("CMP-9")
    def test_letter_and_character(self) -> None:
        """A letter belongs to one character, a character to one letter, A to the Banker."""
        pairs = {(card.letter, card.character) for card in CARDS}
        assert len(pairs) == len(dict(pairs)) == len(BUILDING_CHARACTERS)
        assert dict(pairs)["A"] is Character.BANKER

    @pytest.mark.rule("CMP-10")
    def test_yellow_at_most_twice(self) -> None:
        """Some of the yellow characters, not all of them, occur twice, and none more often."""
        copies = Counter(COPIES[each] for each in COPIES if each.colour is Colour.YELLOW)
        assert set(copies) == {1, 2}

    @pytest.mark.rule("CMP-11")
    def test_face(self) -> None:
        """Every cost contains gold, every good occurs as an icon, no points are negative."""
        assert all(card.cost.gold >= 1 for card in CARDS)
        assert {card.icon for card in CARDS} == set(GOODS)
        assert all(card.points >= 0 for card in CARDS)

    def test_scoring_example(self) -> None:
        """Seven buildings can count 2, 3, 4, 4, 3, 1 and 8, the 8 being an upgraded 4."""
        fronts = Counter(card.points for card in CARDS)
        assert fronts >= Counter([2, 3, 4, 4, 3, 1, 8 // 2])

    @pytest.mark.rule("CMP-18")
    def test_barrels(self) -> None:
        """There are 25 barrels, of all four kinds."""
        assert RECONSTRUCTION.barrels.total == 25
        assert RECONSTRUCTION.barrels.kinds() == GOODS


class TestCriteria:
    """What a reconstruction should satisfy besides is satisfied by the built-in card set."""

    def test_all_hold(self) -> None:
        """The command finds that every criterion holds."""
        assert [each for each in examine(RECONSTRUCTION) if not each.holds] == []

    def test_colours(self) -> None:
        """There are 12 green, 15 blue and 10 yellow cards."""
        assert [len(cards) for cards in BY_COLOUR.values()] == [12, 15, 10]

    def test_copies(self) -> None:
        """Green characters occur three times, discount builders and three yellow ones twice."""
        twice = {Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER}
        for character, copies in COPIES.items():
            if character.colour is Colour.GREEN:
                assert copies == 3
            elif character.colour is Colour.BLUE:
                assert copies == (2 if character in twice else 1)
        yellow = [COPIES[each] for each in COPIES if each.colour is Colour.YELLOW]
        assert sorted(yellow) == [1, 1, 1, 1, 2, 2, 2]

    def test_no_upgrade_is_free(self) -> None:
        """Every cost contains a material, and some cost three or more of one."""
        materials = [[card.cost[good] for good in MATERIALS] for card in CARDS]
        assert all(sum(each) >= 1 for each in materials)
        assert max(map(max, materials)) >= 3

    def test_gold(self) -> None:
        """Costs contain from 1 to 4 gold."""
        assert {card.cost.gold for card in CARDS} == {1, 2, 3, 4}

    @pytest.mark.parametrize(
        "trio",
        [
            (Character.WOODWORKER, Character.CARVER, Character.MASON),
            (Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER),
        ],
    )
    def test_one_pattern(self, trio: tuple[Character, ...]) -> None:
        """The costs of the three who deal in wood, stone and brick are one pattern rearranged."""
        costs = [card.cost for card in CARDS if card.character in trio]
        assert len(set(costs)) == 3
        assert len({tuple(sorted(cost)) for cost in costs}) == 1

    def test_materials_are_treated_alike(self) -> None:
        """Wood, stone and brick are equally frequent in all costs and as icons."""
        assert len({sum(card.cost[good] for card in CARDS) for good in MATERIALS}) == 1
        assert len({sum(card.icon is good for card in CARDS) for good in MATERIALS}) == 1

    def test_green_buildings_show_what_their_characters_collect(self) -> None:
        """Banker, Woodworker, Carver and Mason show gold, wood, stone and brick."""
        green = (Character.BANKER, Character.WOODWORKER, Character.CARVER, Character.MASON)
        assert {(card.character, card.icon) for card in BY_COLOUR[Colour.GREEN]} == set(
            zip(green, GOODS, strict=True)
        )

    def test_points(self) -> None:
        """Fronts show 1 to 4 points; green ones fewer than blue ones, and those than yellow."""
        assert {card.points for card in CARDS} == {1, 2, 3, 4}
        green, blue, yellow = (fmean(card.points for card in cards) for cards in BY_COLOUR.values())
        assert green < blue <= yellow

    def test_span_of_prices(self) -> None:
        """The cheapest building costs 3 or 4 goods, the dearest 8 or 9."""
        totals = [card.cost.total for card in CARDS]
        assert min(totals) in {3, 4}
        assert max(totals) in {8, 9}

    def test_out_of_reach_at_first(self) -> None:
        """What everybody starts with, one good of each, pays for no blue or yellow building."""
        strong = (*BY_COLOUR[Colour.BLUE], *BY_COLOUR[Colour.YELLOW])
        assert not any(Goods(1, 1, 1, 1).covers(card.cost) for card in strong)

    def test_mix_of_barrels(self) -> None:
        """The barrels are 7 gold, 6 wood, 6 stone and 6 brick."""
        assert RECONSTRUCTION.barrels == Goods(7, 6, 6, 6)


def changed(character: Character, /, **values: object) -> CardSet:
    """Return the built-in card set with one design changed."""
    return attrs.evolve(
        RECONSTRUCTION,
        buildings=tuple(
            _evolved(each, values) if each.character is character else each
            for each in RECONSTRUCTION.buildings
        ),
    )


def _evolved(building: Building, values: dict[str, object]) -> Building:
    return attrs.evolve(building, **values)  # type: ignore[arg-type]


def failing(card_set: CardSet) -> list[Finding]:
    """Return the criteria that a card set does not satisfy."""
    return [each for each in examine(card_set) if not each.holds]


class TestExamination:
    """A criterion that is not satisfied is found out, and says what was found."""

    @pytest.mark.parametrize(
        ("card_set", "criterion", "found"),
        [
            (changed(Character.PIUS, copies=3), "10 yellow cards", "11 yellow"),
            (changed(Character.CARVER, copies=2), "each green character", "Carver 2"),
            (changed(Character.NUN, copies=2), "other blue characters once", "Nun 2"),
            (changed(Character.PIUS, copies=1), "three yellow characters twice", "5 once"),
            (changed(Character.NUN, cost=Goods(2)), "no upgrade is free", "at least 0"),
            (changed(Character.NUN, cost=Goods(5, 1)), "1 to 4 gold", "1 to 5"),
            (
                changed(Character.MASON, cost=Goods(1, 1, 1, 1)),
                "Woodworker, Carver, Mason",
                "1 gold with 0 + 1 + 2 and 1 gold with 1 + 1 + 1",
            ),
            (
                changed(Character.CARPENTER, cost=Goods(1, 0, 2, 1)),
                "Carpenter, Stonemason, Bricklayer",
                "1 gold with 0 + 1 + 2 and 2 gold with 0 + 1 + 2",
            ),
            (changed(Character.NUN, cost=Goods(2, 2, 2, 1)), "in all costs", "46 / 45 / 45"),
            (changed(Character.NUN, icon=Good.STONE), "wood icons", "8 / 10 / 9"),
            (changed(Character.MASON, icon=Good.GOLD), "its character collects", "Mason gold"),
            (changed(Character.NUN, points=0), "1 to 4 points", "0 to 4"),
            (changed(Character.BANKER, points=9), "mean points", "3.00, 2.20"),
            (changed(Character.NUN, cost=Goods(1, 1)), "cheapest", "2"),
            (changed(Character.NUN, cost=Goods(3, 3, 3, 3)), "dearest", "12"),
            (RECONSTRUCTION_1, "as everybody starts with", "Seamstress"),
            (changed(Character.NUN, cost=Goods(1, 1, 0, 1)), "as everybody starts with", "Nun"),
            (attrs.evolve(RECONSTRUCTION, barrels=Goods(6, 7, 6, 6)), "barrels", "6 gold, 7 wood"),
        ],
    )
    def test_found_out(self, card_set: CardSet, criterion: str, found: str) -> None:
        """A card set that fails a criterion is said to fail it, with what was found."""
        matching = [each for each in failing(card_set) if criterion in each.criterion]
        assert len(matching) == 1
        assert found in matching[0].found

    def test_no_dear_material(self) -> None:
        """A set in which no cost has three of a material fails the criterion that some has."""
        flat = tuple(
            attrs.evolve(each, cost=Goods(1, 2, 2, 2)) for each in RECONSTRUCTION.buildings
        )
        found = failing(attrs.evolve(RECONSTRUCTION, buildings=flat))
        assert "up to 2" in [each.found for each in found]

    def test_no_scoring_example(self) -> None:
        """A set without a front of one point cannot show the example of final scoring."""
        dear = tuple(attrs.evolve(each, points=4) for each in RECONSTRUCTION.buildings)
        found = failing(attrs.evolve(RECONSTRUCTION, buildings=dear))
        assert "0 cards of 1, 0 cards of 2, 0 cards of 3, 37 cards of 4" in [
            each.found for each in found
        ]


class TestHonesty:
    """The built-in card set says what is known and what is invented."""

    def test_provenance(self) -> None:
        """Only the characters and the Banker's letter are the rulebook's; the rest is invented."""
        for building, sources in zip(
            RECONSTRUCTION.buildings, RECONSTRUCTION_SHEET.sources, strict=True
        ):
            rulebook = {"character", "letter"} if building.letter == "A" else {"character"}
            found = attrs.asdict(sources)
            assert {key for key in found if found[key] is Provenance.RULEBOOK} == rulebook
            assert set(found.values()) == {Provenance.RULEBOOK, Provenance.RECONSTRUCTED}
        assert RECONSTRUCTION_SHEET.barrels is Provenance.RECONSTRUCTED

    def test_tally(self) -> None:
        """Of six values for each of 23 designs and the barrel mix, 24 are the rulebook's."""
        assert RECONSTRUCTION_SHEET.tally() == {
            Provenance.RULEBOOK: 24,
            Provenance.RECONSTRUCTED: 115,
        }

    def test_file_opens_honestly(self) -> None:
        """The file says at its head that it is no transcription, and how to make one."""
        head = " ".join(SOUND.split("format =")[0].replace("#", " ").split())
        assert "This is NOT a transcription of the printed cards." in head
        assert "cards --template" in head

    def test_name_says_so(self) -> None:
        """The card set's name, which records carry, says that it is a reconstruction."""
        assert str(RECONSTRUCTION) == tomllib.loads(SOUND)["name"] == "Reconstruction 2"
