"""Tests of the OpenSpiel game: OpenSpiel's own test, hidden information, and results."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from valletta_rules import PlayerCountError, outcome
from valletta_rules.environments.referee import shares
from valletta_rules.numeric.encoding import columns

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from valletta_rules.environments import openspiel  # noqa: E402


def game_of(players: int = 2, **parameters: Any) -> Any:
    """Load the OpenSpiel game with the given parameters."""
    return pyspiel.load_game(openspiel.NAME, {"players": players, **parameters})


def walk(game: Any, seed: int) -> Iterator[Any]:
    """Play a random game and yield its states, including the terminal state."""
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
def test_the_game_passes_the_simulation_test_of_openspiel(players: int) -> None:
    """The simulation plays a random game, and serialises and deserialises every state."""
    game = game_of(players, max_length=4000 if players == 2 else 250)  # a whole game takes too long
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", ["z-man", "reference-manual+start-player+fewer-barrels"])
def test_the_returns_at_the_end_of_a_game_agree_with_the_engine(rules: str) -> None:
    """In a game of two players, the winner's return is 1 and the loser's is -1."""
    *_, state = walk(game_of(2, rules=rules), seed=1)
    end = outcome(state.node.state)
    assert end is not None
    assert state.returns() == [2 * share - 1 for share in shares(end.winners, 2)]
    assert not state.legal_actions()


def test_a_game_becomes_terminal_after_max_length_answers_of_players() -> None:
    """The game is not over for the engine, and the returns still add up to zero."""
    game = game_of(3, max_length=2)
    assert game.max_game_length() == 2
    for state in walk(game, seed=1):
        assert state.is_terminal() == (state.node.answers == 2)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert outcome(state.node.state) is None
    assert sum(state.returns()) == pytest.approx(0)
    assert game.new_initial_state().returns() == [0, 0, 0]


def test_an_action_in_a_cloned_state_leaves_the_original_unchanged() -> None:
    """Before the action, both states share a node of the game tree."""
    *_, state, _ = (each.clone() for each in walk(game_of(max_length=60), seed=3))
    other, before = state.clone(), str(state)
    assert other.node is state.node
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


# What players see


def kind_of(private: str, *, public: bool = False, recalls: bool = False) -> Any:
    """Return the OpenSpiel observation type for the given private and public information."""
    return pyspiel.IIGObservationType(
        perfect_recall=recalls,
        public_info=public,
        private_info=getattr(pyspiel.PrivateInfoType, private),
    )


def test_openspiel_observations_equal_those_of_the_node_as_arrays_and_as_texts() -> None:
    """Observers are every seat and a spectator, each with and without perfect recall."""
    game = game_of(3, max_length=150)
    kinds = (kind_of("NONE", public=True, recalls=recalls) for recalls in (False, True))
    spectator, recalls = (make_observation(game, kind) for kind in kinds)
    for state in walk(game, seed=6):
        for seat in range(3):
            assert np.array_equal(state.observation_tensor(seat), state.node.observe(seat))
            assert state.information_state_string(seat) == state.node.recall(seat)
        spectator.set_from(state, 0)
        assert np.array_equal(spectator.tensor, state.node.observe(None))
        recalls.set_from(state, 0)
        assert recalls.string_from(state, 0) == state.node.recall(None)
    assert spectator.string_from(state, 0).startswith("phase=1 active=")
    assert "viewer=1" in state.observation_string(0)
    assert game.observation_tensor_shape() == [len(columns(3))]


def test_the_private_observation_contains_only_the_hand_and_the_partial_payment() -> None:
    """All other columns of the observation are 0."""
    game, names = game_of(2, max_length=30), columns(2)
    private = make_observation(game, kind_of("SINGLE_PLAYER"))
    met: set[str] = set()
    for state in walk(game, seed=4):
        for seat in range(2):
            private.set_from(state, seat)
            filled = {names[place] for place in np.nonzero(private.tensor)[0]}
            met |= {name.partition(".")[0] for name in filled}
            for name, own, value in zip(
                names, state.observation_tensor(seat), private.tensor, strict=True
            ):
                assert value == (own if name.startswith(("hand.", "begun.")) else 0)
            assert private.string_from(state, seat).count("=") == len(filled)
    assert met == {"hand", "begun"}


def test_openspiel_can_write_a_reproducible_playthrough_of_the_game() -> None:
    """A playthrough is the log of a random game.

    OpenSpiel tests its own games with playthroughs.
    """
    game = f"{openspiel.NAME}(players=2,max_length=2)"
    first, again = (generate_playthrough.playthrough(game, None, seed=3) for _ in range(2))
    assert first == again
    assert 'PrivateObservationString(1) = "hand.' in first


def test_observation_types_with_private_information_of_all_players_raise_an_error() -> None:
    """Perfect recall without public information and observers with parameters also raise errors."""
    for private, public in (("ALL_PLAYERS", True), ("SINGLE_PLAYER", False)):
        with pytest.raises(ValueError, match="unsupported observer"):
            game_of().make_py_observer(kind_of(private, public=public, recalls=True))
    with pytest.raises(ValueError, match="no parameters"):
        game_of().make_py_observer(None, {"colour": 1})


@pytest.mark.parametrize("players", [2, 3])
def test_the_information_set_search_bot_of_openspiel_plays_a_game(players: int) -> None:
    """The bot asserts that resampled states have the same information."""
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


def test_a_game_with_five_players_or_an_unknown_edition_raises_an_error() -> None:
    """The parameters are checked when the game is created."""
    with pytest.raises(PlayerCountError):
        openspiel.VallettaGame({"players": 5})
    with pytest.raises(ValueError, match="edition"):
        openspiel.VallettaGame({"rules": "zman"})
