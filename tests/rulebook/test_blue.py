"""The twelve blue characters."""

from __future__ import annotations

import pytest

from tests.positions import (
    a_building,
    editions,
    once_played,
    play,
    position,
    prompt_of,
    refusal,
    seat,
)
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    Build,
    Character,
    Code,
    Decline,
    GameState,
    GiveGood,
    Good,
    Goods,
    Pay,
    PlayCard,
    ReturnGood,
    RuleSet,
    TakeGood,
    TakeGoods,
    Upgrade,
    legal_actions,
    transition,
)
from valletta_rules.agenda import (
    ArtisanPrompt,
    BonusPrompt,
    EndTurn,
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
)
from valletta_rules.events import (
    CardPlayed,
    EffectDeclined,
    EffectFizzled,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
)

COMPULSORY = pytest.mark.parametrize("rules", [HANS_IM_GLUECK, REFERENCE_MANUAL], ids=str)
EVERY_GOOD = pytest.mark.parametrize("good", Good)
MATERIALS = (Good.WOOD, Good.STONE, Good.BRICK)
TAKE_ANY = tuple(TakeGood(good) for good in Good)
SPARE = Character.SHOPKEEPER
"""A card that stays in the hand, so that the turn goes on."""


def assert_fizzles(state: GameState, card: Character) -> None:
    """Assert that a card is played without effect, asks nothing and cannot be declined."""
    result = transition(state, PlayCard(card))
    assert result.state == once_played(state, card)
    assert result.events == (
        CardPlayed(state.active, card),
        EffectFizzled(state.active, card),
    )
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert violation.clause.startswith(("BLU", "TRN"))


# The Monk


@pytest.mark.rule("BLU-1")
@editions
def test_monk_takes_one_good_from_each_opponent(rules: RuleSet) -> None:
    """Red plays the Monk; Blue gives a wood of his four goods and Green a gold of his nine."""
    state = position(
        seat(hand=[Character.MONK, SPARE], goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(gold=9)),
        rules=rules,
    )
    after = play(state, Character.MONK, GiveGood(Good.WOOD), GiveGood(Good.GOLD))
    assert after == once_played(
        state,
        Character.MONK,
        goods={0: Goods(2, 2, 1, 1), 1: Goods(1, 0, 1, 1), 2: Goods(gold=8)},
    )


@pytest.mark.rule("BLU-1")
def test_gift_is_told() -> None:
    """The gift is told with its giver, its taker and the clause of the Monk."""
    state = position(
        seat(hand=[Character.MONK, SPARE]), seat(), seat(goods=Goods(stone=4)), agenda=None
    )
    events = transition(play(state, Character.MONK), GiveGood(Good.STONE)).events
    assert len(events) == 1
    assert isinstance(events[0], GoodsGiven)
    assert (events[0].giver, events[0].taker, events[0].goods) == (2, 0, Goods(stone=1))
    assert events[0].clause.startswith("BLU-")


@pytest.mark.rule("BLU-2", "BLU-34")
@editions
def test_the_opponent_chooses_what_he_gives(rules: RuleSet) -> None:
    """Blue owns gold and bricks: he may give either, nothing else, and cannot refuse."""
    state = position(
        seat(hand=[Character.MONK, SPARE]), seat(goods=Goods(gold=1, brick=3)), seat(), rules=rules
    )
    asked = play(state, Character.MONK)
    assert asked.prompt == MonkPrompt(1, 0)
    assert legal_actions(asked) == (GiveGood(Good.GOLD), GiveGood(Good.BRICK))
    for good in (Good.WOOD, Good.STONE):
        violation = refusal(asked, GiveGood(good))
        assert (violation.clause, violation.code) == ("BLU-2", Code.NOT_OWNED)
    violation = refusal(asked, Decline())
    assert violation.clause == "BLU-2"
    after = play(asked, GiveGood(Good.BRICK))
    assert after == once_played(
        state, Character.MONK, goods={0: Goods(brick=1), 1: Goods(gold=1, brick=2)}
    )


@pytest.mark.rule("BLU-2")
def test_the_only_kind_is_still_asked_for() -> None:
    """An opponent with one kind of good is asked all the same."""
    state = position(seat(hand=[Character.MONK, SPARE]), seat(goods=Goods(wood=4)), seat())
    assert legal_actions(play(state, Character.MONK)) == (GiveGood(Good.WOOD),)


@pytest.mark.rule("BLU-3")
@pytest.mark.parametrize(
    ("active", "order"), [(0, (1, 2, 3)), (1, (2, 3, 0)), (2, (3, 0, 1)), (3, (0, 1, 2))]
)
def test_monk_asks_clockwise(active: int, order: tuple[int, ...]) -> None:
    """Four players: the Monk asks the seat after the active one first, and so on round."""
    players = [seat(goods=Goods(4, 4, 4, 4)) for _ in range(4)]
    players[active] = seat(hand=[Character.MONK, SPARE])
    state = position(*players, active=active)
    after = play(state, Character.MONK)
    for opponent in order:
        assert after.prompt == MonkPrompt(opponent, active)
        after = play(after, GiveGood(Good.STONE))
    goods = {opponent: Goods(4, 4, 3, 4) for opponent in order} | {active: Goods(stone=3)}
    assert after == once_played(state, Character.MONK, goods=goods)


@pytest.mark.rule("BLU-3", "BLU-4")
def test_monk_passes_over_the_poor() -> None:
    """Of three opponents the middle one owns three goods only and is not asked."""
    state = position(
        seat(hand=[Character.MONK, SPARE]),
        seat(goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(1, 1, 1, 0)),
        seat(goods=Goods(2, 2, 2, 2)),
    )
    after = play(state, Character.MONK, GiveGood(Good.GOLD))
    assert after.prompt == MonkPrompt(3, 0)
    assert play(after, GiveGood(Good.GOLD)) == once_played(
        state,
        Character.MONK,
        goods={0: Goods(gold=2), 1: Goods(0, 1, 1, 1), 3: Goods(1, 2, 2, 2)},
    )


@pytest.mark.rule("BLU-4")
@editions
@pytest.mark.parametrize("goods", [Goods(), Goods(gold=3), Goods(1, 1, 1, 0), Goods(0, 0, 1, 2)])
def test_three_goods_are_too_few_for_the_monk(goods: Goods, rules: RuleSet) -> None:
    """No opponent owns four goods: with three players the Monk has no effect."""
    state = position(
        seat(hand=[Character.MONK, SPARE], goods=Goods(9, 9, 9, 9)),
        seat(goods=goods),
        seat(goods=goods),
        rules=rules,
    )
    assert_fizzles(state, Character.MONK)


@pytest.mark.rule("BLU-5")
@editions
@EVERY_GOOD
def test_monk_between_two(good: Good, rules: RuleSet) -> None:
    """Two players: when Blue has given, Red may take any good from the general supply besides."""
    state = position(seat(hand=[Character.MONK, SPARE]), seat(goods=Goods(2, 2, 2, 2)), rules=rules)
    asked = play(state, Character.MONK, GiveGood(Good.GOLD))
    assert asked.prompt == BonusPrompt(0, Character.MONK)
    assert prompt_of(asked).clause == "BLU-5"
    assert legal_actions(asked) == (*TAKE_ANY, Decline())
    given = {0: Goods(gold=1), 1: Goods(1, 2, 2, 2)}
    assert play(asked, Decline()) == once_played(state, Character.MONK, goods=given)
    assert play(asked, TakeGood(good)) == once_played(
        state, Character.MONK, goods=given | {0: Goods(gold=1) + Goods.of(good)}
    )


@pytest.mark.rule("BLU-5", "BLU-4")
@editions
def test_monk_between_two_without_a_gift(rules: RuleSet) -> None:
    """Blue owns three goods and gives nothing, yet Red may take a good."""
    state = position(
        seat(hand=[Character.MONK, SPARE]), seat(goods=Goods(brick=3)), rules=rules, active=0
    )
    assert PlayCard(Character.MONK, use_effect=False) not in legal_actions(state)
    asked = play(state, Character.MONK)
    assert asked.prompt == BonusPrompt(0, Character.MONK)
    assert play(asked, TakeGood(Good.STONE)) == once_played(
        state, Character.MONK, goods={0: Goods(stone=1)}
    )
    assert play(asked, Decline()) == once_played(state, Character.MONK)


@pytest.mark.rule("BLU-5", "BLU-25", "BLU-32")
@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("card", [Character.INNKEEPER, Character.TAX_COLLECTOR])
def test_no_extra_good_with_more_players(card: Character, count: int) -> None:
    """With three or four players there is no extra good after the gifts."""
    givers = [seat(goods=Goods(3, 3, 3, 3)) for _ in range(count - 1)]
    state = position(seat(hand=[card, SPARE]), *givers)
    after = play(state, card)
    assert after.prompt == PlayPrompt(0, 2)
    assert after.players[0].goods.total == (
        count - 1 if card is Character.INNKEEPER else 3 * (count - 1)
    )


# Bricklayer, Stonemason and Carpenter

CRAFTSMEN = pytest.mark.parametrize(
    ("card", "good"),
    [
        pytest.param(Character.BRICKLAYER, Good.BRICK, marks=pytest.mark.rule("BLU-6")),
        pytest.param(Character.STONEMASON, Good.STONE, marks=pytest.mark.rule("BLU-22")),
        pytest.param(Character.CARPENTER, Good.WOOD, marks=pytest.mark.rule("BLU-29")),
    ],
    ids=str,
)


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@editions
@CRAFTSMEN
@pytest.mark.parametrize(("printed", "reduced"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
def test_craftsman_builds_cheaper(
    card: Character, good: Good, printed: int, reduced: int, rules: RuleSet
) -> None:
    """Up to two of the craftsman's good come off the price of a building, never more."""
    state = position(
        seat(hand=[card, SPARE], goods=Goods(5, 5, 5, 5)),
        seat(),
        rules=rules,
        display={3: a_building(cost=Goods(gold=1) + Goods.of(good, printed))},
    )
    asked = play(state, card)
    assert asked.prompt == SitePrompt(0, Goods.of(good, 2))
    assert legal_actions(asked) == (Build(3), Decline())
    price = Goods(gold=1) + Goods.of(good, reduced)
    paying = play(asked, Build(3))
    assert paying.prompt == PaymentPrompt(0, 3, price)
    after = play(paying, Pay(price))
    player = after.players[0]
    assert player.goods == Goods(5, 5, 5, 5) - price
    assert 3 in player.built
    assert Character.KNIGHT in player.hand
    assert after.prompt == PlayPrompt(0, 2)


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@CRAFTSMEN
@pytest.mark.parametrize(("printed", "reduced"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_craftsman_upgrades_cheaper(
    card: Character, good: Good, printed: int, reduced: int
) -> None:
    """The reduction holds for an upgrade too, whose gold is not paid at all."""
    state = position(
        seat(hand=[card, SPARE], built=[7], goods=Goods(5, 5, 5, 5)),
        seat(),
        display={7: a_building(cost=Goods(gold=3) + Goods.of(good, printed))},
    )
    paying = play(state, card, Upgrade(7))
    assert paying.prompt == PaymentPrompt(0, 7, Goods.of(good, reduced))
    after = play(paying, Pay(Goods.of(good, reduced)))
    assert after.players[0].goods == Goods(5, 5, 5, 5) - Goods.of(good, reduced)
    assert 7 in after.players[0].upgraded
    assert after.prompt == PlayPrompt(0, 2)


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@CRAFTSMEN
def test_craftsman_reduces_only_his_good(card: Character, good: Good) -> None:
    """A price of two of each material falls by two of the craftsman's material only."""
    state = position(
        seat(hand=[card, SPARE], goods=Goods(2, 2, 2, 2)),
        seat(),
        display={0: a_building(cost=Goods(2, 2, 2, 2))},
    )
    paying = play(state, card, Build(0))
    assert paying.prompt == PaymentPrompt(0, 0, Goods(2, 2, 2, 2) - Goods.of(good, 2))


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@CRAFTSMEN
def test_craftsman_builds_once(card: Character, good: Good) -> None:
    """After one building the craftsman's work is done."""
    state = position(
        seat(hand=[card, SPARE], goods=Goods(gold=2)),
        seat(),
        display={site: a_building(cost=Goods.of(good, 2)) for site in (0, 1)},
    )
    after = play(state, card, Build(0), Pay(Goods()))
    assert after.prompt == PlayPrompt(0, 2)
    assert list(after.players[0].built) == [0]


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@editions
@CRAFTSMEN
def test_craftsman_may_stay_idle(card: Character, good: Good, rules: RuleSet) -> None:
    """In every edition the player may decline to build, at the choice of the site."""
    state = position(
        seat(hand=[card, SPARE]),
        seat(),
        rules=rules,
        display={0: a_building(cost=Goods.of(good, 2))},
    )
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert play(state, card, Decline()) == once_played(state, card)


@pytest.mark.rule("BLU-6", "BLU-22", "BLU-29")
@editions
@CRAFTSMEN
def test_craftsman_without_a_site(card: Character, good: Good, rules: RuleSet) -> None:
    """With one item missing even after the reduction nobody is asked anything."""
    state = position(
        seat(hand=[card, SPARE], goods=Goods(gold=1)),
        seat(),
        rules=rules,
        display={0: a_building(cost=Goods(gold=1) + Goods.of(good, 3))},
    )
    assert_fizzles(state, card)


# The Trader


@pytest.mark.rule("BLU-7")
@editions
@pytest.mark.parametrize("good", MATERIALS)
def test_trader(good: Good, rules: RuleSet) -> None:
    """Red owns one of each, plays the Trader, returns a material and takes 3 gold."""
    state = position(
        seat(hand=[Character.TRADER, SPARE], goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(2, 2, 2, 2)),
        rules=rules,
    )
    asked = play(state, Character.TRADER)
    assert asked.prompt == TraderPrompt(0)
    assert legal_actions(asked) == (*(ReturnGood(material) for material in MATERIALS), Decline())
    result = transition(asked, ReturnGood(good))
    assert result.state == once_played(
        state, Character.TRADER, goods={0: Goods(4, 1, 1, 1) - Goods.of(good)}
    )
    assert result.events == (
        GoodsReturned(0, Goods.of(good), "BLU-7"),
        GoodsTaken(0, Goods(gold=3), "BLU-7"),
    )


@pytest.mark.rule("BLU-7")
def test_trader_takes_owned_materials_only() -> None:
    """Red owns gold and stones: only a stone can be returned."""
    state = position(seat(hand=[Character.TRADER, SPARE], goods=Goods(gold=5, stone=2)), seat())
    asked = play(state, Character.TRADER)
    assert legal_actions(asked) == (ReturnGood(Good.STONE), Decline())
    violation = refusal(asked, ReturnGood(Good.GOLD))
    assert (violation.clause, violation.code) == ("BLU-7", Code.GOOD_NOT_OFFERED)
    violation = refusal(asked, ReturnGood(Good.WOOD))
    assert (violation.clause, violation.code) == ("BLU-7", Code.NOT_OWNED)


@pytest.mark.rule("BLU-8")
@editions
def test_declining_the_trader(rules: RuleSet) -> None:
    """In every edition Red may decline the trade when asked for the material, and not before."""
    state = position(seat(hand=[Character.TRADER, SPARE], goods=Goods(wood=1)), seat(), rules=rules)
    assert refusal(state, PlayCard(Character.TRADER, use_effect=False)).code is (
        Code.NO_EFFECT_TO_DECLINE
    )
    asked = play(state, Character.TRADER)
    assert legal_actions(asked) == (ReturnGood(Good.WOOD), Decline())
    result = transition(asked, Decline())
    assert result.state == once_played(state, Character.TRADER)
    assert [type(event) for event in result.events] == [EffectDeclined]


@pytest.mark.rule("BLU-9")
@editions
@pytest.mark.parametrize("gold", [0, 1, 9])
def test_nothing_to_trade(gold: int, rules: RuleSet) -> None:
    """Red owns nothing but gold: the Trader has no effect."""
    state = position(
        seat(hand=[Character.TRADER, SPARE], goods=Goods(gold=gold)),
        seat(goods=Goods(3, 3, 3, 3)),
        rules=rules,
    )
    assert_fizzles(state, Character.TRADER)


# The Seamstress

PAIRS = (
    Goods(0, 0, 0, 2),
    Goods(0, 0, 1, 1),
    Goods(0, 0, 2, 0),
    Goods(0, 1, 0, 1),
    Goods(0, 1, 1, 0),
    Goods(0, 2, 0, 0),
    Goods(1, 0, 0, 1),
    Goods(1, 0, 1, 0),
    Goods(1, 1, 0, 0),
    Goods(2, 0, 0, 0),
)


@pytest.mark.rule("BLU-10")
@editions
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_seamstress(pair: Goods, rules: RuleSet) -> None:
    """Red plays the Seamstress and takes any two goods, alike or different."""
    state = position(
        seat(hand=[Character.SEAMSTRESS, SPARE], goods=Goods(1, 1, 1, 1)), seat(), rules=rules
    )
    asked = play(state, Character.SEAMSTRESS)
    assert asked.prompt == SeamstressPrompt(0)
    declining = (Decline(),) if rules is Z_MAN else ()
    assert legal_actions(asked) == (*map(TakeGoods, PAIRS), *declining)
    result = transition(asked, TakeGoods(pair))
    assert result.state == once_played(
        state, Character.SEAMSTRESS, goods={0: Goods(1, 1, 1, 1) + pair}
    )
    assert result.events == (GoodsTaken(0, pair, "BLU-10"),)


@pytest.mark.rule("BLU-10", "BLU-11")
@editions
@pytest.mark.parametrize("goods", [Goods(), Goods(gold=1), Goods(wood=3), Goods(1, 1, 1, 1)])
def test_seamstress_takes_exactly_two(goods: Goods, rules: RuleSet) -> None:
    """Neither none nor one nor more than two goods can be taken, in any edition."""
    state = position(seat(hand=[Character.SEAMSTRESS, SPARE]), seat(), rules=rules)
    violation = refusal(play(state, Character.SEAMSTRESS), TakeGoods(goods))
    assert violation.code is Code.WRONG_NUMBER_OF_GOODS
    assert violation.clause in {"BLU-10", "BLU-11"}


@pytest.mark.rule("BLU-11")
def test_declining_the_seamstress() -> None:
    """In the optional editions both goods may be declined, when they are chosen."""
    state = position(seat(hand=[Character.SEAMSTRESS, SPARE]), seat(), rules=Z_MAN)
    assert PlayCard(Character.SEAMSTRESS, use_effect=False) not in legal_actions(state)
    asked = play(state, Character.SEAMSTRESS)
    assert Decline() in legal_actions(asked)
    assert play(asked, Decline()) == once_played(state, Character.SEAMSTRESS)


# The Merchant


@pytest.mark.rule("BLU-12", "BLU-14")
@editions
@pytest.mark.parametrize("gold", [1, 2, 7])
def test_merchant(gold: int, rules: RuleSet) -> None:
    """Red returns 1 gold and takes one of each material; his last gold will do."""
    state = position(
        seat(hand=[Character.MERCHANT, SPARE], goods=Goods(gold, 0, 2, 0)), seat(), rules=rules
    )
    result = transition(state, PlayCard(Character.MERCHANT))
    assert result.state == once_played(
        state, Character.MERCHANT, goods={0: Goods(gold - 1, 1, 3, 1)}
    )
    assert result.events == (
        CardPlayed(0, Character.MERCHANT),
        GoodsReturned(0, Goods(gold=1), "BLU-12"),
        GoodsTaken(0, Goods(0, 1, 1, 1), "BLU-12"),
    )


@pytest.mark.rule("BLU-13")
@editions
def test_declining_the_merchant(rules: RuleSet) -> None:
    """In every edition Red may play the Merchant without trading."""
    state = position(
        seat(hand=[Character.MERCHANT, Character.BUILDER], goods=Goods(gold=1)),
        seat(),
        rules=rules,
    )
    in_vain = PlayCard(Character.MERCHANT, use_effect=False)
    assert legal_actions(state) == (
        PlayCard(Character.BUILDER),
        PlayCard(Character.MERCHANT),
        in_vain,
    )
    assert play(state, in_vain) == once_played(state, Character.MERCHANT)


@pytest.mark.rule("BLU-14")
@editions
def test_no_gold_to_trade(rules: RuleSet) -> None:
    """Red owns everything but gold: the Merchant has no effect, and there is no substitution."""
    state = position(
        seat(hand=[Character.MERCHANT, SPARE], goods=Goods(0, 9, 9, 9)), seat(), rules=rules
    )
    assert_fizzles(state, Character.MERCHANT)


# The Artisan


@pytest.mark.rule("BLU-15")
@editions
@pytest.mark.parametrize(
    ("good", "count"), [(Good.GOLD, 1), (Good.WOOD, 3), (Good.STONE, 2), (Good.BRICK, 0)]
)
def test_artisan(good: Good, count: int, rules: RuleSet) -> None:
    """Red names a good and takes as many of it as he owns icons, upgraded ones counting twice."""
    state = position(
        seat(hand=[Character.ARTISAN, SPARE], built=[0, 1], upgraded=[2, 3]),
        seat(built=[4]),
        rules=rules,
        display={
            0: a_building(icon=Good.GOLD, character=Character.MASON),
            1: a_building(icon=Good.WOOD, character=Character.NUN),
            2: a_building(icon=Good.WOOD, character=Character.PIUS),
            3: a_building(icon=Good.STONE),
            4: a_building(icon=Good.BRICK),
            5: a_building(icon=Good.BRICK),
        },
    )
    asked = play(state, Character.ARTISAN)
    assert asked.prompt == ArtisanPrompt(0)
    assert play(asked, TakeGood(good)) == once_played(
        state, Character.ARTISAN, goods={0: Goods.of(good, count)}
    )


@pytest.mark.rule("BLU-16")
@editions
@EVERY_GOOD
def test_artisan_may_name_any_good(good: Good, rules: RuleSet) -> None:
    """With a single icon all four goods can be named; three of them bring nothing."""
    state = position(
        seat(hand=[Character.ARTISAN, SPARE], built=[0]),
        seat(),
        rules=rules,
        display={0: a_building(icon=Good.STONE)},
    )
    asked = play(state, Character.ARTISAN)
    declining = (Decline(),) if rules is Z_MAN else ()
    assert legal_actions(asked) == (*TAKE_ANY, *declining)
    stones = Goods(stone=1) if good is Good.STONE else Goods()
    assert play(asked, TakeGood(good)) == once_played(state, Character.ARTISAN, goods={0: stones})


@pytest.mark.rule("BLU-17")
@editions
def test_artisan_without_icons(rules: RuleSet) -> None:
    """Only the opponent owns buildings: the Artisan has no effect."""
    state = position(
        seat(hand=[Character.ARTISAN, SPARE], goods=Goods(1, 1, 1, 1)),
        seat(built=[0], upgraded=[1]),
        rules=rules,
    )
    assert_fizzles(state, Character.ARTISAN)


@pytest.mark.rule("BLU-18")
def test_declining_the_artisan() -> None:
    """In the optional editions the Artisan may be declined when a good is to be named."""
    state = position(seat(hand=[Character.ARTISAN, SPARE], built=[0]), seat(), rules=Z_MAN)
    assert PlayCard(Character.ARTISAN, use_effect=False) not in legal_actions(state)
    asked = play(state, Character.ARTISAN)
    assert Decline() in legal_actions(asked)
    assert play(asked, Decline()) == once_played(state, Character.ARTISAN)


@pytest.mark.rule("BLU-11", "BLU-18", "BLU-28")
@COMPULSORY
@pytest.mark.parametrize("card", [Character.SEAMSTRESS, Character.ARTISAN, Character.NUN])
def test_choice_compulsory(card: Character, rules: RuleSet) -> None:
    """In the other editions Seamstress, Artisan and Nun cannot be declined at all."""
    state = position(seat(hand=[card, SPARE], built=[0]), seat(), rules=rules)
    refused = refusal(state, PlayCard(card, use_effect=False))
    assert refused.code in {Code.EFFECT_COMPULSORY, Code.NO_EFFECT_TO_DECLINE}
    asked = play(state, card)
    assert Decline() not in legal_actions(asked)
    refused = refusal(asked, Decline())
    assert refused.code is Code.EFFECT_COMPULSORY
    assert refused.clause.startswith(("BLU", "TRN"))


# The Chamberlain


@pytest.mark.rule("BLU-19")
@editions
@pytest.mark.parametrize("count", [1, 2, 8])
def test_chamberlain(count: int, rules: RuleSet) -> None:
    """Red takes 1 gold for each of his green buildings, whatever icons they show."""
    state = position(
        seat(hand=[Character.CHAMBERLAIN, SPARE], built=range(count)),
        seat(built=range(10, 13)),
        rules=rules,
        display={
            site: a_building(character=Character.MASON, icon=Good.BRICK) for site in range(20)
        },
    )
    assert play(state, Character.CHAMBERLAIN) == once_played(
        state, Character.CHAMBERLAIN, goods={0: Goods(gold=count)}
    )


@pytest.mark.rule("BLU-19")
def test_chamberlain_counts_green_only_and_once() -> None:
    """Of a green, an upgraded green, a blue and a yellow building two count."""
    state = position(
        seat(hand=[Character.CHAMBERLAIN, SPARE], built=[0, 2], upgraded=[1, 3]),
        seat(),
        display={
            0: a_building(character=Character.BANKER),
            1: a_building(character=Character.CARVER),
            2: a_building(character=Character.CHAMBERLAIN),
            3: a_building(character=Character.KNIGHT),
        },
    )
    result = transition(state, PlayCard(Character.CHAMBERLAIN))
    assert result.state == once_played(state, Character.CHAMBERLAIN, goods={0: Goods(gold=2)})
    assert result.events == (
        CardPlayed(0, Character.CHAMBERLAIN),
        GoodsTaken(0, Goods(gold=2), "BLU-19"),
    )


@pytest.mark.rule("BLU-20")
@editions
def test_no_green_building(rules: RuleSet) -> None:
    """Red's buildings are blue and yellow, the green one is the opponent's: no effect."""
    state = position(
        seat(hand=[Character.CHAMBERLAIN, SPARE], built=[0], upgraded=[1]),
        seat(built=[2]),
        rules=rules,
        display={
            0: a_building(character=Character.NUN),
            1: a_building(character=Character.PIUS),
            2: a_building(character=Character.BANKER),
            3: a_building(character=Character.BANKER),
        },
    )
    assert_fizzles(state, Character.CHAMBERLAIN)


@pytest.mark.rule("BLU-21")
@editions
def test_declining_the_chamberlain(rules: RuleSet) -> None:
    """Where effects are optional the gold may be declined as the card is played."""
    state = position(
        seat(hand=[Character.CHAMBERLAIN, SPARE], built=[0]),
        seat(),
        rules=rules,
        display={0: a_building(character=Character.BANKER)},
    )
    in_vain = PlayCard(Character.CHAMBERLAIN, use_effect=False)
    if rules is Z_MAN:
        assert in_vain in legal_actions(state)
        assert play(state, in_vain) == once_played(state, Character.CHAMBERLAIN)
    else:
        assert refusal(state, in_vain).code is Code.EFFECT_COMPULSORY


# The Innkeeper


@pytest.mark.rule("BLU-23", "BLU-24")
@editions
def test_innkeeper(rules: RuleSet) -> None:
    """Opponents with 5 and 2 gold give 1 each; one with 1 gold and many goods gives nothing."""
    state = position(
        seat(hand=[Character.INNKEEPER, SPARE], goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(5, 1, 1, 1)),
        seat(goods=Goods(1, 9, 9, 9)),
        seat(goods=Goods(gold=2)),
        rules=rules,
    )
    result = transition(state, PlayCard(Character.INNKEEPER))
    assert result.state == once_played(
        state,
        Character.INNKEEPER,
        goods={0: Goods(3, 1, 1, 1), 1: Goods(4, 1, 1, 1), 3: Goods(gold=1)},
    )
    assert result.events == (
        CardPlayed(0, Character.INNKEEPER),
        GoodsGiven(1, 0, Goods(gold=1), "BLU-23"),
        GoodsGiven(3, 0, Goods(gold=1), "BLU-23"),
    )


@pytest.mark.rule("BLU-23")
@pytest.mark.parametrize("count", [3, 4])
def test_innkeeper_of_a_later_seat(count: int) -> None:
    """The last seat plays the Innkeeper: every other gives."""
    givers = [seat(goods=Goods(gold=2)) for _ in range(count - 1)]
    state = position(*givers, seat(hand=[Character.INNKEEPER, SPARE]), active=count - 1)
    goods = {number: Goods(gold=1) for number in range(count - 1)}
    assert play(state, Character.INNKEEPER) == once_played(
        state, Character.INNKEEPER, goods=goods | {count - 1: Goods(gold=count - 1)}
    )


@pytest.mark.rule("BLU-24")
@editions
@pytest.mark.parametrize("gold", [0, 1])
def test_less_than_two_gold(gold: int, rules: RuleSet) -> None:
    """With three players, neither opponent owning two gold, the Innkeeper has no effect."""
    state = position(
        seat(hand=[Character.INNKEEPER, SPARE], goods=Goods(gold=5)),
        seat(goods=Goods(gold, 4, 4, 4)),
        seat(goods=Goods(gold=gold)),
        rules=rules,
    )
    assert_fizzles(state, Character.INNKEEPER)


@pytest.mark.rule("BLU-25")
@editions
@pytest.mark.parametrize(("gold", "given"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_innkeeper_between_two(gold: int, given: int, rules: RuleSet) -> None:
    """Two players: Red may take 1 gold besides, whether or not Blue gave one."""
    state = position(
        seat(hand=[Character.INNKEEPER, SPARE]), seat(goods=Goods(gold=gold)), rules=rules
    )
    asked = play(state, Character.INNKEEPER)
    assert asked.prompt == BonusPrompt(0, Character.INNKEEPER)
    assert prompt_of(asked).clause == "BLU-25"
    assert legal_actions(asked) == (TakeGood(Good.GOLD), Decline())
    blue = {1: Goods(gold=gold - given)}
    assert play(asked, TakeGood(Good.GOLD)) == once_played(
        state, Character.INNKEEPER, goods=blue | {0: Goods(gold=given + 1)}
    )
    assert play(asked, Decline()) == once_played(
        state, Character.INNKEEPER, goods=blue | {0: Goods(gold=given)}
    )
    for good in MATERIALS:
        violation = refusal(asked, TakeGood(good))
        assert (violation.clause, violation.code) == ("BLU-25", Code.GOOD_NOT_OFFERED)


# The Nun


@pytest.mark.rule("BLU-26", "BLU-27")
@editions
@EVERY_GOOD
@pytest.mark.parametrize("count", [2, 3, 4])
def test_nun(count: int, good: Good, rules: RuleSet) -> None:
    """The Nun takes three of the chosen kind, and then every opponent receives one of it."""
    others = [seat(goods=Goods(1, 1, 1, 1)) for _ in range(count - 1)]
    state = position(seat(hand=[Character.NUN, SPARE]), *others, rules=rules)
    asked = play(state, Character.NUN)
    assert asked.prompt == NunPrompt(0)
    declining = (Decline(),) if rules is Z_MAN else ()
    assert legal_actions(asked) == (*TAKE_ANY, *declining)
    goods = {number: Goods(1, 1, 1, 1) + Goods.of(good) for number in range(1, count)}
    result = transition(asked, TakeGood(good))
    assert result.state == once_played(state, Character.NUN, goods=goods | {0: Goods.of(good, 3)})
    assert result.events == (
        GoodsTaken(0, Goods.of(good, 3), "BLU-26"),
        *(GoodsTaken(number, Goods.of(good), "BLU-27") for number in range(1, count)),
    )


@pytest.mark.rule("BLU-27")
def test_gifts_of_the_nun_go_clockwise() -> None:
    """Seat 2 plays the Nun: seats 3, 0 and 1 receive, in this order."""
    state = position(seat(), seat(), seat(hand=[Character.NUN, SPARE]), seat(), active=2)
    events = transition(play(state, Character.NUN), TakeGood(Good.WOOD)).events
    assert [event.seat for event in events if isinstance(event, GoodsTaken)] == [2, 3, 0, 1]


@pytest.mark.rule("BLU-28")
def test_declining_the_nun() -> None:
    """In the optional editions the Nun may be declined, and then nobody receives anything."""
    state = position(seat(hand=[Character.NUN, SPARE]), seat(), seat(), rules=Z_MAN)
    assert PlayCard(Character.NUN, use_effect=False) not in legal_actions(state)
    asked = play(state, Character.NUN)
    assert Decline() in legal_actions(asked)
    assert play(asked, Decline()) == once_played(state, Character.NUN)


# The Tax Collector


@pytest.mark.rule("BLU-30", "BLU-31")
@editions
def test_tax_collector(rules: RuleSet) -> None:
    """One of each material of which an opponent owns three or more, and never gold."""
    state = position(
        seat(hand=[Character.TAX_COLLECTOR, SPARE], goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(9, 3, 2, 7)),
        seat(goods=Goods(9, 2, 2, 2)),
        seat(goods=Goods(0, 3, 3, 3)),
        rules=rules,
    )
    result = transition(state, PlayCard(Character.TAX_COLLECTOR))
    assert result.state == once_played(
        state,
        Character.TAX_COLLECTOR,
        goods={0: Goods(1, 3, 2, 3), 1: Goods(9, 2, 2, 6), 3: Goods(0, 2, 2, 2)},
    )
    assert result.events == (
        CardPlayed(0, Character.TAX_COLLECTOR),
        GoodsGiven(1, 0, Goods(0, 1, 0, 1), "BLU-30"),
        GoodsGiven(3, 0, Goods(0, 1, 1, 1), "BLU-30"),
    )


@pytest.mark.rule("BLU-30")
@pytest.mark.parametrize("good", MATERIALS)
@pytest.mark.parametrize(("owned", "given"), [(2, 0), (3, 1), (4, 1), (6, 1)])
def test_tax_threshold(good: Good, owned: int, given: int) -> None:
    """Of each material one is due from three on, and no more than one."""
    state = position(
        seat(hand=[Character.TAX_COLLECTOR, SPARE]), seat(goods=Goods.of(good, owned)), seat()
    )
    assert play(state, Character.TAX_COLLECTOR) == once_played(
        state,
        Character.TAX_COLLECTOR,
        goods={0: Goods.of(good, given), 1: Goods.of(good, owned - given)},
    )


@pytest.mark.rule("BLU-31", "BLU-30")
@editions
def test_gold_is_untaxed(rules: RuleSet) -> None:
    """With three players, the opponents rich in gold alone, the Tax Collector has no effect."""
    state = position(
        seat(hand=[Character.TAX_COLLECTOR, SPARE]),
        seat(goods=Goods(gold=9)),
        seat(goods=Goods(9, 2, 2, 2)),
        rules=rules,
    )
    assert_fizzles(state, Character.TAX_COLLECTOR)


@pytest.mark.rule("BLU-32")
@editions
@pytest.mark.parametrize("good", MATERIALS)
@pytest.mark.parametrize(
    ("owned", "given"), [(Goods(9, 2, 2, 2), Goods()), (Goods(0, 3, 3, 2), Goods(0, 1, 1, 0))]
)
def test_tax_collector_between_two(owned: Goods, given: Goods, good: Good, rules: RuleSet) -> None:
    """Two players: Red may take one material besides, whether or not Blue gave one."""
    state = position(seat(hand=[Character.TAX_COLLECTOR, SPARE]), seat(goods=owned), rules=rules)
    asked = play(state, Character.TAX_COLLECTOR)
    assert asked.prompt == BonusPrompt(0, Character.TAX_COLLECTOR)
    assert prompt_of(asked).clause == "BLU-32"
    assert legal_actions(asked) == (*(TakeGood(material) for material in MATERIALS), Decline())
    assert play(asked, TakeGood(good)) == once_played(
        state, Character.TAX_COLLECTOR, goods={0: given + Goods.of(good), 1: owned - given}
    )
    assert play(asked, Decline()) == once_played(
        state, Character.TAX_COLLECTOR, goods={0: given, 1: owned - given}
    )
    violation = refusal(asked, TakeGood(Good.GOLD))
    assert (violation.clause, violation.code) == ("BLU-32", Code.GOOD_NOT_OFFERED)


# Declining to take from others

TAKERS = pytest.mark.parametrize(
    ("card", "enough", "too_few"),
    [
        (Character.MONK, Goods(1, 1, 1, 1), Goods(1, 1, 1, 0)),
        (Character.INNKEEPER, Goods(gold=2), Goods(1, 9, 9, 9)),
        (Character.TAX_COLLECTOR, Goods(stone=3), Goods(9, 2, 2, 2)),
    ],
    ids=str,
)


@pytest.mark.rule("BLU-33", "BLU-35")
@pytest.mark.parametrize("count", [2, 3, 4])
@TAKERS
def test_declining_to_take(card: Character, enough: Goods, too_few: Goods, count: int) -> None:
    """Where effects are optional, taking is declined as the card is played, the extra good too."""
    others = [seat(goods=too_few) for _ in range(count - 2)]
    state = position(seat(hand=[card, SPARE]), *others, seat(goods=enough), rules=Z_MAN)
    in_vain = PlayCard(card, use_effect=False)
    assert legal_actions(state)[-2:] == (PlayCard(card), in_vain)
    assert play(state, in_vain) == once_played(state, card)


@pytest.mark.rule("BLU-33")
@COMPULSORY
@pytest.mark.parametrize("count", [2, 3, 4])
@TAKERS
def test_taking_compulsory(
    card: Character, enough: Goods, too_few: Goods, count: int, rules: RuleSet
) -> None:
    """In the other editions what the opponents must give must be taken."""
    others = [seat(goods=too_few) for _ in range(count - 2)]
    state = position(seat(hand=[card, SPARE]), *others, seat(goods=enough), rules=rules)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause.startswith(("BLU", "TRN"))


@pytest.mark.rule("BLU-33")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
@TAKERS
def test_nothing_to_decline_taking(
    card: Character, enough: Goods, too_few: Goods, count: int, rules: RuleSet
) -> None:
    """When nobody would have to give, there is nothing to decline as the card is played."""
    others = [seat(goods=too_few) for _ in range(count - 1)]
    state = position(seat(hand=[card, SPARE], goods=enough), *others, rules=rules)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert violation.clause.startswith(("BLU", "TRN"))


@pytest.mark.rule("BLU-1", "BLU-23")
def test_the_agenda_resumes() -> None:
    """Blue's second of three cards asks Red; then Blue goes on with his last card."""
    state = position(
        seat(goods=Goods(gold=4)),
        seat(hand=[Character.MONK, SPARE]),
        active=1,
        plays=2,
        played=[Character.MAID],
    )
    after = play(state, Character.MONK)
    assert after.agenda == (
        MonkPrompt(0, 1),
        BonusPrompt(1, Character.MONK),
        PlayPrompt(1, 1),
        EndTurn(1),
    )
    assert after.played == (Character.MAID, Character.MONK)


ANSWERS = pytest.mark.parametrize(
    ("prompt", "answer", "told"),
    [
        (
            BonusPrompt(0, Character.MONK),
            TakeGood(Good.WOOD),
            GoodsTaken(0, Goods(wood=1), "BLU-5"),
        ),
        (
            BonusPrompt(0, Character.INNKEEPER),
            TakeGood(Good.GOLD),
            GoodsTaken(0, Goods(gold=1), "BLU-25"),
        ),
        (
            BonusPrompt(0, Character.TAX_COLLECTOR),
            TakeGood(Good.BRICK),
            GoodsTaken(0, Goods(brick=1), "BLU-32"),
        ),
        (BonusPrompt(0, Character.MONK), Decline(), EffectDeclined(0, "BLU-5")),
        (BonusPrompt(0, Character.INNKEEPER), Decline(), EffectDeclined(0, "BLU-25")),
        (BonusPrompt(0, Character.TAX_COLLECTOR), Decline(), EffectDeclined(0, "BLU-32")),
        (TraderPrompt(0), Decline(), EffectDeclined(0, "BLU-8")),
        (SeamstressPrompt(0), Decline(), EffectDeclined(0, "BLU-11")),
        (ArtisanPrompt(0), TakeGood(Good.GOLD), GoodsTaken(0, Goods(gold=1), "BLU-15")),
        (ArtisanPrompt(0), Decline(), EffectDeclined(0, "BLU-18")),
        (NunPrompt(0), Decline(), EffectDeclined(0, "BLU-28")),
    ],
)


@pytest.mark.rule("BLU-5", "BLU-8", "BLU-11", "BLU-15", "BLU-18", "BLU-25", "BLU-28", "BLU-32")
@ANSWERS
def test_an_answer_is_told(
    prompt: BonusPrompt | TraderPrompt | SeamstressPrompt | ArtisanPrompt | NunPrompt,
    answer: TakeGood | Decline,
    told: GoodsTaken | EffectDeclined,
) -> None:
    """What an answer brings, or that it brings nothing, is told with the clause that says so."""
    state = position(
        seat(hand=[SPARE], goods=Goods(wood=1), built=[0]),
        seat(),
        rules=Z_MAN,
        display={0: a_building(icon=Good.GOLD)},
        agenda=(prompt, PlayPrompt(0, 2), EndTurn(0)),
    )
    assert transition(state, answer).events == (told,)


@pytest.mark.rule("BLU-7", "BLU-25", "BLU-32")
@pytest.mark.parametrize(
    ("prompt", "answer", "clause"),
    [
        (BonusPrompt(0, Character.INNKEEPER), TakeGood(Good.WOOD), "BLU-25"),
        (BonusPrompt(0, Character.TAX_COLLECTOR), TakeGood(Good.GOLD), "BLU-32"),
        (TraderPrompt(0), ReturnGood(Good.GOLD), "BLU-7"),
        (TraderPrompt(0), ReturnGood(Good.STONE), "BLU-7"),
    ],
)
def test_a_refused_good_is_named(
    prompt: BonusPrompt | TraderPrompt, answer: TakeGood | ReturnGood, clause: str
) -> None:
    """Whoever asks for a good that he cannot take or return is told which good that is."""
    state = position(
        seat(hand=[SPARE], goods=Goods(gold=1, wood=1)),
        seat(),
        agenda=(prompt, PlayPrompt(0, 2), EndTurn(0)),
    )
    violation = refusal(state, answer)
    assert violation.clause == clause
    assert dict(violation.facts) == {"good": answer.good}


# Several of them in a turn


@pytest.mark.rule("BLU-4")
def test_a_second_monk_finds_the_poor() -> None:
    """Blue owns four goods and Green five: two Monks take one good of Blue and two of Green."""
    state = position(
        seat(hand=[Character.MONK, Character.MONK, SPARE]),
        seat(goods=Goods(gold=4)),
        seat(goods=Goods(gold=5)),
    )
    gift = GiveGood(Good.GOLD)
    state = play(state, Character.MONK, gift, gift, Character.MONK)
    assert state.prompt == MonkPrompt(2, 0)
    state = play(state, gift)
    assert state.prompt == PlayPrompt(0, 1)
    assert [player.goods.gold for player in state.players] == [3, 3, 3]


@pytest.mark.rule("BLU-24")
def test_a_second_innkeeper_finds_the_poor() -> None:
    """Blue owns two gold and Green three: two Innkeepers take one of Blue and two of Green."""
    innkeeper = Character.INNKEEPER
    state = position(
        seat(hand=[innkeeper, innkeeper, SPARE]),
        seat(goods=Goods(gold=2, brick=5)),
        seat(goods=Goods(gold=3)),
    )
    state = play(state, innkeeper, innkeeper)
    assert [player.goods.gold for player in state.players] == [3, 1, 1]


@pytest.mark.rule("BLU-30")
def test_a_second_tax_collector_finds_less() -> None:
    """Blue owns three wood and four bricks: the first takes one of each, the second a brick."""
    collector = Character.TAX_COLLECTOR
    state = position(
        seat(hand=[collector, collector, SPARE]), seat(goods=Goods(wood=3, brick=4)), seat()
    )
    state = play(state, collector)
    assert state.players[0].goods == Goods(wood=1, brick=1)
    state = play(state, collector)
    assert state.players[0].goods == Goods(wood=1, brick=2)
    assert state.players[1].goods == Goods(wood=2, brick=2)


@pytest.mark.rule("BLU-1", "BLU-27")
@editions
def test_monk_after_nun(rules: RuleSet) -> None:
    """Blue's fourth good comes from Red's Nun, and so he has to give one to Red's Monk."""
    state = position(
        seat(hand=[Character.NUN, Character.MONK, SPARE]),
        seat(goods=Goods(gold=3)),
        seat(goods=Goods(gold=2)),
        rules=rules,
    )
    state = play(state, Character.NUN, TakeGood(Good.BRICK), Character.MONK)
    assert state.prompt == MonkPrompt(1, 0)
    state = play(state, GiveGood(Good.BRICK))
    assert state.prompt == PlayPrompt(0, 1)
    assert state.players[0].goods == Goods(brick=4)


@pytest.mark.rule("BLU-13", "BLU-12")
@editions
def test_merchant_after_trader(rules: RuleSet) -> None:
    """Red owns a single wood: he trades it for gold, and one of that for all three materials."""
    state = position(
        seat(hand=[Character.TRADER, Character.MERCHANT], goods=Goods(wood=1)), seat(), rules=rules
    )
    in_vain = PlayCard(Character.MERCHANT, use_effect=False)
    assert in_vain not in legal_actions(state)
    state = play(state, Character.TRADER, ReturnGood(Good.WOOD))
    assert in_vain in legal_actions(state)
    state = play(state, Character.MERCHANT)
    assert state.players[0].goods == Goods(gold=2, wood=1, stone=1, brick=1)


@pytest.mark.rule("BLU-19", "BLU-15")
def test_what_was_just_built_counts() -> None:
    """Red builds his first, green building: Chamberlain and Artisan find it, and nothing before."""
    hall = a_building(character=Character.BANKER, cost=Goods(), icon=Good.STONE)
    cards = [Character.BUILDER, Character.CHAMBERLAIN, Character.ARTISAN]
    state = position(seat(hand=cards), seat(), display={0: hall})
    assert_fizzles(state, Character.CHAMBERLAIN)
    assert_fizzles(state, Character.ARTISAN)
    state = play(state, Character.BUILDER, Build(0), Pay(Goods()), Character.CHAMBERLAIN)
    state = play(state, Character.ARTISAN, TakeGood(Good.STONE))
    assert state.players[0].goods == Goods(gold=1, stone=1)
