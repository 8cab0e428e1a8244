"""An environment of Gymnasium: one learner, and bots in the other seats.

.. code-block:: python

   import gymnasium

   env = gymnasium.make("valletta_rules.environments.single:Valletta-v0", opponents="automatic")
   observation, info = env.reset(seed=1)
   is_over = False
   while not is_over:
       action = env.action_space.sample(info["action_mask"])
       observation, reward, termination, truncation, info = env.step(action)
       is_over = termination or truncation
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

from valletta_rules.bots import Bot, make_bot
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import MOST_TURNS, CardSet
from valletta_rules.environments import arrays
from valletta_rules.environments.extras import extra
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.views.view import find_seat

with extra("rl"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Space
    from numpy.typing import NDArray


class LearnerEnv(arrays.RefereedEnv, gymnasium.Env[NDArray[Any], SupportsIndex]):
    """A game between a learner and bots.

    An observation is what the learner may know, in the columns of
    `valletta_rules.numeric.encoding`; ``info["action_mask"]`` says which numbers of
    `valletta_rules.numeric.numbering` are legal, as `action_masks` does.  Prompts have at least two
    legal answers.

    A number that is not legal is refused.  What knows no masks, like Gymnasium's own ``check_env``,
    needs ``illegal="replace"``: then such a number stands for a legal one.

    At the end the learner is rewarded with its margin: its points minus those of its best opponent.
    With `shaping` the same sum is paid on the way, as the margin changes that the points would
    have if the game ended now.  A game that is broken off pays nothing more.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium declares it)
        "render_modes": list(arrays.RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        opponents: str | Sequence[str] = "automatic",
        *,
        players: int = 2,
        seat: int | None = None,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        max_turns: int | None = MOST_TURNS,
        shaping: bool = False,
        illegal: Literal["refuse", "replace"] = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """Set the parameters of all games.

        Takes the bots as `valletta_rules.bots.make_bot` names them, one for all seats or one for
        each other seat, clockwise from the learner's left; the learner's seat, or `None` for a
        random one in each game; the number of turns of all players together after which a game
        is broken off, truncated, or `None` for never; and what to do with illegal numbers.

        Raises the errors of `valletta_rules.new_game` and of `make_bot`; `SeatError` for a seat
        beyond the table; `ValueError` for another number of bots, fewer turns than one and another
        `illegal`; `TypeError` for another `render_mode`.
        """
        if illegal not in ("refuse", "replace"):
            raise ValueError(f"illegal is 'refuse' or 'replace', not {illegal!r}")
        self._replaces = illegal == "replace"
        self._set_up(players, rules, cards, max_turns, shaping, render_mode)
        others = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
        if len(others) != players - 1:
            raise ValueError(f"{players} players have {players - 1} opponents, not {len(others)}")
        for spec in others:
            make_bot(spec, random.Random(0))
        self._opponents = others
        self._seat = None if seat is None else find_seat(seat, players)
        self.observation_space: Space[Any] = arrays.view_space(players)
        self.action_space: Space[Any] = arrays.number_space()

    @property
    def seat(self) -> int:
        """The learner's seat in this game.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`, as all that needs a game.
        """
        _ = self._referee
        return self._learner

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a game and let the bots answer until the learner must.

        The seed determines chance, the bots and the learner's seat in this game and the ones after
        it; without one, they go on from the seed before.  There are no options.
        """
        super().reset(seed=seed)
        players = self._players
        drawn, luck, *rest = (int(number) for number in self.np_random.integers(2**63, size=6))
        self._learner = drawn % players if self._seat is None else self._seat
        self._bots: dict[int, Bot] = {
            (self._learner + place) % players: make_bot(spec, random.Random(number))
            for place, (spec, number) in enumerate(zip(self._opponents, rest, strict=False), 1)
        }
        self._begin(luck, self._bots)
        self._let_bots_answer()
        return self._seen()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Let the learner answer by a number, and the bots until the learner must answer again.

        Raises `ValueError` for a number that is not legal, unless it is to be replaced, and
        `OutsideSpaceError` for anything outside the action space; then nothing has changed.
        """
        referee, number = self._referee, arrays.number_of(action)
        legal = referee.numbers if self._replaces else ()
        referee.answer(legal[number % len(legal)] if legal and number not in legal else number)
        self._let_bots_answer()
        reward = self._due()[self._learner]
        observation, info = self._seen()
        if self.render_mode == "human":
            self.render()
        return observation, reward, referee.is_over, referee.is_broken_off, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the learner's legal numbers."""
        return arrays.mask_array(self._referee, self._learner).astype(np.bool_)

    def _let_bots_answer(self) -> None:
        referee = self._referee
        while (seat := referee.seat) is not None and seat != self._learner:
            referee.play(self._bots[seat].decide(referee.view(seat)))

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        mask = arrays.mask_array(self._referee, self._learner)
        info = {"action_mask": mask, "seat": self._learner, **self._end()}
        return arrays.view_array(self._referee, self._learner), info


gymnasium.register(
    id="Valletta-v0",
    entry_point=f"{__name__}:{LearnerEnv.__name__}",
)
