"""Lemmas about the arithmetic of the rules, proved for all numbers and not only for those tried.

A lemma is a function that must return true for every choice of its parameters: whole numbers from
0 up without any limit, goods counted in such numbers, sets of sites.  `prove` runs it on unknowns
of the solver Z3.  Where the code asks whether a formula is true, both ways are gone that some
numbers can go, and so every path through the code is seen.  The lemma is proved when no numbers
go a path on which it fails.

What runs is the code of the rulebook itself.  Only `max` and `min` are replaced in it by formulas,
lest they double the paths, and caches are taken off.  Deliberate mistakes (``spec/mistakes``) in
that code must refute a lemma.

One step is made in words: why the definition of a right payment is that of the ruling.
"""

from __future__ import annotations

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
from valletta_rules import Goods, SiteSet
from valletta_rules.components import GOODS, MAX_SITES, NOTHING, are_adjacent, goods
from valletta_rules.rulebook import building, scoring

Rules: TypeAlias = Any
"""Functions of the rulebook by their names; one of them may contain a mistake."""

MOST_STEPS = 20_000_000
"""The limit of Z3's resource counter for a query; all lemmas together take less."""


# Proving


class Excluded(Exception):  # noqa: N818  # says nothing against the lemma
    """The lemma does not apply to the numbers of this path."""


class Path:
    """One path through a lemma: the outcome of each branch that depends on unknowns."""

    def __init__(self, given: tuple[bool, ...]) -> None:
        """Follow the given branches, and then choose among the satisfiable ones."""
        self._given, self._gone = given, list[bool]()
        self._solver = z3.SimpleSolver()
        self._solver.set(rlimit=MOST_STEPS, random_seed=0)
        self._solver.set("arith.solver", 2)  # simplex: ten times as fast here as the default
        self.left: list[tuple[bool, ...]] = []
        """The paths that branch off from this one and are not yet explored."""

    def numbers(self, *conditions: Any) -> Any:
        """Return numbers that follow this path and satisfy some conditions, or nothing."""
        answer = self._solver.check(*conditions)
        assert answer != z3.unknown, f"undecided: {self._solver.reason_unknown()}"
        return self._solver.model() if answer == z3.sat else None

    def decide(self, condition: Any) -> bool:
        """Return whether a condition holds on this path."""
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
        """Return an unknown: a number, goods or a set of sites."""
        if kind is int:
            number = z3.Int(name)
            self._solver.add(number >= 0)
            return number
        if kind is Goods:
            return Goods(*(self.unknown(int, f"{name}.{good}") for good in GOODS))  # type: ignore[arg-type]
        assert kind is SiteSet
        bits = tuple(z3.Bool(f"{name}.{site}") for site in range(MAX_SITES))
        return SimpleNamespace(mask=Mask(bits))


class Mask:
    """The mask of an unknown set of sites: a truth value for each site."""

    def __init__(self, bits: Iterable[Any]) -> None:
        """Wrap the bits of the solver."""
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
    """Prove that a lemma is true for all values of its parameters, the first of them known.

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
        patch.object(goods, "whole", lambda value, what: value),  # an unknown number is one, too
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
    """Return the larger of two numbers without branching."""
    return z3.If(one >= other, one, other) if z3.is_expr(one >= other) else max(one, other)


def smaller(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers without branching."""
    return z3.If(one <= other, one, other) if z3.is_expr(one <= other) else min(one, other)


def rules_with(mistake: Mistake | None) -> Rules:
    """Return the functions of the rulebook ready to be proved, perhaps with a mistake in one."""
    found: dict[str, Any] = {}
    changed = {
        path.stem: text for path, text in mistaken(mistake.engine if mistake else ()).items()
    }
    for module in (building, scoring):
        source = changed.get(module.__name__.rpartition(".")[2], inspect.getsource(module))
        names: dict[str, Any] = {"__name__": module.__name__}
        exec(compile(source, str(module.__file__), "exec"), names)
        bare = {name: inspect.unwrap(each) for name, each in names.items() if callable(each)}
        names |= {**bare, "max": larger, "min": smaller}
        found |= bare
    return SimpleNamespace(**found)


LEMMAS: Final[dict[str, Callable[[Rules], None]]] = {}
"""The proof of each lemma, given the rules."""


def lemma(*known: object) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Turn a lemma into a test: it is proved for the rules, for each of the known values."""

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
    """Restrict a lemma to the numbers that satisfy a condition, and return true for those."""
    if not condition:
        raise Excluded
    return True


# Legal payments


def is_legal(payment: Goods, price: Goods, replaced: Goods) -> bool:
    """Return whether a payment is right when these items of the price are replaced: the definition.

    It is that of the ruling *substitution*.  The other items are paid; what is paid besides is
    three goods for each item replaced, and no more of a kind than the items of other kinds need.
    By Hall's theorem these goods can then be assigned to the items so that none replaces an item of
    its own kind.
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
    """Choose the items that a payment replaces: the missing ones, then more, kind by kind.

    Of a kind, at most so many are replaced that the goods of the kind can all replace others.
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
    """Choose a payment: matching goods first, then other goods in the usual order."""
    paid_in_kind = [smaller(owned, items) for owned, items in zip(goods, price, strict=True)]
    wanted = 3 * (price.total - sum(paid_in_kind))
    chosen = []
    for owned, paid in zip(goods, paid_in_kind, strict=True):
        more = smaller(wanted, owned - paid)
        wanted -= more
        chosen.append(paid + more)
    return Goods(*chosen)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_every_legal_payment_is_accepted(
    rules: Rules, payment: Goods, price: Goods, replaced: Goods
) -> object:
    """The arithmetic test accepts the payment for any replaced items of the price."""
    suppose(is_legal(payment, price, replaced))
    return rules.is_payment(payment, price)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_every_accepted_payment_is_legal(rules: Rules, payment: Goods, price: Goods) -> object:
    """A payment that the arithmetic test accepts replaces some items of the price."""
    suppose(rules.is_payment(payment, price))
    return is_legal(payment, price, some_replacement(payment, price))


# Affordable prices


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


# Prices


def board_of(cost: Goods, built: SiteSet) -> Any:
    """Return a table with a cost at every site and some buildings of the first player."""
    everywhere = SiteSet.of(*range(MAX_SITES))
    players = [SimpleNamespace(built=each, upgraded=everywhere) for each in (built, everywhere)]
    return SimpleNamespace(display=[SimpleNamespace(cost=cost)] * MAX_SITES, players=players)


def less(cost: Goods, reduction: Goods) -> Goods:
    """Return goods minus others; no count falls below 0."""
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
    return bool(rules.building_price(board_of(cost, built), 0, site, reduction) == reduced)


@pytest.mark.rule("BLD-12", "BLD-13", "BLD-17", "BLD-18")
@lemma()
def test_an_upgrade_costs_no_gold(
    rules: Rules, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """The price of an upgrade has no gold, and the printed materials less what the card takes."""
    reduced = less(cost, reduction + Goods(gold=cost.gold))
    return bool(rules.upgrade_price(board_of(cost, built), 0, reduction) == reduced)


# The score track


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4", "SET-19")
@lemma()
def test_space_and_tokens_add_up_to_the_score(rules: Rules, score: int) -> object:
    """A score above 0 stands on one of the spaces 1 to 25, and full rounds make up the rest.

    Before space 1 stands a score of 0 alone.
    """
    space, tokens = rules.track_position(score)
    is_on_track = 1 <= space <= 25 if score > 0 else space == 0
    return is_on_track and tokens >= 0 and tokens % 25 == 0 and space + tokens == score


# The method


MISTAKEN: Final = (
    *("is_payment", "replaced_of", "can_pay"),
    *("_reduced", "building_price", "upgrade_price", "track_position"),
)
"""The functions with lemmas."""


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
    """Every mistake in such a function refutes a lemma of its clause."""
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
    """Enumerating every replacement, without unknowns, agrees with the arithmetic test and a proof.

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
def test_a_lemma_that_is_not_proved_fails(
    lemma: Callable[[int], object], answer: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lemma that never applies, is false, or is too hard for the solver is not proved."""
    lemma.__annotations__["number"] = int
    if answer is not None:
        monkeypatch.setattr(z3.Solver, "check", lambda *_: answer)
    with pytest.raises(AssertionError, match=why):
        prove(lemma)
