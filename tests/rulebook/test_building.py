"""The chapter *Building and upgrading*: sites, prices, payments and what they bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement, product

import pytest

from tests.positions import (
    NO_GOODS,
    a_building,
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
    Action,
    Build,
    Building,
    CardBag,
    Character,
    Code,
    Decline,
    GameState,
    Good,
    Goods,
    MalformedActionError,
    Pay,
    Phase,
    PlayCard,
    RevealBarrel,
    RuleSet,
    Upgrade,
    apply,
    check,
    legal_actions,
    transition,
)
from valletta_rules.agenda import PaymentPrompt, PlayPrompt, SitePrompt
from valletta_rules.components.bags import EMPTY
from valletta_rules.events import (
    Built,
    EffectDeclined,
    EffectFizzled,
    GoodsReturned,
    PointsScored,
    Upgraded,
)

C = Character

PLENTY = Goods(20, 20, 20, 20)

REDUCTIONS = {
    C.BUILDER: NO_GOODS,
    C.CARPENTER: Goods(wood=2),
    C.STONEMASON: Goods(stone=2),
    C.BRICKLAYER: Goods(brick=2),
}
"""The four cards with which one builds, and what they take off a price."""

PAYMENT_CODES = {Code.PAYMENT_SHORT, Code.PAYMENT_EXCESSIVE}


def costing(gold: int = 0, wood: int = 0, stone: int = 0, brick: int = 0) -> Building:
    """Return a building of a cost."""
    return a_building(cost=Goods(gold, wood, stone, brick))


def about_to_build(
    *,
    goods: Goods = PLENTY,
    display: Mapping[int, Building] | None = None,
    built: Iterable[int] = (),
    upgraded: Iterable[int] = (),
    blue: Iterable[int] = (),
    players: int = 2,
    card: Character = C.BUILDER,
    valette: int = 0,
    rules: RuleSet = HANS_IM_GLUECK,
    phase: Phase = Phase.MAIN,
) -> GameState:
    """Return a position in which Red, seat 0, has just played a card with which one builds.

    Red also holds a Maid; Blue, seat 1, has houses on the sites `blue`.
    """
    state = position(
        seat(hand=[card, C.MAID], goods=goods, built=built, upgraded=upgraded),
        seat(hand=[C.MAID], built=blue),
        *[seat(hand=[C.MAID])] * (players - 2),
        rules=rules,
        display=display,
        valette=valette,
        phase=phase,
    )
    return play(state, card)


def price(state: GameState, choice: Build | Upgrade) -> Goods:
    """Return the price that is asked once a site is chosen."""
    prompt = prompt_of(play(state, choice))
    assert isinstance(prompt, PaymentPrompt)
    assert (prompt.seat, prompt.site) == (0, choice.site)
    return prompt.price


def payments(price: Goods) -> set[Goods]:
    """Return every payment for a price, item by item: itself, or three goods of other kinds.

    This spells the rule out; it shares nothing with the arithmetic of the package.
    """
    found = {NO_GOODS}
    for good in Good:
        others = [Goods.of(other) for other in Good if other is not good]
        items = [sum(three, NO_GOODS) for three in combinations_with_replacement(others, 3)]
        items.append(Goods.of(good))
        for _ in range(price[good]):
            found = {paid + item for paid in found for item in items}
    return found


def within(goods: Goods, price: Goods) -> tuple[Action, ...]:
    """Return the payments for a price that some goods allow, as they are to be listed."""
    return tuple(map(Pay, sorted(paid for paid in payments(price) if goods.covers(paid))))


# Building or upgrading, once or not at all


@pytest.mark.rule("BLD-1")
@pytest.mark.parametrize("card", REDUCTIONS)
def test_one_card_serves_for_one_construction(card: Character) -> None:
    """Red has built once and is asked for the next card, not for another site."""
    state = about_to_build(card=card, display={0: costing(gold=1), 1: costing(gold=1)})
    assert prompt_of(state) == SitePrompt(0, REDUCTIONS[card])
    state = play(state, Build(0), Pay(Goods(gold=1)))
    assert prompt_of(state) == PlayPrompt(0, 2)
    for another in (Build(1), Upgrade(0)):
        assert refusal(state, another).code is Code.WRONG_KIND


@pytest.mark.rule("BLD-1")
def test_one_card_serves_for_one_upgrade() -> None:
    """Red has upgraded once and is asked for the next card."""
    state = about_to_build(built=[0, 1], display={0: costing(wood=1), 1: costing(wood=1)})
    state = play(state, Upgrade(0), Pay(Goods(wood=1)))
    assert prompt_of(state) == PlayPrompt(0, 2)
    assert refusal(state, Upgrade(1)).code is Code.WRONG_KIND


@pytest.mark.rule("BLD-2")
@editions
@pytest.mark.parametrize("card", REDUCTIONS)
def test_nobody_must_build(card: Character, rules: RuleSet) -> None:
    """In every edition Red may do without, and keeps everything."""
    state = about_to_build(
        card=card, built=[5], display={0: costing(gold=1), 5: costing(wood=1)}, rules=rules
    )
    assert legal_actions(state)[-1] == Decline()
    after = play(state, Decline())
    assert after.players == state.players
    assert prompt_of(after) == PlayPrompt(0, 2)


# Choosing a site


@pytest.mark.rule("BLD-3")
def test_a_new_building_is_erected_where_no_house_stands() -> None:
    """Of twenty sites Red owns one and Blue two; the other seventeen are free."""
    state = about_to_build(
        built=[3],
        blue=[7, 19],
        upgraded=[4],
        display=dict.fromkeys(range(20), costing(gold=1)),
    )
    assert legal_actions(state) == (
        *(Build(site) for site in range(20) if site not in (3, 4, 7, 19)),
        Upgrade(3),
        Decline(),
    )


@pytest.mark.rule("BLD-3")
def test_a_site_of_another_player_is_taken() -> None:
    """Blue's house stands on the site, so Red cannot build there."""
    violation = refusal(about_to_build(blue=[7], display={0: costing(gold=1)}), Build(7))
    assert violation.code is Code.SITE_TAKEN
    assert violation.clause == "BLD-3"


@pytest.mark.rule("BLD-3")
@pytest.mark.parametrize("turned_over", [False, True])
def test_a_site_of_ones_own_is_built_on_already(turned_over: bool) -> None:
    """Red's own house stands on the site, turned over or not."""
    state = about_to_build(
        built=[7], upgraded=[7] if turned_over else [], display={0: costing(gold=1)}
    )
    violation = refusal(state, Build(7))
    assert violation.code is Code.ALREADY_BUILT
    assert violation.clause == "BLD-3"


@pytest.mark.rule("BLD-3")
@pytest.mark.parametrize(("players", "sites"), [(2, 20), (3, 25), (4, 30)])
def test_there_are_as_many_sites_as_buildings_lie_out(players: int, sites: int) -> None:
    """A site beyond the display is no site."""
    display = dict.fromkeys(range(sites), costing(gold=1))
    state = about_to_build(players=players, display=display)
    assert legal_actions(state) == (*map(Build, range(sites)), Decline())
    for nowhere in (Build(sites), Upgrade(sites)):
        with pytest.raises(MalformedActionError):
            apply(state, nowhere)
        with pytest.raises(MalformedActionError):
            check(state, nowhere)


@pytest.mark.rule("BLD-4")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
def test_there_is_no_ninth_house(phase: Phase) -> None:
    """Red has built eight times; what he can still do is upgrade, in the final phase, too."""
    state = about_to_build(
        built=range(8),
        display={0: costing(wood=1), 5: costing(brick=2), 12: costing(gold=1)},
        phase=phase,
    )
    assert state.players[0].goods == PLENTY
    assert Upgrade(0) in legal_actions(state)
    assert not any(isinstance(action, Build) for action in legal_actions(state))
    violation = refusal(state, Build(12))
    assert violation.code is Code.NO_HOUSE_LEFT
    assert violation.clause == "BLD-4"


@pytest.mark.rule("BLD-4")
def test_the_eighth_house_can_be_built() -> None:
    """Red has built seven times and has one house left."""
    state = about_to_build(built=range(7), display={9: costing(gold=1)})
    state = play(state, Build(9), Pay(Goods(gold=1)))
    assert len(state.players[0].built) == 8


@pytest.mark.rule("BLD-4", "BLD-16")
def test_with_everything_built_and_upgraded_a_builder_does_nothing() -> None:
    """Red has no house left and nothing to upgrade, so he is asked nothing."""
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=PLENTY, upgraded=range(8)),
        seat(hand=[C.BUILDER, C.MAID], goods=PLENTY),
        display={12: costing(gold=1)},
    )
    step = transition(state, PlayCard(C.BUILDER))
    assert prompt_of(step.state) == PlayPrompt(0, 2)
    assert EffectFizzled(0, C.BUILDER) in step.events


@pytest.mark.rule("BLD-4")
def test_houses_of_others_do_not_count() -> None:
    """Blue's eight houses are all built; Red has his own."""
    state = about_to_build(blue=range(8), display={12: costing(gold=1)})
    assert Build(12) in legal_actions(state)


# The price of a new building


@pytest.mark.rule("BLD-5")
@pytest.mark.parametrize(
    "cost",
    [NO_GOODS, Goods(gold=4), Goods(1, 1, 1, 1), Goods(3, 0, 2, 1), Goods(wood=2, brick=3)],
    ids=str,
)
def test_a_lone_building_costs_what_is_printed(cost: Goods) -> None:
    """Gold, wood, stone and brick of the printed cost are all to be paid."""
    state = about_to_build(display={6: a_building(cost=cost)})
    assert price(state, Build(6)) == cost
    after = play(state, Build(6), Pay(cost))
    assert after.players[0].goods == PLENTY - cost


@pytest.mark.rule("BLD-5", "BLD-27")
def test_a_price_of_nothing_is_paid_with_nothing() -> None:
    """The question is asked all the same, and has a single answer."""
    state = play(about_to_build(display={6: costing()}), Build(6))
    assert prompt_of(state) == PaymentPrompt(0, 6, NO_GOODS)
    assert legal_actions(state) == (Pay(NO_GOODS),)
    assert refusal(state, Pay(Goods(gold=1))).code is Code.PAYMENT_EXCESSIVE


@pytest.mark.rule("BLD-6")
@pytest.mark.parametrize(
    ("own", "gold"),
    [
        ([], 5),
        ([2], 4),
        ([22], 4),
        ([11], 4),
        ([13], 4),
        ([11, 13], 3),
        ([2, 22], 3),
        ([2, 11, 13], 2),
        ([2, 11, 13, 22], 1),
    ],
)
@pytest.mark.parametrize("turned_over", [False, True])
def test_each_adjacent_building_saves_a_gold(own: list[int], gold: int, turned_over: bool) -> None:
    """The middle of the third row has neighbours in all four directions."""
    state = about_to_build(
        players=4,
        built=own,
        upgraded=own if turned_over else [],
        display={12: costing(gold=5, wood=2)},
    )
    assert price(state, Build(12)) == Goods(gold=gold, wood=2)


@pytest.mark.rule("BLD-6")
def test_upgraded_and_plain_neighbours_save_alike() -> None:
    """One neighbour is turned over and one is not: two gold less."""
    state = about_to_build(built=[11], upgraded=[13], display={12: costing(gold=5)})
    assert price(state, Build(12)) == Goods(gold=3)


@pytest.mark.rule("BLD-6")
def test_only_gold_is_saved() -> None:
    """Neighbours take nothing off wood, stone or brick."""
    state = about_to_build(built=[11, 13], display={12: costing(wood=2, stone=1, brick=3)})
    assert price(state, Build(12)) == Goods(wood=2, stone=1, brick=3)


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
    saving = set()
    for own in set(range(30)) - {site}:
        state = about_to_build(players=4, built=[own], display={site: costing(gold=3)})
        if price(state, Build(site)) == Goods(gold=2):
            saving.add(own)
        else:
            assert price(state, Build(site)) == Goods(gold=3)
    assert saving == adjacent_sites(site)


@pytest.mark.rule("BLD-7")
@pytest.mark.parametrize(
    ("site", "own", "gold"),
    [
        (0, 1, 2),
        (4, 3, 2),
        (0, 10, 2),
        (5, 15, 2),
        (0, 2, 3),
        (4, 5, 3),
        (4, 10, 3),
        (14, 15, 3),
        (9, 10, 3),
    ],
)
def test_next_in_the_row_or_in_the_column(site: int, own: int, gold: int) -> None:
    """Neighbours lie side by side; the end of a row and the beginning of another do not."""
    state = about_to_build(built=[own], display={site: costing(gold=3)})
    assert price(state, Build(site)) == Goods(gold=gold)


@pytest.mark.rule("BLD-8")
@pytest.mark.parametrize("column", range(5))
def test_nothing_is_adjacent_across_the_street(column: int) -> None:
    """The first rows on both sides face each other over the street, and save nothing."""
    above, below = column, 5 + column
    for site, own in ((above, below), (below, above)):
        state = about_to_build(built=[own], display={site: costing(gold=3)})
        assert price(state, Build(site)) == Goods(gold=3)


@pytest.mark.rule("BLD-9")
def test_corners_do_not_count() -> None:
    """Red owns all four buildings that touch the site at its corners, and pays in full."""
    state = about_to_build(players=4, built=[1, 3, 21, 23], display={12: costing(gold=3)})
    assert price(state, Build(12)) == Goods(gold=3)


@pytest.mark.rule("BLD-10")
def test_buildings_of_others_save_nothing() -> None:
    """Blue owns all the neighbours, and Red pays in full."""
    state = about_to_build(players=4, blue=[2, 11, 13, 22], display={12: costing(gold=3)})
    assert price(state, Build(12)) == Goods(gold=3)


@pytest.mark.rule("BLD-10")
def test_only_ones_own_neighbours_save() -> None:
    """Red owns one neighbour, Blue one, and two are unbuilt: one gold less."""
    state = about_to_build(players=4, built=[11], blue=[13], display={12: costing(gold=3)})
    assert price(state, Build(12)) == Goods(gold=2)


@pytest.mark.rule("BLD-11")
@pytest.mark.parametrize(
    ("gold", "neighbours", "left"),
    [(2, [11], 1), (2, [11, 13], 0), (1, [11, 13], 0), (0, [11, 13], 0), (3, [2, 11, 13, 22], 0)],
)
def test_neighbours_save_no_more_gold_than_there_is(
    gold: int, neighbours: list[int], left: int
) -> None:
    """The gold of the price falls to nothing at most, and Red gets none back."""
    state = about_to_build(
        players=4, goods=Goods(5, 5, 5, 5), built=neighbours, display={12: costing(gold, wood=1)}
    )
    assert price(state, Build(12)) == Goods(gold=left, wood=1)
    after = play(state, Build(12), Pay(Goods(gold=left, wood=1)))
    assert after.players[0].goods == Goods(5 - left, 4, 5, 5)


# Cards that reduce the price


@pytest.mark.rule("BLD-12")
@pytest.mark.parametrize(("printed", "left"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
@pytest.mark.parametrize(
    ("card", "good"),
    [(C.CARPENTER, Good.WOOD), (C.STONEMASON, Good.STONE), (C.BRICKLAYER, Good.BRICK)],
)
def test_a_card_takes_up_to_two_of_its_good_off(
    card: Character, good: Good, printed: int, left: int
) -> None:
    """Two of the good are saved where there are two, fewer where there are fewer."""
    rest = Goods(1, 1, 1, 1) - Goods.of(good)
    cost = rest + Goods.of(good, printed)
    state = about_to_build(card=card, goods=Goods(9, 9, 9, 9), display={6: a_building(cost=cost)})
    assert price(state, Build(6)) == rest + Goods.of(good, left)
    after = play(state, Build(6), Pay(rest + Goods.of(good, left)))
    assert after.players[0].goods == Goods(9, 9, 9, 9) - rest - Goods.of(good, left)


@pytest.mark.rule("BLD-13")
@pytest.mark.parametrize(("printed", "left"), [(0, 0), (1, 0), (2, 0), (3, 1)])
@pytest.mark.parametrize(
    ("card", "good"),
    [(C.CARPENTER, Good.WOOD), (C.STONEMASON, Good.STONE), (C.BRICKLAYER, Good.BRICK)],
)
def test_a_card_takes_as_much_off_an_upgrade(
    card: Character, good: Good, printed: int, left: int
) -> None:
    """The price of an upgrade is reduced like that of a new building."""
    rest = Goods(0, 1, 1, 1) - Goods.of(good)
    cost = Goods(gold=3) + rest + Goods.of(good, printed)
    state = about_to_build(card=card, built=[6], display={6: a_building(cost=cost)})
    assert price(state, Upgrade(6)) == rest + Goods.of(good, left)


@pytest.mark.rule("BLD-12", "BLD-6")
def test_both_reductions_add_up() -> None:
    """Two neighbours and a Bricklayer: two gold and two bricks less."""
    state = about_to_build(
        card=C.BRICKLAYER, built=[11, 13], display={12: costing(gold=3, stone=1, brick=3)}
    )
    assert price(state, Build(12)) == Goods(gold=1, stone=1, brick=1)


@pytest.mark.rule("BLD-14")
def test_goods_are_substituted_in_the_reduced_price() -> None:
    """One brick is left of three, and three wood replace it; the gold is saved by a neighbour."""
    state = about_to_build(
        card=C.BRICKLAYER,
        goods=Goods(wood=3),
        built=[11],
        display={12: costing(gold=1, brick=3)},
    )
    assert legal_actions(state) == (Build(12), Decline())
    state = play(state, Build(12))
    assert legal_actions(state) == (Pay(Goods(wood=3)),)


@pytest.mark.rule("BLD-14")
def test_a_reduction_does_not_lower_the_substitutes() -> None:
    """A Bricklayer saves nothing where three bricks stand in for a wood."""
    state = about_to_build(card=C.BRICKLAYER, goods=Goods(brick=3), display={12: costing(wood=1)})
    state = play(state, Build(12))
    assert prompt_of(state) == PaymentPrompt(0, 12, Goods(wood=1))
    assert legal_actions(state) == (Pay(Goods(brick=3)),)
    assert refusal(state, Pay(Goods(brick=1))).code is Code.PAYMENT_SHORT


@pytest.mark.rule("BLD-14", "BLD-26")
def test_a_reduction_does_not_help_a_player_short_of_substitutes() -> None:
    """Two bricks and a Bricklayer do not make up for a wood."""
    state = about_to_build(card=C.BRICKLAYER, goods=Goods(brick=2), display={12: costing(wood=1)})
    assert prompt_of(state) == PlayPrompt(0, 2)


@pytest.mark.rule("BLD-14")
def test_a_neighbour_does_not_lower_gold_that_stands_in() -> None:
    """Three gold replace a wood; a neighbour saves none of them."""
    state = about_to_build(goods=Goods(gold=3), built=[11], display={12: costing(wood=1)})
    state = play(state, Build(12))
    assert legal_actions(state) == (Pay(Goods(gold=3)),)
    assert refusal(state, Pay(Goods(gold=2))).code is Code.PAYMENT_SHORT


# Upgrading


@pytest.mark.rule("BLD-15")
@pytest.mark.parametrize("site", [3, 7])
def test_only_ones_own_building_is_upgraded(site: int) -> None:
    """Nobody's building and Blue's building are not Red's to upgrade."""
    state = about_to_build(built=[0], blue=[7], display=dict.fromkeys(range(20), costing(wood=1)))
    assert Upgrade(site) not in legal_actions(state)
    violation = refusal(state, Upgrade(site))
    assert violation.code is Code.SITE_NOT_OWN
    assert violation.clause == "BLD-15"


@pytest.mark.rule("BLD-16")
def test_a_building_is_upgraded_once() -> None:
    """Red's building shows its upgraded side already."""
    state = about_to_build(
        built=[0], upgraded=[4], display=dict.fromkeys(range(20), costing(wood=1))
    )
    assert Upgrade(0) in legal_actions(state)
    violation = refusal(state, Upgrade(4))
    assert violation.code is Code.ALREADY_UPGRADED
    assert violation.clause == "BLD-16"


@pytest.mark.rule("BLD-17")
@pytest.mark.parametrize(
    "cost",
    [Goods(gold=4), Goods(1, 1, 1, 1), Goods(3, 0, 2, 1), Goods(wood=2, brick=3)],
    ids=str,
)
def test_an_upgrade_costs_no_gold(cost: Goods) -> None:
    """Wood, stone and brick of the printed cost are paid again, the gold is not."""
    state = about_to_build(built=[6], display={6: a_building(cost=cost)})
    materials = Goods(0, cost.wood, cost.stone, cost.brick)
    assert price(state, Upgrade(6)) == materials
    after = play(state, Upgrade(6), Pay(materials))
    assert after.players[0].goods == PLENTY - materials


@pytest.mark.rule("BLD-17", "BLD-26")
def test_an_upgrade_of_a_building_of_gold_is_free() -> None:
    """Red owns nothing, and can still turn over a building that cost gold only."""
    state = about_to_build(goods=NO_GOODS, built=[6], display={6: costing(gold=4)})
    assert legal_actions(state) == (Upgrade(6), Decline())
    state = play(state, Upgrade(6))
    assert legal_actions(state) == (Pay(NO_GOODS),)


@pytest.mark.rule("BLD-18")
def test_neighbours_save_nothing_on_an_upgrade() -> None:
    """Red owns all neighbours and pays wood, stone and brick in full."""
    state = about_to_build(players=4, built=[2, 11, 12, 13, 22], display={12: costing(4, 1, 2, 1)})
    assert price(state, Upgrade(12)) == Goods(0, 1, 2, 1)


# Paying


@pytest.mark.rule("BLD-19")
def test_the_payment_goes_back_to_the_supply() -> None:
    """Red pays, and nobody else has more or less than before."""
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(2, 3, 4, 5)),
        seat(goods=Goods(1, 1, 1, 1)),
        display={6: costing(2, 1, 1, 1)},
    )
    state = play(state, C.BUILDER, Build(6))
    step = transition(state, Pay(Goods(2, 1, 1, 1)))
    assert [player.goods for player in step.state.players] == [
        Goods(0, 2, 3, 4),
        Goods(1, 1, 1, 1),
    ]
    assert GoodsReturned(0, Goods(2, 1, 1, 1), "BLD-19") in step.events


@pytest.mark.rule("BLD-19")
@pytest.mark.parametrize(
    ("paid", "code"),
    [
        (Goods(), Code.PAYMENT_SHORT),
        (Goods(wood=1), Code.PAYMENT_SHORT),
        (Goods(wood=2), Code.PAYMENT_SHORT),
        (Goods(wood=3), Code.PAYMENT_SHORT),
        (Goods(wood=5), Code.PAYMENT_EXCESSIVE),
        (Goods(gold=5), Code.PAYMENT_SHORT),
        (Goods(gold=7), Code.PAYMENT_EXCESSIVE),
        (Goods(gold=1, wood=1, stone=1), Code.PAYMENT_EXCESSIVE),
        (Goods(wood=2, stone=1), Code.PAYMENT_EXCESSIVE),
        (Goods(2, 2, 2, 2), Code.PAYMENT_EXCESSIVE),
        (Goods(20, 20, 20, 20), Code.PAYMENT_EXCESSIVE),
    ],
    ids=str,
)
def test_the_price_is_paid_exactly(paid: Goods, code: Code) -> None:
    """A wood and a stone are wanted: not less, and not more."""
    state = play(about_to_build(display={6: costing(wood=1, stone=1)}), Build(6))
    violation = refusal(state, Pay(paid))
    assert violation.code is code
    assert violation.clause.startswith("BLD-")


@pytest.mark.rule("BLD-19")
@pytest.mark.parametrize("paid", [Goods(wood=1), Goods(gold=3), Goods(gold=1, stone=2)], ids=str)
def test_nobody_pays_with_goods_he_does_not_own(paid: Goods) -> None:
    """The payment would do, but Red does not have it."""
    state = about_to_build(goods=Goods(stone=3, brick=3), display={6: costing(wood=1)})
    state = play(state, Build(6))
    violation = refusal(state, Pay(paid))
    assert violation.code is Code.NOT_OWNED
    assert violation.clause.startswith("BLD-")


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22")
def test_a_wood_is_paid_with_a_wood_or_any_three_others() -> None:
    """There are eleven ways to pay for one wood."""
    state = play(about_to_build(goods=Goods(3, 3, 3, 3), display={6: costing(wood=1)}), Build(6))
    assert legal_actions(state) == (
        Pay(Goods(0, 0, 0, 3)),
        Pay(Goods(0, 0, 1, 2)),
        Pay(Goods(0, 0, 2, 1)),
        Pay(Goods(0, 0, 3, 0)),
        Pay(Goods(0, 1, 0, 0)),
        Pay(Goods(1, 0, 0, 2)),
        Pay(Goods(1, 0, 1, 1)),
        Pay(Goods(1, 0, 2, 0)),
        Pay(Goods(2, 0, 0, 1)),
        Pay(Goods(2, 0, 1, 0)),
        Pay(Goods(3, 0, 0, 0)),
    )


@pytest.mark.rule("BLD-20", "BLD-38")
@pytest.mark.parametrize("count", [1, 2, 4, 5, 6])
def test_three_goods_replace_one_and_no_other_number(count: int) -> None:
    """Two stones are too few for a wood, four are too many."""
    state = play(about_to_build(display={6: costing(wood=1)}), Build(6))
    assert Pay(Goods(stone=3)) in legal_actions(state)
    violation = refusal(state, Pay(Goods(stone=count)))
    assert violation.code is (Code.PAYMENT_SHORT if count < 3 else Code.PAYMENT_EXCESSIVE)


@pytest.mark.rule("BLD-21")
@pytest.mark.parametrize("good", Good)
def test_a_good_does_not_replace_its_own_kind(good: Good) -> None:
    """Three goods with one of the very kind among them are no substitute for it."""
    other = Good.BRICK if good is not Good.BRICK else Good.GOLD
    state = play(about_to_build(display={6: a_building(cost=Goods.of(good))}), Build(6))
    assert Pay(Goods.of(other, 3)) in legal_actions(state)
    for own in (1, 2, 3):
        paid = Goods.of(good, own) + Goods.of(other, 3 - own)
        assert refusal(state, Pay(paid)).code in PAYMENT_CODES


@pytest.mark.rule("BLD-21")
def test_two_items_may_be_replaced_crosswise() -> None:
    """Three wood stand in for the stone and three stones for the wood."""
    state = play(about_to_build(display={6: costing(wood=1, stone=1)}), Build(6))
    after = play(state, Pay(Goods(wood=3, stone=3)))
    assert after.players[0].goods == PLENTY - Goods(wood=3, stone=3)


@pytest.mark.rule("BLD-21", "BLD-20")
def test_one_kind_pays_for_itself_and_for_another() -> None:
    """Four wood pay for a wood and a brick; six wood do not, for three would replace a wood."""
    state = play(about_to_build(display={6: costing(wood=1, brick=1)}), Build(6))
    assert check(state, Pay(Goods(wood=4))) is None
    assert refusal(state, Pay(Goods(wood=6))).code in PAYMENT_CODES


@pytest.mark.rule("BLD-22")
@pytest.mark.parametrize(
    "paid",
    [Goods(gold=3), Goods(stone=3), Goods(gold=1, stone=1, brick=1), Goods(gold=2, brick=1)],
    ids=str,
)
def test_substitutes_may_be_alike_or_different(paid: Goods) -> None:
    """Gold stands in for a material as well as other materials do."""
    state = play(about_to_build(display={6: costing(wood=1)}), Build(6))
    assert play(state, Pay(paid)).players[0].goods == PLENTY - paid


@pytest.mark.rule("BLD-23")
@pytest.mark.parametrize("replaced", [0, 1, 2, 3])
def test_any_number_of_items_may_be_replaced(replaced: int) -> None:
    """Red could pay three wood, and replaces none, one, two or all of them."""
    state = play(about_to_build(display={6: costing(wood=3)}), Build(6))
    paid = Goods(wood=3 - replaced, brick=3 * replaced)
    assert Pay(paid) in legal_actions(state)
    assert play(state, Pay(paid)).players[0].goods == PLENTY - paid


@pytest.mark.rule("BLD-23")
def test_an_upgrade_may_be_paid_with_substitutes() -> None:
    """Three gold stand in for the wood of an upgrade, though gold is no part of its price."""
    state = about_to_build(goods=Goods(gold=3), built=[6], display={6: costing(gold=2, wood=1)})
    state = play(state, Upgrade(6))
    assert legal_actions(state) == (Pay(Goods(gold=3)),)
    after = play(state, Pay(Goods(gold=3)))
    assert (after.players[0].goods, list(after.players[0].upgraded)) == (NO_GOODS, [6])


@pytest.mark.rule("BLD-24")
def test_gold_is_replaced_like_any_other_good() -> None:
    """Red has no gold, and pays three materials for each gold of the price."""
    state = about_to_build(goods=Goods(wood=3, stone=2, brick=1), display={6: costing(gold=2)})
    state = play(state, Build(6))
    assert legal_actions(state) == (Pay(Goods(wood=3, stone=2, brick=1)),)
    assert play(state, *legal_actions(state)).players[0].goods == NO_GOODS


PRICES = (
    Goods(gold=1),
    Goods(wood=2),
    Goods(gold=1, brick=1),
    Goods(1, 1, 1, 0),
    Goods(gold=2, stone=1),
    Goods(0, 1, 1, 1),
    Goods(1, 1, 1, 1),
)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@pytest.mark.parametrize("cost", PRICES, ids=str)
@pytest.mark.parametrize(
    "goods", [PLENTY, Goods(4, 3, 2, 1), Goods(0, 6, 1, 4), Goods(2, 0, 3, 5)], ids=str
)
def test_the_payments_are_those_found_item_by_item(goods: Goods, cost: Goods) -> None:
    """Whoever replaces item after item in every possible way finds the same payments."""
    state = about_to_build(goods=goods, display={6: a_building(cost=cost)})
    possible = within(goods, cost)
    if possible:
        assert legal_actions(play(state, Build(6))) == possible
    else:
        assert prompt_of(state) == PlayPrompt(0, 2)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21")
@pytest.mark.parametrize("cost", [Goods(wood=1), Goods(1, 1, 0, 0), Goods(wood=2)], ids=str)
def test_no_other_payment_is_accepted(cost: Goods) -> None:
    """Of all payments with up to four goods of a kind just those found item by item will do."""
    state = play(about_to_build(display={6: a_building(cost=cost)}), Build(6))
    accepted = payments(cost)
    for counts in product(range(5), repeat=4):
        assert (check(state, Pay(Goods(*counts))) is None) == (Goods(*counts) in accepted)


@pytest.mark.rule("BLD-25")
@pytest.mark.parametrize(
    ("card", "goods"),
    [
        (C.MERCHANT, Goods(0, 9, 9, 9)),
        (C.GRAND_BAILIFF, Goods(3, 9, 9, 9)),
        (C.GRAND_MASTER, Goods(9, 9, 9, 0)),
        (C.ARCHITECT, Goods(9, 3, 3, 3)),
        (C.TRADER, Goods(gold=9)),
    ],
)
def test_nothing_is_substituted_in_other_payments(card: Character, goods: Goods) -> None:
    """What other cards cost cannot be replaced by three goods for one: the card fizzles."""
    state = position(seat(hand=[card, C.MAID], goods=goods), seat())
    step = transition(state, PlayCard(card))
    assert EffectFizzled(0, card) in step.events
    assert step.state.players[0].goods == goods
    assert step.state.players[0].score == 0


@pytest.mark.rule("BLD-25")
def test_nothing_is_paid_when_nothing_is_built() -> None:
    """Red cannot exchange goods with the supply on his own account."""
    state = position(seat(hand=[C.BUILDER, C.MAID], goods=PLENTY), seat(), display={0: costing(1)})
    assert refusal(state, Pay(Goods(wood=3))).code is Code.WRONG_KIND
    assert refusal(play(state, C.BUILDER), Pay(Goods(wood=3))).code is Code.WRONG_KIND


@pytest.mark.rule("BLD-26")
@pytest.mark.parametrize(
    ("goods", "affordable"),
    [
        (Goods(wood=1), True),
        (Goods(), False),
        (Goods(stone=2), False),
        (Goods(stone=3), True),
        (Goods(gold=1, stone=1), False),
        (Goods(gold=1, stone=1, brick=1), True),
    ],
    ids=str,
)
def test_a_site_is_chosen_only_if_it_can_be_paid_for(goods: Goods, affordable: bool) -> None:
    """One wood is wanted: Red owns it, or three other goods, or cannot choose the site."""
    state = about_to_build(goods=goods, display={6: costing(wood=1), 7: costing()})
    assert (Build(6) in legal_actions(state)) == affordable
    if not affordable:
        violation = refusal(state, Build(6))
        assert violation.code is Code.NOT_AFFORDABLE
        assert violation.clause == "BLD-26"


@pytest.mark.rule("BLD-26")
def test_an_upgrade_is_chosen_only_if_it_can_be_paid_for() -> None:
    """Red owns two bricks, and the upgrade takes a wood."""
    state = about_to_build(
        goods=Goods(brick=2), built=[6], display={6: costing(wood=1), 3: costing()}
    )
    assert legal_actions(state) == (Build(3), Decline())
    violation = refusal(state, Upgrade(6))
    assert violation.code is Code.NOT_AFFORDABLE
    assert violation.clause == "BLD-26"


@pytest.mark.rule("BLD-26")
@pytest.mark.parametrize(
    "cost", [Goods(gold=1, wood=1), Goods(stone=2), Goods(1, 1, 1, 1)], ids=str
)
def test_whoever_finds_a_payment_can_choose_the_site(cost: Goods) -> None:
    """With every handful of goods the site is offered just when some payment is possible."""
    accepted = payments(cost)
    for counts in product(range(4), repeat=4):
        goods = Goods(*counts)
        state = about_to_build(goods=goods, display={6: a_building(cost=cost)})
        offered = isinstance(state.prompt, SitePrompt)
        assert offered == any(goods.covers(paid) for paid in accepted)


@pytest.mark.rule("BLD-26")
def test_a_discount_makes_a_site_affordable() -> None:
    """Red has one gold, and the building costs two, less one for the neighbour."""
    display = {12: costing(gold=2), 17: costing(gold=2)}
    state = about_to_build(goods=Goods(gold=1), built=[11], display=display)
    assert legal_actions(state) == (Build(12), Decline())
    assert refusal(state, Build(17)).code is Code.NOT_AFFORDABLE


@pytest.mark.rule("BLD-27", "BLD-2")
@editions
@pytest.mark.parametrize("choice", [Build(0), Upgrade(5)])
def test_a_site_chosen_is_paid_for(choice: Build | Upgrade, rules: RuleSet) -> None:
    """Once the site is chosen Red can neither decline nor choose another."""
    state = about_to_build(
        built=[5], display=dict.fromkeys((0, 1, 5), costing(wood=1)), rules=rules
    )
    state = play(state, choice)
    assert {type(action) for action in legal_actions(state)} == {Pay}
    for other in (Decline(), Build(1), Upgrade(5), PlayCard(C.MAID)):
        violation = refusal(state, other)
        assert violation.code is Code.WRONG_KIND
        assert violation.clause.startswith("BLD-")


# What a construction brings


@pytest.mark.rule("BLD-28")
def test_the_character_comes_to_the_hand() -> None:
    """Red takes the Nun from the building; neither piles nor supply nor Blue have changed."""
    state = about_to_build(display={6: a_building(character=C.NUN, cost=Goods(gold=1))})
    after = play(state, Build(6), Pay(Goods(gold=1)))
    red = after.players[0]
    assert red.hand == CardBag.of(C.MAID, C.NUN)
    assert (red.draw_pile, red.discard_pile) == (EMPTY, EMPTY)
    assert (after.players[1], after.supply) == (state.players[1], state.supply)
    assert PlayCard(C.NUN) in legal_actions(after)


@pytest.mark.rule("BLD-28")
def test_the_character_belongs_to_the_builder_from_then_on() -> None:
    """Once played, the Knight goes to Red's discards and comes back with the others."""
    state = about_to_build(display={6: costing()})
    state = play(state, Build(6), Pay(NO_GOODS), C.KNIGHT)
    state = state.with_player(0, state.players[0].replace(hand=CardBag.of(C.LUMBERJACK)))
    state = play(state, C.LUMBERJACK)
    red = state.players[0]
    assert red.hand + red.draw_pile == CardBag.of(C.BUILDER, C.KNIGHT, C.LUMBERJACK)


@pytest.mark.rule("BLD-29")
def test_a_house_marks_the_building_as_ones_own() -> None:
    """Red's house stands on the site, and Blue cannot build there in his turn."""
    state = position(
        seat(hand=[C.BUILDER], draw_pile=[C.MAID] * 5),
        seat(hand=[C.BUILDER, C.MAID], goods=PLENTY),
        display=dict.fromkeys(range(20), costing()),
        plays=1,
    )
    step = transition(play(state, C.BUILDER, Build(6)), Pay(NO_GOODS))
    assert Built(0, 6, C.KNIGHT) in step.events
    assert [list(player.built) for player in step.state.players] == [[6], []]
    assert list(step.state.players[0].upgraded) == []
    state = play(draw_all(step.state), C.BUILDER)
    assert legal_actions(state) == (*(Build(site) for site in range(20) if site != 6), Decline())
    assert refusal(state, Build(6)).code is Code.SITE_TAKEN
    assert refusal(state, Upgrade(6)).code is Code.SITE_NOT_OWN


@pytest.mark.rule("BLD-30", "BLD-31", "BLD-37")
def test_an_upgrade_takes_no_house_and_brings_no_character() -> None:
    """Red turns the building over; his houses and his hand stay as they are."""
    state = about_to_build(
        built=[6, 7], display={6: a_building(character=C.NUN, cost=Goods(gold=2, wood=1))}
    )
    step = transition(play(state, Upgrade(6)), Pay(Goods(wood=1)))
    red = step.state.players[0]
    assert (list(red.built), list(red.upgraded)) == ([6, 7], [6])
    assert red.hand == CardBag.of(C.MAID)
    assert Upgraded(0, 6) in step.events
    assert not any(isinstance(event, Built) for event in step.events)
    assert prompt_of(step.state) == PlayPrompt(0, 2)


@pytest.mark.rule("BLD-30")
def test_an_upgrade_is_no_eighth_house() -> None:
    """Red has seven houses and upgrades; the game goes on in its main phase."""
    state = position(
        seat(hand=[C.BUILDER], draw_pile=[C.MAID] * 5, built=range(7)),
        seat(hand=[C.MAID]),
        display={0: costing()},
        plays=1,
    )
    state = draw_all(play(state, C.BUILDER, Upgrade(0), Pay(NO_GOODS)))
    assert len(state.players[0].built) == 7
    assert (state.phase, prompt_of(state)) == (Phase.MAIN, PlayPrompt(1, 3))


@pytest.mark.rule("BLD-30", "BLD-4")
def test_upgrades_leave_the_eighth_house_unused() -> None:
    """Red has seven buildings, all of them upgraded, and erects an eighth."""
    state = about_to_build(upgraded=range(7), display={7: costing(brick=1)})
    assert Build(7) in legal_actions(state)
    assert len(play(state, Build(7), Pay(Goods(brick=1))).players[0].built) == 8


@pytest.mark.rule("BLD-30", "BLD-36")
def test_a_player_without_houses_upgrades() -> None:
    """Red has built eight times, and upgrades the eighth building."""
    state = about_to_build(built=range(8), display={7: costing(brick=1)})
    state = play(state, Upgrade(7), Pay(Goods(brick=1)))
    assert len(state.players[0].built) == 8
    assert list(state.players[0].upgraded) == [7]


# The construction bonus


@pytest.mark.rule("BLD-32")
@pytest.mark.parametrize("column", range(5))
def test_valette_rewards_what_is_built_in_his_area(column: int) -> None:
    """Red scores two points when Valette stands on one of the five spaces of the column."""
    for space in range(1, 26):
        state = about_to_build(display={column: costing()}, valette=space)
        after = play(state, Build(column), Pay(NO_GOODS))
        sees = 5 * column + 1 <= space <= 5 * column + 5
        assert [player.score for player in after.players] == [2 if sees else 0, 0]


@pytest.mark.rule("BLD-33")
@pytest.mark.parametrize("column", range(5))
def test_valette_rewards_what_is_upgraded_in_his_area(column: int) -> None:
    """An upgrade scores where a new building would."""
    for space in range(1, 26):
        state = about_to_build(built=[column], display={column: costing()}, valette=space)
        after = play(state, Upgrade(column), Pay(NO_GOODS))
        sees = 5 * column + 1 <= space <= 5 * column + 5
        assert [player.score for player in after.players] == [2 if sees else 0, 0]


@pytest.mark.rule("BLD-32", "BLD-33")
@pytest.mark.parametrize("choice", [Build(2), Upgrade(7)])
def test_the_bonus_is_scored_at_once(choice: Build | Upgrade) -> None:
    """The points come with the payment, in the middle of the turn, and add to the score."""
    state = about_to_build(built=[7], display=dict.fromkeys((2, 7), costing(wood=1)), valette=13)
    state = state.with_player(0, state.players[0].replace(score=11))
    chosen = play(state, choice)
    assert chosen.players[0].score == 11
    step = transition(chosen, Pay(Goods(wood=1)))
    assert step.state.players[0].score == 13
    assert prompt_of(step.state) == PlayPrompt(0, 2)
    scored = [event for event in step.events if isinstance(event, PointsScored)]
    clause = "BLD-32" if isinstance(choice, Build) else "BLD-33"
    assert scored == [PointsScored(0, 2, clause)]


@pytest.mark.rule("BLD-32", "BLD-33")
@editions
@pytest.mark.parametrize("card", REDUCTIONS)
def test_every_building_card_earns_the_bonus(card: Character, rules: RuleSet) -> None:
    """Builder, Carpenter, Stonemason and Bricklayer are all seen by Valette, in every edition."""
    state = about_to_build(card=card, display={4: costing()}, valette=25, rules=rules)
    assert play(state, Build(4), Pay(NO_GOODS)).players[0].score == 2


@pytest.mark.rule("BLD-34")
@pytest.mark.parametrize("site", [2, 7, 12, 17, 22, 27])
def test_valette_sees_both_sides_of_the_street(site: int) -> None:
    """All six rows of the middle column lie in the middle area, above the street and below."""
    state = about_to_build(players=4, display={site: costing()}, valette=11)
    assert play(state, Build(site), Pay(NO_GOODS)).players[0].score == 2


@pytest.mark.rule("BLD-35")
@pytest.mark.parametrize("site", range(20))
def test_valette_sees_nothing_from_the_tower(site: int) -> None:
    """While Valette has not left the tower nothing that is built or upgraded scores."""
    state = about_to_build(display={site: costing()}, valette=0)
    assert play(state, Build(site), Pay(NO_GOODS)).players[0].score == 0
    state = about_to_build(built=[site], display={site: costing()}, valette=0)
    assert play(state, Upgrade(site), Pay(NO_GOODS)).players[0].score == 0


@pytest.mark.rule("BLD-20", "BLD-26")
@pytest.mark.parametrize("good", Good)
def test_what_is_missing_of_a_good_is_replaced(good: Good) -> None:
    """A site costs two of a good; Red owns one, and can build with three other goods beside it."""
    other = Goods(wood=3) if good is Good.GOLD else Goods(gold=3)
    fewer = Goods(wood=2) if good is Good.GOLD else Goods(gold=2)
    display = {6: a_building(cost=Goods.of(good, 2))}
    agenda = (SitePrompt(0, NO_GOODS), PlayPrompt(0, 1))
    enough = position(seat(goods=Goods.of(good) + other), seat(), display=display, agenda=agenda)
    assert legal_actions(enough) == (Build(6), Decline())
    too_few = position(seat(goods=Goods.of(good) + fewer), seat(), display=display, agenda=agenda)
    assert legal_actions(too_few) == (Decline(),)


@pytest.mark.rule("BLD-12", "BLD-18", "BLD-26")
@pytest.mark.parametrize("good", [Good.WOOD, Good.STONE, Good.BRICK])
def test_a_reduction_brings_an_upgrade_within_reach(good: Good) -> None:
    """Red has no goods, and yet may upgrade a building whose two goods the card takes off."""
    state = position(
        seat(built=[3]),
        seat(),
        display={3: a_building(cost=Goods.of(good, 2))},
        agenda=(SitePrompt(0, Goods.of(good, 2)), PlayPrompt(0, 1)),
    )
    assert legal_actions(state) == (Upgrade(3), Decline())


@pytest.mark.rule("BLD-2")
def test_building_nothing_is_told() -> None:
    """That a player neither builds nor upgrades is told with the clause that lets him."""
    state = position(
        seat(hand=[C.KNIGHT]), seat(), agenda=(SitePrompt(0, NO_GOODS), PlayPrompt(0, 1))
    )
    assert transition(state, Decline()).events == (EffectDeclined(0, "BLD-2"),)


# Several steps in a turn


@pytest.mark.rule("BLD-6", "RED-16")
def test_what_was_just_built_is_a_neighbour() -> None:
    """Red builds with a Builder; the site beside it costs his Apprentice one gold less."""
    state = position(
        seat(hand=[C.BUILDER, C.APPRENTICE], goods=Goods(gold=3)),
        seat(),
        display={6: costing(gold=2), 7: costing(gold=2)},
    )
    state = play(state, C.BUILDER)
    assert legal_actions(state) == (Build(6), Build(7), Decline())
    state = play(state, Build(6), Pay(Goods(gold=2)), C.APPRENTICE)
    assert legal_actions(state) == (Build(7), Upgrade(6), Decline())
    assert legal_actions(play(state, Build(7))) == (Pay(Goods(gold=1)),)


@pytest.mark.rule("BLD-32", "BLD-33", "VAL-1")
@pytest.mark.parametrize(("site", "points"), [(0, 0), (1, 2)])
@pytest.mark.parametrize("choice", [Build, Upgrade])
def test_valette_sees_from_where_he_went(
    choice: type[Build | Upgrade], site: int, points: int
) -> None:
    """Valette goes from space 5 to space 6: what rises next scores in the second column alone."""
    mine = [site] if choice is Upgrade else []
    state = position(
        seat(hand=[C.VALETTE, C.BUILDER], built=mine),
        seat(),
        display={0: costing(), 1: costing()},
        valette=5,
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.WOOD), Decline())
    state = play(state, C.BUILDER, choice(site), Pay(NO_GOODS))
    assert state.players[0].score == points


@pytest.mark.rule("BLD-26", "VAL-4", "TRN-5")
@pytest.mark.parametrize("good", Good)
def test_the_good_of_the_barrel_pays(good: Good) -> None:
    """Red owns nothing, and builds for a wood just when the barrel has brought him one."""
    state = position(
        seat(hand=[C.VALETTE, C.BUILDER, C.MAID]), seat(), display={10: costing(wood=1)}
    )
    state = play(state, C.VALETTE, RevealBarrel(good), Decline(), C.BUILDER)
    assert (Build(10) in legal_actions(state)) == (good is Good.WOOD)
