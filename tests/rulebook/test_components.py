"""The chapter *Components*: goods, characters, buildings, street, display, barrels and houses."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.positions import a_building, editions, play, position, prompt_of, refusal, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Build,
    Building,
    Character,
    Code,
    Colour,
    Decline,
    Good,
    Goods,
    Pay,
    Phase,
    PlayCard,
    RevealBarrel,
    RuleSet,
    SiteSet,
    TakeGood,
    Upgrade,
    legal_actions,
    new_game,
    outcome,
)
from valletta_rules.agenda import BarrelPrompt, PaymentPrompt, ValettePrompt
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.characters import (
    BUILDING_CHARACTERS,
    CHARACTERS,
    STARTING_CHARACTERS,
)
from valletta_rules.components.display import (
    QUOTAS,
    SITES,
    are_adjacent,
    column_of,
    is_above,
    neighbours_of,
    row_of,
)
from valletta_rules.components.goods import MATERIALS
from valletta_rules.components.street import ODD_SPACES, SPACES, TOWER, area_of

C = Character

FREE = Goods()
"""The price of a building that costs nothing."""

BUILDING_COLOURS = (Colour.GREEN, Colour.BLUE, Colour.YELLOW)


@pytest.mark.rule("CMP-1")
def test_there_are_four_kinds_of_goods() -> None:
    """A good is gold, wood, stone or brick, and nothing else."""
    assert [good.value for good in Good] == ["gold", "wood", "stone", "brick"]


@pytest.mark.rule("CMP-1")
def test_goods_are_counted_kind_by_kind() -> None:
    """Three wood are something else than one wood and two bricks."""
    goods = Goods.of(Good.WOOD, 3)
    assert [goods[good] for good in Good] == [0, 3, 0, 0]
    assert goods != Goods(wood=1, brick=2)
    assert goods.total == Goods(wood=1, brick=2).total == 3


@pytest.mark.rule("CMP-20")
def test_materials_are_the_goods_but_gold() -> None:
    """Wood, stone and brick are materials."""
    assert set(MATERIALS) == set(Good) - {Good.GOLD}


@pytest.mark.rule("CMP-32")
def test_opponents_are_all_others() -> None:
    """Everybody else at the table, clockwise, whether or not he has a card left."""
    state = position(seat(), seat(hand=[C.MAID]), seat(), seat(), active=1, phase=Phase.FINAL)
    assert state.opponents_of(1) == (2, 3, 0)


@pytest.mark.rule("CMP-2")
@pytest.mark.parametrize(
    ("character", "good", "pieces"),
    [
        (C.SHOPKEEPER, Good.GOLD, 42),
        (C.LUMBERJACK, Good.WOOD, 30),
        (C.STONE_SCULPTOR, Good.STONE, 30),
        (C.BRICK_WORKER, Good.BRICK, 30),
    ],
)
def test_a_good_is_received_even_when_every_piece_is_in_use(
    character: Character, good: Good, pieces: int
) -> None:
    """All pieces of a good lie before the players, and Red still takes one more."""
    state = position(
        seat(hand=[character, C.MAID], goods=Goods.of(good, pieces - 1)),
        seat(goods=Goods.of(good, 1)),
    )
    after = play(state, character)
    assert after.players[0].goods == Goods.of(good, pieces)
    assert after.players[1].goods == Goods.of(good, 1)


@pytest.mark.rule("CMP-2")
def test_a_large_income_is_received_in_full() -> None:
    """The Nun gives three bricks to Red and one to each other, though all pieces are in use."""
    state = position(
        seat(hand=[C.NUN, C.MAID], goods=Goods(brick=30)), seat(goods=Goods(brick=30)), seat()
    )
    after = play(state, C.NUN, TakeGood(Good.BRICK))
    assert [player.goods.brick for player in after.players] == [33, 31, 1]


@pytest.mark.rule("CMP-4")
def test_there_are_thirty_one_kinds_of_character() -> None:
    """Every kind of character has a single colour out of five."""
    assert len(set(CHARACTERS)) == len(CHARACTERS) == 31
    assert {character.colour for character in CHARACTERS} == set(Colour)
    assert len(Colour) == 5


@pytest.mark.rule("CMP-4")
def test_every_kind_of_character_has_names_of_its_own() -> None:
    """No two kinds share an English or a German name."""
    assert len({character.english for character in CHARACTERS}) == 31
    assert len({character.german for character in CHARACTERS}) == 31


@pytest.mark.rule("CMP-5")
def test_the_starting_characters_are_red_save_for_valette() -> None:
    """Seven starting kinds are red as printed; Valette alone is purple."""
    purple = [character for character in CHARACTERS if character.colour is Colour.PURPLE]
    red = [character for character in CHARACTERS if character.colour is Colour.RED]
    assert purple == [C.VALETTE]
    assert {*red, *purple} == set(STARTING_CHARACTERS)


@pytest.mark.rule("CMP-5")
@editions
def test_the_apprentice_is_red_in_every_edition(rules: RuleSet) -> None:
    """Without a ruling to the contrary the Apprentice is red."""
    assert rules.apprentice_colour is Colour.RED


@pytest.mark.rule("CMP-5", "CMP-22")
@pytest.mark.parametrize("colour", [Colour.RED, Colour.PURPLE])
def test_the_rule_set_decides_whether_the_apprentice_is_red(colour: Colour) -> None:
    """A second Apprentice copies on if Apprentices are red, and stands idle if they are purple."""
    rules = RuleSet("house rules", apprentice_colour=colour)
    state = position(
        seat(hand=[C.APPRENTICE, C.MAID]),
        seat(),
        rules=rules,
        played=[C.LUMBERJACK, C.APPRENTICE],
        plays=1,
    )
    assert play(state, C.APPRENTICE).players[0].goods.wood == (colour is Colour.RED)


@pytest.mark.rule("CMP-5")
@pytest.mark.parametrize("colour", BUILDING_COLOURS)
def test_the_apprentice_has_no_third_colour(colour: Colour) -> None:
    """A rule set with a green, blue or yellow Apprentice cannot be made."""
    with pytest.raises(ValueError, match="apprentice_colour"):
        RuleSet("nonsense", apprentice_colour=colour)


@pytest.mark.rule("CMP-6")
@pytest.mark.parametrize(
    ("colour", "kinds"),
    [
        (Colour.GREEN, {C.BANKER, C.WOODWORKER, C.CARVER, C.MASON}),
        (
            Colour.BLUE,
            {
                C.MONK,
                C.BRICKLAYER,
                C.TRADER,
                C.SEAMSTRESS,
                C.MERCHANT,
                C.ARTISAN,
                C.CHAMBERLAIN,
                C.STONEMASON,
                C.INNKEEPER,
                C.NUN,
                C.CARPENTER,
                C.TAX_COLLECTOR,
            },
        ),
        (
            Colour.YELLOW,
            {C.ARCHITECT, C.GRAND_BAILIFF, C.GRAND_MASTER, C.PHILIP, C.CHARLES, C.PIUS, C.KNIGHT},
        ),
    ],
)
def test_four_kinds_are_green_twelve_blue_and_seven_yellow(
    colour: Colour, kinds: set[Character]
) -> None:
    """The characters of the buildings are divided among three colours."""
    assert {character for character in CHARACTERS if character.colour is colour} == kinds


@pytest.mark.rule("CMP-7")
def test_there_are_seventy_three_character_cards() -> None:
    """Four starting decks, four Builders and the characters of 37 buildings make 73."""
    state = new_game(4)
    decks = sum(len(player.hand + player.draw_pile) for player in state.players)
    with_buildings = sum(building.copies for building in RECONSTRUCTION.buildings)
    assert (decks, len(state.supply), with_buildings) == (32, 4, 37)
    assert decks + len(state.supply) + with_buildings == 73


@pytest.mark.rule("CMP-8")
def test_the_buildings_are_green_blue_or_yellow() -> None:
    """No building is red or purple, and there are enough of each colour for four players."""
    cards = Counter[Colour]()
    for building in RECONSTRUCTION.buildings:
        cards[building.colour] += building.copies
    assert set(cards) == set(BUILDING_COLOURS)
    assert cards.total() == 37
    assert all(cards[colour] >= quota for colour, quota in QUOTAS[4].items())


@pytest.mark.rule("CMP-9")
@pytest.mark.parametrize("building", RECONSTRUCTION.buildings, ids=str)
def test_a_building_has_the_colour_of_its_character(building: Building) -> None:
    """A building and the character lying on it agree in colour."""
    assert building.colour is building.character.colour


@pytest.mark.rule("CMP-9")
def test_a_letter_joins_one_character_to_its_buildings() -> None:
    """Each of the 23 characters of buildings has a letter of its own; the Banker's is A."""
    letters = {(building.letter, building.character) for building in RECONSTRUCTION.buildings}
    assert len({letter for letter, _ in letters}) == len(letters) == 23
    assert {character for _, character in letters} == set(BUILDING_CHARACTERS)
    assert ("A", C.BANKER) in letters


@pytest.mark.rule("CMP-10", "CMP-23")
def test_some_yellow_characters_occur_twice_and_some_once() -> None:
    """Of a few yellow characters there are two cards, of the others one."""
    cards = Counter[Character]()
    for building in RECONSTRUCTION.buildings:
        cards[building.character] += building.copies
    assert {cards[character] for character in CHARACTERS if character.colour is Colour.YELLOW} == {
        1,
        2,
    }


@pytest.mark.rule("CMP-10")
def test_one_player_may_gain_both_copies_of_a_character() -> None:
    """Red erects both buildings of the Knight, holds two Knights and plays both."""
    knights = a_building(character=C.KNIGHT, cost=FREE)
    state = position(
        seat(hand=[C.BUILDER, C.BUILDER]), seat(), display={0: knights, 1: knights}, plays=4
    )
    state = play(state, C.BUILDER, Build(0), Pay(FREE), C.BUILDER, Build(1), Pay(FREE))
    assert state.players[0].hand.count(C.KNIGHT) == 2
    state = play(state, C.KNIGHT)
    assert (state.players[0].hand.count(C.KNIGHT), state.players[0].score) == (1, 2)


@pytest.mark.rule("CMP-10")
def test_two_players_may_each_gain_a_copy() -> None:
    """Blue's building of the Knight does not keep Red from the other one."""
    knights = a_building(character=C.KNIGHT, cost=FREE)
    state = position(
        seat(hand=[C.BUILDER]), seat(hand=[C.KNIGHT], built=[1]), display={0: knights, 1: knights}
    )
    state = play(state, C.BUILDER, Build(0), Pay(FREE))
    assert [player.hand.count(C.KNIGHT) for player in state.players] == [1, 1]


@pytest.mark.rule("CMP-11")
@pytest.mark.parametrize("building", RECONSTRUCTION.buildings, ids=str)
def test_a_building_shows_a_cost_an_icon_and_points(building: Building) -> None:
    """Each face has something to pay, one kind of income and something to win."""
    assert building.cost.total > 0
    assert min(building.cost) >= 0
    assert building.icon in Good
    assert building.points > 0


@pytest.mark.rule("CMP-11", "CMP-12")
@pytest.mark.parametrize(("upgraded", "wood"), [([], 1), ([3], 2)])
def test_the_upgraded_side_shows_two_icons(upgraded: list[int], wood: int) -> None:
    """One wood icon lies before Red, or two once the building is turned over."""
    state = position(
        seat(hand=[C.WOODWORKER, C.MAID], built=[3], upgraded=upgraded),
        seat(),
        display={3: a_building(icon=Good.WOOD)},
    )
    assert play(state, C.WOODWORKER).players[0].goods == Goods(wood=wood)


@pytest.mark.rule("CMP-11", "CMP-12")
@pytest.mark.parametrize(("upgraded", "points"), [([], 3), ([3], 6)])
def test_the_upgraded_side_shows_twice_the_points(upgraded: list[int], points: int) -> None:
    """A building of three points counts six once it is turned over."""
    state = position(
        seat(built=[3], upgraded=upgraded),
        seat(),
        display={3: a_building(points=3)},
        phase=Phase.OVER,
        agenda=(),
    )
    result = outcome(state)
    assert result is not None
    assert [score.buildings for score in result.scores] == [points, 0]


@pytest.mark.rule("CMP-13")
def test_the_street_has_a_tower_and_twenty_five_spaces() -> None:
    """The tower comes first, and then the spaces 1 to 25."""
    assert [TOWER, *SPACES] == list(range(26))
    assert len(ODD_SPACES) == 13


@pytest.mark.rule("CMP-13")
def test_valette_walks_the_street_in_twenty_five_steps() -> None:
    """Step by step Valette visits every space once, and on the last one his walk is over."""
    visited = []
    for space in range(25):
        state = play(position(seat(hand=[C.VALETTE, C.MAID]), seat(), valette=space), C.VALETTE)
        assert prompt_of(state) == BarrelPrompt(0)
        visited.append(state.valette)
    assert visited == list(SPACES)
    state = play(position(seat(hand=[C.VALETTE, C.MAID]), seat(), valette=25), C.VALETTE)
    assert state.valette == 25
    assert prompt_of(state) == ValettePrompt(0)


@pytest.mark.rule("CMP-14")
def test_five_spaces_make_an_area() -> None:
    """The spaces 1 to 5 are the first area, 21 to 25 the fifth; the tower is in none."""
    areas = [[space for space in SPACES if area_of(space) == area] for area in range(5)]
    assert areas == [
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10],
        [11, 12, 13, 14, 15],
        [16, 17, 18, 19, 20],
        [21, 22, 23, 24, 25],
    ]
    assert area_of(TOWER) is None


@pytest.mark.rule("CMP-15")
@pytest.mark.parametrize(("players", "rows"), [(2, 4), (3, 5), (4, 6)])
def test_the_display_has_four_five_or_six_rows(players: int, rows: int) -> None:
    """Rows of five lie alternately above and below the street, the first above it."""
    sites = range(SITES[players])
    assert Counter(row_of(site) for site in sites) == dict.fromkeys(range(rows), 5)
    sides = [is_above(site) for site in sites]
    assert sides[::5] == [True, False, True, False, True, False][:rows]
    assert all(is_above(site) == sides[5 * row_of(site)] for site in sites)


@pytest.mark.rule("CMP-16")
def test_a_column_lies_over_one_area() -> None:
    """Each column has one site in every row, from left to right."""
    for row in range(6):
        assert [column_of(site) for site in range(5 * row, 5 * row + 5)] == [0, 1, 2, 3, 4]


@pytest.mark.rule("CMP-16")
@pytest.mark.parametrize("site", range(10))
def test_valette_sees_the_column_of_his_area(site: int) -> None:
    """Valette stands in the middle of an area and sees what is built in the column there."""
    for area in range(5):
        state = position(
            seat(hand=[C.BUILDER, C.MAID]),
            seat(),
            display={site: a_building(cost=FREE)},
            valette=5 * area + 3,
        )
        state = play(state, C.BUILDER, Build(site), Pay(FREE))
        assert state.players[0].score == (2 if site % 5 == area else 0)


@pytest.mark.rule("CMP-17")
def test_neighbouring_rows_follow_one_another_on_their_side() -> None:
    """Rows 1, 3 and 5 are a chain of neighbours above the street, rows 2, 4 and 6 below it."""
    neighbours = {
        (row, other)
        for row in range(6)
        for other in range(row + 1, 6)
        if are_adjacent(5 * row, 5 * other)
    }
    assert neighbours == {(0, 2), (2, 4), (1, 3), (3, 5)}


@pytest.mark.rule("CMP-17")
@pytest.mark.parametrize("players", SITES)
def test_the_neighbours_of_a_site_lie_in_the_same_display(players: int) -> None:
    """They are the sites adjacent to it, as far as there are so many."""
    for site in range(SITES[players]):
        adjacent = [other for other in range(SITES[players]) if are_adjacent(site, other)]
        assert list(neighbours_of(site, SITES[players])) == adjacent
    assert neighbours_of(0) == SiteSet.of(1, 10)


@pytest.mark.rule("CMP-17")
@pytest.mark.parametrize("column", range(5))
def test_a_row_between_keeps_rows_apart(column: int) -> None:
    """A house in the innermost row makes the next row cheaper, but not the one beyond that."""
    costly = a_building(cost=Goods(gold=3))
    beyond, outermost = 10 + column, 20 + column
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(gold=9), built=[column]),
        *(seat(), seat(), seat()),
        display={beyond: costly, outermost: costly},
    )
    state = play(state, C.BUILDER)
    near, far = play(state, Build(beyond)), play(state, Build(outermost))
    assert prompt_of(near) == PaymentPrompt(0, beyond, Goods(gold=2))
    assert prompt_of(far) == PaymentPrompt(0, outermost, Goods(gold=3))


@pytest.mark.rule("CMP-18")
def test_there_are_twenty_five_barrels() -> None:
    """Each barrel shows one good, and a new game has all of them face down."""
    assert RECONSTRUCTION.barrels.total == 25
    assert new_game(2).barrels == RECONSTRUCTION.barrels


@pytest.mark.rule("CMP-18")
def test_a_barrel_is_a_single_good() -> None:
    """The barrel that Valette reaches brings one good, whatever its kind."""
    for good in Good:
        state = position(seat(hand=[C.VALETTE, C.MAID]), seat(), valette=7)
        state = play(state, C.VALETTE, RevealBarrel(good))
        assert state.players[0].goods == Goods.of(good, 1)


@pytest.mark.rule("CMP-19")
def test_each_player_has_eight_houses() -> None:
    """Red may put up an eighth house, but there is no ninth."""
    assert HOUSES_PER_PLAYER == 8
    cheap = {8: a_building(cost=FREE), 9: a_building(cost=FREE)}
    state = position(
        seat(hand=[C.BUILDER, C.BUILDER, C.MAID], built=range(7)),
        seat(built=range(10, 18)),
        display=cheap,
    )
    state = play(state, C.BUILDER, Build(8), Pay(FREE))
    assert len(state.players[0].built) == 8
    state = play(state, C.BUILDER)
    assert legal_actions(state) == (Upgrade(8), Decline())
    assert refusal(state, Build(9)).code is Code.NO_HOUSE_LEFT


@pytest.mark.rule("CMP-19")
def test_a_new_game_has_every_house_unused() -> None:
    """With four players there are thirty-two houses, none of them built."""
    state = new_game(4, rules=HANS_IM_GLUECK)
    assert [len(player.built) for player in state.players] == [0, 0, 0, 0]


@pytest.mark.rule("BLD-28")
def test_a_green_card_is_played_like_any_other() -> None:
    """A Banker gained with its building is a card in the hand that can be played."""
    state = position(
        seat(hand=[C.BUILDER]),
        seat(),
        display={0: a_building(character=C.BANKER, cost=FREE, icon=Good.GOLD)},
    )
    state = play(state, C.BUILDER, Build(0), Pay(FREE), PlayCard(C.BANKER))
    assert state.players[0].goods == Goods(gold=1)
