"""Lemmas about the arithmetic of the rules, which are proved for all numbers.

A lemma is a function that must return true for all values of its parameters: unlimited natural
numbers, goods with such numbers as counts, and sets of sites.  `prove` calls the function with
unknowns of the solver Z3.  Where the code branches on a formula, `prove` follows both branches if
both are satisfiable, and therefore explores every path of the code.  The lemma is proved if it
returns true on every path.

The called code is the code of the rulebook itself.  Only its `max` and `min` are replaced by
formulas, because they would double the number of paths, and caches are removed.  Each mutant of
this code (``spec/mutants``) must refute a lemma.

One step of the proof is only an argument in words: the equivalence between the formal definition of
a legal payment and the ruling.
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

from spec.checks.mutants.table import Mutant, mutated_sources, read_mutants
from valletta_rules import Goods, SiteSet
from valletta_rules.components import GOODS, MAX_SITES, NOTHING, are_adjacent, goods
from valletta_rules.rulebook import building, scoring

Rules: TypeAlias = Any
"""A namespace of the rulebook's functions. One of them can be mutated."""

MOST_STEPS = 20_000_000
"""The limit on Z3's resource counter per query. All lemmas together stay below it."""


# Proving


class Excluded(Exception):  # noqa: N818  # says nothing against the lemma
    """Raised by `suppose` if a lemma does not apply to the values on this path."""


class Path:
    """One path through a lemma, with a direction for each branch that depends on unknowns."""

    def __init__(self, given: tuple[bool, ...]) -> None:
        """Take the given branches in order. After the last one, take any satisfiable branch."""
        self._given, self._gone = given, list[bool]()
        self._solver = z3.SimpleSolver()
        self._solver.set(rlimit=MOST_STEPS, random_seed=0)
        self._solver.set(
            "arith.solver", 2
        )  # simplex, which is ten times as fast as the default here
        self.left: list[tuple[bool, ...]] = []
        """The unexplored paths that branch off from this path. Each is a tuple of directions."""

    def numbers(self, *conditions: Any) -> Any:
        """Return values that satisfy the conditions of this path and `conditions`, if any exist."""
        answer = self._solver.check(*conditions)
        assert answer != z3.unknown, f"undecided: {self._solver.reason_unknown()}"
        return self._solver.model() if answer == z3.sat else None

    def decide(self, condition: Any) -> bool:
        """Choose whether a condition is true on this path, and return the choice."""
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
        """Create an unknown of the given kind: a natural number, goods, or a set of sites."""
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
    """The bit mask of an unknown set of sites, with a truth value for each site."""

    def __init__(self, bits: Iterable[Any]) -> None:
        """Create a mask from truth values of the solver, one for each site."""
        self.bits = tuple(bits)

    def __rand__(self, mask: int) -> Mask:
        return Mask(bit for site, bit in enumerate(self.bits) if mask >> site & 1)

    __and__ = __rand__

    def __or__(self, other: Mask) -> Mask:
        return Mask(z3.Or(*both) for both in zip(self.bits, other.bits, strict=True))

    def bit_count(self) -> Any:
        """Return the number of sites in the set, as `int.bit_count` would."""
        return z3.Sum([z3.If(bit, 1, 0) for bit in self.bits])


PATH: ContextVar[Path] = ContextVar("path")


def prove(lemma: Callable[..., object], *known: object) -> None:
    """Prove that a lemma is true for all values of its parameters.

    The arguments in `known` are fixed values for the leading parameters.  All other parameters are
    unknowns of the solver.  A lemma that excludes all values proves nothing, so it fails.
    """
    kinds = inspect.get_annotations(lemma, eval_str=True)
    unknown = list(inspect.signature(lemma).parameters)[len(known) :]
    reached, ahead = False, list[tuple[bool, ...]]([()])
    with (
        patch.object(z3.BoolRef, "__bool__", lambda self: PATH.get().decide(self), create=True),
        patch.object(z3.ArithRef, "__bool__", lambda self: bool(self != 0), create=True),
        patch.object(z3.ArithRef, "__floordiv__", lambda self, by: self / by, create=True),
        patch.object(z3.ArithRef, "__divmod__", lambda s, by: (s / by, s % by), create=True),
        patch.object(goods, "whole", lambda value, name: value),  # accepts unknown numbers, too
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
    assert reached, "the lemma applies to no numbers: it excludes all of them"


# The functions to be proved


def larger(one: Any, other: Any) -> Any:
    """Return the larger of two numbers as a formula, without branching."""
    return z3.If(one >= other, one, other) if z3.is_expr(one >= other) else max(one, other)


def smaller(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers as a formula, without branching."""
    return z3.If(one <= other, one, other) if z3.is_expr(one <= other) else min(one, other)


def rules_with(mutant: Mutant | None) -> Rules:
    """Return the rulebook's functions, prepared for proofs, mutated if a mutant is given."""
    functions: dict[str, Any] = {}
    changed = {
        path.stem: text for path, text in mutated_sources(mutant.engine if mutant else ()).items()
    }
    for module in (building, scoring):
        source = changed.get(module.__name__.rpartition(".")[2], inspect.getsource(module))
        names: dict[str, Any] = {"__name__": module.__name__}
        exec(compile(source, str(module.__file__), "exec"), names)
        bare = {name: inspect.unwrap(each) for name, each in names.items() if callable(each)}
        names |= {**bare, "max": larger, "min": smaller}
        functions |= bare
    return SimpleNamespace(**functions)


LEMMAS: Final[dict[str, Callable[[Rules], None]]] = {}
"""The function that proves each lemma, keyed by the name of the test."""


def lemma(*known: object) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Return a decorator that turns a lemma into a test.

    The test proves the lemma for each item of `known`: a value of the first parameter after
    `rules`, or a tuple of values for several parameters.
    """

    def test_of(function: Callable[..., object]) -> Callable[[], None]:
        """Return a test that proves the lemma, and add the proof to `LEMMAS`."""

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

    return test_of


def suppose(condition: object) -> bool:
    """Return true, or raise `Excluded` if the condition is false.

    A lemma calls this function to exclude values to which it does not apply.
    """
    if not condition:
        raise Excluded
    return True


# Legal payments


def is_legal(payment: Goods, price: Goods, replaced: Goods) -> bool:
    """Return whether a payment is legal if it replaces the items `replaced` of the price.

    This is the definition in the ruling *substitution*.  All other items are paid in kind.  The
    rest of the payment must contain three goods for each replaced item, and no more goods of a kind
    than the replaced items of other kinds need.  By Hall's theorem, these goods can then be
    assigned to the items so that no good replaces an item of its own kind.
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
    """Choose the items of the price that a payment replaces: first missing items, then others.

    Surplus goods of a kind can replace only items of other kinds, which limits the number of
    replaced items of that kind.
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
    """Choose a payment: first goods that the price asks for, then substitutes in the usual
    order.
    """
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
def test_the_engine_accepts_every_legal_payment(
    rules: Rules, payment: Goods, price: Goods, replaced: Goods
) -> object:
    """A payment is accepted if it is legal for any choice of the items that it replaces."""
    suppose(is_legal(payment, price, replaced))
    return rules.is_payment(payment, price)


@pytest.mark.rule("BLD-19", "BLD-20", "BLD-21", "BLD-22", "BLD-23", "BLD-24")
@lemma()
def test_every_payment_that_the_engine_accepts_is_legal(
    rules: Rules, payment: Goods, price: Goods
) -> object:
    """`some_replacement` finds items of the price that the payment may have replaced."""
    suppose(rules.is_payment(payment, price))
    return is_legal(payment, price, some_replacement(payment, price))


# Affordable prices


@pytest.mark.rule("BLD-20", "BLD-26")
@lemma()
def test_if_can_pay_is_true_the_goods_contain_a_legal_payment(
    rules: Rules, goods: Goods, price: Goods
) -> object:
    """For example, the payment that `some_payment` chooses is legal."""
    suppose(rules.can_pay(goods, price))
    payment = some_payment(goods, price)
    return payment.covers(NOTHING) and goods.covers(payment) and rules.is_payment(payment, price)


@pytest.mark.rule("BLD-20", "BLD-26")
@lemma()
def test_if_the_goods_contain_a_legal_payment_can_pay_is_true(
    rules: Rules, goods: Goods, price: Goods, payment: Goods
) -> object:
    """Together with its converse, this lemma proves that `can_pay` is correct."""
    suppose(goods.covers(payment) and rules.is_payment(payment, price))
    return rules.can_pay(goods, price)


# Prices


def board_of(cost: Goods, built: SiteSet) -> Any:
    """Return a board with equal costs at all sites, on which the first player owns some sites."""
    everywhere = SiteSet.of(*range(MAX_SITES))
    players = [SimpleNamespace(built=each, upgraded=everywhere) for each in (built, everywhere)]
    return SimpleNamespace(display=[SimpleNamespace(cost=cost)] * MAX_SITES, players=players)


def less(cost: Goods, reduction: Goods) -> Goods:
    """Return `cost` minus `reduction`, with 0 instead of negative counts."""
    return Goods(*(larger(0, one - other) for one, other in zip(cost, reduction, strict=True)))


@pytest.mark.rule("BLD-5", "BLD-6", "BLD-10", "BLD-11", "BLD-12")
@lemma(*range(MAX_SITES))
def test_a_new_building_costs_one_gold_less_for_each_own_neighbour(
    rules: Rules, site: int, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """Own neighbours and a card effect reduce the price of a building, and no count is negative."""
    mask: Any = built.mask
    neighbours = Mask(mask.bits[each] for each in range(MAX_SITES) if are_adjacent(site, each))
    reduced = less(cost, reduction + Goods(gold=neighbours.bit_count()))
    return bool(rules.building_price(board_of(cost, built), 0, site, reduction) == reduced)


@pytest.mark.rule("BLD-12", "BLD-13", "BLD-17", "BLD-18")
@lemma()
def test_the_price_of_an_upgrade_is_its_printed_materials_without_gold(
    rules: Rules, cost: Goods, built: SiteSet, reduction: Goods
) -> object:
    """An upgrade costs the printed materials without gold. A card effect can reduce this price."""
    reduced = less(cost, reduction + Goods(gold=cost.gold))
    return bool(rules.upgrade_price(board_of(cost, built), 0, reduction) == reduced)


# The score track


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4", "SET-19")
@lemma()
def test_space_and_tokens_on_the_score_track_add_up_to_the_score(
    rules: Rules, score: int
) -> object:
    """The marker is on space 1 to 25 if the score is above 0, and the tokens are multiples of 25.

    A score of 0 has no space and no token.
    """
    space, tokens = rules.track_position(score)
    is_on_track = 1 <= space <= 25 if score > 0 else space == 0
    return is_on_track and tokens >= 0 and tokens % 25 == 0 and space + tokens == score


# The method


PROVED_FUNCTIONS: Final = (
    *("is_payment", "replaced_of", "can_pay"),
    *("_reduced", "building_price", "upgrade_price", "track_position"),
)
"""The names of the functions that the lemmas prove correct. Their mutants must be detected."""


@pytest.mark.parametrize(
    "mutant",
    [
        each
        for each in read_mutants()
        if each.engine and not each.equivalent
        if all(change.function.rpartition(".")[2] in PROVED_FUNCTIONS for change in each.engine)
    ],
    ids=lambda mutant: str(mutant.name),
)
def test_every_mutant_of_the_arithmetic_refutes_a_lemma(mutant: Mutant) -> None:
    """Only lemmas that are marked with the clause of the mutant are tried."""
    wrong = rules_with(mutant)

    def refuted(proof: Callable[[Rules], None]) -> bool:
        try:
            proof(wrong)
        except AssertionError as error:
            return "refuted by" in str(error)
        return False

    about = [
        proof
        for name, proof in LEMMAS.items()
        if mutant.clause in globals()[name].pytestmark[0].args
    ]
    assert any(map(refuted, about))


FEW_GOODS: Final = st.builds(Goods, *[st.integers(min_value=0, max_value=6)] * 4)


@settings(max_examples=8)
@given(FEW_GOODS, FEW_GOODS)
def test_a_proof_with_unknowns_agrees_with_an_enumeration_of_all_values(
    price: Goods, payment: Goods
) -> None:
    """This tests the method itself, with small prices and payments.

    The test enumerates all replacements.  It then proves a lemma about unknowns that are restricted
    to the given price and payment.
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
def test_a_lemma_that_is_false_undecided_or_inapplicable_is_not_proved(
    lemma: Callable[[int], object], answer: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lemma is inapplicable if it excludes all values."""
    lemma.__annotations__["number"] = int
    if answer is not None:
        monkeypatch.setattr(z3.Solver, "check", lambda *_: answer)
    with pytest.raises(AssertionError, match=why):
        prove(lemma)
