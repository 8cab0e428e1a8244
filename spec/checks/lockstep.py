"""Two sets of rules in lockstep: the engine plays, and the other side is asked about its steps.

At each step compared, both name the whole set of legal actions, say of many other actions whether
they would be accepted, and make the position after the action chosen; if chance is asked, the
probabilities; at the end, the outcome.  All of it must be the same.  Payments are the exception:
where there are very many, only the position after the payment is compared.

    python -m spec.checks.lockstep --steps 50000 --seed 1

plays whole games and hand-made positions, of every edition, against the formal specification until
as many steps are compared; with ``--against COMMAND`` against another program that answers the
same questions (``spec/tools/oracle.js`` says which).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, Generic, Protocol

import attrs

from spec.checks.encoding import encode_action, encode_state
from spec.checks.figures import publish
from spec.checks.model import MODEL as ASK_THE_MODEL
from spec.checks.model import Oracle
from spec.checks.node import why_unavailable
from spec.checks.random_games import (
    RandomPlayer,
    a_position,
    an_ending,
    any_rules,
    every_action,
    every_table,
    some_card_sets,
)
from spec.checks.rules import Engine, P, Rules
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    CardSet,
    GameState,
    Pay,
    PlayCard,
    RuleSet,
)
from valletta_rules.agenda import ChancePrompt, DealPrompt, DrawPrompt, PaymentPrompt, PlayPrompt
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.goods import GOODS, ONE
from valletta_rules.rulings import EDITIONS, edition_of
from valletta_rules.specification.worked_examples import Worked

MOST_PAYMENTS: Final = 400
"""With more payments than this in a position, they are not listed."""

EVENTS_OF: Final = 25
"""One successor in this many has its events compared."""

TELL: Final = 10
"""Seconds between two reports of progress."""

ANY: Final = (*EDITIONS, "any")
"""The rules that can be chosen: an edition, with each of its variants, or any answers."""


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
    refusals: int = 0
    """Actions that both sides have refused for the same reason."""
    successors: int = 0
    """Positions after an action compared."""
    resolved: int = 0
    """Positions compared after the same numbers had answered for chance."""
    outcomes: int = 0
    """Ends of games compared."""
    by_rules: Counter[str] = attrs.field(factory=Counter)
    """Successors by rule set and number of players."""
    by_prompt: Counter[str] = attrs.field(factory=Counter)
    """Successors by type of prompt."""
    by_action: Counter[str] = attrs.field(factory=Counter)
    """Successors by type of action, and what it names."""
    named: set[tuple[str, str]] = attrs.field(factory=set)
    """The clauses named by events, refusals and outcomes, each after rule set and players."""
    shown: set[str] = attrs.field(factory=set)
    """The clauses of which worked examples were compared."""
    divergences: list[Divergence] = attrs.field(factory=list)
    """Where they disagreed."""

    @classmethod
    def together(cls, tallies: Iterable[Tally]) -> Tally:
        """Return the sums of several counts."""
        whole = cls()
        for tally in tallies:
            for name, value in attrs.asdict(tally, recurse=False).items():
                before = getattr(whole, name)
                setattr(whole, name, before | value if isinstance(value, set) else before + value)
        return whole

    @property
    def clauses(self) -> set[str]:
        """The clauses that were met in one way or another."""
        return self.shown | {clause for _, clause in self.named}

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.steps:,} steps compared, {self.fully:,} of them with the whole set of legal"
            f" actions; {self.checks:,} single actions, {self.successors:,} successors,"
            f" {self.outcomes:,} outcomes; {len(self.divergences):,} divergences"
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


@lru_cache
def _table(rules: RuleSet, players: int) -> str:
    return f"{rules}, {players} players"


@lru_cache
def _play(action: PlayCard) -> str:
    return f"PlayCard {action.character}{'' if action.use_effect else ' in vain'}"


def _kind(action: Action) -> str:
    return _play(action) if type(action) is PlayCard else type(action).__name__


def near(payments: Sequence[Action]) -> tuple[Action, ...]:
    """Return payments of one good more or less than some others."""
    return tuple(
        Pay(changed)
        for payment in payments
        if isinstance(payment, Pay)
        for good in GOODS
        for changed in (payment.goods + ONE[good], payment.goods - ONE[good])
        if min(changed) >= 0
    )


@attrs.define
class Lockstep(Generic[P]):
    """The engine and another side, step by step."""

    other: Rules[P]
    most_payments: int = MOST_PAYMENTS
    tally: Tally = attrs.field(factory=Tally)
    sparing: int = 1
    """One step in this many is also compared in chances and possibly illegal actions."""
    asked: int | None = None
    """How many of those actions are tried at such a step, picked at random; `None` for all."""
    rng: random.Random = attrs.field(factory=lambda: random.Random(0))
    """What picks them."""
    engine: Engine = attrs.field(factory=Engine)

    def compare(
        self, state: GameState, actions: Sequence[Action], followed: Sequence[Action]
    ) -> list[GameState]:
        """Compare a position's legal actions, and what some of them lead to.

        Returns what the engine makes of those.
        """
        tally, there, table = self.tally, self.other.read(state), self._table(state)
        is_thorough = tally.steps % self.sparing == 0
        tally.steps += 1
        if not isinstance(state.prompt, PaymentPrompt) or len(actions) <= self.most_payments:
            self._compare_actions(state, there, actions)
            if is_thorough:
                self._compare_single(state, there, actions)
        if is_thorough and isinstance(state.prompt, ChancePrompt):
            self._compare_chance(state, there)
        if state.prompt is None:
            tally.outcomes += 1
            result, found = self.engine.outcome(state), self.other.outcome(there)
            if found != result or result is None:
                self._diverge("outcome", state, None, result, found)
            else:
                tally.named.add((table, result.clause))
        count = len(followed)
        tally.by_rules[table] += count
        tally.by_prompt[type(state.prompt).__name__ if state.prompt else "the end"] += count
        tally.by_action.update(map(_kind, followed))
        return [self._follow(state, there, action) for action in followed]

    def _table(self, state: GameState) -> str:
        return _table(state.rules, len(state.players))

    def _compare_actions(self, state: GameState, there: P, ours: Sequence[Action]) -> None:
        """Compare what is listed."""
        self.tally.fully += 1
        theirs = self.other.legal_actions(there)
        if self.other.in_order and ours == theirs:
            return
        if len(set(ours)) != len(ours):
            self._diverge("a legal action named twice", state, None, ours, "")
        if frozenset(ours) != frozenset(theirs):
            engine, other = (
                sorted(map(repr, frozenset(one) - frozenset(two)))
                for one, two in ((ours, theirs), (theirs, ours))
            )
            self._diverge("legal actions", state, None, engine, other)
        elif self.other.in_order:
            self._diverge("order of legal actions", state, None, ours, theirs)

    def _compare_single(self, state: GameState, there: P, actions: Sequence[Action]) -> None:
        """Compare what is accepted action by action, and why others are not."""
        others = every_action(state)
        if isinstance(state.prompt, PaymentPrompt):
            others += near(self.rng.sample(actions, min(9, len(actions))))
        if self.asked is not None:
            others = tuple(self.rng.sample(others, self.asked))
            actions = self.rng.sample(actions, min(self.asked, len(actions)))
        for action in (*actions, *others):
            self._compare_check(state, there, action)

    def _compare_check(self, state: GameState, there: P, action: Action) -> None:
        """Compare whether an action is accepted, and why it is not."""
        self.tally.checks += 1
        accepted = self.engine.is_legal(state, action)
        if accepted is not self.other.is_legal(there, action):
            said = ("accepted", "refused") if accepted else ("refused", "accepted")
            self._diverge("an action", state, action, *said)
        elif not accepted and (theirs := self.other.reason(there, action)) is not None:
            if (ours := self.engine.reason(state, action)) != theirs:
                self._diverge("reason of a refusal", state, action, ours, theirs)
            self.tally.refusals += 1
            self.tally.named.add((self._table(state), theirs.clause))

    def _compare_chance(self, state: GameState, there: P) -> None:
        """Compare how probable the answers of chance are, and what numbers make of them."""
        odds, theirs = self.engine.odds(state), self.other.odds(there)
        if theirs is not None and odds != theirs:
            self._diverge("odds", state, None, odds, theirs)
        seed = self.rng.random()
        one, two = random.Random(seed), random.Random(seed)
        if (reached := self.other.resolved(there, two)) is not None:
            ours = self.engine.resolved(state, one)
            self.tally.resolved += 1
            if not self.other.agrees(reached, ours) or one.getstate() != two.getstate():
                self._diverge_at("position after chance", state, None, ours, reached)

    def _follow(self, state: GameState, there: P, action: Action) -> GameState:
        """Compare what an action leads to."""
        tally = self.tally
        tally.successors += 1
        after = self.engine.apply(state, action)
        reached = self.other.apply(there, action)
        if not self.other.agrees(reached, after):
            self._diverge_at("successor", state, action, after, reached)
        if tally.successors % EVENTS_OF == 0:
            table = self._table(state)
            ours, theirs = self.engine.told(state, action), self.other.told(there, action)
            if theirs is not None and theirs != ours:
                self._diverge("events", state, action, ours, theirs)
            for event in ours:
                if (clause := getattr(event, "clause", None)) is not None:
                    tally.named.add((table, clause))
        return after

    def _diverge_at(
        self, what: str, state: GameState, action: Action | None, ours: GameState, theirs: P
    ) -> None:
        canonical = self.other.canonical(ours)
        self._diverge(what, state, action, *_difference(canonical, self.other.written(theirs)))

    def _diverge(
        self, what: str, state: GameState, action: Action | None, engine: object, other: object
    ) -> None:
        self.tally.divergences.append(Divergence(what, state, action, str(engine), str(other)))

    def begin(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Compare the first position of a game, and return it."""
        state = self.engine.new_game(players, rules, cards)
        theirs = self.other.new_game(players, rules, cards)
        self.tally.games += 1
        if not self.other.agrees(theirs, state):
            self._diverge_at("first position", state, None, state, theirs)
        return state

    def show(self, worked: Worked, breadth: int) -> None:
        """Compare all that leads to the end of a worked example, and what lies beside the way."""
        for state, action in worked.steps():
            self._compare_check(state, self.other.read(state), action)
            self._compare_some(state, self.engine.legal_actions(state), action, breadth)
        end = worked.after
        self._compare_some(end, self.engine.legal_actions(end), None, breadth)
        self.tally.shown.add(worked.example.clause)

    def _compare_some(
        self, state: GameState, actions: Sequence[Action], wanted: Action | None, breadth: int
    ) -> GameState:
        """Compare what some of the legal actions lead to, the one wanted among them.

        Returns what that one leads to, or the position itself if it is not legal.
        """
        followed = actions
        if len(actions) > breadth:
            others = [each for each in actions if each != wanted]
            followed = [each for each in actions if each == wanted]
            followed += self.rng.sample(others, breadth - len(followed))
        reached = self.compare(state, actions, followed)
        return reached[followed.index(wanted)] if wanted in followed else state

    def game(
        self,
        state: GameState,
        wanderer: RandomPlayer,
        *,
        compared: Callable[[GameState], bool] = lambda state: True,
        breadth: int = 1,
        first: Action | None = None,
    ) -> Iterator[GameState]:
        """Play on from a position to the end of the game, comparing as one goes.

        Yields the position after each step compared.  Compares what `breadth` of the legal
        actions lead to.
        """
        while actions := self.engine.legal_actions(state):
            action, first = first, None
            if action is None or action not in actions:
                action = wanderer.choose(state, actions)
            if compared(state):
                state = self._compare_some(state, actions, action, breadth)
                yield state
            else:
                state = self.engine.apply(state, action)
        self.compare(state, (), ())


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


class Games(Protocol):
    """Something that plays games and looks at each of their positions."""

    def begin(self, players: int, rules: RuleSet, cards: CardSet) -> GameState:
        """Return the first position of a game."""

    def game(
        self,
        state: GameState,
        wanderer: RandomPlayer,
        *,
        compared: Callable[[GameState], bool] = ...,
        breadth: int = ...,
        first: Action | None = ...,
    ) -> Iterator[GameState]:
        """Play on from a position to the end of the game, and yield each position."""


def rounds(
    lockstep: Games,
    rng: random.Random,
    chosen: Sequence[tuple[RuleSet, int]],
    *,
    seed: int,
    compared: Callable[[GameState], bool] = lambda state: True,
    breadth: int = 1,
) -> Iterator[GameState]:
    """Play for ever: a whole game at each table, and positions for each character.

    Takes the seed of the card sets; yields the positions as `Lockstep.game` does.
    """
    wanderer, card_choice = RandomPlayer(rng), (RECONSTRUCTION, *some_card_sets(seed, 12))
    while True:
        for rules, players in chosen:
            cards = rng.choice(card_choice)
            start = lockstep.begin(players, rules, cards)
            yield from lockstep.game(start, wanderer, compared=compared, breadth=breadth)
            for character in CHARACTERS:
                state = a_position(rng, rules, players, cards, character)
                first = PlayCard(character, use_effect=rng.random() < 0.7)
                moves = lockstep.game(state, wanderer, breadth=max(3, breadth), first=first)
                yield from islice(moves, rng.randrange(3, 20))
            for _ in range(5):
                ending = an_ending(rng, rules, players, cards)
                yield from lockstep.game(ending, wanderer, breadth=breadth)


def go_on(
    tally: Tally, moves: Iterable[object], is_enough: Callable[[], bool], seconds: float
) -> Tally:
    """Play until enough is compared or the time is up, and report progress now and then."""
    began = told = time.monotonic()
    for _ in moves:
        if (now := time.monotonic()) - told > TELL:
            told = now
            sys.stderr.write(f"{now - began:6.0f} s  {tally}\n")
        if is_enough() or now - began > seconds:
            break
    return tally


def figures(tally: Tally, seconds: float, seed: int) -> dict[str, object]:
    """Return the figures of a run."""
    fields = attrs.asdict(tally, recurse=False)
    return {
        "seed": seed,
        "seconds": round(seconds),
        **{name: value for name, value in fields.items() if isinstance(value, int)},
        "divergences": len(tally.divergences),
        **{
            name: dict(sorted(value.items()))
            for name, value in fields.items()
            if isinstance(value, Counter)
        },
        "clauses_by_rules": dict(sorted(Counter(table for table, _ in tally.named).items())),
        "clauses": sorted(tally.clauses),
    }


def parser_of(name: str, description: str) -> argparse.ArgumentParser:
    """Return a parser of what every comparison can be told."""
    parser = argparse.ArgumentParser(prog=f"python -m spec.checks.{name}", description=description)
    add = parser.add_argument
    add(
        "--seconds",
        type=float,
        default=math.inf,
        help="stop after this many seconds, however much is compared",
    )
    add("--seed", type=int, default=0, help="the seed of the random generator")
    return parser


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = parser_of(
        "lockstep", "Compare the engine with the formal specification, step by step."
    )
    add = parser.add_argument
    add("--steps", type=int, help="the steps to compare: 20,000 unless --seconds is given")
    add("--players", type=int, nargs="+", choices=(2, 3, 4), default=(2, 3, 4), help="at a table")
    text = "an edition, with each of its variants, or any answers to the rulings"
    add("--rules", nargs="+", choices=ANY, default=ANY, help=text)
    add(
        "--against",
        type=shlex.split,
        metavar="COMMAND",
        help="another program that answers as the formal specification does",
    )
    options = parser.parse_args(arguments)
    if options.steps is None:
        options.steps = 20_000 if options.seconds == math.inf else sys.maxsize
    return options


def tables_of(
    rng: random.Random, names: Collection[str] = ANY, numbers: Collection[int] = (2, 3, 4)
) -> list[tuple[RuleSet, int]]:
    """Return the tables of some editions and numbers of players, in any order."""
    found = [table for table in every_table() if edition_of(table[0]) in names]
    if "any" in names:
        found += [(any_rules(rng, players), players) for players in (2, 3, 4) for _ in range(8)]
    rng.shuffle(found)
    return [table for table in found if table[1] in numbers]


def run(options: argparse.Namespace) -> Tally:
    """Compare for as long as was asked for; return what was compared."""
    rng = random.Random(options.seed)
    with Oracle(options.against or ASK_THE_MODEL) as oracle:
        lockstep, some = Lockstep(oracle, 4 * MOST_PAYMENTS), sampled(rng, draws=0.2)
        chosen, tally = tables_of(rng, options.rules, options.players), lockstep.tally
        moves = rounds(lockstep, rng, chosen, seed=options.seed, compared=some)
        return go_on(tally, moves, lambda: tally.steps >= options.steps, options.seconds)


def conclude(
    tally: Tally, seed: int, seconds: float, missed: Collection[str] = (), **more: int
) -> int:
    """Print what a run has compared, and publish its figures.

    Returns 1 if the sides disagreed or clauses were missed, else 0.
    """
    for divergence in tally.divergences[:20]:
        sys.stdout.write(f"{divergence}\n")
    if missed:
        sys.stdout.write(f"never met: {', '.join(sorted(missed))}\n")
    found = figures(tally, seconds, seed) | more
    counts = {name: each for name, each in found.items() if name.startswith("by_")}
    sys.stdout.write(f"{json.dumps(counts, indent=1)}\n{tally} in {seconds:.0f} s\n")
    publish(**found)
    return int(bool(tally.divergences or missed))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command: the exit code is 1 if they disagreed, 2 if the model cannot be asked."""
    options = parse_arguments(arguments)
    if options.against is None and (reason := why_unavailable()) is not None:
        sys.stderr.write(f"{reason}\n")
        return 2
    began = time.monotonic()
    tally = run(options)
    return conclude(tally, options.seed, time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main())
