"""The game passes OpenSpiel's own tests, keeps secrets, and is the game that it should be."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from valletta_rules import (
    PlayerCountError,
    RevealBarrel,
    chance_outcomes,
    outcome,
    view,
)
from valletta_rules.environments.referee import shares
from valletta_rules.numeric.encoding import columns, encode
from valletta_rules.numeric.numbering import NUMBERS, numbers_of

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from valletta_rules.environments import openspiel  # noqa: E402


def game_of(players: int = 2, **parameters: Any) -> Any:
    """Return a game."""
    return pyspiel.load_game(openspiel.NAME, {"players": players, **parameters})


def walk(game: Any, seed: int) -> Iterator[Any]:
    """Play a game at random, and run through its states."""
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_keeps_the_contract_of_openspiel(players: int) -> None:
    """For every number of players: a game at random, each state written and read again."""
    game = game_of(players, max_length=4000 if players == 2 else 250)  # a whole one takes long
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", ["z-man", "reference-manual+start-player+fewer-barrels"])
def test_every_edition_can_be_played(rules: str) -> None:
    """The end is that of the engine, and the returns add up to nothing."""
    *_, state = walk(game_of(2, rules=rules), seed=1)
    end = outcome(state.node.state)
    assert end is not None
    assert state.returns() == [2 * share - 1 for share in shares(end.winners, 2)]
    assert not state.legal_actions()


def test_a_game_is_broken_off_after_so_many_answers() -> None:
    """Whoever has most points then has won; with several winners each gets less."""
    game = game_of(3, max_length=2)
    assert game.max_game_length() == 2
    for state in walk(game, seed=1):
        assert state.is_terminal() == (state.node.answers == 2)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert outcome(state.node.state) is None
    assert sum(state.returns()) == pytest.approx(0)
    assert game.new_initial_state().returns() == [0, 0, 0]


def test_chance_is_that_of_the_engine() -> None:
    """Its answers are numbers like those of players, with the same probabilities."""
    game, answered = game_of(max_length=100), 0
    for state in walk(game, seed=2):
        answered += state.is_chance_node()
        assert state.move_number() == len(state.history())
        if state.is_chance_node():
            position = state.node.state
            every = chance_outcomes(position)
            told = dict(state.chance_outcomes())
            assert list(told) == [numbers_of(each, position.cards)[0] for each, _ in every]
            assert list(told.values()) == [float(chance) for _, chance in every]
            assert max(told) < NUMBERS[RevealBarrel].stop
    assert 0 < answered <= game.max_chance_nodes_in_history()


def test_a_clone_costs_nothing_and_goes_its_own_way() -> None:
    """It shares what has been, which never changes."""
    *_, state, _ = (each.clone() for each in walk(game_of(max_length=60), seed=3))
    other = state.clone()
    assert other.node is state.node
    assert copy.deepcopy(state.node) is state.node
    before = str(state)
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


# What players see


def test_views_are_those_of_the_library() -> None:
    """As arrays and as texts, of every seat, and of a spectator."""
    game = game_of(3, max_length=150)
    kind = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    spectator, parts = make_observation(game, kind), 0
    for state in walk(game, seed=6):
        position = state.node.state
        for seat in range(3):
            begun = state.node.begun if seat == state.node.seat else ()
            parts += len(begun)
            seen = encode(view(position, seat), begun)
            assert np.array_equal(state.observation_tensor(seat), seen)
        spectator.set_from(state, 0)
        assert np.array_equal(spectator.tensor, encode(view(position, None)))
    assert parts
    assert spectator.string_from(state, 0).startswith("phase=1 active=")
    assert "viewer=1" in state.observation_string(0)
    assert game.observation_tensor_shape() == [len(columns(3))]


def test_what_is_no_view_is_refused() -> None:
    """Everybody's secrets at once, only private parts, parameters."""
    everything = pyspiel.PrivateInfoType.ALL_PLAYERS
    for public, private in ((True, everything), (False, pyspiel.PrivateInfoType.SINGLE_PLAYER)):
        kind = pyspiel.IIGObservationType(
            perfect_recall=True, public_info=public, private_info=private
        )
        with pytest.raises(ValueError, match="views are of one player"):
            game_of().make_py_observer(kind)
    with pytest.raises(ValueError, match="without parameters"):
        game_of().make_py_observer(None, {"colour": 1})


def test_nobody_forgets() -> None:
    """What has been seen is never the same again, not even by a spectator."""
    states = {0: list[str](), 1: list[str](), None: list[str]()}
    for state in walk(game_of(max_length=60), seed=7):
        for seat, seen in states.items():
            seen.append(state.node.recall(seat))
    for seen in states.values():
        assert len(set(seen)) == len(seen)
    recalls = pyspiel.IIGObservationType(
        perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = make_observation(state.get_game(), recalls)
    assert observer.string_from(state, 0) == states[None][-1]
    observer.set_from(state, 0)
    assert state.information_state_string(1) == states[1][-1]


@pytest.mark.parametrize("players", [2, 3])
def test_the_search_of_openspiel_plays(players: int) -> None:
    """Its Python bot for hidden information, which asserts that resampling keeps its key."""
    game, luck = game_of(players, max_length=16), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2, max_simulations=6, random_state=luck)
    answers = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(bot.step(state))
            answers += 1
    assert answers == 16


def test_what_cannot_be_played_is_refused() -> None:
    """Other numbers of players, rule sets that there are not."""
    with pytest.raises(PlayerCountError):
        openspiel.VallettaGame({"players": 5})
    with pytest.raises(ValueError, match="edition"):
        openspiel.VallettaGame({"rules": "zman"})
