"""Spaces and arrays that the environments of PettingZoo and Gymnasium share, and their pictures."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.environments.extras import extra
from valletta_rules.environments.referee import Referee, margins, shares
from valletta_rules.numeric.encoding import MOST, columns
from valletta_rules.numeric.numbering import COUNT
from valletta_rules.svg import draw
from valletta_rules.words import describe_prompt, describe_standings, sketch_display

with extra("rl"):
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from numpy.typing import NDArray

Observation = dict[str, NDArray[Any]]
"""The observation for the agent that is asked: ``observation`` and ``action_mask``."""

RENDER_MODES: Final = ("human", "ansi", "svg")
"""How a game can be shown: text to standard output, text, a picture."""


def view_space(players: int) -> Box:
    """Return the space of views as arrays."""
    return Box(0, MOST, (len(columns(players)),), np.int16)


def number_space() -> Discrete:
    """Return the space of the numbers of actions."""
    return Discrete(COUNT)


def observation_space(players: int) -> Dict:
    """Return the space of views and masks."""
    mask = Box(0, 1, (COUNT,), np.int8)
    return Dict({"observation": view_space(players), "action_mask": mask})


def view_array(referee: Referee, seat: int) -> NDArray[np.int16]:
    """Return the observation of a seat."""
    return np.array(referee.observe(seat), dtype=np.int16)


def mask_array(referee: Referee, seat: int) -> NDArray[np.int8]:
    """Return which numbers are legal answers of a seat."""
    return np.frombuffer(referee.mask(seat), dtype=np.int8)


def end_of(referee: Referee) -> Mapping[str, object]:
    """Return the ``info`` at the end: everybody's points and share of the victory."""
    if (outcome := referee.outcome) is None:
        return MappingProxyType({})
    totals = tuple(score.total for score in outcome.scores)
    return MappingProxyType(
        {"points": totals, "shares": shares(outcome.winners, len(outcome.scores))}
    )


class Rewards:
    """What the seats earn, step by step: at the end the margin, or a part of it with each step."""

    def __init__(self, players: int, *, shaping: bool) -> None:
        """Begin a game, with or without rewards on the way."""
        self._paid = (0,) * players
        self._shaping = shaping

    def due(self, referee: Referee) -> tuple[float, ...]:
        """Return the rewards of the seats since the last call."""
        if not self._shaping and referee.outcome is None:
            return (0.0,) * len(self._paid)
        now, before = margins(referee.scores), self._paid
        self._paid = now
        return tuple(float(new - old) for new, old in zip(now, before, strict=True))


def check_render_mode(mode: str | None) -> str | None:
    """Return a way to show a game, or `None`; raise `ValueError` for any other."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {mode!r}")
    return mode


def render(referee: Referee, mode: str | None) -> str | None:
    """Show the whole position, all hands open, as text or as an SVG document.

    Prints the text and returns nothing, if that is wanted.  Raises `ValueError` without a mode.
    """
    if mode is None:
        raise ValueError("give the environment a render_mode when you make it")
    state = referee.state
    if mode == "svg":
        return str(draw(state))
    asked = "The game is over." if state.prompt is None else describe_prompt(state)
    text = "\n".join([sketch_display(state), "", describe_standings(state), asked])
    if mode == "ansi":
        return text
    sys.stdout.write(f"{text}\n")
    return None
