"""The coach for a first game, who explains prompts, recommends answers and questions mistakes.

The coach explains each kind of prompt the first time that a seat must answer it.  In the first
turns, the coach recommends answers.  For some more turns, the coach questions a costly answer and
lets the player choose again.  A lesson is a coached game that starts at a given position.
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
"""The fixed seed of coached games, so that they begin alike; not used in lessons and rematches."""

LED: Final = 2
"""The number of a seat's first turns in which the coach recommends answers."""

LESSONS: Final = resources.files("valletta_rules") / "web" / "lessons.toml"
"""The file that defines the lessons."""

DOUBTED: Final = MappingProxyType({Grade.MISTAKE: 4, Grade.BLUNDER: 8})
"""For each grade of mistake, the number of a seat's first turns in which the coach questions it."""


@attrs.frozen
class Lesson:
    """A lesson: a position at which the coach teaches one topic."""

    id: str
    """The id of the lesson, as in ``#lesson=goods``."""
    position: str
    """The position at which the lesson begins, as a position line."""
    best: str
    """The answer that the coach recommends, in the notation for actions."""
    doubted: str
    """A worse answer that the coach questions, in the notation for actions."""


@cache
def lessons() -> MappingProxyType[str, Lesson]:
    """Return a mapping from ids to lessons, in the recommended order."""
    entries = tomllib.loads(LESSONS.read_text("utf-8"))["lesson"]
    return MappingProxyType({each["id"]: Lesson(**each) for each in entries})


def turn_of(game: TableGame, seat: int) -> int:
    """Return the number of turns that a seat has begun."""
    _, steps = game.now.transitions_since()
    events = (event for step in steps for event in step.events)
    return sum(isinstance(event, TurnBegan) and event.seat == seat for event in events)


def is_led(game: TableGame, seat: int) -> bool:
    """Return whether the coach recommends answers to a seat in its current turn."""
    return turn_of(game, seat) <= LED


def is_new(game: TableGame, seat: int) -> bool:
    """Return whether a seat must answer a prompt of the current type for the first time."""
    own = (each.revision for each in game.now.choices() if each.seat == seat)
    return type(game.now.prompt) not in {type(game.steps[each].before.prompt) for each in own}


def is_doubtful(game: TableGame, seat: int, decision: Decision) -> bool:
    """Return whether the coach questions `decision`, an answer in the seat's current turn."""
    return turn_of(game, seat) <= DOUBTED.get(decision.grade, -1)
