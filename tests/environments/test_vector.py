"""Tests of the vector environment, in which each row of an array belongs to one game."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeReward, RecordEpisodeStatistics
from numpy.typing import NDArray

from tests.positions import EDITIONS
from valletta_rules import PlayerCountError, RuleSet, SeatError, native, outcome, view
from valletta_rules.environments import referee
from valletta_rules.environments.vector import Arrays, GamesEnv, random_actions
from valletta_rules.numeric.encoding import columns, encode
from valletta_rules.numeric.numbering import COUNT, legal_mask

pytestmark = pytest.mark.skipif(not native.available, reason=str(native.why_not))

WAITING = AutoresetMode.DISABLED


def last_legal(obs: Arrays) -> NDArray[np.int64]:
    """Return the highest legal number in each row. Playing these numbers makes games short."""
    flipped: NDArray[np.int64] = COUNT - 1 - obs["action_mask"][:, ::-1].argmax(axis=1)
    return flipped


def played_until_over(env: GamesEnv, seed: int) -> tuple[Any, ...]:
    """Play until a game ends.

    Return the observations before the last step, and the results of that step.
    """
    obs, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        before = obs
        obs, rewards, over, cut, infos = env.step(random_actions(obs["action_mask"], rng))
        if (over | cut).any():
            return before, obs, rewards, over, cut, infos


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", EDITIONS)
def test_each_row_has_the_observation_and_the_mask_of_the_seat_to_act(
    players: int, rules: RuleSet
) -> None:
    """The test compares rows with the positions of their games, in every edition."""
    env = GamesEnv(3, players, rules=rules)
    rng = np.random.default_rng(1)
    obs, infos = env.reset(seed=1)
    assert infos == {}
    for step in range(60):
        assert env.observation_space.contains(obs)
        for game in range(3) if step % 5 == 0 else ():
            state, seat = env.position(game).unpack(), int(obs["seat"][game])
            assert state.prompt is not None
            assert state.prompt.seat == seat
            if not obs["observation"][game][columns(players).index("begun.parts")]:
                assert obs["observation"][game].tolist() == encode(view(state, seat)).tolist()
                assert obs["action_mask"][game].tobytes() == legal_mask(state)
        obs, rewards, over, cut, infos = env.step(random_actions(obs["action_mask"], rng))
        assert not any(part.any() for part in (rewards, over, cut))
        assert not infos


def test_a_row_does_not_depend_on_the_number_of_rows_or_threads() -> None:
    """Changing a returned array does not affect the games.

    A `reset` without a seed continues the sequence of seeds.
    """
    few, many, ends = GamesEnv(2), GamesEnv(5, threads=2), 0
    for seed in (7, None, 8):
        one, other = few.reset(seed=seed)[0], many.reset(seed=seed)[0]
        for _ in range(250):
            assert all((one[part] == other[part][:2]).all() for part in one)
            ones, others = last_legal(one), last_legal(other)
            for part in other.values():
                part[:] = -2
            one, *_, infos = few.step(ones)
            other, *_, other_infos = many.step(others)
            ends += "final_obs" in infos
            if "final_obs" in infos:
                seats = other_infos["final_obs"]["seat"][:2]
                assert (infos["final_obs"]["seat"] == seats).all()
    assert ends
    assert not (GamesEnv(2).reset(seed=7)[0]["observation"] == one["observation"]).all()


@pytest.mark.parametrize("players", [2, 3])
def test_the_end_of_a_game_is_reported_in_one_step_which_also_starts_the_next_game(
    players: int,
) -> None:
    """The final observation, the points and the shares of the victory are in ``infos``."""
    waiting, going = GamesEnv(4, players, autoreset_mode=WAITING), GamesEnv(4, players)
    before, still, rewards, over, cut, infos = played_until_over(waiting, seed=3)
    _, obs, *same, next_infos = played_until_over(going, seed=3)
    assert all((one == other).all() for one, other in zip((rewards, over, cut), same, strict=True))
    assert not cut.any()
    for game in range(4):
        if not over[game]:
            assert not rewards[game].any()
            assert not next_infos["final_obs"]["observation"][game].any()
            continue
        state, mover = waiting.position(game).unpack(), int(before["seat"][game])
        end = outcome(state)
        assert end is not None
        points = [score.total for score in end.scores]
        assert next_infos["points"][game].tolist() == points
        assert rewards[game].tolist() == list(referee.margins(points))
        assert next_infos["shares"][game] == pytest.approx(referee.shares(end.winners, players))
        assert next_infos["final_obs"]["seat"][game] == mover
        last = next_infos["final_obs"]["observation"][game].tolist()
        assert last == encode(view(state, mover)).tolist()
        prompt = going.position(game).prompt
        assert prompt is not None
        assert (still["seat"][game], obs["seat"][game]) == (-2, prompt.seat)
    for name in ("points", "shares", "final_obs"):
        assert (next_infos[f"_{name}"] == over).all()
    assert "final_obs" not in infos
    assert obs["action_mask"].any(axis=1).all()
    _, rewards, over, _, infos = going.step(last_legal(obs))
    assert not any(part.any() for part in (rewards, over))
    assert not infos


@pytest.mark.parametrize("seat", [0, 1])
def test_with_a_seat_the_rewards_are_one_number_for_each_game_as_gymnasium_wrappers_need(
    seat: int,
) -> None:
    """The rewards in a game add up to the margin of the seat, with and without shaping."""
    plain, shaped = (
        RecordEpisodeStatistics(
            gymnasium.make_vec(
                "valletta_rules.environments.vector:VallettaGames-v0", 4, seat=seat, shaping=shaping
            )
        )
        for shaping in (False, True)
    )
    obs, _ = plain.reset(seed=3)
    scaled = NormalizeReward(shaped)
    scaled.reset(seed=3)
    rng, ended = np.random.default_rng(3), set[int]()
    while ended != {*range(4)}:
        actions = random_actions(obs["action_mask"], rng)
        obs, rewards, over, _, infos = plain.step(actions)
        _, small, *_, others = scaled.step(actions)
        assert rewards.shape == small.shape == (4,)
        assert not rewards[~over].any()
        for game in np.flatnonzero(over):
            ended.add(int(game))
            margin = referee.margins(infos["points"][game].tolist())[seat]
            assert infos["episode"]["r"][game] == others["episode"]["r"][game] == margin
    with pytest.raises(SeatError):
        GamesEnv(1, seat=2)


def test_without_autoreset_a_step_with_finished_games_raises_an_error_until_they_are_reset() -> (
    None
):
    """The option `reset_mask` selects the games to reset. The other games do not change."""
    env = GamesEnv(4, autoreset_mode=WAITING)
    assert env.metadata["autoreset_mode"] is WAITING
    *_, obs, _, over, _, _ = played_until_over(env, seed=5)
    others = [env.position(int(game)) for game in np.flatnonzero(~over)]
    assert (obs["action_mask"].any(axis=1) == ~over).all()
    with pytest.raises(
        ValueError, match=r"these games are over or have not started; reset them first: \["
    ):
        env.step(last_legal(obs))
    obs, _ = env.reset(options={"reset_mask": over})
    assert [env.position(int(game)) for game in np.flatnonzero(~over)] == others
    assert obs["action_mask"].any(axis=1).all()
    env.step(last_legal(obs))


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_games_are_truncated_without_rewards_after_max_answers(mode: str) -> None:
    """With autoreset, new games start, and the final observations are in ``infos``."""
    env = GamesEnv(3, autoreset_mode=mode, max_answers=20)
    _, obs, rewards, over, cut, infos = played_until_over(env, seed=1)
    assert cut.all()
    assert not any(part.any() for part in (rewards, over))
    assert "points" not in infos
    if mode == "Disabled":
        assert not obs["action_mask"].any()
        assert (obs["seat"] >= 0).all()
        env.reset(options={"reset_mask": np.ones(3, bool)})
        return
    assert infos["_final_obs"].all()
    assert infos["final_obs"]["action_mask"].any(axis=1).all()
    assert not (infos["final_obs"]["observation"] == obs["observation"]).all(axis=1).any()
    for step in range(20):
        obs, _, _, cut, _ = env.step(last_legal(obs))
        assert cut.all() == (step == 19)


def test_a_game_after_a_truncated_one_equals_a_fresh_game_with_the_next_seed() -> None:
    """Observations, rewards and truncations are compared in every step.

    Only the truncated games start again.
    """
    env, most = GamesEnv(3, max_answers=150, shaping=True), 150
    obs, _ = env.reset(seed=1)
    seeds = env._seeds.copy()
    for _ in range(10):
        obs, *_ = env.step(last_legal(obs))
    obs, _ = env.reset(options={"reset_mask": np.array([True, False, False])})
    paid = np.zeros((3, 2))
    for step in range(most - 10):
        obs, rewards, _, cut, _ = env.step(last_legal(obs))
        paid += rewards
        assert cut.tolist() == [False, step == most - 11, step == most - 11]
    assert paid[1:].any()
    fresh = [GamesEnv(1, max_answers=most, shaping=True) for _ in range(2)]
    for row, other in enumerate(fresh, 1):
        other.reset(seed=9)
        other._begin(np.ones(1, bool), seeds[row : row + 1] + np.uint64(1))
    others = [other._next_observations() for other in fresh]
    for step in range(most):
        for row, one in enumerate(others, 1):
            assert all((obs[part][row] == one[part][0]).all() for part in one)
        obs, rewards, _, cut, _ = env.step(last_legal(obs))
        assert cut.tolist() == [step == 9, step == most - 1, step == most - 1]
        for row, other in enumerate(fresh, 1):
            others[row - 1], earned, _, also_cut, _ = other.step(last_legal(others[row - 1]))
            assert (earned[0] == rewards[row]).all()
            assert also_cut[0] == cut[row]


def test_a_game_after_a_finished_one_counts_answers_and_shaped_rewards_from_zero() -> None:
    """The limit `max_answers` is longer than one game and shorter than two."""
    env, length, over = GamesEnv(1), 0, np.zeros(1, bool)
    obs, _ = env.reset(seed=1)
    while not over.any():
        obs, _, over, _, _ = env.step(last_legal(obs))
        length += 1
    env, paid = GamesEnv(1, max_answers=length + 5, shaping=True), [0.0, 0.0]
    obs, _ = env.reset(seed=1)
    for answers in range(length + 11):
        obs, rewards, over, cut, _ = env.step(last_legal(obs))
        assert (over[0], cut[0]) == (answers == length - 1, False)
        paid = [0.0, 0.0] if over else (paid + rewards[0]).tolist()
    assert paid == list(referee.margins(env.position(0).points()))


def test_invalid_modes_options_masks_and_numbers_raise_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A missing native backend also raises an error."""
    with pytest.raises(ValueError, match="not NEXT_STEP"):
        GamesEnv(1, autoreset_mode="NextStep")
    with pytest.raises(ValueError, match="max_answers must be at least 1, not 0"):
        GamesEnv(1, max_answers=0)
    with pytest.raises(PlayerCountError):
        GamesEnv(1, players=1)
    env = GamesEnv(2, autoreset_mode=WAITING)
    with pytest.raises(ValueError, match="unknown options: seats; reset has only the option"):
        env.reset(options={"seats": 1})
    for wrong in ([True], np.ones(3, bool), np.ones(2, int)):
        with pytest.raises(ValueError, match="reset_mask must be 2 booleans"):
            env.reset(options={"reset_mask": wrong})
    legal, before = last_legal(env.reset(seed=1)[0]), env.position(0)
    with pytest.raises(ValueError, match="0 is not a legal number in game 1"):
        env.step(legal * [1, 0])
    assert env.position(0) == before
    with pytest.raises(ValueError, match="no action is legal in these rows of masks"):
        random_actions(np.zeros((2, COUNT), np.int8), np.random.default_rng(1))
    monkeypatch.setattr(native, "why_not", "it was not compiled")
    with pytest.raises(RuntimeError, match="not compiled"):
        GamesEnv(1)
