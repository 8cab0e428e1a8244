"""Blue characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations_with_replacement

from valletta_rules.actions import (
    Decline,
    GiveGood,
    PlayCard,
    ReturnGood,
    TakeGood,
    TakeGoods,
)
from valletta_rules.agenda import (
    ArtisanPrompt,
    BonusPrompt,
    MonkPrompt,
    NunPrompt,
    PlayPrompt,
    Prompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
)
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.goods import GOODS, MATERIALS, NOTHING, ONE, Good, Goods
from valletta_rules.events import (
    EffectDeclined,
    EffectFizzled,
    Event,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
)
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, posts
from .building import sites
from .green import icons
from .vocabulary import declinable, declines, holds, opponents, plays, seat_of

# The Monk


@posts("BLU-1", at=MonkPrompt)
def gift_to_the_monk(step: Step) -> Iterator[Event]:
    """One good goes from the giver to the player of the Monk."""
    match step.prompt, step.action:
        case MonkPrompt(giver, taker), GiveGood(good):
            yield GoodsGiven(giver, taker, ONE[good], "BLU-1")


@allows("BLU-2", at=MonkPrompt)
def choice_of_the_giver(state: GameState) -> Verdicts:
    """Any kind that the giver owns may be given, and no other."""
    owned = state.players[seat_of(state)].goods
    yield from ((GiveGood(good), owned[good] > 0) for good in GOODS)


@allows("BLU-34", at=MonkPrompt)
def no_refusal(state: GameState) -> Verdicts:
    """The giver cannot decline."""
    yield Decline(), False


@asks("BLU-1", "BLU-3", at=PlayPrompt | MonkPrompt)
def whom_the_monk_asks(step: Step) -> Prompt | None:
    """The next opponent clockwise who owns four goods when the prompt comes up."""
    match step.prompt:
        case MonkPrompt(giver, taker):
            order = opponents(step.before, taker)
            order = order[order.index(giver) + 1 :]
        case _ if plays(step, Character.MONK):
            taker = step.seat
            order = opponents(step.before, taker)
        case _:
            return None
    rich = [seat for seat in order if must_give(step.after, seat, Character.MONK)]
    return MonkPrompt(rich[0], taker) if rich else None


def must_give(state: GameState, seat: int, card: Character) -> bool:
    """Tell whether a seat has enough goods for Monk, Innkeeper or Tax Collector."""
    goods = state.players[seat].goods
    match card:
        case Character.MONK:
            return goods.gold + goods.wood + goods.stone + goods.brick >= 4
        case Character.INNKEEPER:
            return goods.gold >= 2
        case _:
            return any(goods[good] >= 3 for good in MATERIALS)


@always("BLU-4", at=PlayPrompt)
def fewer_than_four(step: Step) -> bool | None:
    """A player with fewer than four goods neither gives nor is asked to give."""
    return _poor_give_nothing(step, Character.MONK) if plays(step, Character.MONK) else None


def _poor_give_nothing(step: Step, card: Character) -> bool | None:
    others = opponents(step.before, step.seat)
    poor = {seat for seat in others if not must_give(step.before, seat, card)}
    asked = isinstance(step.asked, MonkPrompt) and step.asked.seat in poor
    given = any(isinstance(each, GoodsGiven) and each.giver in poor for each in step.events)
    return not asked and not given if poor else None


@asks("BLU-5", at=PlayPrompt | MonkPrompt)
def after_the_monk(step: Step) -> Prompt | None:
    """The extra good is offered when the opponent has given, or had too few goods."""
    if isinstance(step.prompt, MonkPrompt):
        return BonusPrompt(step.prompt.taker, Character.MONK)
    others = opponents(step.before, step.seat)
    if not plays(step, Character.MONK) or must_give(step.before, others[0], Character.MONK):
        return None
    return BonusPrompt(step.seat, Character.MONK)


@allows("BLU-5", at=BonusPrompt)
def extra_good_of_the_monk(state: GameState) -> Verdicts:
    """Any good, or none."""
    return _extra_goods(state, Character.MONK, GOODS)


@posts("BLU-5", at=BonusPrompt)
def extra_good_of_the_monk_taken(step: Step) -> Iterator[Event]:
    """One good comes from the general supply, unless the player declines."""
    return _extra_good_taken(step, Character.MONK, "BLU-5")


def _extra_goods(state: GameState, card: Character, goods: Collection[Good]) -> Verdicts:
    if isinstance(state.prompt, BonusPrompt) and state.prompt.character is card:
        yield Decline(), True
        yield from ((TakeGood(good), good in goods) for good in GOODS)


def _extra_good_taken(step: Step, card: Character, clause: str) -> Iterator[Event]:
    if isinstance(step.prompt, BonusPrompt) and step.prompt.character is card:
        match step.action:
            case TakeGood(good):
                yield GoodsTaken(step.seat, ONE[good], clause)
            case Decline():
                yield EffectDeclined(step.seat, clause)


# Bricklayer, Stonemason and Carpenter


@asks("BLU-6", at=PlayPrompt)
def bricklayer(step: Step) -> Prompt | None:
    """One site may be chosen, with up to two bricks off, if there is one to be paid for."""
    return _site(step, Character.BRICKLAYER, Goods(brick=2))


@asks("BLU-22", at=PlayPrompt)
def stonemason(step: Step) -> Prompt | None:
    """One site may be chosen, with up to two stones off, if there is one to be paid for."""
    return _site(step, Character.STONEMASON, Goods(stone=2))


@asks("BLU-29", at=PlayPrompt)
def carpenter(step: Step) -> Prompt | None:
    """One site may be chosen, with up to two wood off, if there is one to be paid for."""
    return _site(step, Character.CARPENTER, Goods(wood=2))


def _site(step: Step, card: Character, reduction: Goods) -> Prompt | None:
    if plays(step, card) and sites(step.before, step.seat, reduction):
        return SitePrompt(step.seat, reduction)
    return None


# The Trader


@asks("BLU-7", at=PlayPrompt)
def trader(step: Step) -> Prompt | None:
    """The player chooses, if there is anything to return."""
    return TraderPrompt(step.seat) if plays(step, Character.TRADER) and _materials(step) else None


def _materials(step: Step) -> int:
    return step.mine.goods.wood + step.mine.goods.stone + step.mine.goods.brick


@allows("BLU-7", at=TraderPrompt)
def wares_of_the_trader(state: GameState) -> Verdicts:
    """Wood, stone or brick that the player owns."""
    owned = state.players[seat_of(state)].goods
    yield from ((ReturnGood(each), each in MATERIALS and owned[each] > 0) for each in GOODS)


@posts("BLU-7", at=TraderPrompt)
def trade_of_the_trader(step: Step) -> Iterator[Event]:
    """One material goes back, and three gold come."""
    if isinstance(step.action, ReturnGood):
        yield GoodsReturned(step.seat, ONE[step.action.good], "BLU-7")
        yield GoodsTaken(step.seat, Goods(gold=3), "BLU-7")


declinable("BLU-8", TraderPrompt)


@posts("BLU-9", at=PlayPrompt)
def trader_without_wares(step: Step) -> Iterator[Event]:
    """Without materials the effect fizzles."""
    if plays(step, Character.TRADER) and not _materials(step):
        yield EffectFizzled(step.seat, Character.TRADER)


# The Seamstress


@asks("BLU-10", at=PlayPrompt)
def seamstress(step: Step) -> Prompt | None:
    """The player chooses."""
    return SeamstressPrompt(step.seat) if plays(step, Character.SEAMSTRESS) else None


@allows("BLU-10", at=SeamstressPrompt)
def two_goods(state: GameState) -> Verdicts:
    """Two goods, alike or different."""
    for one, other in combinations_with_replacement(GOODS, 2):
        yield TakeGoods(ONE[one] + ONE[other]), True


@posts("BLU-10", at=SeamstressPrompt)
def two_goods_taken(step: Step) -> Iterator[Event]:
    """The two goods come from the general supply."""
    if isinstance(step.action, TakeGoods):
        yield GoodsTaken(step.seat, step.action.goods, "BLU-10")


declinable("BLU-11", SeamstressPrompt)


@allows("BLU-11", at=SeamstressPrompt)
def not_one_of_two(state: GameState) -> Verdicts:
    """A single good cannot be taken."""
    yield from ((TakeGoods(ONE[good]), False) for good in GOODS)


# The Merchant


@posts("BLU-12", at=PlayPrompt)
def merchant(step: Step) -> Iterator[Event]:
    """One gold goes back, and one of each material comes."""
    if plays(step, Character.MERCHANT) and step.mine.goods.gold >= 1:
        yield GoodsReturned(step.seat, Goods(gold=1), "BLU-12")
        yield GoodsTaken(step.seat, Goods(wood=1, stone=1, brick=1), "BLU-12")


@allows("BLU-13", at=PlayPrompt)
def leaving_the_merchant(state: GameState) -> Verdicts:
    """The trade may be declined as the card is played, if it could be made."""
    if holds(state, Character.MERCHANT) and state.players[seat_of(state)].goods.gold >= 1:
        yield PlayCard(Character.MERCHANT, use_effect=False), True


@posts("BLU-13", at=PlayPrompt)
def no_trade_of_the_merchant(step: Step) -> Iterator[Event]:
    """Then nothing is exchanged."""
    if declines(step, Character.MERCHANT):
        yield EffectDeclined(step.seat, "BLU-13")


@allows("BLU-14", at=PlayPrompt)
def nothing_to_leave(state: GameState) -> Verdicts:
    """Without gold there is nothing to decline."""
    if holds(state, Character.MERCHANT) and not state.players[seat_of(state)].goods.gold:
        yield PlayCard(Character.MERCHANT, use_effect=False), False


@posts("BLU-14", at=PlayPrompt)
def merchant_without_gold(step: Step) -> Iterator[Event]:
    """Without gold the effect fizzles."""
    if plays(step, Character.MERCHANT) and not step.mine.goods.gold:
        yield EffectFizzled(step.seat, Character.MERCHANT)


# The Artisan


@allows("BLU-15", at=ArtisanPrompt)
def good_with_icons(state: GameState) -> Verdicts:
    """A good may be named if the player has icons of it."""
    shown = icons(state, seat_of(state))
    yield from ((TakeGood(good), True) for good in GOODS if shown[good])


@posts("BLU-15", at=ArtisanPrompt)
def artisan(step: Step) -> Iterator[Event]:
    """As many goods come from the general supply as the player has icons of it."""
    match step.action:
        case TakeGood(good) if count := icons(step.before, step.seat)[good]:
            yield GoodsTaken(step.seat, Goods.of(good, count), "BLU-15")


@asks("BLU-16", at=PlayPrompt)
def naming_a_good(step: Step) -> Prompt | None:
    """The player names a good, if he has an icon at all."""
    if plays(step, Character.ARTISAN) and icons(step.before, step.seat):
        return ArtisanPrompt(step.seat)
    return None


@allows("BLU-16", at=ArtisanPrompt)
def good_without_icons(state: GameState) -> Verdicts:
    """A good without icons may be named as well."""
    shown = icons(state, seat_of(state))
    yield from ((TakeGood(good), True) for good in GOODS if not shown[good])


@posts("BLU-17", at=PlayPrompt)
def artisan_without_icons(step: Step) -> Iterator[Event]:
    """Without any icon the effect fizzles."""
    if plays(step, Character.ARTISAN) and not icons(step.before, step.seat):
        yield EffectFizzled(step.seat, Character.ARTISAN)


declinable("BLU-18", ArtisanPrompt)


# The Chamberlain


def greens(state: GameState, seat: int) -> int:
    """Return how many green buildings a player has, upgraded or not."""
    return sum(state.display[site].colour is Colour.GREEN for site in state.players[seat].built)


@posts("BLU-19", at=PlayPrompt)
def chamberlain(step: Step) -> Iterator[Event]:
    """One gold comes for each green building."""
    if plays(step, Character.CHAMBERLAIN) and (count := greens(step.before, step.seat)):
        yield GoodsTaken(step.seat, Goods(gold=count), "BLU-19")


@allows("BLU-20", at=PlayPrompt)
def nothing_to_leave_of_the_chamberlain(state: GameState) -> Verdicts:
    """Without a green building there is nothing to decline."""
    if holds(state, Character.CHAMBERLAIN) and not greens(state, seat_of(state)):
        yield PlayCard(Character.CHAMBERLAIN, use_effect=False), False


@posts("BLU-20", at=PlayPrompt)
def chamberlain_without_green(step: Step) -> Iterator[Event]:
    """Without a green building the effect fizzles."""
    if plays(step, Character.CHAMBERLAIN) and not greens(step.before, step.seat):
        yield EffectFizzled(step.seat, Character.CHAMBERLAIN)


@allows("BLU-21", at=PlayPrompt)
def leaving_the_chamberlain(state: GameState) -> Verdicts:
    """The gold may be declined as the card is played."""
    if holds(state, Character.CHAMBERLAIN) and greens(state, seat_of(state)):
        yield PlayCard(Character.CHAMBERLAIN, use_effect=False), True


@posts("BLU-21", at=PlayPrompt)
def no_gold_of_the_chamberlain(step: Step) -> Iterator[Event]:
    """Then no gold is taken."""
    if declines(step, Character.CHAMBERLAIN):
        yield EffectDeclined(step.seat, "BLU-21")


# The Innkeeper


@posts("BLU-23", at=PlayPrompt)
def innkeeper(step: Step) -> Iterator[Event]:
    """Each opponent with two gold gives one."""
    if plays(step, Character.INNKEEPER):
        for seat in opponents(step.before, step.seat):
            if must_give(step.before, seat, Character.INNKEEPER):
                yield GoodsGiven(seat, step.seat, Goods(gold=1), "BLU-23")


@always("BLU-24", at=PlayPrompt)
def fewer_than_two_gold(step: Step) -> bool | None:
    """An opponent with less than two gold does not give."""
    if not plays(step, Character.INNKEEPER):
        return None
    return _poor_give_nothing(step, Character.INNKEEPER)


@asks("BLU-25", at=PlayPrompt)
def after_the_innkeeper(step: Step) -> Prompt | None:
    """The extra gold is offered, whatever the opponent gave."""
    played = plays(step, Character.INNKEEPER)
    return BonusPrompt(step.seat, Character.INNKEEPER) if played else None


@allows("BLU-25", at=BonusPrompt)
def extra_gold(state: GameState) -> Verdicts:
    """Gold, or nothing."""
    return _extra_goods(state, Character.INNKEEPER, (Good.GOLD,))


@posts("BLU-25", at=BonusPrompt)
def extra_gold_taken(step: Step) -> Iterator[Event]:
    """One gold comes from the general supply, unless the player declines."""
    return _extra_good_taken(step, Character.INNKEEPER, "BLU-25")


# The Nun


@asks("BLU-26", at=PlayPrompt)
def nun(step: Step) -> Prompt | None:
    """The player chooses the kind."""
    return NunPrompt(step.seat) if plays(step, Character.NUN) else None


@allows("BLU-26", at=NunPrompt)
def kinds_of_the_nun(state: GameState) -> Verdicts:
    """Any kind."""
    yield from ((TakeGood(good), True) for good in GOODS)


@posts("BLU-26", at=NunPrompt)
def three_of_a_kind(step: Step) -> Iterator[Event]:
    """Three goods of the kind come from the general supply."""
    if isinstance(step.action, TakeGood):
        yield GoodsTaken(step.seat, Goods.of(step.action.good, 3), "BLU-26")


@posts("BLU-27", at=NunPrompt)
def gifts_of_the_nun(step: Step) -> Iterator[Event]:
    """Each opponent receives one good of the kind."""
    if isinstance(step.action, TakeGood):
        for other in opponents(step.before, step.seat):
            yield GoodsTaken(other, ONE[step.action.good], "BLU-27")


@always("BLU-27", at=NunPrompt)
def the_nun_takes_first(step: Step) -> bool | None:
    """The opponents receive their goods after the player has taken his."""
    taken = [each.clause for each in step.events if isinstance(each, GoodsTaken)]
    return taken[0] == "BLU-26" if "BLU-27" in taken else None


declinable("BLU-28", NunPrompt)


# The Tax Collector


@posts("BLU-30", at=PlayPrompt)
def tax_collector(step: Step) -> Iterator[Event]:
    """Each opponent gives one of each material that he owns three of."""
    if plays(step, Character.TAX_COLLECTOR):
        for seat in opponents(step.before, step.seat):
            owned = step.before.players[seat].goods
            tax = sum((ONE[good] for good in MATERIALS if owned[good] >= 3), NOTHING)
            if tax:
                yield GoodsGiven(seat, step.seat, tax, "BLU-30")


@always("BLU-31", at=PlayPrompt)
def gold_untaxed(step: Step) -> bool | None:
    """No gold goes to the player of the Tax Collector."""
    if not plays(step, Character.TAX_COLLECTOR):
        return None
    return not any(isinstance(each, GoodsGiven) and each.goods.gold for each in step.events)


@asks("BLU-32", at=PlayPrompt)
def after_the_tax_collector(step: Step) -> Prompt | None:
    """The extra material is offered, whatever the opponent gave."""
    played = plays(step, Character.TAX_COLLECTOR)
    return BonusPrompt(step.seat, Character.TAX_COLLECTOR) if played else None


@allows("BLU-32", at=BonusPrompt)
def extra_material(state: GameState) -> Verdicts:
    """Wood, stone or brick, or nothing."""
    return _extra_goods(state, Character.TAX_COLLECTOR, MATERIALS)


@posts("BLU-32", at=BonusPrompt)
def extra_material_taken(step: Step) -> Iterator[Event]:
    """One material comes from the general supply, unless the player declines."""
    return _extra_good_taken(step, Character.TAX_COLLECTOR, "BLU-32")


# Declining to take from others

TAKERS = (Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR)


@allows("BLU-33", at=PlayPrompt)
def sparing_the_others(state: GameState) -> Verdicts:
    """The card may be declined as it is played just when an opponent would have to give."""
    for card in TAKERS:
        if holds(state, card):
            others = opponents(state, seat_of(state))
            owed = any(must_give(state, seat, card) for seat in others)
            yield PlayCard(card, use_effect=False), owed


@posts("BLU-33", at=PlayPrompt)
def others_spared(step: Step) -> Iterator[Event]:
    """Then no opponent gives anything."""
    if declines(step, *TAKERS):
        yield EffectDeclined(step.seat, "BLU-33")


@always("BLU-35", at=PlayPrompt)
def no_extra_good(step: Step) -> bool | None:
    """A player who declines is not offered the extra good, and takes none."""
    if not declines(step, *TAKERS):
        return None
    kept = step.after.players[step.seat].goods == step.mine.goods
    return kept and not isinstance(step.asked, BonusPrompt)
