"""Criteria for a card set when the planner plays with it: `python docs/studies/criteria.py`.

A check of the reconstruction, beside those that play with weaker bots: it reads the summary that
`docs/studies/make.py` has written.  A criterion is missed if the whole interval lies outside its
bounds, and in doubt if a part of it does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.make import read
from valletta_rules.components.display import SITES
from valletta_rules.studies.plots import percent, said
from valletta_rules.studies.statistics import ConfidenceInterval
from valletta_rules.studies.summary import Summary
from valletta_rules.words import SHORT_NAMES

BUILT: Final = (0.40, 0.98)
"""The share of the copies dealt to two players that is built, of every design."""

BEYOND: Final = 0.10
"""By how much the share of victories of a building's owners may exceed that of their seats."""

FAIR: Final = 0.08
"""How far the first seat's share may be from a fair one, by the start-player variant."""


@attrs.frozen
class Criterion:
    """A figure that was found, and its bounds."""

    what: str
    found: ConfidenceInterval
    least: float
    most: float

    @property
    def verdict(self) -> str:
        """Whether it is met, missed, or in doubt."""
        if self.found.high < self.least or self.found.low > self.most:
            return "missed"
        met = self.least <= self.found.low and self.found.high <= self.most
        return "met" if met else "in doubt"

    def __str__(self) -> str:
        """Return the figure and its bounds."""
        bounds = f"{percent(self.least)} to {percent(self.most)}"
        return f"{self.what}: {said(self.found)}, should be {bounds}: {self.verdict}"


def criteria(found: Mapping[str, Summary]) -> Iterator[Criterion]:
    """Yield all criteria."""
    two = found["planner, 2 players, draft"]
    for each in two.designs:
        name = SHORT_NAMES[each.character]
        yield Criterion(f"{name} built", each.built, *BUILT)
        yield Criterion(f"{name}, owners beyond their seats", each.beyond, -1, BEYOND)
    for players in SITES:
        first, *_ = found[f"planner, {players} players, start-player variant"].chairs
        fair = 1 / players
        what = f"first of {players}, start-player variant"
        yield Criterion(what, first.share, fair - FAIR, fair + FAIR)


def main() -> int:
    """Print what is missed or in doubt; return 1 if anything is missed."""
    every = list(criteria({name: summary for name, (_, summary) in read().items()}))
    for each in every:
        if each.verdict != "met":
            print(each)
    return any(each.verdict == "missed" for each in every)


if __name__ == "__main__":
    sys.exit(main())
