"""Executors and commands for the tests, where other processes can import them."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from valletta_rules.studies import Store, Study
from valletta_rules.studies.run import InlineExecutor, run

STUDY = Study(("random",), games=10, most_turns=12)
"""A small series."""

FOREVER = 100_000
"""The seconds after which a process that has not been ended counts as a failure."""


class Fragile(InlineExecutor):
    """An executor that breaks after a number of batches."""

    def __init__(self, batches: int) -> None:
        """Create an executor that breaks after `batches` calls."""
        self.left = batches

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Run a call, or break."""
        self.left -= 1
        if self.left < 0:
            raise BrokenExecutor("broken")
        return super().submit(call, *arguments, **named)


def open_broken() -> Executor:
    """Open an executor that is broken."""
    return Fragile(0)


def die_once(path: str) -> None:
    """End this process at once, unless another one has done so before."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(9)


def play(folder: str) -> None:
    """Play the series in a folder, by two processes; report the first results, and stop there."""

    def stop(store: Store) -> None:
        sys.stdout.write(f"{store.played}\n")
        sys.stdout.flush()
        time.sleep(FOREVER)

    with Store(folder, STUDY) as store:
        run(store, workers=2, tell=stop)


if __name__ == "__main__":
    play(sys.argv[1])
