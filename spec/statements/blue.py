"""Formal statements of the clauses about blue characters."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Final

from valletta_rules import agenda
from valletta_rules.actions import Decline, GiveGood, ReturnGood, TakeGood, TakeGoods
from valletta_rules.agenda import BonusPrompt, MonkPrompt, NunPrompt, PlayPrompt, Prompt
from valletta_rules.components import GOODS, MATERIALS, NOTHING, ONE, Character, Colour, Good, Goods
from valletta_rules.events import EffectDeclined, Event, GoodsGiven, GoodsReturned, GoodsTaken
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, posts
from .building import site_to_choose
from .green import icons
from .vocabulary import (
    choosing,
    chose,
    declinable,
    declinable_at_the_play,
    declines,
    declining,
    entered,
    fizzling,
    me,
    opponents,
    played,
    plays,
    prompt_of,
    seat_of,
    taking,
)

ENOUGH: Final[Mapping[Character, Callable[[Goods], bool]]] = {
    Character.MONK: lambda goods: goods.total >= 4,
    Character.INNKEEPER: lambda goods: goods.gold >= 2,
    Character.TAX_COLLECTOR: lambda goods: any(goods[good] >= 3 for good in MATERIALS),
}
"""The cards that take goods from opponents, each with a predicate that says whether an opponent
with the given goods must give any."""

MONK, INNKEEPER, TAX_COLLECTOR = TAKING = tuple(ENOUGH)


def must_give(state: GameState, seat: int, card: Character) -> bool:
    """Return whether the card would take goods from the player in a seat."""
    return ENOUGH[card](state.players[seat].goods)


def any_opponent_must_give(state: GameState, card: Character) -> bool:
    """Return whether the card would take goods from any opponent of the deciding player."""
    return any(must_give(state, seat, card) for seat in opponents(state, seat_of(state)))


POOR: Final = {"BLU-4": MONK, "BLU-24": INNKEEPER}
"""The card that demands goods, for each clause about opponents with too few goods."""


@always(*POOR, at=PlayPrompt)
def too_few_goods(step: Step, clause: str) -> bool | None:
    """An opponent with too few goods for the Monk or Innkeeper gives nothing, without a prompt."""
    others, card = opponents(step.before, step.seat), POOR[clause]
    poor = {seat for seat in others if not must_give(step.before, seat, card)}
    is_prompted = isinstance(step.next_prompt, MonkPrompt) and step.next_prompt.seat in poor
    has_given = any(each.giver in poor for each in entered(step, GoodsGiven))
    return not is_prompted and not has_given if poor and plays(step, card) else None


EXTRA: Final = {
    "BLU-5": (MONK, GOODS),
    "BLU-25": (INNKEEPER, (Good.GOLD,)),
    "BLU-32": (TAX_COLLECTOR, MATERIALS),
}
"""The extra goods in a game for two players.  Each clause is mapped to its card, and to the kinds
of goods that the player of the card may take."""


@asks("BLU-25", "BLU-32", at=PlayPrompt)
def extra_good_offered(step: Step, clause: str) -> Prompt | None:
    """The Innkeeper and the Tax Collector offer an extra good, even if no opponent gives goods."""
    card, _ = EXTRA[clause]
    return BonusPrompt(step.seat, card) if plays(step, card) else None


@asks("BLU-5", at=PlayPrompt | MonkPrompt)
def after_the_monk(step: Step) -> Prompt | None:
    """After the Monk, an extra good is offered once the opponent has given one or owns too few."""
    is_due = plays(step, MONK) and not any_opponent_must_give(step.before, MONK)
    is_given = isinstance(step.prompt, MonkPrompt)
    return BonusPrompt(step.before.active, MONK) if is_due or is_given else None


@allows(*EXTRA, at=BonusPrompt)
def extra_goods(state: GameState, clause: str) -> Verdicts:
    """The extra good may be of any kind that the card allows, or it may be declined."""
    card, kinds = EXTRA[clause]
    if prompt_of(state).character is card:
        yield Decline(), True
        yield from ((TakeGood(good), good in kinds) for good in GOODS)


@posts(*EXTRA, at=BonusPrompt)
def extra_good_taken(step: Step, clause: str) -> Iterator[Event]:
    """The player takes the extra good from the general supply, unless they decline."""
    if step.prompt.character is EXTRA[clause][0]:
        is_taken, declined = isinstance(step.action, TakeGood), EffectDeclined(step.seat, clause)
        yield GoodsTaken(step.seat, ONE[step.action.good], clause) if is_taken else declined


# The Monk


@posts("BLU-1", at=MonkPrompt, where=chose(GiveGood))
def gift_to_the_monk(step: Step) -> Iterator[Event]:
    """One good moves from the giver to the player of the Monk."""
    yield GoodsGiven(step.seat, step.prompt.taker, ONE[step.action.good], "BLU-1")


@allows("BLU-2", at=MonkPrompt)
def choice_of_the_giver(state: GameState) -> Verdicts:
    """The giver may give any kind of good that they own, and no other."""
    yield from ((GiveGood(good), me(state).goods[good] > 0) for good in GOODS)


declining("BLU-34", at=MonkPrompt, is_legal=False)


def remaining_opponents(step: Step) -> list[int]:
    """Return the seats, in clockwise order, from which the Monk may still demand a good."""
    order = opponents(step.before, step.before.active)
    if isinstance(step.prompt, MonkPrompt):
        return order[order.index(step.seat) + 1 :]
    return order if plays(step, MONK) else []


@asks("BLU-1", "BLU-3", at=PlayPrompt | MonkPrompt)
def next_giver(step: Step) -> Prompt | None:
    """The next opponent clockwise with at least four goods must give one to the Monk's player."""
    rich = [seat for seat in remaining_opponents(step) if must_give(step.after, seat, MONK)]
    return MonkPrompt(rich[0], step.before.active) if rich else None


# Bricklayer, Stonemason and Carpenter

REDUCING: Final = {
    "BLU-6": Character.BRICKLAYER,
    "BLU-22": Character.STONEMASON,
    "BLU-29": Character.CARPENTER,
}
"""The cards that reduce a price by up to two goods of one material, keyed by clause."""


@asks(*REDUCING, at=PlayPrompt)
def reduced_price(step: Step, clause: str) -> Prompt | None:
    """A card that reduces prices lets its player choose a site, if any site is affordable."""
    return site_to_choose(step, REDUCING[clause])


# The Trader


def can_trade(state: GameState, card: Character) -> bool:
    """Return whether the deciding player owns a good that the Trader or Merchant exchanges."""
    goods = me(state).goods
    materials = goods.wood + goods.stone + goods.brick
    return (materials if card is Character.TRADER else goods.gold) > 0


choosing("BLU-7", Character.TRADER, agenda.TraderPrompt, can_trade)


@allows("BLU-7", at=agenda.TraderPrompt)
def wares_of_the_trader(state: GameState) -> Verdicts:
    """The player of the Trader may return one wood, stone or brick that they own."""
    yield from ((ReturnGood(g), g in MATERIALS and me(state).goods[g] > 0) for g in GOODS)


@posts("BLU-7", at=agenda.TraderPrompt, where=chose(ReturnGood))
def trade_of_the_trader(step: Step) -> Iterator[Event]:
    """The player returns one material to the supply and takes three gold from it."""
    yield GoodsReturned(step.seat, ONE[step.action.good], "BLU-7")
    yield GoodsTaken(step.seat, Goods(gold=3), "BLU-7")


declinable("BLU-8", agenda.TraderPrompt)
fizzling("BLU-9", Character.TRADER, able=can_trade)


# The Seamstress


choosing("BLU-10", Character.SEAMSTRESS, agenda.SeamstressPrompt)


@allows("BLU-10", at=agenda.SeamstressPrompt)
def two_goods(state: GameState) -> Verdicts:
    """The player of the Seamstress may take any two goods, equal or different."""
    for one, other in combinations_with_replacement(GOODS, 2):
        yield TakeGoods(ONE[one] + ONE[other]), True


@posts("BLU-10", at=agenda.SeamstressPrompt, where=chose(TakeGoods))
def two_goods_taken(step: Step) -> Iterator[Event]:
    """The player of the Seamstress takes the two goods from the general supply."""
    yield GoodsTaken(step.seat, step.action.goods, "BLU-10")


declinable("BLU-11", agenda.SeamstressPrompt)


@allows("BLU-11", at=agenda.SeamstressPrompt)
def not_one_of_two(state: GameState) -> Verdicts:
    """The player of the Seamstress cannot take only one good."""
    yield from ((TakeGoods(ONE[good]), False) for good in GOODS)


# The Merchant


@posts("BLU-12", at=PlayPrompt, where=played(Character.MERCHANT))
def merchant(step: Step) -> Iterator[Event]:
    """The player returns one gold to the supply and takes one good of each material from it."""
    if step.mine.goods.gold >= 1:
        yield GoodsReturned(step.seat, Goods(gold=1), "BLU-12")
        yield GoodsTaken(step.seat, Goods(wood=1, stone=1, brick=1), "BLU-12")


declinable_at_the_play("BLU-13", Character.MERCHANT, able=can_trade)
fizzling("BLU-14", Character.MERCHANT, able=can_trade)


# The Artisan


def can_count(state: GameState, card: Character) -> bool:
    """Return whether the Chamberlain (green buildings) or Artisan (icons) can count anything."""
    me = seat_of(state)
    return bool(greens(state, me) if card is Character.CHAMBERLAIN else icons(state, me))


choosing("BLU-16", Character.ARTISAN, agenda.ArtisanPrompt, can_count)


@allows("BLU-15", "BLU-16", at=agenda.ArtisanPrompt)
def any_good(state: GameState, clause: str) -> Verdicts:
    """The Artisan's player may name a good whether their buildings show it (BLU-15) or not."""
    counts = icons(state, seat_of(state))
    named = [good for good in GOODS if (counts[good] > 0) is (clause == "BLU-15")]
    yield from ((TakeGood(good), True) for good in named)


@posts("BLU-15", at=agenda.ArtisanPrompt, where=chose(TakeGood))
def artisan(step: Step) -> Iterator[Event]:
    """The player takes one good of the named kind for each icon of it on their buildings."""
    if count := icons(step.before, step.seat)[step.action.good]:
        yield GoodsTaken(step.seat, Goods.of(step.action.good, count), "BLU-15")


fizzling("BLU-17", Character.ARTISAN, able=can_count)
declinable("BLU-18", agenda.ArtisanPrompt)


# The Chamberlain


def greens(state: GameState, seat: int) -> int:
    """Return a player's number of green buildings, whether upgraded or not."""
    return sum(state.display[site].colour is Colour.GREEN for site in state.players[seat].built)


@posts("BLU-19", at=PlayPrompt, where=played(Character.CHAMBERLAIN))
def chamberlain(step: Step) -> Iterator[Event]:
    """The player takes one gold for each of their green buildings."""
    if count := greens(step.before, step.seat):
        yield GoodsTaken(step.seat, Goods(gold=count), "BLU-19")


fizzling("BLU-20", Character.CHAMBERLAIN, able=can_count)
declinable_at_the_play("BLU-21", Character.CHAMBERLAIN, able=can_count)


# The Innkeeper


@posts("BLU-23", at=PlayPrompt, where=played(INNKEEPER))
def innkeeper(step: Step) -> Iterator[Event]:
    """Each opponent who owns at least two gold gives one gold to the player of the Innkeeper."""
    for seat in opponents(step.before, step.seat):
        if must_give(step.before, seat, INNKEEPER):
            yield GoodsGiven(seat, step.seat, Goods(gold=1), "BLU-23")


# The Nun


choosing("BLU-26", Character.NUN, NunPrompt)


taking("BLU-26", NunPrompt, 3)


@posts("BLU-27", at=NunPrompt, where=chose(TakeGood))
def gifts_of_the_nun(step: Step) -> Iterator[Event]:
    """Each opponent receives one good of the chosen kind."""
    for other in opponents(step.before, step.seat):
        yield GoodsTaken(other, ONE[step.action.good], "BLU-27")


declinable("BLU-28", NunPrompt)


# The Tax Collector


@posts("BLU-30", at=PlayPrompt, where=played(TAX_COLLECTOR))
def tax_collector(step: Step) -> Iterator[Event]:
    """Each opponent gives one good of each material if they own at least three of it."""
    for seat in opponents(step.before, step.seat):
        owned = step.before.players[seat].goods
        if tax := sum((ONE[good] for good in MATERIALS if owned[good] >= 3), NOTHING):
            yield GoodsGiven(seat, step.seat, tax, "BLU-30")


@always("BLU-31", at=PlayPrompt, where=played(TAX_COLLECTOR))
def gold_untaxed(step: Step) -> bool:
    """The player of the Tax Collector receives no gold from opponents."""
    return not any(each.goods.gold for each in entered(step, GoodsGiven))


# Declining to take from others

declinable_at_the_play("BLU-33", *TAKING, able=any_opponent_must_give)


@always("BLU-35", at=PlayPrompt)
def no_extra_good(step: Step) -> bool | None:
    """A player who declines the card's effect receives no goods and is offered no extra good."""
    is_same = step.now.goods == step.mine.goods and not isinstance(step.next_prompt, BonusPrompt)
    return is_same if declines(step, *TAKING) else None
