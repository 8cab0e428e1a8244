"""The common parts of the environments of PettingZoo and Gymnasium."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from typing import Any, Final

from valletta_rules.components import CardSet, abbreviated
from valletta_rules.environments.extras import extra
from valletta_rules.environments.referee import Referee, check_turns, margins, shares
from valletta_rules.games import new_game
from valletta_rules.numeric.encoding import largest
from valletta_rules.numeric.numbering import COUNT
from valletta_rules.records.record import Record
from valletta_rules.rulings import RuleSet
from valletta_rules.svg import Drawing, draw, to_png
from valletta_rules.words import describe_prompt, describe_standings, sketch_display

with extra("rl"):
    import numpy as np
    from gymnasium.error import InvalidAction, ResetNeeded
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from numpy.typing import NDArray

Observation = dict[str, NDArray[Any]]
"""The observation of the agent that must answer: ``observation`` and ``action_mask``."""

_HAS_PIXELS: Final = all(map(find_spec, ("resvg_py", "PIL")))
"""Whether the extra ``png`` is installed."""

RENDER_MODES: Final = ("human", "ansi", "svg", *(("rgb_array",) if _HAS_PIXELS else ()))
"""The render modes: text to standard output, text, a picture."""


def view_space(players: int) -> Box:
    """Return the space of views as arrays, each column with the bounds of its meaning."""
    most = np.array(largest(players), np.int16)
    return Box(np.zeros_like(most), most, dtype=np.int16)


def number_space() -> Discrete:
    """Return the space of the numbers of actions."""
    return Discrete(COUNT)


_NUMBERS: Final = number_space()


class OutsideSpaceError(InvalidAction, TypeError, ValueError):
    """An action is not in the `action_space` of its environment.

    To Gymnasium it is an `InvalidAction`, to other callers an argument of a wrong type or value.
    """


def number_of(action: object) -> int:
    """Return the number of an action; raise `OutsideSpaceError` if the space has no such value.

    As in Gymnasium, an array of no dimension is a number.  `True` is none, nor is a duration of
    numpy, which Gymnasium counts as one.
    """
    if isinstance(action, int):  # an older Gymnasium fails for a large one
        fits = not isinstance(action, bool) and 0 <= action < COUNT
    else:
        kind = getattr(getattr(action, "dtype", None), "kind", None)
        fits = kind in ("i", "u") and _NUMBERS.contains(action)
    if not fits:
        raise OutsideSpaceError(
            f"{_NUMBERS} has no {abbreviated(action)} ({type(action).__name__})"
        )
    return int(action)  # type: ignore[call-overload,no-any-return]  # the space contains it


def numbers_of(actions: object, space: Space[Any]) -> NDArray[np.int64]:
    """Return the numbers of many actions; raise `OutsideSpaceError` if the space lacks them.

    They are an array of integers, or a list of what `number_of` takes.
    """
    given = actions
    if isinstance(actions, list | tuple):
        given = np.array([number_of(each) for each in actions], np.int64)
    if not (isinstance(given, np.ndarray) and given.dtype.kind in "iu" and space.contains(given)):
        kind = getattr(given, "dtype", type(given).__name__)
        raise OutsideSpaceError(f"{space} has no {abbreviated(actions)} ({kind})")
    return np.ascontiguousarray(given, dtype=np.int64)


def observation_space(players: int) -> Dict:
    """Return the space of views and masks."""
    mask = Box(0, 1, (COUNT,), np.int8)
    return Dict({"observation": view_space(players), "action_mask": mask})


def view_array(referee: Referee, seat: int) -> NDArray[np.int16]:
    """Return the observation of a seat."""
    return np.asarray(referee.observe(seat), dtype=np.int16)


def mask_array(referee: Referee, seat: int) -> NDArray[np.int8]:
    """Return the mask of the legal numbers of a seat."""
    return np.frombuffer(bytearray(referee.mask(seat)), dtype=np.int8)


class RefereedEnv:
    """The common part of the environments: settings, rewards and pictures."""

    _game: Referee | None = None
    """The current game, if there is one."""

    def _set_up(
        self,
        players: int,
        rules: RuleSet,
        cards: CardSet,
        max_turns: int | None,
        shaping: bool,
        render_mode: str | None,
    ) -> None:
        """Set the parameters of all games.

        Raises the errors of `valletta_rules.new_game`, `ValueError` for fewer turns than one, and
        `TypeError` for another `render_mode`: who tries ``rgb_array`` first expects that one.
        """
        new_game(players, rules=rules, cards=cards)
        if render_mode not in (*RENDER_MODES, None):
            modes = ", ".join(RENDER_MODES)
            raise TypeError(f"render_mode is one of {modes} or None, not {render_mode!r}")
        check_turns(max_turns)
        self._new_referee = partial(Referee, players, rules=rules, cards=cards, max_turns=max_turns)
        self._players, self._shaping = players, shaping
        self._nothing = (0.0,) * players
        self.render_mode: str | None = render_mode

    def _begin(self, seed: int, bots: Mapping[int, object] | None = None) -> None:
        """Begin a game."""
        self._game = self._new_referee(seed=seed, bots=bots)
        self._paid = (0,) * self._players

    @property
    def _referee(self) -> Referee:
        """The current game; raises `ResetNeeded` before the first `reset`."""
        if self._game is None:
            raise ResetNeeded("there is no game yet: call reset first")
        return self._game

    @property
    def record(self) -> Record:
        """The game so far as a record; it is replayed to create it.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        return self._referee.record

    def _due(self) -> tuple[float, ...]:
        """Return the rewards of the seats since the last call: the margin, or its change."""
        referee, before = self._referee, self._paid
        if not self._shaping and not referee.is_over:
            return self._nothing
        self._paid = margins(referee.points)
        return tuple(float(new - old) for new, old in zip(self._paid, before, strict=True))

    def _end(self) -> dict[str, object]:
        """Return the ``info`` at the end: the points and shares of the victory of all seats."""
        if (outcome := self._referee.outcome) is None:
            return {}
        points = tuple(score.total for score in outcome.scores)
        return {"points": points, "shares": shares(outcome.winners, len(points))}

    def render(self) -> Any:
        """Show the whole position, all hands open, in the `render_mode`.

        ``ansi`` returns a text, ``svg`` an SVG document, ``rgb_array`` pixels, rows of red, green
        and blue from 0 to 255 (extra ``png``); ``human`` prints the text.  Raises
        `ValueError` without a `render_mode`, and `gymnasium.error.ResetNeeded` before the first
        `reset`.
        """
        if self.render_mode is None:
            raise ValueError("give the environment a render_mode when you make it")
        state = self._referee.state
        if self.render_mode == "svg":
            return str(draw(state))
        if self.render_mode == "rgb_array":
            return _pixels(draw(state))
        asked = "The game is over." if state.prompt is None else describe_prompt(state)
        text = "\n".join([sketch_display(state), "", describe_standings(state), asked])
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n")
        return None


def _pixels(drawing: Drawing) -> NDArray[np.uint8]:
    """Return a drawing as rows of pixels."""
    from PIL import Image

    with Image.open(BytesIO(to_png(drawing, scale=1.0))) as picture:
        return np.asarray(picture.convert("RGB"))
