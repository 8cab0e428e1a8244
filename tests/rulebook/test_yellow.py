"""The seven yellow characters."""

from __future__ import annotations

import pytest

from tests.positions import a_building, editions, once_played, play, position, refusal, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    Build,
    Character,
    Code,
    Decline,
    GameState,
    Good,
    Goods,
    Pay,
    PlayCard,
    ReturnGood,
    RuleSet,
    Upgrade,
    legal_actions,
    transition,
)
from valletta_rules.agenda import ArchitectPrompt, PlayPrompt
from valletta_rules.events import (
    CardPlayed,
    EffectDeclined,
    EffectFizzled,
    GoodsReturned,
    PointsScored,
)

COMPULSORY = pytest.mark.parametrize("rules", [HANS_IM_GLUECK, REFERENCE_MANUAL], ids=str)
MATERIALS = (Good.WOOD, Good.STONE, Good.BRICK)
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
    assert violation.clause.startswith(("YEL", "TRN"))


# The Architect


@pytest.mark.rule("YEL-1", "YEL-5")
@editions
@pytest.mark.parametrize("good", MATERIALS)
@pytest.mark.parametrize("owned", [4, 5, 8])
def test_architect(owned: int, good: Good, rules: RuleSet) -> None:
    """Red owns four or more of a material, returns exactly 4 of it and scores 4 points."""
    goods = Goods(9, 1, 1, 1) - Goods.of(good) + Goods.of(good, owned)
    state = position(
        seat(hand=[Character.ARCHITECT, SPARE], goods=goods, score=3),
        seat(goods=Goods(9, 9, 9, 9), score=7),
        rules=rules,
    )
    asked = play(state, Character.ARCHITECT)
    assert asked.prompt == ArchitectPrompt(0)
    result = transition(asked, ReturnGood(good))
    assert result.state == once_played(
        state, Character.ARCHITECT, goods={0: goods - Goods.of(good, 4)}, scores={0: 7}
    )
    assert result.events == (
        GoodsReturned(0, Goods.of(good, 4), "YEL-1"),
        PointsScored(0, 4, "YEL-1"),
    )


@pytest.mark.rule("YEL-2")
@editions
def test_material_for_the_architect(rules: RuleSet) -> None:
    """With four of wood and brick, three stones and nine gold, wood or brick may be returned."""
    state = position(
        seat(hand=[Character.ARCHITECT, SPARE], goods=Goods(9, 4, 3, 4)), seat(), rules=rules
    )
    asked = play(state, Character.ARCHITECT)
    declining = (Decline(),) if rules is Z_MAN else ()
    assert legal_actions(asked) == (ReturnGood(Good.WOOD), ReturnGood(Good.BRICK), *declining)
    violation = refusal(asked, ReturnGood(Good.GOLD))
    assert (violation.clause, violation.code) == ("YEL-2", Code.GOOD_NOT_OFFERED)
    violation = refusal(asked, ReturnGood(Good.STONE))
    assert violation.clause in {"YEL-1", "YEL-2"}
    assert violation.code is Code.NOT_OWNED


@pytest.mark.rule("YEL-3")
@COMPULSORY
def test_architect_compulsory(rules: RuleSet) -> None:
    """Where effects are compulsory a player who can pay the Architect must."""
    state = position(
        seat(hand=[Character.ARCHITECT, SPARE], goods=Goods(wood=4)), seat(), rules=rules
    )
    refused = refusal(state, PlayCard(Character.ARCHITECT, use_effect=False))
    assert refused.code in {Code.EFFECT_COMPULSORY, Code.NO_EFFECT_TO_DECLINE}
    asked = play(state, Character.ARCHITECT)
    assert legal_actions(asked) == (ReturnGood(Good.WOOD),)
    refused = refusal(asked, Decline())
    assert refused.clause.startswith(("YEL-3", "TRN"))
    assert refused.code is Code.EFFECT_COMPULSORY


@pytest.mark.rule("YEL-4")
def test_declining_the_architect() -> None:
    """Where effects are optional the Architect is declined at the choice of the material."""
    state = position(
        seat(hand=[Character.ARCHITECT, SPARE], goods=Goods(wood=4)), seat(), rules=Z_MAN
    )
    assert PlayCard(Character.ARCHITECT, use_effect=False) not in legal_actions(state)
    asked = play(state, Character.ARCHITECT)
    assert Decline() in legal_actions(asked)
    result = transition(asked, Decline())
    assert result.state == once_played(state, Character.ARCHITECT)
    assert [type(event) for event in result.events] == [EffectDeclined]


@pytest.mark.rule("YEL-5")
@editions
@pytest.mark.parametrize("goods", [Goods(), Goods(9, 3, 3, 3), Goods(gold=4)])
def test_four_of_no_material(goods: Goods, rules: RuleSet) -> None:
    """Three of each material and any amount of gold do not pay the Architect."""
    state = position(seat(hand=[Character.ARCHITECT, SPARE], goods=goods), seat(), rules=rules)
    assert_fizzles(state, Character.ARCHITECT)


# The Grand Bailiff and the Grand Master


@pytest.mark.rule("YEL-6")
@editions
@pytest.mark.parametrize("gold", [4, 5, 9])
def test_grand_bailiff(gold: int, rules: RuleSet) -> None:
    """Red pays exactly 4 gold and scores 4 points."""
    state = position(
        seat(hand=[Character.GRAND_BAILIFF, SPARE], goods=Goods(gold, 1, 1, 1), score=1),
        seat(goods=Goods(9, 9, 9, 9)),
        rules=rules,
    )
    result = transition(state, PlayCard(Character.GRAND_BAILIFF))
    assert result.state == once_played(
        state, Character.GRAND_BAILIFF, goods={0: Goods(gold - 4, 1, 1, 1)}, scores={0: 5}
    )
    assert result.events == (
        CardPlayed(0, Character.GRAND_BAILIFF),
        GoodsReturned(0, Goods(gold=4), "YEL-6"),
        PointsScored(0, 4, "YEL-6"),
    )


@pytest.mark.rule("YEL-7")
@editions
@pytest.mark.parametrize("goods", [Goods(1, 1, 1, 1), Goods(2, 3, 1, 5)])
def test_grand_master(goods: Goods, rules: RuleSet) -> None:
    """Red pays one good of each kind and scores 5 points."""
    state = position(seat(hand=[Character.GRAND_MASTER, SPARE], goods=goods), seat(), rules=rules)
    result = transition(state, PlayCard(Character.GRAND_MASTER))
    assert result.state == once_played(
        state,
        Character.GRAND_MASTER,
        goods={0: goods - Goods(1, 1, 1, 1)},
        scores={0: 5},
    )
    assert result.events == (
        CardPlayed(0, Character.GRAND_MASTER),
        GoodsReturned(0, Goods(1, 1, 1, 1), "YEL-7"),
        PointsScored(0, 5, "YEL-7"),
    )


@pytest.mark.rule("YEL-8")
@editions
@pytest.mark.parametrize("card", [Character.GRAND_BAILIFF, Character.GRAND_MASTER])
def test_declining_to_pay(card: Character, rules: RuleSet) -> None:
    """In every edition Red may play Grand Bailiff and Grand Master without paying."""
    state = position(
        seat(hand=[Character.BUILDER, card], goods=Goods(4, 1, 1, 1)), seat(), rules=rules
    )
    in_vain = PlayCard(card, use_effect=False)
    assert legal_actions(state) == (PlayCard(Character.BUILDER), PlayCard(card), in_vain)
    result = transition(state, in_vain)
    assert result.state == once_played(state, card)
    assert [type(event) for event in result.events] == [CardPlayed, EffectDeclined]


@pytest.mark.rule("YEL-9")
@editions
@pytest.mark.parametrize(
    ("card", "goods"),
    [
        (Character.GRAND_BAILIFF, Goods()),
        (Character.GRAND_BAILIFF, Goods(3, 9, 9, 9)),
        (Character.GRAND_MASTER, Goods()),
        (Character.GRAND_MASTER, Goods(0, 9, 9, 9)),
        (Character.GRAND_MASTER, Goods(9, 0, 9, 9)),
        (Character.GRAND_MASTER, Goods(9, 9, 0, 9)),
        (Character.GRAND_MASTER, Goods(9, 9, 9, 0)),
    ],
    ids=str,
)
def test_unable_to_pay(card: Character, goods: Goods, rules: RuleSet) -> None:
    """One good short, the card has no effect; other goods cannot stand in for it."""
    state = position(seat(hand=[card, SPARE], goods=goods), seat(), rules=rules)
    assert_fizzles(state, card)


# Philip, Charles and Pius

DISPLAY = {
    0: a_building(character=Character.BANKER),
    1: a_building(character=Character.CARVER),
    2: a_building(character=Character.MASON),
    3: a_building(character=Character.NUN),
    4: a_building(character=Character.MONK),
    5: a_building(character=Character.KNIGHT),
    6: a_building(character=Character.BANKER),
    7: a_building(character=Character.NUN),
}
"""Three green buildings, two blue ones and a yellow one, then a green and a blue one."""


@pytest.mark.rule("YEL-10", "YEL-12")
@editions
def test_philip(rules: RuleSet) -> None:
    """Of three green buildings one is upgraded: Philip II scores 3 points."""
    state = position(
        seat(hand=[Character.PHILIP, SPARE], built=[1, 2, 3, 4, 5], upgraded=[0], score=20),
        seat(built=[6, 7], score=4),
        rules=rules,
        display=DISPLAY,
    )
    result = transition(state, PlayCard(Character.PHILIP))
    assert result.state == once_played(state, Character.PHILIP, scores={0: 23})
    assert result.events == (CardPlayed(0, Character.PHILIP), PointsScored(0, 3, "YEL-10"))


@pytest.mark.rule("YEL-11", "YEL-12")
@editions
def test_charles(rules: RuleSet) -> None:
    """Of two blue buildings one is upgraded: Charles V scores 2 points, and no gold is paid."""
    state = position(
        seat(
            hand=[Character.CHARLES, SPARE],
            built=[0, 1, 3, 5],
            upgraded=[4],
            goods=Goods(4, 4, 4, 4),
        ),
        seat(built=[6, 7]),
        rules=rules,
        display=DISPLAY,
    )
    result = transition(state, PlayCard(Character.CHARLES))
    assert result.state == once_played(state, Character.CHARLES, scores={0: 2})
    assert result.events == (CardPlayed(0, Character.CHARLES), PointsScored(0, 2, "YEL-11"))


@pytest.mark.rule("YEL-11")
@editions
def test_charles_is_free(rules: RuleSet) -> None:
    """Red owns no goods at all and scores with Charles V all the same."""
    state = position(
        seat(hand=[Character.CHARLES, SPARE], built=[3]), seat(), rules=rules, display=DISPLAY
    )
    assert play(state, Character.CHARLES) == once_played(state, Character.CHARLES, scores={0: 1})


@pytest.mark.rule("YEL-12")
@pytest.mark.parametrize(
    ("card", "sites"), [(Character.PHILIP, (0, 1, 2)), (Character.CHARLES, (3, 4))]
)
def test_upgraded_buildings_count_once(card: Character, sites: tuple[int, ...]) -> None:
    """With every building upgraded the points are as many as the buildings."""
    state = position(seat(hand=[card, SPARE], upgraded=sites), seat(), display=DISPLAY)
    assert play(state, card) == once_played(state, card, scores={0: len(sites)})


@pytest.mark.rule("YEL-13")
@editions
def test_pius(rules: RuleSet) -> None:
    """A green, a blue and a yellow building are upgraded, three are not: Pius V scores 3."""
    state = position(
        seat(hand=[Character.PIUS, SPARE], built=[1, 2, 4], upgraded=[0, 3, 5]),
        seat(upgraded=[6, 7]),
        rules=rules,
        display=DISPLAY,
    )
    result = transition(state, PlayCard(Character.PIUS))
    assert result.state == once_played(state, Character.PIUS, scores={0: 3})
    assert result.events == (CardPlayed(0, Character.PIUS), PointsScored(0, 3, "YEL-13"))


@pytest.mark.rule("YEL-14")
@editions
@pytest.mark.parametrize(
    ("card", "built", "upgraded"),
    [
        (Character.PHILIP, [], []),
        (Character.PHILIP, [3, 5], [4]),
        (Character.CHARLES, [], []),
        (Character.CHARLES, [0, 5], [1]),
        (Character.PIUS, [], []),
        (Character.PIUS, [0, 3, 5], []),
    ],
)
def test_nothing_to_count(
    card: Character, built: list[int], upgraded: list[int], rules: RuleSet
) -> None:
    """Only the opponent owns such buildings: the card has no effect."""
    state = position(
        seat(hand=[card, SPARE], built=built, upgraded=upgraded),
        seat(upgraded=[6, 7]),
        rules=rules,
        display=DISPLAY,
    )
    assert_fizzles(state, card)


# The Knight


@pytest.mark.rule("YEL-15")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
def test_knight(count: int, rules: RuleSet) -> None:
    """The Knight scores 2 points for his player, whoever that is."""
    active = count - 1
    state = position(
        *(seat(score=1) for _ in range(active)),
        seat(hand=[Character.KNIGHT, SPARE]),
        rules=rules,
        active=active,
    )
    result = transition(state, PlayCard(Character.KNIGHT))
    assert result.state == once_played(state, Character.KNIGHT, scores={active: 2})
    assert result.state.prompt == PlayPrompt(active, 2)
    assert result.events == (
        CardPlayed(active, Character.KNIGHT),
        PointsScored(active, 2, "YEL-15"),
    )


# Declining

SCORERS = pytest.mark.parametrize(
    "card", [Character.PHILIP, Character.CHARLES, Character.PIUS, Character.KNIGHT]
)


@pytest.mark.rule("YEL-16")
@SCORERS
def test_declining_points(card: Character) -> None:
    """Where effects are optional the points may be declined as the card is played."""
    state = position(
        seat(hand=[Character.BUILDER, card], upgraded=[0, 3]), seat(), rules=Z_MAN, display=DISPLAY
    )
    in_vain = PlayCard(card, use_effect=False)
    assert legal_actions(state) == (PlayCard(Character.BUILDER), PlayCard(card), in_vain)
    assert play(state, in_vain) == once_played(state, card)


@pytest.mark.rule("YEL-16")
@COMPULSORY
@SCORERS
def test_points_compulsory(card: Character, rules: RuleSet) -> None:
    """In the other editions the points must be scored."""
    state = position(seat(hand=[card], upgraded=[0, 3]), seat(), rules=rules, display=DISPLAY)
    assert legal_actions(state) == (PlayCard(card),)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause.startswith(("YEL", "TRN"))


# Second copies


@pytest.mark.rule("YEL-17")
@pytest.mark.parametrize(
    ("card", "points"),
    [
        (Character.GRAND_BAILIFF, 4),
        (Character.GRAND_MASTER, 5),
        (Character.PHILIP, 1),
        (Character.CHARLES, 2),
        (Character.PIUS, 3),
        (Character.KNIGHT, 2),
    ],
)
def test_both_copies(card: Character, points: int) -> None:
    """Red owns both copies of a card and plays both: each scores in full."""
    state = position(
        seat(hand=[card, card, SPARE], upgraded=[0, 3, 4], goods=Goods(9, 9, 9, 9)),
        seat(),
        display=DISPLAY,
    )
    after = play(state, card, card)
    assert after.players[0].score == 2 * points
    assert after.played == (card, card)
    assert after.prompt == PlayPrompt(0, 1)


@pytest.mark.rule("YEL-17")
@pytest.mark.parametrize(("wood", "points"), [(7, 4), (8, 8)])
def test_two_architects(wood: int, points: int) -> None:
    """The second Architect scores only if four of a material are left."""
    state = position(
        seat(hand=[Character.ARCHITECT, Character.ARCHITECT, SPARE], goods=Goods(wood=wood)),
        seat(),
    )
    after = play(state, Character.ARCHITECT, ReturnGood(Good.WOOD), Character.ARCHITECT)
    if wood == 8:
        after = play(after, ReturnGood(Good.WOOD))
    assert after.prompt == PlayPrompt(0, 1)
    assert after.players[0].score == points
    assert after.players[0].goods == Goods(wood=wood - points)


@pytest.mark.rule("YEL-17")
def test_a_copy_each() -> None:
    """Red and Blue own a copy each: both score."""
    state = position(
        seat(hand=[Character.KNIGHT]),
        seat(hand=[Character.KNIGHT, SPARE]),
        plays=1,
    )
    red = play(state, Character.KNIGHT)
    blue = play(red.replace(active=1, played=(), agenda=(PlayPrompt(1, 2),)), Character.KNIGHT)
    assert [player.score for player in blue.players] == [2, 2]


@pytest.mark.rule("YEL-1", "YEL-2")
@pytest.mark.parametrize(
    ("good", "clause", "facts"),
    [
        (Good.GOLD, "YEL-2", {"good": Good.GOLD}),
        (Good.STONE, "YEL-1", {"good": Good.STONE, "owned": 3}),
    ],
)
def test_what_the_architect_refuses_is_named(
    good: Good, clause: str, facts: dict[str, Good | int]
) -> None:
    """The Architect refuses gold, and a material of which there are three, and says which."""
    state = position(
        seat(hand=[SPARE], goods=Goods(gold=5, wood=4, stone=3)),
        seat(),
        agenda=(ArchitectPrompt(0), PlayPrompt(0, 1)),
    )
    violation = refusal(state, ReturnGood(good))
    assert violation.clause == clause
    assert dict(violation.facts) == facts


@pytest.mark.rule("YEL-4")
def test_declining_the_architect_is_told() -> None:
    """That the Architect returns nothing is told with the clause that lets him."""
    state = position(
        seat(hand=[SPARE], goods=Goods(wood=4)),
        seat(),
        rules=Z_MAN,
        agenda=(ArchitectPrompt(0), PlayPrompt(0, 1)),
    )
    assert transition(state, Decline()).events == (EffectDeclined(0, "YEL-4"),)


# What goes before in the turn


@pytest.mark.rule("YEL-6", "YEL-9")
@editions
def test_the_trader_pays_for_the_grand_bailiff(rules: RuleSet) -> None:
    """Red owns a gold and a stone: with three gold for the stone the Grand Bailiff is paid."""
    hand = [Character.TRADER, Character.GRAND_BAILIFF]
    state = position(seat(hand=hand, goods=Goods(gold=1, stone=1)), seat(), rules=rules)
    assert PlayCard(Character.GRAND_BAILIFF, use_effect=False) not in legal_actions(state)
    state = play(state, Character.TRADER, ReturnGood(Good.STONE))
    assert PlayCard(Character.GRAND_BAILIFF, use_effect=False) in legal_actions(state)
    red = play(state, Character.GRAND_BAILIFF).players[0]
    assert (red.goods, red.score) == (Goods(), 4)


@pytest.mark.rule("YEL-7", "YEL-9")
@editions
@pytest.mark.parametrize(("gold", "score"), [(1, 0), (2, 5)])
def test_the_merchant_pays_for_the_grand_master(gold: int, score: int, rules: RuleSet) -> None:
    """The Merchant brings all the materials, but of a single gold none is left."""
    hand = [Character.MERCHANT, Character.GRAND_MASTER, SPARE]
    state = position(seat(hand=hand, goods=Goods(gold=gold)), seat(), rules=rules)
    state = play(state, Character.MERCHANT, Character.GRAND_MASTER)
    assert state.players[0].score == score


@pytest.mark.rule("YEL-10", "YEL-11", "YEL-13")
@pytest.mark.parametrize(
    ("card", "character", "built", "upgraded"),
    [
        (Character.PHILIP, Character.BANKER, 1, 1),
        (Character.CHARLES, Character.NUN, 1, 1),
        (Character.PIUS, Character.NUN, 0, 1),
    ],
)
def test_points_for_what_was_just_built(
    card: Character, character: Character, built: int, upgraded: int
) -> None:
    """A building put up in this turn counts, and once turned over for Pius V, too."""
    state = position(
        seat(hand=[Character.BUILDER, Character.APPRENTICE, card, SPARE]),
        seat(),
        display={0: a_building(character=character, cost=Goods())},
    )
    state = play(state, Character.BUILDER, Build(0), Pay(Goods()))
    assert play(state, card).players[0].score == built
    state = play(state, Character.APPRENTICE, Upgrade(0), Pay(Goods()))
    assert transition(state, PlayCard(card)).state.players[0].score == upgraded
