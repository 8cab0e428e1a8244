"""Building and upgrading: formal statements of its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final

from valletta_rules.actions import Action, Build, Decline, Pay, Upgrade
from valletta_rules.agenda import PaymentPrompt, PlayPrompt, Prompt, SitePrompt
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import Character
from valletta_rules.components.goods import GOODS, NOTHING, ONE, ONE_OF_EACH, Good, Goods
from valletta_rules.events import Built, Event, GoodsReturned, PointsScored, Upgraded
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, defines, posts
from .vocabulary import declinable, plays, seat_of


@defines("BLD-7", "BLD-8", "BLD-9")
def are_adjacent(one: int, other: int) -> bool:
    """Tell whether two sites are next to each other in a row, or in a column on one side.

    Rows of five lie alternately above and below the street.
    """
    (row, column), (other_row, other_column) = divmod(one, 5), divmod(other, 5)
    if row == other_row:
        return abs(column - other_column) == 1
    return column == other_column and abs(row - other_row) == 2


@defines("BLD-5", "BLD-6", "BLD-10", "BLD-11", "BLD-12", "BLD-13", "BLD-14", "BLD-17", "BLD-18")
def price(state: GameState, seat: int, site: int, reduction: Goods) -> Goods:
    """Return the price of a new building, or of an upgrade, before substitution."""
    own, cost = state.players[seat].built, state.display[site].cost
    if site in own:
        return Goods(0, cost.wood, cost.stone, cost.brick).less(reduction)
    discount = sum(are_adjacent(site, other) for other in own)
    return cost.less(Goods(gold=discount)).less(reduction)


WAYS: Final = {
    good: (
        ONE[good],
        *(
            sum((ONE[each] for each in three), NOTHING)
            for three in combinations_with_replacement([g for g in GOODS if g is not good], 3)
        ),
    )
    for good in GOODS
}
"""How an item of each kind is paid: by itself, or by three goods of other kinds (BLD-20 to 22)."""


@lru_cache(maxsize=1 << 16)
@defines("BLD-26")
def can_pay(goods: Goods, due: Goods) -> bool:
    """Tell whether goods suffice for a price, item by item."""
    for good in due.kinds():
        rest = due - ONE[good]
        return any(goods.covers(way) and can_pay(goods - way, rest) for way in WAYS[good])
    return True


@defines("BLD-3", "BLD-4", "BLD-15", "BLD-16", "BLD-26", "BLD-36")
def sites(state: GameState, seat: int, reduction: Goods) -> list[Action]:
    """Return what the seat may build or upgrade, and can pay for."""
    me, found = state.players[seat], list[Action]()
    for site in range(len(state.display)):
        if can_pay(me.goods, price(state, seat, site, reduction)):
            if site in me.built and site not in me.upgraded:
                found.append(Upgrade(site))
            elif len(me.built) < 8 and not any(site in other.built for other in state.players):
                found.append(Build(site))
    return found


REDUCTIONS: Final = {
    Character.BUILDER: NOTHING,
    Character.BRICKLAYER: Goods(brick=2),
    Character.STONEMASON: Goods(stone=2),
    Character.CARPENTER: Goods(wood=2),
}
"""What the cards that let a player build take off the price."""


# The site


@always("BLD-1", at=PaymentPrompt)
def one_construction(step: Step) -> bool | None:
    """A payment leads to one new building or to one upgrade, and to no further choice of a site."""
    made = [each for each in step.events if isinstance(each, Built | Upgraded)]
    return len(made) == 1 and not isinstance(step.asked, SitePrompt)


declinable("BLD-2", SitePrompt)


Near = Callable[[int, int], bool]


def _choices(
    state: GameState, *kinds: type[Build] | type[Upgrade], near: Near | None = None
) -> Verdicts:
    """Run through all sites with the verdict on building, on upgrading or on both.

    With `near`, only through those near a building of the player.
    """
    prompt: Any = state.prompt
    found, own = sites(state, prompt.seat, prompt.reduction), state.players[prompt.seat].built
    for choice in (kind(site) for kind in kinds for site in range(len(state.display))):
        if near is None or any(near(choice.site, other) for other in own):
            yield choice, choice in found


@allows("BLD-3", at=SitePrompt)
def free_sites(state: GameState) -> Verdicts:
    """Any free site that can be paid for may be built on, if a house is left, and no other."""
    return _choices(state, Build)


@allows("BLD-4", at=SitePrompt)
def no_ninth_building(state: GameState) -> Verdicts:
    """With eight houses built nothing more can be built."""
    if len(state.players[seat_of(state)].built) == 8:
        yield from ((Build(site), False) for site in range(len(state.display)))


@allows("BLD-36", at=SitePrompt)
def upgrading_without_houses(state: GameState) -> Verdicts:
    """With eight houses built a building that can be paid for may still be upgraded."""
    if len(state.players[seat_of(state)].built) == 8:
        yield from _choices(state, Upgrade)


@asks("BLD-4", at=PlayPrompt)
@asks("BLD-36", at=PlayPrompt)
def upgrading_alone(step: Step) -> Prompt | None:
    """With eight houses built a card still lets the player upgrade what he can pay for."""
    return _site(step) if len(step.mine.built) == 8 else None


@asks("BLD-30", at=PlayPrompt)
def no_house_for_an_upgrade(step: Step) -> Prompt | None:
    """With eight houses and upgrades in all, a card lets the player build or upgrade as before."""
    return _site(step) if len(step.mine.built) + len(step.mine.upgraded) >= 8 else None


def _site(step: Step) -> Prompt | None:
    for card, reduction in REDUCTIONS.items():
        if plays(step, card) and sites(step.before, step.seat, reduction):
            return SitePrompt(step.seat, reduction)
    return None


@allows("BLD-15", at=SitePrompt)
def own_sites(state: GameState) -> Verdicts:
    """A building without a house, or with that of another player, cannot be upgraded."""
    for site in range(len(state.display)):
        if site not in state.players[seat_of(state)].built:
            yield Upgrade(site), False


@allows("BLD-16", at=SitePrompt)
def upgraded_sites(state: GameState) -> Verdicts:
    """An upgraded building cannot be upgraded."""
    yield from ((Upgrade(site), False) for site in state.players[seat_of(state)].upgraded)


@allows("BLD-26", at=SitePrompt)
def sites_within_reach(state: GameState) -> Verdicts:
    """What can be paid for may be chosen, if nothing else forbids it, and nothing dearer."""
    return _choices(state, Build, Upgrade)


# The price


def _bill(step: Step, *kinds: type[Action], near: Near | None = None) -> Prompt | None:
    """Return the prompt with the price of what is chosen, if it is of one of these kinds.

    With `near`, only if the player has a building near the site.
    """
    match step.prompt, step.action:
        case SitePrompt(seat, less), Build(site) | Upgrade(site) if isinstance(step.action, kinds):
            if near is None or any(near(site, other) for other in step.mine.built):
                return PaymentPrompt(seat, site, price(step.before, seat, site, less))
    return None


def _reduction(step: Step) -> Goods:
    return step.prompt.reduction if isinstance(step.prompt, SitePrompt) else NOTHING


@asks("BLD-5", at=SitePrompt)
def cost_of_a_building(step: Step) -> Prompt | None:
    """The price derives from the construction cost."""
    return _bill(step, Build)


@asks("BLD-6", at=SitePrompt)
def adjacency_discount(step: Step) -> Prompt | None:
    """Each adjacent building of the player takes off a gold."""
    return _bill(step, Build, near=are_adjacent)


@allows("BLD-6", at=SitePrompt)
def within_reach_by_the_discount(state: GameState) -> Verdicts:
    """The discount may bring a site within reach."""
    return _choices(state, Build, near=are_adjacent)


@asks("BLD-7", at=SitePrompt)
def same_row_or_column(step: Step) -> Prompt | None:
    """Buildings in the row or column of the site count if they are next to it, and not else."""
    return _bill(
        step, Build, near=lambda one, other: one // 5 == other // 5 or one % 5 == other % 5
    )


@asks("BLD-8", at=SitePrompt)
def across_the_street(step: Step) -> Prompt | None:
    """A building on the other side of the street takes nothing off."""
    return _bill(step, Build, near=lambda one, other: one // 5 % 2 != other // 5 % 2)


@asks("BLD-9", at=SitePrompt)
def at_a_corner(step: Step) -> Prompt | None:
    """A building that touches the site only at a corner takes nothing off."""
    return _bill(step, Build, near=lambda one, other: abs(one - other) in (9, 11))


@asks("BLD-10", at=SitePrompt)
def buildings_of_others(step: Step) -> Prompt | None:
    """Adjacent buildings of other players, and those without a house, take nothing off."""
    match step.action:
        case Build(site):
            near = [each for each in range(len(step.before.display)) if are_adjacent(site, each)]
            return None if set(near) <= set(step.mine.built) else _bill(step, Build)
    return None


@asks("BLD-11", at=SitePrompt)
def no_gold_below_zero(step: Step) -> Prompt | None:
    """More adjacent buildings than gold in the cost take off no more than this gold."""
    match step.action:
        case Build(site):
            near = [each for each in step.mine.built if are_adjacent(site, each)]
            return _bill(step, Build) if len(near) > step.before.display[site].cost.gold else None
    return None


@asks("BLD-12", at=SitePrompt)
def reduction_by_a_card(step: Step) -> Prompt | None:
    """Up to two goods are taken off."""
    return _bill(step, Build, Upgrade) if _reduction(step) else None


@asks("BLD-13", at=SitePrompt)
def reduction_of_an_upgrade(step: Step) -> Prompt | None:
    """They are taken off an upgrade as well."""
    return _bill(step, Upgrade) if _reduction(step) else None


@asks("BLD-14", at=SitePrompt)
def reductions_first(step: Step) -> Prompt | None:
    """The price to be paid, item by item, has the discount and the reduction taken off."""
    return _bill(step, Build, Upgrade)


@asks("BLD-17", at=SitePrompt)
def cost_of_an_upgrade(step: Step) -> Prompt | None:
    """The price derives from the construction cost without the gold."""
    return _bill(step, Upgrade)


@asks("BLD-18", at=SitePrompt)
def no_discount_for_upgrades(step: Step) -> Prompt | None:
    """Adjacent buildings take nothing off an upgrade."""
    return _bill(step, Upgrade, near=are_adjacent)


# The payment


@lru_cache(maxsize=1 << 12)
@defines("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24", "BLD-38")
def payments(goods: Goods, due: Goods) -> frozenset[Goods]:
    """Return what may be paid out of the goods: for each item itself, or three of other kinds."""
    paid = {NOTHING}
    for good in GOODS:
        for _ in range(due[good]):
            paid = {each + way for each in paid for way in WAYS[good] if goods.covers(each + way)}
    return frozenset(paid)


def _verdicts(state: GameState, paid: Callable[[Goods], Iterable[Goods]]) -> Verdicts:
    """Run through some payments for the price with the verdict on each."""
    prompt: Any = state.prompt
    legal = payments(state.players[prompt.seat].goods, prompt.price)
    yield from ((Pay(each), each in legal) for each in paid(prompt.price) if each.covers(NOTHING))


def _replacing(due: Goods, kinds: Iterable[Good], count: int) -> Iterator[Goods]:
    """Run through the payments with one item of these kinds replaced by some other goods."""
    for good in kinds:
        others = combinations_with_replacement([each for each in GOODS if each is not good], count)
        if due[good]:
            yield from (sum((ONE[each] for each in some), due - ONE[good]) for some in others)


@allows("BLD-19", at=PaymentPrompt)
def paying_exactly(state: GameState) -> Verdicts:
    """The price itself may be paid by a player who owns it, and neither a good more nor less."""
    one = [*ONE.values()]
    return _verdicts(state, lambda due: [due, *(due + g for g in one), *(due - g for g in one)])


@posts("BLD-19", at=PaymentPrompt)
def goods_paid(step: Step) -> Iterator[Event]:
    """What is paid goes to the general supply."""
    if isinstance(step.action, Pay) and step.action.goods:
        yield GoodsReturned(step.seat, step.action.goods, "BLD-19")


@allows("BLD-20", at=PaymentPrompt)
def three_for_one(state: GameState) -> Verdicts:
    """Three goods replace an item, and neither two nor four."""
    return _verdicts(state, lambda due: [e for n in (2, 3, 4) for e in _replacing(due, GOODS, n)])


@allows("BLD-21", at=PaymentPrompt)
def none_of_its_kind(state: GameState) -> Verdicts:
    """Three goods of its own kind do not replace an item."""
    return _verdicts(state, lambda due: [due + ONE[good] + ONE[good] for good in due.kinds()])


@allows("BLD-22", at=PaymentPrompt)
def any_mix(state: GameState) -> Verdicts:
    """The three goods may be alike or different."""
    return _verdicts(state, lambda due: _replacing(due, GOODS, 3))


@allows("BLD-23", at=PaymentPrompt)
def any_number_of_items(state: GameState) -> Verdicts:
    """Whatever pays each item, by itself or by three goods, may be paid."""
    prompt: Any = state.prompt
    return _verdicts(state, lambda due: payments(state.players[prompt.seat].goods, due))


@allows("BLD-24", at=PaymentPrompt)
def gold_replaced(state: GameState) -> Verdicts:
    """Three other goods replace a gold."""
    return _verdicts(state, lambda due: _replacing(due, [Good.GOLD], 3))


@always("BLD-25", at=PlayPrompt)
def no_exchange(step: Step) -> bool | None:
    """Playing a card returns only the goods that the card names, without substitution."""
    returned = [each.goods for each in step.events if isinstance(each, GoodsReturned)]
    return set(returned) <= {Goods(gold=1), Goods(gold=4), ONE_OF_EACH} if returned else None


@allows("BLD-27", at=PaymentPrompt)
def no_way_back(state: GameState) -> Verdicts:
    """The payment cannot be declined."""
    yield Decline(), False


# What is built


@posts("BLD-29", at=PaymentPrompt)
def house_placed(step: Step) -> Iterator[Event]:
    """A house is put on the new building, whose character is taken."""
    if (site := _paid_for(step, is_new=True)) is not None:
        yield Built(step.seat, site, step.before.display[site].character)


@posts("BLD-30", "BLD-37", at=PaymentPrompt)
def turned_over(step: Step) -> Iterator[Event]:
    """A building of the player's own is turned over."""
    if (site := _paid_for(step, is_new=False)) is not None:
        yield Upgraded(step.seat, site)


def _paid_for(step: Step, *, is_new: bool) -> int | None:
    """Return the site that is paid for, if it is to be built on, or else to be upgraded."""
    prompt: Any = step.prompt
    return prompt.site if is_new is not (prompt.site in step.mine.built) else None


def _deck(state: GameState, seat: int) -> CardBag:
    """Return all cards of a player, those played in this turn included."""
    me, played = state.players[seat], state.played if state.active == seat else ()
    return me.hand + me.draw_pile + me.discard_pile + CardBag.of(*played)


@always("BLD-28", at=PaymentPrompt)
def character_gained(step: Step) -> bool | None:
    """The character of a new building comes to the hand and to the deck."""
    if (site := _paid_for(step, is_new=True)) is None:
        return None
    card, after = step.before.display[site].character, step.after.players[step.seat]
    is_in_hand = after.hand.count(card) > step.mine.hand.count(card)
    return is_in_hand and _deck(step.after, step.seat) == _deck(step.before, step.seat).plus(card)


@always("BLD-29", at=PaymentPrompt)
def house_of_the_player(step: Step) -> bool | None:
    """A new building carries a house of the player, and is not upgraded."""
    if (site := _paid_for(step, is_new=True)) is None:
        return None
    after = step.after.players[step.seat]
    return after.built == step.mine.built.plus(site) and after.upgraded == step.mine.upgraded


@always("BLD-30", at=PaymentPrompt)
def house_stays(step: Step) -> bool | None:
    """An upgrade leaves all houses where they are."""
    if _paid_for(step, is_new=False) is None:
        return None
    return step.after.players[step.seat].built == step.mine.built


@always("BLD-37", at=PaymentPrompt)
def upgraded_side(step: Step) -> bool | None:
    """An upgrade turns the building over, and no other."""
    if (site := _paid_for(step, is_new=False)) is None:
        return None
    return step.after.players[step.seat].upgraded == step.mine.upgraded.plus(site)


@always("BLD-31", at=PaymentPrompt)
def no_character(step: Step) -> bool | None:
    """An upgrade leaves the player's deck as it is."""
    if _paid_for(step, is_new=False) is None:
        return None
    return _deck(step.after, step.seat) == _deck(step.before, step.seat)


# The bonus


@defines("BLD-34", "BLD-35")
def is_seen(state: GameState, site: int) -> bool:
    """Tell whether a site lies in the column of Valette's space: five spaces a column."""
    return state.valette > 0 and site % 5 == (state.valette - 1) // 5


@posts("BLD-32", at=PaymentPrompt)
def bonus_for_building(step: Step) -> Iterator[Event]:
    """A new building in Valette's area scores two points."""
    if (site := _paid_for(step, is_new=True)) is not None and is_seen(step.before, site):
        yield PointsScored(step.seat, 2, "BLD-32")


@posts("BLD-33", at=PaymentPrompt)
def bonus_for_upgrading(step: Step) -> Iterator[Event]:
    """An upgrade in Valette's area scores two points."""
    if (site := _paid_for(step, is_new=False)) is not None and is_seen(step.before, site):
        yield PointsScored(step.seat, 2, "BLD-33")


def _bonus(step: Step) -> int:
    return sum(each.points for each in step.events if isinstance(each, PointsScored))


@always("BLD-34", at=PaymentPrompt)
def both_sides_in_view(step: Step) -> bool | None:
    """Whatever side of the street it lies on, a site scores two points in Valette's column."""
    prompt: Any = step.prompt
    return _bonus(step) == 2 * is_seen(step.before, prompt.site) if step.before.valette else None


@always("BLD-35", at=PaymentPrompt)
def tower_sees_nothing(step: Step) -> bool | None:
    """With Valette on the tower nothing scores."""
    return None if step.before.valette else not _bonus(step)
