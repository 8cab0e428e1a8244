"""The adviser: what each answer to a question is worth, from what its seat knows.

It is the search of ``planner``: each answer is followed by the best rest of the turn that it finds,
and the position at the end is valued.  Nothing hidden is used, and nothing is drawn at random, so
the same view gets the same advice wherever it is asked.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.analysis.chances import chances_to_win
from valletta_rules.analysis.value_parts import Parts, Prospects, compare
from valletta_rules.bots.features import read
from valletta_rules.bots.turns import Lead, Line, State, foresee, imagine, lines, options
from valletta_rules.bots.value import Forecast, expected, forecast_of
from valletta_rules.components import Value
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.views.view import PlayerView

BEAM: Final = 30
"""How many positions the search keeps after each card, as ``planner`` does."""

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


def follow(state: State, action: Action, lead: Lead) -> Line:
    """Return the best line of a turn that begins with an answer."""
    end = foresee(state, action, lead.seat)
    if end.prompt is None or end.prompt.seat != lead.seat:
        return Line((action,), end, lead(end))
    best, *_ = lines(end, lead.seat, lead, BEAM, keep=1)
    return attrs.evolve(best, actions=(action, *best.actions))


def weighed(line: Line, lead: Lead) -> Weighed:
    """Return the answer that a line begins with."""
    prospects = lead.forecast.outlooks(read(line.state), lead.seat)
    action, *plan = line.actions
    chance = chances_after(line.state, prospects, lead.seat)[lead.seat]
    return Weighed(action, tuple(plan), line.worth, chance, prospects)


def chances_after(state: State, prospects: Prospects, seat: int | None) -> tuple[float, ...]:
    """Return each player's chance to win in a position; if a seat is given, after its turn."""
    if (ended := outcome(state)) is not None:
        won = [each in ended.winners for each in range(len(prospects))]
        return tuple([each / len(ended.winners) for each in won])
    active = read(state).active
    mover = (active + 1) % len(prospects) if active == seat else active
    points = [expected(each) for each in prospects]
    return chances_to_win(points, prospects[0].left, mover)


def advise(view: PlayerView) -> Advice:
    """Return two or three answers with their worth and reasons, the best first.

    Beside the best they are, if there are such: the answer that looks better, since it brings more
    points and goods at once; the next best; another one that is as good.  Raises `ValueError` as
    `weigh` does.
    """
    best, *others = weigh(view)
    assert view.seat is not None, "somebody is asked"
    seat, now = view.seat, forecast_for(view).outlooks(read(view), view.seat)
    equal = [each for each in others if best.lead - each.lead <= EQUAL]
    worse = others[len(equal) :]
    looks = partial(_at_once, seat=seat)
    tempting = [each for each in worse if looks(each) > looks(best)]
    named = dict.fromkeys((*sorted(tempting, key=looks)[-1:], *worse[:1], *equal[:1]))
    beside = sorted([*named][:BESIDE], key=lambda each: -each.lead)
    return Advice(
        (
            _suggestion(best, compare(now, best.prospects, seat)),
            *(
                _suggestion(each, compare(best.prospects, each.prospects, seat), each in tempting)
                for each in beside
            ),
        )
    )


def _suggestion(found: Weighed, parts: Parts, is_tempting: bool = False) -> Suggestion:
    lead, chance = round(found.lead, 3), round(found.chance, 4)
    return Suggestion(found.action, found.plan, lead, chance, parts, is_tempting)


def _at_once(found: Weighed, seat: int) -> float:
    """Return the points and goods at the end of the turn, to a player who looks no further."""
    own = found.prospects[seat]
    return own.points + AT_ONCE * sum(own.goods)
