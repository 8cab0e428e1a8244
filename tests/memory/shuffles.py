"""What can be known of a hand, found by counting and without any cleverness.

`Counted` goes through every order in which small piles can lie, and keeps those that allow what
was seen.  `Followed` keeps every hand with its weight, which is possible for any deck.  Neither
knows anything of the package but what cards and events are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from math import gcd
from typing import TypeVar

import attrs

from spec.checks.random_games import Playthrough
from tests.positions import position, seat
from valletta_rules import (
    CardBag,
    Character,
    HiddenCardDrawn,
    PlayerView,
    RedactedEvent,
    redact,
    view,
)
from valletta_rules.events import (
    Built,
    CardPlayed,
    Dismissed,
    FinalPhaseBegan,
    Hired,
    PlayedCardsDiscarded,
    Reshuffled,
)
from valletta_rules.memory import Memory
from valletta_rules.rulebook.setup import STARTING_DECK

T = TypeVar("T", bound=Hashable)
S = TypeVar("S")

Cards = tuple[Character, ...]
"""Cards in an order."""

OWNER = 1
"""The seat whose hand it is."""

# Small decks


@attrs.frozen
class Course:
    """One way in which everything can have gone."""

    hand: Cards
    """The cards in the hand, sorted."""
    pile: Cards
    """The draw pile, the next card first."""
    drawn: Cards = ()
    """Every card that was drawn, in order."""


class Counted:
    """How many shuffles of small piles lead to each course of events."""

    def __init__(self, deck: Cards) -> None:
        """Shuffle a deck."""
        self.discards: Cards = ()
        self.played: Cards = ()
        self.courses = Counter(Course((), pile) for pile in permutations(deck))

    def hear(self, event: RedactedEvent) -> None:
        """Keep the courses that allow an event, as they are after it."""
        found: Counter[Course] = Counter()
        for course, count in self.courses.items():
            for after in self._after(course, event):
                found[after] += count
        self.courses = found
        match event:
            case CardPlayed(_, kind):
                self.played += (kind,)
            case PlayedCardsDiscarded():
                self.discards, self.played = self.discards + self.played, ()
            case Reshuffled() | FinalPhaseBegan():
                self.discards = ()

    def _after(self, course: Course, event: RedactedEvent) -> Iterator[Course]:
        hand, pile, drawn = course.hand, course.pile, course.drawn
        match event:
            case HiddenCardDrawn():
                yield Course(tuple(sorted((*hand, pile[0]))), pile[1:], (*drawn, pile[0]))
            case CardPlayed(_, kind) | Dismissed(_, kind):
                if kind in hand:
                    place = hand.index(kind)
                    yield Course((*hand[:place], *hand[place + 1 :]), pile, drawn)
            case Hired(_, kind) | Built(_, _, kind):
                yield Course(tuple(sorted((*hand, kind))), pile, drawn)
            case Reshuffled() | FinalPhaseBegan():
                for order in permutations(pile + self.discards):
                    yield Course(hand, order, drawn)
            case _:
                yield course

    def hands(self) -> dict[CardBag, Fraction]:
        """Return the probability of each possible hand."""
        return shares(self.courses, lambda course: CardBag.of(*course.hand))

    def draws(self) -> dict[Cards, Fraction]:
        """Return the probability of each sequence of cards that can have been drawn."""
        return shares(self.courses, lambda course: course.drawn)


def shares(counts: Mapping[S, int], of: Callable[[S], T]) -> dict[T, Fraction]:
    """Return what share of all that was counted each property has."""
    total, found = sum(counts.values()), Counter[T]()
    for each, count in counts.items():
        found[of(each)] += count
    return {each: Fraction(count, total) for each, count in found.items()}


@attrs.frozen
class Scene:
    """A player with a small deck, and what others see him do."""

    deck: Cards
    """The cards with which he starts, all in the draw pile."""
    events: tuple[RedactedEvent, ...]
    """What is seen, in order."""

    @property
    def start(self) -> PlayerView:
        """The view of another with which it begins."""
        table = position(seat(), seat(draw_pile=self.deck), supply=[*KINDS, *KINDS, *KINDS])
        return view(table, 0)


KINDS = (Character.MAID, Character.BUILDER, Character.NUN, Character.MONK, Character.BANKER)
"""The kinds of cards."""


def scene(seed: int, most: int = 6) -> Scene:
    """Return what happens when a player of a small deck does this and that.

    Takes how many cards there may be in the whole deck.
    """
    rng = random.Random(seed)
    deck = rng.choices(KINDS, k=rng.randint(4, most - 1))
    hand: list[Character] = []
    pile, discards, told = rng.sample(deck, len(deck)), list[Character](), list[RedactedEvent]()
    cards, is_final = len(deck), False
    for _ in range(rng.randint(2, 5)):
        while len(hand) < 3 and (pile or (discards and not is_final)):
            if not pile:
                pile, discards = rng.sample(discards, len(discards)), []
                told.append(Reshuffled(OWNER))
            hand.append(pile.pop())
            told.append(HiddenCardDrawn(OWNER))
        if not is_final and rng.random() < 0.25:
            pile, discards, is_final = rng.sample(pile + discards, len(pile + discards)), [], True
            told.append(FinalPhaseBegan())
        played = []
        for _ in range(min(len(hand), rng.randint(0, 2))):
            played.append(hand.pop(rng.randrange(len(hand))))
            told.append(CardPlayed(OWNER, played[-1]))
        if hand and rng.random() < 0.2:
            told.append(Dismissed(OWNER, hand.pop(rng.randrange(len(hand)))))
            cards -= 1
        if cards < most and rng.random() < 0.4:
            hand.append(rng.choice(KINDS))
            hiring, building = Hired(OWNER, hand[-1]), Built(OWNER, 0, hand[-1])
            told.append(hiring if rng.random() < 0.5 else building)
            cards += 1
        discards += played
        told.append(PlayedCardsDiscarded(OWNER))
    return Scene(tuple(deck), tuple(told))


# Decks of any size


class Followed:
    """Every hand that a player of any deck can have, with its weight."""

    def __init__(self, deck: CardBag) -> None:
        """Begin with a full draw pile."""
        self.hidden, self.discards, self.played = deck, CardBag(), CardBag()
        self.weights: Mapping[CardBag, int] = {CardBag(): 1}

    def hear(self, event: RedactedEvent) -> None:
        """Follow an event of the owner, or one of all players."""
        found: Counter[CardBag] = Counter()
        for hand, weight in self.weights.items():
            for after, ways in self._after(hand, event):
                found[after] += weight * ways
        common = gcd(*found.values())
        self.weights = {hand: weight // common for hand, weight in found.items()}
        match event:
            case Hired(_, kind) | Built(_, _, kind):
                self.hidden = self.hidden.plus(kind)
            case Dismissed(_, kind):
                self.hidden = self.hidden.minus(kind)
            case CardPlayed(_, kind):
                self.hidden, self.played = self.hidden.minus(kind), self.played.plus(kind)
            case PlayedCardsDiscarded():
                self.discards, self.played = self.discards + self.played, CardBag()
            case Reshuffled() | FinalPhaseBegan():
                self.hidden, self.discards = self.hidden + self.discards, CardBag()

    def _after(self, hand: CardBag, event: RedactedEvent) -> Iterator[tuple[CardBag, int]]:
        match event:
            case HiddenCardDrawn():
                yield from ((hand.plus(kind), n) for kind, n in (self.hidden - hand).items())
            case CardPlayed(_, kind) | Dismissed(_, kind):
                if kind in hand:
                    yield hand.minus(kind), 1
            case Hired(_, kind) | Built(_, _, kind):
                yield hand.plus(kind), 1
            case _:
                yield hand, 1

    def hands(self) -> dict[CardBag, Fraction]:
        """Return the probability of each possible hand."""
        return shares(self.weights, lambda hand: hand)


def watch(game: Playthrough) -> int:
    """Let a spectator with a memory watch a game, and another beside him who keeps every hand.

    After each move they must agree about each player, in fractions: about all hands if they are
    few, else about the true one.  Returns how many chances were compared.
    """
    spectator, compared = Memory(None), 0
    spectator.begin(view(game.start, None))
    others = [Followed(STARTING_DECK) for _ in game.start.players]
    for move in game.moves:
        moved = set[int]()
        for event in (redact(each, None) for each in move.events):
            spectator.see(event)
            for owner in whose(event, len(others)):
                others[owner].hear(event)
                moved.add(owner)
        for owner in moved:
            hands, belief = others[owner].hands(), spectator.belief(owner)
            hand = move.after.players[owner].hand
            if len(hands) < 40:
                assert dict(belief.hands()) == hands
                compared += len(hands)
            assert belief.chance_of(hand) == hands[hand] > 0
            compared += 1
    return compared


def whose(event: RedactedEvent, players: int) -> Iterable[int]:
    """Return the seats of whose cards an event tells."""
    if isinstance(event, FinalPhaseBegan):
        return range(players)
    return (event.seat,) if isinstance(event, OF_CARDS) else ()


OF_CARDS = (
    HiddenCardDrawn,
    CardPlayed,
    Dismissed,
    Hired,
    Built,
    Reshuffled,
    PlayedCardsDiscarded,
)
"""The events that tell of cards of one player."""
