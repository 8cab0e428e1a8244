"""Judge whole games of any implementation of the rules by the formal statements.

    python -m spec.checks.statements --steps 1000000 --seed 1 --engine packed

judges which tables the implementation accepts, all worked examples, and then whole games and
constructed positions for each character.  The games use every edition and custom rule sets.  The
program prints how often the statements of each clause applied, and how often each exception was
necessary.

The exit code is 1 if a statement fails.  With `--least N`, it is also 1 if an exception was never
necessary, or if a clause applied fewer than N times and in none of its own worked examples.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count, cycle, islice, product, takewhile
from traceback import format_exc
from typing import Any, Final, Generic

import attrs

import valletta_rules as vr
from spec.checks.engines import ENGINES
from spec.checks.figures import publish
from spec.checks.random_games import (
    RandomPlayer,
    a_position,
    an_ending,
    any_rules,
    every_table,
    some_card_sets,
)
from spec.checks.rules import P, Rules
from spec.statements import Perspective, Step
from spec.statements.judge import Failure, Judge, exceptions
from spec.statements.symmetries import happened, image, symmetries, wider
from spec.statements.vocabulary import prompt_of
from valletta_rules.agenda import ChancePrompt
from valletta_rules.rulebook.scoring import track_position
from valletta_rules.specification import worked_examples
from valletta_rules.specification.clauses import Example
from valletta_rules.specification.worked_examples import action_of, position_of, variants

MOST_ERRORS: Final = 200
"""The number of errors after which the run for a mutant of an engine stops."""

MOST: Final = 64
"""The maximum number of actions to judge in each position of a worked example."""

REASONS_OF: Final = 4
"""The reason is judged for only one in this many refusals."""


@attrs.frozen
class Finding:
    """A failed statement, with the table or the position and action that it judged."""

    failure: Failure
    at: vr.GameState | str
    action: vr.Action | None = None

    def __str__(self) -> str:
        """Return a description of the failure with the details that reproduce it."""
        at = self.at if isinstance(self.at, str) else vr.position_line(self.at)
        return f"{self.failure}\n  action: {self.action}\n  at: {at}"


Reply = tuple[P, vr.GameState, tuple[vr.Event, ...]]

Part = Callable[[], Iterable[object] | None]
"""A part of a trial: a function that returns an iterator over judged positions, or judges at once
and returns `None`."""


@attrs.define(repr=False)  # a position from a mutant of the engine may have no text
class Trial(Generic[P]):
    """A run that judges games of an implementation by the formal statements, and its findings."""

    engine: Rules[P]
    rng: random.Random = attrs.field(factory=lambda: random.Random(0))
    """The random generator that selects the actions to judge."""
    judge: Judge = attrs.field(factory=Judge)
    breadth: int = 1
    """The minimum number of actions to judge in each position."""
    secrets_of: int = 1
    """Views are judged in every n-th position, and symmetries in every n-th step, where n is this
    number."""
    positions: int = 0
    """The number of positions judged so far."""
    steps: int = 0
    """The number of steps judged so far."""
    at: vr.GameState | None = None
    """The position that was judged last."""
    findings: list[Finding] = attrs.field(factory=list)
    covered: set[str] = attrs.field(factory=set)
    """The clauses that applied in at least one of their own worked examples."""

    def lay(self, players: int, rules: vr.RuleSet) -> None:
        """Judge whether the engine correctly accepts or refuses a table.

        An engine that never refuses a table is not judged.
        """
        if not self.engine.refuses:
            return
        is_laid: bool | str = False
        try:
            laid = self.engine.written(self.engine.new_game(players, rules, vr.RECONSTRUCTION))
            is_laid = (len(laid.players), laid.rules) == (players, rules)
        except self.engine.refuses:
            pass
        except Exception as error:
            is_laid = repr(error)
        self.find(self.judge.table(players, rules, is_laid), f"{players} players, {rules}")

    def find(self, failures: Iterable[Failure], at: vr.GameState | str, action: Any = None) -> None:
        """Record failed statements as findings, with the position or table and the action."""
        self.findings += [Finding(each, at, action) for each in failures]

    def position(
        self, position: P, state: vr.GameState, *, all_views: bool = False
    ) -> Sequence[vr.Action]:
        """Judge a position, and some views of it or all of them; return its legal actions."""
        self.at = state
        with self._answering(state):
            legal = list(self.engine.legal_actions(position))
        pairs = list(product((None, *state.seats), state.seats))
        number = len(pairs) if all_views else self.positions % self.secrets_of == 0
        chosen = self.rng.sample(pairs, number)
        for pair in chosen:
            perspective = Perspective(state, *pair, partial(self._view_for, pair[0]))
            if shows := self._visible_information(perspective):
                self.find(self.judge.view(perspective, shows), state)
        self.positions += 1
        check = partial(self._checked, position)
        odds = self.engine.odds(position)
        self.find(self.judge.position(state, legal, odds, check), state)
        return legal

    def _checked(self, position: P, action: vr.Action) -> bool | str:
        """Return `True` for a legal action; otherwise a clause, an error, or `False`.

        The clause of the refusal is requested only for some refusals; for the others, `False` is
        returned.
        """
        try:
            if self.engine.is_legal(position, action):
                return True
            why = None if self.rng.randrange(REASONS_OF) else self.engine.reason(position, action)
        except vr.MalformedActionError:
            return False
        except Exception as error:
            return repr(error)
        return why.clause if why else False

    @contextmanager
    def _answering(self, state: vr.GameState, action: vr.Action | None = None) -> Iterator[None]:
        """Record an exception raised in the block as a failure of the engine; raise it again."""
        try:
            yield
        except Exception as error:
            self.find(self.judge.unanswered(state, action, error), state, action)
            raise

    def _view_for(self, seat: int | None, state: vr.GameState) -> vr.PlayerView | None:
        return self.engine.view(self.engine.read(state), seat)

    def _visible_information(self, perspective: Perspective) -> Mapping[str, object]:
        """Return the information about a player that a viewer can see, or the engine's error."""
        try:
            if (view := self._view_for(perspective.viewer, perspective.state)) is None:
                return {}
            information, seat = vr.player_information(view, perspective.owner), perspective.owner
            space, tokens = track_position(information.current_points)
            return {
                **worked_examples.visible_parts(view, seat),
                "space": space,
                "tokens": tokens,
                "buildings": [each.points for each in information.buildings],
                "display": view.table.display,
                "built": view.table.players[seat].built,
                "upgraded": view.table.players[seat].upgraded,
            }
        except Exception as error:
            return {"error": error}

    def step(self, position: P, state: vr.GameState, action: vr.Action) -> tuple[P, vr.GameState]:
        """Judge the result of an action; return the engine's new position, and its `GameState`."""
        reached, after, events = self._reply(position, state, action)
        step = Step(state, action, after, events, partial(self.engine.redact, events))
        failures = self.judge.step(step)
        if self.steps % self.secrets_of == 0:
            failures += self.alike(state, action, step)
        if after.prompt is None:
            ends, outcome = events[-1:], self.engine.outcome(reached)
            if [each.outcome for each in ends if isinstance(each, vr.GameEnded)] != [outcome]:
                failures.append(Failure(("FIN-16",), "journal", repr(outcome), repr(ends)))
        self.steps += 1
        self.find(failures, state, action)
        if isinstance(after.prompt, ChancePrompt) and not isinstance(state.prompt, ChancePrompt):
            self.resolved(reached, after)
        return reached, after

    def _reply(self, position: P, state: vr.GameState, action: vr.Action) -> Reply[P]:
        """Return the engine's position after an action, its `GameState`, and the events."""
        with self._answering(state, action):
            events = tuple(self.engine.events(position, action) or ())
            reached = self.engine.apply(position, action)
            return reached, self.engine.written(reached), events

    def resolved(self, position: P, state: vr.GameState) -> None:
        """Judge the position that the engine reaches by deciding pending random events itself.

        The same outcomes, applied one by one, must be legal and lead to the same position.
        """
        with self._answering(state):
            reached = self.engine.resolved(position, self.rng)
        if reached is None:
            return
        target = self.engine.written(reached)
        while isinstance(state.prompt, ChancePrompt):
            before = state
            action = max(
                self.engine.legal_actions(position), key=partial(_leads_towards, state, target)
            )
            position, state, events = self._reply(position, state, action)
        if target != state:
            self.find(self.judge.step(Step(before, action, target, events)), before, action)

    def alike(self, state: vr.GameState, action: vr.Action, step: Step) -> Iterator[Failure]:
        """Yield violations of symmetry and monotonicity.

        In each symmetric image of the position, the step must have the symmetric result.  All
        legal actions must remain legal if a player gets more goods or effects become optional.
        """
        engine, legal = self.engine, frozenset(self.engine.legal_actions(self.engine.read(state)))
        for name, leaf in symmetries(state).items():
            position, other = engine.read(image(leaf, state)), image(leaf, action)
            if frozenset(engine.legal_actions(position)) != {image(leaf, each) for each in legal}:
                yield Failure((), name, "the same legal actions", "others")
            elif engine.written(engine.apply(position, other)) != image(leaf, step.after):
                yield Failure((), name, "the same successor", "another")
            elif happened(engine.events(position, other) or ()) != happened(
                image(leaf, step.events)
            ):
                yield Failure((), name, "the same events", "others")
        for name, richer, is_more in wider(state):
            allowed = frozenset(engine.legal_actions(engine.read(richer)))
            if not legal <= allowed or not all(map(is_more, allowed - legal)):
                yield Failure((), name, f"at least {legal}", str(allowed))

    def set_up(self, players: int, rules: vr.RuleSet) -> Iterator[vr.GameState]:
        """Judge a game until its setup is complete."""
        moves = self.game(self.begin(players, rules, vr.RECONSTRUCTION), RandomPlayer(self.rng))
        return takewhile(lambda state: state.phase is vr.Phase.SETUP, moves)

    def begin(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
        """Judge the first position of a game, and return it."""
        position = self.engine.new_game(players, rules, cards)
        state = self.engine.written(position)
        self.position(position, state)
        self.resolved(position, state)
        return state

    def game(
        self, state: vr.GameState, player: RandomPlayer, first: vr.Action | None = None
    ) -> Iterator[vr.GameState]:
        """Play a game to its end; judge each position, and some of the actions in it.

        If `first` is passed, the game begins with this action in a constructed position, and more
        actions are judged.
        """
        position, breadth = self.engine.read(state), max(3 if first else 1, self.breadth)
        while legal := self.position(position, state):
            action = first if first and first in legal else player.choose(state, legal)
            others = [each for each in legal if each != action]
            for other in self.rng.sample(others, min(breadth - 1, len(others))):
                self.step(position, state, other)
            position, state = self.step(position, state, action)
            first = None
            yield state

    def judge_example(self, example: Example) -> None:
        """Judge the positions of a worked example, and their legal actions."""
        state, texts = position_of(dict(example.given)), [*example.play]
        position = self.engine.read(state)
        while legal := self.position(position, state, all_views=bool(example.ask) and not texts):
            action = action_of(state, texts.pop(0)) if texts else None
            for other in legal if len(legal) <= MOST else self.rng.sample(legal, MOST):
                if other != action:
                    self.step(position, state, other)
            if action is None or action not in legal:
                break
            position, state = self.step(position, state, action)
        if applied(self.judge).get(example.clause):
            self.covered.add(example.clause)


def _leads_towards(state: vr.GameState, target: vr.GameState, action: vr.Action) -> bool:
    """Return whether a random outcome leads from a position towards the target."""
    match action:
        case vr.DealBuilding(code):
            return any(each.code == code for each in target.display[len(state.display) :][:1])
        case vr.DrawCard(card):
            seat: int = prompt_of(state).player
            return state.players[seat].hand.count(card) < target.players[seat].hand.count(card)
        case vr.RevealBarrel(good):
            return target.barrels[good] < state.barrels[good]
    return False


def rounds(trial: Trial[P], rng: random.Random, seed: int) -> Iterator[vr.GameState]:
    """Play games forever: whole games at each table, and games from constructed positions.

    The tables use every edition and custom rule sets, and some card sets are generated from the
    seed.  The constructed positions cover each character and the end of the game.
    """
    player, card_sets = RandomPlayer(rng), (vr.RECONSTRUCTION, *some_card_sets(seed, 12))
    chosen = [*every_table(), *((any_rules(rng, players), players) for players in (2, 3, 4) * 8)]
    rng.shuffle(chosen)
    for rules, players in cycle(chosen):
        cards = rng.choice(card_sets)
        yield from trial.game(trial.begin(players, rules, cards), player)
        for character in vr.CHARACTERS:
            state = a_position(rng, rules, players, cards, character)
            first = vr.PlayCard(character, use_effect=rng.random() < 0.7)
            yield from islice(trial.game(state, player, first), rng.randrange(3, 20))
        for _ in range(5):
            yield from trial.game(an_ending(rng, rules, players, cards), player)


def parts(trial: Trial[P], seed: int, first: str) -> Iterator[Part]:
    """Yield the parts of a trial, which judge tables, worked examples, setups and random games.

    The worked examples of the clause `first` precede those of other clauses.
    """
    tables = [*every_table()]
    yield from (partial(trial.lay, *each) for each in product(range(7), dict(tables)))
    for clause in sorted(vr.clause_ids(), key=lambda each: each != first):
        for example in vr.explain(clause).examples:
            yield from (partial(trial.judge_example, variant) for variant in variants(example))
        yield from (partial(trial.set_up, players, rules) for rules, players in tables)
        tables = []
    yield from (partial(rounds, trial, random.Random(number), seed) for number in count(seed))


def judge_everything(trial: Trial[P], seed: int, first: str = "") -> Iterator[object]:
    """Judge which tables are accepted, all worked examples and setups, then games without end.

    The worked examples of the clause `first` are judged first.  An exception of the engine is
    recorded as a failure at the position that was judged last, and ends only its part of the trial.
    """
    for part in parts(trial, seed, first):
        try:
            yield from part() or [part]
        except Exception as error:
            trial.find([Failure((), "error", "an answer", format_exc(-1))], trial.at or repr(part))
            yield error


def violated_clauses(engine: Rules[P], clause: str, most: int) -> set[str]:
    """Return the clauses that an engine violates, stopping when `clause` is one of them.

    If `clause` is empty, judging stops at the first violated clause.  It always stops after `most`
    steps and parts.  For an error, a wrong journal or a failure without a clause, the result
    contains the kind of the failure instead of a clause.
    """
    trial, violated = Trial(engine, secrets_of=20), set[str]()
    wanted, errors = {clause} if clause else {*vr.clause_ids()}, 0
    for each in islice(judge_everything(trial, 0, clause), most):
        errors += isinstance(each, Exception)
        for failure in (finding.failure for finding in trial.findings):
            is_of_clauses = failure.kind != "journal" and failure.clauses
            violated.update(failure.clauses if is_of_clauses else [failure.kind.replace(" ", "-")])
        trial.findings.clear()
        if violated & wanted or errors == MOST_ERRORS:
            break
    return violated


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if a statement fails or `--least` is not reached, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.statements", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random generator")
    parser.add_argument("--steps", type=int, default=100_000, help="the steps to judge")
    parser.add_argument("--engine", choices=ENGINES, default="python", help="the engine")
    parser.add_argument("--least", type=int, default=0, help="applications that a clause needs")
    options = parser.parse_args(arguments)
    trial = Trial(ENGINES[options.engine](), random.Random(options.seed), secrets_of=20)
    for _ in judge_everything(trial, options.seed):
        if trial.findings or trial.steps >= options.steps:
            break
    counts = applied(trial.judge)
    seldom = [each for each in counts if counts[each] < options.least and each not in trial.covered]
    idle = [pair for pair in exceptions() if options.least and not trial.judge.overruled[pair]]
    lines = [*map(str, trial.findings[:20]), *coverage(trial.judge)]
    lines += [f"{clause} applied less than {options.least} times" for clause in seldom]
    lines += [f"{over} overrides {under}, which never fails without it" for over, under in idle]
    total = f"seed {options.seed}: {trial.steps:,} steps, {trial.positions:,} positions"
    print(*lines, f"{options.engine}, {total}, {time.process_time():.0f} CPU seconds", sep="\n")
    publish(seed=options.seed, steps=trial.steps, positions=trial.positions, clauses=counts)
    return int(bool(trial.findings or seldom or idle))


def applied(judge: Judge) -> dict[str, int]:
    """Return how often the statements of each clause applied; definitions are left out."""
    counts = Counter[str]()
    for (clause, _, _), times in judge.applied.items():
        counts[clause] += times
    stated = {id for each in judge.statements if each.kind != "defines" for id in each.clauses}
    return {clause: counts[clause] for clause in sorted(stated)}


def coverage(judge: Judge) -> Iterator[str]:
    """Yield lines that show how often each clause applied and each exception was necessary."""
    tables = Counter(clause for clause, _, _ in judge.applied)
    for clause, times in applied(judge).items():
        yield f"{clause:7} applied {times:9,} times at {tables[clause]:3} kinds of table"
    for over, under in exceptions():
        yield f"{over} overrode a failing {under} {judge.overruled[over, under]:,} times"


if __name__ == "__main__":
    sys.exit(main())
