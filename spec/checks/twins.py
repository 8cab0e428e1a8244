"""The engine and its native twin in lockstep: every answer, every successor.

At each position both list the legal actions, in the same order; both carry out *every* one of them,
chance's too, and the packed rows that come of it must be equal byte for byte.  Where a position has
more payments than are worth it, some of them are picked.  Both are asked about other actions, and
must refuse them for the same reason.  One successor in a hundred is also unpacked and compared as a
position.

    python -m spec.checks.twins --successors 1000000 --seed 1

plays whole games and hand-made positions, of every edition and of any other answers to the rulings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import attrs

from spec.checks.established import ENGINE, ROOT, stamp, write
from spec.checks.wandering import (
    Wanderer,
    a_position,
    an_ending,
    any_rules,
    some_card_sets,
    tables,
)
from tests.properties.playthroughs import every_action
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    CardSet,
    GameState,
    Pay,
    PlayCard,
    RuleSet,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    native,
    new_game,
    outcome,
    resolve_chance,
    transition,
)
from valletta_rules.agenda import ChancePrompt
from valletta_rules.components.characters import CHARACTERS

NATIVE: Final = ("src/native/*.c", "src/native/*.h", "src/valletta_rules/native.py")
"""The native twin."""

COMPARER: Final = (
    *(f"spec/checks/{name}.py" for name in ("twins", "wandering")),
    *("tests/strategies.py", "tests/properties/playthroughs.py"),
)
"""What compares, and what it plays with."""

FIGURES: Final = ROOT / "spec" / "twins.json"

MOST_PAYMENTS: Final = 40
"""So many payments of a position are carried out, picked at random if there are more."""


class DivergenceError(AssertionError):
    """The twins disagree."""


@attrs.define
class Tally:
    """What has been compared."""

    games: int = 0
    """Whole games."""
    positions: int = 0
    """Positions of which the whole list of legal actions was compared."""
    successors: int = 0
    """Positions after an action, compared as rows."""
    unpacked: int = 0
    """Those of them that were unpacked and compared as positions."""
    refusals: int = 0
    """Actions refused for the same reason."""
    outcomes: int = 0
    """Ends of games."""
    by_rules: Counter[str] = attrs.field(factory=Counter)
    """Successors by rule set and number of players."""
    by_prompt: Counter[str] = attrs.field(factory=Counter)
    """Successors by type of prompt."""
    by_action: Counter[str] = attrs.field(factory=Counter)
    """Successors by type of action, and what it names."""
    clauses: set[str] = attrs.field(factory=set)
    """The clauses that events named on the way."""

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.successors:,} successors of {self.positions:,} positions compared, without a"
            f" difference; {self.unpacked:,} unpacked, {self.refusals:,} refusals,"
            f" {self.outcomes:,} outcomes of {self.games:,} games"
        )


@attrs.define
class Twins:
    """The engine and its native twin."""

    rng: random.Random
    tally: Tally = attrs.field(factory=Tally)

    def compare(self, state: GameState, packed: native.PackedState) -> Sequence[Action]:
        """Compare all that can be asked of a position; return the legal actions.

        Raises `DivergenceError` where the twins disagree.
        """
        tally = self.tally
        tally.positions += 1
        actions = legal_actions(state)
        self._same("legal actions", state, actions, legal_actions(packed))
        self._same("prompt", state, state.prompt, packed.prompt)
        if isinstance(state.prompt, ChancePrompt):
            self._same("odds", state, chance_outcomes(state), chance_outcomes(packed))
        tried: Sequence[Action] = actions
        if len(actions) > MOST_PAYMENTS and isinstance(actions[0], Pay):
            tried = self.rng.sample(actions, MOST_PAYMENTS)
        rules = f"{state.rules}, {len(state.players)} players"
        tally.by_rules[rules] += len(tried)
        tally.by_prompt[type(state.prompt).__name__ if state.prompt else "the end"] += len(tried)
        for action in tried:
            self._follow(state, packed, action)
        if tally.positions % 5 == 0:
            for action in self.rng.sample(every_action(state), 5):
                refusal = check(state, action)
                tally.refusals += refusal is not None
                self._same(f"why not {action}", state, refusal, check(packed, action))
        if not actions:
            tally.outcomes += 1
            self._same("outcome", state, outcome(state), outcome(packed))
        return actions

    def _follow(self, state: GameState, packed: native.PackedState, action: Action) -> None:
        tally = self.tally
        tally.successors += 1
        named = f" {action.character}" if isinstance(action, PlayCard) else ""
        vain = " in vain" if named and not getattr(action, "use_effect", True) else ""
        tally.by_action[f"{type(action).__name__}{named}{vain}"] += 1
        here, there = apply(state, action), apply(packed, action)
        packed_here = native.pack(here)
        if packed_here != there or hash(packed_here) != hash(there):
            raise DivergenceError(_told(f"successor by {action}", state, here, there.unpack()))
        if tally.successors % 100 == 0:
            tally.unpacked += 1
            self._same(f"successor by {action}, unpacked", state, here, there.unpack())
            events = transition(state, action).events
            tally.clauses |= {clause for e in events if (clause := getattr(e, "clause", None))}

    def _same(self, what: str, state: GameState, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise DivergenceError(_told(what, state, ours, theirs))

    def game(
        self, state: GameState, wanderer: Wanderer, first: Action | None = None
    ) -> Iterator[None]:
        """Play on from a position to the end of the game, comparing as one goes."""
        packed = native.pack(state)
        while actions := self.compare(state, packed):
            yield
            action = (
                first if first is not None and first in actions else wanderer.choose(state, actions)
            )
            first = None
            state, packed = apply(state, action), apply(packed, action)
            if self.rng.random() < 0.7:  # the same numbers answer for chance
                before = self.rng.getstate()
                state = resolve_chance(state, self.rng)
                after = self.rng.getstate()
                self.rng.setstate(before)
                packed = resolve_chance(packed, self.rng)
                self._same("numbers drawn", state, after, self.rng.getstate())
            self._same("position reached", state, native.pack(state), packed)


def _told(what: str, state: GameState, ours: object, theirs: object) -> str:
    """Say where the twins disagree, and what each of them says."""
    return (
        f"{what} under {state.prompt!r} in {state.rules}\n"
        f"  engine: {_shown(ours)}\n  native: {_shown(theirs)}\n  position: {state!r}"
    )


def _shown(thing: object) -> str:
    return repr(thing.unpack() if isinstance(thing, native.PackedState) else thing)


def rounds(
    twins: Twins,
    wanderer: Wanderer,
    chosen: Sequence[tuple[RuleSet, int]],
    card_choice: Sequence[CardSet],
) -> Iterator[None]:
    """Play for ever: a whole game at each table, and positions for each character."""
    rng = wanderer.rng
    while True:
        for rules, players in chosen:
            cards = rng.choice(card_choice)
            twins.tally.games += 1
            yield from twins.game(new_game(players, rules=rules, cards=cards), wanderer)
            for character in CHARACTERS:
                state = a_position(rng, rules, players, cards, character)
                first = PlayCard(character, use_effect=rng.random() < 0.7)
                yield from islice(twins.game(state, wanderer, first), rng.randrange(3, 20))
            for _ in range(5):
                yield from twins.game(an_ending(rng, rules, players, cards), wanderer)


def run(successors: int, seed: int, told: float = 10) -> tuple[Tally, float]:
    """Compare so many successors; return what was compared, and in how many seconds."""
    rng = random.Random(seed)
    chosen = [*tables(), *((any_rules(rng, players), players) for players in (2, 3, 4) * 8)]
    rng.shuffle(chosen)
    twins, cards = Twins(rng), (RECONSTRUCTION, *some_card_sets(seed, 12))
    began = last = time.monotonic()
    for _ in rounds(twins, Wanderer(rng), chosen, cards):
        if (now := time.monotonic()) - last > told:
            last = now
            sys.stderr.write(f"{now - began:6.0f} s  {twins.tally}\n")
        if twins.tally.successors >= successors:
            break
    return twins.tally, time.monotonic() - began


def figures(tally: Tally, seconds: float, seed: int) -> dict[str, object]:
    """Return what a run established, as it is written down."""
    found: dict[str, object] = {"seed": seed, "seconds": round(seconds)}
    for name, value in attrs.asdict(tally).items():
        found[name] = sorted(value) if isinstance(value, set) else value
        if isinstance(value, dict):
            found[name] = dict(sorted(value.items()))
    return found


def sources() -> dict[str, object]:
    """Return the stamps of what the figures depend on."""
    return {"native": stamp(NATIVE), "engine": stamp(ENGINE), "comparison": stamp(COMPARER)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if they disagreed, 2 if there is no native twin."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.twins",
        description="Compare the engine with its native twin, successor by successor.",
    )
    parser.add_argument("--successors", type=int, default=1_000_000, help="compare so many")
    parser.add_argument("--seed", type=int, default=0, help="of the random generator")
    parser.add_argument("--write", action="store_true", help=f"write the figures to {FIGURES.name}")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    stamped = sources()
    try:
        tally, seconds = run(options.successors, options.seed)
    except DivergenceError as divergence:
        sys.stdout.write(f"{divergence}\n")
        return 1
    found = figures(tally, seconds, options.seed)
    sys.stdout.write(f"{json.dumps(found, indent=1)}\n{tally} in {seconds:.0f} s\n")
    if options.write:
        write(FIGURES, stamped, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
