"""A bot that continues its best plans for a few turns before it chooses one.

The plans are those of the planner.  Each is continued in several determinizations, with common
random numbers as far as possible: the others follow a fast policy, the bot's own next turns are
searched with a narrower beam, and the planner's value is taken at the end.
"""

from __future__ import annotations

import random
from statistics import fmean

import attrs

from valletta_rules.agenda import PlayPrompt
from valletta_rules.bots.planner import MOST_PLANS, PlannerBot
from valletta_rules.bots.rollout_policy import quick_answer
from valletta_rules.bots.turns import Lead, Line, State, after, imagine, lines
from valletta_rules.bots.value import Forecast
from valletta_rules.chance import resolve_chance
from valletta_rules.views.view import PlayerView
from valletta_rules.views.view import view as look


class RolloutsBot(PlannerBot):
    """Search of its own turn, then short rollouts to a value function."""

    def __init__(
        self,
        rng: random.Random,
        worlds: int = 6,
        turns: int = 1,
        plans: int = 5,
        beam: int = 30,
        narrow: int = 3,
    ) -> None:
        """Take the bot's own generator, and the effort of the search.

        The `plans` best plans, found with `beam`, are continued in `worlds` determinizations for
        `turns` of its own turns, each searched with a narrow beam.  Raises `ValueError` for values
        below 1.
        """
        super().__init__(rng, beam)
        if min(worlds, turns, plans, narrow) < 1:
            raise ValueError("worlds, turns, plans and beams must be 1 or more")
        self._worlds, self._turns, self._plans, self._narrow = worlds, turns, plans, narrow
        self._most_plans = max(MOST_PLANS, plans)

    def _weigh(self, view: PlayerView, state: State, seat: int) -> list[Line]:
        """Return the best plans, the best by rollouts first."""
        best = super()._weigh(view, state, seat)[: self._plans]
        if len(best) == 1:
            return best
        forecast = self.forecast(view)
        luck = [self._rng.getrandbits(32) for _ in range(self._worlds)]
        tried = [
            attrs.evolve(line, worth=self._try(line.state, seat, luck, forecast)) for line in best
        ]
        return sorted(tried, key=lambda line: line.worth, reverse=True)

    def _try(self, end: State, seat: int, luck: list[int], forecast: Forecast) -> float:
        """Return a seat's average lead, some turns after a position."""
        lead, seen = Lead(forecast, seat), look(end, seat)
        leads = list[float]()
        for each in luck:
            rng = random.Random(each)
            state = resolve_chance(imagine(seen, rng), rng)
            for _ in range(self._turns):
                while (prompt := state.prompt) is not None and prompt.seat != seat:
                    state = play_a_turn(state, forecast, rng)
                if prompt is not None:
                    best, *_ = lines(state, seat, lead, self._narrow, keep=1)
                    state = resolve_chance(best.state, rng)
            leads.append(lead(state))
        return fmean(leads)


def play_a_turn(state: State, forecast: Forecast, rng: random.Random) -> State:
    """Play by the rollout policy until the next turn begins, or the game is over."""
    last: PlayPrompt | None = None
    while (prompt := state.prompt) is not None:
        if isinstance(prompt, PlayPrompt):
            if last and (prompt.seat != last.seat or prompt.plays >= last.plays):
                break
            last = prompt
        state = resolve_chance(after(state, quick_answer(state, forecast, rng)), rng)
    return state
