"""Building and upgrading: sites, prices and payments.

To build, a player answers two prompts: a `SitePrompt` for a site to build on or to upgrade, and a
`PaymentPrompt` for the goods.

Each good of the price may be replaced by three other goods, so there are many valid payments for a
price. `is_payment` validates a payment without enumerating them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType
from typing import Any, Final, assert_never

from valletta_rules.actions import BUILD, DECLINE, UPGRADE, Build, Decline, Pay, Upgrade
from valletta_rules.agenda import PaymentPrompt, SitePrompt, Step
from valletta_rules.components import HOUSES_PER_PLAYER, area_of
from valletta_rules.components.display import NEIGHBOURS, column_of
from valletta_rules.components.goods import NOTHING, Goods, plain_goods
from valletta_rules.errors import Code, MalformedActionError, Violation, violation
from valletta_rules.events import Built, Log, Upgraded
from valletta_rules.rulebook.effects import Effect, Rule, decline, question
from valletta_rules.rulebook.final_phase import telling_if_triggered
from valletta_rules.rulebook.houses_and_icons import owner_of
from valletta_rules.rulebook.ledger import give_back, score
from valletta_rules.state import Board, GameState

SUBSTITUTES: Final = 3
"""The number of other goods that replace one item of a price.

Rules: BLD-20, BLD-38
"""

CONSTRUCTION_BONUS: Final = 2
"""The points for building or upgrading in Valette's area.

Rules: BLD-32, BLD-33
"""


def construction(reduction: Goods = NOTHING) -> Effect:
    """Return the effect of building or upgrading once, at a reduced price.

    In every edition, the player may decline the effect at the prompt for a site.

    Rules: BLD-1, BLD-2, BLD-26, BLU-6, BLU-22, BLU-29
    """

    def asks(seat: int) -> SitePrompt:
        return SitePrompt(seat, reduction)

    def can_do_something(state: GameState, seat: int) -> bool:
        return next(sites_in_reach(state, seat, reduction), None) is not None

    return question(asks, can_do_something, reduction)


# The price


def building_price(board: Board, seat: int, site: int, reduction: Goods = NOTHING) -> Goods:
    """Return the price of a new building on a site for a player.

    The price is the printed cost, minus one gold for each of the player's buildings next to the
    site, minus the reduction of the played card. No good falls below 0.

    Rules: BLD-5, BLD-6, BLD-10, BLD-11, BLD-12, BLD-14
    """
    cost = board.display[site].cost
    discount = (NEIGHBOURS[site] & board.players[seat].built.mask).bit_count()
    return _reduced(cost, discount, reduction) if discount or reduction is not NOTHING else cost


def upgrade_price(board: Board, site: int, reduction: Goods = NOTHING) -> Goods:
    """Return the price of upgrading a building.

    The price is the printed cost without gold, minus the reduction of the played card.

    Rules: BLD-12, BLD-13, BLD-17, BLD-18
    """
    cost = board.display[site].cost
    return _reduced(cost, cost.gold, reduction)


@lru_cache(maxsize=1 << 12)
def _reduced(cost: Goods, gold: int, reduction: Goods) -> Goods:
    """Return a cost minus an amount of gold and a reduction, with 0 instead of negative counts.

    Rules: BLD-11, BLD-12, BLD-14
    """
    return plain_goods(
        max(0, cost.gold - gold - reduction.gold),
        max(0, cost.wood - reduction.wood),
        max(0, cost.stone - reduction.stone),
        max(0, cost.brick - reduction.brick),
    )


def can_pay(goods: Goods, price: Goods) -> bool:
    """Return whether a player with the given goods can pay a price.

    The cheapest payment replaces only the missing items, each by three other goods. So the number
    of goods needed is the number of items of the price, plus two for each missing item.

    Rules: BLD-20, BLD-26
    """
    gold, wood = goods.gold - price.gold, goods.wood - price.wood
    stone, brick = goods.stone - price.stone, goods.brick - price.brick
    missing = 0
    if gold < 0:
        missing -= gold
    if wood < 0:
        missing -= wood
    if stone < 0:
        missing -= stone
    if brick < 0:
        missing -= brick
    return gold + wood + stone + brick >= (SUBSTITUTES - 1) * missing


# Choosing a site


def sites_in_reach(board: Board, seat: int, reduction: Goods) -> Iterator[Build | Upgrade]:
    """Iterate over the sites on which a player can build, then the sites that they can upgrade.

    Rules: BLD-3, BLD-4, BLD-15, BLD-16, BLD-26, BLD-36, RED-9
    """
    player = board.players[seat]
    goods = player.goods
    if len(player.built) < HOUSES_PER_PLAYER:
        occupied = 0
        for other in board.players:
            occupied |= other.built.mask
        for site in range(len(board.display)):
            is_free = not occupied >> site & 1
            if is_free and can_pay(goods, building_price(board, seat, site, reduction)):
                yield BUILD[site]
    for site in player.built:
        if site not in player.upgraded and can_pay(goods, upgrade_price(board, site, reduction)):
            yield UPGRADE[site]


def legal_sites(state: GameState, prompt: SitePrompt) -> tuple[Build | Upgrade | Decline, ...]:
    """Return an action for each site to build on or upgrade, and the one that declines.

    Rules: BLD-1, BLD-2, BLD-26
    """
    return (*sites_in_reach(state, prompt.seat, prompt.reduction), DECLINE)


def check_site(
    state: GameState, prompt: SitePrompt, action: Build | Upgrade | Decline
) -> Violation | None:
    """Return the violation if the player may not build on a site, or upgrade it, else `None`.

    Raises `MalformedActionError` if the display has no such site.

    Rules: BLD-2, BLD-3, BLD-4, BLD-15, BLD-16, BLD-26
    """
    match action:
        case Decline():
            return None
        case Build(site):
            _require_site(state, site)
            problem = _check_new_building(state, prompt.seat, site)
            price = building_price(state, prompt.seat, site, prompt.reduction)
        case Upgrade(site):
            _require_site(state, site)
            problem = _check_upgrade(state, prompt.seat, site)
            price = upgrade_price(state, site, prompt.reduction)
        case _:
            assert_never(action)
    goods = state.players[prompt.seat].goods
    if problem is None and not can_pay(goods, price):
        return violation(
            "BLD-26",
            Code.NOT_AFFORDABLE,
            f"site {site} costs {price} after reductions, which {goods} cannot pay",
            site=site,
            price=price,
            goods=goods,
        )
    return problem


def _require_site(state: GameState, site: int) -> None:
    if site >= len(state.display):
        raise MalformedActionError(
            f"there is no site {site}: the sites are numbered 0 to {len(state.display) - 1}"
        )


def _check_new_building(state: GameState, seat: int, site: int) -> Violation | None:
    """Return the violation if the player may not build on a site, whatever the price, else `None`.

    Rules: BLD-3, BLD-4
    """
    owner = owner_of(state, site)
    if owner == seat:
        message = f"site {site} carries the player's own house: it can only be upgraded"
        return violation("BLD-3", Code.ALREADY_BUILT, message, site=site, owner=seat)
    if owner is not None:
        message = f"site {site} carries a house of seat {owner}"
        return violation("BLD-3", Code.SITE_TAKEN, message, site=site, owner=owner)
    if len(state.players[seat].built) >= HOUSES_PER_PLAYER:
        message = f"all {HOUSES_PER_PLAYER} houses are built"
        return violation("BLD-4", Code.NO_HOUSE_LEFT, message, site=site)
    return None


def _check_upgrade(state: GameState, seat: int, site: int) -> Violation | None:
    """Return the violation if the player may not upgrade a site, whatever the price, else `None`.

    Rules: BLD-15, BLD-16
    """
    player = state.players[seat]
    if site not in player.built:
        owner = owner_of(state, site)
        whose = "nobody's" if owner is None else f"seat {owner}'s"
        message = f"the building on site {site} is {whose}: only one's own can be upgraded"
        return violation("BLD-15", Code.SITE_NOT_OWN, message, site=site, owner=owner)
    if site in player.upgraded:
        message = f"the building on site {site} is upgraded already"
        return violation("BLD-16", Code.ALREADY_UPGRADED, message, site=site)
    return None


def choose_site(
    state: GameState, prompt: SitePrompt, action: Build | Upgrade | Decline, log: Log
) -> GameState:
    """Put the payment for the chosen site on the agenda, or decline to build.

    Rules: BLD-1, BLD-2, BLD-27
    """
    match action:
        case Decline():
            return decline(state.done(), prompt.seat, "BLD-2", log)
        case Build(site):
            price = building_price(state, prompt.seat, site, prompt.reduction)
        case Upgrade(site):
            price = upgrade_price(state, site, prompt.reduction)
        case _:
            assert_never(action)
    return state.replace(agenda=(PaymentPrompt(prompt.seat, site, price), *state.agenda[1:]))


# Paying


def is_payment(payment: Goods, price: Goods) -> bool:
    """Return whether goods are a valid payment for a price, without enumerating payments.

    A payment is valid if it results from replacing some items of the price, each by three goods of
    other kinds. Each replaced item adds two goods, so the size of the payment determines the number
    of replaced items.

    This number must lie between two sums of bounds, one bound for each kind of good. The lower
    bound is the number of items of this kind that are missing from the payment. If more items than
    the upper bound were replaced, some would be replaced by goods of their own kind.

    Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
    """
    replaced, odd = divmod(payment.total - price.total, SUBSTITUTES - 1)
    if odd:
        return False
    least_in_all = most_in_all = 0
    for paid, item in zip(payment, price, strict=True):
        least, most = replaced_of(item, paid, replaced)
        least_in_all += least
        most_in_all += most
    return least_in_all <= replaced <= most_in_all


def replaced_of(item: int, paid: int, replaced: int) -> tuple[int, int]:
    """Return the least and the greatest number of items of one good that can be replaced.

    `item` is the number of items of this good in the price, `paid` the number in the payment, and
    `replaced` the number of replaced items of all goods.

    Rules: BLD-20, BLD-21
    """
    most = (SUBSTITUTES * replaced + item - paid) // (SUBSTITUTES + 1)
    return max(0, item - paid), min(item, most)


class _PaymentRow(dict[tuple[int, int], Pay]):
    """The `Pay` actions with a fixed amount of gold and wood, keyed by their stone and brick."""

    def __init__(self, gold: int, wood: int) -> None:
        """Create an empty row. `gold` and `wood` are the amounts in all payments of the row."""
        self.gold, self.wood = gold, wood

    def __missing__(self, rest: tuple[int, int]) -> Pay:
        """Create, cache and return the payment with these amounts of stone and brick."""
        return self.setdefault(rest, Pay(plain_goods(self.gold, self.wood, *rest)))


_row: Final = lru_cache(maxsize=1 << 10)(_PaymentRow)


def payments(price: Goods, goods: Goods, *, only_missing: bool = False) -> tuple[Pay, ...]:
    """Return all valid payments for a price from a player's goods, in ascending order.

    With `only_missing`, the result contains only the smallest payments, in which the number of
    replaced items is the number of missing items. Other payments replace more items.

    The number of replaced items determines how many goods the player has left after the payment.
    For each such number, amounts of gold and wood are combined with the amounts of stone and brick
    that leave this number of goods. The bounds of `is_payment` select the valid payments.

    Rules: BLD-19, BLD-20, BLD-21, BLD-22, BLD-23, BLD-24
    """
    spare, missing = goods.total - price.total, price.less(goods).total
    stone_and_brick: dict[tuple[int, int], list[tuple[int, int]]] = {}
    if not missing:
        stone_and_brick[price.gold, price.wood] = [(price.stone, price.brick)]
    most = min(missing if only_missing else price.total, spare // (SUBSTITUTES - 1))
    for replaced in range(max(1, missing), most + 1):
        left = spare - (SUBSTITUTES - 1) * replaced
        golds, woods, stones, bricks = map(_ways, price, goods, repeat(replaced))
        rests: dict[int, list[tuple[tuple[int, int], int, int]]] = {}
        for over1, (gold, least1, most1) in golds.items():
            for over2, (wood, least2, most2) in woods.items():
                if (over := left - over1 - over2) < 0:
                    break
                if (rest := rests.get(over)) is None:
                    rest = rests[over] = [
                        ((stone, other[0]), least3 + other[1], most3 + other[2])
                        for over3, (stone, least3, most3) in stones.items()
                        if (other := bricks.get(over - over3))
                    ]
                at_most, at_least = replaced - least1 - least2, replaced - most1 - most2
                pairs = [
                    pair for pair, least, most in rest if least <= at_most and most >= at_least
                ]
                if pairs:
                    stone_and_brick.setdefault((gold, wood), []).extend(pairs)
    listed: list[Pay] = []
    for gold_and_wood in sorted(stone_and_brick):
        listed += map(_row(*gold_and_wood).__getitem__, sorted(stone_and_brick[gold_and_wood]))
    return tuple(listed)


@lru_cache(maxsize=1 << 12)
def _ways(item: int, owned: int, replaced: int) -> Mapping[int, tuple[int, int, int]]:
    """Return the amounts of a good that can be paid, each with its bounds from `replaced_of`.

    The keys are the amounts of the good that the player has left.

    Rules: BLD-20, BLD-21
    """
    fewest, most = max(0, item - replaced), min(owned, item + SUBSTITUTES * replaced)
    return {
        owned - paid: (paid, *replaced_of(item, paid, replaced))
        for paid in range(most, fewest - 1, -1)
    }


def legal_payments(state: GameState, prompt: PaymentPrompt) -> tuple[Pay, ...]:
    """Return all payments that the player can make for the chosen site.

    Rules: BLD-19, BLD-27
    """
    return payments(prompt.price, state.players[prompt.seat].goods)


def check_payment(state: GameState, prompt: PaymentPrompt, action: Pay) -> Violation | None:
    """Return the violation of a payment, or `None` if it is valid.

    Rules: BLD-19, BLD-20, BLD-21, BLD-24
    """
    payment, price = action.goods, prompt.price
    goods = state.players[prompt.seat].goods
    if not goods.covers(payment):
        return violation(
            "BLD-19",
            Code.NOT_OWNED,
            f"the player has {goods}, and not {payment}",
            payment=payment,
            goods=goods,
        )
    if is_payment(payment, price):
        return None
    missing, extra = price.less(payment), payment.less(price)
    bill = f"site {prompt.site} costs {price} after reductions"
    if extra.total < SUBSTITUTES * missing.total:
        code, clause = Code.PAYMENT_SHORT, "BLD-20" if extra else "BLD-19"
        message = f"{bill}; the payment is short of {missing}"
        if extra:
            message += f", which {extra} cannot replace"
    else:
        code, clause = Code.PAYMENT_EXCESSIVE, "BLD-19"
        message = f"{bill}; a payment of {payment} is more than that"
    return violation(
        clause, code, message, site=prompt.site, price=price, payment=payment, missing=missing
    )


def pay(state: GameState, prompt: PaymentPrompt, action: Pay, log: Log) -> GameState:
    """Move the payment to the general supply, and build on or upgrade the chosen site.

    Rules: BLD-19, BLD-25
    """
    seat, site = prompt.seat, prompt.site
    state = give_back(state.done(), seat, action.goods, "BLD-19", log)
    if site in state.players[seat].built:
        state = upgrade(state, seat, site, log)
    else:
        state = erect(state, seat, site, log)
    return award_construction_bonus(state, seat, site, log)


def erect(state: GameState, seat: int, site: int, log: Log) -> GameState:
    """Put the player's house on the site. Move the site's character into the player's hand.

    Rules: BLD-28, BLD-29
    """
    player, character = state.players[seat], state.display[site].character
    if log is not None:
        log.append(Built(seat, site, character))
    player = player.gaining(character).replace(built=player.built.plus(site))
    return telling_if_triggered(state, state.with_player(seat, player), log)


def upgrade(state: GameState, seat: int, site: int, log: Log) -> GameState:
    """Turn the building over to its upgraded side. The player gets no character.

    Rules: BLD-30, BLD-31, BLD-37
    """
    if log is not None:
        log.append(Upgraded(seat, site))
    player = state.players[seat]
    return state.with_player(seat, player.replace(upgraded=player.upgraded.plus(site)))


def award_construction_bonus(state: GameState, seat: int, site: int, log: Log) -> GameState:
    """Score two points if Valette is in the area of the site, above or below the street.

    Rules: BLD-32, BLD-33, BLD-34, BLD-35
    """
    if area_of(state.valette) != column_of(site):
        return state
    clause = "BLD-33" if site in state.players[seat].upgraded else "BLD-32"
    return score(state, seat, CONSTRUCTION_BONUS, clause, log)


RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        SitePrompt: Rule(legal_sites, check_site, choose_site),
        PaymentPrompt: Rule(legal_payments, check_payment, pay),
    }
)
"""The rules for the prompts to choose a site and to pay, keyed by the type of prompt."""
