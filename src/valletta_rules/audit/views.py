"""What is impossible about what is seen of a position, and about an outcome."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import attrs

from valletta_rules.actions import sort_key
from valletta_rules.agenda import (
    PaymentPrompt,
)
from valletta_rules.audit.codes import Impossible
from valletta_rules.audit.positions import problems_of
from valletta_rules.components.display import QUOTAS
from valletta_rules.engine import check, legal_actions
from valletta_rules.errors import Problem, problem
from valletta_rules.outcome import Outcome
from valletta_rules.rulebook.scoring import winners
from valletta_rules.state import GameState
from valletta_rules.views.view import PlayerView, determinize, need_view


def problems_of_view(view: PlayerView) -> tuple[Problem, ...]:
    """Return what is impossible about a view: what contradicts itself, or every position.

    Takes a view whose fields have the types declared.  It is compared with a position that agrees
    with it, so that the paths of what is found there begin with ``table`` or ``agenda``.
    Raises `TypeError` for what is no view.
    """
    need_view(view)
    if problems := tuple(_contradictions(view)):
        return problems
    state = determinize(view, random.Random(0))
    if problems := problems_of(state):
        return tuple(
            attrs.evolve(problem, path=_in_view(problem.path)) if problem.path else problem
            for problem in problems
        )
    return tuple(_unfit_actions(view, state))


def _in_view(path: str) -> str:
    """Return where in a view a part of a position is seen."""
    return path if path.startswith("agenda") else f"table.{path}"


def _contradictions(view: PlayerView) -> Iterator[Problem]:
    """Find a viewer who is not there, and hands that cannot be drawn from the hidden cards."""
    if view.seat is not None and view.seat not in range(len(view.table.players)):
        yield problem(
            "seat", Impossible.NO_SUCH_SEAT, f"there is no seat {view.seat}", seat=view.seat
        )
    for seat, player in enumerate(view.table.players):
        path = f"table.players[{seat}]"
        if (player.hand is not None) is not (seat == view.seat):
            yield problem(
                f"{path}.hand", Impossible.HAND_SEEN, "a player sees his own hand, and no other"
            )
        hand = player.shown if player.hand is None else player.hand
        if not player.shown <= player.hidden or not hand <= player.hidden:
            yield problem(
                f"{path}.hidden", Impossible.HIDDEN_CARDS, "cards of the hand are not among them"
            )
        elif not len(hand) <= player.hand_size <= len(player.hidden):
            yield problem(
                f"{path}.hand_size",
                Impossible.HAND_SIZE,
                f"this hand cannot hold {player.hand_size} cards",
                found=player.hand_size,
            )
        elif player.hand is not None and len(player.hand) != player.hand_size:
            yield problem(
                f"{path}.hand_size",
                Impossible.HAND_SIZE,
                f"this hand holds {len(player.hand)} cards",
                found=len(player.hand),
            )


def _unfit_actions(view: PlayerView, state: GameState) -> Iterator[Problem]:
    """Find legal actions that are not those of the viewer.

    Payments are checked one by one: some positions have far more of them than a view may list.
    """
    prompt, listed = state.prompt, view.legal_actions
    if prompt is None or prompt.seat is None or prompt.seat != view.seat:
        fit = listed == ()
    elif isinstance(prompt, PaymentPrompt):
        fit = (
            bool(listed)
            and all(check(state, action) is None for action in listed)
            and all(sort_key(one) < sort_key(other) for one, other in pairwise(listed))
        )
    else:
        fit = listed == legal_actions(state)
    if not fit:
        yield problem(
            "legal_actions", Impossible.LEGAL_ACTIONS, "these are not the viewer's legal actions"
        )


def problems_of_outcome(outcome: Outcome) -> tuple[Problem, ...]:
    """Return what is impossible about an outcome: winners that the scores do not make so."""
    if len(outcome.scores) not in QUOTAS:
        message = f"Valletta is for 2, 3 or 4 players, not {len(outcome.scores)}"
        return (
            problem(
                "scores", Impossible.PLAYER_COUNT, message, "SET-1", players=len(outcome.scores)
            ),
        )
    for seat, score in enumerate(outcome.scores):
        if score.seat != seat:
            return (
                problem(
                    f"scores[{seat}].seat",
                    Impossible.SCORE_ORDER,
                    f"must be {seat}, for this is its line",
                    seat=seat,
                ),
            )
    right = winners(outcome.scores)
    if outcome.winners != right.winners:
        return (
            problem(
                "winners",
                Impossible.WINNERS,
                "these scores make others win",
                right.clause,
                winners=right.winners,
            ),
        )
    if outcome.clause != right.clause:
        return (
            problem(
                "clause",
                Impossible.DECIDED_BY,
                f"it is {right.clause} that decides between these scores",
                clause=right.clause,
            ),
        )
    return ()
