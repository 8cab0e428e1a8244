"""Game statistics that reports need in addition to the result of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import attrs

from valletta_rules.actions import (
    Action,
    Build,
    Dismiss,
    DraftGood,
    Hire,
    PlayCard,
    Upgrade,
)
from valletta_rules.agenda import PlayPrompt, Prompt
from valletta_rules.components import CHARACTERS, Good, Value
from valletta_rules.events import EndCondition
from valletta_rules.native import peek
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.state import GameState, Phase
from valletta_rules.text.notation import format_action

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

USES: Final = (PlayCard, Dismiss, Hire)
"""The types of actions that use a card, in the order of the values in `Timeline.uses`."""

_NOTED: Final = frozenset((*USES, Build, Upgrade, DraftGood))
"""The types of actions that a timeline counts."""


@attrs.frozen
class Timeline(Value):
    """The statistics of the course of a game, for reports.

    Tuples for buildings are in the order of dealing, and tuples for cards in the order of the
    rulebook.
    """

    triggers: tuple[EndCondition, ...]
    """The conditions that triggered the final phase."""
    valette: int
    """The space of Valette at the end."""
    buildings: tuple[str, ...]
    """The codes of the dealt buildings."""
    owners: tuple[int | None, ...]
    """The owner's seat for each building; `None` if it was not built."""
    built: tuple[int | None, ...]
    """The owner's turn in which each building was built, counted from 1; `None` if not built."""
    upgraded: tuple[int | None, ...]
    """The owner's turn in which each building was upgraded; `None` if not upgraded."""
    drafted: tuple[Good | None, ...]
    """The good that each seat drafted; `None` without a draft."""
    sites: tuple[tuple[int, ...], ...]
    """The sites on which each seat built, in the order of building."""
    uses: tuple[tuple[int, ...], ...]
    """The number of times that all players together played, dismissed and hired each card."""


class Follower:
    """A collector of statistics, which observes the players' prompts and answers during a game.

    It does not need event objects, so it can follow a game on packed positions.
    """

    def __init__(self, players: int) -> None:
        """Prepare to follow a game of `players` players from its first prompt."""
        self.turns, self.main_turns = [0] * players, [0] * players
        """The number of each seat's turns so far: in total, and before the final phase."""
        self.decisions = [0] * players
        """The number of prompts that each seat has answered."""
        self.count = 0
        """The number of turns that have begun."""
        self.answers: list[Action] = []
        """The answers of all players, in order."""
        self._turn: PlayPrompt | None = None
        self._drafted: list[Good | None] = [None] * players
        self._built: dict[int, tuple[int, int]] = {}
        self._upgraded: dict[int, int] = {}
        self._uses = tuple([[0] * len(CHARACTERS) for _ in USES])
        self._triggers: tuple[EndCondition, ...] | None = None

    def note_prompt(self, position: GameState | PackedState, prompt: Prompt) -> int:
        """Record the prompt of a player, and return the number of turns that have begun.

        A prompt for a card begins a turn, unless the previous prompt for a card was for the same
        seat, with more cards to be played.
        """
        if not isinstance(prompt, PlayPrompt):
            return self.count
        last, self._turn, seat = self._turn, prompt, prompt.seat
        if last is not None and last.seat == seat and prompt.plays < last.plays:
            return self.count
        if self._triggers is None:
            current = position if isinstance(position, GameState) else peek(position)
            if current.phase is not Phase.MAIN:
                self._triggers = end_conditions(whole(position))
        self.begin(seat)
        return self.count

    def begin(self, seat: int) -> None:
        """Record the start of a turn.

        For the first turn of the final phase, call `note_prompt` instead.
        """
        self.count += 1
        self.turns[seat] += 1
        self.main_turns[seat] += self._triggers is None

    def answer(self, seat: int, actions: Sequence[Action]) -> None:
        """Record the answers of a seat to consecutive prompts of a turn."""
        self.answers += actions
        self.decisions[seat] += len(actions)
        for action in actions:
            if type(action) not in _NOTED:
                continue
            if isinstance(action, USES):
                self._uses[USES.index(type(action))][action.character.rank] += 1
            elif isinstance(action, Build):
                self._built[action.site] = seat, self.turns[seat]
            elif isinstance(action, Upgrade):
                self._upgraded[action.site] = self.turns[seat]
            elif isinstance(action, DraftGood):
                self._drafted[seat] = action.good

    def course(self, last: GameState) -> Timeline:
        """Return the statistics of the game, given its last position."""
        sites = range(len(last.display))
        built = [self._built.get(site, (None, None)) for site in sites]
        return Timeline(
            triggers=end_conditions(last) if self._triggers is None else self._triggers,
            valette=last.valette,
            buildings=tuple([building.code for building in last.display]),
            owners=tuple([owner for owner, _ in built]),
            built=tuple([turn for _, turn in built]),
            upgraded=tuple([self._upgraded.get(site) for site in sites]),
            drafted=tuple(self._drafted),
            sites=tuple([self._sites(seat) for seat in range(len(self.turns))]),
            uses=tuple(map(tuple, self._uses)),
        )

    def _sites(self, seat: int) -> tuple[int, ...]:
        """Return the sites on which a seat built, in the order of building."""
        return tuple([site for site, (owner, _) in self._built.items() if owner == seat])


def texts_of(answers: Iterable[Action]) -> list[str]:
    """Return the notation of each answer."""
    return [*map(_notation, answers)]


_notation: Final = lru_cache(maxsize=1 << 14)(format_action)


def whole(position: GameState | PackedState) -> GameState:
    """Return a position as a `GameState`; unpack it if it is packed."""
    return position if isinstance(position, GameState) else position.unpack()
