"""Tests of the PettingZoo environment, including PettingZoo's own tests."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import valletta_rules as vr
from valletta_rules.environments import aec
from valletta_rules.environments.referee import margins, shares
from valletta_rules.environments.single import LearnerEnv
from valletta_rules.numeric.encoding import columns
from valletta_rules.rulings import EDITIONS

LEFT_ALONE = (
    "ignore:Observation is not a NumPy array",  # it is a dictionary with a mask
    "ignore:Observation space for each agent probably should be",
)
"""Filters for two warnings of `api_test`, which expects arrays.

Observations in this environment are dictionaries with a mask.
"""


@pytest.mark.filterwarnings(*LEFT_ALONE)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_environment_passes_the_api_test_of_pettingzoo_without_warnings(players: int) -> None:
    """The test plays several games with two, three and four players. Some games are truncated."""
    api_test(aec.env(players), num_cycles=250)
    api_test(aec.env(players, max_turns=3, shaping=True), num_cycles=60)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_seeds_and_actions_give_equal_games(players: int) -> None:
    """A `reset` without a seed begins another game.

    In the Gymnasium environment, the seed also determines the learner's seat.
    """
    seed_test(lambda: aec.env(players), num_cycles=60)
    for env in (aec.raw_env(players), LearnerEnv("random", players=players)):
        games = []
        for seed in (1, None, 1, 2):
            env.reset(seed=seed)
            games.append((env.record, env.seat if isinstance(env, LearnerEnv) else None))
        assert games[0] == games[2]
        assert len(set(games)) == 3


def test_render_returns_text_or_an_svg_or_prints_according_to_the_render_mode(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rendering without a render mode raises an error, as does an unknown render mode."""
    env = aec.env(render_mode="svg")
    env.reset(seed=1)
    is_svg = {"svg": lambda text: text.startswith("<svg") and text.rstrip().endswith("</svg>")}
    render_test(aec.env, is_svg)
    assert "Valette" in env.render()
    assert "which extra good" in capsys.readouterr().out
    over = played(aec.raw_env(render_mode="ansi"), seed=1)
    assert over.render().endswith("The game is over.")
    silent = aec.raw_env()
    silent.reset(seed=1)
    with pytest.raises(ValueError, match="render_mode is None; to render, choose one of"):
        silent.render()
    with pytest.raises(TypeError, match=r"one of human, ansi, svg.* or None, not 'ascii'"):
        aec.raw_env(render_mode="ascii")
    silent.close()


def acting_agents(env: aec.TableEnv, seed: int) -> Iterator[str]:
    """Play a random game to its end. Before each action, yield the agent that must act."""
    env.reset(seed=seed)
    rng = random.Random(seed)
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        yield env.agent_selection
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


def played(env: aec.TableEnv, seed: int) -> aec.TableEnv:
    """Play a random game to its end in the given environment, and return the environment."""
    for _ in acting_agents(env, seed):
        pass
    return env


def ending(env: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return each seat's points and fraction of the win at the end of an environment's game."""
    end = vr.outcome(vr.position_after(env.record))
    assert end is not None
    return tuple(score.total for score in end.scores), shares(end.winners, len(end.scores))


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=str)
def test_rewards_and_infos_at_the_end_of_a_game_agree_with_its_record(rules: vr.RuleSet) -> None:
    """Every edition is played, with both variants of the rules."""
    rules = rules.with_variants(start_player_variant=True, fewer_barrels=True)
    env = played(aec.raw_env(2, rules=rules), seed=3)
    points, won = ending(env)
    assert env.record.rules == rules
    assert tuple(env.rewards.values()) == margins(points)
    for info in env.infos.values():
        assert (info["points"], info["shares"]) == (points, won)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_shaped_rewards_add_up_to_the_reward_without_shaping(players: int) -> None:
    """Shaping spreads the reward over the game, and does not change the moves."""
    plain, shaped = played(aec.raw_env(players), seed=7), aec.raw_env(players, shaping=True)
    paid = [tuple(shaped.rewards.values()) for _ in acting_agents(shaped, seed=7)]
    paid.append(tuple(shaped.rewards.values()))
    assert shaped.record == plain.record
    assert sum(map(any, paid)) > 10
    assert list(map(sum, zip(*paid, strict=True))) == list(plain.rewards.values())


def test_a_game_that_reaches_max_turns_is_truncated_for_all_agents_without_rewards() -> None:
    """The game has no result, so ``infos`` contains no points."""
    env = played(aec.raw_env(3, max_turns=2), seed=1)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())
    assert all(info.keys() == {"action_mask"} for info in env.infos.values())
    for _ in range(3):
        env.step(None)
    assert not env.agents


def test_only_the_agent_to_act_has_legal_actions_and_observes_a_partial_payment() -> None:
    """The test also verifies that the observations of all agents are in the observation space."""
    env, names, parts = aec.raw_env(2), columns(2), 0
    for mover in acting_agents(env, seed=2):
        for agent in env.agents:
            observation, must_act = env.observe(agent), agent == mover
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == must_act
            assert (env.infos[agent]["action_mask"] == observation["action_mask"]).all()
            partial_length = dict(zip(names, observation["observation"].tolist(), strict=True))[
                "begun.parts"
            ]
            parts += partial_length > 0
            assert must_act or not partial_length
    assert parts


def test_an_illegal_action_raises_an_error_or_with_a_wrapper_terminates_the_game() -> None:
    """The wrapper, PettingZoo's `TerminateIllegalWrapper`, gives the agent a negative reward."""
    env = aec.env()
    assert str(env) == "valletta_v0"
    with pytest.raises(AttributeError, match="before reset"):
        env.last()
    env.reset(seed=1)
    before = env.unwrapped.record
    with pytest.raises(ValueError, match="0 is not the number of a legal action"):
        env.step(0)
    assert env.unwrapped.record == before
    strict: Any = TerminateIllegalWrapper(aec.raw_env(), illegal_reward=-1)
    strict.reset(seed=1)
    mover = strict.agent_selection
    strict.step(0)
    assert strict.rewards[mover] == -1
    assert strict.terminations[mover]


def test_invalid_parameters_raise_an_error_when_the_environment_is_created() -> None:
    """Examples are five players, no turns, and a variant that is only for two players."""
    with pytest.raises(vr.PlayerCountError):
        aec.env(5)
    with pytest.raises(vr.VariantError):
        aec.env(3, rules=vr.HANS_IM_GLUECK.with_variants(fewer_barrels=True))
    with pytest.raises(ValueError, match="max_turns must be at least 1"):
        aec.env(max_turns=0)
