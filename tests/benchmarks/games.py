"""Random games as a source of positions for benchmarks."""

import random
from collections.abc import Iterator
from typing import Any

import valletta_rules as valletta


def positions(state: Any, rng: random.Random, by: Any = valletta) -> Iterator[Any]:
    """Play at random from a position, and yield each position in which a player must decide.

    `by` is the module with the functions of the engine: the package or its native backend.
    """
    state = by.resolve_chance(state, rng)
    while state.prompt is not None:
        yield state
        actions = by.legal_actions(state)
        state = by.apply(state, actions[rng.randrange(len(actions))])
        state = by.resolve_chance(state, rng)


def decisions(state: Any, rng: random.Random, by: Any = valletta) -> int:
    """Play at random from a position, and return the number of decisions that players made.

    This is the loop of `positions` without the overhead of a generator.
    """
    legal_actions, apply, resolve_chance = by.legal_actions, by.apply, by.resolve_chance
    state, count = resolve_chance(state, rng), 0
    while state.prompt is not None:
        actions = legal_actions(state)
        state = resolve_chance(apply(state, actions[rng.randrange(len(actions))]), rng)
        count += 1
    return count
