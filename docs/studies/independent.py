"""A bot that searches its own turn and values where it ends, written apart from the library's own.

It tries all orders of its cards with all choices, keeping the best few positions after each card.
Payments are the cheapest, a barrel shows what is likeliest, and opponents give a Monk what they
have most of.  A position is worth the final points that can be expected of the bot, less those of
the best other.  How others' cards split into hand and pile is hidden; the value never looks at it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import valletta_rules as valletta
from valletta_rules import (
    CHARACTERS,
    GOODS,
    Action,
    BarrelPrompt,
    CardBag,
    Character,
    Colour,
    Decline,
    GameState,
    GiveGood,
    Goods,
    MonkPrompt,
    Pay,
    PaymentPrompt,
    Phase,
    PlayerView,
    PlayPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
    neighbours_of,
)


@lru_cache(1 << 12)
def _ranks(cards: CardBag) -> tuple[tuple[int, int], ...]:
    """Return the ranks of the cards in a bag, and how many there are of each."""
    return tuple((card.rank, count) for card, count in cards.items())


def _by_rank(rest: float, **named: float) -> list[float]:
    """Return a number for every character, by rank; those not named have the same."""
    return [named.get(character.value, rest) for character in CHARACTERS]


# How many goods a play of a card brings or saves, where that does not depend on buildings.
GIFTS: Final = _by_rank(
    0.0, shopkeeper=1, lumberjack=1, stone_sculptor=1, brick_worker=1, maid=1.2, apprentice=1,
    valette=1, monk=2.3, trader=2, seamstress=2.3, merchant=2, innkeeper=1.9, nun=2.4,
    tax_collector=1.9, bricklayer=1.5, stonemason=1.5, carpenter=1.5,
)  # fmt: skip
ANY: Final = 4  # the player's choice, or a bit of everything; else of which kind they are
KINDS: Final = [*map(int, _by_rank(
    ANY, shopkeeper=0, banker=0, chamberlain=0, innkeeper=0, lumberjack=1, woodworker=1,
    carpenter=1, stone_sculptor=2, carver=2, stonemason=2, brick_worker=3, mason=3, bricklayer=3,
))]  # fmt: skip
# How often a play builds, and the points it brings; a sale's points less what the goods are worth.
BUILDS: Final = _by_rank(0.0, builder=1, bricklayer=1, stonemason=1, carpenter=1, apprentice=0.25)
PAYS: Final = _by_rank(0.0, knight=2, architect=2, grand_bailiff=2, grand_master=2.5)
ARTISAN, CHAMBERLAIN = Character.ARTISAN.rank, Character.CHAMBERLAIN.rank
PHILIP, CHARLES, PIUS = Character.PHILIP.rank, Character.CHARLES.rank, Character.PIUS.rank
APPRENTICE: Final = Character.APPRENTICE.rank
COLLECTORS: Final = {Character.BANKER.rank + kind: kind for kind in range(4)}  # one for an icon
ARCHITECT, BAILIFF, GRAND_MASTER = range(Character.ARCHITECT.rank, Character.PHILIP.rank)
SALES: Final = {ARCHITECT: 4.0, BAILIFF: 4.0, GRAND_MASTER: 5.0}  # points for four goods
SALE, UPGRADE, HOUSE = range(3)
NEEDS: Final = (0.29, 0.237, 0.237, 0.237)  # which part of what is spent is of each kind
NEXT_TO: Final = [neighbours_of(site).mask for site in range(30)]
OPTIONAL: Final = (SitePrompt, TraderPrompt, ValettePrompt)  # where it may be wise to decline


# What goods can be spent on: the gain beyond the price, the kind, the price, how often, the worth.
Offer = tuple[float, int, int, float, float]


@dataclass(frozen=True, slots=True)
class Taste:
    """The numbers of the value that were found by thought and a few short series."""

    good: float = 0.35  # what a good is worth when something is held against its price
    build: float = 2.0  # what a card is worth for each time that it builds
    house_turns: float = 1.4  # in how many turns a player builds a house
    point_turns: float = 0.6  # in how many turns a player scores a point
    hoard: float = 0.1  # which part of a house to come a good in store is
    late: float = 0.45  # how much of the time left is left when something is built later
    bonus: float = 0.5  # what Valette is expected to add to a building
    ready: float = 0.8  # how much of the gain of the best building in reach counts already
    missing: float = 0.75  # what is left of that for each good that is missing
    swap: float = 0.65  # how many goods are lost for each of a kind that is short
    growth: float = 0.02  # how many icons of each good are gained in a turn


class Shown(NamedTuple):
    """What a player's buildings show, an upgraded one twice, and how many are of a kind."""

    icons: list[int]
    points: int
    greens: int
    blues: int
    upgraded: int


class Plays(NamedTuple):
    """How many goods and how many points a play of each character brings, by rank."""

    gifts: list[float]
    pays: list[float]


class Step(NamedTuple):
    """An answer in a plan, and what led to it."""

    state: GameState
    action: Action
    before: Step | None


class IndependentPlanner:
    """Plans its whole turn, and follows the plan while the game goes as foreseen."""

    def __init__(self, rng: random.Random, beam: int = 12) -> None:
        """Take a generator, and how many positions to keep after a card."""
        self.rng, self.beam, self.taste = rng, beam, Taste()
        self.fading = [self.taste.missing**lacks for lacks in range(20)]
        self.seat, self.plan = 0, list[Step]()
        self.known: dict[object, float] = {}

    def decide(self, view: PlayerView) -> Action:
        """Return one of the legal actions of a view whose viewer is asked."""
        assert view.seat is not None, "a spectator is asked nothing"
        if self.plan and valletta.view(self.plan[-1].state, view.seat) == view:
            return self.plan.pop().action
        self.seat, self.plan, self.known = view.seat, [], {}
        root = valletta.determinize(view, self.rng)
        if len(choices := self._candidates(root)) == 1:
            return choices[0]
        best: Step | None = self._best_turn(root)
        while best is not None:
            self.plan.append(best)
            best = best.before
        return self.plan.pop().action

    def _best_turn(self, root: GameState) -> Step:
        """Return the last answer of the best turn that is found."""
        frontier: list[tuple[GameState, Step | None]] = [(root, None)]
        ends: list[tuple[float, Step]] = []
        while frontier:
            found: dict[object, tuple[float, GameState, Step]] = {}
            for start, before in frontier:
                for state, step in self._after_a_card(start, before):
                    if (key := _key(state)) not in found:
                        found[key] = self._utility(state), state, step
            frontier = []
            for value, state, step in sorted(found.values(), key=lambda each: -each[0]):
                if not self._goes_on(state):
                    ends.append((value, step))
                elif len(frontier) < self.beam:
                    frontier.append((state, step))
        return max(ends, key=lambda end: end[0])[1]

    def _goes_on(self, state: GameState) -> bool:
        """Tell whether the bot, having played a card this turn, is to play another."""
        asked = isinstance(state.prompt, PlayPrompt) and state.active == self.seat
        return asked and bool(state.played)

    def _after_a_card(self, at: GameState, path: Step | None) -> Iterator[tuple[GameState, Step]]:
        """Run through what can become of a position until the next card, or the turn's end."""
        stack = [(at, path)]
        while stack:
            state, before = stack.pop()
            for action in self._candidates(state):
                then = self._settle(valletta.apply(state, action))
                asked, step = then.prompt, Step(state, action, before)
                if isinstance(asked, PlayPrompt) or then.active != self.seat:
                    yield then, step
                elif asked is not None and asked.seat == self.seat:
                    stack.append((then, step))
                else:
                    yield then, step

    def _candidates(self, state: GameState) -> list[Action]:
        """Return the answers worth a try: the cheapest payment, and no refusal of gifts."""
        prompt = state.prompt
        if isinstance(prompt, PaymentPrompt):
            return [Pay(valletta.cheapest_payment(prompt.price, state.players[prompt.seat].goods))]
        actions = list(valletta.legal_actions(state))
        if len(actions) > 1 and not isinstance(prompt, OPTIONAL):
            return [action for action in actions if not isinstance(action, Decline)]
        return actions

    def _settle(self, state: GameState) -> GameState:
        """Let barrels show what is likeliest, and others give a Monk what they have most of."""
        while state.active == self.seat and isinstance(state.prompt, BarrelPrompt | MonkPrompt):
            if isinstance(state.prompt, BarrelPrompt):
                action, _ = max(valletta.chance_outcomes(state), key=lambda each: each[1])
            else:
                goods = state.players[state.prompt.seat].goods
                action = GiveGood(max(GOODS, key=goods.__getitem__))
            state = valletta.apply(state, action)
        return state

    def _utility(self, state: GameState) -> float:
        """Return how many points ahead of the best other the bot can expect to end."""
        turns, others = self._turns_left(state), [float("-inf")]
        taken = sum(player.built.mask for player in state.players)
        for seat in state.opponents_of(self.seat):
            key = seat, state.players[seat].goods, turns, taken  # all that the bot's turn changes
            if key not in self.known:
                self.known[key] = self._points(state, seat, turns, taken)
            others.append(self.known[key])
        return self._points(state, self.seat, turns, taken) - max(others)

    def _turns_left(self, state: GameState) -> float:
        """Return how many turns a player may have before the final phase begins."""
        left, taste = 25.0 - state.valette, self.taste
        for player in state.players:
            houses, points = 8 - len(player.built), 25 - player.score
            if houses <= 0 or points <= 0 or state.valette == 25 or state.phase is Phase.FINAL:
                return 0.0
            unpaid = houses - taste.hoard * player.goods.total
            left = min(left, taste.house_turns * unpaid, taste.point_turns * points)
        return max(0.5, left)

    def _plays(self, state: GameState, seat: int, turns: float) -> Iterator[tuple[int, float]]:
        """Run through the ranks of a player's cards, and how often each will still be played.

        Every card is played once in the final phase, and before it whenever its pile comes round.
        """
        player = state.players[seat]
        hidden, used = player.hand + player.draw_pile, player.discard_pile
        if state.phase is Phase.FINAL:
            yield from _ranks(hidden)
            return
        if state.active == seat:
            used += CardBag.of(*state.played)
        waiting, cycle = len(player.draw_pile) / 3, len(used) / 3
        places = [(hidden, 1 + waiting / 2), (used, 1 + waiting + cycle / 2)]
        if seat == self.seat:
            places[:1] = [(player.hand, 1.0), (player.draw_pile, 1 + waiting / 2)]
        for cards, first in places:
            rounds = (turns - first) * 3 / (len(hidden) + len(used)) + 0.5 if turns else 0.0
            often = 1 + max(0.0, rounds)
            for rank, count in _ranks(cards):
                yield rank, count * often

    def _points(self, state: GameState, seat: int, turns: float, taken: int) -> float:
        """Return the final points that a player can expect."""
        shown, soon = _shown(state, seat), self.taste.growth * turns
        plays = _worth_of_plays(shown, soon)
        total = float(state.players[seat].score) + shown.points

        # What all plays to come bring.
        supply, harvests = [*map(float, state.players[seat].goods), 0.0], [soon] * 4
        chances, offers, most = 0.0, list[Offer](), max(shown.icons)
        for rank, often in self._plays(state, seat, turns):
            kind = KINDS[rank] if rank != ARTISAN else shown.icons.index(most)
            supply[kind] += often * plays.gifts[rank]
            chances += often * BUILDS[rank]
            if rank in SALES:
                gain = SALES[rank] - 4 * self.taste.good
                offers.append((gain, SALE, 4, often, SALES[rank]))
            else:
                total += often * plays.pays[rank]
            if rank in COLLECTORS or rank == ARTISAN:
                harvests[kind] += often

        # What it can be spent on.
        buildings, ready = self._buildings(state, seat, turns, taken, plays, harvests)
        total += self.taste.ready * ready * min(1.0, chances)
        houses = 8.0 - len(state.players[seat].built)
        return self._spent(total, supply, chances, houses, offers + buildings)

    def _buildings(
        self,
        state: GameState,
        seat: int,
        turns: float,
        taken: int,
        plays: Plays,
        harvests: list[float],
    ) -> tuple[list[Offer], float]:
        """Return the buildings that bring more than their price, and the gain of the nearest."""
        player, taste, good = state.players[seat], self.taste, self.taste.good
        own, upgraded, houses = player.built.mask, player.upgraded.mask, 8 - len(player.built)
        to_come, (gifts, pays) = 1 + 3 * taste.late * turns / (16 - houses), plays
        offers, ready = list[Offer](), 0.0
        for site, building in enumerate(state.display):
            cost = building.cost
            worth = building.points + taste.bonus + good * harvests[building.icon.rank]
            if not taken >> site & 1 and houses:
                near, rank = (NEXT_TO[site] & own).bit_count(), building.character.rank
                kind, gold = HOUSE, cost.gold - near if cost.gold > near else 0
                worth += to_come * (good * gifts[rank] + pays[rank] + taste.build * BUILDS[rank])
            elif own & ~upgraded & 1 << site:
                kind, gold = UPGRADE, 0
            else:
                continue
            price = gold + cost.wood + cost.stone + cost.brick
            if (gain := worth - good * price) > 0:
                offers.append((gain, kind, price, 1.0, worth))
            if gain > ready:
                lacking = Goods(gold, cost.wood, cost.stone, cost.brick).less(player.goods)
                ready = max(ready, gain * self.fading[lacking.total])
        return offers, ready

    def _spent(
        self, total: float, supply: list[float], chances: float, houses: float, offers: list[Offer]
    ) -> float:
        """Return a number of points with those for all goods to come.

        Of goods of the wrong kinds many are lost.  With the rest the best offers are taken
        first, as far as goods, chances to build and houses go; three goods left are a point.
        """
        income = sum(supply)
        short = sum(max(0.0, n * income - have) for n, have in zip(NEEDS, supply, strict=False))
        income -= self.taste.swap * max(0.0, short - supply[ANY])
        for _, kind, price, share, worth in sorted(offers, reverse=True):
            if share * price > income:
                share = income / price
            if kind != SALE:
                share = min(share, chances, houses if kind == HOUSE else 1.0)
                chances -= share
                houses -= share if kind == HOUSE else 0.0
            total += share * worth
            income -= share * price
            if income <= 0:
                break
        return total + income / 3


def _shown(state: GameState, seat: int) -> Shown:
    """Return what a player's buildings show."""
    player = state.players[seat]
    icons, points, greens, blues = [0, 0, 0, 0], 0, 0, 0
    for site in player.built:
        building, side = state.display[site], 1 + (site in player.upgraded)
        icons[building.icon.rank] += side
        points += building.points * side
        greens += building.colour is Colour.GREEN
        blues += building.colour is Colour.BLUE
    return Shown(icons, points, greens, blues, len(player.upgraded))


def _worth_of_plays(shown: Shown, soon: float) -> Plays:
    """Return what a play of each card brings; more for houses yet to come."""
    gifts, pays, most = GIFTS.copy(), PAYS.copy(), max(shown.icons)
    for rank, kind in COLLECTORS.items():
        gifts[rank] = shown.icons[kind] + soon
    gifts[ARTISAN], gifts[CHAMBERLAIN] = most + soon, shown.greens + soon
    gifts[APPRENTICE] = max(1.0, 0.6 * most)
    for rank, count in (PHILIP, shown.greens), (CHARLES, shown.blues), (PIUS, shown.upgraded):
        pays[rank] = count + 2 * soon
    return Plays(gifts, pays)


def _key(state: GameState) -> object:
    """Return what two positions after as many cards have in common if they are worth the same."""
    own = state.players[state.active]
    last = state.played[-1] if state.played and Character.APPRENTICE in own.hand else None
    goods = tuple(player.goods for player in state.players)
    return own.hand, own.built, own.upgraded, own.score, goods, state.supply, state.valette, last
