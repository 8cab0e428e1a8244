"""Histories: a seat's memory of a record, and random records consistent with it."""

from __future__ import annotations

from typing import SupportsIndex

import attrs

from valletta_rules.actions import DRAW, DrawCard
from valletta_rules.components import Generator, need
from valletta_rules.events import CardDrawn
from valletta_rules.memory.memory import Memory
from valletta_rules.records.record import Record, replay
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import view


def remember(record: Record, seat: SupportsIndex | None) -> Memory:
    """Return the memory of a seat after a record, or of a spectator for `None`.

    It is equal to a memory that began with the seat's view of `Record.start` and saw every event
    live.  Raises `SeatError` if the game has no such seat, and `RecordError` if the record does
    not replay, `TypeError` for anything but a record.
    """
    need(record, Record, "a record")
    start = view(record.start, seat)
    memory = Memory(start.seat)
    memory.begin(start)
    for step in replay(record):
        for event in step.events:
            memory.see(redact(event, memory.seat))
    return memory


def resample(record: Record, seat: SupportsIndex | None, rng: Generator) -> Record:
    """Return a random game that a seat, or a spectator for `None`, would remember in the same way.

    It differs from the record in the cards that others have drawn.  Each way of drawing them comes
    with its exact posterior probability, given that a choice shows only that it was possible.  What
    the seat cannot know of the record has no influence, and notes are left out.  Raises the errors
    of `remember`.
    """
    events = remember(record, seat).imagine(rng)
    drawn = iter([DRAW[event.character] for event in events if isinstance(event, CardDrawn)])
    actions = (next(drawn) if isinstance(each, DrawCard) else each for each in record.actions)
    return attrs.evolve(record, actions=tuple(actions), notes=())
