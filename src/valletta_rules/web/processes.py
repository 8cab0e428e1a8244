"""Worker processes, so that a slow bot on a server does not delay requests.

A process that ends unexpectedly or takes too long is replaced, and its call is retried once.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final, Self, TypeVar

from valletta_rules.web.workers import ANALYSIS, RECORD, BotAnswer, WorkerError, Workers

logger: Final = logging.getLogger(__name__)

WORKER_TIMEOUT: Final = 60.0
"""The maximum time in seconds for a call, after which its process is terminated."""

NICENESS: Final = 10
"""The niceness of the processes relative to the server, on systems that support it."""

LONG_NICENESS: Final = 11
"""The niceness of the processes for long texts and analyses, which have the lowest priority."""

LONG_PATIENCE: Final = 10
"""The factor by which the timeout is multiplied for long texts and analyses.

Under load, these calls receive little CPU time.
"""

T = TypeVar("T")


def default_processes() -> int:
    """Return the default number of workers: one less than the number of cores, but from 1 to 4."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


class WorkerPool(Workers):
    """A pool of worker processes, with queues of calls.

    A further process executes calls with long texts, and another one executes analyses.  These two
    processes start when they are needed for the first time.
    """

    def __init__(self, processes: int | None = None, patience: float = WORKER_TIMEOUT) -> None:
        """Create a pool of `processes` processes, in which a call may take `patience` seconds."""
        super().__init__()
        self._processes = default_processes() if processes is None else processes
        self._patience = patience
        self._waiting: asyncio.PriorityQueue[_Waiting] = asyncio.PriorityQueue()
        self._long: dict[int, asyncio.PriorityQueue[_Waiting]] = {
            RECORD: asyncio.PriorityQueue(),
            ANALYSIS: asyncio.PriorityQueue(),
        }
        self._numbers = count()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        """Start the processes in the background."""
        queues = [*[self._waiting] * self._processes, *self._long.values()]
        self._tasks = [asyncio.create_task(self._work(queue)) for queue in queues]
        return self

    async def __aexit__(self, *error: object) -> None:
        """Stop the processes, and cancel the calls that still wait."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        answer: asyncio.Future[BotAnswer[T]] = asyncio.get_running_loop().create_future()
        waiting = self._long.get(rank, self._waiting)
        waiting.put_nowait((rank, next(self._numbers), call, answer))
        return await answer

    async def _run_locally(self, call: Callable[[], T]) -> BotAnswer[T]:
        return await asyncio.to_thread(BotAnswer.of, call)

    async def _work(self, waiting: asyncio.PriorityQueue[_Waiting]) -> None:
        """Execute the calls from a queue in one process, one after the other."""
        process = _Process(self._patience) if waiting is self._waiting else None
        try:
            while True:
                _, _, call, answer = await waiting.get()
                if not answer.cancelled():
                    process = process or _Process(self._patience * LONG_PATIENCE, LONG_NICENESS)
                    await _resolve(answer, process.outcome(call))
        finally:
            if process is not None:
                process.close()


_Waiting = tuple[int, int, Callable[[], Any], "asyncio.Future[Any]"]
"""A queued call: rank (lower ranks are first), serial number, function, and outcome's future."""


async def _resolve(answer: asyncio.Future[Any], pending: Awaitable[BotAnswer[Any]]) -> None:
    """Set the future `answer` to the outcome or the error of `pending`, unless it was cancelled."""
    try:
        outcome = await pending
    except Exception as error:
        if not answer.cancelled():
            answer.set_exception(error)
    else:
        if not answer.cancelled():
            answer.set_result(outcome)


class _Process:
    """A worker process, which is replaced if it ends unexpectedly."""

    def __init__(self, patience: float, niceness: int = NICENESS) -> None:
        """Start the process; a call may take `patience` seconds."""
        self._patience, self._niceness = patience, niceness
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        """Return a pool with a single process, which starts in the background."""
        pool = ProcessPoolExecutor(1, get_context("spawn"), _begin, (self._niceness,))
        with _uninterrupted():
            pool.submit(int)
        return pool

    def close(self) -> None:
        """End the process after its current call."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def outcome(self, call: Callable[[], T]) -> BotAnswer[T]:
        """Return the outcome of a call; if the process ends during the call, retry once.

        Raises `WorkerError` if the process ends during both attempts.
        """
        for _ in range(2):
            try:
                return await asyncio.wrap_future(self._pool.submit(_run, call, self._patience))
            except BrokenProcessPool:
                self._replace()
        raise WorkerError("the worker process exited during both attempts to execute the call")

    def _replace(self) -> None:
        logger.warning("the process of a worker has ended; another one is started")
        self.close()
        self._pool = self._start()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block SIGINT in the processes that are started within this context."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the process


def _begin(niceness: int) -> None:
    """Initialise a process: ignore SIGINT, set the niceness, and end when the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """Wait until the server has ended for any reason, and then end this process."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def _run(call: Callable[[], T], patience: float) -> BotAnswer[T]:
    """Execute a call; after `patience` seconds, print a traceback and end the process."""
    faulthandler.dump_traceback_later(patience, exit=True)
    try:
        return BotAnswer.of(call)
    finally:
        faulthandler.cancel_dump_traceback_later()
