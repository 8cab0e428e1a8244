"""The workers of a server: processes, so that a slow bot delays no other request.

A process that ends or takes too long is replaced, and its work is tried once more.
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
"""The seconds within which a worker must answer before its process is ended."""

NICENESS: Final = 10
"""The niceness of the processes relative to the server, where the system has it."""

LONG_NICENESS: Final = 11
"""The niceness of the processes for long texts and analyses, which also yield to the others."""

LONG_PATIENCE: Final = 10
"""The factor of the timeout for long texts and analyses, which get little of a busy machine."""

T = TypeVar("T")


def default_processes() -> int:
    """Return the default number of workers: one core is left to the server."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


class WorkerPool(Workers):
    """A number of processes, and the requests that wait for one.

    Long texts have a process of their own, and so have analyses; each starts with its first call.
    """

    def __init__(self, processes: int | None = None, patience: float = WORKER_TIMEOUT) -> None:
        """Create a pool of some processes; an answer may take `patience` seconds."""
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
        """Start the processes, which are ready a little later."""
        queues = [*[self._waiting] * self._processes, *self._long.values()]
        self._tasks = [asyncio.create_task(self._work(queue)) for queue in queues]
        return self

    async def __aexit__(self, *error: object) -> None:
        """Stop; requests that still wait are not answered."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        answer: asyncio.Future[BotAnswer[T]] = asyncio.get_running_loop().create_future()
        waiting = self._long.get(rank, self._waiting)
        waiting.put_nowait((rank, next(self._numbers), call, answer))
        return await answer

    async def _here(self, call: Callable[[], T]) -> BotAnswer[T]:
        return await asyncio.to_thread(BotAnswer.of, call)

    async def _work(self, waiting: asyncio.PriorityQueue[_Waiting]) -> None:
        """Let a process execute one call after the other."""
        process = _Process(self._patience) if waiting is self._waiting else None
        try:
            while True:
                _, _, call, answer = await waiting.get()
                if not answer.cancelled():
                    process = process or _Process(self._patience * LONG_PATIENCE, LONG_NICENESS)
                    await _tell(answer, process.outcome(call))
        finally:
            if process is not None:
                process.close()


_Waiting = tuple[int, int, Callable[[], Any], "asyncio.Future[Any]"]
"""The rank, an increasing number, the call, and the future of its outcome."""


async def _tell(answer: asyncio.Future[Any], made: Awaitable[BotAnswer[Any]]) -> None:
    """Set an outcome, or the error in its place, if the future is still awaited."""
    try:
        outcome = await made
    except Exception as error:
        if not answer.cancelled():
            answer.set_exception(error)
    else:
        if not answer.cancelled():
            answer.set_result(outcome)


class _Process:
    """The process of a worker, which is replaced after it has ended."""

    def __init__(self, patience: float, niceness: int = NICENESS) -> None:
        """Start the process."""
        self._patience, self._niceness = patience, niceness
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        """Return a new process, which starts in the background."""
        pool = ProcessPoolExecutor(1, get_context("spawn"), _begin, (self._niceness,))
        with _uninterrupted():
            pool.submit(int)
        return pool

    def close(self) -> None:
        """End the process after its current request."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def outcome(self, call: Callable[[], T]) -> BotAnswer[T]:
        """Return the outcome of one of two attempts; raise `WorkerError` if both fail."""
        for _ in range(2):
            try:
                return await asyncio.wrap_future(self._pool.submit(_run, call, self._patience))
            except BrokenProcessPool:
                self._replace()
        raise WorkerError("a process has ended twice over the same work")

    def _replace(self) -> None:
        """Start another process."""
        logger.warning("the process of a worker has ended; another one is started")
        self.close()
        self._pool = self._start()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block interrupts in processes that start in this context, from their first line on."""
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
    """Leave interrupts to the server, yield the CPU to it, and end together with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End the process when the server has ended, for whatever reason."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def _run(call: Callable[[], T], patience: float) -> BotAnswer[T]:
    """Execute a call; if it takes too long, print a traceback and end the process."""
    faulthandler.dump_traceback_later(patience, exit=True)
    try:
        return BotAnswer.of(call)
    finally:
        faulthandler.cancel_dump_traceback_later()
