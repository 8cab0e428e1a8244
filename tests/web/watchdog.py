"""A watchdog: no callback may hold the thread of the event loop for 100 ms of CPU."""

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
"""The factor by which it may take longer while every line of it is traced."""


@contextmanager
def watchdog() -> Iterator[list[str]]:
    """Watch all event loops; yield the list of the callbacks that took too long, with their times.

    The time of the garbage collector does not count, since it collects the garbage of all tests,
    nor does that of the coroutine of the test itself.
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
