"""What can be seen of the contract in play: violations, events, and after what they occur.

Bots play games by fixed seeds, in every edition, with variants, and by every number of players, and
go on from random positions in which each card is to be played; what is asked then is answered in
several ways.  Where somebody is asked, all kinds of answers are tried, most of which are refused.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final

import attrs

from spec.checks.random_games import a_position, every_action
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    Code,
    DealPrompt,
    DrawPrompt,
    Event,
    GameState,
    Goods,
    MalformedActionError,
    Pay,
    Phase,
    PlayPrompt,
    TakeGoods,
    Violation,
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
"""All answers are tried in one position of this many."""

BREADTH: Final = 4
"""In how many ways a question is answered at most."""

AMOUNTS: Final = (Goods(), Goods(1), Goods(1, 1), Goods(2, 1), Goods(1, 0, 1, 1), Goods(9, 9, 9, 9))
"""Goods to pay and to take: nothing, little and much."""


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
        """Let bots play a game, and explore positions in which each card is to be played."""
        rules, players = state.rules, len(state.players)
        for count in itertools.count():
            if state.prompt is None or count % SPACING == 0 or state.phase is Phase.SETUP:
                self._try(state)
            if state.prompt is None:
                break
            by_chance = state.prompt.seat is None
            action = sample_chance(state, rng) if by_chance else choose(state, rng)
            state = self._answer(state, action)
        for character in CHARACTERS:
            imagined = a_position(rng, rules, players, RECONSTRUCTION, character)
            self._explore(imagined, legal_actions(imagined))

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
        every = [
            *every_action(state),
            *(kind(each) for each in AMOUNTS for kind in (TakeGoods, Pay)),
        ]
        answers = () if state.prompt is None else state.prompt.answers
        other = next(action for action in every if type(action) not in answers)
        for action in (other, *(each for each in every if type(each) in answers)):
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
