"""Compare another implementation of the rules with the Python engine.

The formal statements judge legal actions and events (`spec.checks.statements`).  This check
compares everything that the statements do not determine: the order of the legal actions, the
reasons for refusals, the random outcomes that a seeded generator yields, and each part of a
position and of an event.

    python -m spec.checks.agreement --engine javascript --steps 10000 --seed 1

runs both implementations on the positions that `spec.checks.statements` judges: worked examples,
whole games and constructed positions.  The exit code is 1 if any answer differs.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

import valletta_rules as vr
from spec.checks.engines import ENGINES
from spec.checks.figures import publish
from spec.checks.random_games import every_action, near
from spec.checks.rules import P
from spec.checks.statements import Finding, Trial, judge_everything
from spec.statements.judge import Failure

BREADTH: Final = 12
"""The maximum number of legal actions that are applied in each position."""

MOST_CHECKED: Final = 24
"""The maximum number of actions of each sort to check in a position.

The sorts are all actions, legal actions, payments with additional goods, and payments with one good
too many or too few.
"""


MORE: Final = vr.Goods(2, 2, 2, 2)
"""Additional goods, used to find payments that the player cannot afford."""


@attrs.define
class Agreement(Trial[P]):
    """A comparison of another implementation of the rules with the Python engine."""

    breadth: int = BREADTH

    def begin(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
        """Compare the first positions of a game, and return the Python engine's position."""
        state = vr.new_game(players, rules=rules, cards=cards)
        self.compare("table", state, None, state, super().begin(players, rules, cards))
        return state

    def position(
        self, position: P, state: vr.GameState, *, all_views: bool = False
    ) -> Sequence[vr.Action]:
        """Compare both implementations in a position; return the Python engine's legal actions."""
        other, legal = self.engine, vr.legal_actions(state)
        self.positions += 1
        self.compare("legal actions", state, None, legal, tuple(other.legal_actions(position)))
        self.compare("position", state, None, state, other.written(position))
        if state.prompt is None:
            self.compare("outcome", state, None, vr.outcome(state), other.outcome(position))
        if isinstance(state.prompt, vr.ChancePrompt):
            self.chance(position, state)
        payments = [each for each in legal if isinstance(each, vr.Pay)]
        wrong = [near(self.rng, each, (1, -1)) for each in payments]
        for some in (every_action(state), unowned(state), wrong, legal):
            for action in self.rng.sample(some, min(MOST_CHECKED, len(some))):
                why = vr.check(state, action)
                self.compare("reason", state, action, why, other.reason(position, action))
                accepted = other.is_legal(position, action)
                self.compare("accepted", state, action, why is None, accepted)
        return legal

    def chance(self, position: P, state: vr.GameState) -> None:
        """Compare the probabilities of random outcomes, and the outcomes for equal seeds."""
        odds = dict(vr.chance_outcomes(state))
        self.compare("odds", state, None, odds, self.engine.odds(position))
        ours, theirs = (random.Random(self.steps) for _ in range(2))
        if (reached := self.engine.resolved(position, theirs)) is not None:
            due = vr.resolve_chance(state, ours), ours.getstate()
            actual = self.engine.written(reached), theirs.getstate()
            self.compare("chance", state, None, due, actual)

    def step(self, position: P, state: vr.GameState, action: vr.Action) -> tuple[P, vr.GameState]:
        """Compare the results of an action; return the new positions of both implementations."""
        transition, reached = vr.transition(state, action), self.engine.apply(position, action)
        self.steps += 1
        self.compare("successor", state, action, self.engine.read(transition.state), reached)
        events = tuple(self.engine.events(position, action) or ())
        self.compare("events", state, action, transition.events, events)
        return reached, transition.state

    def compare(
        self,
        subject: str,
        state: vr.GameState,
        action: vr.Action | None,
        ours: object,
        theirs: object,
    ) -> None:
        """Record a finding if the answers of the two implementations differ."""
        if ours != theirs:
            failure = Failure((), f"{subject} at {state.prompt}", str(ours), str(theirs))
            self.findings.append(Finding(failure, state, action))


def unowned(state: vr.GameState) -> Sequence[vr.Action]:
    """Return the payments that would be legal with `MORE` goods as well; empty if none is due."""
    if not isinstance(state.prompt, vr.PaymentPrompt):
        return ()
    seat = state.prompt.seat
    player = state.players[seat]
    return vr.legal_actions(state.with_player(seat, player.replace(goods=player.goods + MORE)))


def agreement(engine: str, seed: int = 0, first: str = "") -> Iterator[Agreement[object]]:
    """Compare an implementation with the Python engine until the first difference.

    The worked examples of the clause `first` are compared first.  The function yields the updated
    `Agreement` after each example and each step of a game.  An exception in the implementation
    counts as a difference.
    """
    trial = Agreement[object](ENGINES[engine](), random.Random(seed))
    for _ in judge_everything(trial, seed, first):
        yield trial
        if trial.findings:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare at least the given number of steps; return 1 if any answer differs, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.agreement", description=__doc__)
    parser.add_argument(
        "--engine", choices=ENGINES, default="packed", help="the implementation to compare"
    )
    parser.add_argument("--steps", type=int, default=20_000, help="the steps to compare")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random generator")
    options = parser.parse_args(arguments)
    trial = next(
        each
        for each in agreement(options.engine, options.seed)
        if each.findings or each.steps >= options.steps
    )
    print(*trial.findings, sep="\n", end="\n" if trial.findings else "")
    print(f"seed {options.seed}: {trial.steps:,} steps, {trial.positions:,} positions")
    publish(seed=options.seed, steps=trial.steps, positions=trial.positions)
    return int(bool(trial.findings))


if __name__ == "__main__":
    sys.exit(main())
