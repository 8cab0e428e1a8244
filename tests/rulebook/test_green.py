"""The green characters: goods for icons."""

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
    Good,
    Goods,
    Pay,
    PlayCard,
    RuleSet,
    Upgrade,
    legal_actions,
    transition,
)
from valletta_rules.agenda import PlayPrompt
from valletta_rules.events import CardPlayed, EffectDeclined, EffectFizzled, GoodsTaken

COMPULSORY = pytest.mark.parametrize("rules", [HANS_IM_GLUECK, REFERENCE_MANUAL], ids=str)
GREEN = {
    Character.BANKER: Good.GOLD,
    Character.WOODWORKER: Good.WOOD,
    Character.CARVER: Good.STONE,
    Character.MASON: Good.BRICK,
}
CARDS = pytest.mark.parametrize(("card", "good"), GREEN.items(), ids=map(str, GREEN))
CLAUSES = dict(zip(GREEN, ("GRN-1", "GRN-2", "GRN-3", "GRN-4"), strict=True))
SPARE = Character.KNIGHT
"""A card that stays in the hand, so that the turn goes on."""


@pytest.mark.rule("GRN-1")
def test_banker() -> None:
    """Red owns three gold icons and one of brick, plays the Banker, and takes 3 gold."""
    state = position(
        seat(hand=[Character.BANKER, SPARE], built=[0, 1, 2, 3], goods=Goods(1, 1, 1, 1)),
        seat(goods=Goods(5, 5, 5, 5)),
        display={site: a_building(icon=Good.GOLD) for site in (0, 1, 2)}
        | {3: a_building(icon=Good.BRICK)},
    )
    assert play(state, Character.BANKER) == once_played(
        state, Character.BANKER, goods={0: Goods(4, 1, 1, 1)}
    )


@pytest.mark.rule("GRN-2")
def test_woodworker() -> None:
    """Red owns two wood icons, plays the Woodworker, and takes 2 wood."""
    state = position(
        seat(hand=[Character.WOODWORKER, SPARE], built=[0, 6]),
        seat(),
        display={site: a_building(icon=Good.WOOD) for site in (0, 6)},
    )
    assert play(state, Character.WOODWORKER) == once_played(
        state, Character.WOODWORKER, goods={0: Goods(wood=2)}
    )


@pytest.mark.rule("GRN-3")
def test_carver() -> None:
    """Red owns one stone icon, plays the Carver, and takes 1 stone."""
    state = position(
        seat(hand=[Character.CARVER, SPARE], built=[19]),
        seat(),
        display={19: a_building(icon=Good.STONE)},
    )
    assert play(state, Character.CARVER) == once_played(
        state, Character.CARVER, goods={0: Goods(stone=1)}
    )


@pytest.mark.rule("GRN-4")
def test_mason() -> None:
    """Red owns four brick icons, plays the Mason, and takes 4 bricks."""
    state = position(
        seat(hand=[Character.MASON, SPARE], built=[3, 4, 5, 6], goods=Goods(brick=9)),
        seat(),
        display={site: a_building(icon=Good.BRICK) for site in (3, 4, 5, 6)},
    )
    assert play(state, Character.MASON) == once_played(
        state, Character.MASON, goods={0: Goods(brick=13)}
    )


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
@CARDS
def test_only_the_player_takes(card: Character, good: Good, count: int, rules: RuleSet) -> None:
    """With any number of players, and whoever's turn it is, only the player of the card takes."""
    active = count - 1
    others = [seat(goods=Goods(2, 2, 2, 2)) for _ in range(active)]
    state = position(
        *others,
        seat(hand=[card, SPARE], built=[0, 1]),
        rules=rules,
        active=active,
        display={site: a_building(icon=good) for site in (0, 1)},
    )
    after = play(state, card)
    assert after == once_played(state, card, goods={active: Goods.of(good, 2)})
    assert after.prompt == PlayPrompt(active, 2)


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4")
@CARDS
def test_event(card: Character, good: Good) -> None:
    """What was taken is told with the clause of the card."""
    state = position(
        seat(hand=[card, SPARE], built=[0]), seat(), display={0: a_building(icon=good)}
    )
    assert transition(state, PlayCard(card)).events == (
        CardPlayed(0, card),
        GoodsTaken(0, Goods.of(good), CLAUSES[card]),
    )


@pytest.mark.rule("GRN-5")
@CARDS
def test_icons_of_all_colours_count(card: Character, good: Good) -> None:
    """A green, a blue and a yellow building with the icon bring three goods."""
    state = position(
        seat(hand=[card, SPARE], built=[0, 1, 2]),
        seat(),
        display={
            0: a_building(icon=good, character=Character.MASON),
            1: a_building(icon=good, character=Character.NUN),
            2: a_building(icon=good, character=Character.PIUS),
        },
    )
    assert play(state, card) == once_played(state, card, goods={0: Goods.of(good, 3)})


@pytest.mark.rule("GRN-5")
@CARDS
def test_icons_of_others_do_not_count(card: Character, good: Good) -> None:
    """Neither the opponent's icons nor those on unbuilt sites bring anything."""
    state = position(
        seat(hand=[card, SPARE], built=[0]),
        seat(built=[1], upgraded=[2]),
        display={site: a_building(icon=good) for site in range(20)},
    )
    assert play(state, card) == once_played(state, card, goods={0: Goods.of(good)})


@pytest.mark.rule("GRN-5")
@CARDS
def test_icons_of_other_goods_do_not_count(card: Character, good: Good) -> None:
    """Of four buildings with the four icons only one brings a good."""
    state = position(
        seat(hand=[card, SPARE], built=[0, 1, 2, 3]),
        seat(),
        display={site: a_building(icon=icon) for site, icon in enumerate(Good)},
    )
    assert play(state, card) == once_played(state, card, goods={0: Goods.of(good)})


@pytest.mark.rule("GRN-6")
@CARDS
def test_upgraded_icons_count_twice(card: Character, good: Good) -> None:
    """One upgraded building and one that is not have three icons together."""
    state = position(
        seat(hand=[card, SPARE], built=[0], upgraded=[1]),
        seat(),
        display={0: a_building(icon=good), 1: a_building(icon=good)},
    )
    assert play(state, card) == once_played(state, card, goods={0: Goods.of(good, 3)})


@pytest.mark.rule("GRN-6")
@CARDS
def test_eight_upgraded_buildings(card: Character, good: Good) -> None:
    """Eight upgraded buildings with the same icon bring sixteen goods."""
    state = position(
        seat(hand=[card, SPARE], upgraded=range(8), goods=Goods(9, 9, 9, 9)),
        seat(),
        display={site: a_building(icon=good) for site in range(8)},
    )
    assert play(state, card) == once_played(
        state, card, goods={0: Goods(9, 9, 9, 9) + Goods.of(good, 16)}
    )


@pytest.mark.rule("GRN-7")
@CARDS
def test_costs_are_not_icons(card: Character, good: Good) -> None:
    """A good is in the construction costs of two buildings, but is the icon of only one."""
    other = next(icon for icon in Good if icon is not good)
    state = position(
        seat(hand=[card, SPARE], built=[0], upgraded=[1]),
        seat(),
        display={
            0: a_building(icon=good, cost=Goods(9, 9, 9, 9)),
            1: a_building(icon=other, cost=Goods.of(good, 9)),
        },
    )
    assert play(state, card) == once_played(state, card, goods={0: Goods.of(good)})


@pytest.mark.rule("GRN-8")
@editions
@CARDS
def test_no_icon_no_goods(card: Character, good: Good, rules: RuleSet) -> None:
    """With the other three icons only, the card is played without effect, and so much is told."""
    icons = [icon for icon in Good if icon is not good]
    state = position(
        seat(hand=[card, SPARE], built=[0, 1], upgraded=[2], goods=Goods(1, 1, 1, 1)),
        seat(),
        rules=rules,
        display={site: a_building(icon=icon) for site, icon in enumerate(icons)},
    )
    result = transition(state, PlayCard(card))
    assert result.state == once_played(state, card)
    assert result.events == (CardPlayed(0, card), EffectFizzled(0, card))


@pytest.mark.rule("GRN-8", "GRN-9")
@editions
@CARDS
def test_nothing_to_decline_without_icons(card: Character, good: Good, rules: RuleSet) -> None:
    """Without buildings there is nothing to decline, in no edition."""
    state = position(seat(hand=[card]), seat(), rules=rules)
    assert legal_actions(state) == (PlayCard(card),)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert violation.clause.startswith(("GRN", "TRN"))
    assert good in Good


@pytest.mark.rule("GRN-9")
@CARDS
def test_declining(card: Character, good: Good) -> None:
    """In the optional editions a player may leave the goods, as he plays the card."""
    state = position(
        seat(hand=[card, SPARE], built=[0]),
        seat(),
        rules=Z_MAN,
        display={0: a_building(icon=good)},
    )
    in_vain = PlayCard(card, use_effect=False)
    assert legal_actions(state) == (
        PlayCard(card),
        in_vain,
        PlayCard(SPARE),
        PlayCard(SPARE, use_effect=False),
    )
    result = transition(state, in_vain)
    assert result.state == once_played(state, card)
    assert [type(event) for event in result.events] == [CardPlayed, EffectDeclined]


@pytest.mark.rule("GRN-9")
@COMPULSORY
@CARDS
def test_goods_compulsory(card: Character, good: Good, rules: RuleSet) -> None:
    """In the other editions the goods must be taken."""
    state = position(
        seat(hand=[card], built=[0]), seat(), rules=rules, display={0: a_building(icon=good)}
    )
    assert legal_actions(state) == (PlayCard(card),)
    violation = refusal(state, PlayCard(card, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause.startswith(("GRN", "TRN"))


@pytest.mark.rule("GRN-1")
def test_icons_of_a_building_just_built() -> None:
    """A building erected by the card before counts already."""
    state = position(
        seat(hand=[Character.BUILDER, Character.BANKER, SPARE], goods=Goods(gold=1)),
        seat(),
        display={0: a_building(icon=Good.GOLD, cost=Goods(gold=1), character=Character.NUN)},
    )
    built = play(state, Character.BUILDER, Build(0), Pay(Goods(gold=1)))
    assert play(built, Character.BANKER).players[0].goods == Goods(gold=1)
    assert prompt_of(built) == PlayPrompt(0, 2)


@pytest.mark.rule("GRN-4")
def test_both_copies() -> None:
    """Red owns two Masons and plays both: each counts the icons."""
    state = position(
        seat(hand=[Character.MASON, Character.MASON, SPARE], built=[0], upgraded=[1]),
        seat(),
        display={0: a_building(icon=Good.BRICK), 1: a_building(icon=Good.BRICK)},
    )
    once = once_played(state, Character.MASON, goods={0: Goods(brick=3)})
    twice = once_played(once, Character.MASON, goods={0: Goods(brick=6)})
    assert play(state, Character.MASON, Character.MASON) == twice


@pytest.mark.rule("GRN-5", "GRN-6")
@CARDS
def test_icons_are_counted_as_the_card_is_played(card: Character, good: Good) -> None:
    """Red builds with a Builder and turns that over with an Apprentice: two icons, no sooner."""
    state = position(
        seat(hand=[Character.BUILDER, Character.APPRENTICE, card, card]),
        seat(),
        display={0: a_building(cost=Goods(), icon=good)},
        plays=4,
    )
    state = play(state, Character.BUILDER, Build(0), Pay(Goods()))
    assert play(state, card).players[0].goods == Goods.of(good, 1)
    state = play(state, Character.APPRENTICE, Upgrade(0), Pay(Goods()))
    assert play(state, card).players[0].goods == Goods.of(good, 2)
