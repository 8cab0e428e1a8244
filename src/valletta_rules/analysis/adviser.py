"""The adviser, which evaluates each answer to a prompt from the view of the seat that must answer.

Like the bot ``planner``, it continues each answer with the best actions for the rest of the turn,
and evaluates the position at the end of the turn.  Hidden information is not used.  All random
numbers have fixed seeds, so equal views and memories result in equal advice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.analysis.chances import chances_to_win
from valletta_rules.analysis.settling import Trials, near
from valletta_rules.analysis.value_parts import Parts, Prospects, compare
from valletta_rules.bots.features import read
from valletta_rules.bots.turns import Lead, Line, State, foresee, imagine, lines, options
from valletta_rules.bots.value import Forecast, expected, forecast_of
from valletta_rules.components import Value
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.views.view import PlayerView, Recollection, asked_seat

BEAM: Final = 30
"""The beam width of the search: the number of positions that are kept after each card.

The bot ``planner`` has the same default.
"""

MOST_LINES: Final = 8
"""The maximum number of lines that the search returns for each answer.

A line contains the actions from the answer to the end of the turn.
"""

MOST_OTHERS: Final = 2
"""The maximum number of suggestions in an `Advice` after the best answer."""

AT_ONCE: Final = 0.5
"""The worth of a good, in points, to a player who plans only the current turn."""

EQUAL: Final = 0.05
"""The maximum difference in lead, in points, between answers that count as equally good."""


@attrs.frozen
class Weighed(Value):
    """An answer to a prompt, and its worth to the seat that must answer."""

    action: Action
    plan: tuple[Action, ...]
    """The best actions for the rest of the turn after the answer."""
    lead: float
    """The seat's expected lead over its best opponent at the end of the game, in points."""
    chance: float
    """The seat's chance to win after the answer, from 0 to 1."""
    prospects: Prospects = attrs.field(repr=False, eq=False)
    """The outlook of each player at the end of the turn, seat by seat."""
    lines: tuple[Line, ...] = attrs.field(repr=False, eq=False)
    """The best lines of the turn that begin with the answer, the best first."""
    error: float | None = None
    """The estimated error, in points, of the difference between `lead` and the best answer's lead.
    `None` in the result of `weigh`, which runs no rollouts; 0 if `settle` needs no rollouts.
    """


@attrs.frozen
class Suggestion(Value):
    """A suggested answer to a prompt, with the reasons for it."""

    action: Action
    plan: tuple[Action, ...]
    lead: float
    chance: float
    parts: Parts
    """The parts of a change in the expected lead.  For the best answer, this is the change from now
    to the end of the turn.  For another answer, this is the loss compared with the best answer.
    """
    is_tempting: bool = False
    """Whether the answer yields more in this turn than the best answer, but a smaller lead."""
    is_equal: bool = False
    """Whether the answer is as good as the best one, within the error."""
    error: float | None = None
    """The estimated error, in points, of the difference between `lead` and the best answer's lead.
    `None` without the native backend, which runs the rollouts for the estimate.
    """


@attrs.frozen
class Advice(Value):
    """Suggested answers to a prompt, the best first: two or three, or one if there is no choice."""

    suggestions: tuple[Suggestion, ...]


def forecast_for(view: PlayerView) -> Forecast:
    """Return the forecast for the display and the number of players in a view."""
    return forecast_of(view.table.display, len(view.table.players))


def weigh(view: PlayerView, *others: Action) -> tuple[Weighed, ...]:
    """Evaluate the answers to the prompt of `view`, and return them, the best answer first.

    Of several payments, only the cheapest is evaluated.  `others` are legal answers to evaluate
    in any case.
    Raises `ValueError` unless `view` is the view of the seat that must answer.
    """
    seat = asked_seat(view)
    lead = Lead(forecast_for(view), seat)
    state = imagine(view, random.Random(0))
    answers = dict.fromkeys((*options(state), *others))
    evaluations = [weighed(follow(state, action, lead), lead) for action in answers]
    return tuple(sorted(evaluations, key=lambda each: each.lead, reverse=True))


def follow(state: State, action: Action, lead: Lead) -> tuple[Line, ...]:
    """Return the best lines of the turn that begin with `action`, the best line first."""
    end = foresee(state, action, lead.seat)
    if end.prompt is None or end.prompt.seat != lead.seat:
        return (Line((action,), end, lead(end)),)
    best = lines(end, lead.seat, lead, BEAM, keep=MOST_LINES)[:MOST_LINES]
    return tuple([attrs.evolve(each, actions=(action, *each.actions)) for each in best])


def weighed(best: Sequence[Line], lead: Lead) -> Weighed:
    """Evaluate an answer, given the best lines that begin with it, the best line first."""
    line = best[0]
    prospects = lead.forecast.outlooks(read(line.state), lead.seat)
    action, *plan = line.actions
    chance = chances_after(line.state, prospects, lead.seat)[lead.seat]
    return Weighed(action, tuple(plan), line.worth, chance, prospects, tuple(best))


def settle(
    evaluations: Sequence[Weighed], trials: Trials, *wanted: Action, force: bool = False
) -> tuple[Weighed, ...]:
    """Evaluate the best answer and the `wanted` answers by rollouts, and sort them, the best first.

    `evaluations` is the result of `weigh`, and `trials` runs the rollouts.  If `force` is true,
    rollouts are run even if no answer seems to lose points.  The result also contains each answer
    that can lead to the same end of the turn as one of these answers.

    Without the native backend, the result is `evaluations`.  If rollouts are not necessary, the
    result is `evaluations` with errors of 0.  This is the case if the game ends with the turn, if
    all lines have the same end, or if `force` is false and every wanted answer can lead to every
    end that would be compared.
    """
    every = sorted(
        (line for each in evaluations for line in each.lines), key=lambda line: -line.worth
    )
    ends = {line.state: line.worth for line in every}
    owned = [{line.state for line in each.lines} for each in evaluations if each.action in wanted]
    compared = near(ends, owned)
    if not trials.are_possible(compared):
        return tuple(evaluations)
    is_free = not force and all(own.issuperset(compared) for own in owned)
    if is_free or outcome(every[0].state) is not None or len(ends) == 1:
        return tuple([attrs.evolve(each, error=0.0) for each in evaluations])
    settled = trials.settle(compared, owned, force)
    measured = list[Weighed]()
    for each in evaluations:
        reached = [line for line in each.lines if line.state in settled]
        if reached:
            line = max(reached, key=lambda line: settled[line.state].lead)
            result = settled[line.state]
            new = attrs.evolve(weighed((line,), trials.lead), lines=each.lines)
            measured.append(
                attrs.evolve(new, lead=result.lead, chance=result.chance, error=result.error)
            )
    return tuple(sorted(measured, key=lambda each: each.lead, reverse=True))


def chances_after(state: State, prospects: Prospects, seat: int | None) -> tuple[float, ...]:
    """Return each player's chance to win in the position `state`.

    `prospects` contains the outlook of each player in `state`.  `seat` is the seat whose turn ends
    in `state`, or `None` if a turn is about to begin.
    """
    if (ended := outcome(state)) is not None:
        won = [each in ended.winners for each in range(len(prospects))]
        return tuple([each / len(ended.winners) for each in won])
    active = read(state).active
    mover = (active + 1) % len(prospects) if active == seat else active
    points = [expected(each) for each in prospects]
    return chances_to_win(points, prospects[0].left, mover)


def advise(view: PlayerView, memory: Recollection | None = None) -> Advice:
    """Return advice on a prompt: two or three answers with their worth and reasons, the best first.

    `view` is the view of the seat that must answer, and `memory` is this seat's memory of the game.
    After the best answer, the advice contains at most two of these answers: the most tempting one,
    which yields more points and goods in this turn; the best of the answers that lose points; and
    an answer that is as good as the best.  Raises `ValueError` as `weigh` does.
    """
    evaluations = weigh(view)
    assert view.seat is not None, "a seat must answer"
    seat, now = view.seat, forecast_for(view).outlooks(read(view), view.seat)
    looks = partial(_at_once, seat=seat)
    others = [each for each in evaluations if each.lines[0].state != evaluations[0].lines[0].state]
    wanted = [each.action for each in (evaluations[0], *others[:1], max(evaluations, key=looks))]
    settled = settle(evaluations, Trials(view, memory), *wanted, force=True)
    usual = next(each for each in settled if each.action == evaluations[0].action)
    is_equal = settled[0].lead - usual.lead <= (usual.error or 0.0)
    best = usual if is_equal else settled[0]  # else rollouts override the search
    others = [each for each in settled if each is not best]
    equal = [each for each in others if best.lead - each.lead <= max(EQUAL, each.error or 0.0)]
    worse = [each for each in others if each not in equal]
    tempting = [each for each in worse if looks(each) > looks(best)]
    named = dict.fromkeys((*sorted(tempting, key=looks)[-1:], *worse[:1], *equal[:1]))
    selected = sorted([*named][:MOST_OTHERS], key=lambda each: -each.lead)
    return Advice(
        (
            _suggestion(best, compare(now, best.prospects, seat)),
            *(
                attrs.evolve(
                    _suggestion(each, lacking(best.prospects, each.prospects, seat)),
                    is_tempting=each in tempting,
                    is_equal=each in equal,
                )
                for each in selected
            ),
        )
    )


def lacking(best: Prospects, other: Prospects, seat: int) -> Parts:
    """Return the parts of a seat's loss in expected lead if it does not choose the best answer.

    `best` and `other` contain the players' outlooks after the best answer and after the other one.
    The result is empty if the outlooks show no loss, even if rollouts do.
    """
    parts = compare(best, other, seat)
    return parts if sum(each.points for each in parts) < 0 else ()


def _suggestion(answer: Weighed, parts: Parts) -> Suggestion:
    lead, chance = round(answer.lead, 3), round(answer.chance, 4)
    error = None if answer.error is None else round(answer.error, 2)
    return Suggestion(answer.action, answer.plan, lead, chance, parts, error=error)


def _at_once(answer: Weighed, seat: int) -> float:
    """Return a seat's points at the end of the turn, plus half a point for each of its goods."""
    own = answer.prospects[seat]
    return own.points + AT_ONCE * sum(own.goods)
