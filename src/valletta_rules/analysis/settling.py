"""Rollouts that decide which of several possible ends of a turn is best for a seat.

An *end* is a position at the end of the seat's turn.  A *world* is a set of hidden hands that is
consistent with all events that the seat knows.  Ends are compared by continuing each of them in the
same worlds, with the same random numbers.  In a rollout every player searches with a narrow beam.
One set of worlds chooses the ends to compare, and another set measures the difference between them,
so the choice does not bias the measured difference.  Only the native backend is fast enough for
rollouts.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.bots import native_search
from valletta_rules.bots.rollouts import leads_of
from valletta_rules.bots.turns import Lead, State, imagine
from valletta_rules.bots.value import forecast_of
from valletta_rules.views.view import PlayerView, Recollection

WORLDS: Final[Mapping[int, tuple[int, int]]] = MappingProxyType(
    {2: (8, 64), 3: (8, 32), 4: (8, 24)}
)
"""The numbers of worlds in the analysis of a game, keyed by the number of players: the number for
choosing end positions, and the maximum number for measuring differences.
"""

FOR_ONE: Final = (40, 160)
"""The number of worlds for choosing end positions at a prompt, and the maximum for measuring."""

ROUNDS: Final = 3
"""The maximum number of measuring rounds.  Each round after the first doubles the number of worlds.
"""

MOST: Final = 3
"""The maximum number of end positions that are compared because they are the best of all."""

OWN: Final = 2
"""The maximum number of end positions that are compared as the best of an evaluated answer."""

WITHIN: Final = 4.0
"""The maximum difference in points between a compared end position and the best of its group.

A group consists of the end positions of all answers, or of one evaluated answer.
"""

CHOOSING: Final = 1000, 1
"""The limits of rollouts that choose end positions: the seat's number of turns and the beam width.

No game has so many turns, so every rollout continues to the end of the game.
"""

MEASURING: Final = 1000, 3
"""The limits of rollouts that measure differences: the number of turns and the beam width."""

DOUBT: Final = 1.0
"""The minimum estimated loss, in points, that `Trials.settle` measures if `force` is false."""

CLEARLY: Final = 2.0, 0.2
"""The limits of `Settled.is_worse_than`: for the loss, as a multiple of its error, and for the
difference in the chance to win.
"""

SURE: Final = 2.5
"""The factor by which a standard error is multiplied; the product is `Settled.error`."""


@attrs.frozen
class Settled:
    """The results of the rollouts from a position at the end of a turn."""

    lead: float
    """The seat's mean lead at the end of the game."""
    chance: float
    """The share of worlds in which the seat wins; a lead of 0 counts as half a victory."""
    error: float
    """The error of `lost`: two and a half standard errors."""
    lost: float
    """The mean lead from the best end position minus `lead`, in points."""

    def is_worse_than(self, best: Settled) -> bool:
        """Return whether this end is clearly worse than the best end by the limits in `CLEARLY`."""
        errors, chance = CLEARLY
        return self.lost > errors * self.error and best.chance - self.chance >= chance


class Trials:
    """The rollouts from end positions of a seat's turn; their results are cached."""

    def __init__(
        self,
        view: PlayerView,
        memory: Recollection | None = None,
        seed: int = 0,
        worlds: tuple[int, int] = FOR_ONE,
    ) -> None:
        """Create the worlds for the rollouts of a turn.

        `view` is the view of the seat that must answer, `memory` is its memory of the game, and
        `seed` determines all random numbers.  `worlds` contains the number of worlds for choosing
        ends, and the maximum number of worlds for measuring.
        """
        assert view.seat is not None, "a player must answer"
        rng, players = random.Random(seed), len(view.table.players)
        self.lead = Lead(forecast_of(view.table.display, players), view.seat)
        """A function that estimates the seat's lead in a position without rollouts."""
        chosen, measured = worlds
        self._worlds = [imagine(view, rng, memory)]
        if self.are_possible(()):
            self._worlds += [imagine(view, rng, memory) for _ in range(chosen + measured - 1)]
        self._luck = [rng.getrandbits(32) for _ in self._worlds]
        bounds = [0, chosen, *(chosen + (measured >> left) for left in reversed(range(ROUNDS)))]
        self._parts = [slice(*each) for each in pairwise(bounds)]
        self._leads: dict[tuple[State, int], list[float]] = {}

    def are_possible(self, ends: Collection[State]) -> bool:
        """Return whether the native backend can continue the game from `ends`."""
        every = (*ends, *self._worlds[:1])
        return all(native_search.can_search(each, self.lead.forecast) for each in every)

    def leads(self, ends: Collection[State], part: int) -> dict[State, list[float]]:
        """Run rollouts from each of `ends` in some of the worlds; return the seat's lead in each.

        `part` selects the worlds: 0 for those used to choose ends, or *n* for those of the *n*-th
        measuring round.
        """
        if new := [end for end in ends if (end, part) not in self._leads]:
            worlds, luck = self._worlds[self._parts[part]], self._luck[self._parts[part]]
            effort = MEASURING if part else CHOOSING
            new_leads = leads_of(new, worlds, luck, self.lead.forecast, self.lead.seat, *effort)
            self._leads |= {(end, part): each for end, each in zip(new, new_leads, strict=True)}
        return {end: self._leads[end, part] for end in ends}

    def settle(
        self, compared: Collection[State], owned: Sequence[Collection[State]], force: bool = False
    ) -> dict[State, Settled]:
        """Return the results of the best end for each answer, and of the best end of all.

        `compared` contains the ends to compare.  `owned` contains, for each answer, the ends to
        which it leads.  The best ends are chosen by the rollouts and the search, with equal weight.

        If `force` is false, `owned` must contain the ends of one answer only.  Their best end is
        compared with the best end to which the answer cannot lead.  The comparison is skipped if
        the answer seems to lose less than `DOUBT` points.
        """
        leads = self.leads(compared, 0)
        worth = {end: (fmean(leads[end]) + self.lead(end)) / 2 for end in compared}
        order = sorted(compared, key=worth.__getitem__, reverse=True)
        wanted = [next(end for end in order if end in own) for own in owned]
        others = [end for end in order if force or end not in owned[0]]
        selected = [*dict.fromkeys((*others[:1], *wanted))]
        if force or worth[selected[0]] - worth[wanted[0]] >= DOUBT:
            leads = self.measure(selected)
        else:
            selected = wanted
        best = max(selected, key=lambda end: fmean(leads[end]))
        return {end: _settled(leads[best], leads[end]) for end in selected}

    def measure(self, ends: Sequence[State]) -> dict[State, list[float]]:
        """Run the measuring rounds; return the leads from each of `ends`, one for each world.

        The first of `ends` is the presumed best.  Measuring stops after a round in which every
        other end is either no worse than the first one or clearly worse.
        """
        leads: dict[State, list[float]] = {end: [] for end in ends}
        for part in range(1, ROUNDS + 1):
            for end, more in self.leads(ends, part).items():
                leads[end] += more
            first, *others = (_settled(leads[ends[0]], leads[end]) for end in ends)
            if all(each.lost <= 0 or each.is_worse_than(first) for each in others):
                break
        return leads


def near(ends: Mapping[State, float], owned: Sequence[Collection[State]]) -> tuple[State, ...]:
    """Return the ends of a turn that are worth comparing.

    `ends` maps each end to its worth according to a search of the turn, the best end first.
    `owned` contains, for each answer, the ends to which it leads.  The result contains the best of
    all ends and the best ends of each answer, except ends that are worth much less than the best in
    their group.
    """
    selected = dict[State, None]()
    for most, wanted in ((MOST, ends), *((OWN, own) for own in owned)):
        best = [end for end in ends if end in wanted][:most]
        selected |= dict.fromkeys(end for end in best if ends[end] >= ends[best[0]] - WITHIN)
    return tuple(selected)


def _settled(best: Sequence[float], leads: Sequence[float]) -> Settled:
    """Return the results of an end, given its leads and the leads of the best end in each world."""
    apart = [one - other for one, other in zip(best, leads, strict=True)]
    won = [(lead > 0) + (lead == 0) / 2 for lead in leads]
    error = SURE * stdev(apart) / len(apart) ** 0.5
    return Settled(fmean(leads), fmean(won), error, fmean(apart))
