"""Documents of whole games as a module in TypeScript, for the compiler to hold against the types.

``python tests/consumer/documents.py`` writes it to the standard output: views and positions from
all of some games, and one document at least of each type of prompt, action, event and violation
that these games have.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from valletta_rules import (
    Z_MAN,
    GameState,
    PassedQuestionError,
    Pay,
    Session,
    Transition,
    check,
    from_json,
    legal_actions,
    outcome,
    redact,
    to_json,
    view,
)
from valletta_rules.codec import KINDS, Value
from valletta_rules.codec.vocabulary import KIND_OF
from valletta_rules.words import refusal_of

GAMES = ((2, 1), (3, 2), (4, 3))
"""The numbers of players and the seeds of the games."""


def values() -> Iterator[tuple[str, Value]]:
    """Run through values of the games, each with what one of is enough."""
    for players, seed in GAMES:
        session, rng = Session(players, rules=Z_MAN, seed=seed), random.Random(seed)
        while session.state.prompt is not None:
            action = rng.choice(legal_actions(session.state))
            yield from asked(session.state)
            for step in session.play(action):
                yield from happened(step, session.moves)
        result = outcome(session.state)
        assert result is not None
        yield from ((f"outcome {seed}", result), (f"record {seed}", session.record))
        news, late = session.since(None, 0), PassedQuestionError(0, session.revision)
        yield from ((f"news {seed}", news), ("refusal", refusal_of(late)))
    yield from (("rules", Z_MAN), ("cards", session.state.cards))


def asked(state: GameState) -> Iterator[tuple[str, Value]]:
    """Run through what can be said of a position in which somebody is asked."""
    assert state.prompt is not None
    yield type(state.prompt).__name__, state.prompt
    for action in legal_actions(state):
        yield type(action).__name__, action
    if (violation := check(state, Pay(state.barrels))) is not None:
        yield violation.code, violation


def happened(step: Transition, moves: int) -> Iterator[tuple[str, Value]]:
    """Run through what can be said of a step: now and then all of it."""
    for event in step.events:
        yield type(event).__name__, event
        yield f"seen {type(event).__name__}", redact(event, None)
    if moves % 40 == 0:
        yield from ((f"position {moves}", step.state), (f"transition {moves}", step))
        for seat in (None, *step.state.seats):
            yield f"view {moves} {seat}", view(step.state, seat)


def main() -> int:
    """Write the module."""
    found: dict[str, Value] = {}
    for name, value in values():
        found.setdefault(name, value)
    missing = {*KINDS} - {KIND_OF[type(value)] for value in found.values()}
    lines = ["import type { VallettaDocument } from 'valletta';", ""]
    for number, value in enumerate(found.values()):
        assert from_json(to_json(value)) == value
        lines.append(f"export const d{number}: VallettaDocument = {to_json(value)};")
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stderr.write(f"{len(found)} documents; kinds without one: {sorted(missing) or 'none'}\n")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
