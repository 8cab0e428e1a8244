"""What a card set should show when the planner plays with it: `python docs/studies/criteria.py`.

A slow check of the reconstruction, beside the quick ones that play with weaker bots: the study must
have been made before (`docs/studies/make.py`), and this only reads what it has written down.  A
criterion is missed if the whole interval lies outside, and in doubt if a part of it does.
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
"""Which part of the copies dealt to two players is built, of every design."""

BEYOND: Final = 0.10
"""How much more of the victories the owners of a building may have than their seats have."""

FAIR: Final = 0.08
"""How far the first seat's share may be from a fair one, by the start-player variant."""


@attrs.frozen
class Criterion:
    """A bound, and what was found."""

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
        """Say what was found, and what it should be."""
        bounds = f"{percent(self.least)} to {percent(self.most)}"
        return f"{self.what}: {said(self.found)}, should be {bounds}: {self.verdict}"


def criteria(found: Mapping[str, Summary]) -> Iterator[Criterion]:
    """Run through all criteria."""
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
