"""Check criteria for a balanced card set: `python docs/studies/criteria.py`.

The program reads the summary of games between bots that `docs/studies/make.py` has written.  A
criterion is a measured value with a confidence interval and bounds.  It is missed if the whole
interval is outside the bounds, and in doubt if only a part is.  If a criterion is missed, the exit
code is 1.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies import make
from valletta_rules.components import SITES
from valletta_rules.studies.statistics import ConfidenceInterval, format_interval, percent
from valletta_rules.studies.summary import Summary
from valletta_rules.words import SHORT_NAMES

JUDGES: Final = ("planner", "rollouts")
"""The bots whose two-player games are used for the criteria about buildings."""

BOTH: Final = ("draft", "start-player variant")
"""The openings of the rulebooks. The criteria about buildings average the results for both."""

BUILT: Final = (0.40, 0.98)
"""For each building, the bounds for the share of dealt copies that are built in two-player
games."""

BEYOND: Final = (-0.10, 0.10)
"""The bounds for the difference between the win rate of a building's owners and the average win
rate of their seats."""

FAIR: Final = 0.05
"""The maximum by which a seat's win rate may exceed an equal share, with the start-player
variant."""


@attrs.frozen
class Criterion:
    """A measured value, its confidence interval and its bounds."""

    label: str
    interval: ConfidenceInterval
    least: float
    most: float

    @property
    def verdict(self) -> str:
        """The verdict: ``met``, ``missed`` or ``in doubt``."""
        if self.interval.high < self.least or self.interval.low > self.most:
            return "missed"
        met = self.least <= self.interval.low and self.interval.high <= self.most
        return "met" if met else "in doubt"

    def __str__(self) -> str:
        """Return a line with the measured value, its bounds and the verdict."""
        bounds = f"{percent(self.least)} to {percent(self.most)}"
        return f"{self.label}: {format_interval(self.interval)}, should be {bounds}: {self.verdict}"


def average(one: ConfidenceInterval, other: ConfidenceInterval) -> ConfidenceInterval:
    """Return the mean of two independent values, with its confidence interval."""
    mean = (one.estimate + other.estimate) / 2
    below = math.hypot(one.estimate - one.low, other.estimate - other.low) / 2
    above = math.hypot(one.high - one.estimate, other.high - other.estimate) / 2
    return ConfidenceInterval(mean, mean - below, mean + above)


def criteria(summaries: Mapping[str, Summary]) -> Iterator[Criterion]:
    """Yield the criteria for all buildings and all seats."""
    for bot in JUDGES:
        openings = (summaries[f"{bot}, 2 players, {opening}"].designs for opening in BOTH)
        for draft, variant in zip(*openings, strict=True):
            name = f"{SHORT_NAMES[draft.character]} ({bot})"
            yield Criterion(f"{name}: built", average(draft.built, variant.built), *BUILT)
            beyond = average(draft.beyond, variant.beyond)
            yield Criterion(f"{name}: owners above seat average", beyond, *BEYOND)
    for players in SITES:
        for chair in summaries[f"planner, {players} players, start-player variant"].chairs:
            label = f"seat {chair.seat + 1} of {players}, start-player variant"
            yield Criterion(label, chair.share, 0.0, 1 / players + FAIR)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the criteria that are missed or in doubt; return 1 if one is missed."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    every = list(criteria({name: summary for name, (_, summary) in make.read().items()}))
    for each in every:
        if each.verdict != "met":
            print(each)
    return any(each.verdict == "missed" for each in every)


if __name__ == "__main__":
    sys.exit(main())
