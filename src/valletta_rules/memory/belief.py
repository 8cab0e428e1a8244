"""Beliefs: the exact posterior over a player's hand, given an observer's information.

The posterior depends only on the cards that can have been drawn. A played card shows that it was in
the hand, but not why the player chose it. The probability of a hand is therefore proportional to
the number of draw sequences that lead to it and agree with all observed events.

Cards with a single copy in the deck are interchangeable as long as no event distinguishes them.
Only their number in the hand matters, because all selections of this many cards are equally likely.
These cards form two groups:

* *New* cards were certainly in the draw pile when a discard pile was last added to it, or when the
  game began.

* *Old* cards were already hidden when a discard pile was added to a draw pile that was not empty.
  This happens once, at the beginning of the final phase. Some old cards were in the hand at this
  moment and have been *kept* since then. The others were in the pile.

For all other cards, a component of the posterior states the number of copies in the hand.
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
"""The maximum limit of one draw. An integer below a larger limit is composed of several draws."""


@attrs.frozen
class Component(Value):
    """A component of the posterior distribution over hands, with its weight."""

    held: CardBag
    """The cards in the hand that are neither old nor new."""
    kept: int
    """The number of old cards that have been in the hand since the final phase began."""
    weight: int
    """An integer that is proportional to the probability of this component."""


Weighted = tuple[CardBag, int, int | Fraction]
"""The fields of a component whose weight is not normalised yet: `held`, `kept` and `weight`."""


@attrs.frozen(cache_hash=True)
class Belief(Value):
    """The probability distribution over the possible hands of a player."""

    hidden: CardBag
    """The cards in the hand and in the draw pile together."""
    hand_size: int
    """The number of cards in the hand."""
    old: CardBag
    """The old cards among the hidden cards. Each has a single copy."""
    new: CardBag
    """The new cards among the hidden cards. Each has a single copy."""
    components: tuple[Component, ...]
    """The components of the distribution, in a fixed order. Their weights have no common factor."""

    # Queries

    @property
    def pile_size(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.hidden) - self.hand_size

    def chance_of(self, hand: CardBag) -> Fraction:
        """Return the probability that the hand consists of exactly these cards."""
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
        """Return, for each kind of hidden card, the probability that at least one is in the hand.

        Rules: INF-6
        """
        return {kind: self._chance_to_hold(kind) for kind in self.hidden.kinds()}

    def hands(self) -> Iterator[tuple[CardBag, Fraction]]:
        """Iterate over all possible hands, each with its probability.

        The probabilities add up to 1. There can be several thousand hands.
        """
        singles = tuple(self.old + self.new)
        for held in dict.fromkeys(component.held for component in self.components):
            for others in combinations(singles, self.hand_size - len(held)):
                hand = held + CardBag.of(*others)
                if chance := self.chance_of(hand):
                    yield hand, chance

    def sample(self, number: Callable[[int], int]) -> CardBag:
        """Return a random hand from the distribution.

        `number` draws an integer below a limit. It is called to choose a component if there are
        several, and once for each card in the hand that the component does not determine.
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
        """Return a random card that the player may have drawn last.

        `self` is the belief before the draw, and `hand` is the hand after it. `number` draws an
        integer below a limit.
        """
        kinds = hand.kinds()
        before = [hand.minus(kind) for kind in kinds]
        chances = [
            self.chance_of(earlier) * (self.hidden - earlier).count(kind)
            for kind, earlier in zip(kinds, before, strict=True)
        ]
        return kinds[pick(_whole(chances), number)]

    def _drawn(self, component: Component) -> int:
        """Return the number of old and new cards in the hand, except kept cards."""
        return self.hand_size - len(component.held) - component.kept

    def _free(self, component: Component) -> int:
        """Return the number of old and new cards in the hand or the pile, except kept cards."""
        return len(self.old) - component.kept + len(self.new)

    def _chance_to_hold(self, kind: Character) -> Fraction:
        if kind in self.old or kind in self.new:
            return self._share(
                component.weight
                * (self._chance_kept(component, kind) + self._chance_fetched(component, kind))
                for component in self.components
            )
        return self._share(each.weight for each in self.components if kind in each.held)

    def _chance_kept(self, component: Component, kind: Character) -> Fraction:
        """Return the probability that an old or new card is a kept card."""
        return Fraction(component.kept, len(self.old)) if kind in self.old else Fraction(0)

    def _chance_fetched(self, component: Component, kind: Character) -> Fraction:
        """Return the probability that an old or new card is in the hand but is not a kept card."""
        chance_not_kept = 1 - self._chance_kept(component, kind)
        free = self._free(component)
        return chance_not_kept * Fraction(self._drawn(component), free) if free else Fraction(0)

    def _share(self, weights: Iterable[int | Fraction]) -> Fraction:
        """Return the sum of the given weights, divided by the total weight of all components."""
        return Fraction(sum(weights)) / sum(component.weight for component in self.components)

    # Updates

    def after_a_drawing(self) -> Belief:
        """Return the belief after the player has drawn a card that the observer cannot see."""
        weighted: list[Weighted] = []
        for component in self.components:
            held, kept, weight = component.held, component.kept, component.weight
            others = self.hidden - self.old - self.new - held
            weighted += [(held.plus(kind), kept, weight * count) for kind, count in others.items()]
            weighted.append((held, kept, weight * (self._free(component) - self._drawn(component))))
        return self._become(weighted, hand_size=self.hand_size + 1)

    def after_gaining(self, kind: Character) -> Belief:
        """Return the belief after a card was added to the hand. All players know this card."""
        apart = self._telling_apart(kind)
        return apart._become(
            [(each.held.plus(kind), each.kept, each.weight) for each in apart.components],
            hidden=self.hidden.plus(kind),
            hand_size=self.hand_size + 1,
        )

    def after_losing(self, kind: Character) -> Belief:
        """Return the belief after a card was removed from the hand. All players know this card.

        The result has no components if the card cannot have been in the hand.
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
        """Return the belief after the discard pile was added to the draw pile.

        If the draw pile was empty, the observer now knows the hand with certainty.
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
        """Return an equivalent belief whose components count the given kind of card in `held`."""
        if kind not in self.old and kind not in self.new:
            return self
        weighted: list[Weighted] = []
        for component in self.components:
            held, kept, weight = component.held, component.kept, component.weight
            chance_kept = self._chance_kept(component, kind)
            chance_fetched = self._chance_fetched(component, kind)
            weighted.append((held.plus(kind), kept - 1, weight * chance_kept))
            weighted.append((held.plus(kind), kept, weight * chance_fetched))
            weighted.append((held, kept, weight * (1 - chance_kept - chance_fetched)))
        return self._become(weighted, old=_without(self.old, kind), new=_without(self.new, kind))

    def _become(self, weighted: Iterable[Weighted], **changes: Any) -> Belief:
        """Return the belief with changed fields and new components. Equal components are merged."""
        merged: dict[tuple[CardBag, int], int | Fraction] = {}
        for held, kept, weight in weighted:
            if weight:
                merged[held, kept] = merged.get((held, kept), 0) + weight
        cases = sorted(merged, key=lambda case: (case[0].counts(), case[1]))
        weights = _whole([merged[case] for case in cases])
        components = (Component(*case, weight) for case, weight in zip(cases, weights, strict=True))
        return attrs.evolve(self, components=tuple(components), **changes)


def belief_in(deck: CardBag, hidden: CardBag, known: CardBag, hand_size: int) -> Belief:
    """Return the belief of an observer who knows some cards in a hand.

    `deck` contains all cards of the player, `hidden` the cards in the hand or the draw pile, and
    `known` the cards that the observer knows to be in the hand. The other cards in the hand are
    treated as if they had just been drawn.
    """
    singles = (kind for kind in (hidden - known).kinds() if deck.count(kind) == 1)
    belief = Belief(hidden, len(known), EMPTY, CardBag.of(*singles), (Component(known, 0, 1),))
    while belief.hand_size < hand_size:
        belief = belief.after_a_drawing()
    return belief


def pick(weights: Sequence[int], number: Callable[[int], int]) -> int:
    """Return a random index.

    The probability of each index is proportional to its weight. `number` draws an integer below a
    limit. It is not called if there is only one weight. It is called more than once only if the sum
    of the weights exceeds `CHUNK`.
    """
    if len(weights) == 1:
        return 0
    reached = list(accumulate(weights))
    return bisect_right(reached, _below(reached[-1], number))


def _below(limit: int, number: Callable[[int], int]) -> int:
    """Return a uniform random integer below a limit of any size."""
    if limit <= CHUNK:
        return number(limit)
    while True:
        ticket, reached = 0, 1
        while reached < limit:
            ticket, reached = ticket * CHUNK + number(CHUNK), reached * CHUNK
        if ticket < reached - reached % limit:
            return ticket % limit


def _whole(weights: Sequence[int | Fraction]) -> list[int]:
    """Return the smallest integers that are proportional to the given fractions."""
    every = lcm(*(weight.denominator for weight in weights))
    numbers = [weight.numerator * (every // weight.denominator) for weight in weights]
    common = gcd(*numbers)
    return [each // common for each in numbers]


def _shared(cards: CardBag, group: CardBag) -> CardBag:
    """Return the cards of a group that are also in a bag. A group has no repeated cards."""
    return CardBag.of(*(kind for kind in group if kind in cards))


def _without(cards: CardBag, kind: Character) -> CardBag:
    """Return the bag without one card of a kind, or unchanged if it contains none."""
    return cards.minus(kind) if kind in cards else cards
