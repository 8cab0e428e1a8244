"""Formal statements of the clauses about building and upgrading."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final

from valletta_rules.actions import Action, Build, Pay, Upgrade
from valletta_rules.agenda import PaymentPrompt, PlayPrompt, Prompt, SitePrompt
from valletta_rules.components import GOODS, NOTHING, ONE, ONE_OF_EACH, Character, Good, Goods
from valletta_rules.events import Built, Event, GoodsReturned, PointsScored, Upgraded
from valletta_rules.state import GameState, Player

from . import Step, Verdicts, allows, always, asks, defines, posts
from .vocabulary import deck, declinable, declining, entered, me, performs, prompt_of, seat_of


def are_adjacent(one: int, other: int) -> bool:
    """Return whether two sites are adjacent: in a row, or in a column on one side of the street.

    Rows of five sites are alternately above and below the street (BLD-7 to 9).
    """
    (row, column), (other_row, other_column) = divmod(one, 5), divmod(other, 5)
    if row == other_row:
        return abs(column - other_column) == 1
    return column == other_column and abs(row - other_row) == 2


def items(
    state: GameState, seat: int, site: int, reduction: Goods
) -> Iterator[tuple[str, Goods, int | None]]:
    """Yield the parts of a price: the printed cost, then each discount and the reduction.

    Each part is a tuple: its clause, its goods, and for a discount the site of the player's
    building that gives it.
    """
    own, cost = state.players[seat].built, state.display[site].cost
    is_new = site not in own
    due = Goods(cost.gold if is_new else 0, cost.wood, cost.stone, cost.brick)
    yield "BLD-5" if is_new else "BLD-17", due, None
    adjacent = [other for other in own if is_new and are_adjacent(site, other)]
    for other in adjacent[: due.gold]:
        yield "BLD-6", ONE[Good.GOLD], other
    due = Goods(max(0, due.gold - len(adjacent)), due.wood, due.stone, due.brick)
    if less := Goods(*map(min, due, reduction)):
        yield "BLD-12" if is_new else "BLD-13", less, None


def price(state: GameState, seat: int, site: int, reduction: Goods) -> Goods:
    """Return the price of a new building or an upgrade, before any substitution (BLD-14)."""
    (_, due, _), *off = items(state, seat, site, reduction)
    return due - sum((goods for _, goods, _ in off), NOTHING)


def _of_other_kinds(good: Good, count: int) -> list[Goods]:
    """Return all bags of `count` goods that do not contain the given kind."""
    others = combinations_with_replacement([each for each in GOODS if each is not good], count)
    return [sum((ONE[each] for each in some), NOTHING) for some in others]


WAYS: Final = {good: (ONE[good], *_of_other_kinds(good, 3)) for good in GOODS}
"""The ways to pay an item of each kind: with the good itself, or with three goods of other kinds
(BLD-20 to 22)."""


@lru_cache(maxsize=1 << 16)
def can_pay(goods: Goods, due: Goods) -> bool:
    """Return whether the given goods can pay a price, item by item (BLD-26)."""
    for good in due.kinds():
        rest = due - ONE[good]
        return any(goods.covers(way) and can_pay(goods - way, rest) for way in WAYS[good])
    return True


@lru_cache(maxsize=1 << 12)
@defines("BLD-38")
def payments(goods: Goods, due: Goods) -> frozenset[Goods]:
    """Return all ways to pay a price from the given goods.

    Each due good is paid by itself or by three goods of other kinds.
    """
    paid = {NOTHING}
    for good in GOODS:
        for _ in range(due[good]):
            paid = {each + way for each in paid for way in WAYS[good] if goods.covers(each + way)}
    return frozenset(paid)


def sites(state: GameState, seat: int, reduction: Goods) -> list[Action]:
    """Return the legal actions to build or upgrade at sites that the seat can pay for."""
    me, actions = state.players[seat], list[Action]()
    for site in range(len(state.display)):
        if can_pay(me.goods, price(state, seat, site, reduction)):
            if site in me.built and site not in me.upgraded:
                actions.append(Upgrade(site))
            elif len(me.built) < 8 and not any(site in other.built for other in state.players):
                actions.append(Build(site))
    return actions


REDUCTIONS: Final = {
    Character.BUILDER: NOTHING,
    Character.BRICKLAYER: Goods(brick=2),
    Character.STONEMASON: Goods(stone=2),
    Character.CARPENTER: Goods(wood=2),
}
"""The price reduction of each card that lets a player build."""


def site_to_choose(step: Step, *cards: Character) -> Prompt | None:
    """Return the prompt for a site if the step uses one of `cards` and any site is affordable."""
    for card in cards:
        if performs(step) is card and sites(step.before, step.seat, REDUCTIONS[card]):
            return SitePrompt(step.seat, REDUCTIONS[card])
    return None


# The site


@always("BLD-1", at=PaymentPrompt)
def one_construction(step: Step) -> bool:
    """A payment leads to one new building or one upgrade; no further site can be chosen."""
    return len(entered(step, Built, Upgraded)) == 1 and not isinstance(step.next_prompt, SitePrompt)


declinable("BLD-2", SitePrompt)

CHOICES: Final[Mapping[str, Callable[[range, Player], Iterable[Action]]]] = {
    "BLD-3": lambda every, me: map(Build, every),
    "BLD-4": lambda every, me: map(Build, every if len(me.built) == 8 else ()),
    "BLD-6": lambda every, me: (Build(site) for site in every if _adjacent(me, site)),
    "BLD-15": lambda every, me: (Upgrade(site) for site in every if site not in me.built),
    "BLD-16": lambda every, me: map(Upgrade, me.upgraded),
    "BLD-26": lambda every, me: [*map(Build, every), *map(Upgrade, every)],
    "BLD-36": lambda every, me: map(Upgrade, every if len(me.built) == 8 else ()),
}
"""The actions that are checked for each clause, as a function of all sites and the player."""


def _adjacent(me: Player, site: int) -> list[int]:
    """Return the sites of a player's buildings that are adjacent to a site."""
    return [each for each in me.built if are_adjacent(site, each)]


@allows(*CHOICES, at=SitePrompt)
def sites_to_choose(state: GameState, clause: str) -> Verdicts:
    """A site may be chosen if the player can pay for it and no rule forbids the choice."""
    legal = sites(state, seat_of(state), prompt_of(state).reduction)
    choices = CHOICES[clause](range(len(state.display) + 1), me(state))
    yield from ((choice, choice in legal) for choice in choices)


@asks("BLD-4", "BLD-30", "BLD-36", at=PlayPrompt)
def without_houses(step: Step) -> Prompt | None:
    """A player with a total of eight or more houses and upgrades may still choose a site.

    With eight houses, the player may only upgrade.  With fewer, the player may also build.
    """
    houses_and_upgrades = len(step.mine.built) + len(step.mine.upgraded)
    return site_to_choose(step, *REDUCTIONS) if houses_and_upgrades >= 8 else None


# The price


def _near(near: Callable[[int, int], bool]) -> Callable[[Step, int], object]:
    """Return a predicate that is true for a site that is near one of the player's buildings."""
    return lambda step, site: any(near(site, other) for other in step.mine.built)


def _has_other_neighbours(step: Step, site: int) -> bool:
    adjacent = [each for each in range(len(step.before.display)) if are_adjacent(site, each)]
    return not {*adjacent} <= {*step.mine.built}


def _neighbours_exceed_gold(step: Step, site: int) -> bool:
    return len(_adjacent(step.mine, site)) > step.before.display[site].cost.gold


PRICED: Final[Mapping[str, tuple[Any, Callable[[Step, int], object]]]] = {
    "BLD-5": (Build, lambda step, site: True),
    "BLD-6": (Build, _near(are_adjacent)),
    "BLD-7": (Build, _near(lambda one, other: one // 5 == other // 5 or one % 5 == other % 5)),
    "BLD-8": (Build, _near(lambda one, other: one // 5 % 2 != other // 5 % 2)),
    "BLD-9": (Build, _near(lambda one, other: abs(one - other) in (9, 11))),
    "BLD-10": (Build, _has_other_neighbours),
    "BLD-11": (Build, _neighbours_exceed_gold),
    "BLD-12": (Build | Upgrade, lambda step, site: step.prompt.reduction),
    "BLD-13": (Upgrade, lambda step, site: step.prompt.reduction),
    "BLD-14": (Build | Upgrade, lambda step, site: True),
    "BLD-17": (Upgrade, lambda step, site: True),
    "BLD-18": (Upgrade, _near(are_adjacent)),
}
"""The types of action for which each clause determines the price, and a condition on the site.

Some of the clauses exclude a misreading that would make the price too low.  Their conditions select
the sites at which the misreading would matter: the player has buildings in the row or column,
across the street or at a corner; some neighbouring sites are not the player's; or the player has
more neighbouring buildings than the cost has gold.
"""


def bill(step: Step) -> Prompt | None:
    """Return the prompt for paying the price of the chosen site, if a site is chosen."""
    if not isinstance(step.action, Build | Upgrade):
        return None
    chosen = step.seat, step.action.site
    return PaymentPrompt(*chosen, price(step.before, *chosen, step.prompt.reduction))


@asks(*PRICED, at=SitePrompt)
def price_to_pay(step: Step, clause: str) -> Prompt | None:
    """After the player chooses a site, the prompt asks for its price less all discounts."""
    kinds, applies = PRICED[clause]
    is_due = isinstance(step.action, kinds) and applies(step, step.action.site)
    return bill(step) if is_due else None


# The payment


def _replacing(due: Goods, *counts: int, kinds: Iterable[Good] = GOODS) -> list[Goods]:
    """Return payments that replace one item of the given kinds with `counts` other goods."""
    ways = [(good, n) for good in kinds if due[good] for n in counts]
    return [due - ONE[good] + some for good, n in ways for some in _of_other_kinds(good, n)]


def _replacing_two(due: Goods) -> list[Goods]:
    """Return payments that replace two items with only four goods, which are all of one kind."""
    pairs = [ONE[one] + ONE[other] for one, other in combinations_with_replacement(GOODS, 2)]
    rests = [due - pair for pair in pairs if due.covers(pair)]
    return [rest + each + each + each + each for rest in rests for each in ONE.values()]


def _one_more_or_less(due: Goods) -> list[Goods]:
    return [due, *(due + each for each in ONE.values()), *(due - each for each in ONE.values())]


PAID: Final[Mapping[str, Callable[[Goods, Goods], Iterable[Goods]]]] = {
    "BLD-19": lambda due, owned: _one_more_or_less(due),
    "BLD-20": lambda due, owned: _replacing(due, 2, 3, 4),
    "BLD-21": lambda due, owned: [due + ONE[good] + ONE[good] for good in due.kinds()],
    "BLD-22": lambda due, owned: _replacing(due, 3),
    "BLD-23": lambda due, owned: [*payments(owned, due), *_replacing_two(due)],
    "BLD-24": lambda due, owned: _replacing(due, 3, kinds=[Good.GOLD]),
}
"""The payments that are checked for each clause, as a function of the price and the player's goods.
They are the price with at most one good more or less, payments that replace one or two items with
several goods, or all correct payments."""


@allows(*PAID, at=PaymentPrompt)
def paying_item_by_item(state: GameState, clause: str) -> Verdicts:
    """Each item is paid with the good itself or with three goods of other kinds."""
    due, owned = prompt_of(state).price, me(state).goods
    legal, paid = payments(owned, due), PAID[clause](due, owned)
    yield from ((Pay(each), each in legal) for each in paid if each.covers(NOTHING))


@posts("BLD-19", at=PaymentPrompt)
def goods_paid(step: Step) -> Iterator[Event]:
    """The goods of the payment go to the general supply."""
    if isinstance(step.action, Pay) and step.action.goods:
        yield GoodsReturned(step.seat, step.action.goods, "BLD-19")


@always("BLD-25", at=PlayPrompt)
def no_exchange(step: Step) -> bool | None:
    """Playing a card returns only the goods that the card names, and no substitutes for them."""
    returned = {each.goods for each in entered(step, GoodsReturned)}
    return returned <= {Goods(gold=1), Goods(gold=4), ONE_OF_EACH} if returned else None


declining("BLD-27", at=PaymentPrompt, is_legal=False)


# What is built


def character(step: Step) -> Character:
    """Return the character of the building that the player pays for."""
    return step.before.display[int(step.prompt.site)].character


def is_new(step: Step) -> bool:
    """Return whether the player pays for a new building."""
    return step.prompt.site not in step.mine.built


def is_upgrade(step: Step) -> bool:
    """Return whether the player pays for an upgrade."""
    return not is_new(step)


@posts("BLD-29", at=PaymentPrompt, where=is_new)
def house_placed(step: Step) -> Iterator[Event]:
    """A house is placed on a new building, and the player takes the building's character."""
    yield Built(step.seat, step.prompt.site, character(step))


@posts("BLD-30", "BLD-37", at=PaymentPrompt, where=is_upgrade)
def turned_over(step: Step) -> Iterator[Event]:
    """The journal records that an upgrade turns over the paid building."""
    yield Upgraded(step.seat, step.prompt.site)


@always("BLD-28", at=PaymentPrompt, where=is_new)
def character_gained(step: Step) -> bool:
    """The character of a new building is added to the hand, and thus to the deck."""
    card, old, new = character(step), deck(step.before, step.seat), deck(step.after, step.seat)
    return step.now.hand.count(card) > step.mine.hand.count(card) and new == old.plus(card)


@always("BLD-29", at=PaymentPrompt, where=is_new)
def house_of_the_player(step: Step) -> bool:
    """A new building has a house of the player on it, and is not upgraded."""
    built = step.mine.built.plus(step.prompt.site)
    return (step.now.built, step.now.upgraded) == (built, step.mine.upgraded)


@always("BLD-37", at=PaymentPrompt, where=is_upgrade)
def upgraded_side(step: Step) -> bool:
    """An upgrade turns over the chosen building, and no other."""
    return step.now.upgraded == step.mine.upgraded.plus(step.prompt.site)


@always("BLD-31", at=PaymentPrompt, where=is_upgrade)
def no_character(step: Step) -> bool:
    """An upgrade leaves the player's deck unchanged."""
    return deck(step.after, step.seat) == deck(step.before, step.seat)


# The bonus


def is_in_valettes_column(state: GameState, site: int) -> bool:
    """Return whether a site is in the column of the space that Valette occupies.

    A column of the display extends over five spaces of the street (BLD-34).
    """
    return state.valette > 0 and site % 5 == (state.valette - 1) // 5


@posts("BLD-32", "BLD-33", at=PaymentPrompt)
def construction_bonus(step: Step, clause: str) -> Iterator[Event]:
    """A new building (BLD-32) or an upgrade (BLD-33) in Valette's column scores two points."""
    if is_new(step) is (clause == "BLD-32") and is_in_valettes_column(
        step.before, step.prompt.site
    ):
        yield PointsScored(step.seat, 2, clause)


def scores_in_view(step: Step) -> bool:
    """Return whether the payment scores two points in Valette's column, and none elsewhere."""
    bonus = sum(each.points for each in entered(step, PointsScored))
    return bonus == 2 * is_in_valettes_column(step.before, step.prompt.site)


@always("BLD-34", "BLD-35", at=PaymentPrompt)
def area_in_view(step: Step, clause: str) -> bool | None:
    """A site in Valette's column scores, on either side of the street (BLD-34).

    While Valette is on the tower, no site scores (BLD-35).
    """
    is_due = bool(step.before.valette) is (clause == "BLD-34")
    return scores_in_view(step) if is_due else None
