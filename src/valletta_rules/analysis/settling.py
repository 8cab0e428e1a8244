"""Settling: which end of a turn is better, by rollouts.

The ends are continued in the same worlds, hidden hands that agree with all that the seat knows,
with the same luck, and every player continues by a narrow search.  Some worlds choose the best end,
by a few turns and the value of the position then.  Others measure its distance from the other ends
at the end of the game, so that the choice does not flatter it.  Only the native backend is fast
enough for that.
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
    {2: (8, 48), 3: (8, 28), 4: (8, 24)}
)
"""In how many worlds the best end is chosen in the analysis of a game, and in how many others
distances are measured at most, by the number of players.
"""

FOR_ONE: Final = (40, 160)
"""The same for a single question."""

ROUNDS: Final = 4
"""In how many rounds distances are measured, unless there is none after one of them."""

MOST: Final = 4
"""How many of the best ends of a turn are compared."""

OWN: Final = 3
"""How many of the best ends after each answer in question are compared, too."""

WITHIN: Final = 4.0
"""How many points an end that is compared may be worth less than the best, by the search."""

CHOOSING: Final = 4, 3
"""For how many turns of the seat rollouts go on that choose an end, and how many positions each
search in them keeps.
"""

MEASURING: Final = 1000, 3
"""The same for rollouts that measure: they go on to the end of the game."""

SURE: Final = 2.5
"""How many standard errors an error has."""


@attrs.frozen
class Settled:
    """The results of rollouts from an end of a turn."""

    lead: float
    """The seat's lead at the end of the game, on average."""
    chance: float
    """The share of the worlds in which it wins; a lead of 0 is half a victory."""
    error: float
    """How far its distance from the best end may be off, in points."""
    is_worse: bool
    """Whether it seems worse than the best end: by more than one standard error."""


class Trials:
    """The rollouts for the answers of a seat's turn: each end of it once in each world."""

    def __init__(
        self,
        seen: PlayerView,
        memory: Recollection | None = None,
        seed: int = 0,
        worlds: tuple[int, int] = FOR_ONE,
    ) -> None:
        """Take the view of the seat that must answer, its memory of the game, and a seed.

        Takes also how many worlds choose the best end, and how many measure at most.
        """
        assert seen.seat is not None, "a player must answer"
        rng, players = random.Random(seed), len(seen.table.players)
        self.lead = Lead(forecast_of(seen.table.display, players), seen.seat)
        """The worth of the end of a turn to the seat, by the search alone."""
        chosen, measured = worlds
        self._worlds = [imagine(seen, rng, memory)]
        if self.are_possible(()):
            self._worlds += [imagine(seen, rng, memory) for _ in range(chosen + measured - 1)]
        self._luck = [rng.getrandbits(32) for _ in self._worlds]
        bounds = [0, *(chosen + measured * part // ROUNDS for part in range(ROUNDS + 1))]
        self._parts = [slice(*each) for each in pairwise(bounds)]
        self._leads: dict[tuple[State, int], list[float]] = {}

    def are_possible(self, ends: Collection[State]) -> bool:
        """Tell whether the native backend can play on from some positions."""
        every = (*ends, *self._worlds[:1])
        return all(native_search.can_search(each, self.lead.forecast) for each in every)

    def leads(self, ends: Collection[State], part: int) -> dict[State, list[float]]:
        """Return the seat's leads after rollouts from ends of its turn, world by world.

        Takes 0 for the worlds that choose, and the number of a round for those that measure.
        """
        if new := [end for end in ends if (end, part) not in self._leads]:
            worlds, luck = self._worlds[self._parts[part]], self._luck[self._parts[part]]
            effort = MEASURING if part else CHOOSING
            found = leads_of(new, worlds, luck, self.lead.forecast, self.lead.seat, *effort)
            self._leads |= {(end, part): each for end, each in zip(new, found, strict=True)}
        return {end: self._leads[end, part] for end in ends}

    def settle(
        self, compared: Collection[State], owned: Sequence[Collection[State]], is_told: bool = False
    ) -> dict[State, Settled]:
        """Return the results of rollouts for the best of some ends, and the best of each answer.

        Takes the ends, those to which each answer leads, and whether to measure distances even if
        no end seems worse than the best.
        """
        leads = self.leads(compared, 0)
        order = sorted(compared, key=lambda end: fmean(leads[end]), reverse=True)
        wanted = [next(end for end in order if end in own) for own in owned]
        kept = [*dict.fromkeys((order[0], *wanted))]
        if is_told or any(_settled(leads[order[0]], leads[end]).is_worse for end in kept):
            leads = self.measure(kept)
        best = max(kept, key=lambda end: fmean(leads[end]))
        return {end: _settled(leads[best], leads[end]) for end in kept}

    def measure(self, ends: Sequence[State]) -> dict[State, list[float]]:
        """Return the leads at the end of the game from ends of the turn, the best by choice first.

        Measuring stops after a round in which none of the others is worse than the first.
        """
        leads: dict[State, list[float]] = {end: [] for end in ends}
        for part in range(1, ROUNDS + 1):
            for end, more in self.leads(ends, part).items():
                leads[end] += more
            if fmean(leads[ends[0]]) <= min(fmean(each) for each in leads.values()):
                break
        return leads


def near(ends: Mapping[State, float], owned: Sequence[Collection[State]]) -> tuple[State, ...]:
    """Return the ends of a turn that are worth comparing.

    Takes the worth of each end by the search of the turn, the best first, and those to which each
    answer leads.  Ends that are worth much less than the best of all, or of an answer, are left
    out.
    """
    found = dict[State, None]()
    for most, wanted in ((MOST, ends), *((OWN, own) for own in owned)):
        best = [end for end in ends if end in wanted][:most]
        found |= dict.fromkeys(end for end in best if ends[end] >= ends[best[0]] - WITHIN)
    return tuple(found)


def _settled(best: Sequence[float], leads: Sequence[float]) -> Settled:
    """Return the results for an end, from its leads and those of the best in the same worlds."""
    apart = [one - other for one, other in zip(best, leads, strict=True)]
    won = [(lead > 0) + (lead == 0) / 2 for lead in leads]
    error = SURE * stdev(apart) / len(apart) ** 0.5
    return Settled(fmean(leads), fmean(won), error, fmean(apart) > error / SURE)
