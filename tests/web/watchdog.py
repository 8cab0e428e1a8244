"""A watchdog for callbacks that block the event loop for more than 100 ms of CPU time."""

import asyncio
import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import thread_time
from typing import Any

import pytest

MOST = 0.1
"""The maximum CPU time of a callback in seconds."""

TRACED = 5
"""The factor by which the maximum is increased while lines are traced, as for coverage."""


@contextmanager
def watchdog() -> Iterator[list[str]]:
    """Watch all event loops, and yield a list of callbacks that took too long, with their times.

    The time of garbage collection does not count, because it collects the objects of all tests.
    The coroutine of the test itself is not limited.
    """
    caught, collecting, collected = list[str](), [0.0], [0.0]
    run = asyncio.Handle._run
    most = MOST if sys.gettrace() is None else MOST * TRACED

    def note(phase: str, _: Mapping[str, Any]) -> None:
        if phase == "start":
            collecting[0] = thread_time()
        else:
            collected[0] += thread_time() - collecting[0]

    def watched(handle: asyncio.Handle) -> None:
        callback = getattr(handle, "_callback", None)
        owner = getattr(callback, "__self__", callback)
        start, before = thread_time(), collected[0]
        run(handle)
        took = thread_time() - start - (collected[0] - before)
        if took > most and "TestRunner" not in repr(owner):
            caught.append(f"{took:.3f} s: {owner!r}")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio.Handle, "_run", watched)
        gc.callbacks.append(note)
        try:
            yield caught
        finally:
            gc.callbacks.remove(note)
