"""The game as a PettingZoo AEC environment: agents act one at a time.

.. code-block:: python

   from valletta_rules.environments import aec

   env = aec.env(players=3)
   env.reset(seed=1)
   for agent in env.agent_iter():
       observation, reward, termination, truncation, info = env.last()
       is_over = termination or truncation
       mask = observation["action_mask"]
       env.step(None if is_over else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

from typing import Any, ClassVar

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import MOST_TURNS, CardSet
from valletta_rules.environments import arrays
from valletta_rules.environments.extras import extra
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet

with extra("rl"):
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Space
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper


class TableEnv(arrays.RefereedEnv, AECEnv[str, arrays.Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """An environment with the agents ``player_0`` (the start player) to ``player_3``.

    An observation is a dictionary.  ``observation`` is the agent's view, with the columns of
    `valletta_rules.numeric.encoding`, and ``action_mask`` marks the legal actions by their numbers
    in `valletta_rules.numeric.numbering`.  The mask is all zeros for an agent that need not answer.
    ``info`` also contains the mask.

    At the end of the game, the reward of an agent is its margin: its points minus the points of its
    best opponent.  With `shaping`, every step instead rewards the change in the margin that an
    agent would have if the game ended there.  The sum of these rewards is the final margin.  A
    truncated game has no final reward.
    """

    metadata: ClassVar[dict[str, Any]] = {  # pyright: ignore[reportIncompatibleVariableOverride]
        "name": "valletta_v0",
        "render_modes": list(arrays.RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        max_turns: int | None = MOST_TURNS,
        shaping: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Create an environment.  The arguments apply to every game that it runs.

        `max_turns` is the number of turns, counted over all players, after which a game is
        truncated; `None` means no limit.  Raises the errors of `valletta_rules.new_game`,
        `ValueError` for `max_turns` below 1, and `TypeError` for an unknown `render_mode`.
        """
        super().__init__()
        self._set_up(players, rules, cards, max_turns, shaping, render_mode)
        self._rng: Any = None
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {agent: arrays.observation_space(players) for agent in self._seats}
        self._numbers = {agent: arrays.number_space() for agent in self._seats}

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of an agent.  Every call returns the same object."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space of an agent.  Every call returns the same object."""
        return self._numbers[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        `seed` seeds the random outcomes of this game and of the games after it, until another seed
        is passed.  `options` is ignored.
        """
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self._begin(int(self._rng.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._update_agents()

    def last(self, observe: bool = True) -> Any:
        """Return the selected agent's observation, reward, termination, truncation and info.

        Raises `gymnasium.error.ResetNeeded` before `reset` and after the end of a game, when no
        agent is selected.
        """
        self._need_agent()
        return super().last(observe)

    def observe(self, agent: str) -> arrays.Observation:
        """Return an agent's observation, including its action mask.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        seat = self._seats[agent]
        return {
            "observation": arrays.view_array(self._referee, seat),
            "action_mask": arrays.mask_array(self._referee, seat),
        }

    def step(self, action: Any) -> None:
        """Play the action numbered `action` for the selected agent, and select the next agent.

        `action` is `None` for an agent whose game is over.  Raises `ValueError` for an illegal
        action, `OutsideSpaceError` for a value outside the action space, and
        `gymnasium.error.ResetNeeded` if no agent is selected.  An error leaves the game unchanged.
        """
        self._need_agent()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._referee.answer(arrays.number_of(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self._due(), strict=True))
        self._accumulate_rewards()
        self._update_agents()
        if self.render_mode == "human":
            self.render()

    def _need_agent(self) -> None:
        if not self.agents:
            raise ResetNeeded("no agent is selected: call reset first")

    def _update_agents(self) -> None:
        """Update the selected agent, the terminations and truncations, and the infos."""
        referee, over, end = self._referee, self._referee.is_over, self._end()
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, over)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, referee.is_broken_off)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": arrays.mask_array(referee, seat), **end}
            for agent, seat in self._seats.items()
        }
        if referee.seat is not None:
            self.agent_selection: str = self.possible_agents[referee.seat]
        else:
            self._deads_step_first()


def raw_env(players: int = 2, **options: Any) -> TableEnv:
    """Return an environment without wrappers.  The arguments are the same as for `TableEnv`."""
    return TableEnv(players, **options)


def env(players: int = 2, **options: Any) -> AECEnv[str, arrays.Observation, int]:
    """Return an environment that raises an error if its methods are called in the wrong order.

    The arguments are the same as for `TableEnv`.  An illegal action raises an error and does not
    change the game.  To end the game instead, wrap `raw_env` in
    `pettingzoo.utils.wrappers.TerminateIllegalWrapper`.
    """
    return _InOrder(AssertOutOfBoundsWrapper(raw_env(players, **options)))


class _InOrder(OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """A wrapper that raises an error if methods are called in the wrong order.

    `last` calls the base environment directly.  PettingZoo's own `last` is slower: it looks up each
    of its five results through the whole chain of wrappers.
    """

    def last(self, observe: bool = True) -> Any:
        """Return the result of `TableEnv.last`; raise an error before the first `reset`."""
        return self.unwrapped.last(observe) if self._has_reset else super().last(observe)

    def __str__(self) -> str:
        """Return the name of the environment."""
        return str(self.env)
