"""The public contract: what can be imported, and what values are like."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import tracemalloc
from typing import get_args

import attrs
import pytest

import valletta_rules as valletta
from valletta_rules import actions, agenda, events
from valletta_rules.engine import RULES

CLOSED_UNIONS = [actions.Action, agenda.Step, events.Event, valletta.RedactedEvent]


def playthrough(seed: int, players: int = 4) -> list[valletta.GameState]:
    """Return the positions of a game, one for each time a player is asked."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    states = [state]
    while state.prompt is not None:
        action = rng.choice(valletta.legal_actions(state))
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
        states.append(state)
    return states


def test_everything_exported_exists_once() -> None:
    """The list of exported names holds each name once, and each can be imported."""
    assert len(set(valletta.__all__)) == len(valletta.__all__)
    assert all(hasattr(valletta, name) for name in valletta.__all__)


def test_every_prompt_has_its_rule() -> None:
    """Each type of prompt is answered by one rule."""
    assert set(RULES) == set(get_args(agenda.Prompt))


def test_every_action_answers_some_prompt() -> None:
    """Each type of action answers at least one prompt, and `ACTION_TYPES` lists them all."""
    answered = {answer for prompt in get_args(agenda.Prompt) for answer in prompt.answers}
    assert answered == set(get_args(actions.Action)) == set(actions.ACTION_TYPES)


@pytest.mark.parametrize("union", CLOSED_UNIONS)
def test_values_are_frozen_slotted_and_hashable(union: object) -> None:
    """Actions, steps and events cannot be changed and have no room for more."""
    for kind in get_args(union):
        assert attrs.has(kind)
        assert kind.__hash__ is not None
        assert "__slots__" in vars(kind)
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(object.__new__(kind), "anything", 1)  # noqa: B010  (typed attributes are known)


def test_a_position_survives_copying_and_pickling() -> None:
    """A position that is copied or pickled comes back equal, with an equal hash."""
    for state in playthrough(3, players=2)[::40]:
        twin = pickle.loads(pickle.dumps(state))
        assert twin == state
        assert hash(twin) == hash(state)
        assert copy.deepcopy(state) == state


def test_keeping_every_position_costs_under_two_kilobytes_each() -> None:
    """The positions of a game share what they have in common."""
    playthrough(1)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        states = playthrough(1)
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert (after - before) / (len(states) - 1) < 2_000


def test_playing_many_games_keeps_nothing_of_them() -> None:
    """What the package remembers from game to game is bounded."""
    gc.collect()
    alive = sum(isinstance(thing, valletta.GameState) for thing in gc.get_objects())
    for seed in range(3):
        playthrough(seed, players=2)
    gc.collect()
    assert sum(isinstance(thing, valletta.GameState) for thing in gc.get_objects()) == alive
