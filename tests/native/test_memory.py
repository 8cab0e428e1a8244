"""The native backend when memory runs out: an error each time, and afterwards all is as before."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import pytest

from tests.native.uses import PLAYING, needing_memory
from valletta_rules import legal_actions, native

pytestmark = pytest.mark.usefixtures("backend")

memory = pytest.importorskip("_testcapi", reason="memory cannot be made to run out here")

CALM = 40
"""The number of tries without an error after which no more allocations can fail."""

SURVIVES_LOADING = sys.version_info < (3, 13)
"""CPython 3.13.0 crashes by itself if a dictionary of a type that is being made cannot grow."""

READY = ("payments", "the prompt")
"""The calls that use objects which are cached once they have been made."""


def starved(name: str, use: Callable[[], object]) -> int:
    """Let one allocation after the other fail; return how many there were.

    CPython tries some of them again: it takes a number of tries without an error to end.
    """
    starve, feed, calm = memory.set_nomemory, memory.remove_mem_hooks, 0
    for count in range(1, 2_000):
        if name in READY:
            native._prepare(native._library)  # which forgets it
        starve(count, count + 1)
        try:
            try:
                use()
            finally:
                feed()  # which may be the first to need memory
        except MemoryError:
            feed()
            continue
        calm += 1
        if calm == CALM:
            return count
    raise AssertionError("allocations fail without end")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # said by imports
def test_every_allocation_that_fails_is_an_error() -> None:
    """The next try gives the result that the first would have given."""
    for name, use in needing_memory().items():
        if name == "the library" and not SURVIVES_LOADING:
            continue
        try:
            assert starved(name, use) >= CALM, name
        finally:
            native._prepare(native._library)
        use()
    assert native.pack(PLAYING).legal_actions() == legal_actions(PLAYING)


RUN_PYTHON = (
    *("payments", "the outcome", "a position of Python", "the prompt", "a view", "the library"),
    "a position of a row",
)
"""The calls that run functions of Python; without memory CPython 3.11 itself loses their cells."""


def held(watched: list[object]) -> int:
    """Return how many references there are to some objects, and blocks of memory, together."""
    gc.collect()
    return sum(map(sys.getrefcount, watched)) + sys.getallocatedblocks()


def grown(name: str, use: Callable[[], object], watched: list[object]) -> list[int]:
    """Return by how much each of some passes has changed what is held; the first fill caches."""
    changes = [0] * 6
    for number in range(len(changes)):
        before = held(watched)
        starved(name, use)
        changes[number] = held(watched) - before
    return changes


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_call_that_lacks_memory_keeps_nothing() -> None:
    """No reference and no block remains of it: a pass over all its allocations ends as it began."""
    uses = needing_memory()
    ours = "valletta_rules."
    watched = [each for each in gc.get_objects() if type(each).__module__.startswith(ours)]
    watched += [native._table(PLAYING.rules, PLAYING.cards, 3), *vars(native._library).values()]
    gc.collect()
    gc.freeze()
    try:
        for name, use in uses.items():
            if name not in RUN_PYTHON:
                assert 0 in grown(name, use, watched)[1:], name
    finally:
        gc.unfreeze()
