"""Histories: what a seat remembers of a record, and records of which it remembers the same."""

from __future__ import annotations

from typing import SupportsIndex

import attrs

from valletta_rules.actions import DRAW, DrawCard
from valletta_rules.components.numbers import Generator
from valletta_rules.events import CardDrawn
from valletta_rules.memory.memory import Memory
from valletta_rules.records.record import Record, replay
from valletta_rules.views.redaction import redact
from valletta_rules.views.view import view


def remember(record: Record, seat: SupportsIndex | None) -> Memory:
    """Return what a seat remembers of a record, or a spectator for `None`.

    It is equal to a memory that began with the seat's view of `Record.start` and heard everything
    live.  Raises `SeatError` if the game has no such seat, and `RecordError` if the record does
    not replay.
    """
    start = view(record.start, seat)
    memory = Memory(start.seat)
    memory.begin(start)
    for step in replay(record):
        for event in step.events:
            memory.see(redact(event, memory.seat))
    return memory


def resample(record: Record, seat: SupportsIndex | None, rng: Generator) -> Record:
    """Return a game of which a seat would remember the same, or a spectator for `None`.

    It differs from the record in the cards that others have drawn, and every way in which they
    can have been drawn comes with its exact probability: in proportion to the chance of the
    draws, if no choice tells more than that it was possible.  What the seat cannot know of the
    record has no influence, and notes are left out.  Raises the errors of `remember`.
    """
    events = remember(record, seat).imagine(rng)
    drawn = iter([DRAW[event.character] for event in events if isinstance(event, CardDrawn)])
    actions = (next(drawn) if isinstance(each, DrawCard) else each for each in record.actions)
    return attrs.evolve(record, actions=tuple(actions), notes=())
