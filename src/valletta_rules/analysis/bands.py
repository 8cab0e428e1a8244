"""Bands of bot levels, and a function that finds the band that plays most like a given seat.

Two measures separate the bands.  The first is the share of answers that a search of the turn finds
worse than the best answer.  It is larger for weaker bots.  It is also large for the strongest bots,
because they look beyond the turn.  The second measure is the loss according to rollouts, which is
smallest for the strongest bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean
from types import MappingProxyType
from typing import Final

from valletta_rules.analysis.adviser import EQUAL
from valletta_rules.analysis.game import Decision


class Band(StrEnum):
    """A band of one or two neighbouring bot levels.  The weakest band is the first member."""

    NOVICE = "novice"
    REGULAR = "regular"
    CLUB = "club"
    EXPERT = "expert"


LEVELS_OF: Final = MappingProxyType(
    {
        Band.NOVICE: ("novice",),
        Band.REGULAR: ("casual", "regular"),
        Band.CLUB: ("club", "strong"),
        Band.EXPERT: ("expert", "master"),
    }
)
"""The bot levels in each band, from weakest to strongest."""

FEWEST: Final = 40
"""The minimum number of decisions that are needed to determine a band."""

CLUB_BELOW: Final = 0.09
"""The share of worse answers, according to a search of the turn, below which the band is *club*.

Such a low share is typical of bots that do not look beyond the turn.
"""

REGULAR_FROM: Final = 0.18
"""The minimum share of worse answers in the band *regular*, according to a search of the turn."""

NOVICE_FROM: Final = 0.34
"""The minimum share of worse answers in the band *novice*, according to a search of the turn."""

EXPERT_BELOW: Final = 0.1
"""In the band *expert*, the mean loss per decision is below this limit, in points."""


def played_like(decisions: Sequence[Decision]) -> Band | None:
    """Return the band of bots that play most like a seat, given its decisions in a game.

    The result is `None` for fewer than `FEWEST` decisions, or if the losses were not measured by
    rollouts because the native backend was not available.
    """
    if len(decisions) < FEWEST or any(each.error is None for each in decisions):
        return None
    worse = fmean(each.searched_loss > EQUAL for each in decisions)
    lost = fmean(each.lost_points for each in decisions)
    if worse < CLUB_BELOW:
        return Band.CLUB
    if worse >= NOVICE_FROM:
        return Band.NOVICE
    if lost < EXPERT_BELOW:
        return Band.EXPERT
    return Band.REGULAR if worse >= REGULAR_FROM else Band.CLUB
