"""A watchdog that detects callbacks which block the event loop for 100 ms of CPU time."""

import asyncio
import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import thread_time
from typing import Any

import pytest

MOST = 0.1
"""The CPU seconds that a callback may take."""

TRACED = 5
"""The factor by which the limit is larger while lines are traced, as for coverage."""


@contextmanager
def watchdog() -> Iterator[list[str]]:
    """Watch all event loops; yield a list of callbacks that took too long, with their times.

    Garbage collection does not count, since it collects the objects of all tests, nor does the
    coroutine of the test itself.
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
        what = getattr(callback, "__self__", callback)
        begun, before = thread_time(), collected[0]
        run(handle)
        took = thread_time() - begun - (collected[0] - before)
        if took > most and "TestRunner" not in repr(what):
            caught.append(f"{took:.3f} s: {what!r}")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio.Handle, "_run", watched)
        gc.callbacks.append(note)
        try:
            yield caught
        finally:
            gc.callbacks.remove(note)
