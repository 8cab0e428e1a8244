"""Beliefs: the exact posterior over a player's hand, given an observer's information.

A belief weighs the ways in which cards can have been drawn, and nothing else: that a card was
played shows that it was in the hand, not why it was chosen.  So the probability of a hand is
proportional to the number of ways of drawing that lead to it and agree with all events seen.

Cards with one copy in the deck are interchangeable while nothing tells them apart: it is
enough to know how many of them are in the hand, since all choices of that many are equally
likely.  They form two groups.  The *new* ones were certainly in the draw pile when a discard pile
last joined it, or when the game began.  The *old* ones were hidden already when a discard pile
joined a draw pile that was not empty, which happens once, at the beginning of the final phase; so
some of them were in the hand then and still are, *kept*, and the others were in the pile.  For
all other cards a component says how many are in the hand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations
from math import comb, gcd, lcm
from typing import Any, Final

import attrs

from valletta_rules.components import EMPTY, CardBag, Character, Value

CHUNK: Final = 2**32
"""The largest limit for which every generator can draw a number."""


@attrs.frozen
class Component(Value):
    """One case of the posterior, with its weight."""

    held: CardBag
    """The cards in the hand that are neither old nor new."""
    kept: int
    """How many of the old cards have been in the hand since the final phase began."""
    weight: int
    """An integer proportional to the probability of the case."""


Weighted = tuple[CardBag, int, int | Fraction]
"""An updated component: the cards held, the number kept, a weight."""


@attrs.frozen(cache_hash=True)
class Belief(Value):
    """The probability distribution over the hands of a player."""

    hidden: CardBag
    """The cards in the hand and in the draw pile, together."""
    hand_size: int
    """The number of cards in the hand."""
    old: CardBag
    """The old cards among them, each a single copy."""
    new: CardBag
    """The new cards among them, each a single copy."""
    components: tuple[Component, ...]
    """The cases, sorted; their weights have no common factor."""

    # Queries

    @property
    def pile_size(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.hidden) - self.hand_size

    def chance_of(self, hand: CardBag) -> Fraction:
        """Return the probability that these cards, and no others, are the hand."""
        if len(hand) != self.hand_size or not hand <= self.hidden:
            return Fraction(0)
        old, new = _shared(hand, self.old), _shared(hand, self.new)
        held = hand - old - new
        return self._share(
            component.weight
            * Fraction(
                comb(len(old), component.kept),
                comb(len(self.old), component.kept)
                * comb(self._free(component), self._drawn(component)),
            )
            for component in self.components
            if component.held == held
        )

    def chances(self) -> dict[Character, Fraction]:
        """Return the probability, for each kind of hidden card, that at least one is in the hand.

        Rules: INF-6
        """
        return {kind: self._chance_to_hold(kind) for kind in self.hidden.kinds()}

    def hands(self) -> Iterator[tuple[CardBag, Fraction]]:
        """Iterate over every possible hand with its probability; these add up to 1.

        There may be some thousands of them.
        """
        singles = tuple(self.old + self.new)
        for held in dict.fromkeys(component.held for component in self.components):
            for others in combinations(singles, self.hand_size - len(held)):
                hand = held + CardBag.of(*others)
                if chance := self.chance_of(hand):
                    yield hand, chance

    def sample(self, number: Callable[[int], int]) -> CardBag:
        """Return a hand, sampled with its probability.

        Takes a function that draws an integer below a limit.  It is called once for the case, if
        there are several, and once for each card that the case leaves open.
        """
        weights = [component.weight for component in self.components]
        component = self.components[pick(weights, number)]
        rest = list(self.old)
        hand = list(component.held)
        hand += [rest.pop(number(len(rest))) for _ in range(component.kept)]
        rest += self.new
        hand += [rest.pop(number(len(rest))) for _ in range(self._drawn(component))]
        return CardBag.of(*hand)

    def sample_last_drawn(self, hand: CardBag, number: Callable[[int], int]) -> Character:
        """Sample which card of a hand was drawn last, where this is the belief before that draw.

        Takes the hand after the draw, and a function that draws an integer below a limit.
        """
        kinds = hand.kinds()
        before = [hand.minus(kind) for kind in kinds]
        chances = [
            self.chance_of(earlier) * (self.hidden - earlier).count(kind)
            for kind, earlier in zip(kinds, before, strict=True)
        ]
        return kinds[pick(_whole(chances), number)]

    def _drawn(self, component: Component) -> int:
        """Return the number of cards of the groups in the hand, besides the old ones kept."""
        return self.hand_size - len(component.held) - component.kept

    def _free(self, component: Component) -> int:
        """Return the number of cards of the groups that were not kept."""
        return len(self.old) - component.kept + len(self.new)

    def _chance_to_hold(self, kind: Character) -> Fraction:
        if kind in self.old or kind in self.new:
            return self._share(
                component.weight * (self._kept(component, kind) + self._fetched(component, kind))
                for component in self.components
            )
        return self._share(each.weight for each in self.components if kind in each.held)

    def _kept(self, component: Component, kind: Character) -> Fraction:
        """Return the probability that a single card is an old one that was kept."""
        return Fraction(component.kept, len(self.old)) if kind in self.old else Fraction(0)

    def _fetched(self, component: Component, kind: Character) -> Fraction:
        """Return the probability that a single card was drawn and is in the hand."""
        not_kept = 1 - self._kept(component, kind)
        free = self._free(component)
        return not_kept * Fraction(self._drawn(component), free) if free else Fraction(0)

    def _share(self, weights: Iterable[int | Fraction]) -> Fraction:
        """Return the fraction of the total that some weights make up."""
        return Fraction(sum(weights)) / sum(component.weight for component in self.components)

    # Updates

    def after_a_drawing(self) -> Belief:
        """Return the belief after an unseen card has been drawn."""
        found: list[Weighted] = []
        for component in self.components:
            held, kept, weight = component.held, component.kept, component.weight
            others = self.hidden - self.old - self.new - held
            found += [(held.plus(kind), kept, weight * count) for kind, count in others.items()]
            found.append((held, kept, weight * (self._free(component) - self._drawn(component))))
        return self._become(found, hand_size=self.hand_size + 1)

    def after_gaining(self, kind: Character) -> Belief:
        """Return the belief after a card has come into the hand, known to all."""
        apart = self._telling_apart(kind)
        return apart._become(
            [(each.held.plus(kind), each.kept, each.weight) for each in apart.components],
            hidden=self.hidden.plus(kind),
            hand_size=self.hand_size + 1,
        )

    def after_losing(self, kind: Character) -> Belief:
        """Return the belief after a card that all know has left the hand.

        It has no components if the card cannot have been there.
        """
        apart = self._telling_apart(kind)
        return apart._become(
            [
                (each.held.minus(kind), each.kept, each.weight)
                for each in apart.components
                if kind in each.held
            ],
            hidden=_without(self.hidden, kind),
            hand_size=self.hand_size - 1,
        )

    def after_joining(self, discard_pile: CardBag) -> Belief:
        """Return the belief after the discard pile has joined the draw pile.

        If the draw pile was empty, the hand is known with certainty at this moment.
        """
        hidden = self.hidden + discard_pile
        new = CardBag.of(*(kind for kind in discard_pile.kinds() if hidden.count(kind) == 1))
        if not self.pile_size:
            return Belief(hidden, self.hand_size, EMPTY, new, (Component(self.hidden, 0, 1),))
        drawn: list[Weighted] = [
            (each.held, self._drawn(each), each.weight) for each in self.components
        ]
        return self._become(drawn, hidden=hidden, old=self.new, new=new)

    def _telling_apart(self, kind: Character) -> Belief:
        """Return an equivalent belief whose components count a kind of card by itself."""
        if kind not in self.old and kind not in self.new:
            return self
        found: list[Weighted] = []
        for component in self.components:
            held, kept, weight = component.held, component.kept, component.weight
            as_kept, as_fetched = self._kept(component, kind), self._fetched(component, kind)
            found.append((held.plus(kind), kept - 1, weight * as_kept))
            found.append((held.plus(kind), kept, weight * as_fetched))
            found.append((held, kept, weight * (1 - as_kept - as_fetched)))
        return self._become(found, old=_without(self.old, kind), new=_without(self.new, kind))

    def _become(self, found: Iterable[Weighted], **changes: Any) -> Belief:
        """Return the belief with these components, equal ones merged, and other fields changed."""
        merged: dict[tuple[CardBag, int], int | Fraction] = {}
        for held, kept, weight in found:
            if weight:
                merged[held, kept] = merged.get((held, kept), 0) + weight
        cases = sorted(merged, key=lambda case: (case[0].counts(), case[1]))
        weights = _whole([merged[case] for case in cases])
        components = (Component(*case, weight) for case, weight in zip(cases, weights, strict=True))
        return attrs.evolve(self, components=tuple(components), **changes)


def belief_in(deck: CardBag, hidden: CardBag, known: CardBag, hand_size: int) -> Belief:
    """Return the belief about a hand, given the cards that are known to be in it.

    Takes all the cards of a player, those of them in the hand or in the draw pile, those known to
    be in the hand, and the size of the hand.  The rest of the hand counts as just drawn.
    """
    singles = (kind for kind in (hidden - known).kinds() if deck.count(kind) == 1)
    belief = Belief(hidden, len(known), EMPTY, CardBag.of(*singles), (Component(known, 0, 1),))
    while belief.hand_size < hand_size:
        belief = belief.after_a_drawing()
    return belief


def pick(weights: Sequence[int], number: Callable[[int], int]) -> int:
    """Return the index of a weight, sampled in proportion to the weights.

    Draws no number for a single weight, one for several, and more if one cannot cover their sum.
    """
    if len(weights) == 1:
        return 0
    reached = list(accumulate(weights))
    return bisect_right(reached, _below(reached[-1], number))


def _below(limit: int, number: Callable[[int], int]) -> int:
    """Return a uniform random number below a limit of any size."""
    if limit <= CHUNK:
        return number(limit)
    while True:
        ticket, reached = 0, 1
        while reached < limit:
            ticket, reached = ticket * CHUNK + number(CHUNK), reached * CHUNK
        if ticket < reached - reached % limit:
            return ticket % limit


def _whole(weights: Sequence[int | Fraction]) -> list[int]:
    """Return the smallest integers in the same proportions as some fractions."""
    every = lcm(*(weight.denominator for weight in weights))
    numbers = [weight.numerator * (every // weight.denominator) for weight in weights]
    common = gcd(*numbers)
    return [each // common for each in numbers]


def _shared(cards: CardBag, group: CardBag) -> CardBag:
    """Return the cards that are also in a group of single copies."""
    return CardBag.of(*(kind for kind in group if kind in cards))


def _without(cards: CardBag, kind: Character) -> CardBag:
    """Return the cards with one of a kind removed, if there is one."""
    return cards.minus(kind) if kind in cards else cards
