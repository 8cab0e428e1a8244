"""A bot that searches its own turn, and follows the plan that leads to the best position."""

from __future__ import annotations

import random
from typing import Final

from valletta_rules.actions import Action
from valletta_rules.bots.protocol import Plan
from valletta_rules.bots.turns import Lead, Line, State, foresee, imagine, lines, options
from valletta_rules.bots.value import Forecast, forecast_of
from valletta_rules.views.view import PlayerView, asked_seat
from valletta_rules.views.view import view as view_for

MOST_PLANS: Final = 5
"""The maximum number of plans that a bot reports."""


class PlannerBot:
    """A bot that searches its own turn with a value function (`valletta_rules.bots.value`)."""

    _most_plans = MOST_PLANS
    """The minimum number of plans that a search must return, if the turn allows so many."""

    def __init__(self, rng: random.Random, beam: int = 30) -> None:
        """Create a bot with its own random generator `rng` and the beam width `beam`.

        Raises `ValueError` for a beam below 1.
        """
        if beam < 1:
            raise ValueError(f"beam must be at least 1, not {beam}")
        self._rng, self._beam = rng, beam
        self._weighed: list[Line] = []
        self._foreseen: State | None = None

    def decide(self, view: PlayerView) -> Action:
        """Return the next action of the best plan.

        The bot searches again if the view differs from the position that the plan predicted, or if
        the plan is finished.  Raises `ValueError` if the viewer need not answer.
        """
        seat = asked_seat(view)
        if (
            self._foreseen is not None
            and len(self._weighed[0].actions) > 1
            and view_for(self._foreseen, seat) == view
        ):
            state = self._foreseen
            self._weighed = _that_go_on(self._weighed)
        else:
            state = imagine(view, self._rng)
            only = options(state)
            self._weighed = self._weigh(view, state, seat) if len(only) > 1 else []
            if not self._weighed:
                self._foreseen = None
                return only[0]
        answer = self._weighed[0].actions[0]
        self._foreseen = foresee(state, answer, seat)
        return answer

    def explain(self) -> tuple[Plan, ...]:
        """Return the best plans of the last search; empty if the last action was forced."""
        return tuple([Plan(line.actions, line.worth) for line in self._weighed[:MOST_PLANS]])

    def forecast(self, view: PlayerView) -> Forecast:
        """Return the forecast for the display and the number of players in a view."""
        return forecast_of(view.table.display, len(view.table.players))

    def _weigh(self, view: PlayerView, state: State, seat: int) -> list[Line]:
        """Return the plans from `state`, a position consistent with the view, the best first."""
        value = Lead(self.forecast(view), seat)
        return lines(state, seat, value, self._beam, self._most_plans)


def _that_go_on(plans: list[Line]) -> list[Line]:
    """Return the rest of each plan that begins with the first action of the best plan."""
    given = plans[0].actions[0]
    return [
        Line(plan.actions[1:], plan.state, plan.worth) for plan in plans if plan.actions[0] == given
    ]
