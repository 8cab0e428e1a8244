"""Two sets of rules in lockstep: the engine plays, and the other side is asked about its steps.

At each step compared, both name the whole set of legal actions, say of many other actions whether
they would be accepted, and make the position after the action chosen; if chance is asked, the
probabilities; at the end, the outcome.  All of it must be the same.  Payments are the exception:
where there are very many, only the position after the payment is compared.

    python -m spec.checks.lockstep --steps 50000 --seed 1

plays whole games and hand-made positions, of every edition, against the formal specification until
so many steps are compared; with ``--against COMMAND`` against another program that answers the same
questions (``spec/tools/oracle.js`` says which).
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Generic

import attrs

from spec.checks.encoding import encode_action, encode_state
from spec.checks.established import ENGINE, MODEL, stamp
from spec.checks.mistakes.table import read_mistakes
from spec.checks.model import MODEL as ASK_THE_MODEL
from spec.checks.model import Oracle, why_unavailable
from spec.checks.rules import Engine, P, Rules
from spec.checks.wandering import (
    Wanderer,
    a_position,
    an_ending,
    any_rules,
    some_card_sets,
    tables,
)
from tests.positions import EDITIONS
from tests.properties.playthroughs import every_action
from valletta_rules import RECONSTRUCTION, Action, CardSet, GameState, PlayCard, RuleSet
from valletta_rules.agenda import DealPrompt, DrawPrompt, PaymentPrompt, PlayPrompt
from valletta_rules.components.characters import CHARACTERS

COMPARER: Final = (
    *(f"spec/checks/{name}.py" for name in ("lockstep", "rules", "model", "encoding", "wandering")),
    *("spec/tools/oracle.js", "spec/tools/qspec.js", "tests/strategies.py"),
)
"""What compares, and what it plays with."""

MOST_PAYMENTS: Final = 400
"""With more payments than this in a position, they are not listed."""


# Comparing


@attrs.frozen
class Divergence:
    """A step at which the two sides disagree."""

    what: str
    """What they disagree about."""
    state: GameState
    """The position."""
    action: Action | None
    """The action chosen, if it is about one."""
    engine: str
    """What the engine says and the other side does not."""
    other: str
    """What the other side says and the engine does not."""

    def __str__(self) -> str:
        """Say everything that is needed to look into it."""
        action = None if self.action is None else encode_action(self.action)
        return (
            f"{self.what} under {type(self.state.prompt).__name__} in {self.state.rules}\n"
            f"  engine only: {self.engine}\n"
            f"  other side only: {self.other}\n"
            f"  action: {json.dumps(action)}\n"
            f"  position: {json.dumps(encode_state(self.state))}"
        )


@attrs.define
class Tally:
    """What has been compared."""

    games: int = 0
    """Whole games begun, the first positions compared."""
    steps: int = 0
    """Steps compared."""
    fully: int = 0
    """Those at which the whole set of legal actions was compared."""
    checks: int = 0
    """Single actions of which both sides have said whether they are legal."""
    successors: int = 0
    """Positions after an action compared."""
    outcomes: int = 0
    """Ends of games compared."""
    by_rules: Counter[str] = attrs.field(factory=Counter)
    """Steps by rule set and number of players."""
    by_prompt: Counter[str] = attrs.field(factory=Counter)
    """Steps by type of prompt."""
    by_action: Counter[str] = attrs.field(factory=Counter)
    """Actions by type, and what they name."""
    divergences: list[Divergence] = attrs.field(factory=list)
    """Where they disagreed."""

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.steps:,} steps compared with the formal specification, {self.fully:,} of them"
            f" with the whole set of legal actions; {self.checks:,} single actions,"
            f" {self.successors:,} successors, {self.outcomes:,} outcomes;"
            f" {len(self.divergences):,} divergences"
        )


def _difference(engine: GameState, other: GameState) -> tuple[str, str]:
    """Return the parts of two positions that differ."""
    ours, theirs = encode_state(engine), encode_state(other)
    parts = [part for part in ours if ours[part] != theirs[part]]
    if not parts:
        return repr(engine), repr(other)
    return (
        json.dumps({part: ours[part] for part in parts}),
        json.dumps({part: theirs[part] for part in parts}),
    )


@attrs.define
class Lockstep(Generic[P]):
    """The engine and another side, step by step."""

    other: Rules[P]
    most_payments: int = MOST_PAYMENTS
    tally: Tally = attrs.field(factory=Tally)
    engine: Engine = attrs.field(factory=Engine)

    def compare(
        self,
        state: GameState,
        actions: Collection[Action],
        action: Action | None,
        others: Iterable[Action] = (),
    ) -> GameState:
        """Compare a position's legal actions, and what some of them lead to.

        Returns what the engine makes of the action, or the position itself if there is none.
        """
        tally, there = self.tally, self.other.read(state)
        tally.steps += 1
        tally.by_rules[f"{state.rules}, {len(state.players)} players"] += 1
        tally.by_prompt[type(state.prompt).__name__ if state.prompt else "the end"] += 1
        if len(set(actions)) != len(actions):
            self._diverge("a legal action named twice", state, None, actions, "")
        if not isinstance(state.prompt, PaymentPrompt) or len(actions) <= self.most_payments:
            self._compare_actions(state, there, frozenset(actions))
        odds, theirs = self.engine.odds(state), self.other.odds(there)
        if theirs is not None and odds != theirs:
            self._diverge("odds", state, None, odds, theirs)
        result, found = self.engine.outcome(state), self.other.outcome(there)
        if found != result:
            self._diverge("outcome", state, None, result, found)
        if action is None:
            tally.outcomes += 1
            return state
        for each in others:
            if each != action:
                self._follow(state, there, each)
        return self._follow(state, there, action)

    def _compare_actions(self, state: GameState, there: P, ours: frozenset[Action]) -> None:
        """Compare what is listed, and then what is accepted action by action."""
        self.tally.fully += 1
        if ours != (theirs := frozenset(self.other.legal_actions(there))):
            engine, other = (sorted(map(repr, only)) for only in (ours - theirs, theirs - ours))
            self._diverge("legal actions", state, None, engine, other)
        for action in (*ours, *every_action(state)):
            self.tally.checks += 1
            accepted = self.engine.is_legal(state, action)
            if accepted is not self.other.is_legal(there, action):
                said = ("accepted", "refused") if accepted else ("refused", "accepted")
                self._diverge("an action", state, action, *said)

    def _follow(self, state: GameState, there: P, action: Action) -> GameState:
        """Compare what an action leads to."""
        named = f" {action.character}" if isinstance(action, PlayCard) else ""
        vain = " in vain" if named and not getattr(action, "use_effect", True) else ""
        self.tally.by_action[f"{type(action).__name__}{named}{vain}"] += 1
        self.tally.successors += 1
        after = self.engine.apply(state, action)
        ours = self.other.canonical(after)
        theirs = self.other.written(self.other.apply(there, action))
        if theirs != ours:
            self._diverge("successor", state, action, *_difference(ours, theirs))
        return after

    def _diverge(
        self, what: str, state: GameState, action: Action | None, engine: object, other: object
    ) -> None:
        self.tally.divergences.append(Divergence(what, state, action, str(engine), str(other)))

    def begin(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Compare the first position of a game, and return it."""
        state = self.engine.new_game(players, rules, cards)
        theirs = self.other.written(self.other.new_game(players, rules, cards))
        self.tally.games += 1
        if theirs != (ours := self.other.canonical(state)):
            self._diverge("first position", state, None, *_difference(ours, theirs))
        return state

    def game(
        self,
        state: GameState,
        wanderer: Wanderer,
        *,
        compared: Callable[[GameState], bool] = lambda state: True,
        breadth: int = 1,
        first: Action | None = None,
    ) -> Iterator[GameState]:
        """Play on from a position to the end of the game, comparing as one goes.

        Yields the position after each step compared.  Compares what `breadth` of the legal
        actions lead to.
        """
        while True:
            actions = tuple(self.engine.legal_actions(state))
            if not actions:
                self.compare(state, actions, None)
                return
            action = first if first in actions else wanderer.choose(state, actions)
            first = None
            if compared(state):
                others = wanderer.rng.sample(actions, min(breadth - 1, len(actions)))
                state = self.compare(state, actions, action, others)
                yield state
            else:
                state = self.engine.apply(state, action)


def sampled(
    rng: random.Random, *, draws: float, plays: float = 1.0, others: float = 1.0
) -> Callable[[GameState], bool]:
    """Return a rule to compare only a share of the steps, by what is asked."""

    def is_compared(state: GameState) -> bool:
        match state.prompt:
            case DealPrompt() | DrawPrompt():
                return rng.random() < draws
            case PlayPrompt():
                return rng.random() < plays
            case _:
                return rng.random() < others

    return is_compared


# The larger run


def rounds(
    lockstep: Lockstep[P],
    wanderer: Wanderer,
    chosen: Sequence[tuple[RuleSet, int]],
    card_choice: Sequence[CardSet],
) -> Iterator[GameState]:
    """Play for ever: a whole game at each table, and positions for each character."""
    rng = wanderer.rng
    while True:
        for rules, players in chosen:
            cards = rng.choice(card_choice)
            start = lockstep.begin(players, rules, cards)
            yield from lockstep.game(start, wanderer, compared=sampled(rng, draws=0.2))
            for character in CHARACTERS:
                state = a_position(rng, rules, players, cards, character)
                first = PlayCard(character, use_effect=rng.random() < 0.7)
                moves = lockstep.game(state, wanderer, breadth=3, first=first)
                yield from islice(moves, rng.randrange(3, 20))
            for _ in range(5):
                ending = an_ending(rng, rules, players, cards)
                yield from lockstep.game(ending, wanderer)


def report(tally: Tally, seconds: float) -> str:
    """Return the summary of a run."""
    lines = [f"{tally} in {seconds:.0f} s"]
    for title, counts in (
        ("rules", tally.by_rules),
        ("prompt", tally.by_prompt),
        ("action", tally.by_action),
    ):
        lines.append(f"by {title}:")
        lines += [f"  {count:>9,}  {name}" for name, count in sorted(counts.items())]
    return "\n".join(lines)


def figures(tally: Tally, seconds: float, seed: int) -> dict[str, object]:
    """Return what a run established, as it is written down."""
    return {
        "seed": seed,
        "seconds": round(seconds),
        "games": tally.games,
        "steps": tally.steps,
        "fully": tally.fully,
        "checks": tally.checks,
        "successors": tally.successors,
        "outcomes": tally.outcomes,
        "divergences": len(tally.divergences),
        "by_rules": dict(sorted(tally.by_rules.items())),
        "by_prompt": dict(sorted(tally.by_prompt.items())),
        "by_action": dict(sorted(tally.by_action.items())),
    }


def sources() -> dict[str, object]:
    """Return the stamps of what the figures depend on."""
    return {"model": stamp(MODEL), "engine": stamp(ENGINE), "comparison": stamp(COMPARER)}


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.lockstep",
        description="Compare the engine with the formal specification, step by step.",
    )
    add = parser.add_argument
    add("--steps", type=int, help="compare so many steps: 20,000 unless --seconds is given")
    add("--seed", type=int, default=0, help="of the random generator")
    add("--seconds", type=float, help="stop after so long, whatever is compared")
    add("--players", type=int, nargs="+", choices=(2, 3, 4), default=(2, 3, 4), help="at a table")
    names = ("hans_im_glueck", "z_man", "reference_manual", "any")
    add(
        *("--rules",),
        nargs="+",
        choices=names,
        default=names,
        help="an edition, with each of its variants, or any answers to the rulings",
    )
    add(
        "--mistake",
        metavar="NAME",
        choices=[each.name for each in read_mistakes() if each.model],
        help="make a deliberate mistake of spec/mistakes in the specification, such as 'BLU-1"
        " four-are-spared', which must be noticed",
    )
    add(
        "--payments",
        type=int,
        default=4 * MOST_PAYMENTS,
        help="compare the legal actions only where there are no more payments than this",
    )
    add(
        "--against",
        type=shlex.split,
        metavar="COMMAND",
        help="another program that answers as the formal specification does",
    )
    options = parser.parse_args(arguments)
    if options.steps is None:
        options.steps = 20_000 if options.seconds is None else sys.maxsize
    return options


def tables_of(options: argparse.Namespace, rng: random.Random) -> list[tuple[RuleSet, int]]:
    """Return the tables that were asked for on the command line."""
    names = dict(zip(("hans_im_glueck", "z_man", "reference_manual"), EDITIONS, strict=True))
    wanted = {names[name].name for name in options.rules if name != "any"}
    found = [table for table in tables() if table[0].name in wanted]
    if "any" in options.rules:
        found += [(any_rules(rng, players), players) for players in (2, 3, 4) for _ in range(8)]
    rng.shuffle(found)
    return [table for table in found if table[1] in options.players]


def run(options: argparse.Namespace) -> tuple[Tally, float]:
    """Compare for as long as was asked for; return what was compared, and in how many seconds."""
    rng = random.Random(options.seed)
    chosen = tables_of(options, rng)
    card_choice = (RECONSTRUCTION, *some_card_sets(options.seed, 12))
    began = told = time.monotonic()
    models = {each.name: each.model for each in read_mistakes()}
    with Oracle(options.against or ASK_THE_MODEL, models.get(options.mistake)) as oracle:
        lockstep = Lockstep(oracle, options.payments)
        for _ in rounds(lockstep, Wanderer(rng), chosen, card_choice):
            now, tally = time.monotonic(), lockstep.tally
            if now - told > 10:
                told = now
                sys.stderr.write(f"{now - began:6.0f} s  {tally}\n")
            if tally.steps >= options.steps or now - began > (options.seconds or now):
                break
    return lockstep.tally, time.monotonic() - began


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if they disagreed, 2 if there was nobody to ask."""
    options = parse_arguments(arguments)
    if options.against is None and (reason := why_unavailable()) is not None:
        sys.stderr.write(f"{reason}\n")
        return 2
    tally, seconds = run(options)
    for divergence in tally.divergences[:20]:
        sys.stdout.write(f"{divergence}\n")
    sys.stdout.write(f"{report(tally, seconds)}\n")
    return 1 if tally.divergences else 0


if __name__ == "__main__":
    sys.exit(main())
