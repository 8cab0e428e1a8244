"""Lemmas about the arithmetic of the rules, proved for all numbers and not only for those tried.

A lemma is a Python function that must return true for every choice of its parameters: whole
numbers from 0 up without any limit, goods counted in such numbers, sets of sites.  `prove` runs
it on *unknown* numbers.  Adding unknowns up builds a formula of the solver Z3.  Where the code
compares them, both ways are gone that some numbers can go, and so every path through the code is
seen.  The lemma is proved when no path on which it fails can be gone by any numbers.

Nothing of the rules is written down again for this: what runs is the code of the rulebook itself.
Only `max` and `min` are replaced in it (by `larger` and `smaller`, proved equal to them), lest
they double the paths again and again.  The tests of the chapter *The method* show that unknowns
compute as numbers do.  Those of the chapter *No lemma is empty* change one place in the text of a
function at a time, and the lemma that passed must then be refuted by a counterexample.

Two steps are made in words, in the docstrings: an induction, and cutting a row of goods in threes.
"""

from __future__ import annotations

import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from types import FunctionType, SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

import pytest
import z3  # type: ignore[import-untyped]  # has no types; only `Number`, `Sites` and `Path` use it
from hypothesis import given
from hypothesis import strategies as st

from valletta_rules import GameState, Good, Goods, SiteSet
from valletta_rules.components.display import MAX_SITES, are_adjacent
from valletta_rules.components.goods import GOODS, NOTHING, ONE
from valletta_rules.rulebook.building import (
    _reduced,
    building_price,
    can_pay,
    is_payment,
    replaced_of,
    upgrade_price,
)
from valletta_rules.rulebook.scoring import track_position

Term: TypeAlias = Any
"""A formula or a term of the solver, for which there are no types."""

F = TypeVar("F", bound=Callable[..., object])

Rows: TypeAlias = tuple[Goods, Goods, Goods, Goods]
"""For each kind of item replaced, in the usual order, the goods that stand in for such items."""


# Unknown numbers


class Number:
    """A whole number that is not known, or that is computed from such numbers.

    Comparing it gives true or false at once: the path being gone decides.  It has no hash, so
    that nothing is looked up by it.
    """

    def __init__(self, term: Term) -> None:
        """Take the number over from the solver."""
        self.term = term

    def __add__(self, other: object) -> Number:
        return Number(self.term + _term(other))

    __radd__ = __add__

    def __sub__(self, other: object) -> Number:
        return Number(self.term - _term(other))

    def __rsub__(self, other: object) -> Number:
        return Number(_term(other) - self.term)

    def __mul__(self, factor: int) -> Number:
        return Number(self.term * _known(factor))

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Number:
        return Number(self.term / _known(divisor))  # the solver rounds down if the divisor is > 0

    def __mod__(self, divisor: int) -> Number:
        return Number(self.term % _known(divisor))

    def __divmod__(self, divisor: int) -> tuple[Number, Number]:
        return self // divisor, self % divisor

    def __eq__(self, other: object) -> bool:
        return _decide(self.term == _term(other))

    def __ne__(self, other: object) -> bool:
        return _decide(self.term != _term(other))

    def __lt__(self, other: object) -> bool:
        return _decide(self.term < _term(other))

    def __le__(self, other: object) -> bool:
        return _decide(self.term <= _term(other))

    def __gt__(self, other: object) -> bool:
        return _decide(self.term > _term(other))

    def __ge__(self, other: object) -> bool:
        return _decide(self.term >= _term(other))

    def __bool__(self) -> bool:
        return _decide(self.term != 0)


class Sites:
    """The mask of a set of sites that is not known: for each site, whether it is in the set."""

    def __init__(self, bits: tuple[Term, ...]) -> None:
        """Take the bits over from the solver."""
        self.bits = bits

    def __rand__(self, mask: int) -> Sites:
        return Sites(tuple(bit for site, bit in enumerate(self.bits) if mask >> site & 1))

    def __or__(self, other: Sites) -> Sites:
        return Sites(tuple(z3.Or(*both) for both in zip(self.bits, other.bits, strict=True)))

    def bit_count(self) -> Number:
        """Count the sites, as `int.bit_count` does."""
        return Number(z3.Sum([z3.If(bit, 1, 0) for bit in self.bits]))


def _term(value: object) -> Term:
    """Return a number, known or not, as the solver's."""
    if isinstance(value, Number):
        return value.term
    assert isinstance(value, int), f"{value!r} is no whole number"
    return z3.IntVal(value)


def _known(number: int) -> int:
    """Require a factor or divisor that is known and above 0, as all in the rules are."""
    assert isinstance(number, int)
    assert number > 0
    return number


def larger(one: int, other: int) -> int:
    """Return the larger of two numbers without parting the ways."""
    if isinstance(one, Number) or isinstance(other, Number):
        a, b = _term(one), _term(other)
        return cast("int", Number(z3.If(a >= b, a, b)))
    return max(one, other)


def smaller(one: int, other: int) -> int:
    """Return the smaller of two numbers without parting the ways."""
    if isinstance(one, Number) or isinstance(other, Number):
        a, b = _term(one), _term(other)
        return cast("int", Number(z3.If(a <= b, a, b)))
    return min(one, other)


# Proving


class Refuted(AssertionError):  # noqa: N818  # the opposite of proved
    """There are numbers for which the lemma fails."""


class Undecided(Exception):  # noqa: N818  # neither proved nor refuted
    """The solver gave up."""


class _Excluded(Exception):  # noqa: N818  # says nothing against the lemma
    """The lemma says nothing about the numbers of this path."""


class Path:
    """One path through a lemma: which way each comparison went that unknowns leave open."""

    def __init__(self, turns: tuple[bool, ...]) -> None:
        """Go the way that is given, and beyond it choose among those that some numbers can go."""
        self._given = turns
        self._turns: list[bool] = []
        self._example: Term = None
        self._solver = z3.SimpleSolver()
        self._solver.set(timeout=20_000, random_seed=0)
        self._solver.set("arith.solver", 2)  # simplex: ten times as fast here as the default
        self.left: list[tuple[bool, ...]] = []
        """The paths that branch off from this one and have yet to be gone."""

    def require(self, condition: Term) -> None:
        """Keep to the numbers that fulfil a condition."""
        self._solver.add(condition)
        self._example = None

    def decide(self, condition: Term) -> bool:
        """Tell whether a condition holds, on this path."""
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return bool(z3.is_true(condition))
        if len(self._turns) < len(self._given):
            turn = self._given[len(self._turns)]
            self._example = None
        else:
            turn = bool(z3.is_true(self.example().eval(condition, model_completion=True)))
            if self._satisfiable(z3.Not(condition) if turn else condition):
                self.left.append((*self._turns, not turn))
        self._turns.append(turn)
        self._solver.add(condition if turn else z3.Not(condition))
        return turn

    def example(self) -> Term:
        """Return numbers that go this path."""
        if self._example is None:
            assert self._satisfiable(), "no numbers go this path"
            self._example = self._solver.model()
        return self._example

    def _satisfiable(self, *conditions: Term) -> bool:
        self._solver.push()
        self._solver.add(*conditions)
        answer = self._solver.check()
        if not conditions and answer == z3.sat:
            self._example = self._solver.model()
        self._solver.pop()
        if answer == z3.unknown:
            raise Undecided(self._solver.reason_unknown())
        return bool(answer == z3.sat)


_path: ContextVar[Path] = ContextVar("_path")


def _decide(condition: Term) -> bool:
    return _path.get().decide(condition)


def suppose(condition: bool) -> None:
    """Let a lemma speak only of the numbers that fulfil a condition."""
    if not condition:
        raise _Excluded


def prove(lemma: Callable[..., bool]) -> None:
    """Prove that a lemma returns true for all that its parameters can be.

    A lemma that excludes everything proves nothing and fails.
    """
    kinds = inspect.get_annotations(lemma, eval_str=True)
    reached = False
    ahead: list[tuple[bool, ...]] = [()]
    while ahead:
        path = Path(ahead.pop())
        token = _path.set(path)
        try:
            if not lemma(*(_unknown(kinds[name], name) for name in _parameters(lemma))):
                raise Refuted(f"fails for {path.example()}")
            reached = True
        except _Excluded:
            pass
        finally:
            _path.reset(token)
        ahead += path.left
    assert reached, "the lemma speaks of no numbers at all"


def _parameters(lemma: Callable[..., bool]) -> Iterable[str]:
    return inspect.signature(lemma).parameters


def _unknown(kind: object, name: str) -> object:
    """Return something unknown of a kind: a number, goods, rows of goods or a set of sites."""
    if kind is int:
        number = z3.Int(name)
        _path.get().require(number >= 0)
        return Number(number)
    if kind is Goods:
        return Goods(*(cast("int", _unknown(int, f"{name}.{good}")) for good in GOODS))
    if kind is SiteSet:
        mask = Sites(tuple(z3.Bool(f"{name}.{site}") for site in range(MAX_SITES)))
        return SiteSet(cast("int", mask))
    assert kind == Rows
    return tuple(_unknown(Goods, f"{name}.{good}") for good in GOODS)


# The functions that lemmas are about


class Change(NamedTuple):
    """One place in the text of a function, and what is to stand there instead."""

    function: Callable[..., object]
    old: str
    new: str


_change: ContextVar[Change | None] = ContextVar("_change", default=None)


def read(function: F) -> F:
    """Return a function of the rulebook, or of this file, as it stands, ready to be proved.

    The same code runs, but without a cache, and with `larger` and `smaller` for `max` and `min`,
    here and in the functions that it calls.  Within `changed`, one function is another.
    """
    return cast("F", _ready(inspect.unwrap(function), _change.get()))


@lru_cache
def _ready(function: Callable[..., object], change: Change | None) -> FunctionType:
    assert isinstance(function, FunctionType)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = inspect.unwrap(names[name]) if callable(names.get(name)) else None
        if isinstance(called, FunctionType):
            names[name] = _ready(called, change)
    names |= {"max": larger, "min": smaller}
    if change is None or inspect.unwrap(change.function) is not function:
        return FunctionType(function.__code__, names, None, function.__defaults__)
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(change.old) == 1, f"{change.old!r} is not one place: choose another change"
    exec(compile(text.replace(change.old, change.new), "<changed>", "exec"), names)
    return cast("FunctionType", inspect.unwrap(names[function.__name__]))


@contextmanager
def changed(change: Change) -> Iterator[None]:
    """Change the text of a function for the lemmas proved meanwhile."""
    token = _change.set(change)
    try:
        yield
    finally:
        _change.reset(token)


# What a right payment is


def is_legal(payment: Goods, price: Goods, replaced: Goods) -> bool:
    """Tell whether a payment is right when these items of the price are replaced: the definition.

    It is that of the ruling *substitution*.  The other items are paid; what is paid
    besides are three goods for each item replaced, and of no kind are there more of them than
    stand in for items of other kinds.
    """
    besides = payment - (price - replaced)
    return (
        all(0 <= some <= items for some, items in zip(replaced, price, strict=True))
        and all(goods >= 0 for goods in besides)
        and besides.total == 3 * replaced.total
        and all(
            goods <= 3 * (replaced.total - some)
            for goods, some in zip(besides, replaced, strict=True)
        )
    )


def some_replacement(payment: Goods, price: Goods) -> Goods:
    """Choose the items that a payment replaces: the missing ones, then more kind by kind.

    Of a kind, at most so many are replaced that the goods of the kind can all stand in for others.
    """
    replaced = (payment.total - price.total) // 2
    lacking = [max(0, items - paid) for paid, items in zip(payment, price, strict=True)]
    left = replaced - sum(lacking)
    chosen = []
    for paid, items, least in zip(payment, price, lacking, strict=True):
        more = min(items, (3 * replaced + items - paid) // 4) - least
        if more > left:
            more = left
        left -= more
        chosen.append(least + more)
    return Goods(*chosen)


def some_payment(goods: Goods, price: Goods) -> Goods:
    """Choose a payment out of some goods: what can be paid, and then goods in the usual order."""
    paid_in_kind = [min(owned, items) for owned, items in zip(goods, price, strict=True)]
    wanted = 3 * (price.total - sum(paid_in_kind))
    chosen = []
    for owned, paid in zip(goods, paid_in_kind, strict=True):
        more = min(wanted, owned - paid)
        wanted -= more
        chosen.append(paid + more)
    return Goods(*chosen)


def stands_in(rows: Rows, replaced: Goods, besides: Goods) -> bool:
    """Tell whether the rows give each item replaced three goods of other kinds, and use up all."""
    return (
        all(row[good] == 0 for good, row in zip(GOODS, rows, strict=True))
        and all(row.total == 3 * some for row, some in zip(rows, replaced, strict=True))
        and sum(rows, NOTHING) == besides
    )


def can_be_matched(wanted: Goods, besides: Goods) -> bool:
    """Tell whether so many goods fill so many places, none a place kept for items of its kind.

    The condition: as many goods as places, and of no kind more of both together than that.
    """
    return wanted.total == besides.total and all(
        places + goods <= wanted.total for places, goods in zip(wanted, besides, strict=True)
    )


def next_match(wanted: Goods, besides: Goods) -> tuple[Good, Good]:
    """Choose a place to fill and a good to fill it with, of the kinds that are scarcest in room.

    The kind with most places and goods goes first, as a place if it has any, else as a good.  If
    nothing is left to go with it, it goes with itself, which is no match.
    """
    first, *others = sorted(GOODS, key=lambda good: wanted[good] + besides[good], reverse=True)
    if wanted[first] > 0:
        return first, next((good for good in others if besides[good] > 0), first)
    return next((good for good in others if wanted[good] > 0), first), first


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_every_legal_payment_is_accepted() -> None:
    """Whatever items of a price are replaced, the arithmetic test accepts the payment."""

    def lemma(payment: Goods, price: Goods, replaced: Goods) -> bool:
        suppose(read(is_legal)(payment, price, replaced))
        return read(is_payment)(payment, price)

    prove(lemma)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_every_payment_accepted_is_legal() -> None:
    """A payment that the arithmetic test accepts comes about by replacing items of the price."""

    def lemma(payment: Goods, price: Goods) -> bool:
        suppose(read(is_payment)(payment, price))
        return read(is_legal)(payment, price, read(some_replacement)(payment, price))

    prove(lemma)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_three_goods_of_other_kinds_make_a_legal_payment() -> None:
    """Paying some items of a price and three goods of other kinds for each other item is legal.

    The rows say how many goods of each kind stand in for the items of one kind.  A row of `3 n`
    goods can be cut in `n` threes as one likes, for none of its goods is of the items' kind.
    """

    def lemma(price: Goods, replaced: Goods, rows: Rows, besides: Goods) -> bool:
        suppose(price.covers(replaced) and read(stands_in)(rows, replaced, besides))
        return read(is_legal)(price - replaced + besides, price, replaced)

    prove(lemma)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_goods_of_a_legal_payment_can_be_matched() -> None:
    """In a legal payment three places for each item replaced and the goods besides can be matched.

    That is, they fulfil the condition from which the next lemma starts.
    """

    def lemma(payment: Goods, price: Goods, replaced: Goods) -> bool:
        suppose(read(is_legal)(payment, price, replaced))
        places, besides = replaced + replaced + replaced, payment - (price - replaced)
        return besides.covers(NOTHING) and read(can_be_matched)(places, besides)

    prove(lemma)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_a_good_can_be_matched_and_the_rest_still_can() -> None:
    """While there are places, one can be filled with a good of another kind so that the rest fits.

    By induction on the number of places all are filled and no good is left over: the rows of
    `stands_in` exist, in whole numbers, for every legal payment.  So a payment is legal exactly
    if each item of the price is either paid or replaced by three goods of other kinds.
    """

    def lemma(wanted: Goods, besides: Goods) -> bool:
        suppose(read(can_be_matched)(wanted, besides) and wanted.total > 0)
        place, good = read(next_match)(wanted, besides)
        wanted, besides = wanted - ONE[place], besides - ONE[good]
        return (
            place is not good
            and wanted[place] >= 0
            and besides[good] >= 0
            and read(can_be_matched)(wanted, besides)
        )

    prove(lemma)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
def test_matching_good_by_good_stands_in_for_every_item() -> None:
    """Matching one good after another does give rows that replace up to three items of any kinds.

    This runs the induction of the lemma before on all such numbers.
    """
    for replaced in (goods for total in range(4) for goods in _all_goods(total)):
        for besides in _all_goods(3 * replaced.total):
            places, goods = replaced + replaced + replaced, besides
            fits = can_be_matched(places, goods)
            assert fits == is_legal(besides, replaced, replaced)
            if not fits:
                continue
            rows = dict.fromkeys(GOODS, NOTHING)
            while places:
                place, good = next_match(places, goods)
                places, goods = places - ONE[place], goods - ONE[good]
                rows[place] += ONE[good]
            gold, wood, stone, brick = rows.values()
            assert stands_in((gold, wood, stone, brick), replaced, besides)


def _all_goods(total: int) -> Iterator[Goods]:
    """Run through all goods that are so many in all."""
    for gold, wood, stone in itertools.product(range(total + 1), repeat=3):
        if gold + wood + stone <= total:
            yield Goods(gold, wood, stone, total - gold - wood - stone)


@pytest.mark.rule("BLD-19", "BLD-20")
def test_each_item_replaced_costs_two_goods_more() -> None:
    """A legal payment has exactly two goods more than the price for each item that it replaces."""

    def lemma(payment: Goods, price: Goods, replaced: Goods) -> bool:
        suppose(read(is_legal)(payment, price, replaced))
        return payment.total == price.total + 2 * replaced.total

    prove(lemma)


@pytest.mark.rule("BLD-19", "BLD-20")
def test_no_payment_is_shorter_than_the_price() -> None:
    """A payment accepted has never fewer goods than the price, and more only by an even number."""

    def lemma(payment: Goods, price: Goods) -> bool:
        suppose(read(is_payment)(payment, price))
        more = payment.total - price.total
        return more >= 0 and more % 2 == 0

    prove(lemma)


@pytest.mark.rule("BLD-19")
def test_nothing_is_paid_with_nothing() -> None:
    """A price of nothing is paid with nothing, and in no other way."""

    def lemma(payment: Goods) -> bool:
        return read(is_payment)(payment, NOTHING) == (payment == NOTHING)

    prove(lemma)


@pytest.mark.rule("BLD-19")
def test_the_price_itself_is_a_payment() -> None:
    """Every price is paid with just its goods, and in no other way by as many goods."""

    def lemma(payment: Goods, price: Goods) -> bool:
        suppose(payment.total == price.total)
        return read(is_payment)(payment, price) == (payment == price)

    prove(lemma)


# What can be paid


@pytest.mark.rule("BLD-20", "BLD-26")
def test_a_price_that_can_be_paid_has_a_payment() -> None:
    """If a price can be paid, some right payment is covered by the goods."""

    def lemma(goods: Goods, price: Goods) -> bool:
        suppose(read(can_pay)(goods, price))
        payment = read(some_payment)(goods, price)
        return (
            payment.covers(NOTHING) and goods.covers(payment) and read(is_payment)(payment, price)
        )

    prove(lemma)


@pytest.mark.rule("BLD-20", "BLD-26")
def test_a_price_with_a_payment_can_be_paid() -> None:
    """If goods cover some right payment for a price, it can be paid."""

    def lemma(goods: Goods, price: Goods, payment: Goods) -> bool:
        suppose(goods.covers(payment) and read(is_payment)(payment, price))
        return read(can_pay)(goods, price)

    prove(lemma)


@pytest.mark.rule("BLD-26")
def test_more_goods_and_lower_prices_do_no_harm() -> None:
    """What can be paid can also be paid with more goods, and if it costs less."""

    def lemma(goods: Goods, more: Goods, price: Goods, lower: Goods) -> bool:
        suppose(read(can_pay)(goods, price) and price.covers(lower))
        return read(can_pay)(goods + more, lower)

    prove(lemma)


# Prices


def price_of_building(cost: Goods, built: SiteSet, site: int, reduction: Goods) -> Goods:
    """Return the price of a site of such a cost for a player who has built on some sites."""
    return read(building_price)(_position(cost, built), 0, site, reduction)


def price_of_upgrade(cost: Goods, built: SiteSet, site: int, reduction: Goods) -> Goods:
    """Return the price of upgrading a site of such a cost."""
    return read(upgrade_price)(_position(cost, built), site, reduction)


def _position(cost: Goods, built: SiteSet) -> GameState:
    """Return as much of a position as a price depends on."""
    building, player = SimpleNamespace(cost=cost), SimpleNamespace(built=built)
    display = (building,) * MAX_SITES
    return cast("GameState", SimpleNamespace(display=display, players=(player,)))


PRICES: Final = [
    *(pytest.param(price_of_building, site, id=f"new-{site}") for site in range(MAX_SITES)),
    pytest.param(price_of_upgrade, 0, id="upgrade"),
]
"""The price of a new building on each site, as neighbours differ, and of an upgrade on any."""

on_every_site = pytest.mark.parametrize(("price_of", "site"), PRICES)

PriceOf: TypeAlias = Callable[[Goods, SiteSet, int, Goods], Goods]


@pytest.mark.rule("BLD-5", "BLD-11", "BLD-12", "BLD-13", "BLD-17")
@on_every_site
def test_a_price_lies_between_nothing_and_the_printed_cost(price_of: PriceOf, site: int) -> None:
    """Discount and reduction leave of each good no less than nothing, no more than is printed."""

    def lemma(cost: Goods, built: SiteSet, reduction: Goods) -> bool:
        price = price_of(cost, built, site, reduction)
        return price.covers(NOTHING) and cost.covers(price)

    prove(lemma)


@pytest.mark.rule("BLD-6", "BLD-12", "BLD-13", "BLD-14")
@on_every_site
def test_more_discount_never_makes_a_price_higher(price_of: PriceOf, site: int) -> None:
    """More houses, a larger reduction or a lower cost never make a price higher in any good."""

    def lemma(
        cost: Goods, lower: Goods, built: SiteSet, more: SiteSet, reduction: Goods, extra: Goods
    ) -> bool:
        suppose(cost.covers(lower))
        grown = SiteSet(built.mask | more.mask)
        better = price_of(lower, grown, site, reduction + extra)
        return price_of(cost, built, site, reduction).covers(better)

    prove(lemma)


@pytest.mark.rule("BLD-5", "BLD-6", "BLD-10", "BLD-11", "BLD-12")
@pytest.mark.parametrize("site", range(MAX_SITES))
def test_a_new_building_costs_a_gold_less_for_each_own_neighbour(site: int) -> None:
    """Each good is reduced by what the card takes off, gold also by 1 for each own neighbour."""
    neighbours = [other for other in range(MAX_SITES) if are_adjacent(site, other)]

    def lemma(cost: Goods, built: SiteSet, reduction: Goods) -> bool:
        mask = cast("Sites", built.mask)
        discount = Sites(tuple(mask.bits[other] for other in neighbours)).bit_count()
        price = price_of_building(cost, built, site, reduction)
        less = reduction + Goods(gold=cast("int", discount))
        return all(
            left == larger(0, printed - off)
            for left, printed, off in zip(price, cost, less, strict=True)
        )

    prove(lemma)


@pytest.mark.rule("BLD-12", "BLD-13", "BLD-17", "BLD-18")
def test_an_upgrade_costs_no_gold() -> None:
    """The price of an upgrade has no gold, and the printed materials less what the card takes."""

    def lemma(cost: Goods, built: SiteSet, reduction: Goods) -> bool:
        price = price_of_upgrade(cost, built, 0, reduction)
        return price.gold == 0 and all(
            left == larger(0, printed - off)
            for left, printed, off in list(zip(price, cost, reduction, strict=True))[1:]
        )

    prove(lemma)


# The score track


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
def test_space_and_tokens_add_up_to_the_score() -> None:
    """A score above 0 stands on one of the spaces 1 to 25, and full rounds make up the rest."""

    def lemma(score: int) -> bool:
        suppose(score > 0)
        space, tokens = read(track_position)(score)
        return 1 <= space <= 25 and tokens >= 0 and tokens % 25 == 0 and space + tokens == score

    prove(lemma)


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
def test_every_space_with_any_tokens_shows_one_score() -> None:
    """Each of the spaces 1 to 25 with tokens for any number of rounds shows exactly one score."""

    def shown(space: int, rounds: int) -> bool:
        suppose(1 <= space <= 25)
        return read(track_position)(space + 25 * rounds) == (space, 25 * rounds)

    def only_one(score: int, other: int) -> bool:
        suppose(read(track_position)(score) == read(track_position)(other))
        return score == other

    prove(shown)
    prove(only_one)


@pytest.mark.rule("SCO-2", "SET-19")
def test_only_a_score_of_nothing_stands_before_the_first_space() -> None:
    """The figure stands before space 1 exactly at a score of 0, and then without tokens."""

    def lemma(score: int) -> bool:
        space, tokens = read(track_position)(score)
        return (space == 0) == (score == 0) and (space > 0 or tokens == 0)

    prove(lemma)


@pytest.mark.rule("SCO-2")
def test_no_score_is_below_nothing() -> None:
    """Every number below 0 is refused as a score."""

    def lemma(number: int) -> bool:
        try:
            read(track_position)(-1 - number)
        except ValueError:
            return True
        return False

    prove(lemma)


# The method


@pytest.mark.parametrize(
    ("replacement", "original"), [(larger, max), (smaller, min)], ids=["larger", "smaller"]
)
def test_larger_and_smaller_are_max_and_min(
    replacement: Callable[[int, int], int], original: Callable[[int, int], int]
) -> None:
    """Python's own `max` and `min`, gone path by path, give what `larger` and `smaller` give."""

    def lemma(one: int, other: int, off: int) -> bool:
        one, other = one - off, other - off
        return read(replacement)(one, other) == original(one, other)

    prove(lemma)


@pytest.mark.parametrize("divisor", [1, 2, 3, 4, 25])
def test_unknown_numbers_are_divided_as_python_divides(divisor: int) -> None:
    """Quotients are rounded down, below 0 too, and what remains is at least 0 and smaller."""

    def lemma(number: int, off: int) -> bool:
        number -= off
        quotient, rest = divmod(number, divisor)
        return (
            0 <= rest < divisor
            and divisor * quotient + rest == number
            and (quotient, rest) == (number // divisor, number % divisor)
        )

    def off_by_one(number: int, off: int) -> bool:
        return 0 < (number - off) % divisor + 1 < divisor

    prove(lemma)
    with pytest.raises(Refuted):
        prove(off_by_one)


FEW_GOODS: Final = st.builds(Goods, *[st.integers(min_value=0, max_value=6)] * 4)


@given(FEW_GOODS, FEW_GOODS, FEW_GOODS, st.integers(min_value=0, max_value=130))
def test_unknown_numbers_compute_as_known_ones(
    one: Goods, other: Goods, third: Goods, number: int
) -> None:
    """Run on unknowns that can only be some numbers, a function gives what it gives for those."""

    def lemma(a: Goods, b: Goods, c: Goods, n: int) -> bool:
        suppose(a == one and b == other and c == third and n == number)
        return (
            read(is_payment)(a, b) is is_payment(one, other)
            and read(can_pay)(a, b) is can_pay(one, other)
            and read(is_legal)(a, b, c) is is_legal(one, other, third)
            and read(_reduced)(a, n, c) == _reduced(one, number, third)
            and read(track_position)(n) == track_position(number)
        )

    prove(lemma)


@given(FEW_GOODS, FEW_GOODS)
def test_payments_found_by_replacing_items_are_accepted(price: Goods, payment: Goods) -> None:
    """Trying out every replacement, without unknowns, agrees with the arithmetic test."""
    replacements = itertools.product(*(range(items + 1) for items in price))
    legal = any(is_legal(payment, price, Goods(*replaced)) for replaced in replacements)
    assert is_payment(payment, price) == legal


def test_a_lemma_about_no_numbers_fails() -> None:
    """A lemma that excludes all numbers is not taken for proved."""

    def lemma(number: int) -> bool:
        suppose(number < 0)
        return True

    with pytest.raises(AssertionError, match="no numbers"):
        prove(lemma)


def test_an_undecided_lemma_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lemma is not taken for proved when the solver gives up."""

    def lemma(number: int) -> bool:
        return number >= 0

    prove(lemma)
    monkeypatch.setattr(z3.Solver, "check", lambda _: z3.unknown)
    with pytest.raises(Undecided):
        prove(lemma)


# No lemma is empty


CHANGES: Final[list[tuple[partial[None], list[Change]]]] = [
    (
        partial(test_every_legal_payment_is_accepted),
        [
            Change(is_payment, "if odd:", "if not odd:"),
            Change(replaced_of, "max(0, item - paid)", "max(1, item - paid)"),
            Change(replaced_of, "+ item - paid) //", "+ item - paid - 1) //"),
            Change(replaced_of, "min(item, most", "min(item - 1, most"),
            Change(is_payment, "all <= replaced", "all < replaced"),
            Change(is_payment, "replaced <= most", "replaced < most"),
            Change(is_legal, "some <= items", "some <= items + 1"),
            Change(is_legal, "goods >= 0", "goods >= -1"),
            Change(is_legal, "- some)\n", "- some) + 1\n"),
        ],
    ),
    (
        partial(test_every_payment_accepted_is_legal),
        [
            Change(is_payment, "if odd:", "if False:"),
            Change(replaced_of, "max(0, item - paid)", "0"),
            Change(replaced_of, "+ item - paid) //", "+ item - paid + 1) //"),
            Change(replaced_of, "min(item, most", "min(item + 1, most"),
            Change(is_payment, "all <= replaced", "all <= replaced + 1"),
            Change(is_payment, "replaced <= most", "replaced <= 1 + most"),
            Change(is_legal, "0 <= some", "0 < some"),
            Change(is_legal, "some <= items", "some < items"),
            Change(is_legal, "goods >= 0", "goods > 0"),
            Change(is_legal, "- some)\n", "- some) - 1\n"),
        ],
    ),
    (
        partial(test_three_goods_of_other_kinds_make_a_legal_payment),
        [
            Change(is_legal, "goods <=", "goods <"),
            Change(is_legal, "== 3 *", "== 2 *"),
            Change(stands_in, "row[good] == 0", "True"),
            Change(stands_in, "3 * some", "4 * some"),
        ],
    ),
    (
        partial(test_goods_of_a_legal_payment_can_be_matched),
        [
            Change(is_legal, "- some)\n", "- some) + 1\n"),
            Change(is_legal, "== 3 *", "== 2 *"),
            Change(is_legal, "goods >= 0", "goods >= -1"),
            Change(can_be_matched, "goods <=", "goods <"),
        ],
    ),
    (
        partial(test_a_good_can_be_matched_and_the_rest_still_can),
        [
            Change(can_be_matched, "goods <=", "goods - 1 <="),
            Change(can_be_matched, "total ==", "total >="),
            Change(next_match, "reverse=True", "reverse=False"),
            Change(next_match, "+ besides[good]", ""),
        ],
    ),
    (
        partial(test_each_item_replaced_costs_two_goods_more),
        [
            Change(is_legal, "== 3 *", ">= 3 *"),
            Change(is_legal, "== 3 *", "== 4 *"),
        ],
    ),
    (
        partial(test_no_payment_is_shorter_than_the_price),
        [
            Change(is_payment, "if odd:", "if False:"),
            Change(is_payment, "price.total,", "price.total + 6,"),
        ],
    ),
    (
        partial(test_nothing_is_paid_with_nothing),
        [
            Change(replaced_of, "min(item, most", "min(item + 1, most"),
        ],
    ),
    (
        partial(test_the_price_itself_is_a_payment),
        [
            Change(replaced_of, "max(0, item - paid)", "max(1, item - paid)"),
            Change(replaced_of, "min(item, most", "min(item - 1, most"),
            Change(is_payment, "price.total,", "price.total + 2,"),
        ],
    ),
    (
        partial(test_a_price_that_can_be_paid_has_a_payment),
        [
            Change(can_pay, "(SUBSTITUTES - 1)", "1"),
            Change(can_pay, "brick >= (", "brick >= -1 + ("),
            Change(can_pay, "missing -= wood", "missing -= wood + 1"),
        ],
    ),
    (
        partial(test_a_price_with_a_payment_can_be_paid),
        [
            Change(can_pay, "(SUBSTITUTES - 1)", "SUBSTITUTES"),
            Change(can_pay, "brick >= (", "brick > ("),
        ],
    ),
    (
        partial(test_more_goods_and_lower_prices_do_no_harm),
        [
            Change(can_pay, "brick >= (", "brick == ("),
            Change(can_pay, "missing -= wood", "missing += wood"),
        ],
    ),
    (
        partial(test_a_price_lies_between_nothing_and_the_printed_cost, price_of_building, 7),
        [
            Change(_reduced, "max(0, cost.gold", "max(-1, cost.gold"),
            Change(_reduced, "cost.gold - gold", "cost.gold + gold"),
        ],
    ),
    (
        partial(test_a_price_lies_between_nothing_and_the_printed_cost, price_of_upgrade, 0),
        [
            Change(_reduced, "max(0, cost.wood", "max(-1, cost.wood"),
            Change(_reduced, "cost.stone - reduction.stone", "cost.stone + reduction.stone"),
            Change(_reduced, "max(0, cost.brick", "max(1, cost.brick"),
        ],
    ),
    (
        partial(test_more_discount_never_makes_a_price_higher, price_of_building, 7),
        [Change(building_price, "discount, reduction", "3 - discount, reduction")],
    ),
    (
        partial(test_more_discount_never_makes_a_price_higher, price_of_upgrade, 0),
        [Change(_reduced, "cost.brick - reduction.brick", "reduction.brick - cost.brick")],
    ),
    (
        partial(test_a_new_building_costs_a_gold_less_for_each_own_neighbour, 7),
        [
            Change(building_price, "bit_count()", "bit_count() + 1"),
            Change(building_price, "NEIGHBOURS[site]", "NEIGHBOURS[site - 1]"),
            Change(_reduced, "max(0, cost.gold", "max(1, cost.gold"),
        ],
    ),
    (
        partial(test_an_upgrade_costs_no_gold),
        [
            Change(upgrade_price, "cost.gold, ", "cost.gold - 1, "),
            Change(_reduced, "reduction.wood", "reduction.wood - 1"),
        ],
    ),
    (
        partial(test_space_and_tokens_add_up_to_the_score),
        [
            Change(track_position, "score - 1,", "score,"),
            Change(track_position, "rounds * ", "(rounds + 1) * "),
            Change(track_position, "1, LAST", "1, 1 + LAST"),
        ],
    ),
    (
        partial(test_every_space_with_any_tokens_shows_one_score),
        [
            Change(track_position, "score - 1,", "score,"),
            Change(track_position, "score == 0", "score <= 1"),
        ],
    ),
    (
        partial(test_only_a_score_of_nothing_stands_before_the_first_space),
        [Change(track_position, "score == 0", "score <= 1")],
    ),
    (
        partial(test_no_score_is_below_nothing),
        [Change(track_position, "score < 0", "score < -1")],
    ),
]
"""For each lemma some changes that refute it."""


@pytest.mark.parametrize(
    ("lemma", "change"),
    [
        pytest.param(lemma, change, id=f"{lemma.func.__name__}-{number}")
        for lemma, changes in CHANGES
        for number, change in enumerate(changes, 1)
    ],
)
def test_a_changed_function_refutes_the_lemma(lemma: partial[None], change: Change) -> None:
    """Change one place of a function, and numbers are found for which the lemma fails."""
    with changed(change), pytest.raises(Refuted):
        lemma()


def test_every_lemma_is_refuted_by_some_change() -> None:
    """No lemma about the rules lacks a change that refutes it."""
    lemmas = {
        name
        for name, test in globals().items()
        if any(mark.name == "rule" for mark in getattr(test, "pytestmark", ()))
        if "prove" in test.__code__.co_names
    }
    assert lemmas == {lemma.func.__name__ for lemma, _ in CHANGES}
