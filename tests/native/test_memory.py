"""The native backend when memory is exhausted: each call raises an error and changes nothing."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from spec.checks.established import ROOT
from tests.native.uses import PLAYING, needing_memory
from valletta_rules import legal_actions, native

pytestmark = pytest.mark.usefixtures("backend")

memory = pytest.importorskip("_testcapi", reason="this Python cannot simulate failed allocations")

CALM = 40
"""The number of calls without an error after which the loop in `starved` ends."""

SURVIVES_LOADING = sys.version_info < (3, 13)
"""Whether CPython survives a failed allocation while loading the backend.

CPython 3.13.0 crashes.
"""

READY = ("payments", "the prompt", "a view")
"""Names of the calls that create cached objects.

The cache is cleared before each of these calls.
"""


def starved(name: str, use: Callable[[], object]) -> int:
    """Call `use` repeatedly, let a later allocation fail each time, and return the number of calls.

    CPython retries some allocations, so the loop ends only after `CALM` calls without an error.
    """
    starve, feed, calm = memory.set_nomemory, memory.remove_mem_hooks, 0
    for count in range(1, 2_000):
        if name in READY:
            native._prepare(native._library)  # clears the cache
        starve(count, count + 1)
        try:
            try:
                use()
            finally:
                feed()  # may be the first call that allocates memory
        except MemoryError:
            feed()
            continue
        calm += 1
        if calm == CALM:
            return count
    raise AssertionError("an allocation still fails after 2,000 calls")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # imports raise it
def test_every_failed_allocation_raises_a_memory_error() -> None:
    """When enough memory is available again, the next call returns the correct result."""
    for name, use in needing_memory().items():
        if name == "the library" and not SURVIVES_LOADING:
            continue
        try:
            assert starved(name, use) >= CALM, name
        finally:
            native._prepare(native._library)
        use()
    assert native.pack(PLAYING).list_actions() == legal_actions(PLAYING)


def test_a_call_that_runs_out_of_memory_leaks_nothing() -> None:
    """Each allocation fails once; references and memory blocks are counted before and after."""
    program = [sys.executable, "-m", "tests.native.leaks"]
    ran = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
