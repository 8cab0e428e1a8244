"""Building and upgrading: formal statements of its clauses."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from valletta_rules.actions import Action, Build, Upgrade
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Goods
from valletta_rules.state import GameState

from . import defines


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
