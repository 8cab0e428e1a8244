"""Bands of bot levels, and the band whose play a seat's play in a game resembles most.

Two measures separate the bands.  The weaker a bot is, the more of its answers are worse than the
best one according to the search of the turn.  The strongest bots look further ahead, so the search
disagrees with many of their answers, too, but they lose the fewest points according to rollouts.
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
    """A band of one or two neighbouring levels of bots, which `LEVELS_OF` lists; weakest first."""

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
"""The levels of each band."""

FEWEST: Final = 40
"""The minimum number of decisions for which a band is named."""

CLUB_BELOW: Final = 0.09
"""Play is in the band *club* if the share of answers that the search of the turn finds worse than
the best one is below this number: it is the play of bots that do not look beyond the turn.
"""

REGULAR_FROM: Final = 0.18
"""The minimum share of such answers in the band *regular*."""

NOVICE_FROM: Final = 0.34
"""The minimum share of such answers in the band *novice*."""

EXPERT_BELOW: Final = 0.1
"""In the band *expert*, answers lose on average fewer points than this number, by rollouts."""


def played_like(decisions: Sequence[Decision]) -> Band | None:
    """Return the band of levels whose play the decisions of a seat in a game resemble.

    The result is `None` for fewer than `FEWEST` decisions, and if the native backend was not
    available, so that no rollouts measured the losses.
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
