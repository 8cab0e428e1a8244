"""The chapter *Red characters*: gatherers, Maid, Builder and Apprentice."""

from __future__ import annotations

import pytest

from tests.positions import (
    EDITIONS,
    NO_GOODS,
    a_building,
    compulsory_editions,
    draw_all,
    editions,
    play,
    position,
    prompt_of,
    refusal,
    seat,
)
from valletta_rules import (
    HANS_IM_GLUECK,
    Z_MAN,
    Build,
    CardBag,
    Character,
    Code,
    Colour,
    Decline,
    Dismiss,
    GameState,
    Good,
    Goods,
    Pay,
    Phase,
    PlayCard,
    RevealBarrel,
    RuleSet,
    TakeGood,
    TakeGoods,
    Upgrade,
    apply,
    legal_actions,
    transition,
)
from valletta_rules.agenda import MaidPrompt, PaymentPrompt, PlayPrompt, SitePrompt
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.events import CardCopied, CardPlayed, EffectDeclined, EffectFizzled, GoodsTaken

C = Character


PURPLE_APPRENTICE = RuleSet("purple Apprentice", apprentice_colour=Colour.PURPLE)

GATHERERS = {
    C.SHOPKEEPER: Good.GOLD,
    C.LUMBERJACK: Good.WOOD,
    C.STONE_SCULPTOR: Good.STONE,
    C.BRICK_WORKER: Good.BRICK,
}

INCOMES = {
    C.BANKER: Good.GOLD,
    C.WOODWORKER: Good.WOOD,
    C.CARVER: Good.STONE,
    C.MASON: Good.BRICK,
}

CLAUSES = {
    C.SHOPKEEPER: "RED-1",
    C.LUMBERJACK: "RED-2",
    C.STONE_SCULPTOR: "RED-3",
    C.BRICK_WORKER: "RED-4",
}

FREE = a_building(cost=NO_GOODS)


def turn_of_red(*hand: Character, rules: RuleSet = HANS_IM_GLUECK, plays: int = 3) -> GameState:
    """Return a position of two players: Red holds some cards and a Maid besides, and no goods."""
    return position(seat(hand=[*hand, C.MAID]), seat(hand=[C.MAID]), rules=rules, plays=plays)


def apprentice_after(
    *played: Character,
    rules: RuleSet = HANS_IM_GLUECK,
    goods: Goods = NO_GOODS,
    upgraded: tuple[int, ...] = (),
) -> GameState:
    """Return a position in which Red has played some cards and holds an Apprentice.

    Site 0 has a building that costs one gold; Red's upgraded ones show wood.
    """
    return position(
        seat(hand=[C.APPRENTICE, C.KNIGHT], goods=goods, upgraded=upgraded),
        seat(hand=[C.MAID]),
        rules=rules,
        display={
            0: a_building(cost=Goods(gold=1)),
            **dict.fromkeys(upgraded, a_building(icon=Good.WOOD)),
        },
        played=played,
        plays=2,
    )


# The four gatherers


@pytest.mark.rule("RED-1", "RED-2", "RED-3", "RED-4")
@editions
@pytest.mark.parametrize("character", GATHERERS)
def test_a_gatherer_takes_one_good(character: Character, rules: RuleSet) -> None:
    """The Shopkeeper takes a gold, the Lumberjack a wood, and so on; nobody else takes any."""
    state = turn_of_red(character, rules=rules)
    step = transition(state, PlayCard(character))
    taken = Goods.of(GATHERERS[character])
    assert [player.goods for player in step.state.players] == [taken, NO_GOODS]
    assert step.state.players[0].hand == CardBag.of(C.MAID)
    assert prompt_of(step.state) == PlayPrompt(0, 2)
    assert step.events == (CardPlayed(0, character), GoodsTaken(0, taken, CLAUSES[character]))


@pytest.mark.rule("RED-1", "RED-2", "RED-3", "RED-4")
@pytest.mark.parametrize("character", GATHERERS)
def test_a_gatherer_adds_to_what_is_owned(character: Character) -> None:
    """Red owns goods of each kind, and one kind grows by one."""
    state = position(seat(hand=[character, C.MAID], goods=Goods(4, 3, 2, 1)), seat())
    after = play(state, character)
    assert after.players[0].goods == Goods(4, 3, 2, 1) + Goods.of(GATHERERS[character])


@pytest.mark.rule("RED-5")
@pytest.mark.parametrize("character", GATHERERS)
def test_a_gatherers_good_may_be_left(character: Character) -> None:
    """In the Z-Man edition Red plays a gatherer and takes nothing."""
    state = turn_of_red(character, rules=Z_MAN)
    assert legal_actions(state) == (
        PlayCard(character),
        PlayCard(character, use_effect=False),
        PlayCard(C.MAID),
    )
    after = play(state, PlayCard(character, use_effect=False))
    assert after.players[0].goods == NO_GOODS
    assert after.players[0].hand == CardBag.of(C.MAID)
    assert (after.played, prompt_of(after)) == ((character,), PlayPrompt(0, 2))


@pytest.mark.rule("RED-5")
@compulsory_editions
@pytest.mark.parametrize("character", GATHERERS)
def test_elsewhere_a_gatherers_good_must_be_taken(character: Character, rules: RuleSet) -> None:
    """In the other editions there is one way to play a gatherer."""
    state = turn_of_red(character, rules=rules)
    assert legal_actions(state) == (PlayCard(character), PlayCard(C.MAID))
    violation = refusal(state, PlayCard(character, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY


# The Maid


@pytest.mark.rule("RED-6")
@editions
@pytest.mark.parametrize("good", Good)
def test_the_maid_takes_any_one_good(good: Good, rules: RuleSet) -> None:
    """Red chooses gold, wood, stone or brick and takes one of it."""
    state = play(turn_of_red(C.MAID, rules=rules), C.MAID)
    assert prompt_of(state) == MaidPrompt(0)
    assert legal_actions(state)[:4] == tuple(map(TakeGood, Good))
    assert state.players[0].goods == NO_GOODS
    after = play(state, TakeGood(good))
    assert [player.goods for player in after.players] == [Goods.of(good), NO_GOODS]
    assert prompt_of(after) == PlayPrompt(0, 2)


@pytest.mark.rule("RED-6")
def test_the_maid_takes_no_more_than_one_good() -> None:
    """Two goods are the Seamstress's business."""
    state = play(turn_of_red(C.MAID), C.MAID)
    assert refusal(state, TakeGoods(Goods(gold=2))).code is Code.WRONG_KIND


@pytest.mark.rule("RED-7")
def test_the_maid_may_be_declined() -> None:
    """In the Z-Man edition Red is offered four goods, or none."""
    state = play(turn_of_red(C.MAID, rules=Z_MAN), C.MAID)
    assert legal_actions(state) == (*map(TakeGood, Good), Decline())
    after = play(state, Decline())
    assert after.players[0].goods == NO_GOODS
    assert prompt_of(after) == PlayPrompt(0, 2)


@pytest.mark.rule("RED-7")
def test_the_maid_is_not_declined_as_she_is_played() -> None:
    """Red declines at the choice of a good, and not before."""
    state = turn_of_red(C.MAID, rules=Z_MAN)
    assert legal_actions(state) == (PlayCard(C.MAID),)
    assert refusal(state, PlayCard(C.MAID, use_effect=False)).code is Code.NO_EFFECT_TO_DECLINE


@pytest.mark.rule("RED-7")
@compulsory_editions
def test_elsewhere_the_maid_takes_a_good(rules: RuleSet) -> None:
    """In the other editions Red must choose a good."""
    state = play(turn_of_red(C.MAID, rules=rules), C.MAID)
    assert legal_actions(state) == tuple(map(TakeGood, Good))
    assert refusal(state, Decline()).code is Code.EFFECT_COMPULSORY


# The Builder


@pytest.mark.rule("RED-8")
@editions
def test_the_builder_erects_or_upgrades(rules: RuleSet) -> None:
    """Red owns a building and may upgrade it, or erect another, or do neither."""
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(1, 1, 1, 1), built=[0]),
        seat(),
        rules=rules,
        display=dict.fromkeys((0, 3), a_building(cost=Goods(1, 1, 1, 1))),
    )
    state = play(state, C.BUILDER)
    assert prompt_of(state) == SitePrompt(0, NO_GOODS)
    assert legal_actions(state) == (Build(3), Upgrade(0), Decline())


@pytest.mark.rule("RED-8")
def test_the_builder_reduces_no_price() -> None:
    """A building of two of each kind costs just that."""
    price = Goods(2, 2, 2, 2)
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=price), seat(), display={7: a_building(cost=price)}
    )
    assert prompt_of(play(state, C.BUILDER, Build(7))) == PaymentPrompt(0, 7, price)


@pytest.mark.rule("RED-8", "RED-15")
@editions
def test_the_builder_without_means_does_nothing(rules: RuleSet) -> None:
    """Red can afford nothing, is asked nothing, and has played a card."""
    state = turn_of_red(C.BUILDER, rules=rules)
    step = transition(state, PlayCard(C.BUILDER))
    assert prompt_of(step.state) == PlayPrompt(0, 2)
    assert step.state.played == (C.BUILDER,)
    assert EffectFizzled(0, C.BUILDER) in step.events


@pytest.mark.rule("RED-9")
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("character", [C.CARVER, C.TRADER, C.PIUS])
def test_every_seat_may_build_in_every_colour(number: int, character: Character) -> None:
    """Green, blue and yellow buildings stand open to all four players."""
    players = [seat(hand=[C.BUILDER, C.MAID])] * 4
    display = {9: a_building(character=character, cost=NO_GOODS)}
    state = position(*players, display=display, active=number)
    state = play(state, C.BUILDER, Build(9), Pay(NO_GOODS))
    assert [list(player.built) for player in state.players] == [
        [9] if other == number else [] for other in range(4)
    ]


@pytest.mark.rule("RED-9")
@pytest.mark.parametrize("own", [(), (0,), (0, 1, 2)])
@pytest.mark.parametrize("character", [C.CARVER, C.TRADER, C.PIUS])
def test_no_colour_depends_on_what_one_has_built(character: Character, own: tuple[int]) -> None:
    """Green, blue and yellow buildings stand open, whatever colours the player has built in."""
    red = seat(hand=[C.BUILDER, C.MAID], built=own)
    built = dict(enumerate(a_building(character=each) for each in (C.CARVER, C.TRADER, C.PIUS)))
    display = built | {9: a_building(character=character, cost=NO_GOODS)}
    state = play(position(red, seat(), display=display), C.BUILDER)
    assert Build(9) in legal_actions(state)


# The Apprentice


@pytest.mark.rule("RED-10")
@pytest.mark.parametrize("rules", [*EDITIONS, PURPLE_APPRENTICE], ids=str)
@pytest.mark.parametrize("character", GATHERERS)
def test_the_apprentice_copies_a_gatherer(character: Character, rules: RuleSet) -> None:
    """Red plays a gatherer and an Apprentice, and has two of the good."""
    state = turn_of_red(character, C.APPRENTICE, rules=rules)
    after = play(state, character, C.APPRENTICE)
    assert [player.goods for player in after.players] == [
        Goods.of(GATHERERS[character], 2),
        NO_GOODS,
    ]
    assert after.played == (character, C.APPRENTICE)
    assert prompt_of(after) == PlayPrompt(0, 1)


@pytest.mark.rule("RED-10")
@pytest.mark.parametrize("character", INCOMES)
def test_the_apprentice_copies_a_green_card(character: Character) -> None:
    """Red owns three icons of a kind and has six goods of it after green card and Apprentice."""
    icon = INCOMES[character]
    state = position(
        seat(hand=[character, C.APPRENTICE, C.MAID], built=[0], upgraded=[1]),
        seat(),
        display=dict.fromkeys((0, 1), a_building(icon=icon)),
    )
    assert play(state, character, C.APPRENTICE).players[0].goods == Goods.of(icon, 6)


@pytest.mark.rule("RED-10", "RED-16")
def test_the_apprentice_copies_the_maid() -> None:
    """Red takes a wood with the Maid and a stone with her Apprentice."""
    state = play(turn_of_red(C.MAID, C.APPRENTICE), C.MAID, TakeGood(Good.WOOD), C.APPRENTICE)
    assert prompt_of(state) == MaidPrompt(0)
    after = play(state, TakeGood(Good.STONE))
    assert after.players[0].goods == Goods(wood=1, stone=1)
    assert prompt_of(after) == PlayPrompt(0, 1)


@pytest.mark.rule("RED-10")
def test_the_log_tells_what_is_copied() -> None:
    """The Apprentice is played, copies the Lumberjack, and takes a wood."""
    step = transition(apprentice_after(C.LUMBERJACK), PlayCard(C.APPRENTICE))
    assert step.events == (
        CardPlayed(0, C.APPRENTICE),
        CardCopied(0, C.LUMBERJACK),
        GoodsTaken(0, Goods(wood=1), "RED-2"),
    )


@pytest.mark.rule("RED-10")
def test_only_the_card_immediately_before_is_copied() -> None:
    """Shopkeeper, then Lumberjack, then Apprentice: it is the wood that is taken again."""
    state = turn_of_red(C.SHOPKEEPER, C.LUMBERJACK, C.APPRENTICE)
    after = play(state, C.SHOPKEEPER, C.LUMBERJACK, C.APPRENTICE)
    assert after.players[0].goods == Goods(gold=1, wood=2)


@pytest.mark.rule("RED-11")
@editions
@pytest.mark.parametrize("plays", [3, 1])
def test_an_apprentice_that_opens_the_turn_does_nothing(plays: int, rules: RuleSet) -> None:
    """There is no card before it; Red gains nothing."""
    state = turn_of_red(C.APPRENTICE, rules=rules, plays=plays)
    assert legal_actions(state) == (PlayCard(C.MAID), PlayCard(C.APPRENTICE))
    step = transition(state, PlayCard(C.APPRENTICE))
    assert EffectFizzled(0, C.APPRENTICE) in step.events
    assert [player.goods for player in step.state.players] == [NO_GOODS, NO_GOODS]


@pytest.mark.rule("RED-10", "RED-11")
def test_the_turn_before_is_not_copied() -> None:
    """Blue ended with a Lumberjack, and so did Red before; Red's Apprentice opens in vain."""
    state = position(
        seat(hand=[C.LUMBERJACK, C.APPRENTICE, C.MAID]),
        seat(hand=[C.LUMBERJACK]),
        plays=1,
    )
    state = draw_all(play(state, C.LUMBERJACK))
    state = draw_all(play(state, C.LUMBERJACK))
    assert prompt_of(state) == PlayPrompt(0, 3)
    after = play(state, C.APPRENTICE)
    assert [player.goods for player in after.players] == [Goods(wood=1), Goods(wood=1)]
    assert prompt_of(after) == PlayPrompt(0, 2)


@pytest.mark.rule("RED-12")
@editions
@pytest.mark.parametrize(
    "character",
    [
        character
        for character in CHARACTERS
        if character.colour in (Colour.PURPLE, Colour.BLUE, Colour.YELLOW)
    ],
)
def test_purple_blue_and_yellow_cards_are_not_copied(character: Character, rules: RuleSet) -> None:
    """After such a card the Apprentice does nothing, though the card could work again."""
    state = apprentice_after(character, rules=rules, goods=Goods(9, 9, 9, 9), upgraded=(1, 2))
    state = state.with_player(1, state.players[1].replace(goods=Goods(9, 9, 9, 9)))
    step = transition(state, PlayCard(C.APPRENTICE))
    assert prompt_of(step.state) == PlayPrompt(0, 1)
    assert EffectFizzled(0, C.APPRENTICE) in step.events
    assert [(player.goods, player.score) for player in step.state.players] == [
        (Goods(9, 9, 9, 9), 0)
    ] * 2
    assert step.state.valette == 0


@pytest.mark.rule("RED-12")
def test_a_card_between_breaks_the_connection() -> None:
    """Lumberjack, Valette, Apprentice: Valette stands between, and is purple."""
    state = apprentice_after(C.LUMBERJACK, C.VALETTE)
    assert play(state, C.APPRENTICE).players[0].goods == NO_GOODS


@pytest.mark.rule("RED-12")
def test_dismissing_a_red_card_is_not_playing_it() -> None:
    """Red's Valette dismisses a Lumberjack; the Apprentice follows Valette all the same."""
    state = position(
        seat(hand=[C.VALETTE, C.LUMBERJACK, C.APPRENTICE, C.MAID]), seat(), supply=[C.BUILDER]
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD))
    dismissed = play(state, Dismiss(C.LUMBERJACK))
    after = play(dismissed, C.APPRENTICE)
    assert after.players[0].goods == Goods(gold=1)


@pytest.mark.rule("RED-13")
@editions
@pytest.mark.parametrize("chain", [1, 2, 3])
def test_a_red_apprentice_copies_through_a_chain(chain: int, rules: RuleSet) -> None:
    """Lumberjack and any number of Apprentices: each Apprentice takes one wood."""
    state = apprentice_after(C.LUMBERJACK, *[C.APPRENTICE] * chain, rules=rules)
    step = transition(state, PlayCard(C.APPRENTICE))
    assert step.state.players[0].goods == Goods(wood=1)
    assert CardCopied(0, C.LUMBERJACK) in step.events


@pytest.mark.rule("RED-13")
def test_three_cards_of_a_chain() -> None:
    """Woodworker, Apprentice, Apprentice with two icons: six wood in one turn."""
    state = position(
        seat(hand=[C.WOODWORKER, C.APPRENTICE, C.APPRENTICE, C.MAID], upgraded=[1]),
        seat(hand=[C.MAID]),
        display={1: a_building(icon=Good.WOOD)},
    )
    state = play(state, C.WOODWORKER, C.APPRENTICE, C.APPRENTICE)
    assert state.players[0].goods == Goods(wood=6)


@pytest.mark.rule("RED-13")
def test_a_chain_can_copy_a_builder() -> None:
    """The second Apprentice builds, as the first one did and the Builder before."""
    state = apprentice_after(C.BUILDER, C.APPRENTICE, goods=Goods(gold=1))
    state = play(state, C.APPRENTICE)
    assert prompt_of(state) == SitePrompt(0, NO_GOODS)
    assert legal_actions(state) == (Build(0), Decline())


@pytest.mark.rule("RED-13", "RED-11", "RED-12")
@pytest.mark.parametrize("head", [(), (C.VALETTE,), (C.NUN,), (C.KNIGHT,)])
@pytest.mark.parametrize("chain", [1, 2])
def test_a_chain_without_a_card_to_copy_does_nothing(
    head: tuple[Character, ...], chain: int
) -> None:
    """The first Apprentice could copy nothing, and neither can those that follow."""
    state = apprentice_after(*head, *[C.APPRENTICE] * chain)
    step = transition(state, PlayCard(C.APPRENTICE))
    assert EffectFizzled(0, C.APPRENTICE) in step.events
    assert prompt_of(step.state) == PlayPrompt(0, 1)
    assert step.state.players[0].goods == NO_GOODS


@pytest.mark.rule("RED-13", "RED-15")
def test_a_declined_apprentice_can_be_copied_through() -> None:
    """In the Z-Man edition Red declines the first Apprentice and uses the second."""
    state = position(
        seat(hand=[C.LUMBERJACK, C.APPRENTICE, C.APPRENTICE, C.MAID]), seat(), rules=Z_MAN
    )
    state = play(state, C.LUMBERJACK, PlayCard(C.APPRENTICE, use_effect=False))
    assert state.players[0].goods == Goods(wood=1)
    state = play(state, C.APPRENTICE)
    assert state.players[0].goods == Goods(wood=2)


@pytest.mark.rule("RED-14")
@pytest.mark.parametrize("chain", [1, 2])
def test_a_purple_apprentice_is_not_copied(chain: int) -> None:
    """Lumberjack, Apprentice, Apprentice: the second Apprentice follows a purple card."""
    state = apprentice_after(C.LUMBERJACK, *[C.APPRENTICE] * chain, rules=PURPLE_APPRENTICE)
    step = transition(state, PlayCard(C.APPRENTICE))
    assert EffectFizzled(0, C.APPRENTICE) in step.events
    assert step.state.players[0].goods == NO_GOODS


@pytest.mark.rule("RED-15")
def test_a_declined_gatherer_can_be_copied() -> None:
    """In the Z-Man edition Red leaves the Lumberjack's wood and takes the Apprentice's."""
    state = turn_of_red(C.LUMBERJACK, C.APPRENTICE, rules=Z_MAN)
    state = play(state, PlayCard(C.LUMBERJACK, use_effect=False), C.APPRENTICE)
    assert state.players[0].goods == Goods(wood=1)


@pytest.mark.rule("RED-15", "RED-16")
@editions
def test_a_declined_builder_can_be_copied(rules: RuleSet) -> None:
    """Red declines to build with the Builder and builds with the Apprentice."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE, C.MAID]), seat(), rules=rules, display={5: FREE}
    )
    state = play(state, C.BUILDER, Decline(), C.APPRENTICE)
    assert prompt_of(state) == SitePrompt(0, NO_GOODS)
    state = play(state, Build(5), Pay(NO_GOODS))
    assert list(state.players[0].built) == [5]


@pytest.mark.rule("RED-15")
def test_a_declined_maid_can_be_copied() -> None:
    """In the Z-Man edition Red declines the Maid and lets the Apprentice take a brick."""
    state = turn_of_red(C.MAID, C.APPRENTICE, rules=Z_MAN)
    state = play(state, C.MAID, Decline(), C.APPRENTICE, TakeGood(Good.BRICK))
    assert state.players[0].goods == Goods(brick=1)


@pytest.mark.rule("RED-15")
@pytest.mark.parametrize("character", [C.BUILDER, C.WOODWORKER])
def test_a_card_that_fizzled_is_the_card_before(character: Character) -> None:
    """A card played in vain stands before the Apprentice, which can do as little as it could."""
    state = turn_of_red(C.LUMBERJACK, character, C.APPRENTICE)
    after = play(state, C.LUMBERJACK, character, C.APPRENTICE)
    assert after.players[0].goods == Goods(wood=1)


@pytest.mark.rule("RED-16")
def test_a_copied_builder_chooses_its_own_site() -> None:
    """Red builds with the Builder and may upgrade that very building with the Apprentice."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE, C.MAID], goods=Goods(gold=2, wood=2)),
        seat(),
        display=dict.fromkeys((0, 8), a_building(cost=Goods(gold=1, wood=1))),
    )
    state = play(state, C.BUILDER)
    assert legal_actions(state) == (Build(0), Build(8), Decline())
    state = play(state, Build(0), Pay(Goods(gold=1, wood=1)), C.APPRENTICE)
    assert legal_actions(state) == (Build(8), Upgrade(0), Decline())
    state = play(state, Upgrade(0), Pay(Goods(wood=1)))
    assert state.players[0].goods == Goods(gold=1)
    assert (list(state.players[0].built), list(state.players[0].upgraded)) == ([0], [0])


@pytest.mark.rule("RED-16")
def test_a_copied_builder_must_afford_its_own_site() -> None:
    """Red's goods are spent by the Builder, so the Apprentice can build nothing."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE, C.MAID], goods=Goods(gold=1, wood=1)),
        seat(),
        display=dict.fromkeys((0, 8), a_building(cost=Goods(gold=1, wood=1))),
    )
    state = play(state, C.BUILDER, Build(0), Pay(Goods(gold=1, wood=1)))
    step = transition(state, PlayCard(C.APPRENTICE))
    assert prompt_of(step.state) == PlayPrompt(0, 1)
    assert EffectFizzled(0, C.APPRENTICE) in step.events


@pytest.mark.rule("RED-16")
def test_a_copied_builder_earns_the_construction_bonus_again() -> None:
    """Valette sees both buildings rise: two points each."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE, C.MAID]),
        seat(),
        display={0: FREE, 5: FREE},
        valette=2,
    )
    state = play(state, C.BUILDER, Build(0), Pay(NO_GOODS))
    assert state.players[0].score == 2
    state = play(state, C.APPRENTICE, Build(5), Pay(NO_GOODS))
    assert state.players[0].score == 4
    assert state.players[0].hand == CardBag.of(C.MAID, C.KNIGHT, C.KNIGHT)


# Declining an Apprentice


@pytest.mark.rule("RED-17")
@pytest.mark.parametrize("character", [*GATHERERS, C.WOODWORKER])
def test_an_apprentice_is_declined_as_it_is_played(character: Character) -> None:
    """In the Z-Man edition a copied gatherer or income may be left, as the card itself may."""
    state = apprentice_after(character, rules=Z_MAN, upgraded=(1,))
    assert legal_actions(state) == (
        PlayCard(C.APPRENTICE),
        PlayCard(C.APPRENTICE, use_effect=False),
        PlayCard(C.KNIGHT),
        PlayCard(C.KNIGHT, use_effect=False),
    )
    step = transition(state, PlayCard(C.APPRENTICE, use_effect=False))
    assert step.state.players[0].goods == NO_GOODS
    assert step.state.played == (character, C.APPRENTICE)
    assert any(isinstance(event, EffectDeclined) for event in step.events)


@pytest.mark.rule("RED-17")
@compulsory_editions
@pytest.mark.parametrize("character", [*GATHERERS, C.WOODWORKER])
def test_elsewhere_the_apprentice_must_copy_them(character: Character, rules: RuleSet) -> None:
    """In the other editions a copied gatherer or income is compulsory."""
    state = apprentice_after(character, rules=rules, upgraded=(1,))
    assert legal_actions(state) == (PlayCard(C.APPRENTICE), PlayCard(C.KNIGHT))
    violation = refusal(state, PlayCard(C.APPRENTICE, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY


@pytest.mark.rule("RED-17")
@editions
def test_a_copied_builder_is_declined_at_the_site(rules: RuleSet) -> None:
    """In every edition the Apprentice need not build, and says so when asked for a site."""
    state = apprentice_after(C.BUILDER, rules=rules, goods=Goods(gold=1))
    violation = refusal(state, PlayCard(C.APPRENTICE, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    state = play(state, C.APPRENTICE)
    assert legal_actions(state) == (Build(0), Decline())
    after = apply(state, Decline())
    assert after.players[0] == state.players[0]
    assert prompt_of(after) == PlayPrompt(0, 1)


@pytest.mark.rule("RED-17")
def test_a_copied_maid_is_declined_at_the_good() -> None:
    """In the Z-Man edition the Apprentice's good may be left when it is to be chosen."""
    state = apprentice_after(C.MAID, rules=Z_MAN)
    violation = refusal(state, PlayCard(C.APPRENTICE, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    state = play(state, C.APPRENTICE)
    assert legal_actions(state) == (*map(TakeGood, Good), Decline())
    assert play(state, Decline()).players[0].goods == NO_GOODS


@pytest.mark.rule("RED-17")
@compulsory_editions
def test_elsewhere_a_copied_maid_takes_a_good(rules: RuleSet) -> None:
    """In the other editions a copied Maid chooses a good, as the Maid does."""
    state = play(apprentice_after(C.MAID, rules=rules), C.APPRENTICE)
    assert legal_actions(state) == tuple(map(TakeGood, Good))
    assert refusal(state, Decline()).code is Code.EFFECT_COMPULSORY


@pytest.mark.rule("RED-17")
@editions
@pytest.mark.parametrize(
    "played", [(), (C.VALETTE,), (C.NUN,), (C.KNIGHT,), (C.BANKER,), (C.BUILDER,), (C.MERCHANT,)]
)
def test_where_nothing_is_copied_nothing_is_declined(
    played: tuple[Character, ...], rules: RuleSet
) -> None:
    """The Apprentice would do nothing anyway, so it is simply played."""
    state = apprentice_after(*played, rules=rules)
    violation = refusal(state, PlayCard(C.APPRENTICE, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert prompt_of(play(state, C.APPRENTICE)) == PlayPrompt(0, 1)


@pytest.mark.rule("RED-10", "RED-11")
def test_the_apprentice_works_in_the_final_phase_as_before() -> None:
    """Nothing about copying changes when the final phase has begun."""
    state = turn_of_red(C.LUMBERJACK, C.APPRENTICE).replace(phase=Phase.FINAL)
    assert play(state, C.LUMBERJACK, C.APPRENTICE).players[0].goods == Goods(wood=2)


@pytest.mark.rule("RED-6", "RED-7")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (TakeGood(Good.STONE), GoodsTaken(0, Goods(stone=1), "RED-6")),
        (Decline(), EffectDeclined(0, "RED-7")),
    ],
)
def test_what_the_maid_does_is_told(
    answer: TakeGood | Decline, told: GoodsTaken | EffectDeclined
) -> None:
    """The good the Maid takes, or that she takes none, is told with its clause."""
    asked = play(position(seat(hand=[C.MAID, C.KNIGHT]), seat(), rules=Z_MAN), C.MAID)
    assert transition(asked, answer).events == (told,)


@pytest.mark.rule("RED-16")
def test_a_copied_builder_has_no_ninth_house() -> None:
    """Red's Builder puts up his eighth house, so that his Apprentice can only upgrade."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE, C.MAID], built=range(1, 8)),
        seat(hand=[C.MAID]),
        display={0: FREE, 8: FREE},
    )
    state = play(state, C.BUILDER, Build(0), Pay(NO_GOODS), C.APPRENTICE)
    assert legal_actions(state) == (Upgrade(0), Decline())
    assert refusal(state, Build(8)).code is Code.NO_HOUSE_LEFT
