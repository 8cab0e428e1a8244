"""The course of a game: the figures that reports count."""

from __future__ import annotations

from collections import Counter
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
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.goods import Good
from valletta_rules.components.values import Value
from valletta_rules.events import EndCondition
from valletta_rules.native import glance
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.state import GameState, Phase

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

USES: Final = (PlayCard, Dismiss, Hire)
"""The actions by which a card is used, in the order of `Course.uses`."""


@attrs.frozen
class Course(Value):
    """What reports count of a game besides its result.

    The figures of buildings are in the order in which they were dealt, those of cards in the order
    of the rulebook.
    """

    triggers: tuple[EndCondition, ...]
    """The conditions that triggered the final phase."""
    valette: int
    """The space on which Valette stood at the end."""
    buildings: tuple[str, ...]
    """The codes of the buildings."""
    owners: tuple[int | None, ...]
    """The seats that built them, if any did."""
    built: tuple[int | None, ...]
    """The turns of these seats in which they were built, from 1."""
    upgraded: tuple[int | None, ...]
    """The turns of these seats in which they were upgraded, if they were."""
    drafted: tuple[Good | None, ...]
    """The extra good that each seat chose, if there was a draft."""
    sites: tuple[tuple[int, ...], ...]
    """The sites on which each seat built, in that order."""
    uses: tuple[tuple[int, ...], ...]
    """How often each kind of card was played, dismissed and hired by the players together."""


class Follower:
    """Follows a game by what its players are asked and answer, and counts.

    It needs no events, so that it can follow a game on packed positions.
    """

    def __init__(self, players: int) -> None:
        """Begin before the first question."""
        self.turns, self.main_turns = [0] * players, [0] * players
        """How many turns of each seat have begun, in all and before the final phase."""
        self._count = 0
        self._turn: PlayPrompt | None = None
        self._drafted: list[Good | None] = [None] * players
        self._built: dict[int, tuple[int, int]] = {}
        self._upgraded: dict[int, int] = {}
        self._uses: dict[type, Counter[Character]] = {kind: Counter() for kind in USES}
        self._triggers: tuple[EndCondition, ...] | None = None

    @property
    def has_begun(self) -> bool:
        """Whether the first turn has begun."""
        return self._turn is not None

    def ask(self, position: GameState | PackedState, prompt: Prompt) -> int:
        """Take the question that a player is asked; return how many turns have begun.

        The first card of a turn begins it.  Within a turn the number of cards still to be played
        only falls.
        """
        if not isinstance(prompt, PlayPrompt):
            return self._count
        last, self._turn, seat = self._turn, prompt, prompt.seat
        if last is not None and last.seat == seat and prompt.plays < last.plays:
            return self._count
        self._count += 1
        self.turns[seat] += 1
        phase = position.phase if isinstance(position, GameState) else glance(position).phase
        if phase is Phase.MAIN:
            self.main_turns[seat] += 1
        elif self._triggers is None:
            self._triggers = end_conditions(whole(position))
        return self._count

    def answer(self, prompt: Prompt, action: Action) -> None:
        """Take a player's answer."""
        if isinstance(action, USES):
            self._uses[type(action)][action.character] += 1
        elif isinstance(action, DraftGood) and prompt.seat is not None:
            self._drafted[prompt.seat] = action.good
        elif isinstance(action, Build) and prompt.seat is not None:
            self._built[action.site] = prompt.seat, self.turns[prompt.seat]
        elif isinstance(action, Upgrade) and prompt.seat is not None:
            self._upgraded[action.site] = self.turns[prompt.seat]

    def course(self, last: GameState) -> Course:
        """Return the course of the game, which has come to its last position."""
        sites = range(len(last.display))
        built = [self._built.get(site, (None, None)) for site in sites]
        return Course(
            triggers=end_conditions(last) if self._triggers is None else self._triggers,
            valette=last.valette,
            buildings=tuple([building.code for building in last.display]),
            owners=tuple([owner for owner, _ in built]),
            built=tuple([turn for _, turn in built]),
            upgraded=tuple([self._upgraded.get(site) for site in sites]),
            drafted=tuple(self._drafted),
            sites=tuple([self._sites(seat) for seat in range(len(self.turns))]),
            uses=tuple([tuple([uses[c] for c in CHARACTERS]) for uses in self._uses.values()]),
        )

    def _sites(self, seat: int) -> tuple[int, ...]:
        """Return the sites on which a seat built, in that order."""
        return tuple([site for site, (owner, _) in self._built.items() if owner == seat])


def whole(position: GameState | PackedState) -> GameState:
    """Return a position as a `GameState`."""
    return position if isinstance(position, GameState) else position.unpack()
