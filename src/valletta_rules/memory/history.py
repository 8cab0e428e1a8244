"""The memory of a recorded game, and random records that are consistent with a memory."""

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
    """Return the memory of a seat after a recorded game, or of a spectator if `seat` is `None`.

    The result equals a memory that began with the seat's view of `Record.start` and was updated
    with every event. Raises `SeatError` if the game has no such seat, `RecordError` if the record
    does not replay, and `TypeError` for anything but a record.
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
    """Return a random record that looks like `record` to a seat, or to a spectator for `None`.

    Only the cards that other seats drew can differ. They are sampled from the exact posterior,
    under the assumption that a choice reveals nothing except that it was possible. Hidden
    information in the record does not influence the sample. The result has no notes. Raises the
    errors of `remember`.
    """
    events = remember(record, seat).imagine(rng)
    drawn = iter([DRAW[event.character] for event in events if isinstance(event, CardDrawn)])
    actions = (next(drawn) if isinstance(each, DrawCard) else each for each in record.actions)
    return attrs.evolve(record, actions=tuple(actions), notes=())
