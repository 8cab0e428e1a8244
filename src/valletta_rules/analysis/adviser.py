"""The adviser: what each answer to a question is worth, from what its seat knows.

It is the search of ``planner``: each answer is followed by the best rest of the turn that it finds,
and the position at the end is valued.  Nothing hidden is used, and nothing is drawn at random, so
the same view gets the same advice wherever it is asked.
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
from valletta_rules.views.view import PlayerView, Recollection

BEAM: Final = 30
"""How many positions the search keeps after each card, as ``planner`` does."""

KEPT: Final = 8
"""How many lines of a turn are kept for each answer."""

BESIDE: Final = 2
"""How many answers are named beside the best."""

AT_ONCE: Final = 0.5
"""About how many points a good seems to be worth."""

EQUAL: Final = 0.05
"""Answers that differ by no more points are equally good."""


@attrs.frozen
class Weighed(Value):
    """An answer, and what it is worth to the seat that gives it."""

    action: Action
    plan: tuple[Action, ...]
    """Its best continuation within the turn."""
    lead: float
    """The expected lead in points over the best opponent, at the end of the game."""
    chance: float
    """The chance to win."""
    prospects: Prospects = attrs.field(repr=False, eq=False)
    """What that rests on: the outlooks of all players at the end of the turn."""
    lines: tuple[Line, ...] = attrs.field(repr=False, eq=False)
    """The best lines of the turn that begin with the answer, the best first."""
    error: float | None = None
    """How far the distance from the best answer may be off, in points, by rollouts; `None` if the
    search of the turn alone tells it.
    """


@attrs.frozen
class Suggestion(Value):
    """An answer of an advice, and why."""

    action: Action
    plan: tuple[Action, ...]
    lead: float
    chance: float
    parts: Parts
    """For the best answer, what the rest of the turn adds to the lead; for another one, what it
    brings and lacks beside the best."""
    is_tempting: bool = False
    """Whether it brings more points and goods at once than the best answer."""
    is_equal: bool = False
    """Whether it is about as good as the best answer, as far as can be told."""
    error: float | None = None
    """How far its distance from the best answer may be off, in points, by rollouts; `None` if the
    search of the turn alone tells it, for want of the native backend.
    """


@attrs.frozen
class Advice(Value):
    """Two or three answers to a question, the best first; one if there is no choice."""

    suggestions: tuple[Suggestion, ...]


def forecast_for(view: PlayerView) -> Forecast:
    """Return the forecast for the game of a view."""
    return forecast_of(view.table.display, len(view.table.players))


def weigh(view: PlayerView, *others: Action) -> tuple[Weighed, ...]:
    """Return the answers to the question of a view, the best first.

    Of payments only the cheapest is weighed, and `others` beside it.  The view is that of the seat
    which is asked; `ValueError` is raised for any other.
    """
    if view.seat is None or not view.is_asked:
        raise ValueError("advice is for the seat that is asked")
    lead = Lead(forecast_for(view), view.seat)
    state = imagine(view, random.Random(0))
    answers = dict.fromkeys((*options(state), *others))
    found = [weighed(follow(state, action, lead), lead) for action in answers]
    return tuple(sorted(found, key=lambda each: each.lead, reverse=True))


def follow(state: State, action: Action, lead: Lead) -> tuple[Line, ...]:
    """Return the best lines of a turn that begin with an answer, the best first."""
    end = foresee(state, action, lead.seat)
    if end.prompt is None or end.prompt.seat != lead.seat:
        return (Line((action,), end, lead(end)),)
    best = lines(end, lead.seat, lead, BEAM, keep=KEPT)[:KEPT]
    return tuple([attrs.evolve(each, actions=(action, *each.actions)) for each in best])


def weighed(best: Sequence[Line], lead: Lead) -> Weighed:
    """Return the answer with which lines begin, the best of them first."""
    line = best[0]
    prospects = lead.forecast.outlooks(read(line.state), lead.seat)
    action, *plan = line.actions
    chance = chances_after(line.state, prospects, lead.seat)[lead.seat]
    return Weighed(action, tuple(plan), line.worth, chance, prospects, tuple(best))


def settle(
    found: Sequence[Weighed], trials: Trials, *wanted: Action, is_told: bool = False
) -> tuple[Weighed, ...]:
    """Return the best answer, and those wanted, with leads and chances by rollouts.

    Takes the answers as `weigh` returns them, the rollouts, and whether the leads are told even if
    nothing seems to be lost.  Answers that can lead to the same end are equal.  The answers come
    back as they are if rollouts are not possible, and with no error if they have nothing to settle:
    the game is over with the turn, or one answer is wanted, which can lead to each good end.
    """
    every = sorted((line for each in found for line in each.lines), key=lambda line: -line.worth)
    ends = {line.state: line.worth for line in every}
    owned = [{line.state for line in each.lines} for each in found if each.action in wanted]
    compared = near(ends, owned)
    if not trials.are_possible(compared):
        return tuple(found)
    is_free = not is_told and all(own.issuperset(compared) for own in owned)
    if is_free or outcome(every[0].state) is not None or len(ends) == 1:
        return tuple([attrs.evolve(each, error=0.0) for each in found])
    settled = trials.settle(compared, owned, is_told)
    measured = list[Weighed]()
    for each in found:
        reached = [line for line in each.lines if line.state in settled]
        if reached:
            line = max(reached, key=lambda line: settled[line.state].lead)
            told = settled[line.state]
            new = attrs.evolve(weighed((line,), trials.lead), lines=each.lines)
            measured.append(attrs.evolve(new, lead=told.lead, chance=told.chance, error=told.error))
    return tuple(sorted(measured, key=lambda each: each.lead, reverse=True))


def chances_after(state: State, prospects: Prospects, seat: int | None) -> tuple[float, ...]:
    """Return each player's chance to win in a position; if a seat is given, after its turn."""
    if (ended := outcome(state)) is not None:
        won = [each in ended.winners for each in range(len(prospects))]
        return tuple([each / len(ended.winners) for each in won])
    active = read(state).active
    mover = (active + 1) % len(prospects) if active == seat else active
    points = [expected(each) for each in prospects]
    return chances_to_win(points, prospects[0].left, mover)


def advise(view: PlayerView, memory: Recollection | None = None) -> Advice:
    """Return two or three answers with their worth and reasons, the best first.

    Takes the view of the seat that must answer, and its memory of the game, if it has one.  After
    the best answer come, if they exist: the answer that looks better, since it brings more points
    and goods at once; the next best; one that is as good.  Raises `ValueError` as `weigh` does.
    """
    found = weigh(view)
    assert view.seat is not None, "somebody is asked"
    seat, now = view.seat, forecast_for(view).outlooks(read(view), view.seat)
    looks = partial(_at_once, seat=seat)
    others = [each for each in found if each.lines[0].state != found[0].lines[0].state]
    wanted = [each.action for each in (found[0], *others[:1], max(found, key=looks))]
    settled = settle(found, Trials(view, memory), *wanted, is_told=True)
    usual = next(each for each in settled if each.action == found[0].action)
    is_equal = settled[0].lead - usual.lead <= (usual.error or 0.0)
    best = usual if is_equal else settled[0]  # rollouts overrule the search where they are sure
    others = [each for each in settled if each is not best]
    equal = [each for each in others if best.lead - each.lead <= max(EQUAL, each.error or 0.0)]
    worse = [each for each in others if each not in equal]
    tempting = [each for each in worse if looks(each) > looks(best)]
    named = dict.fromkeys((*sorted(tempting, key=looks)[-1:], *worse[:1], *equal[:1]))
    beside = sorted([*named][:BESIDE], key=lambda each: -each.lead)
    return Advice(
        (
            _suggestion(best, compare(now, best.prospects, seat)),
            *(
                attrs.evolve(
                    _suggestion(each, lacking(best.prospects, each.prospects, seat)),
                    is_tempting=each in tempting,
                    is_equal=each in equal,
                )
                for each in beside
            ),
        )
    )


def lacking(best: Prospects, other: Prospects, seat: int) -> Parts:
    """Return what an answer that rollouts find worse lacks, unless the forecast contradicts."""
    parts = compare(best, other, seat)
    return parts if sum(each.points for each in parts) < 0 else ()


def _suggestion(found: Weighed, parts: Parts) -> Suggestion:
    lead, chance = round(found.lead, 3), round(found.chance, 4)
    error = None if found.error is None else round(found.error, 2)
    return Suggestion(found.action, found.plan, lead, chance, parts, error=error)


def _at_once(found: Weighed, seat: int) -> float:
    """Return the points and goods at the end of the turn, to a player who looks no further."""
    own = found.prospects[seat]
    return own.points + AT_ONCE * sum(own.goods)
