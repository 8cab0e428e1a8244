"""The interface to the native backend's search, with the same results as the search in Python.

The backend searches only packed positions, and evaluates them with its own version of `Forecast`.
The search in Python is used for positions that are not packed, and with subclasses of `Forecast`.
The constants of the value function are passed from Python to C.
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
"""The names of constants in `valletta_rules.bots.value`, in the order that the C code expects."""

_NOTHING: Final = Holdings(0, (0,) * len(GOODS), 0, 0, 0, 0, 0)


def can_search(state: GameState | Form, forecast: Forecast) -> bool:
    """Return whether the native backend can search the position `state` with a forecast."""
    return has_another_form(state) and type(forecast) is Forecast


def expected_points(state: Form, forecast: Forecast, seat: int | None) -> tuple[float, ...]:
    """Return the expected points of each player; only the hand of `seat` is used."""
    points: tuple[float, ...] = _library.expected(
        state, _weights(forecast.players), -1 if seat is None else seat
    )
    return points


def lines(
    state: Form, forecast: Forecast, seat: int, beam: int, keep: int
) -> list[tuple[tuple[Action, ...], Form, float]]:
    """Return the best lines of a seat's turn, each with its actions, last position and worth.

    The best line is first.  For every prefix of the best line, including the empty prefix, the
    result contains the `keep` best lines that begin with this prefix.
    """
    results: list[tuple[tuple[Action, ...], Form, float]] = _library.lines(
        state, _weights(forecast.players), seat, beam, keep
    )
    return results


def leads(
    ends: Sequence[Form],
    worlds: Sequence[Form],
    luck: Sequence[int],
    forecast: Forecast,
    seat: int,
    *effort: int,
) -> list[list[float]]:
    """Run rollouts from the positions at the end of a seat's plans, and return the seat's leads.

    The result contains a list for each of `ends`, with the lead in each of `worlds`.

    `luck` contains a seed for each world.  `effort` contains the number of the seat's turns in a
    rollout, the beam width, and the number of threads.
    """
    words = array("I")
    for seed in luck:
        words.extend(random.Random(seed).getstate()[1])
    values: list[float] = _library.leads(
        tuple(ends), tuple(worlds), _weights(forecast.players), words, seat, *effort
    )
    return [values[n : n + len(worlds)] for n in range(0, len(values), len(worlds))]


@lru_cache(maxsize=4)
def _weights(players: int) -> array[float]:
    """Return the constants of the value function for `players` players, as an array for C."""
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
