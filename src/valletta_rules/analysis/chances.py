"""Chances to win, computed from the expected points of all players.

The chances are proportional to exp(points / spread), where `spread` represents the error of each
player's expected points.  The spread grows with the number of turns left.  The expected points do
not include the advantage of an earlier turn, so points are deducted from the players who move
later.  `docs/studies/chances.py` fits the three parameters to games between bots.
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
    """The parameters of the function that converts expected points to chances to win."""

    spread: float
    """The spread in the final phase, in points."""
    spread_a_turn: float
    """The spread grows by this number times the square root of the number of turns left."""
    to_move: float
    """The advantage, in points, of the player to move over the player who moves last."""


FITTED: Final = resources.files("valletta_rules") / "analysis" / "chances.json"
"""The file with the fitted parameters and their accuracy on held-out games."""

CURVE: Final = Curve(**json.loads(FITTED.read_text("utf-8"))["curve"])
"""The fitted parameters, which are the default of `chances_to_win`."""


def chances_to_win(
    points: Sequence[float], left: float, mover: int, curve: Curve = CURVE
) -> tuple[float, ...]:
    """Return each player's chance to win, seat by seat; the chances add up to 1.

    `points` lists the expected points of each player at the end of the game, `left` is the
    estimated number of turns left in the main phase, `mover` is the seat that moves next, and
    `curve` contains the parameters of the function.
    """
    spread, players = curve.spread + curve.spread_a_turn * math.sqrt(left), len(points)
    after = [(seat - mover) % players for seat in range(players)]
    values = [
        (each - curve.to_move * turns / (players - 1)) / spread
        for each, turns in zip(points, after, strict=True)
    ]
    weights = [math.exp(value - max(values)) for value in values]
    return tuple([weight / math.fsum(weights) for weight in weights])
