"""The audit of views and outcomes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, pairwise

import attrs

from valletta_rules import agenda, components, engine, errors, results
from valletta_rules.actions import sort_key
from valletta_rules.audit.impossible import Impossible
from valletta_rules.audit.positions import problems_of
from valletta_rules.rulebook.scoring import winners
from valletta_rules.state import GameState
from valletta_rules.views.view import PlayerView, determinize, need_view


def problems_of_view(view: PlayerView) -> tuple[errors.Problem, ...]:
    """Return the reasons why no game can produce a view; none if the audit finds no reason.

    The fields of `view` must have their declared types. The audit builds a position that fits the
    view and audits it. The paths of problems in this position begin with ``table`` or ``agenda``.
    Raises `TypeError` for any value that is not a view.
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
    """Convert a path in a position to the path of the same part in a view."""
    return path if path.startswith("agenda") else f"table.{path}"


def _contradictions(view: PlayerView) -> Iterator[errors.Problem]:
    """Yield problems if the viewer's seat does not exist, or if hands contradict other fields."""
    if view.seat is not None and view.seat not in range(len(view.table.players)):
        yield Impossible.NO_SUCH_SEAT.at("seat", seat=view.seat)
    for seat, player in enumerate(view.table.players):
        path, size = f"table.players[{seat}]", player.hand_size
        if (player.hand is not None) is not (seat == view.seat):
            yield Impossible.HAND_SEEN.at(f"{path}.hand")
        hand = player.shown if player.hand is None else player.hand
        if not player.shown <= player.hidden or not hand <= player.hidden:
            yield Impossible.HIDDEN_CARDS.at(f"{path}.hidden")
        elif not len(hand) <= size <= (len(player.hidden) if player.hand is None else len(hand)):
            yield Impossible.HAND_COUNTED.at(f"{path}.hand_size", found=size)


def _unfit_actions(view: PlayerView, state: GameState) -> Iterator[errors.Problem]:
    """Yield a problem if the legal actions in the view are not those of the viewer.

    Payments are checked one by one, since some positions have far more payments than a view may
    list.
    """
    prompt, listed = state.prompt, view.legal_actions
    if prompt is None or prompt.seat is None or prompt.seat != view.seat:
        fit = listed == ()
    elif isinstance(prompt, agenda.PaymentPrompt):
        fit = (
            bool(listed)
            and all(engine.check(state, action) is None for action in listed)
            and all(sort_key(one) < sort_key(other) for one, other in pairwise(listed))
        )
    else:
        fit = listed == engine.legal_actions(state)
    if not fit:
        yield Impossible.LEGAL_ACTIONS.at("legal_actions")


def problems_of_outcome(outcome: results.Outcome) -> tuple[errors.Problem, ...]:
    """Return the first problem of an outcome, for example winners that the scores do not imply."""
    return tuple(islice(_wrong_parts(outcome), 1))


def _wrong_parts(outcome: results.Outcome) -> Iterator[errors.Problem]:
    """Yield the problems of an outcome. Each check assumes that the checks before it found none."""
    if len(outcome.scores) not in components.QUOTAS:
        yield Impossible.PLAYER_COUNT.at("scores", players=len(outcome.scores))
    for seat, score in enumerate(outcome.scores):
        if score.seat != seat:
            yield Impossible.SCORE_ORDER.at(f"scores[{seat}].seat", seat=seat)
    right = winners(outcome.scores)
    if outcome.winners != right.winners:
        yield Impossible.WINNERS.at("winners", winners=right.winners, clause=right.clause)
    if outcome.clause != right.clause:
        yield Impossible.DECIDED_BY.at("clause", clause=right.clause)
