"""Record a game, write notes on it, keep it in a file, and play it again from there.

A record holds every move, those of chance included, so that it replays exactly without a seed.
Its file is made to be read and edited by people; try ``valletta replay FILE``.

Run ``python examples/replay_and_annotate.py [FILE]``; without a file it writes a temporary one.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs

import valletta_rules as valletta
from valletta_rules import Note, Record, RecordError, Session
from valletta_rules.bots.automatic import choose
from valletta_rules.events import FinalPhaseTriggered, PointsScored
from valletta_rules.words import narrate


def play(seed: int) -> Session:
    """Play a game between two automatic players."""
    session, rng = Session(["Anna", "Ben"], seed=seed), random.Random(seed)
    while session.prompt is not None:
        session.play(choose(session.state, rng))
    return session


def remarks(record: Record) -> Iterator[Note]:
    """Replay a game and yield a note on every move that scored much or brought the end near."""
    before = record.start
    for number, step in enumerate(valletta.replay(record), 1):
        for event in step.events:
            match event:
                case PointsScored(points=points) if points >= 5:
                    yield Note(number, f"{points} points at once [{event.clause}]")
                case FinalPhaseTriggered():
                    said = narrate(event, before, record.called)
                    yield Note(number, f"{said} [{event.clause}]")
                case _:
                    pass
        before = step.state


def main(path: Path) -> None:
    """Record, annotate, write, read, replay."""
    session = play(seed=2)
    record = attrs.evolve(session.record, notes=tuple(remarks(session.record)))
    valletta.write_record(record, path)
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    print(f"{record}; {len(lines)} lines, among them:\n")
    print("\n".join(line for line in lines if "#" in line))

    read = valletta.read_record(path)
    assert read == record, "what is read is what was written"
    assert valletta.position_after(read) == session.state, "and leads to the same position"
    print(f"\n{valletta.outcome(valletta.position_after(read))}")

    half = attrs.evolve(read, actions=read.actions[: len(read.actions) // 2], notes=())
    resumed = Session.resume(half, seed=2)
    print(f"\nIn the middle, {resumed.names[resumed.state.active]} is to play, in one line:")
    print(valletta.position_line(resumed.state))

    damaged = text.replace("pay ", "pay 9g ", 1)
    try:
        valletta.parse_record(damaged)
    except RecordError as error:
        print(f"\nA damaged file is refused: {error}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder, "game.valletta"))
