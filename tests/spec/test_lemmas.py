"""Lemmas about the arithmetic of the rules, proved for all numbers and not only for those tried.

A lemma is a function that must return true for every choice of its parameters: whole numbers from
0 up without any limit, goods counted in such numbers, sets of sites.  `prove` runs it on unknowns
of the solver Z3.  Where the code asks whether a formula is true, both ways are gone that some
numbers can go, and so every path through the code is seen.  The lemma is proved when no numbers
go a path on which it fails.

What runs is the code of the rulebook itself.  Only `max` and `min` are replaced in it by formulas,
lest they double the paths, and caches are taken off.  Deliberate mistakes (``spec/mistakes``) in
that code must refute a lemma.

Two steps are made in words, in the docstrings: an induction, and cutting a row of goods in threes.
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import pytest
import z3  # type: ignore[import-untyped]  # has no types
from hypothesis import given, settings
from hypothesis import strategies as st

from spec.checks.mistakes.table import Mistake, mistaken, read_mistakes
from valletta_rules import Good, Goods, SiteSet
from valletta_rules.components.display import MAX_SITES, are_adjacent
from valletta_rules.components.goods import GOODS, NOTHING, ONE
from valletta_rules.rulebook import building, scoring

Rows: TypeAlias = tuple[Goods, Goods, Goods, Goods]
"""For each kind of item replaced, in the usual order, the goods that stand in for such items."""

Rules: TypeAlias = Any
"""Functions of the rulebook by their names, perhaps with a mistake in one of them."""


# Proving


class Excluded(Exception):  # noqa: N818  # says nothing against the lemma
    """The lemma says nothing about the numbers of this path."""


class Path:
    """One path through a lemma: which way each question went that unknowns leave open."""

    def __init__(self, given: tuple[bool, ...]) -> None:
        """Go the way that is given, and beyond it choose among those that some numbers can go."""
        self._given, self._gone = given, list[bool]()
        self._solver = z3.SimpleSolver()
        self._solver.set(timeout=20_000, random_seed=0)
        self._solver.set("arith.solver", 2)  # simplex: ten times as fast here as the default
        self.left: list[tuple[bool, ...]] = []
        """The paths that branch off from this one and have yet to be gone."""

    def numbers(self, *conditions: Any) -> Any:
        """Return numbers that go this path and fulfil some conditions, or nothing."""
        answer = self._solver.check(*conditions)
        assert answer != z3.unknown, f"undecided: {self._solver.reason_unknown()}"
        return self._solver.model() if answer == z3.sat else None

    def decide(self, condition: Any) -> bool:
        """Tell whether a condition holds on this path."""
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return bool(z3.is_true(condition))
        if len(self._gone) < len(self._given):
            turn = self._given[len(self._gone)]
        else:
            turn = self.numbers(condition) is not None
            if turn and self.numbers(z3.Not(condition)) is not None:
                self.left.append((*self._gone, False))
        self._gone.append(turn)
        self._solver.add(condition if turn else z3.Not(condition))
        return turn

    def unknown(self, kind: object, name: str) -> object:
        """Return something unknown: a number, goods, rows of goods or a set of sites."""
        if kind is int:
            number = z3.Int(name)
            self._solver.add(number >= 0)
            return number
        if kind is Goods:
            return Goods(*(self.unknown(int, f"{name}.{good}") for good in GOODS))  # type: ignore[arg-type]
        if kind is SiteSet:
            bits = tuple(z3.Bool(f"{name}.{site}") for site in range(MAX_SITES))
            return SimpleNamespace(mask=Mask(bits))
        assert kind == Rows
        return tuple(self.unknown(Goods, f"{name}.{good}") for good in GOODS)


class Mask:
    """The mask of a set of sites that is not known: for each site, whether it is in the set."""

    def __init__(self, bits: Iterable[Any]) -> None:
        """Take the bits over from the solver."""
        self.bits = tuple(bits)

    def __rand__(self, mask: int) -> Mask:
        return Mask(bit for site, bit in enumerate(self.bits) if mask >> site & 1)

    __and__ = __rand__

    def __or__(self, other: Mask) -> Mask:
        return Mask(z3.Or(*both) for both in zip(self.bits, other.bits, strict=True))

    def bit_count(self) -> Any:
        """Count the sites, as `int.bit_count` does."""
        return z3.Sum([z3.If(bit, 1, 0) for bit in self.bits])


PATH: ContextVar[Path] = ContextVar("path")


def prove(lemma: Callable[..., object], *known: object) -> None:
    """Prove that a lemma is true of all that its parameters can be, the first of them known.

    A lemma that excludes everything proves nothing and fails.
    """
    kinds = inspect.get_annotations(lemma, eval_str=True)
    unknown = list(inspect.signature(lemma).parameters)[len(known) :]
    reached, ahead = False, list[tuple[bool, ...]]([()])
    with (
        patch.object(z3.BoolRef, "__bool__", lambda self: PATH.get().decide(self), create=True),
        patch.object(z3.ArithRef, "__bool__", lambda self: bool(self != 0), create=True),
        patch.object(z3.ArithRef, "__floordiv__", lambda self, by: self / by, create=True),
        patch.object(z3.ArithRef, "__divmod__", lambda s, by: (s / by, s % by), create=True),
    ):
        while ahead:
            path = Path(ahead.pop())
            PATH.set(path)
            try:
                holds = bool(lemma(*known, *(path.unknown(kinds[name], name) for name in unknown)))
                assert holds, f"refuted by {path.numbers()}"
                reached = True
            except Excluded:
                pass
            ahead += path.left
    assert reached, "the lemma speaks of no numbers at all"


# The functions that lemmas are about


def larger(one: Any, other: Any) -> Any:
    """Return the larger of two numbers without parting the ways."""
    return z3.If(one >= other, one, other) if z3.is_expr(one >= other) else max(one, other)


def smaller(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers without parting the ways."""
    return z3.If(one <= other, one, other) if z3.is_expr(one <= other) else min(one, other)


def rules_with(mistake: Mistake | None) -> Rules:
    """Return the functions of the rulebook ready to be proved, perhaps with a mistake in one."""
    found: dict[str, Any] = {}
    for module in (building, scoring):
        tree = ast.parse(inspect.getsource(module))
        if mistake:
            _, tree = mistaken(mistake).get(module.__name__, (None, tree))
        names: dict[str, Any] = {"__name__": module.__name__}
        exec(compile(tree, str(module.__file__), "exec"), names)
        bare = {name: inspect.unwrap(each) for name, each in names.items() if callable(each)}
        names |= {**bare, "max": larger, "min": smaller}
        found |= bare
    return SimpleNamespace(**found)


LEMMAS: Final[dict[str, Callable[[Rules], None]]] = {}
"""What proves each lemma, of some rules."""


def lemma(*known: object) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Make a test of a lemma: it is proved of the rules, for each of the values that are known."""

    def made(function: Callable[..., object]) -> Callable[[], None]:
        def proof(rules: Rules) -> None:
            for each in known or [()]:
                prove(function, rules, *(each if isinstance(each, tuple) else (each,)))

        def test() -> None:
            proof(rules_with(None))

        LEMMAS[function.__name__] = proof
        test.__name__, test.__doc__, test.__module__ = (
            *(function.__name__, function.__doc__, function.__module__),
        )
        return test

    return made


def suppose(condition: object) -> bool:
    """Let a lemma speak only of the numbers that fulfil a condition, and return true of those."""
    if not condition:
        raise Excluded
    return True


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
    lacking = [larger(0, items - paid) for paid, items in zip(payment, price, strict=True)]
    left = replaced - sum(lacking)
    chosen = []
    for paid, items, least in zip(payment, price, lacking, strict=True):
        more = smaller(left, smaller(items, (3 * replaced + items - paid) // 4) - least)
        left -= more
        chosen.append(least + more)
    return Goods(*chosen)


def some_payment(goods: Goods, price: Goods) -> Goods:
    """Choose a payment out of some goods: what can be paid, and then goods in the usual order."""
    paid_in_kind = [smaller(owned, items) for owned, items in zip(goods, price, strict=True)]
    wanted = 3 * (price.total - sum(paid_in_kind))
    chosen = []
    for owned, paid in zip(goods, paid_in_kind, strict=True):
        more = smaller(wanted, owned - paid)
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
@lemma()
def test_every_legal_payment_is_accepted(
    rules: Rules, payment: Goods, price: Goods, replaced: Goods
) -> object:
    """Whatever items of a price are replaced, the arithmetic test accepts the payment."""
    suppose(is_legal(payment, price, replaced))
    return rules.is_payment(payment, price)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_every_payment_accepted_is_legal(rules: Rules, payment: Goods, price: Goods) -> object:
    """A payment that the arithmetic test accepts comes about by replacing items of the price."""
    suppose(rules.is_payment(payment, price))
    return is_legal(payment, price, some_replacement(payment, price))


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_three_goods_of_other_kinds_make_a_legal_payment(
    rules: Rules, price: Goods, replaced: Goods, rows: Rows, besides: Goods
) -> object:
    """Paying some items of a price and three goods of other kinds for each other item is legal.

    The rows say how many goods of each kind stand in for the items of one kind.  A row of `3 n`
    goods can be cut in `n` threes as one likes, for none of its goods is of the items' kind.
    """
    suppose(price.covers(replaced) and stands_in(rows, replaced, besides))
    return is_legal(price - replaced + besides, price, replaced)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_goods_of_a_legal_payment_can_be_matched(
    rules: Rules, payment: Goods, price: Goods, replaced: Goods
) -> object:
    """In a legal payment three places for each item replaced and the goods besides can be matched.

    That is, they fulfil the condition from which the next lemma starts.
    """
    suppose(is_legal(payment, price, replaced))
    places, besides = replaced + replaced + replaced, payment - (price - replaced)
    return besides.covers(NOTHING) and can_be_matched(places, besides)


@pytest.mark.rule("BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_a_good_can_be_matched_and_the_rest_still_can(
    rules: Rules, wanted: Goods, besides: Goods
) -> object:
    """While there are places, one can be filled with a good of another kind so that the rest fits.

    By induction on the number of places all are filled and no good is left over: the rows of
    `stands_in` exist, in whole numbers, for every legal payment.  So a payment is legal exactly
    if each item of the price is either paid or replaced by three goods of other kinds.
    """
    suppose(can_be_matched(wanted, besides) and wanted.total > 0)
    place, good = next_match(wanted, besides)
    wanted, besides = wanted - ONE[place], besides - ONE[good]
    fits = wanted[place] >= 0 and besides[good] >= 0 and can_be_matched(wanted, besides)
    return place is not good and fits


@pytest.mark.rule("BLD-19", "BLD-20")
@lemma()
def test_no_payment_is_shorter_than_the_price(rules: Rules, payment: Goods, price: Goods) -> object:
    """A payment accepted has never fewer goods than the price, and more only by an even number.

    One with as many goods as the price is the price, and each item replaced costs two goods more.
    """
    suppose(rules.is_payment(payment, price))
    replaced, odd = divmod(payment.total - price.total, 2)
    kept = is_legal(payment, price, some_replacement(payment, price))
    same = payment == price if payment.total == price.total else replaced > 0
    return odd == 0 and kept and same


@pytest.mark.rule("BLD-19")
@lemma()
def test_the_price_itself_is_a_payment(rules: Rules, payment: Goods, price: Goods) -> object:
    """Every price is paid with just its goods, one of nothing with nothing, and in no other way."""
    suppose(payment.total == price.total or price == NOTHING)
    return bool(rules.is_payment(payment, price)) is bool(payment == price)


# What can be paid


@pytest.mark.rule("BLD-20", "BLD-26")
@lemma()
def test_a_price_that_can_be_paid_has_a_payment(rules: Rules, goods: Goods, price: Goods) -> object:
    """If a price can be paid, some right payment is covered by the goods."""
    suppose(rules.can_pay(goods, price))
    payment = some_payment(goods, price)
    return payment.covers(NOTHING) and goods.covers(payment) and rules.is_payment(payment, price)


@pytest.mark.rule("BLD-20", "BLD-26")
@lemma()
def test_a_price_with_a_payment_can_be_paid(
    rules: Rules, goods: Goods, price: Goods, payment: Goods
) -> object:
    """If goods cover some right payment for a price, it can be paid."""
    suppose(goods.covers(payment) and rules.is_payment(payment, price))
    return rules.can_pay(goods, price)


@pytest.mark.rule("BLD-26")
@lemma()
def test_more_goods_and_lower_prices_do_no_harm(
    rules: Rules, goods: Goods, more: Goods, price: Goods, lower: Goods
) -> object:
    """What can be paid can also be paid with more goods, and if it costs less."""
    suppose(rules.can_pay(goods, price) and price.covers(lower))
    return rules.can_pay(goods + more, lower)


# Prices


UPGRADE: Final = MAX_SITES
"""Stands for an upgrade, which costs the same on any site."""

on_every_site = lemma(*range(MAX_SITES), UPGRADE)
"""Proves a lemma about the price on each site, as neighbours differ, and about an upgrade."""


def price_of(rules: Rules, site: int, cost: Goods, built: SiteSet, reduction: Goods) -> Goods:
    """Return the price of a site of such a cost for a player who has built on some sites."""
    everywhere = SiteSet.of(*range(MAX_SITES))
    players = [SimpleNamespace(built=each, upgraded=everywhere) for each in (built, everywhere)]
    board = SimpleNamespace(display=[SimpleNamespace(cost=cost)] * MAX_SITES, players=players)
    found: Goods = (
        rules.upgrade_price(board, 0, reduction)
        if site == UPGRADE
        else rules.building_price(board, 0, site, reduction)
    )
    return found


def less(cost: Goods, reduction: Goods) -> Goods:
    """Return goods less others, of each kind no less than nothing."""
    return Goods(*(larger(0, one - other) for one, other in zip(cost, reduction, strict=True)))


@pytest.mark.rule("BLD-5", "BLD-6", "BLD-10", "BLD-11", "BLD-12")
@lemma(*range(MAX_SITES))
def test_a_new_building_costs_a_gold_less_for_each_own_neighbour(
    rules: Rules, site: int, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """Each good is reduced by what the card takes off, gold also by 1 for each own neighbour."""
    mask: Any = built.mask
    neighbours = Mask(mask.bits[each] for each in range(MAX_SITES) if are_adjacent(site, each))
    reduced = less(cost, reduction + Goods(gold=neighbours.bit_count()))
    return price_of(rules, site, cost, built, reduction) == reduced


@pytest.mark.rule("BLD-12", "BLD-13", "BLD-17", "BLD-18")
@lemma(UPGRADE)
def test_an_upgrade_costs_no_gold(
    rules: Rules, site: int, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """The price of an upgrade has no gold, and the printed materials less what the card takes."""
    reduced = less(cost, reduction + Goods(gold=cost.gold))
    return price_of(rules, site, cost, built, reduction) == reduced


@pytest.mark.rule("BLD-5", "BLD-11", "BLD-12", "BLD-13", "BLD-17")
@on_every_site
def test_a_price_lies_between_nothing_and_the_printed_cost(
    rules: Rules, site: int, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """Discount and reduction leave of each good no less than nothing, no more than is printed."""
    price = price_of(rules, site, cost, built, reduction)
    return price.covers(NOTHING) and cost.covers(price)


@pytest.mark.rule("BLD-6", "BLD-12", "BLD-13", "BLD-14")
@on_every_site
def test_more_discount_never_makes_a_price_higher(
    rules: Rules,
    site: int,
    cost: Goods,
    lower: Goods,
    built: SiteSet,
    more: SiteSet,
    reduction: Goods,
    extra: Goods,
) -> object:
    """More houses, a larger reduction or a lower cost never make a price higher in any good."""
    suppose(cost.covers(lower))
    grown: Any = SimpleNamespace(mask=built.mask | more.mask)
    better = price_of(rules, site, lower, grown, reduction + extra)
    return price_of(rules, site, cost, built, reduction).covers(better)


# The score track


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
@lemma()
def test_space_and_tokens_add_up_to_the_score(rules: Rules, score: int) -> object:
    """A score above 0 stands on one of the spaces 1 to 25, and full rounds make up the rest."""
    suppose(score > 0)
    space, tokens = rules.track_position(score)
    return 1 <= space <= 25 and tokens >= 0 and tokens % 25 == 0 and space + tokens == score


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
@lemma()
def test_every_space_with_any_tokens_shows_one_score(
    rules: Rules, space: int, rounds: int, score: int
) -> object:
    """Each of the spaces 1 to 25 with tokens for any number of rounds shows exactly one score."""
    suppose(1 <= space <= 25)
    shown = (space, 25 * rounds)
    is_shown = rules.track_position(score) == shown
    return is_shown is bool(score == space + 25 * rounds)


@pytest.mark.rule("SCO-2", "SET-19")
@lemma()
def test_only_a_score_of_nothing_stands_before_the_first_space(rules: Rules, score: int) -> object:
    """The figure stands before space 1 exactly at a score of 0, and then without tokens."""
    space, tokens = rules.track_position(score)
    return bool(space == 0) is bool(score == 0) and (space > 0 or tokens == 0)


@pytest.mark.rule("SCO-2")
@lemma()
def test_no_score_is_below_nothing(rules: Rules, number: int) -> object:
    """Every number below 0 is refused as a score."""
    with pytest.raises(ValueError, match="0 or more"):
        rules.track_position(-1 - number)
    return True


# The method


MISTAKEN: Final = (
    *("is_payment", "replaced_of", "can_pay"),
    *("_reduced", "building_price", "upgrade_price", "track_position"),
)
"""The functions that lemmas are about."""


@pytest.mark.parametrize(
    "mistake",
    [
        each
        for each in read_mistakes()
        if each.engine and not each.equivalent
        if all(change.function.rpartition(".")[2] in MISTAKEN for change in each.engine)
    ],
    ids=lambda mistake: str(mistake.name),
)
def test_a_deliberate_mistake_refutes_a_lemma(mistake: Mistake) -> None:
    """No mistake in a function that lemmas are about leaves all lemmas of its clause true."""
    wrong = rules_with(mistake)

    def refuted(proof: Callable[[Rules], None]) -> bool:
        try:
            proof(wrong)
        except AssertionError as error:
            return "refuted by" in str(error)
        return False

    about = [
        proof
        for name, proof in LEMMAS.items()
        if mistake.clause in globals()[name].pytestmark[0].args
    ]
    assert any(map(refuted, about))


FEW_GOODS: Final = st.builds(Goods, *[st.integers(min_value=0, max_value=6)] * 4)


@settings(max_examples=8)
@given(FEW_GOODS, FEW_GOODS)
def test_unknown_numbers_compute_as_known_ones(price: Goods, payment: Goods) -> None:
    """Trying out every replacement, without unknowns, agrees with the arithmetic test and a proof.

    Of unknowns that can only be some numbers a lemma says what it says of those.
    """
    replacements = itertools.product(*(range(items + 1) for items in price))
    legal = any(is_legal(payment, price, Goods(*replaced)) for replaced in replacements)
    assert building.is_payment(payment, price) == legal

    def known(rules: Rules, one: Goods, other: Goods, off: int) -> object:
        suppose(one == payment and other == price and off == 9)
        return (
            bool(rules.is_payment(one, other)) is legal
            and bool(rules.can_pay(one, other)) is building.can_pay(payment, price)
            and larger(one.gold, other.gold) == max(payment.gold, price.gold)
            and smaller(one.gold, other.gold) == min(payment.gold, price.gold)
            and divmod(one.wood - off, 4) == divmod(payment.wood - 9, 4)
        )

    prove(known, rules_with(None))


@pytest.mark.parametrize(
    ("lemma", "answer", "why"),
    [
        (lambda number: suppose(number < 0), None, "no numbers"),
        (lambda number: number < 7, None, "refuted by"),
        (lambda number: number < 7, z3.unknown, "undecided"),
    ],
    ids=("excludes everything", "false", "undecided"),
)
def test_what_is_not_proved_fails(
    lemma: Callable[[int], object], answer: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lemma that speaks of nothing, is false, or is too hard for the solver is not proved."""
    lemma.__annotations__["number"] = int
    if answer is not None:
        monkeypatch.setattr(z3.Solver, "check", lambda *_: answer)
    with pytest.raises(AssertionError, match=why):
        prove(lemma)
