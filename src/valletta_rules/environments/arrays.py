"""The base class and the functions shared by the PettingZoo and Gymnasium environments."""

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
"""An observation of an agent: a dictionary with ``observation`` and ``action_mask``."""

_HAS_PIXELS: Final = all(map(find_spec, ("resvg_py", "PIL")))
"""Whether the extra ``png`` is installed."""

RENDER_MODES: Final = ("human", "ansi", "svg", *(("rgb_array",) if _HAS_PIXELS else ()))
"""The supported values of `render_mode`.  `RefereedEnv.render` describes them."""


def view_space(players: int) -> Box:
    """Return the space of encoded views: an array of integers with bounds for each column."""
    most = np.array(largest(players), np.int16)
    return Box(np.zeros_like(most), most, dtype=np.int16)


def number_space() -> Discrete:
    """Return the space of action numbers."""
    return Discrete(COUNT)


_NUMBERS: Final = number_space()


class OutsideSpaceError(InvalidAction, TypeError, ValueError):
    """Raised if an action is not in the `action_space` of the environment.

    The class is derived from Gymnasium's `InvalidAction`, from `TypeError` and from `ValueError`.
    """


def number_of(action: object) -> int:
    """Return an action as an integer; raise `OutsideSpaceError` if the space does not contain it.

    A zero-dimensional array is a valid action, as in Gymnasium.  `True` is invalid, and so is a
    numpy `timedelta64`, although Gymnasium accepts it.
    """
    if isinstance(action, int):  # older versions of Gymnasium fail for large integers
        fits = not isinstance(action, bool) and 0 <= action < COUNT
    else:
        kind = getattr(getattr(action, "dtype", None), "kind", None)
        fits = kind in ("i", "u") and _NUMBERS.contains(action)
    if not fits:
        raise OutsideSpaceError(
            f"the action {abbreviated(action)} ({type(action).__name__}) is not in {_NUMBERS}"
        )
    return int(action)  # type: ignore[call-overload,no-any-return]  # the space contains it


def numbers_of(actions: object, space: Space[Any]) -> NDArray[np.int64]:
    """Return the actions for a batch of games as an array.

    `actions` is an array of integers, or a list of values that `number_of` accepts.  Raises
    `OutsideSpaceError` if the actions are not in `space`.
    """
    given = actions
    if isinstance(actions, list | tuple):
        given = np.array([number_of(each) for each in actions], np.int64)
    if not (isinstance(given, np.ndarray) and given.dtype.kind in "iu" and space.contains(given)):
        kind = getattr(given, "dtype", type(given).__name__)
        raise OutsideSpaceError(f"the actions {abbreviated(actions)} ({kind}) are not in {space}")
    return np.ascontiguousarray(given, dtype=np.int64)


def observation_space(players: int) -> Dict:
    """Return the observation space: a dictionary of an encoded view and an action mask."""
    mask = Box(0, 1, (COUNT,), np.int8)
    return Dict({"observation": view_space(players), "action_mask": mask})


def view_array(referee: Referee, seat: int) -> NDArray[np.int16]:
    """Return the view of a seat as an encoded array."""
    return np.asarray(referee.observe(seat), dtype=np.int16)


def mask_array(referee: Referee, seat: int) -> NDArray[np.int8]:
    """Return the action mask of a seat."""
    return np.frombuffer(bytearray(referee.mask(seat)), dtype=np.int8)


class RefereedEnv:
    """The base class of the environments.  It implements their settings, rewards and rendering."""

    _game: Referee | None = None
    """The current game; `None` before the first `reset`."""

    def _set_up(
        self,
        players: int,
        rules: RuleSet,
        cards: CardSet,
        max_turns: int | None,
        shaping: bool,
        render_mode: str | None,
    ) -> None:
        """Validate and store the settings for all games of the environment.

        Raises the errors of `valletta_rules.new_game`, `ValueError` for `max_turns` below 1, and
        `TypeError` for an unknown `render_mode`.  Libraries such as stable-baselines3 try
        ``rgb_array`` first, and expect a `TypeError` if it is not supported.
        """
        new_game(players, rules=rules, cards=cards)
        if render_mode not in (*RENDER_MODES, None):
            modes = ", ".join(RENDER_MODES)
            raise TypeError(f"render_mode must be one of {modes} or None, not {render_mode!r}")
        check_turns(max_turns)
        self._new_referee = partial(Referee, players, rules=rules, cards=cards, max_turns=max_turns)
        self._players, self._shaping = players, shaping
        self._nothing = (0.0,) * players
        self.render_mode: str | None = render_mode

    def _begin(self, seed: int, bots: Mapping[int, object] | None = None) -> None:
        self._game = self._new_referee(seed=seed, bots=bots)
        self._paid = (0,) * self._players

    @property
    def _referee(self) -> Referee:
        """The referee of the current game; raises `ResetNeeded` before the first `reset`."""
        if self._game is None:
            raise ResetNeeded("no game has started: call reset first")
        return self._game

    @property
    def record(self) -> Record:
        """The record of the current game up to now.  The property replays the game to create it.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        return self._referee.record

    def _due(self) -> tuple[float, ...]:
        """Return each seat's reward since the previous call: the change in its margin.

        Without `shaping`, all rewards are 0 until the game is over.
        """
        referee, before = self._referee, self._paid
        if not self._shaping and not referee.is_over:
            return self._nothing
        self._paid = margins(referee.points)
        return tuple(float(new - old) for new, old in zip(self._paid, before, strict=True))

    def _end(self) -> dict[str, object]:
        """Return the ``info`` at the end of a game: each seat's points and fraction of the win."""
        if (outcome := self._referee.outcome) is None:
            return {}
        points = tuple(score.total for score in outcome.scores)
        return {"points": points, "shares": shares(outcome.winners, len(points))}

    def render(self) -> Any:
        """Render the whole position, including all hands, in the format that `render_mode` names.

        ``ansi`` returns a text, and ``human`` prints it.  ``svg`` returns an SVG document.
        ``rgb_array`` returns rows of pixels with values from 0 to 255 for red, green and blue, and
        needs the extra ``png``.  Raises `ValueError` if the `render_mode` is `None`, and
        `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        if self.render_mode is None:
            modes = ", ".join(RENDER_MODES)
            raise ValueError(f"render_mode is None; to render, choose one of {modes}")
        state = self._referee.state
        if self.render_mode == "svg":
            return str(draw(state))
        if self.render_mode == "rgb_array":
            return _pixels(draw(state))
        prompt = "The game is over." if state.prompt is None else describe_prompt(state)
        text = "\n".join([sketch_display(state), "", describe_standings(state), prompt])
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n")
        return None


def _pixels(drawing: Drawing) -> NDArray[np.uint8]:
    """Return a drawing as an array of rows of RGB pixels."""
    from PIL import Image

    with Image.open(BytesIO(to_png(drawing, scale=1.0))) as picture:
        return np.asarray(picture.convert("RGB"))
