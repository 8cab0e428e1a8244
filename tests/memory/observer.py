"""A reference implementation of beliefs, which enumerates every possible hand.

The class `Observer` uses cards and events of the package, but not its beliefs.  The random scenes
in this module have one player with a small deck.
"""

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import NamedTuple

import attrs

from tests.distributions import mixture
from tests.positions import PLAIN, position, seat
from valletta_rules import CardBag, Character, HiddenCardDrawn, RedactedEvent, events, view
from valletta_rules.memory import Memory

Cards = tuple[Character, ...]
"""A sequence of cards in a fixed order."""


class Observer:
    """An observer of one player, with a weight for each possible hand and order of draws."""

    def __init__(self, deck: CardBag, *, keeps_draws: bool = False) -> None:
        """Start with all cards of the deck in the draw pile.

        If `keeps_draws` is true, equal hands with different orders of draws have separate weights.
        """
        self.hidden, self.discards, self.played = deck, CardBag(), CardBag()
        self.keeps_draws = keeps_draws
        self.weights: Mapping[tuple[CardBag, Cards], int] = {(CardBag(), ()): 1}

    def observe(self, event: RedactedEvent) -> None:
        """Update the weights after a visible event.

        The event concerns the observed player or all players.
        """
        weights: Counter[tuple[CardBag, Cards]] = Counter()
        for (hand, drawn), weight in self.weights.items():
            match event:
                case HiddenCardDrawn():
                    for kind, count in (self.hidden - hand).items():
                        draws = (*drawn, kind) if self.keeps_draws else ()
                        weights[hand.plus(kind), draws] += weight * count
                case events.CardPlayed(_, kind) | events.Dismissed(_, kind):
                    if kind in hand:
                        weights[hand.minus(kind), drawn] += weight
                case events.Hired(_, kind) | events.Built(_, _, kind):
                    weights[hand.plus(kind), drawn] += weight
                case _:
                    weights[hand, drawn] += weight
        common = gcd(*weights.values())
        self.weights = {course: weight // common for course, weight in weights.items()}
        self._move_cards(event)

    def _move_cards(self, event: RedactedEvent) -> None:
        match event:
            case events.Hired(_, kind) | events.Built(_, _, kind):
                self.hidden = self.hidden.plus(kind)
            case events.Dismissed(_, kind):
                self.hidden = self.hidden.minus(kind)
            case events.CardPlayed(_, kind):
                self.hidden, self.played = self.hidden.minus(kind), self.played.plus(kind)
            case events.PlayedCardsDiscarded():
                self.discards, self.played = self.discards + self.played, CardBag()
            case events.Reshuffled() | events.FinalPhaseBegan():
                self.hidden, self.discards = self.hidden + self.discards, CardBag()

    def hands(self) -> dict[CardBag, Fraction]:
        """Return the probability of each possible hand."""
        total = sum(self.weights.values())
        return mixture((hand, Fraction(n, total)) for (hand, _), n in self.weights.items())

    def draws(self) -> dict[Cards, Fraction]:
        """Return the probability of each possible sequence of draws."""
        total = sum(self.weights.values())
        return mixture((drawn, Fraction(n, total)) for (_, drawn), n in self.weights.items())


# Small decks

OWNER = 1
"""The seat whose hand the observer tries to infer."""

KINDS = (Character.MAID, Character.BUILDER, Character.NUN, Character.MONK, Character.BANKER)
"""The characters whose cards occur in random scenes."""

MOST = 6
"""The maximum number of cards in the deck of a scene."""


class Scene(NamedTuple):
    """A player with a small deck, and the events of a few turns that other players can see."""

    deck: CardBag
    """The cards in the player's draw pile at the start."""
    events: tuple[RedactedEvent, ...]
    """The visible events in chronological order."""

    def memory(self) -> Memory:
        """Return the memory of seat 0, an opponent, before the first event of the scene."""
        buildings = [attrs.evolve(PLAIN, character=kind) for kind in KINDS] * 4
        table = position(
            seat(),
            seat(draw_pile=self.deck),
            display=dict(enumerate(buildings)),
            supply=[*KINDS, *KINDS, *KINDS],
        )
        memory = Memory(0)
        memory.begin(view(table, 0))
        return memory


def scene(seed: int) -> Scene:
    """Return the random scene for a seed."""
    rng = random.Random(seed)
    deck = rng.choices(KINDS, k=rng.randint(4, MOST - 1))
    hand: list[Character] = []
    pile, discards, history = rng.sample(deck, len(deck)), list[Character](), list[RedactedEvent]()
    cards, is_final = len(deck), False
    for _ in range(rng.randint(2, 5)):
        while len(hand) < 3 and (pile or (discards and not is_final)):
            if not pile:
                pile, discards = rng.sample(discards, len(discards)), []
                history.append(events.Reshuffled(OWNER))
            hand.append(pile.pop())
            history.append(HiddenCardDrawn(OWNER))
        if not is_final and rng.random() < 0.25:
            pile, discards, is_final = rng.sample(pile + discards, len(pile + discards)), [], True
            history.append(events.FinalPhaseBegan())
        played = []
        for _ in range(min(len(hand), rng.randint(0, 2))):
            played.append(hand.pop(rng.randrange(len(hand))))
            history.append(events.CardPlayed(OWNER, played[-1]))
        if hand and rng.random() < 0.2:
            history.append(events.Dismissed(OWNER, hand.pop(rng.randrange(len(hand)))))
            cards -= 1
        if cards < MOST and rng.random() < 0.4:
            hand.append(rng.choice(KINDS))
            row = len(KINDS) * sum(isinstance(each, events.Built) for each in history)
            site = row + KINDS.index(hand[-1])
            hiring, building = events.Hired(OWNER, hand[-1]), events.Built(OWNER, site, hand[-1])
            history.append(hiring if rng.random() < 0.5 else building)
            cards += 1
        discards += played
        history.append(events.PlayedCardsDiscarded(OWNER))
    return Scene(CardBag.of(*deck), tuple(history))
