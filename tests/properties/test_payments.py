"""Tests that the engine offers exactly the payments that the clauses allow.

`tests/formal/test_lemmas.py` proves the arithmetic of payments and prices for all numbers.
"""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import goods, scaled
from valletta_rules.rulebook.building import can_pay, payments

NOTHING = vr.Goods()


def sum_of(items: tuple[vr.Good, ...]) -> vr.Goods:
    """Return the given items as an amount of goods."""
    return reduce(vr.Goods.__add__, map(vr.Goods.of, items), NOTHING)


PRICES = st.lists(st.sampled_from(vr.Good), max_size=6).map(
    lambda items: sum_of(tuple(items))
) | st.builds(vr.Goods.of, st.sampled_from(vr.Good), st.integers(7, 12))
"""A strategy for prices: up to six goods of any kinds, or seven to twelve of one kind."""


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-23")
@scaled(4)
@given(PRICES, goods(9) | goods(40))
def test_payments_that_replace_only_missing_goods_contain_the_fewest_goods(
    price: vr.Goods, owned: vr.Goods
) -> None:
    """The cheapest payment is one of these."""
    every, some = payments(price, owned), payments(price, owned, only_missing=True)
    assert bool(some) is can_pay(owned, price)
    fewest = min((pay.goods.total for pay in every), default=0)
    assert some == tuple(pay for pay in every if pay.goods.total == fewest)
    if owned.covers(price):
        assert some == (vr.Pay(price),)
    if some:
        assert vr.Pay(vr.cheapest_payment(price, owned)) in some
    else:
        with pytest.raises(ValueError, match="cannot pay"):
            vr.cheapest_payment(price, owned)


@pytest.mark.rule("BLD-20")
def test_the_cheapest_payment_for_a_huge_price_is_computed_without_listing_all_payments() -> None:
    """Three goods of other kinds replace a missing good.

    They are chosen so that the other kinds remain as equal as possible.
    """
    assert vr.cheapest_payment(
        vr.Goods(10**30), vr.Goods(0, 2 * 10**30, 2 * 10**30 + 1, 5)
    ) == vr.Goods(0, 15 * 10**29, 15 * 10**29, 0)
    assert vr.cheapest_payment(vr.Goods(1), vr.Goods(0, 4, 4, 2)) == vr.Goods(0, 2, 1, 0)
