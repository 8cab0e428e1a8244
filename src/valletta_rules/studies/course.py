"""The course of a game: the figures that reports count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.values import Value
from valletta_rules.engine import Transition
from valletta_rules.events import (
    Built,
    CardPlayed,
    Dismissed,
    EndCondition,
    FinalPhaseTriggered,
    Hired,
    TurnBegan,
    Upgraded,
)
from valletta_rules.state import Phase

NOBODY: Final[tuple[int | None, int | None]] = (None, None)
"""The owner and the turn of a building that was never built."""


@attrs.frozen
class Dealt(Value):
    """The fate of a building that was dealt."""

    code: str
    """The building's code."""
    owner: int | None = None
    """The seat that built it, if any did."""
    built: int | None = None
    """The turn of that seat in which it was built, from 1."""
    upgraded: int | None = None
    """The turn of that seat in which it was upgraded, if it was."""


@attrs.frozen
class Cards(Value):
    """How often a kind of card was used by the players together."""

    character: Character
    """The kind."""
    played: int
    """How often it was played."""
    dismissed: int
    """How often it was dismissed."""
    hired: int
    """How often it was hired."""


@attrs.frozen
class Course(Value):
    """The events of a game, as far as reports count them."""

    main_turns: tuple[int, ...]
    """The number of turns that each seat began before the final phase."""
    turns: tuple[int, ...]
    """The number of turns that each seat began in all."""
    triggers: tuple[EndCondition, ...]
    """The conditions that triggered the final phase, in order, each once."""
    valette: int
    """The space on which Valette stood at the end."""
    sites: tuple[Dealt, ...]
    """The buildings, in the order in which they were dealt."""
    cards: tuple[Cards, ...]
    """Every kind of card that was used, in the order of the rulebook."""


def course_of(players: int, steps: Sequence[Transition]) -> Course:
    """Return the course of a game with a number of players, from the results of its actions."""
    turns, main, used = Counter[int](), Counter[int](), Counter[tuple[type, Character]]()
    built, upgraded = dict[int, tuple[int | None, int | None]](), dict[int, int]()
    triggers = dict[EndCondition, None]()
    for step in steps:
        for event in step.events:
            match event:
                case TurnBegan(seat):
                    turns[seat] += 1
                    main[seat] += step.state.phase is Phase.MAIN
                case CardPlayed() | Dismissed() | Hired():
                    used[type(event), event.character] += 1
                case Built(seat, site):
                    built[site] = seat, turns[seat]
                case Upgraded(seat, site):
                    upgraded[site] = turns[seat]
                case FinalPhaseTriggered(_, condition):
                    triggers[condition] = None
                case _:
                    pass
    seats = range(players)
    last = steps[-1].state
    return Course(
        main_turns=tuple(main[seat] for seat in seats),
        turns=tuple(turns[seat] for seat in seats),
        triggers=tuple(triggers),
        valette=last.valette,
        sites=tuple(
            Dealt(building.code, *built.get(site, NOBODY), upgraded.get(site))
            for site, building in enumerate(last.display)
        ),
        cards=tuple(
            Cards(character, *counts)
            for character in CHARACTERS
            if any(counts := [used[use, character] for use in (CardPlayed, Dismissed, Hired)])
        ),
    )
