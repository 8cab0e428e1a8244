"""Functions that determine the decisive part of the score and the decisive moments of a game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from valletta_rules.results import Outcome
from valletta_rules.words import Language

MOMENTS: Final = 3
"""The maximum number of decisive moments of a game."""

SWINGS: Final = 12
"""The maximum number of changes in the winner's lead that are considered as decisive moments."""

PARTS: Final = ("track", "buildings", "goods")
"""The names of the parts of a score."""


def describe_lead(language: Language, ended: Outcome, names: Sequence[str]) -> str | None:
    """Return a sentence on the part of the score that contributed most to the winner's lead.

    The lead is the difference in points from the best player who did not win.  Returns `None` if
    the game ended in a tie on points, or if all players won.  `names` are the names of all players.
    """
    winner = ended.scores[ended.winners[0]]
    others = [score for score in ended.scores if score.seat not in ended.winners]
    rival = max(others, key=lambda score: score.total, default=None)
    if rival is None or winner.total == rival.total:
        return None
    leads = {part: getattr(winner, part) - getattr(rival, part) for part in PARTS}
    part = max(leads, key=lambda each: leads[each])
    points, theirs = getattr(winner, part), getattr(rival, part)
    key = f"talk.decided.{part}"
    return language.phrase(key, points=points, name=names[rival.seat], theirs=theirs)


def lead_of(winner: int, totals: Sequence[int]) -> int:
    """Return the difference in points between the seat `winner` and the best other seat."""
    return totals[winner] - max(total for seat, total in enumerate(totals) if seat != winner)


def swings(ended: Outcome, course: Sequence[Sequence[int]]) -> list[int]:
    """Return the indexes of the largest changes in the winner's lead, in ascending order.

    They are indexes in `course`, which contains one row for each step: the scores of all seats if
    the game had ended at this step.
    """
    leads = [lead_of(ended.winners[0], totals) for totals in course]
    changes = [abs(after - before) for before, after in pairwise(leads)]
    largest = sorted(range(len(changes)), key=lambda step: -changes[step])[:SWINGS]
    return sorted(step + 1 for step in largest if changes[step])
