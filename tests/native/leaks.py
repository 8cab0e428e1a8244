"""Detect calls that leak after a failed allocation, in a separate process with exact counts.

``python -m tests.native.leaks`` prints the calls that leak references or memory.  The exit status
is the number of such calls.
"""

import gc
import sys
from collections.abc import Callable

from tests.native.test_memory import starved
from tests.native.uses import PLAYING, needing_memory
from valletta_rules import native

RUN_PYTHON = (
    *("payments", "the outcome", "a position of Python", "the prompt", "a view", "the library"),
    "a position of a row",
)
"""The calls that run Python code, where CPython 3.11 itself leaks if memory runs out."""


def count_held(watched: list[object]) -> int:
    """Return the number of references to the objects in `watched` plus the number of memory
    blocks.
    """
    gc.collect()
    return sum(map(sys.getrefcount, watched)) + sys.getallocatedblocks()


def grown(name: str, use: Callable[[], object], watched: list[object]) -> list[int]:
    """Return six numbers: the growth in references and memory blocks during each of six passes.

    Each pass lets every allocation of the call fail in turn.  The first passes may grow because
    they fill caches.
    """
    changes = [0] * 6
    for number in range(len(changes)):
        before = count_held(watched)
        starved(name, use)
        changes[number] = count_held(watched) - before
    return changes


def main() -> int:
    """Print the calls that leak in all passes except possibly the first; return their number."""
    uses = needing_memory()
    ours = "valletta_rules."
    watched = [each for each in gc.get_objects() if type(each).__module__.startswith(ours)]
    watched += [native._table(PLAYING.rules, PLAYING.cards, 3), *vars(native._library).values()]
    gc.collect()
    gc.freeze()
    leaks = 0
    for name, use in uses.items():
        if name not in RUN_PYTHON and 0 not in (changes := grown(name, use, watched))[1:]:
            leaks += 1
            print(f"{name}: {changes} more after each pass")  # noqa: T201
    return leaks


if __name__ == "__main__":
    raise SystemExit(main())
