"""The engine and its native twin in lockstep: every answer, every successor.

At each position both list the legal actions, in the same order; both carry out *every* one of them,
chance's too, and the packed rows that come of it must be equal byte for byte.  Where a position has
more answers than are worth it, which only payments have, some of them are picked.  Now and then
both are asked about other actions, and must refuse them for the same reason.  One successor in a
hundred is also unpacked and compared as a position.

    python -m spec.checks.twins --successors 1000000 --seed 1

goes through all worked examples, and then plays whole games and hand-made positions, of every
edition and of any other answers to the rulings.  It fails if a clause that the twin carries out
was not met on the way.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from typing import Any, Final

from spec.checks.established import ENGINE, ROOT, stamp, write
from spec.checks.lockstep import Lockstep, Tally, figures, report, rounds
from spec.checks.rules import Rules
from spec.checks.wandering import Wanderer, any_rules, some_card_sets, tables
from spec.mentions import in_native
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    CardSet,
    GameState,
    Outcome,
    RuleSet,
    Violation,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    native,
    new_game,
    outcome,
    resolve_chance,
)
from valletta_rules.agenda import ChancePrompt
from valletta_rules.specification.clauses import explain
from valletta_rules.specification.worked_examples import examples
from valletta_rules.state import Player

NATIVE: Final = ("src/native/*.c", "src/native/*.h", "src/valletta_rules/native.py")
"""The native twin."""

COMPARER: Final = (
    *(f"spec/checks/{name}.py" for name in ("twins", "lockstep", "rules", "wandering")),
    *("tests/strategies.py", "tests/properties/playthroughs.py", "spec/clauses/*.toml"),
)
"""What compares, and what it plays with."""

FIGURES: Final = ROOT / "spec" / "twins.json"

MOST: Final = 64
"""So many answers in a position are carried out, picked at random if there are more."""

UNPACKED_OF: Final = 100
"""Of so many positions, one is also unpacked and compared as such."""


class Twin(Rules["native.PackedState"]):
    """The native twin of the engine."""

    in_order = True

    def __init__(self) -> None:
        """Begin to count."""
        self.compared = 0
        """Positions compared as rows."""
        self.unpacked = 0
        """Those of them that were also unpacked and compared."""
        self._players: dict[int, tuple[Player, bytes]] = {}

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> native.PackedState:
        """Pack the table: it is laid in Python."""
        return native.pack(new_game(players, rules=rules, cards=cards))

    def read(self, state: GameState) -> native.PackedState:
        """Pack a position."""
        return native.pack(state)

    def written(self, position: native.PackedState) -> GameState:
        """Unpack it."""
        return position.unpack()

    def canonical(self, state: GameState) -> GameState:
        """Return the state itself: a row has everything."""
        return state

    def agrees(self, position: native.PackedState, state: GameState) -> bool:
        """Compare the row with that of the state, and now and then the position with the state."""
        self.compared += 1
        if self.compared % UNPACKED_OF == 0:
            self.unpacked += 1
            packed = native.pack(state)
            if (packed, hash(packed), state) != (position, hash(position), position.unpack()):
                return False
        return bytes(position) == self._row(state)

    def _row(self, state: GameState) -> bytes:
        """Return the row of a state, made anew only for the players who have changed."""
        known, parts = self._players, [native._head(state)]
        for player in state.players:
            found = known.get(id(player))
            if found is None:
                if len(known) > 1_000:
                    known.clear()
                found = known[id(player)] = player, native._player(player)
            parts.append(found[1])
        return b"".join(parts)

    def legal_actions(self, position: native.PackedState) -> Collection[Action]:
        """List what is legal."""
        return legal_actions(position)

    def is_legal(self, position: native.PackedState, action: Action) -> bool:
        """Let the twin itself check one action."""
        return position.allows(action)

    def reason(self, position: native.PackedState, action: Action) -> Violation | None:
        """Say by which clause an action is refused."""
        return check(position, action)

    def apply(self, position: native.PackedState, action: Action) -> native.PackedState:
        """Carry an action out."""
        return apply(position, action)

    def odds(self, position: native.PackedState) -> Mapping[Action, Fraction] | None:
        """Return the probabilities, if chance is asked."""
        if isinstance(position.prompt, ChancePrompt):
            return dict(chance_outcomes(position))
        return None

    def resolved(
        self, position: native.PackedState, rng: random.Random
    ) -> native.PackedState | None:
        """Let a generator answer for chance."""
        return resolve_chance(position, rng)

    def outcome(self, position: native.PackedState) -> Outcome | None:
        """Return the outcome."""
        return outcome(position)


def side_by_side(twin: Twin, rng: random.Random) -> Lockstep[native.PackedState]:
    """Return the engine and its twin; the generator picks the illegal actions that are tried."""
    return Lockstep(twin, most_payments=sys.maxsize, sparing=8, asked=2, rng=rng)


def carried_out() -> set[str]:
    """Return the clauses that functions of the twin name, and that have examples.

    The others are definitions, or follow from them.
    """
    named = {each.clause for each in in_native(ROOT)}
    return {clause for clause in named if explain(clause).examples}


def run(
    twin: Twin,
    successors: float,
    seed: int,
    *,
    seconds: float = math.inf,
    told: float = math.inf,
) -> Tally:
    """Compare so many successors, or for so long; return what was compared.

    Ends at the first divergence.  Says every so many seconds how far it has come.
    """
    rng = random.Random(seed)
    chosen = [*tables(), *((any_rules(rng, players), players) for players in (2, 3, 4) * 8)]
    rng.shuffle(chosen)
    lockstep, cards = side_by_side(twin, rng), (RECONSTRUCTION, *some_card_sets(seed, 12))
    tally, began = lockstep.tally, time.monotonic()
    now = last = began
    for worked in examples():
        lockstep.show(worked, MOST)
    games = rounds(
        lockstep, Wanderer(rng), chosen, cards, compared=lambda state: True, breadth=MOST
    )
    while tally.successors < successors and now - began < seconds and not tally.divergences:
        next(games)
        if (now := time.monotonic()) - last > told:
            last = now
            sys.stderr.write(f"{now - began:6.0f} s  {tally}\n")
    return tally


def share(successors: float, seconds: float, seed: int) -> tuple[Tally, int]:
    """Carry out the part of a process; return what it compared, and how many it has unpacked."""
    gc.freeze()  # no value is part of a cycle: looking for them would take a third of the time
    gc.set_threshold(200_000)
    twin = Twin()
    return run(twin, successors, seed, seconds=seconds, told=10), twin.unpacked


def sources() -> dict[str, object]:
    """Return the stamps of what the figures depend on."""
    return {"native": stamp(NATIVE), "engine": stamp(ENGINE), "comparison": stamp(COMPARER)}


def established(stamped: Mapping[str, object]) -> dict[str, Any]:
    """Return the figures that are written down, if they are of the same sources."""
    if not FIGURES.exists():
        return {}
    found: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found if found["sources"] == stamped else {}


def added(before: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of both together; of sets that are only counted, the larger count."""
    together = dict(found)
    for name, value in before.items():
        match name, found.get(name):
            case "seed", _:
                together[name] = value
            case "clauses", list(others):
                together[name] = sorted({*value, *others})
            case "clauses_by_rules", dict(others):
                together[name] = dict(sorted((Counter(value) | Counter(others)).items()))
            case _, dict(others):
                together[name] = dict(sorted((Counter(value) + Counter(others)).items()))
            case _, int(other):
                together[name] = value + other
    return together


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit code is 1 if they disagreed or did not meet all clauses, 2 if there is no native twin.
    """
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.twins",
        description="Compare the engine with its native twin, successor by successor.",
    )
    add = parser.add_argument
    add("--successors", type=int, help="compare so many: 1,000,000 unless --seconds is given")
    add("--seconds", type=float, default=math.inf, help="stop after so long")
    add("--processes", type=int, default=1, help="share it out, each with a seed of its own")
    add("--seed", type=int, default=0, help="of the random generator")
    add("--write", action="store_true", help=f"write the figures to {FIGURES.name}")
    add("--add", action="store_true", help="add them to those there, with the seeds that follow")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    wanted: float = options.successors or (1_000_000 if options.seconds == math.inf else math.inf)
    stamped, began, count = sources(), time.monotonic(), options.processes
    before = established(stamped) if options.add else {}
    first = before["seed"] + before["processes"] if before else options.seed
    seeds = range(first, first + count)
    part = partial(share, wanted / count, options.seconds)
    with ProcessPoolExecutor(count) as pool:
        parts = list(pool.map(part, seeds) if count > 1 else map(part, seeds))
    tally, seconds = Tally.together(tally for tally, _ in parts), time.monotonic() - began
    found = figures(tally, seconds, first)
    found |= {"unpacked": sum(unpacked for _, unpacked in parts), "processes": count}
    missed = carried_out() - tally.clauses
    for divergence in tally.divergences:
        sys.stdout.write(f"{divergence}\n")
    if missed:
        sys.stdout.write(f"never met: {', '.join(sorted(missed))}\n")
    sys.stdout.write(f"{report(tally, seconds)}\n")
    if tally.divergences or missed:
        return 1
    if options.write or options.add:
        write(FIGURES, stamped, added(before, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
