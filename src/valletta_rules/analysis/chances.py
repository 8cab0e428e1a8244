"""Chances to win: how often players with such expected points win.

The chances are in proportion to exp(points / spread), as if each player's final points had an error
of that spread; it grows with the number of turns left.  Who is to move has yet to gain from the
turn, and is given some points for it.  `docs/studies/chances.py` fits the three parameters to games
of the study.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from importlib import resources
from typing import Final

import attrs

from valletta_rules.components import Value


@attrs.frozen
class Curve(Value):
    """How chances follow from points."""

    spread: float
    """The spread of the final points in the final phase, in points."""
    spread_a_turn: float
    """How much it grows with the square root of the turns left."""
    to_move: float
    """By how many points the player to move is better off than the one who moves last."""


FITTED: Final = resources.files("valletta_rules") / "analysis" / "chances.json"
"""The file of the parameters, and of what they were worth in other games."""

CURVE: Final = Curve(**json.loads(FITTED.read_text("utf-8"))["curve"])
"""The curve that was fitted."""


def chances_to_win(
    points: Sequence[float], left: float, mover: int, curve: Curve = CURVE
) -> tuple[float, ...]:
    """Return each player's chance to win, seat by seat; they add up to 1.

    Takes the expected points at the end, about how many turns of the main phase are left, the seat
    that is to move next, and a curve if it is not the fitted one.
    """
    spread, players = curve.spread + curve.spread_a_turn * math.sqrt(left), len(points)
    after = [(seat - mover) % players for seat in range(players)]
    values = [
        (each - curve.to_move * turns / (players - 1)) / spread
        for each, turns in zip(points, after, strict=True)
    ]
    weights = [math.exp(value - max(values)) for value in values]
    return tuple([weight / math.fsum(weights) for weight in weights])
