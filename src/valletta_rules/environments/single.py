"""A Gymnasium environment with one learner, and with bots in all other seats.

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
    """An environment in which a learner plays against bots.

    An observation is the learner's view, with the columns of `valletta_rules.numeric.encoding`.
    ``info["action_mask"]`` and the method `action_masks` mark the legal actions by their numbers in
    `valletta_rules.numeric.numbering`.  Every prompt has at least two legal answers.

    An illegal action raises an error.  For programs that do not support masks, such as Gymnasium's
    ``check_env``, ``illegal="replace"`` replaces an illegal action with a legal one.

    At the end of the game, the reward is the learner's margin: its points minus the points of its
    best opponent.  With `shaping`, every step instead rewards the change in the margin that the
    learner would have if the game ended there.  The sum of these rewards is the final margin.  A
    truncated game has no final reward.
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
        """Create an environment.  The arguments apply to every game that it runs.

        `opponents` names the bots in the notation of `valletta_rules.bots.make_bot`: one bot for
        all other seats, or one for each seat, clockwise from the learner's left.  `seat` is the
        learner's seat, or `None` for a random seat in each game.  `max_turns` is the number of
        turns, counted over all players, after which a game is truncated; `None` means no limit.
        `illegal` says how an illegal action is handled: ``refuse`` raises an error, and ``replace``
        plays a legal action instead.

        Raises the errors of `valletta_rules.new_game` and of `make_bot`, and `SeatError` if the
        game has no such seat.  Raises `ValueError` for a wrong number of bots, `max_turns` below 1,
        or an unknown `illegal`, and `TypeError` for an unknown `render_mode`.
        """
        if illegal not in ("refuse", "replace"):
            raise ValueError(f"illegal must be 'refuse' or 'replace', not {illegal!r}")
        self._replaces = illegal == "replace"
        self._set_up(players, rules, cards, max_turns, shaping, render_mode)
        others = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
        if len(others) != players - 1:
            wanted = f"with {players} players, the learner has {players - 1} opponents"
            raise ValueError(f"{wanted}, not {len(others)}")
        for spec in others:
            make_bot(spec, random.Random(0))
        self._opponents = others
        self._seat = None if seat is None else find_seat(seat, players)
        self.observation_space: Space[Any] = arrays.view_space(players)
        self.action_space: Space[Any] = arrays.number_space()

    @property
    def seat(self) -> int:
        """The learner's seat in the current game.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        _ = self._referee
        return self._learner

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a new game, and let the bots play until the learner must answer.

        `seed` seeds the random outcomes, the bots' choices and the learner's seat in this game and
        in the games after it, until another seed is passed.  `options` is ignored.
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
        return self._observation_and_info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play the action numbered `action`, and let the bots play until the learner's next prompt.

        Raises `ValueError` for an illegal action, unless illegal actions are replaced, and
        `OutsideSpaceError` for a value outside the action space.  An error leaves the game
        unchanged.
        """
        referee, number = self._referee, arrays.number_of(action)
        legal = referee.numbers if self._replaces else ()
        referee.answer(legal[number % len(legal)] if legal and number not in legal else number)
        self._let_bots_answer()
        reward = self._due()[self._learner]
        observation, info = self._observation_and_info()
        if self.render_mode == "human":
            self.render()
        return observation, reward, referee.is_over, referee.is_broken_off, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's action mask: one boolean for each action number."""
        return arrays.mask_array(self._referee, self._learner).astype(np.bool_)

    def _let_bots_answer(self) -> None:
        referee = self._referee
        while (seat := referee.seat) is not None and seat != self._learner:
            referee.play(self._bots[seat].decide(referee.view(seat)))

    def _observation_and_info(self) -> tuple[NDArray[Any], dict[str, Any]]:
        mask = arrays.mask_array(self._referee, self._learner)
        info = {"action_mask": mask, "seat": self._learner, **self._end()}
        return arrays.view_array(self._referee, self._learner), info


gymnasium.register(
    id="Valletta-v0",
    entry_point=f"{__name__}:{LearnerEnv.__name__}",
)
