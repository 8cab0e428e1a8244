"""Running a study: its missing games handed to an executor, what comes back written down.

Any ``concurrent.futures.Executor`` will do: processes of this machine, or a cluster that has such
an interface.  Nothing is asked of it but ``submit``, and nothing of what is played depends on it.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, ParamSpec, TypeVar

from valletta_rules.studies.game import GameResult, Job, play_game
from valletta_rules.studies.store import Store

BATCH_SECONDS: Final = 1.0
"""How long a batch of games should take, so that handing it over costs next to nothing."""

PATIENCE: Final = 3
"""How many executors in a row may break before any result has come."""

BatchResult = tuple[list[GameResult], float, BaseException | None]
"""The results of games, how many seconds they took, and what the game after them has raised."""

P = ParamSpec("P")
T = TypeVar("T")


def run(
    store: Store,
    open_executor: Callable[[], Executor] | None = None,
    *,
    workers: int = 1,
    tell: Callable[[Store], object] = lambda store: None,
) -> None:
    """Play the games of a study that are missing, until all are there or its test has a verdict.

    Takes what opens an executor, and how many games that plays at a time; without it the games
    are played in this process if there is one worker, and by a pool of processes if there are more.
    `tell` is called whenever results have come.

    If the executor breaks, as a pool does when one of its processes dies, another is opened and
    gets what is missing.  Raises ``BrokenExecutor`` if several in a row break before any result has
    come, and what a game raises; what was finished before is written down.
    """
    if open_executor is None:
        open_executor = Here if workers == 1 else lambda: open_processes(workers)
    in_vain = 0
    while missing := deque(store.study.missing(store.results)):
        before = len(store.results)
        try:
            with open_executor() as executor:
                _play(missing, executor, store, workers, tell)
        except BrokenExecutor:
            in_vain = in_vain + 1 if len(store.results) == before else 0
            if in_vain == PATIENCE:
                raise


def _play(
    missing: deque[Job],
    executor: Executor,
    store: Store,
    workers: int,
    tell: Callable[[Store], object],
) -> None:
    """Keep an executor busy until no game is missing, and write down what comes back."""
    pending: set[Future[BatchResult]] = set()
    size = 1
    try:
        while missing or pending:
            while missing and len(pending) < 2 * workers and not any(map(Future.done, pending)):
                batch = [missing.popleft() for _ in range(min(size, len(missing)))]
                pending.add(executor.submit(play_batch, batch))
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            failed: BaseException | None = None
            for future in sorted(done, key=lambda each: each.exception() is not None):
                results, seconds, error = future.result()
                size = max(1, min(2 * size, int(len(results) * BATCH_SECONDS / seconds)))
                for result in results:
                    store.add(result)
                failed = failed or error
            tell(store)
            if failed is not None:
                raise failed
            if _is_decided(store):
                missing.clear()
    finally:
        for future in pending:
            future.cancel()


def _is_decided(store: Store) -> bool:
    """Tell whether the test of a study, if it has one, has accepted a hypothesis."""
    verdict = store.study.verdict(store.results)
    return verdict is not None and verdict.accepted is not None


def play_batch(jobs: Sequence[Job]) -> BatchResult:
    """Play games one after the other, until one raises an error or is interrupted.

    What the first one raises is raised, so that the executor can tell where that was.
    """
    before, results = time.perf_counter(), list[GameResult]()
    error: BaseException | None = None
    try:
        for job in jobs:
            results.append(play_game(job))
    except BaseException as raised:
        if not results:
            raise
        error = raised
    return results, time.perf_counter() - before, error


# Executors


class Here(Executor):
    """An executor that does everything at once, in this process."""

    def submit(self, call: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Call what there is to call, and return a future of what came of it."""
        future = Future[T]()
        try:
            future.set_result(call(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


def open_processes(workers: int) -> Executor:
    """Return a pool of processes on this machine."""
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=begin_worker)


def begin_worker() -> None:
    """Leave interruptions to the process that has opened the pool, and end when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the process that has opened the pool is gone, however it went, and end."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
