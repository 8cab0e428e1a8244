"""The native backend where memory runs out: an error each time, and afterwards all is as it was."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spec.checks.compiled import loaded
from tests.native.test_comparison import GAME, PLAYING
from valletta_rules import legal_actions, native, new_game
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.numeric import numbering

pytestmark = pytest.mark.usefixtures("backend")

memory = pytest.importorskip("_testcapi", reason="memory cannot be made to run out here")

PAYING = next(state for state in GAME if isinstance(state.prompt, PaymentPrompt))


CALM = 40
"""After so many tries without an error there are no more allocations that could fail."""

SURVIVES_LOADING = sys.version_info < (3, 13)
"""CPython 3.13.0 crashes by itself if a dictionary of a type that is being made cannot grow."""

READY = ("payments", "the prompt")
"""What needs something that is kept ready made, once it was."""


def starved(name: str, use: Callable[[], object]) -> int:
    """Let one allocation after the other fail; return how many there were.

    Some are tried again by whoever they failed for: it takes a while without an error.
    """
    starve, feed, calm = memory.set_nomemory, memory.remove_mem_hooks, 0
    for count in range(1, 2_000):
        if name in READY:
            native._prepare(native._library)  # which forgets it
        starve(count, count + 1)
        try:
            use()
        except MemoryError:
            continue
        finally:
            feed()
        calm += 1
        if calm == CALM:
            return count
    raise AssertionError("there is no end of it")


def prompt_anew(packed: native.PackedState) -> object:
    """Return a prompt that Python has not made before."""
    native._read_step.cache_clear()
    return packed.prompt


def uses() -> dict[str, Callable[[], object]]:
    """Return what can be asked of the backend, by what it is called."""
    library: Any = native._library
    playing, paying, asked, over = map(native.pack, (PLAYING, PAYING, new_game(3), GAME[-1]))
    table = native._table(playing.rules, playing.cards, 3)
    row, payment = bytes(playing), legal_actions(PAYING)[0]
    known = bytearray(native._TABLE.size)
    known[0] = 2
    batch = native.Batch(asked, 2, threads=2, restart=True)
    mask = bytearray(2 * numbering.COUNT)
    return {
        "a table": lambda: library.Table(1, 2, (), bytes(known)),
        "a position": lambda: table.position(row),
        "the library": lambda: loaded(Path(library.__spec__.origin)),
        "legal actions": asked.legal_actions,
        "payments": paying.legal_actions,
        "what is allowed": lambda: paying.allows(payment),
        "a successor": lambda: playing.after(legal_actions(PLAYING)[0]),
        "weights": asked.weights,
        "chance": lambda: asked.resolved(random.Random(1)),
        "the outcome": over.outcome,
        "a position of Python": playing.unpack,
        "the row": lambda: bytes(playing),
        "a pickle": playing.__reduce__,
        "the prompt": lambda: prompt_anew(playing),
        "a text": lambda: repr(over),
        "games": lambda: native.Batch(asked, 2, threads=2, restart=True),
        "a mask": lambda: batch.legal_mask(memoryview(mask).cast("B", (2, numbering.COUNT))),
        "a position of a game": lambda: batch.position(0),
        "what is handed over": lambda: native._prepare(library),
    }


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # said by imports
def test_whatever_fails_for_want_of_memory_is_an_error() -> None:
    """Each allocation that fails is told, and the next try gives what the first would have."""
    for name, use in uses().items():
        if name == "the library" and not SURVIVES_LOADING:
            continue
        try:
            assert starved(name, use) >= CALM, name
        finally:
            native._prepare(native._library)
        use()
    assert native.pack(PLAYING).legal_actions() == legal_actions(PLAYING)
