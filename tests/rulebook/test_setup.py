"""The chapter *Setup*: the table before the first turn, and the first turns."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest

from tests.positions import EDITIONS, draw_all, editions, play, position, prompt_of, refusal, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    Build,
    CardBag,
    Character,
    Code,
    Colour,
    DealBuilding,
    Decline,
    DraftGood,
    DrawCard,
    GameState,
    Good,
    Goods,
    MalformedActionError,
    Pay,
    Phase,
    Player,
    PlayerCountError,
    RevealBarrel,
    RuleSet,
    VariantError,
    apply,
    chance_outcomes,
    legal_actions,
    new_game,
    resolve_chance,
    transition,
)
from valletta_rules.agenda import (
    BarrelPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    PlayPrompt,
    ValettePrompt,
)
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import ONE_OF_EACH
from valletta_rules.events import BuildingDealt, GoodDrafted, TurnBegan

C = Character

PLAYERS = (2, 3, 4)

START_PLAYER_VARIANTS = tuple(rules.with_variants(start_player_variant=True) for rules in EDITIONS)

FEWER_BARRELS = tuple(rules.with_variants(fewer_barrels=True) for rules in EDITIONS)


def deal(state: GameState, *, limit: int = 30) -> GameState:
    """Let chance deal buildings, always the first that it can, up to a limit."""
    while limit and prompt_of(state) == DealPrompt():
        state, limit = apply(state, legal_actions(state)[0]), limit - 1
    return state


def opening(players: int, rules: RuleSet = HANS_IM_GLUECK, *, seed: int = 1) -> GameState:
    """Lay the table at random, up to the first question that a player is asked."""
    return resolve_chance(new_game(players, rules=rules), random.Random(seed))


def drafted(state: GameState) -> GameState:
    """Let everybody draft the first good that he can."""
    while isinstance(state.prompt, DraftPrompt):
        state = apply(state, legal_actions(state)[0])
    return state


def first_turns(state: GameState, turns: int) -> list[tuple[int, int]]:
    """Play some turns at random and return for each who played it and how many cards."""
    rng, seen = random.Random(5), list[tuple[int, int]]()
    while len(seen) < turns:
        prompt = prompt_of(state)
        if isinstance(prompt, PlayPrompt) and not state.played:
            seen.append((prompt.seat, prompt.plays))
        state = resolve_chance(apply(state, rng.choice(legal_actions(state))), rng)
    return seen


def colours(state: GameState) -> Counter[Colour]:
    """Count the buildings of each colour in the display."""
    return Counter(building.colour for building in state.display)


def barrel_spaces(players: int, rules: RuleSet) -> list[int]:
    """Return the spaces on which Valette finds a barrel when he steps there from the space before.

    Under `fewer_barrels` he may pass over spaces; those he never reaches have none.
    """
    spaces, space = [], 0
    while space < 25:
        hand = seat(hand=[C.VALETTE, C.MAID])
        others = [seat()] * (players - 1)
        state = play(position(hand, *others, rules=rules, valette=space), C.VALETTE)
        space = state.valette
        if prompt_of(state) == BarrelPrompt(0):
            spaces.append(space)
    return spaces


# Players and seats


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_two_three_or_four_take_part(players: int) -> None:
    """A table can be laid for two, three and four."""
    state = new_game(players)
    assert len(state.players) == players
    assert state.phase is Phase.SETUP


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 6])
def test_no_other_number_can_play(players: int) -> None:
    """There is no game for one, nor for five."""
    with pytest.raises(PlayerCountError):
        new_game(players)


@pytest.mark.rule("SET-2", "SET-30")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_the_start_player_is_seat_nought(players: int, rules: RuleSet) -> None:
    """Seat 0 has the first turn, and the turns run through the seats and back to it."""
    seats = [turn for turn, _ in first_turns(drafted(opening(players, rules)), players + 2)]
    assert seats == [*range(players), 0, 1]


# Barrels


@pytest.mark.rule("SET-3")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, Z_MAN], ids=str)
def test_every_space_has_a_barrel(players: int, rules: RuleSet) -> None:
    """However many play, a barrel lies on each of the 25 spaces."""
    assert barrel_spaces(players, rules) == list(range(1, 26))
    assert new_game(players, rules=rules).barrels.total == 25


@pytest.mark.rule("SET-4")
@pytest.mark.parametrize(
    ("players", "spaces"),
    [
        (2, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25]),
        (3, [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25]),
        (4, list(range(1, 26))),
    ],
)
def test_the_manual_lays_fewer_barrels_for_fewer_players(players: int, spaces: list[int]) -> None:
    """Every second space has one for two players, every third has none for three."""
    assert barrel_spaces(players, REFERENCE_MANUAL) == spaces


@pytest.mark.rule("SET-5", "SET-31")
def test_every_remaining_token_is_equally_likely() -> None:
    """Of twenty tokens five show gold, and no other thing is known about the next one."""
    state = position(seat(hand=[C.VALETTE, C.MAID]), seat(), barrels=Goods(5, 4, 0, 11), valette=5)
    assert chance_outcomes(play(state, C.VALETTE)) == (
        (RevealBarrel(Good.GOLD), Fraction(5, 20)),
        (RevealBarrel(Good.WOOD), Fraction(4, 20)),
        (RevealBarrel(Good.BRICK), Fraction(11, 20)),
    )


@pytest.mark.rule("SET-5")
def test_a_barrel_that_is_used_up_is_not_revealed() -> None:
    """No stone is left among the tokens, so none can turn up."""
    state = position(seat(hand=[C.VALETTE, C.MAID]), seat(), barrels=Goods(5, 4, 0, 11), valette=5)
    violation = refusal(play(state, C.VALETTE), RevealBarrel(Good.STONE))
    assert violation.code is Code.NO_SUCH_BARREL


@pytest.mark.rule("SET-6")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_fewer_barrels_lie_on_the_odd_spaces(rules: RuleSet) -> None:
    """In the variant Valette finds thirteen barrels, all on odd spaces."""
    spaces = barrel_spaces(2, rules)
    assert spaces == list(range(1, 26, 2))
    assert len(spaces) == 13


@pytest.mark.rule("SET-6")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_fewer_barrels_are_drawn_from_all(rules: RuleSet) -> None:
    """The first barrel may be any of the 25 tokens, though only thirteen lie out."""
    assert new_game(2, rules=rules).barrels == RECONSTRUCTION.barrels
    state = position(seat(hand=[C.VALETTE, C.MAID]), seat(), rules=rules, barrels=Goods(7, 6, 6, 6))
    assert chance_outcomes(play(state, C.VALETTE)) == (
        (RevealBarrel(Good.GOLD), Fraction(7, 25)),
        (RevealBarrel(Good.WOOD), Fraction(6, 25)),
        (RevealBarrel(Good.STONE), Fraction(6, 25)),
        (RevealBarrel(Good.BRICK), Fraction(6, 25)),
    )


@pytest.mark.rule("SET-6")
def test_twelve_barrels_are_never_used() -> None:
    """After the last of the thirteen barrels twelve tokens are left, and Valette finds no more."""
    (rules, *_) = FEWER_BARRELS
    last = position(
        seat(hand=[C.VALETTE, C.VALETTE, C.MAID]),
        seat(),
        rules=rules,
        barrels=Goods(4, 3, 3, 3),
        valette=23,
    )
    last = play(last, C.VALETTE, RevealBarrel(Good.GOLD), Decline())
    assert (last.valette, last.barrels.total) == (25, 12)
    after = play(last, C.VALETTE)
    assert prompt_of(after) == ValettePrompt(0)
    assert after.barrels == last.barrels


@pytest.mark.rule("SET-7")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_fewer_barrels_are_for_two(rules: RuleSet) -> None:
    """Two may choose the variant; to ask for it with three or four is an error."""
    assert len(new_game(2, rules=rules).players) == 2
    for players in (3, 4):
        with pytest.raises(VariantError):
            new_game(players, rules=rules)


# The display


@pytest.mark.rule("SET-8")
@pytest.mark.parametrize(
    ("players", "green", "blue", "yellow"), [(2, 6, 8, 6), (3, 8, 10, 7), (4, 10, 12, 8)]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_display_has_so_many_buildings_of_each_colour(
    players: int, green: int, blue: int, yellow: int, seed: int
) -> None:
    """The colours are rationed by the number of players."""
    state = opening(players, seed=seed)
    assert colours(state) == {Colour.GREEN: green, Colour.BLUE: blue, Colour.YELLOW: yellow}
    assert len(state.display) == SITES[players] == green + blue + yellow


@pytest.mark.rule("SET-8")
def test_a_colour_whose_ration_is_dealt_is_not_dealt_again() -> None:
    """Six green buildings lie out, so two players get no seventh."""
    state = new_game(2)
    for code in ("A", "A", "A", "B", "B", "B"):
        state = play(state, DealBuilding(code))
    assert colours(state) == {Colour.GREEN: 6}
    violation = refusal(state, DealBuilding("C"))
    assert violation.code is Code.BUILDING_NOT_AVAILABLE
    assert violation.clause.startswith("SET-")
    outcomes = [action for action, _ in chance_outcomes(state)]
    assert outcomes == [DealBuilding(code) for code in "EFGHIJKLMNOPQRSTUVW"]


@pytest.mark.rule("SET-9", "SET-10")
@pytest.mark.parametrize("players", PLAYERS)
def test_every_card_of_a_colour_is_equally_likely(players: int) -> None:
    """The odds of a building are those of its colour, shared by all cards of the colour."""
    odds = dict(chance_outcomes(new_game(players)))
    available = Counter[Colour]()
    for building in RECONSTRUCTION.buildings:
        available[building.colour] += building.copies
    assert sum(odds.values()) == 1
    for building in RECONSTRUCTION.buildings:
        colour = Fraction(QUOTAS[players][building.colour], SITES[players])
        card = Fraction(building.copies, available[building.colour])
        assert odds[DealBuilding(building.code)] == colour * card


@pytest.mark.rule("SET-9", "SET-10")
def test_the_odds_follow_what_has_been_dealt() -> None:
    """A Banker and two Knights out of their colours change the odds of all that follow."""
    odds = dict(chance_outcomes(play(new_game(2), DealBuilding("A"), DealBuilding("W"))))
    assert odds[DealBuilding("A")] == Fraction(5, 18) * Fraction(2, 11)
    assert odds[DealBuilding("B")] == Fraction(5, 18) * Fraction(3, 11)
    assert odds[DealBuilding("E")] == Fraction(8, 18) * Fraction(2, 15)
    assert odds[DealBuilding("V")] == Fraction(5, 18) * Fraction(2, 9)
    assert DealBuilding("W") not in odds
    assert sum(odds.values()) == 1


@pytest.mark.rule("SET-10")
def test_any_colour_may_come_anywhere() -> None:
    """The colours are shuffled together: every colour can be dealt to every site."""
    state = new_game(2)
    for site in range(SITES[2] - 1):
        remaining = dict(QUOTAS[2])
        for colour, count in colours(state).items():
            remaining[colour] -= count
        offered = {
            RECONSTRUCTION.building(action.building).colour
            for action in legal_actions(state)
            if isinstance(action, DealBuilding)
        }
        assert offered == {colour for colour, count in remaining.items() if count}, site
        state = apply(state, legal_actions(state)[-1 if site % 2 else 0])


@pytest.mark.rule("SET-11")
@pytest.mark.parametrize("players", PLAYERS)
def test_buildings_are_dealt_row_after_row(players: int) -> None:
    """The first building lies at the left end of the first row, the sixth in the second."""
    state, dealt = new_game(players), list[BuildingDealt]()
    rng = random.Random(3)
    while prompt_of(state) == DealPrompt():
        step = transition(state, rng.choice(legal_actions(state)))
        state = step.state
        dealt += [event for event in step.events if isinstance(event, BuildingDealt)]
    assert [event.site for event in dealt] == list(range(SITES[players]))
    assert [event.building for event in dealt] == [building.code for building in state.display]


@pytest.mark.rule("SET-11")
@pytest.mark.parametrize("area", range(5))
def test_a_row_is_dealt_from_left_to_right(area: int) -> None:
    """The buildings dealt first, sixth, eleventh and so on lie over Valette's first area."""
    for site in range(20):
        red = seat(hand=[C.BUILDER, C.MAID], goods=Goods(9, 9, 9, 9))
        state = play(position(red, seat(), valette=5 * area + 1), C.BUILDER, Build(site))
        paid = play(state, legal_actions(state)[-1])
        assert paid.players[0].score == (2 if site % 5 == area else 0)


@pytest.mark.rule("SET-11")
def test_dealing_ends_when_the_display_is_full() -> None:
    """The twentieth building of a game for two is the last; then the hands are drawn."""
    state = deal(new_game(2), limit=19)
    assert (len(state.display), prompt_of(state)) == (19, DealPrompt())
    state = deal(state)
    assert (len(state.display), prompt_of(state)) == (20, DrawPrompt(0))
    assert refusal(state, DealBuilding("W")).code is Code.WRONG_KIND


@pytest.mark.rule("SET-9", "CMP-10")
def test_a_building_is_dealt_as_often_as_there_are_cards() -> None:
    """There is one Knight, so a second one is not dealt."""
    state = play(new_game(2), DealBuilding("W"))
    assert refusal(state, DealBuilding("W")).code is Code.BUILDING_NOT_AVAILABLE


@pytest.mark.rule("SET-9")
def test_a_building_of_another_card_set_is_no_building() -> None:
    """What the card set does not hold cannot be dealt in any position."""
    with pytest.raises(MalformedActionError):
        apply(new_game(2), DealBuilding("A7"))


@pytest.mark.rule("SET-12")
@pytest.mark.parametrize("players", PLAYERS)
def test_characters_of_undealt_buildings_are_nowhere(players: int) -> None:
    """No player holds a character of a building, and none is for hire."""
    state = deal(new_game(players))
    everywhere = set(state.supply)
    for player in state.players:
        everywhere |= {*player.hand, *player.draw_pile, *player.discard_pile}
    assert everywhere == set(STARTING_CHARACTERS)


@pytest.mark.rule("SET-8")
def test_there_is_no_site_beyond_the_display() -> None:
    """Two players have twenty sites, numbered 0 to 19, and nothing is built on a twenty-first."""
    state = position(seat(hand=[C.BUILDER, C.MAID], goods=Goods(9, 9, 9, 9)), seat())
    state = play(state, C.BUILDER)
    assert Build(19) in legal_actions(state)
    with pytest.raises(MalformedActionError):
        apply(state, Build(20))


@pytest.mark.rule("SET-13")
@pytest.mark.parametrize("players", PLAYERS)
def test_no_building_has_a_house_or_is_turned_over(players: int) -> None:
    """Nothing is built and nothing upgraded at first."""
    for player in opening(players).players:
        assert (player.built, player.upgraded) == (SiteSet(), SiteSet())


@pytest.mark.rule("SET-13", "SET-17")
def test_every_building_of_a_new_display_can_be_built_and_brings_its_character() -> None:
    """Wherever Red builds first, he finds the building's own character there."""
    display = opening(2).display
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(9, 9, 9, 9)),
        seat(),
        cards=RECONSTRUCTION,
        display=dict(enumerate(display)),
    )
    state = play(state, C.BUILDER)
    assert legal_actions(state) == (*map(Build, range(20)), Decline())
    for site, building in enumerate(display):
        after = play(state, Build(site), Pay(building.cost))
        assert after.players[0].hand == CardBag.of(C.MAID, building.character)
        assert after.players[0].upgraded == SiteSet()


# Decks and hands


@pytest.mark.rule("SET-14")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_everybody_has_the_same_eight_characters(players: int, rules: RuleSet) -> None:
    """Four gatherers, a Maid, a Builder, an Apprentice and Valette are every player's deck."""
    deck = CardBag.of(
        C.SHOPKEEPER,
        C.LUMBERJACK,
        C.STONE_SCULPTOR,
        C.BRICK_WORKER,
        C.MAID,
        C.BUILDER,
        C.APPRENTICE,
        C.VALETTE,
    )
    for player in opening(players, rules).players:
        assert player.hand + player.draw_pile == deck
        assert player.discard_pile == EMPTY


@pytest.mark.rule("SET-15", "SET-32")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_draws_five_of_eight(players: int) -> None:
    """Five cards are in the hand, three in the draw pile."""
    for player in opening(players).players:
        assert (len(player.hand), len(player.draw_pile)) == (5, 3)


@pytest.mark.rule("SET-15")
def test_every_card_of_the_deck_is_equally_likely_in_the_hand() -> None:
    """The first card is one of eight, the second one of the seven left."""
    state = deal(new_game(2))
    assert chance_outcomes(state) == tuple(
        (DrawCard(character), Fraction(1, 8)) for character in STARTING_CHARACTERS
    )
    state = play(state, DrawCard(C.MAID))
    assert chance_outcomes(state) == tuple(
        (DrawCard(character), Fraction(1, 7))
        for character in STARTING_CHARACTERS
        if character is not C.MAID
    )
    assert refusal(state, DrawCard(C.MAID)).code is Code.CARD_NOT_IN_PILE


@pytest.mark.rule("SET-15")
@pytest.mark.parametrize("players", PLAYERS)
def test_hands_are_drawn_seat_by_seat(players: int) -> None:
    """The start player draws all his five cards, then the next seat."""
    state, drawers = deal(new_game(players)), list[int]()
    while isinstance(prompt := prompt_of(state), DrawPrompt):
        drawers.append(prompt.player)
        state = apply(state, legal_actions(state)[0])
    assert drawers == [number for number in range(players) for _ in range(5)]


@pytest.mark.rule("SET-16")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_four_builders_are_for_hire(players: int, rules: RuleSet) -> None:
    """The character supply is four red Builders."""
    supply = CardBag.of(C.BUILDER, C.BUILDER, C.BUILDER, C.BUILDER)
    assert opening(players, rules).supply == supply


@pytest.mark.rule("SET-17")
def test_the_character_of_a_building_is_there_once() -> None:
    """Whoever builds takes the character, and nobody else finds it there."""
    display = dict(enumerate(opening(2).display))
    state = position(
        seat(hand=[C.BUILDER], goods=Goods(9, 9, 9, 9)),
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(9, 9, 9, 9)),
        cards=RECONSTRUCTION,
        display=display,
        plays=1,
    )
    state = draw_all(play(state, C.BUILDER, Build(0), Pay(display[0].cost)))
    state = play(state, C.BUILDER)
    assert prompt_of(state).seat == 1
    assert refusal(state, Build(0)).code is Code.SITE_TAKEN


# What lies before the players


@pytest.mark.rule("SET-18", "SET-19", "SET-20")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_everybody_starts_with_one_good_of_each_kind(players: int, rules: RuleSet) -> None:
    """Nobody has built or scored, and each has one gold, one wood, one stone and one brick."""
    for player in opening(players, rules).players:
        assert player.goods == Goods(gold=1, wood=1, stone=1, brick=1)
        assert player.score == 0
        assert len(player.built) == 0


@pytest.mark.rule("SET-21")
@pytest.mark.parametrize("rules", [*EDITIONS, *FEWER_BARRELS], ids=str)
def test_valette_waits_on_the_tower(rules: RuleSet) -> None:
    """Valette stands on the tower, before space 1."""
    assert opening(2, rules).valette == 0


# The draft


@pytest.mark.rule("SET-22", "SET-23")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_the_last_player_chooses_first_from_a_full_set(players: int, rules: RuleSet) -> None:
    """The player before the start player picks one of four goods; nobody can refrain."""
    state = opening(players, rules)
    assert prompt_of(state) == DraftPrompt(players - 1, ONE_OF_EACH)
    assert legal_actions(state) == tuple(map(DraftGood, Good))
    assert refusal(state, Decline()).code is Code.WRONG_KIND


@pytest.mark.rule("SET-22", "SET-23")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_set_passes_counter_clockwise(players: int) -> None:
    """From the last seat the choice goes back to seat 0, and each good is taken once."""
    state, seats = opening(players), list[int]()
    left = list(Good)
    while isinstance(prompt := prompt_of(state), DraftPrompt):
        seats.append(prompt.seat)
        assert prompt.goods == sum((Goods.of(good) for good in left), Goods())
        assert legal_actions(state) == tuple(map(DraftGood, left))
        step = transition(state, DraftGood(left[0]))
        assert GoodDrafted(prompt.seat, left[0]) in step.events
        assert step.state.players[prompt.seat].goods == ONE_OF_EACH + Goods.of(left.pop(0))
        state = step.state
    assert seats == list(reversed(range(players)))


@pytest.mark.rule("SET-22")
def test_a_good_taken_from_the_set_is_gone() -> None:
    """The last player takes the gold, so nobody else can."""
    state = play(opening(3), DraftGood(Good.GOLD))
    violation = refusal(state, DraftGood(Good.GOLD))
    assert violation.code is Code.GOOD_NOT_OFFERED
    assert violation.clause.startswith("SET-")


@pytest.mark.rule("SET-22")
def test_the_fourth_player_to_choose_takes_what_is_left() -> None:
    """With four players the start player is left a single good, and is asked all the same."""
    state = play(opening(4), DraftGood(Good.BRICK), DraftGood(Good.GOLD), DraftGood(Good.STONE))
    assert prompt_of(state) == DraftPrompt(0, Goods(wood=1))
    assert legal_actions(state) == (DraftGood(Good.WOOD),)


@pytest.mark.rule("SET-24")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_rest_of_the_set_is_nobodys(players: int) -> None:
    """After the draft everybody has five goods, and the first turn begins."""
    state = drafted(opening(players))
    assert [player.goods.total for player in state.players] == [5] * players
    assert prompt_of(state) == PlayPrompt(0, 3)
    assert state.phase is Phase.MAIN
    taken = [player.goods - ONE_OF_EACH for player in state.players]
    assert max(sum(taken, Goods())) == 1


@pytest.mark.rule("SET-25")
@pytest.mark.parametrize("players", PLAYERS)
@editions
def test_players_know_their_hands_when_they_draft(players: int, rules: RuleSet) -> None:
    """Everybody holds five cards before anybody chooses his extra good."""
    state = opening(players, rules)
    assert isinstance(state.prompt, DraftPrompt)
    assert [len(player.hand) for player in state.players] == [5] * players


# The start player variant and staggered first turns


@pytest.mark.rule("SET-26")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", START_PLAYER_VARIANTS, ids=str)
def test_the_variant_grants_no_extra_good(players: int, rules: RuleSet) -> None:
    """Everybody starts with the same four goods, and the start player is at once at play."""
    state = opening(players, rules)
    assert prompt_of(state) == PlayPrompt(0, 1)
    assert [player.goods for player in state.players] == [ONE_OF_EACH] * players


@pytest.mark.rule("SET-27")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", START_PLAYER_VARIANTS, ids=str)
def test_the_variant_shortens_the_first_two_turns(players: int, rules: RuleSet) -> None:
    """One card, then two, then three each turn, the start player's second one included."""
    turns = first_turns(opening(players, rules), players + 2)
    assert [plays for _, plays in turns] == [1, 2, *[3] * players]
    assert [number for number, _ in turns] == [*range(players), 0, 1]


@pytest.mark.rule("SET-27")
def test_a_short_first_turn_is_refilled_to_five() -> None:
    """The start player plays one card under the variant and draws one."""
    state = opening(2, START_PLAYER_VARIANTS[0])
    hand = state.players[0].hand
    gatherer = next(character for character in hand if character in STARTING_CHARACTERS[:4])
    state = play(state, gatherer)
    assert prompt_of(state) == DrawPrompt(0)
    assert (len(state.players[0].hand), len(state.players[0].draw_pile)) == (4, 3)
    state = draw_all(state)
    assert (len(state.players[0].hand), len(state.players[0].draw_pile)) == (5, 2)
    assert prompt_of(state) == PlayPrompt(1, 2)


@pytest.mark.rule("SET-22", "SET-27")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, Z_MAN], ids=str)
def test_without_the_variant_every_turn_has_three_plays(players: int, rules: RuleSet) -> None:
    """Whoever drafts has full turns from the first one on."""
    turns = first_turns(drafted(opening(players, rules)), players + 1)
    assert [plays for _, plays in turns] == [3] * (players + 1)


@pytest.mark.rule("SET-28")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_manual_staggers_the_first_turns_after_the_draft(players: int) -> None:
    """Everybody drafts, and still the first turn has one play and the second two."""
    state = opening(players, REFERENCE_MANUAL)
    assert isinstance(state.prompt, DraftPrompt)
    state = drafted(state)
    assert [player.goods.total for player in state.players] == [5] * players
    turns = first_turns(state, players + 2)
    assert turns == [
        (number % players, plays) for number, plays in enumerate([1, 2, *[3] * players])
    ]


def everything(players: Iterable[Player]) -> int:
    """Count the character cards of some players."""
    return sum(
        len(player.hand) + len(player.draw_pile) + len(player.discard_pile) for player in players
    )


@pytest.mark.rule("SET-12", "SET-14", "SET-16")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_begins_with_eight_cards_each_and_four_for_hire(players: int) -> None:
    """Only the cards with a player's mark and the four Builders are in the game at first."""
    state = opening(players)
    assert (everything(state.players), len(state.supply)) == (8 * players, 4)


@pytest.mark.rule("SET-2", "SET-28")
@pytest.mark.parametrize(("rules", "plays"), [(HANS_IM_GLUECK, 3), (REFERENCE_MANUAL, 1)], ids=str)
def test_the_first_turn_is_told(rules: RuleSet, plays: int) -> None:
    """The start player drafts the last good, and his turn begins and is told of."""
    state = play(opening(2, rules), DraftGood(Good.GOLD))
    result = transition(state, DraftGood(Good.STONE))
    assert result.events == (GoodDrafted(0, Good.STONE), TurnBegan(0, plays))
    assert result.state.prompt == PlayPrompt(0, plays)
