"""Thousands of games side by side, as a vector environment of Gymnasium; all seats are learners.

For Gymnasium's wrappers, which want one reward a game, name a seat; it is registered, too:
``gymnasium.make_vec("valletta_rules.environments.vector:VallettaGames-v0", 1000, seat=0)``.

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
"""Observations: an array for each part, with a row for each game."""

StepResult = tuple[Arrays, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""The result of a step."""

_NEVER: Final = 2**62
"""More answers than any game has."""


class GamesEnv(VectorEnv[Arrays, NDArray[Any], NDArray[Any]]):
    """Games side by side, in which every seat is played through the same rows.

    Observations are new arrays at every step, in three parts: ``seat`` is the seat that must
    answer in each game, ``observation`` is what that seat may know, in the columns of
    `valletta_rules.numeric.encoding`, and ``action_mask`` says which numbers of
    `valletta_rules.numeric.numbering` are legal for it.  Forced answers count as answers, too.

    Rewards have a row for each game and a column for each seat, since the next seat to answer need
    not be the one that has earned something.  At the end each seat gets its margin: its own points
    minus those of its best opponent.  ``infos`` then has ``points`` and ``shares`` of the victory,
    likewise.  With a `seat`, rewards are its own alone, one for each game, as Gymnasium's wrappers
    want them; all seats are still asked.

    With `shaping` the same sum is paid on the way, as the margin changes that the points would
    have if the game ended now.  A game that is broken off pays nothing more.

    A game that is over restarts in the same step (`AutoresetMode.SAME_STEP`): what is observed is
    of the new game, and ``infos["final_obs"]`` is what the seat that answered last could see at the
    end, or the seat asked in a game that is broken off; ``infos["_final_obs"]`` says which rows are
    filled.  With `AutoresetMode.DISABLED` it waits to be reset by ``options={"reset_mask": ...}``,
    one boolean for each game.
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
        """Set the parameters of all games.

        After `max_answers` answers a game is broken off, truncated, and pays nothing; with `None`
        never.  The games are shared out among `threads`.

        Raises the errors of `valletta_rules.new_game` and of `valletta_rules.native.Batch`,
        `SeatError` for a seat that is not in the games, and `ValueError` for another mode and for
        fewer answers than one.
        """
        self._mode = AutoresetMode(autoreset_mode)
        if self._mode is AutoresetMode.NEXT_STEP:  # for calls without a legal answer
            raise ValueError("autoreset_mode is SAME_STEP or DISABLED, not NEXT_STEP")
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
        """Return the position of a game; during a partial payment, the position before it.

        Raises `gymnasium.error.ResetNeeded` before the first `reset`.
        """
        self._need_games()
        return self._batch.position(game)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Start all games, or those of ``options["reset_mask"]``.

        The seed determines chance in each game and in those that follow it, whatever the number of
        games; without one, chance goes on from the seed before.  Raises `ValueError` for a
        mask of another shape or type.
        """
        super().reset(seed=seed)
        wanted = self._wanted(options or {})
        luck = np.random.SeedSequence(int(self.np_random.integers(2**63)))
        self._begin(wanted, np.asarray(luck.generate_state(self.num_envs, np.uint64), np.uint64))
        return self._look(), {}

    def step(self, actions: Any) -> StepResult:
        """Answer the prompt of each game by a number.

        Raises `ValueError` for a number that is not legal, and while a game waits to be reset,
        `OutsideSpaceError` for anything outside the action space, and
        `gymnasium.error.ResetNeeded` before the first `reset`; then nothing has changed.
        """
        self._need_games()
        numbers = numbers_of(actions, self.action_space)
        if self._waiting.any():
            games = np.flatnonzero(self._waiting).tolist()
            raise ValueError(f"reset these games first, they are over or have not begun: {games}")
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
        return self._look(), own, over, cut, infos

    def _need_games(self) -> None:
        if not self._is_reset:
            raise ResetNeeded("no game has begun: call reset first")

    def _earned(self, over: NDArray[np.bool_], points: NDArray[Any]) -> NDArray[np.float32]:
        """Return the rewards of the seats for a step: margins at the end, or their changes."""
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
        """Restart games that are over or truncated, or let them wait."""
        if self._mode is AutoresetMode.DISABLED:
            self._waiting = over | cut
            return
        infos["final_obs"] = self._last_seen(over, cut, movers)
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
        """Return the mask of the games to restart."""
        if unknown := options.keys() - {"reset_mask"}:
            raise ValueError(f"there is one option, reset_mask, not {', '.join(sorted(unknown))}")
        everything = np.ones(self.num_envs, np.bool_)
        mask = np.asarray(options.get("reset_mask", everything))
        if mask.shape != everything.shape or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask has {self.num_envs} booleans, not {mask!r}")
        return mask

    def _last_seen(
        self, over: NDArray[np.bool_], cut: NDArray[np.bool_], movers: NDArray[np.int8]
    ) -> Arrays:
        """Return the final observations of games."""
        seen = self._observed()
        for part in seen.values():
            part[~cut] = 0
        seen["seat"][over] = movers[over]
        for game in np.flatnonzero(over):
            last = self._batch.last_position(int(game))
            encode(last, int(movers[game]), into=seen["observation"][game])
        return seen

    def _look(self) -> Arrays:
        """Return the current observations."""
        seen = self._observed()
        seen["action_mask"][self._waiting] = 0
        self._movers = seen["seat"].copy()  # the caller may write to these arrays
        return seen

    def _observed(self) -> Arrays:
        """Return the observations of the batch in new arrays."""
        seen: Arrays = {
            "observation": np.zeros((self.num_envs, len(columns(self.players))), np.int16),
            "action_mask": np.zeros((self.num_envs, COUNT), np.int8),
            "seat": np.zeros(self.num_envs, np.int8),
        }
        self._batch.observe(seen["observation"])
        self._batch.legal_mask(seen["action_mask"].view(np.uint8))
        self._batch.to_play(seen["seat"])
        return seen


def random_actions(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal number for each row of masks, all equally likely.

    Raises `ValueError` if nothing is legal in a row.
    """
    legal = np.flatnonzero(masks.astype(np.bool_, copy=False))
    ends = np.searchsorted(legal, masks.shape[1] * np.arange(len(masks) + 1))
    firsts, counts = ends[:-1], np.diff(ends)
    if not counts.all():
        raise ValueError("there are games in which nothing is legal")
    chosen = firsts + (rng.random(len(masks)) * counts).astype(np.int64)
    return np.asarray(legal[chosen] % masks.shape[1])


gymnasium.register(
    id="VallettaGames-v0",
    vector_entry_point=f"{__name__}:{GamesEnv.__name__}",
)
