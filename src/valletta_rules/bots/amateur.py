"""A bot that simulates typical mistakes of people.

It searches its turn like the bot ``planner``, but it ignores some actions and misjudges the value
of its plans.
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
    """A bot that searches its own turn, and makes typical human mistakes when it chooses a plan."""

    def __init__(
        self,
        rng: random.Random,
        beam: int = 30,
        overlook: float = 0.1,
        hoard: float = 0.0,
        rush: float = 0.0,
        solo: float = 0.0,
    ) -> None:
        """Create a bot with the random generator `rng`, the beam width `beam`, and weaknesses.

        `overlook` is the probability that the bot ignores an action when it plans a turn.  `hoard`
        is the number of points by which the bot overestimates each good in its stock, and `rush`
        the number of points by which it overestimates each of its houses.  `solo` is the share of
        the opponents' points that it ignores.  Raises `ValueError` for a beam below 1, or for
        `overlook` or `solo` outside 0 to 1.
        """
        super().__init__(rng, beam)
        if not (0 <= overlook <= 1 and 0 <= solo <= 1):
            raise ValueError(f"overlook and solo must be from 0 to 1, not {overlook} and {solo}")
        self._overlook, self._hoard, self._rush, self._solo = overlook, hoard, rush, solo

    def _weigh(self, view: PlayerView, state: State, seat: int) -> list[Line]:
        """Return the plans with the fewest overlooked actions, sorted by their biased values."""
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
        """Return the value that the bot assigns to a plan, including the bot's errors."""
        features, worth = read(plan.state), plan.worth
        own = features.players[seat]
        worth += self._hoard * (own.gold + own.wood + own.stone + own.brick)
        worth += self._rush * own.built.bit_count()
        if self._solo:
            points = points_of(plan.state, forecast, seat)[seat]
            worth += self._solo * (points - plan.worth)
        return worth


def points_of(state: State, forecast: Forecast, seat: int) -> Sequence[float]:
    """Return each player's expected points, computed by the native backend if possible."""
    if native_search.can_search(state, forecast):
        return native_search.expected_points(state, forecast, seat)  # type: ignore[arg-type]
    return forecast.points(read(state), seat)
