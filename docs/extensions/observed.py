"""What can be seen of the contract in play: violations, events, and after what they occur.

Automatic players play games by fixed seeds, in every edition, with variants, and by every number
of players.  Now and then whoever is to play is imagined with a card of every kind, poor and rich,
early and late; every card is played, and what is asked then is answered in several ways.  Where
somebody is asked, all kinds of answers are tried, most of which are refused.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

import attrs

from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    CardBag,
    Character,
    Code,
    DealBuilding,
    DealPrompt,
    DrawPrompt,
    Event,
    GameState,
    Goods,
    MalformedActionError,
    Pay,
    Phase,
    PlayPrompt,
    SiteSet,
    TakeGoods,
    Violation,
    actions,
    check,
    legal_actions,
    new_game,
)
from valletta_rules.bots.automatic import choose
from valletta_rules.chance import sample_chance
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.engine import answer, run

TABLES: Final = (
    *product((2, 3, 4), (HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL)),
    (2, Z_MAN.with_variants(start_player_variant=True, fewer_barrels=True)),
)
"""The numbers of players and the rule sets with which games are played."""

SPACING: Final = 17
"""In every so many positions all answers are tried."""

BREADTH: Final = 4
"""In how many ways a question is answered at most."""

AMOUNTS: Final = (Goods(), Goods(1), Goods(1, 1), Goods(2, 1), Goods(1, 0, 1, 1), Goods(9, 9, 9, 9))
"""Goods to pay and to take: nothing, little and much."""


READY_MADE: Final[tuple[Mapping[Any, Action], ...]] = (
    *(actions.DRAW, actions.REVEAL, actions.DRAFT, actions.PLAY, actions.PLAY_IN_VAIN),
    *(actions.TAKE, actions.RETURN, actions.GIVE, actions.DISMISS, actions.HIRE),
)
"""The answers that say one thing."""

TRIED: Final[tuple[Action, ...]] = (
    *(action for table in READY_MADE for action in table.values()),
    *actions.BUILD,
    *actions.UPGRADE,
    actions.DECLINE,
    *(DealBuilding(building.code) for building in RECONSTRUCTION.buildings),
    *(make(goods) for goods in AMOUNTS for make in (TakeGoods, Pay)),
)
"""The answers that are tried."""


@attrs.define
class Observed:
    """What has been seen."""

    violations: dict[Code, dict[str, Violation]] = attrs.field(factory=lambda: defaultdict(dict))
    """One violation of each code and each clause."""
    refused: dict[type, set[Code]] = attrs.field(factory=lambda: defaultdict(set))
    """With which codes actions of a type were refused where they answer the prompt."""
    caused: dict[type, set[type]] = attrs.field(factory=lambda: defaultdict(set))
    """Which events the answers to a prompt brought about themselves."""
    automatic: set[type] = attrs.field(factory=set)
    """Which events came of what runs by itself afterwards."""
    clauses: dict[type, set[str]] = attrs.field(factory=lambda: defaultdict(set))
    """Which clauses an event named."""

    def play(self, state: GameState, rng: random.Random) -> None:
        """Let automatic players play a game, and explore what might have been."""
        explored: set[Phase] = set()
        count = 0
        while (prompt := state.prompt) is not None:
            if count % SPACING == 0 or state.phase is Phase.SETUP:
                self._try(state)
            if isinstance(prompt, PlayPrompt) and state.phase not in explored:
                explored.add(state.phase)
                for imagined in _imagined(state, prompt.seat):
                    self._explore(imagined, legal_actions(imagined))
            by_chance = prompt.seat is None
            state = self._answer(
                state, sample_chance(state, rng) if by_chance else choose(state, rng)
            )
            count += 1
        self._try(state)

    def _explore(self, state: GameState, answers: Sequence[Action]) -> None:
        """Give answers, and some to what is asked then, until a card is to be played again."""
        self._try(state)
        for action in answers:
            after = self._answer(state, action)
            if not isinstance(after.prompt, PlayPrompt | DrawPrompt | DealPrompt | None):
                self._explore(after, _spread(legal_actions(after)))

    def _answer(self, state: GameState, action: Action) -> GameState:
        prompt = state.prompt
        assert prompt is not None
        caused: list[Event] = []
        automatic: list[Event] = []
        state = run(answer(state, action, caused), automatic)
        self.caused[type(prompt)].update(map(type, caused))
        self.automatic.update(map(type, automatic))
        for event in caused + automatic:
            self.clauses[type(event)].add(event.clause)
        return state

    def _try(self, state: GameState) -> None:
        """Try all answers of the right types, and one of another."""
        answers = () if state.prompt is None else state.prompt.answers
        other = next(action for action in TRIED if type(action) not in answers)
        for action in (other, *(each for each in TRIED if type(each) in answers)):
            try:
                found = check(state, action)
            except MalformedActionError:
                continue
            if found is not None:
                self.violations[found.code].setdefault(found.clause, found)
                if action is not other:
                    self.refused[type(action)].add(found.code)


@cache
def observed() -> Observed:
    """Play, and tell what was seen; the same each time."""
    seen = Observed()
    for players, rules in TABLES:
        seen.play(new_game(players, rules=rules), random.Random(players))
    return seen


def _spread(answers: Sequence[Action]) -> Sequence[Action]:
    """Leave out answers between the first and the last, if they are many."""
    half = BREADTH // 2
    return answers if len(answers) <= BREADTH else (*answers[:half], *answers[-half:])


def _imagined(state: GameState, seat: int) -> Iterator[GameState]:
    """Yield positions in which a player has every card: poor, rich, and shortly before the end."""
    free = [site for site in range(len(state.display)) if not _is_taken(state, seat, site)]
    for goods, played, built, late in (
        (Goods(1, 0, 1, 1), (), 0, False),
        (Goods(5, 0, 6, 3), (Character.SHOPKEEPER,), 3, False),
        (Goods(9, 9, 9, 9), (Character.BANKER,), 7, True),
        (Goods(9, 9, 9, 9), (Character.MONK,), 8, True),
    ):
        players = tuple(
            player.replace(goods=goods, shown=CardBag.of())
            if other != seat
            else player.replace(
                hand=CardBag.of(*CHARACTERS),
                goods=goods,
                built=SiteSet.of(*free[:built]),
                upgraded=SiteSet.of(*free[:1]) if built else SiteSet.of(),
                score=24 if late else 0,
                shown=CardBag.of(),
            )
            for other, player in enumerate(state.players)
        )
        imagined = state.replace(players=players, played=played)
        yield imagined.replace(valette=24, barrels=Goods(gold=1)) if late else imagined


def _is_taken(state: GameState, seat: int, site: int) -> bool:
    return any(site in player.built for other, player in enumerate(state.players) if other != seat)
