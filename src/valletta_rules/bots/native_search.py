"""Searches of packed positions by the native backend: the same answers as the bots' own, in C.

The constants of the value function are passed from Python, where they are defined; only the
hand-made forecast itself is also implemented in C.  Positions that do not fit in a row, and other
forecasts, are searched in Python.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from valletta_rules import native
from valletta_rules.actions import Action
from valletta_rules.bots import value
from valletta_rules.bots.value import MODELS, Forecast, Holdings
from valletta_rules.components import CHARACTERS, GOODS
from valletta_rules.state import Form, GameState, has_another_form

_library: Final[Any] = import_module("valletta_rules._native") if native.available else None

CONSTANTS: Final = (
    *("TURNS_A_HOUSE", "TURNS_A_POINT", "TURNS_A_SPACE"),
    *("GOODS_A_BUILDING", "POINTS_A_BUILDING", "POINTS_A_TURN"),
    *("GOODS_A_SALE", "POINTS_A_SALE", "POINTS_A_GOOD"),
    *("GOLD_SHARE", "MATERIAL_SHARE", "SPARE", "ROOM_LOST", "CROWDING", "WASTE"),
    *("HAND", "USED", "COPY", "GOOD_NOW", "BUILD_NOW"),
)
"""The constants of `valletta_rules.bots.value`, in the order in which they are passed."""

_NOTHING: Final = Holdings(0, (0,) * len(GOODS), 0, 0, 0, 0, 0)


def can_search(state: GameState | Form, forecast: Forecast) -> bool:
    """Return whether the native backend can search a position with a forecast."""
    return has_another_form(state) and type(forecast) is Forecast


def expected_points(state: Form, forecast: Forecast, seat: int | None) -> tuple[float, ...]:
    """Return the expected points of each player; only one seat's hand is used."""
    points: tuple[float, ...] = _library.expected(
        state, _weights(forecast.players), -1 if seat is None else seat
    )
    return points


def lines(
    state: Form, forecast: Forecast, seat: int, beam: int, keep: int
) -> list[tuple[tuple[Action, ...], Form, float]]:
    """Return the lines to the ends of a seat's turn: actions, position and worth, the best first.

    For every number of first actions, from none on, the `keep` best of the lines that share these
    with the best line are returned.
    """
    found: list[tuple[tuple[Action, ...], Form, float]] = _library.lines(
        state, _weights(forecast.players), seat, beam, keep
    )
    return found


def leads(
    ends: Sequence[Form],
    worlds: Sequence[Form],
    luck: Sequence[int],
    forecast: Forecast,
    seat: int,
    *effort: int,
) -> list[list[float]]:
    """Return a seat's leads some turns after the ends of its plans, for each end in each world.

    `luck` holds the seed of a generator for each world.  The other arguments are the effort: turns
    of the seat, the width of the beam, and the number of threads.
    """
    words = array("I")
    for seed in luck:
        words.extend(random.Random(seed).getstate()[1])
    found: list[float] = _library.leads(
        tuple(ends), tuple(worlds), _weights(forecast.players), words, seat, *effort
    )
    return [found[n : n + len(worlds)] for n in range(0, len(found), len(worlds))]


@lru_cache(maxsize=4)
def _weights(players: int) -> array[float]:
    """Return the constants of the value function for a number of players."""
    yields_of = Forecast((), players).yields
    plain = yields_of(_NOTHING)
    one_each = [
        *(_NOTHING._replace(icons=tuple([int(good is each) for each in GOODS])) for good in GOODS),
        _NOTHING._replace(best=1),
        _NOTHING._replace(green=1),
        _NOTHING._replace(blue=1),
        _NOTHING._replace(upgrades=1),
    ]
    rising = [[0.0, 0.0, 0.0] for _ in CHARACTERS]
    for counted, holdings in enumerate(one_each):
        for rank, brings in enumerate(yields_of(holdings)):
            for gain, (more, less) in enumerate(zip(brings, plain[rank], strict=True)):
                if more != less:
                    rising[rank] = [gain, counted, more - less]
    weights = array("d", [getattr(value, name) for name in CONSTANTS])
    weights.extend([float(card.rank in MODELS) for card in CHARACTERS])
    for brings in plain:
        weights.extend(brings)
    for column in zip(*rising, strict=True):
        weights.extend(column)
    return weights
