"""The coach of a first game: it explains, leads and questions moves, less as the game goes on.

The coach explains each kind of question when a seat first gets it, leads the first turns, and for
some turns questions a costly answer before it is made.  A lesson does the same from a position on,
without the turns before it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.analysis import Decision, Grade
from valletta_rules.events import TurnBegan
from valletta_rules.web.game import TableGame

LESSON: Final = b"a first game"
"""The seed of a coached game: such games share one starting position."""

LED: Final = 2
"""The number of turns in which the coach recommends the answers."""

LESSONS: Final = resources.files("valletta_rules") / "web" / "lessons.toml"
"""The file of the lessons."""

DOUBTED: Final = MappingProxyType({Grade.MISTAKE: 4, Grade.BLUNDER: 8})
"""The last turn in which the coach questions answers of a grade."""


@attrs.frozen
class Lesson:
    """A position in which the coach teaches one thing."""

    id: str
    """Its id, also in ``#lesson=goods``."""
    position: str
    """The position, as a position line."""
    best: str
    """The answer that the coach recommends, in notation."""
    doubted: str
    """An answer that the coach questions."""


@cache
def lessons() -> MappingProxyType[str, Lesson]:
    """Return the lessons by their ids, in the recommended order."""
    found = tomllib.loads(LESSONS.read_text("utf-8"))["lesson"]
    return MappingProxyType({each["id"]: Lesson(**each) for each in found})


def turn_of(game: TableGame, seat: int) -> int:
    """Return the number of turns that a seat has begun."""
    _, steps = game.now.transitions_since()
    events = (event for step in steps for event in step.events)
    return sum(isinstance(event, TurnBegan) and event.seat == seat for event in events)


def is_led(game: TableGame, seat: int) -> bool:
    """Return whether the coach recommends answers to a seat."""
    return turn_of(game, seat) <= LED


def is_new(game: TableGame, seat: int) -> bool:
    """Return whether a seat gets a question of this kind for the first time."""
    own = (each.revision for each in game.now.choices() if each.seat == seat)
    return type(game.now.prompt) not in {type(game.steps[each].before.prompt) for each in own}


def is_doubtful(game: TableGame, seat: int, decision: Decision) -> bool:
    """Return whether an answer is so costly that the coach asks the player to think again."""
    return turn_of(game, seat) <= DOUBTED.get(decision.grade, -1)
