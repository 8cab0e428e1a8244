"""Tables, positions and players to walk through the rules with, by a seed.

Every edition with every variant, any other answers to the rulings, generated card sets; positions
from the middle of a game, and its end; and somebody who plays what has been played seldom.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import attrs
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import Phase as HypothesisPhase

from tests.positions import EDITIONS
from tests.strategies import card_sets
from valletta_rules import (
    Action,
    BarrelLayout,
    CardBag,
    CardSet,
    Character,
    Colour,
    Decline,
    Effects,
    GameState,
    Goods,
    Opening,
    Pay,
    Phase,
    PlayCard,
    Player,
    RuleSet,
    SiteSet,
    new_game,
    resolve_chance,
    sample_chance,
)
from valletta_rules.agenda import ChancePrompt, EndTurn, PaymentPrompt, PlayPrompt
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS
from valletta_rules.components.goods import GOODS
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.setup import GENERAL_SUPPLY
from valletta_rules.rulebook.valette import barrel_spaces

# Tables


def tables() -> Iterator[tuple[RuleSet, int]]:
    """Run through every edition with every variant and number of players."""
    for edition in EDITIONS:
        for players in (2, 3, 4):
            for start_player in (False, True):
                for fewer_barrels in (False, True) if players == 2 else (False,):
                    rules = edition.with_variants(
                        start_player_variant=start_player, fewer_barrels=fewer_barrels
                    )
                    yield rules, players


def any_rules(rng: random.Random, players: int) -> RuleSet:
    """Return any answers to the questions on which the editions differ."""
    return RuleSet(
        "Of the house",
        effects=rng.choice(tuple(Effects)),
        opening=rng.choice(tuple(Opening)),
        barrel_layout=rng.choice(tuple(BarrelLayout)),
        apprentice_colour=rng.choice((Colour.RED, Colour.PURPLE)),
        start_player_variant=rng.random() < 0.3,
        fewer_barrels=players == 2 and rng.random() < 0.3,
    )


def some_card_sets(number: int, count: int) -> tuple[CardSet, ...]:
    """Return some generated card sets, the same for the same number."""
    found: list[CardSet] = []

    @seed(number)
    @settings(
        max_examples=count,
        derandomize=False,
        database=None,
        deadline=None,
        phases=(HypothesisPhase.generate,),
        suppress_health_check=tuple(HealthCheck),
    )
    @given(card_sets(dearest=3))
    def collect(cards: CardSet) -> None:
        found.append(cards)

    collect()
    return tuple(found)


# Positions from the middle of a game


def a_position(
    rng: random.Random, rules: RuleSet, players: int, cards: CardSet, character: Character
) -> GameState:
    """Return a position in which a player with a certain character in hand is to play a card.

    It could be one of a game: everybody's cards are the starting characters, those of his
    buildings, and a few that were hired.  Amounts near the thresholds of the rules are common,
    and so are nearly finished streets, scores and rows of houses.
    """
    table = resolve_chance(new_game(players, rules=rules, cards=cards), rng)
    valette = rng.choice((0, 0, 5, 11, 22, 23, 24, 24, 25, rng.randrange(26)))
    if rules.fewer_barrels and valette:
        valette -= 1 - valette % 2
    active = rng.randrange(players)
    plays = rng.choice((3, 3, 2, 2, 1))
    played = tuple(_some_played(rng) for _ in range(3 - plays))
    phase = Phase.FINAL if rng.random() < 0.4 else Phase.MAIN
    free = list(range(len(table.display)))
    rng.shuffle(free)
    people = []
    for seat in range(players):
        count = rng.choice((0, 1, 2, 3, 5, 7, 8))
        sites, free = free[: min(count, len(free))], free[count:]
        extra = (character,) if seat == active else ()
        people.append(_a_person(rng, table, sites, phase, extra))
    hired = CardBag.of(*(rng.choice(CHARACTERS) for _ in range(rng.choice((0, 0, 2)))))
    return table.replace(
        players=tuple(people),
        supply=rng.choice((CardBag(), GENERAL_SUPPLY, hired, GENERAL_SUPPLY + hired)),
        barrels=_barrels_left(rng, rules, players, cards, valette),
        valette=valette,
        active=active,
        played=played,
        phase=phase,
        agenda=(PlayPrompt(active, plays), EndTurn(active)),
    )


def an_ending(rng: random.Random, rules: RuleSet, players: int, cards: CardSet) -> GameState:
    """Return a position in which the last card of the game is to be played, often with a tie.

    The card is an Apprentice with nothing to copy, so that the score sheet remains as it is.
    """
    state = a_position(rng, rules, players, cards, Character.APPRENTICE)
    seat, target = state.active, rng.randrange(60, 90)
    people = []
    for player, line in zip(state.players, score_sheet(state), strict=True):
        discards = player.draw_pile + player.discard_pile + player.hand
        score = target - line.buildings - line.goods + rng.choice((0, 0, 0, -1))
        people.append(
            player.replace(
                hand=CardBag(), draw_pile=CardBag(), discard_pile=discards, score=max(0, score)
            )
        )
    people[seat] = people[seat].replace(hand=CardBag.of(Character.APPRENTICE))
    return state.replace(
        players=tuple(people),
        phase=Phase.FINAL,
        played=(),
        agenda=(PlayPrompt(seat, 3), EndTurn(seat)),
    )


def _some_played(rng: random.Random) -> Character:
    """Return a card that may have been played this turn, often one that can be copied."""
    return rng.choice((*CHARACTERS[:12], *[Character.APPRENTICE] * 6, rng.choice(CHARACTERS)))


def _a_person(
    rng: random.Random,
    table: GameState,
    sites: Sequence[int],
    phase: Phase,
    extra: tuple[Character, ...],
) -> Player:
    characters = [table.display[site].character for site in sites]
    deck = [*STARTING_CHARACTERS, *characters]
    deck += [Character.APPRENTICE, Character.BUILDER] * rng.choice((0, 0, 1))
    rng.shuffle(deck)
    hand = rng.choice((0, 1, 4, 4, 4, 6))
    drawn = rng.choice((0, 0, 1, len(deck)))
    rest = deck[hand + drawn :]
    upgraded = [site for site in sites if rng.random() < 0.4]
    counts = rng.choice(((0, 0, 1, 1, 2, 3, 3, 4, 5), (0, 0, 1, 2, 1)))
    return Player(
        hand=CardBag.of(*deck[:hand], *extra),
        draw_pile=CardBag.of(*deck[hand : hand + drawn]),
        discard_pile=CardBag.of(*rest),
        goods=Goods(*(rng.choice(counts) for _ in GOODS)),
        built=SiteSet.of(*sites),
        upgraded=SiteSet.of(*upgraded),
        score=rng.choice((0, 0, 7, 22, 23, 24, 25, 26, 49)),
    )


def _barrels_left(
    rng: random.Random, rules: RuleSet, players: int, cards: CardSet, valette: int
) -> Goods:
    tokens = [good.value for good in GOODS for _ in range(cards.barrels[good])]
    rng.shuffle(tokens)
    revealed = sum(space <= valette for space in barrel_spaces(rules, players))
    return Goods(**Counter(tokens[revealed:]))


# Players


@attrs.define
class Wanderer:
    """Somebody who plays at random but likes what has been seen seldom."""

    rng: random.Random
    seen: Counter[tuple[str, ...]] = attrs.field(factory=Counter)
    """How often each kind of answer has been given, edition by edition."""

    def choose(self, state: GameState, actions: Sequence[Action]) -> Action:
        """Choose one of the legal actions of a position, chance's too."""
        if isinstance(state.prompt, ChancePrompt):
            return sample_chance(state, self.rng)
        if isinstance(state.prompt, PaymentPrompt) and self.rng.random() < 0.7:
            cheap = min(self._total(action) for action in actions)
            actions = [action for action in actions if self._total(action) == cheap]
        if len(actions) > 1 and self.rng.random() < 0.7:
            actions = [action for action in actions if action != Decline()] or actions
        weights = [1 / (1 + self.seen[self._kind(state, action)]) for action in actions]
        action = self.rng.choices(actions, weights)[0]
        self.seen[self._kind(state, action)] += 1
        return action

    def _total(self, action: Action) -> int:
        return action.goods.total if isinstance(action, Pay) else 0

    def _kind(self, state: GameState, action: Action) -> tuple[str, ...]:
        if isinstance(action, PlayCard):
            return (str(state.rules), action.character, str(action.use_effect))
        return (str(state.rules), type(state.prompt).__name__, repr(action))
