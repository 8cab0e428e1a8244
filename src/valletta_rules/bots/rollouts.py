"""A bot that compares its best plans by rollouts.

The plans come from the search of the bot ``planner``.  All plans are continued in the same
determinizations: positions in which random hands replace the hidden ones.  These hands are
consistent with all events that the bot has received.  Random outcomes use common random numbers as
far as possible.  In a rollout, every player searches its turn with a narrow beam and its own hand.
The result of a rollout is the bot's final lead, or its expected lead if the game is not over.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import attrs

from valletta_rules.bots import native_search
from valletta_rules.bots.planner import MOST_PLANS, PlannerBot
from valletta_rules.bots.turns import Lead, Line, State, graft, imagine, lines
from valletta_rules.bots.value import Forecast
from valletta_rules.chance import resolve_chance
from valletta_rules.memory import Memory
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


class RolloutsBot(PlannerBot):
    """A bot that searches its own turn, and then compares the best plans by rollouts."""

    def __init__(
        self,
        rng: random.Random,
        worlds: int = 12,
        turns: int = 6,
        plans: int = 5,
        beam: int = 30,
        narrow: int = 3,
        threads: int = 1,
        rounds: int = 1,
    ) -> None:
        """Create a bot with its own random generator `rng` and the parameters of its search.

        `worlds` is the number of determinizations, `turns` is the number of the bot's own turns in
        a rollout, and `plans` is the number of plans that are compared.  `beam` is the beam width
        of the bot's search, and `narrow` the beam width of all players in rollouts.  The native
        backend uses `threads` threads.  `rounds` is the number of rounds of rollouts.  Each round
        after the first continues only the better half of the remaining plans, but at least two, in
        further determinizations.  Raises `ValueError` for values below 1.
        """
        super().__init__(rng, beam)
        if min(worlds, turns, plans, narrow, threads, rounds) < 1:
            raise ValueError("worlds, turns, plans, narrow, threads and rounds must be at least 1")
        self._worlds, self._plans, self._rounds = worlds, plans, rounds
        self._effort = turns, narrow, threads
        self._most_plans = max(MOST_PLANS, plans)
        self._memory: Memory | None = None

    def begin(self, view: PlayerView) -> None:
        """Start a game; `view` is the view of the initial position."""
        self._memory = Memory(view.seat)
        self._memory.begin(view)

    def see(self, event: RedactedEvent) -> None:
        """Record an event, which may restrict the possible hands of the other players."""
        if self._memory is not None:
            self._memory.see(event)

    def _weigh(self, view: PlayerView, state: State, seat: int) -> list[Line]:
        """Return the best plans, sorted by their average lead after rollouts."""
        best = super()._weigh(view, state, seat)[: self._plans]
        if len(best) == 1:
            return best
        forecast, left = self.forecast(view), len(best)
        order, samples = [*range(left)], [list[float]() for _ in best]
        for _ in range(self._rounds):
            worlds = [imagine(view, self._rng, self._memory) for _ in range(self._worlds)]
            luck = [self._rng.getrandbits(32) for _ in worlds]
            ends = [best[plan].state for plan in order[:left]]
            leads = leads_of(ends, worlds, luck, forecast, seat, *self._effort)
            for plan, more in zip(order[:left], leads, strict=True):
                samples[plan] += more
            order[:left] = sorted(order[:left], key=lambda plan: fmean(samples[plan]), reverse=True)
            left = max(2, (left + 1) // 2)
        return [attrs.evolve(best[plan], worth=fmean(samples[plan])) for plan in order]


def leads_of(
    ends: Sequence[State],
    worlds: Sequence[State],
    luck: Sequence[int],
    forecast: Forecast,
    seat: int,
    turns: int,
    narrow: int,
    threads: int = 1,
) -> list[list[float]]:
    """Run rollouts from the positions at the end of a seat's plans, and return the seat's leads.

    The result contains a list for each of `ends`, with the lead in each of `worlds`.

    `worlds` contains positions that are consistent with the seat's view.  Their hands replace the
    hidden hands in `ends`.  `luck` contains a seed for the random outcomes in each world.  `turns`
    is the number of the seat's turns in a rollout, and `narrow` is the beam width.
    """
    if all(native_search.can_search(state, forecast) for state in (*ends, *worlds)):
        packed: tuple[Any, Any] = ends, worlds
        return native_search.leads(*packed, luck, forecast, seat, turns, narrow, threads)
    return [
        [
            _lead_after(graft(end, world, seat), random.Random(each), forecast, seat, turns, narrow)
            for world, each in zip(worlds, luck, strict=True)
        ]
        for end in ends
    ]


def _lead_after(
    state: State, rng: random.Random, forecast: Forecast, seat: int, turns: int, narrow: int
) -> float:
    """Run a rollout of at most `turns` turns of a seat, and return the seat's lead at its end."""
    state = resolve_chance(state, rng)
    while (prompt := state.prompt) is not None and turns:
        assert prompt.seat is not None, "a player must answer"
        turns -= prompt.seat == seat
        best, *_ = lines(state, prompt.seat, Lead(forecast, prompt.seat), narrow, keep=1)
        state = resolve_chance(best.state, rng)
    if (end := outcome(state)) is None:
        return Lead(forecast, seat)(state)
    points = [score.total for score in end.scores]
    return float(points.pop(seat) - max(points))
