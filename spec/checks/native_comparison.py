"""The engine and its native backend in lockstep: every answer, every successor.

At each position both list the legal actions, in the same order; both carry out *every* one of them,
chance's too, and the packed rows that come of it must be equal byte for byte.  Where a position has
more answers than are worth it, which only payments have, some of them are picked.  Now and then
both are asked about other actions, and must refuse them for the same reason.  One successor in a
hundred is also unpacked and compared as a position.

    python -m spec.checks.native_comparison --successors 1000000 --seed 1

goes through all worked examples, and then plays whole games and hand-made positions, of every
edition and of any other answers to the rulings.  It fails if a clause that the backend carries out
was not met on the way.
"""

from __future__ import annotations

import gc
import math
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final

import attrs

from spec.checks.established import ROOT
from spec.checks.lockstep import Lockstep, Tally, conclude, go_on, parser_of, rounds, tables_of
from spec.checks.rules import Library, P, Rules
from spec.mentions import in_native
from valletta_rules import (
    Action,
    CardSet,
    Event,
    GameState,
    RuleSet,
    Violation,
    native,
)
from valletta_rules.specification.clauses import explain
from valletta_rules.specification.worked_examples import examples
from valletta_rules.state import Player

MOST: Final = 64
"""The most answers carried out in a position, picked at random if there are more."""

UNPACKED_OF: Final = 100
"""One position in this many is also unpacked and compared."""


class Rows:
    """Makes rows of states, and anew only for the players who have changed."""

    def __init__(self) -> None:
        """Begin with no player."""
        self._players: dict[int, tuple[Player, bytes]] = {}

    def __call__(self, state: GameState) -> bytes:
        """Return the row of a state."""
        known, parts = self._players, [native._head(state)]
        for player in state.players:
            found = known.get(id(player))
            if found is None:
                if len(known) > 1_000:
                    known.clear()
                found = known[id(player)] = player, native._player(player)
            parts.append(found[1])
        return b"".join(parts)


class Native(Library["native.PackedState"]):
    """The native backend."""

    in_order = True

    def __init__(self) -> None:
        """Begin to count."""
        self.compared = 0
        """Positions compared as rows."""
        self.unpacked = 0
        """Those of them that were also unpacked and compared."""
        self._row = Rows()

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> native.PackedState:
        """Let the backend lay the table."""
        first: native.PackedState = native._table(rules, cards, players).first()
        return first

    def read(self, state: GameState) -> native.PackedState:
        """Pack a position."""
        return native.pack(state)

    def written(self, position: native.PackedState) -> GameState:
        """Unpack it."""
        return position.unpack()

    def agrees(self, position: native.PackedState, state: GameState) -> bool:
        """Compare the row with that of the state, and now and then the position with the state."""
        self.compared += 1
        if self.compared % UNPACKED_OF == 0:
            self.unpacked += 1
            packed = native.pack(state)
            if (packed, hash(packed), state) != (position, hash(position), position.unpack()):
                return False
        return bytes(position) == self._row(state)

    def is_legal(self, position: native.PackedState, action: Action) -> bool:
        """Let the backend itself check one action."""
        return position.allows(action)

    def told(self, position: native.PackedState, action: Action) -> Sequence[Event]:
        """Let the backend say what happens."""
        after, events = native.transition(position, action)
        assert after == position.position_after(action), (
            "the position after a step differs with and without its events"
        )
        return events

    def reason(self, position: native.PackedState, action: Action) -> Violation | None:
        """Let the backend say why it refuses an action; the sentence is the engine's."""
        refused, found = native.refusal(position, action), super().reason(position, action)
        if refused is None or found is None:
            return None
        code, clause, facts = refused
        return attrs.evolve(found, code=code, clause=clause, details=tuple(facts.items()))


def against(backend: Rules[P], rng: random.Random) -> Lockstep[P]:
    """Return engine and backend in lockstep; the generator picks what is tried besides."""
    return Lockstep(backend, most_payments=sys.maxsize, sparing=8, asked=2, rng=rng)


def carried_out() -> set[str]:
    """Return the clauses that functions of the backend name, and that have examples.

    The others are definitions, or follow from them.
    """
    named = {each.clause for each in in_native(ROOT)}
    return {clause for clause in named if explain(clause).examples}


def run(backend: Rules[P], successors: float, seed: int, *, seconds: float = math.inf) -> Tally:
    """Compare a number of successors, or for some seconds; return what was compared.

    Ends at the first divergence.
    """
    rng = random.Random(seed)
    lockstep = against(backend, rng)
    tally = lockstep.tally
    for worked in examples():
        lockstep.show(worked, MOST)
    moves = rounds(lockstep, rng, tables_of(rng), seed=seed, breadth=MOST)

    def is_enough() -> bool:
        return tally.successors >= successors or bool(tally.divergences)

    return go_on(tally, moves, is_enough, seconds)


def share(successors: float, seconds: float, seed: int) -> tuple[Tally, int]:
    """Carry out the part of a process; return what it compared, and how many it has unpacked."""
    gc.freeze()  # no value is part of a cycle: looking for them would take a third of the time
    gc.set_threshold(200_000)
    backend = Native()
    return run(backend, successors, seed, seconds=seconds), backend.unpacked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit code is 1 if they disagreed or missed a clause, 2 if there is no native backend.
    """
    parser = parser_of(
        "native_comparison",
        "Compare the engine with its native backend, successor by successor.",
    )
    add = parser.add_argument
    add(
        "--successors",
        type=int,
        help="the successors to compare: 1,000,000 unless --seconds is given",
    )
    add(
        "--processes",
        type=int,
        default=1,
        help="share the work among processes, each with its own seed",
    )
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    wanted: float = options.successors or (1_000_000 if options.seconds == math.inf else math.inf)
    began, count = time.monotonic(), options.processes
    seeds = range(options.seed, options.seed + count)
    part = partial(share, wanted / count, options.seconds)
    with ProcessPoolExecutor(count) as pool:
        parts = list(pool.map(part, seeds) if count > 1 else map(part, seeds))
    tally = Tally.together(tally for tally, _ in parts)
    return conclude(
        tally,
        options.seed,
        time.monotonic() - began,
        carried_out() - tally.clauses,
        unpacked=sum(unpacked for _, unpacked in parts),
        processes=count,
    )


if __name__ == "__main__":
    sys.exit(main())
