"""Positions and library calls for tests of the native backend."""

import random
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import valletta_rules as vr
from spec.checks.compiled import loaded
from valletta_rules.bots import native_search
from valletta_rules.numeric import numbering


def a_game(seed: int, players: int = 3) -> list[vr.GameState]:
    """Return the positions of a random game in which a player must decide, and the final
    position.
    """
    rng = random.Random(seed)
    states = [vr.resolve_chance(vr.new_game(players), rng)]
    while actions := vr.legal_actions(states[-1]):
        states.append(vr.resolve_chance(vr.apply(states[-1], rng.choice(actions)), rng))
    return states


GAME = a_game(4)
PLAYING = next(state for state in GAME if isinstance(state.prompt, vr.PlayPrompt))
"""A position in which a player must play a card."""

PAYING = next(state for state in GAME if isinstance(state.prompt, vr.PaymentPrompt))


def recompute_prompt(table: Any, row: bytes) -> object:
    """Clear the cache of prompts, and return the prompt of a packed position."""
    vr.native._read_step.cache_clear()
    return table.position(row).prompt


def at_random(players: int, seed: int = 1, turns: int = 1000) -> tuple[Any, ...]:
    """Return arguments of `played_on`: the generators of the bots and of chance, and the length of
    the game.
    """
    rngs = [random.Random(seed + each) for each in range(2 * players + 2)]
    return tuple(rngs[:players]), tuple(rngs[players:]), turns, False


def nine_turns(position: Any, player: random.Random, chance: random.Random) -> object:
    """Play nine random turns, and return the position.

    The caller must keep a reference to the generators: CPython 3.14 leaks the attributes of an
    object that is freed while memory is exhausted.
    """
    player.seed(1)
    chance.seed(2)
    return position.played_on((player,) * 3, (chance,) * 5, 9, False)


def needing_python() -> dict[str, Callable[[], object]]:
    """Return a mapping from names to library calls that need objects of the Python package."""
    library: Any = vr.native._library
    playing, paying, at_chance, over = map(
        vr.native.pack, (PLAYING, PAYING, vr.new_game(3), GAME[-1])
    )
    table = vr.native._table(playing.rules, playing.cards, 3)
    row, card, payment = bytes(playing), vr.legal_actions(PLAYING)[0], vr.legal_actions(PAYING)[0]
    redacted: Any = playing.redacted(0)
    known = bytearray(vr.native._TABLE.size)
    known[0] = 2
    rngs = random.Random(1), random.Random(2)
    return {
        "a table": lambda: library.Table(1, 2, (), bytes(known)),
        "a position": lambda: table.position(row),
        "the first position": table.first,
        "legal actions": at_chance.list_actions,
        "payments": paying.list_actions,
        "what is allowed": lambda: paying.allows(payment),
        "a successor": lambda: playing.position_after(card),
        "a transition": lambda: playing.transition(card),
        "weights": at_chance.weights,
        "chance": lambda: at_chance.resolved(random.Random(1)),
        "a game at random": lambda: nine_turns(at_chance, *rngs),
        "the outcome": over.outcome,
        "a position of Python": playing.unpack,
        "a pickle": playing.__reduce__,
        "the prompt": lambda: recompute_prompt(table, row),
        "what a seat may know": lambda: playing.redacted(0),
        "a view": lambda: redacted.unpack(0),
        "a call": lambda: vr.native.legal_actions(paying),
        "a call for chance": lambda: vr.native.resolve_chance(at_chance, random.Random(1)),
        "a call by names": lambda: vr.native.apply(playing, action=card),
        "games": lambda: vr.native.Batch(at_chance, 2, threads=2, restart=True),
    }


def needing_memory() -> dict[str, Callable[[], object]]:
    """Return a mapping from names to library calls that allocate memory."""
    library: Any = vr.native._library
    batch = vr.native.Batch(vr.native.pack(vr.new_game(3)), 2, threads=2, restart=True)
    packed = vr.native.pack(PLAYING)
    weights, luck = native_search._weights(3), array("I", random.Random(1).getstate()[1])
    mask = memoryview(bytearray(2 * numbering.COUNT)).cast("B", (2, numbering.COUNT))
    return needing_python() | {
        "the library": lambda: loaded(Path(library.__spec__.origin)),
        "the row": lambda: bytes(packed),
        "a text": lambda: repr(packed),
        "a position of a row": lambda: vr.native.pack(PLAYING),
        "a mask": lambda: batch.legal_mask(mask),
        "a position of a game": lambda: batch.position(0),
        "lines": lambda: library.lines(packed, weights, PLAYING.active, 5, 2),
        "rollouts": lambda: vr.native.rollouts(packed, 2, 1),
        "plans": lambda: library.leads(
            (packed,), (packed,), weights, luck, PLAYING.active, 1, 1, 1
        ),
        "what is handed over": lambda: vr.native._prepare(library),
    }
