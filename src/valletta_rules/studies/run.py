"""Run a study: play the missing games in an executor, and store the results.

Any ``concurrent.futures.Executor`` can be used, such as a pool of processes on this machine, or a
cluster with this interface.  Only the method ``submit`` is called.  The results of the games do not
depend on the executor.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable
from concurrent import futures
from itertools import islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, ParamSpec, TypeVar

from valletta_rules.studies.game import play_game
from valletta_rules.studies.store import Store
from valletta_rules.studies.study import Study
from valletta_rules.studies.totals import Played

BATCH_SECONDS: Final = 1.0
"""The target CPU time of a batch in seconds.  Submitting a batch takes much less time."""

MOST_SECONDS: Final = 10.0
"""The target elapsed time of a batch in seconds, if reached before `BATCH_SECONDS` of CPU time."""

MOST_FAILURES: Final = 3
"""The number of consecutive executors that break without a result before a study is aborted."""

MOST_WAITING: Final = 1000
"""The number of finished games per worker that may wait for an earlier, unfinished game.

From this number on, no further batch is submitted until all pending batches have ended.
"""

BatchResult = tuple[list[Played], float, BaseException | None]
"""The result of a batch: the data of its games, its duration, and the error that ended it, if any.

The duration is given as a multiple of the target duration.
"""

P = ParamSpec("P")
T = TypeVar("T")


def run_study(
    store: Store,
    open_executor: Callable[[], futures.Executor] | None = None,
    *,
    workers: int = 1,
    on_progress: Callable[[Store], object] = lambda store: None,
) -> None:
    """Play the missing games of a study until all are played or its test has a verdict.

    `open_executor` returns an executor that plays `workers` games in parallel.  By default, one
    worker plays in this process, and several workers are a pool of processes.  `on_progress` is a
    callback that receives the store whenever results have been stored.

    If the executor breaks, for example because a process of a pool dies, a new executor is opened
    for the remaining games.  Raises ``BrokenExecutor`` if several consecutive executors break
    without a result.  If a game raises an error, the error is raised after the results of the
    finished games have been stored.
    """
    if open_executor is None:
        open_executor = InlineExecutor if workers == 1 else lambda: open_processes(workers)
    in_vain = 0
    while any(True for _ in store.missing()):
        before = store.played
        try:
            with open_executor() as executor:
                _play(executor, store, workers, on_progress)
        except futures.BrokenExecutor:
            in_vain = in_vain + 1 if store.played == before else 0
            if in_vain == MOST_FAILURES:
                raise


def _play(
    executor: futures.Executor, store: Store, workers: int, on_progress: Callable[[Store], object]
) -> None:
    """Submit batches to an executor until all games have been played, and store the results."""
    missing, size = store.missing(), 1
    pending: dict[futures.Future[BatchResult], tuple[int, ...]] = {}
    try:
        while True:
            while (
                len(pending) < 2 * workers
                and (not pending or len(store.waiting) < MOST_WAITING * workers)
                and not store.sums.is_decided
                and not any(map(futures.Future.done, pending))
                and (batch := tuple(islice(missing, size)))
            ):
                pending[executor.submit(play_batch, store.study, batch)] = batch
            if not pending:
                return
            done, _ = futures.wait(pending, return_when=futures.FIRST_COMPLETED)
            failed, finished = None, dict[int, Played]()
            for future in sorted(done, key=lambda each: each.exception() is not None):
                try:
                    results, worth, error = future.result()
                except BaseException as broken:
                    failed = failed or broken
                    continue
                size = max(1, min(2 * size, int(len(results) / worth)))
                finished |= zip(pending.pop(future), results, strict=False)
                failed = failed or error
            store.add(finished)
            on_progress(store)
            if failed is not None:
                raise failed
    finally:
        for future in pending:
            future.cancel()


def play_batch(study: Study, numbers: Iterable[int]) -> BatchResult:
    """Play a batch of a study's games, and stop at the first error or interrupt.

    If the first game of the batch fails, its error is raised, and the executor reports the
    traceback.  If a later game fails, its error is returned with the results of the earlier games.
    """
    before, cpu_before, results = time.perf_counter(), time.process_time(), list[Played]()
    error: BaseException | None = None
    try:
        for number in numbers:
            game = play_game(study.job(number))
            results.append((game.result, game.course))
    except BaseException as raised:
        if not results:
            raise
        error = raised
    cpu, seconds = time.process_time() - cpu_before, time.perf_counter() - before
    return results, max(cpu / BATCH_SECONDS, seconds / MOST_SECONDS), error


# Executors


class InlineExecutor(futures.Executor):
    """An executor that runs every call immediately in this process."""

    def submit(
        self, call: Callable[P, T], /, *arguments: P.args, **named: P.kwargs
    ) -> futures.Future[T]:
        """Call a function, and return a future with its result or error."""
        future = futures.Future[T]()
        try:
            future.set_result(call(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future


def open_processes(workers: int) -> futures.Executor:
    """Return an executor with a pool of `workers` processes on this machine."""
    return futures.ProcessPoolExecutor(workers, get_context("spawn"), initializer=begin_worker)


def begin_worker() -> None:
    """Initialise a process of the pool: ignore interrupts, and end when the parent process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent process has ended, for whatever reason, and then end this process."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
