"""Tests of the Gymnasium environment, in which a learner plays against bots."""

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
    """Play a random game. Return the sum of the rewards, and the last ``info``."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    earned, is_over = 0.0, False
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        earned, is_over = earned + reward, terminated or truncated
    return earned, info


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_environment_passes_the_check_of_gymnasium_without_warnings(players: int) -> None:
    """The check plays games of two, three and four players."""
    env = LearnerEnv(players=players, illegal="replace", render_mode="svg")
    check_env(env, skip_render_check=True)


def test_with_illegal_replace_an_illegal_number_plays_a_legal_action() -> None:
    """After the end of the game, no action is legal, so any number raises an error."""
    env, other = (LearnerEnv("random", seat=0, illegal="replace") for _ in range(2))
    _, info = env.reset(seed=1)
    other.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"])
    wrong = next(number for number in range(332) if not info["action_mask"][number])
    env.step(wrong)
    other.step(legal[wrong % len(legal)])
    assert env.record == other.record
    played(env, seed=2)
    with pytest.raises(ValueError, match="0 is not the number of a legal action"):
        env.step(0)
    with pytest.raises(ValueError, match="'refuse' or 'replace', not 'punish'"):
        LearnerEnv(illegal="punish")  # type: ignore[arg-type]


def test_gymnasium_make_creates_the_environment_by_its_registered_name() -> None:
    """The name includes the module, which therefore need not be imported first."""
    env = gymnasium.make(NAME, opponents="random", players=3, render_mode="ansi")
    earned, info = played(env, seed=1)
    points, _ = ending(env.unwrapped)
    assert earned == margins(points)[info["seat"]]
    assert "The game is over." in str(env.render())
    assert env.spec is not None
    assert env.spec.id == "Valletta-v0"


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_the_learner_has_the_given_seat_or_a_random_one_for_each_game(seat: int | None) -> None:
    """In each seat, the rewards add up to the learner's margin at the end of the game."""
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
def test_without_shaping_only_the_last_step_has_a_reward(most: int | None) -> None:
    """That reward is the margin in points, or 0 if the game was truncated."""
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


def test_a_bot_with_a_memory_receives_all_events_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bot raises an error unless the events lead to the table that it observes."""
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "listener": Listener})
    _, info = played(LearnerEnv("listener", max_turns=20), seed=1)
    assert "points" not in info


def test_the_render_mode_human_prints_the_position_at_every_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The test plays a game of four turns and counts the printed positions."""
    played(LearnerEnv("random", render_mode="human", max_turns=4), seed=1)
    assert capsys.readouterr().out.count("houses") > 4


@pytest.mark.skipif("rgb_array" not in arrays.RENDER_MODES, reason="the extra png is missing")
def test_the_render_mode_rgb_array_returns_a_picture_of_the_position() -> None:
    """Gymnasium's video recorders need such an array of pixels."""
    env = gymnasium.make(NAME, opponents="random", render_mode="rgb_array")
    env.reset(seed=1)
    picture = np.asarray(env.render())
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert min(picture.shape[:2]) > 300
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20


def test_the_render_mode_rgb_array_without_the_extra_png_raises_a_type_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """stable-baselines3 first tries ``rgb_array``, and expects this error."""
    modes = ("human", "ansi", "svg")
    monkeypatch.setattr(arrays, "RENDER_MODES", modes)
    monkeypatch.setitem(LearnerEnv.metadata, "render_modes", list(modes))
    with (
        pytest.warns(UserWarning, match="not in the possible render_modes"),
        pytest.raises(TypeError, match="render_mode must be one of human, ansi, svg or None"),
    ):
        gymnasium.make(NAME, opponents="random", render_mode="rgb_array")
    assert gymnasium.make(NAME, opponents="random").render_mode is None


def test_unknown_bots_missing_opponents_and_invalid_seats_raise_an_error() -> None:
    """By default, an illegal action number also raises an error."""
    with pytest.raises(registry.BotSpecError, match="there is no bot 'unknown'"):
        LearnerEnv("unknown")
    with pytest.raises(ValueError, match="with 3 players, the learner has 2 opponents, not 1"):
        LearnerEnv(["random"], players=3)
    with pytest.raises(SeatError):
        LearnerEnv(seat=2)
    env = LearnerEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="0 is not the number of a legal action"):
        env.step(0)
