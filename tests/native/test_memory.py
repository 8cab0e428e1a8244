"""The native backend when memory runs out: an error each time, and afterwards all is as before."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from spec.checks.established import ROOT
from tests.native.uses import PLAYING, needing_memory
from valletta_rules import legal_actions, native

pytestmark = pytest.mark.usefixtures("backend")

memory = pytest.importorskip("_testcapi", reason="memory cannot be made to run out here")

CALM = 40
"""The number of tries without an error after which no more allocations can fail."""

SURVIVES_LOADING = sys.version_info < (3, 13)
"""CPython 3.13.0 crashes by itself if a dictionary of a type that is being made cannot grow."""

READY = ("payments", "the prompt", "a view")
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
    assert native.pack(PLAYING).list_actions() == legal_actions(PLAYING)


def test_a_call_that_lacks_memory_keeps_nothing() -> None:
    """No reference and no block remains of it: a pass over all its allocations ends as it began."""
    program = [sys.executable, "-m", "tests.native.kept"]
    ran = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
