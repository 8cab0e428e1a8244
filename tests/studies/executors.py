"""Executors and commands for the tests of studies. Other processes can import them."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from valletta_rules.studies import Store, Study
from valletta_rules.studies.run import InlineExecutor, run_study

STUDY = Study(("random",), games=10, most_turns=12)
"""The study that most tests play: ten short games."""

FOREVER = 100_000
"""The number of seconds for which a process sleeps until a test kills it."""


class Fragile(InlineExecutor):
    """An executor that raises `BrokenExecutor` after a number of successful calls."""

    def __init__(self, batches: int) -> None:
        """Create an executor that runs the given number of calls."""
        self.left = batches

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Run a call in this process, or raise `BrokenExecutor` if the executor is broken."""
        self.left -= 1
        if self.left < 0:
            raise BrokenExecutor("broken")
        return super().submit(call, *arguments, **named)


def open_broken() -> Executor:
    """Return an executor whose first call raises `BrokenExecutor`."""
    return Fragile(0)


def die_once(path: str) -> None:
    """Create the file at `path` and kill this process.

    If the file exists, do nothing.
    Of several processes, only one is killed.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(9)


def play(folder: str) -> None:
    """Play the study `STUDY` in a folder with two processes.

    After the first games, print the number of games and sleep.
    """

    def stop(store: Store) -> None:
        sys.stdout.write(f"{store.played}\n")
        sys.stdout.flush()
        time.sleep(FOREVER)

    with Store(folder, STUDY) as store:
        run_study(store, workers=2, on_progress=stop)


if __name__ == "__main__":
    play(sys.argv[1])
