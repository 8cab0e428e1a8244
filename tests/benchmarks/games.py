"""Games of random players, from which benchmarks take their positions."""

import random
from collections.abc import Iterator
from typing import Any

import valletta_rules as valletta


def positions(state: Any, rng: random.Random, by: Any = valletta) -> Iterator[Any]:
    """Play on at random, with a position in any form; yield those in which a player is asked.

    The functions that play are the package's, or those of the same names in another module.
    """
    state = by.resolve_chance(state, rng)
    while state.prompt is not None:
        yield state
        actions = by.legal_actions(state)
        state = by.apply(state, actions[rng.randrange(len(actions))])
        state = by.resolve_chance(state, rng)


def decisions(state: Any, rng: random.Random, by: Any = valletta) -> int:
    """Play on at random and return in how many positions a player was asked.

    It is the loop of `positions`, as a program writes it that needs no position afterwards.
    """
    legal_actions, apply, resolve_chance = by.legal_actions, by.apply, by.resolve_chance
    state, asked = resolve_chance(state, rng), 0
    while state.prompt is not None:
        actions = legal_actions(state)
        state = resolve_chance(apply(state, actions[rng.randrange(len(actions))]), rng)
        asked += 1
    return asked
