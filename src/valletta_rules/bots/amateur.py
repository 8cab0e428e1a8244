"""A bot that makes the mistakes of people: it overlooks, hoards, rushes, and plays for itself.

It searches its turn as the planner does, and then chooses among the plans as a person might.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import attrs

from valletta_rules.bots import native_search
from valletta_rules.bots.features import read
from valletta_rules.bots.planner import PlannerBot
from valletta_rules.bots.turns import Lead, Line, State, lines
from valletta_rules.bots.value import Forecast
from valletta_rules.views.view import PlayerView


class AmateurBot(PlannerBot):
    """Search of its own turn, and a choice with human errors."""

    def __init__(
        self,
        rng: random.Random,
        beam: int = 30,
        overlook: float = 0.1,
        hoard: float = 0.0,
        rush: float = 0.0,
        solo: float = 0.0,
    ) -> None:
        """Set the beam width after each card, and the weaknesses.

        With the probability `overlook` it does not consider an action during a whole turn.  It
        values each good that it keeps `hoard` points too high, and each of its houses `rush` points
        too high; `solo` is the share of the opponents' points that it ignores.  Raises `ValueError`
        for a beam below 1, or a share outside 0 to 1.
        """
        super().__init__(rng, beam)
        if not (0 <= overlook <= 1 and 0 <= solo <= 1):
            raise ValueError("overlook and solo are shares, from 0 to 1")
        self._overlook, self._hoard, self._rush, self._solo = overlook, hoard, rush, solo

    def _weigh(self, view: PlayerView, state: State, seat: int) -> list[Line]:
        """Return the plans that the bot considers, its favourite first."""
        forecast, rng = self.forecast(view), self._rng
        plans = lines(state, seat, Lead(forecast, seat), self._beam)
        met = sorted({action for plan in plans for action in plan.actions}, key=repr)
        unseen = {action for action in met if rng.random() < self._overlook}
        missed = [len(unseen.intersection(plan.actions)) for plan in plans]
        fewest = min(missed)
        liked = [
            attrs.evolve(plan, worth=self._likes(plan, forecast, seat))
            for plan, count in zip(plans, missed, strict=True)
            if count == fewest
        ]
        return sorted(liked, key=lambda plan: plan.worth, reverse=True)

    def _likes(self, plan: Line, forecast: Forecast, seat: int) -> float:
        """Return the value of a plan as it appears to the bot."""
        features, worth = read(plan.state), plan.worth
        own = features.players[seat]
        worth += self._hoard * (own.gold + own.wood + own.stone + own.brick)
        worth += self._rush * own.built.bit_count()
        if self._solo:
            points = points_of(plan.state, forecast, seat)[seat]
            worth += self._solo * (points - plan.worth)
        return worth


def points_of(state: State, forecast: Forecast, seat: int) -> Sequence[float]:
    """Return the expected points of each player, by the native backend if it can."""
    if native_search.can_search(state, forecast):
        return native_search.expected_points(state, forecast, seat)  # type: ignore[arg-type]
    return forecast.points(read(state), seat)
