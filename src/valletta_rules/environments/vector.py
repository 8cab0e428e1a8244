"""A Gymnasium vector environment: thousands of parallel games in which all seats are learners.

Gymnasium's wrappers need a single reward for each game; pass a `seat` to use them.  The environment
is also registered: ``gymnasium.make_vec("valletta_rules.environments.vector:VallettaGames-v0",
1000, seat=0)``.

.. code-block:: python

   import numpy
   from valletta_rules.environments.vector import GamesEnv, random_actions

   env, rng = GamesEnv(1000, players=2), numpy.random.default_rng(1)
   observations, infos = env.reset(seed=1)
   for _ in range(1000):
       actions = random_actions(observations["action_mask"], rng)
       observations, rewards, terminations, truncations, infos = env.step(actions)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import CardSet, whole
from valletta_rules.environments.arrays import number_space, numbers_of, observation_space
from valletta_rules.environments.extras import extra
from valletta_rules.environments.referee import margins
from valletta_rules.games import new_game
from valletta_rules.native import Batch, encode, pack
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.numbering import COUNT
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.views.view import find_seat

with extra("rl"):
    import gymnasium
    import numpy as np
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Dict, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

Arrays = dict[str, NDArray[Any]]
"""The observations of all games: named arrays with one row for each game."""

StepResult = tuple[Arrays, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""The result of a step: observations, rewards, terminations, truncations and infos."""

_NEVER: Final = 2**62
"""The limit on the number of answers if `max_answers` is `None`."""


class GamesEnv(VectorEnv[Arrays, NDArray[Any], NDArray[Any]]):
    """A vector environment of parallel games.  The agent of each game is the seat that must answer.

    Observations are new arrays at every step, in three parts.  ``seat`` is the seat that must
    answer in each game, ``observation`` is the view of this seat, with the columns of
    `valletta_rules.numeric.encoding`, and ``action_mask`` marks its legal actions by their numbers
    in `valletta_rules.numeric.numbering`.  Forced answers are not skipped.

    Rewards have a row for each game and a column for each seat, because a step may reward any seat,
    and not only the seat that must answer next.  At the end of a game, the reward of a seat is its
    margin: its points minus the points of its best opponent.  ``infos`` then contains ``points``
    and ``shares`` (fractions of the win), also with a column for each seat.  With a `seat`, the
    rewards are only those of this seat, one for each game, as Gymnasium's wrappers require.  The
    actions are still those of all seats.

    With `shaping`, every step instead rewards the change in the margin that a seat would have if
    the game ended there.  The sum of these rewards is the final margin.  A truncated game has no
    final reward.

    A game that is over restarts in the same step (`AutoresetMode.SAME_STEP`), and the observation
    is that of the new game.  ``infos["final_obs"]`` is then the final observation of the seat that
    answered last, or of the seat that must answer in a truncated game, and ``infos["_final_obs"]``
    marks the games with a final observation.  With `AutoresetMode.DISABLED`, the game waits for a
    reset with ``options={"reset_mask": ...}``, one boolean for each game.
    """

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        max_answers: int | None = None,
        threads: int = 1,
        seat: SupportsIndex | None = None,
        shaping: bool = False,
    ) -> None:
        """Create an environment of `num_envs` parallel games.

        `max_answers` is the number of answers after which a game is truncated; `None` means no
        limit.  The games are distributed over `threads` threads.  `seat` restricts the rewards to
        one seat.

        Raises the errors of `valletta_rules.new_game` and of `valletta_rules.native.Batch`, and
        `SeatError` if the games have no such seat.  Raises `ValueError` for an unsupported
        `autoreset_mode`, and for `max_answers` below 1.
        """
        self._mode = AutoresetMode(autoreset_mode)
        if self._mode is AutoresetMode.NEXT_STEP:  # this mode calls `step` without a legal answer
            raise ValueError("autoreset_mode must be SAME_STEP or DISABLED, not NEXT_STEP")
        self._limit = _NEVER if max_answers is None else whole(max_answers, "max_answers")
        if self._limit < 1:
            raise ValueError(f"max_answers must be at least 1, not {self._limit}")
        start = pack(new_game(players, rules=rules, cards=cards))
        restarts = self._mode is AutoresetMode.SAME_STEP
        self._seat = None if seat is None else find_seat(seat, players)
        self._batch = Batch(start, num_envs, restart=restarts, threads=threads)
        self.num_envs: int = num_envs
        self.players: Final = players
        self.metadata: dict[str, Any] = {"autoreset_mode": self._mode}
        one = {**observation_space(players).spaces, "seat": Box(-2, players - 1, (), np.int8)}
        self.single_observation_space: Space[Any] = Dict(one)
        self.single_action_space: Space[Any] = number_space()
        self.observation_space: Space[Any] = batch_space(self.single_observation_space, num_envs)
        self.action_space: Space[Any] = batch_space(self.single_action_space, num_envs)
        self._seeds = np.zeros(num_envs, np.uint64)
        self._answers = np.zeros(num_envs, np.int64)
        self._waiting = np.ones(num_envs, np.bool_)
        self._is_reset = False
        self._movers = np.zeros(num_envs, np.int8)
        self._shaping = shaping
        self._paid = np.zeros((num_envs, players), np.float32)

    def position(self, game: int) -> PackedState:
        """Return the position of a game; during a payment, the position before the payment.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        self._need_games()
        return self._batch.position(game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start all games, or only the games in ``options["reset_mask"]``.

        `seed` seeds the random outcomes of these games and of the games after them, until another
        seed is passed.  A game's random outcomes depend on the seed and on its index, but not on
        the number of games.  Raises `ValueError` for a mask of a wrong shape or type, and for
        unknown options.
        """
        super().reset(seed=seed)
        wanted = self._wanted(options or {})
        luck = np.random.SeedSequence(int(self.np_random.integers(2**63)))
        self._begin(wanted, np.asarray(luck.generate_state(self.num_envs, np.uint64), np.uint64))
        return self._next_observations(), {}

    def step(self, actions: Any) -> StepResult:
        """Play one action in each game; `actions` contains the numbers of the actions.

        Raises `ValueError` for an illegal action or if a game waits for a reset,
        `OutsideSpaceError` for values outside the action space, and `gymnasium.error.ResetNeeded`
        before the first `reset`.  An error leaves all games unchanged.
        """
        self._need_games()
        numbers = numbers_of(actions, self.action_space)
        if self._waiting.any():
            games = np.flatnonzero(self._waiting).tolist()
            raise ValueError(f"these games are over or have not started; reset them first: {games}")
        movers = self._movers
        self._batch.step(numbers)
        self._answers += 1
        over = np.asarray(self._batch.done()).astype(np.bool_)
        cut = ~over & (self._answers >= self._limit)
        infos: dict[str, Any] = {}
        points = np.asarray(self._batch.scores())
        rewards = self._earned(over, points)
        if over.any():
            infos.update(points=points, shares=np.asarray(self._batch.rewards()), _points=over)
            infos["_shares"] = over
        if (over | cut).any():
            self._end(over, cut, movers, infos)
        own = rewards if self._seat is None else rewards[:, self._seat].copy()
        return self._next_observations(), own, over, cut, infos

    def _need_games(self) -> None:
        if not self._is_reset:
            raise ResetNeeded("no game has started: call reset first")

    def _earned(self, over: NDArray[np.bool_], points: NDArray[Any]) -> NDArray[np.float32]:
        """Return the rewards of a step, one row for each game and one column for each seat.

        They are final margins or, with `shaping`, changes in the margins.
        """
        earned = np.zeros_like(self._paid)
        for game in np.flatnonzero(over).tolist():
            earned[game] = margins(points[game].tolist())
        if self._shaping:
            for game in np.flatnonzero(~over).tolist():
                earned[game] = margins(self._batch.position(game).points())
            earned, self._paid = earned - self._paid, earned
            self._paid[over] = 0
        return earned

    def _end(
        self,
        over: NDArray[np.bool_],
        cut: NDArray[np.bool_],
        movers: NDArray[np.int8],
        infos: dict[str, Any],
    ) -> None:
        """Restart the games that are over or truncated, or mark them as waiting for a reset."""
        if self._mode is AutoresetMode.DISABLED:
            self._waiting = over | cut
            return
        infos["final_obs"] = self._final_observations(over, cut, movers)
        infos["_final_obs"] = over | cut
        self._answers[over] = 0
        if cut.any():
            self._begin(cut, self._seeds + np.uint64(1))

    def _begin(self, wanted: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> None:
        self._batch.reset(seeds, wanted)
        self._is_reset = True
        self._seeds[wanted] = seeds[wanted]
        self._answers[wanted] = 0
        self._paid[wanted] = 0
        self._waiting = self._waiting & ~wanted

    def _wanted(self, options: dict[str, Any]) -> NDArray[np.bool_]:
        """Return the mask of the games that the options of `reset` select."""
        if unknown := options.keys() - {"reset_mask"}:
            listed = ", ".join(sorted(unknown))
            raise ValueError(f"unknown options: {listed}; reset has only the option reset_mask")
        everything = np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options.get("reset_mask", everything))
        if mask.shape != everything.shape or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask must be {self.num_envs} booleans, not {mask!r}")
        return mask

    def _final_observations(
        self, over: NDArray[np.bool_], cut: NDArray[np.bool_], movers: NDArray[np.int8]
    ) -> Arrays:
        """Return the final observations of the games that are over or truncated."""
        observations = self._observed()
        for part in observations.values():
            part[~cut] = 0
        observations["seat"][over] = movers[over]
        for game in np.flatnonzero(over):
            last = self._batch.last_position(int(game))
            encode(last, int(movers[game]), into=observations["observation"][game])
        return observations

    def _next_observations(self) -> Arrays:
        """Return the current observations, and store the seats that must answer."""
        observations = self._observed()
        observations["action_mask"][self._waiting] = 0
        self._movers = observations["seat"].copy()  # the caller may write to these arrays
        return observations

    def _observed(self) -> Arrays:
        observations: Arrays = {
            "observation": np.zeros((self.num_envs, len(columns(self.players))), np.int16),
            "action_mask": np.zeros((self.num_envs, COUNT), np.int8),
            "seat": np.zeros(self.num_envs, np.int8),
        }
        self._batch.observe(observations["observation"])
        self._batch.legal_mask(observations["action_mask"].view(np.uint8))
        self._batch.to_play(observations["seat"])
        return observations


def random_actions(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each row of `masks`, chosen with equal probabilities.

    Raises `ValueError` if a row has no legal action.
    """
    legal = np.flatnonzero(masks.astype(np.bool_, copy=False))
    ends = np.searchsorted(legal, masks.shape[1] * np.arange(len(masks) + 1))
    firsts, counts = ends[:-1], np.diff(ends)
    if not counts.all():
        raise ValueError(
            f"no action is legal in these rows of masks: {np.flatnonzero(counts == 0).tolist()}"
        )
    chosen = firsts + (rng.random(len(masks)) * counts).astype(np.int64)
    return np.asarray(legal[chosen] % masks.shape[1])


gymnasium.register(
    id="VallettaGames-v0",
    vector_entry_point=f"{__name__}:{GamesEnv.__name__}",
)
