"""The coach of a first game: how much is explained, led and doubted, which grows less with time.

A kind of question is explained when a seat is first asked it, the first turns are led, and for some
turns an answer that loses much is doubted before it is made.  A lesson does the same from a
position on, without the turns before it.
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
"""The seed of a game with a coach, which begins the same each time."""

LED: Final = 2
"""In how many turns the coach says what to do."""

LESSONS: Final = resources.files("valletta_rules") / "web" / "lessons.toml"
"""The file of the lessons."""

DOUBTED: Final = MappingProxyType({Grade.MISTAKE: 4, Grade.BLUNDER: 8})
"""Until which turn answers of a grade are doubted."""


@attrs.frozen
class Lesson:
    """A position in which the coach teaches one thing."""

    id: str
    """Its name, also in ``#lesson=goods``."""
    position: str
    """The position, in a line of text."""
    best: str
    """The answer that the coach would give, in notation."""
    doubted: str
    """An answer that he doubts."""


@cache
def lessons() -> MappingProxyType[str, Lesson]:
    """Return the lessons by their names, in the order in which they are best taken."""
    found = tomllib.loads(LESSONS.read_text("utf-8"))["lesson"]
    return MappingProxyType({each["id"]: Lesson(**each) for each in found})


def turn_of(game: TableGame, seat: int) -> int:
    """Return how many turns of a seat have begun."""
    _, steps = game.now.transitions_since()
    events = (event for step in steps for event in step.events)
    return sum(isinstance(event, TurnBegan) and event.seat == seat for event in events)


def is_led(game: TableGame, seat: int) -> bool:
    """Tell whether a seat is told what to do."""
    return turn_of(game, seat) <= LED


def is_new(game: TableGame, seat: int) -> bool:
    """Tell whether a seat is asked such a question for the first time."""
    own = (each.revision for each in game.now.choices() if each.seat == seat)
    return type(game.now.prompt) not in {type(game.steps[each].before.prompt) for each in own}


def is_doubtful(game: TableGame, seat: int, decision: Decision) -> bool:
    """Tell whether an answer is so bad that its player is to think again."""
    return turn_of(game, seat) <= DOUBTED.get(decision.grade, -1)
