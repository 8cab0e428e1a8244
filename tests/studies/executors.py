"""Executors and commands for tests, in a module that other processes can import."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from valletta_rules.studies import Store, Study
from valletta_rules.studies.run import InlineExecutor, run_study

STUDY = Study(("random",), games=10, most_turns=12)
"""A study of ten short games."""

FOREVER = 100_000
"""Seconds that a process sleeps if a test does not kill it."""


class Fragile(InlineExecutor):
    """An executor that raises `BrokenExecutor` after a number of calls."""

    def __init__(self, batches: int) -> None:
        """`batches` is the number of calls that succeed."""
        self.left = batches

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Run a call in this process, or raise `BrokenExecutor`."""
        self.left -= 1
        if self.left < 0:
            raise BrokenExecutor("broken")
        return super().submit(call, *arguments, **named)


def open_broken() -> Executor:
    """Return an executor whose first call raises `BrokenExecutor`."""
    return Fragile(0)


def die_once(path: str) -> None:
    """Kill this process, unless the file at `path` shows that another process has died here."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(9)


def play(folder: str) -> None:
    """Play the test study in a folder by two processes; print the first count of games; sleep."""

    def stop(store: Store) -> None:
        sys.stdout.write(f"{store.played}\n")
        sys.stdout.flush()
        time.sleep(FOREVER)

    with Store(folder, STUDY) as store:
        run_study(store, workers=2, tell=stop)


if __name__ == "__main__":
    play(sys.argv[1])
