"""The Gymnasium environment of a learner among bots passes Gymnasium's tests."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.bots.listener import Listener
from tests.environments.test_aec import ending
from valletta_rules import SeatError
from valletta_rules.bots import registry
from valletta_rules.environments import arrays
from valletta_rules.environments.referee import margins
from valletta_rules.environments.single import LearnerEnv

NAME = "valletta_rules.environments.single:Valletta-v0"


def played(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """Play a game at random; return the sum of the rewards, and the last ``info``."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    earned, is_over = 0.0, False
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        earned, is_over = earned + reward, terminated or truncated
    return earned, info


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gymnasium_api(players: int) -> None:
    """For every number of players, without a warning."""
    env = LearnerEnv(players=players, illegal="replace", render_mode="svg")
    check_env(env, skip_render_check=True)


def test_an_illegal_number_is_replaced_by_a_legal_one() -> None:
    """A legal one is never replaced; when the game is over there is no replacement."""
    env, other = (LearnerEnv("random", seat=0, illegal="replace") for _ in range(2))
    _, info = env.reset(seed=1)
    other.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    wrong = next(number for number in range(332) if not info["action_mask"][number])
    env.step(wrong)
    other.step(legal[wrong % len(legal)])
    assert env.record == other.record
    played(env, seed=2)
    with pytest.raises(ValueError, match="0 is no legal answer"):
        env.step(0)
    with pytest.raises(ValueError, match="'refuse' or 'replace', not 'punish'"):
        LearnerEnv(illegal="punish")  # type: ignore[arg-type]


def test_it_is_registered() -> None:
    """The name contains the module."""
    env = gymnasium.make(NAME, opponents="random", players=3, render_mode="ansi")
    earned, info = played(env, seed=1)
    points, _ = ending(env.unwrapped)
    assert earned == margins(points)[info["seat"]]
    assert "The game is over." in str(env.render())
    assert env.spec is not None
    assert env.spec.id == "Valletta-v0"


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_seat_of_the_learner_is_fixed_or_random(seat: int | None) -> None:
    """The rewards add up to the margin at the end."""
    env = LearnerEnv(["random", "automatic"], players=3, seat=seat, shaping=True)
    seats = set()
    for seed in range(3):
        earned, info = played(env, seed)
        seats.add(info["seat"])
        assert env.seat == info["seat"]
        assert earned == margins(ending(env)[0])[env.seat]
        assert not env.action_masks().any()
    assert seats == {seat} if seat is not None else len(seats) > 1


@pytest.mark.parametrize("most", [None, 9])
def test_without_shaping_only_the_end_pays(most: int | None) -> None:
    """The reward is the margin; a truncated game pays nothing."""
    env, is_over, rewards = LearnerEnv("random", seat=0, max_turns=most), False, list[float]()
    _, info = env.reset(seed=1)
    while not is_over:
        legal = np.flatnonzero(info["action_mask"])
        _, reward, over, truncated, info = env.step(legal[-1])
        rewards.append(reward)
        is_over = over or truncated
    *before, last = rewards
    assert not any(before)
    assert last == (margins(ending(env)[0])[0] if most is None else 0)
    assert truncated is (most is not None)


def test_bots_with_a_memory_receive_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """They get every event from the first building on."""
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "listener": Listener})
    _, info = played(LearnerEnv("listener", max_turns=20), seed=1)
    assert "points" not in info


def test_human_mode_prints_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    """The render mode ``human`` prints to standard output."""
    played(LearnerEnv("random", render_mode="human", max_turns=4), seed=1)
    assert capsys.readouterr().out.count("houses") > 4


@pytest.mark.skipif("rgb_array" not in arrays.RENDER_MODES, reason="the extra png is missing")
def test_a_position_is_rendered_in_pixels() -> None:
    """Gymnasium's video recorders need this."""
    env = gymnasium.make(NAME, opponents="random", render_mode="rgb_array")
    env.reset(seed=1)
    picture = np.asarray(env.render())
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert min(picture.shape[:2]) > 300
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20


def test_rgb_array_without_the_extra_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """stable-baselines3 tries ``rgb_array`` first and expects this error."""
    modes = ("human", "ansi", "svg")
    monkeypatch.setattr(arrays, "RENDER_MODES", modes)
    monkeypatch.setitem(LearnerEnv.metadata, "render_modes", list(modes))
    with (
        pytest.warns(UserWarning, match="not in the possible render_modes"),
        pytest.raises(TypeError, match="render_mode is one of human, ansi, svg or None"),
    ):
        gymnasium.make(NAME, opponents="random", render_mode="rgb_array")
    assert gymnasium.make(NAME, opponents="random").render_mode is None


def test_invalid_settings_are_refused() -> None:
    """Unknown bots, too few of them, seats beyond the table; so is an illegal number."""
    with pytest.raises(registry.BotSpecError, match="there is no bot 'unknown'"):
        LearnerEnv("unknown")
    with pytest.raises(ValueError, match="3 players have 2 opponents, not 1"):
        LearnerEnv(["random"], players=3)
    with pytest.raises(SeatError):
        LearnerEnv(seat=2)
    env = LearnerEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="0 is no legal answer"):
        env.step(0)
