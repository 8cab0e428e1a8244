"""Tests that environments reject actions outside the action space, and calls before `reset`."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded

from tests.test_arguments import Number
from valletta_rules.environments import aec
from valletta_rules.environments.single import LearnerEnv
from valletta_rules.environments.vector import GamesEnv
from valletta_rules.numeric.numbering import COUNT

ODD: list[Callable[[int], Any]] = [
    *(bool, str, float, Fraction, Decimal, Number, complex),
    *(lambda number: number + 0.9, lambda number: number - COUNT, lambda number: number + COUNT),
    *(lambda number: number + 2**64, lambda number: -number - 1, lambda number: [number]),
    *(lambda number: None, lambda number: b"0", lambda number: float("nan")),
    *(np.float64, np.float32, np.bool_, np.str_),
    *(lambda number: np.array([number]), lambda number: np.array(number, float)),
    *(lambda number: np.array(number, object), lambda number: np.array(bool(number))),
]
"""Functions that make a value outside the action space from a legal action number."""


EXTREME: list[Callable[[int], Any]] = [
    lambda number: number + 10**5000,
    lambda number: np.timedelta64(number, "s"),
]
"""Functions like those in `ODD`. Gymnasium itself cannot check or print their values."""

EVEN: list[Callable[[int], Any]] = [int, np.int64, np.int16, lambda number: np.array(number)]
"""Functions that convert a legal action number to an equal value inside the action space."""


def learner() -> Any:
    """Return a Gymnasium environment after `reset`."""
    env = LearnerEnv("random", seat=0)
    env.reset(seed=1)
    return env


def table() -> Any:
    """Return a PettingZoo environment after `reset`. It has no wrappers."""
    env = aec.raw_env()
    env.reset(seed=1)
    return env


def test_every_environment_has_two_players_by_default() -> None:
    """A PettingZoo environment can be created by `env`, by `raw_env`, or by its class."""
    for make in (aec.env, aec.raw_env, aec.TableEnv):
        assert make().possible_agents == ["player_0", "player_1"]
    for one, two in ((LearnerEnv(), LearnerEnv(players=2)), (GamesEnv(1), GamesEnv(1, 2))):
        assert one.observation_space == two.observation_space


@pytest.mark.parametrize("make", [learner, table])
def test_step_rejects_any_value_outside_the_action_space_without_an_effect(
    make: Callable[[], Any],
) -> None:
    """Every value that Gymnasium's space contains is accepted, except `True`."""
    env = make()
    legal = env._referee.numbers
    for number in legal[0], legal[-1]:
        for odd in ODD + EXTREME:
            before, given = env.record, odd(number)
            for error in (InvalidAction, ValueError, TypeError):
                with pytest.raises(error, match=r"is not in Discrete\(332\)"):
                    env.step(given)
            assert env.record == before
            assert odd in (bool, *EXTREME) or not _space(env).contains(given)
    records = set()
    for even in EVEN:
        env = make()
        assert _space(env).contains(even(legal[0]))
        env.step(even(legal[0]))
        records.add(env.record)
    assert len(records) == 1


def _space(env: Any) -> Any:
    space = env.action_space
    return space("player_0") if callable(space) else space


def test_illegal_replace_still_rejects_values_outside_the_action_space() -> None:
    """``illegal="replace"`` replaces only numbers in the action space that are illegal now."""
    env = LearnerEnv("random", illegal="replace")
    env.reset(seed=1)
    before = env.record
    for odd in ODD:
        with pytest.raises(InvalidAction):
            env.step(odd(1))
    assert env.record == before


def test_wrapped_environments_reject_values_outside_the_action_space_and_do_not_change() -> None:
    """Wrappers of PettingZoo raise an AssertionError for some of these values."""
    env = aec.env()
    with pytest.raises(AssertionError, match="before step"):
        env.step(1)
    env.reset(seed=1)
    before = env.unwrapped.record
    for odd in ODD:
        with pytest.raises((AssertionError, InvalidAction)):
            env.step(odd(1))
    assert env.unwrapped.record == before


def test_the_vector_environment_accepts_only_one_integer_for_each_game() -> None:
    """The integers may be an array or a list.

    Other types, shapes and ranges raise an error and do not change the games.
    """
    env = GamesEnv(2)
    observations, _ = env.reset(seed=1)
    legal = observations["action_mask"].argmax(axis=1)
    assert env.action_space.contains(legal)
    refused: list[Any] = [
        *(legal + 0.0, legal + 0.9, legal > 0, legal.astype(object), legal.astype(str)),
        *(legal[:1], legal[:, None], np.append(legal, 0), legal[0], 0, None, "12", {0, 1}),
        *(legal + COUNT, legal - COUNT, legal.astype(np.complex64), legal.astype("m8[s]")),
        *([int(legal[0])], [int(legal[0]), float(legal[1])], [True, True], ["1", "2"], [[1, 2]]),
    ]
    before = [env.position(game) for game in range(2)]
    for given in refused:
        with pytest.raises(InvalidAction, match=r"(is|are) not in "):
            env.step(given)
        assert [env.position(game) for game in range(2)] == before
    after = []
    for fit in (legal, legal.astype(np.int16), legal.tolist(), tuple(legal), legal[::-1][::-1]):
        env.reset(seed=1)
        env.step(fit)
        after.append([env.position(game) for game in range(2)])
    assert all(each == after[0] != before for each in after)


def test_calls_before_reset_raise_reset_needed_in_every_environment() -> None:
    """The calls are steps, masks, observations and rendering.

    A step after the end of a game also raises this error.
    """
    single, raw, games = (
        LearnerEnv(render_mode="ansi"),
        aec.raw_env(render_mode="ansi"),
        GamesEnv(1),
    )
    calls: list[Callable[[], object]] = [
        *(lambda: single.step(0), single.action_masks, single.render),
        *(lambda: single.seat, lambda: single.record),
        *(lambda: raw.step(0), lambda: raw.step(None), raw.last, raw.render, lambda: raw.record),
        *(lambda: raw.last(observe=False), lambda: raw.observe("player_0")),
        *(lambda: games.step(np.array([0])), lambda: games.step([0.5]), lambda: games.position(0)),
    ]
    for call in calls:
        with pytest.raises(ResetNeeded, match="call reset first"):
            call()
    raw = aec.raw_env(max_turns=1)
    raw.reset(seed=1)
    while raw.agents:
        is_over = raw.truncations[raw.agent_selection]
        raw.step(None if is_over else raw._referee.numbers[0])
    with pytest.raises(ResetNeeded, match="call reset first"):
        raw.step(0)


def test_the_vector_environment_cannot_step_games_that_a_first_partial_reset_did_not_start() -> (
    None
):
    """The error lists the indices of these games."""
    env = GamesEnv(2)
    observations, _ = env.reset(seed=1, options={"reset_mask": np.array([False, True])})
    assert observations["action_mask"].any(axis=1).tolist() == [False, True]
    with pytest.raises(ValueError, match=r"reset them first: \[0\]$"):
        env.step(observations["action_mask"].argmax(axis=1))


def test_openspiel_rejects_values_that_are_not_integers_instead_of_truncating_them() -> None:
    """By itself, OpenSpiel would play action 0 for a NumPy float of 0.9."""
    pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    from valletta_rules.environments import openspiel

    state = openspiel.VallettaGame().new_initial_state()
    number = state.legal_actions()[0]
    answers = (state.apply_action, state.apply_action_with_legality_check, state.child)
    for odd in ODD:
        for answer in answers:
            if odd is not Number:
                with pytest.raises((TypeError, ValueError, RuntimeError)):  # OpenSpiel's, for -1
                    answer(odd(number))
    assert state.history() == []
    assert str(state.child(np.int64(number))) == str(state.child(number)) != str(state)
    state.apply_action_with_legality_check(np.array(number))
    assert state.history() == [number]
