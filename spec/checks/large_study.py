"""Studies of very many games: the same results by every executor, memory that does not grow.

    python -m spec.checks.large_study --games 1000000 --out large

plays a study of random bots by two processes in the folder ``large/processes``, a tenth of it by a
cluster of Dask with two (extra ``cluster``) and a tenth by one process.  What was begun there goes
on.  It fails if the games differ, if they take more than 200 bytes each, or if the process that
stores them has more memory in use after the last of them than after a tenth.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any, Final

from spec.checks.endurance import in_use
from spec.checks.figures import publish
from valletta_rules import native
from valletta_rules.studies import Store, Study, run
from valletta_rules.studies.store import GAMES, STUDY

WORKERS: Final = 2
"""How many processes play at a time, where several do."""

MOST_BYTES: Final = 200
"""How many bytes a game may take."""

SLACK: Final = 8 << 20
"""A difference of no more bytes than this is no growth: so much do the games take that may wait for
an earlier one, a thousand for each worker with some four kilobytes each."""


@contextmanager
def cluster() -> Iterator[Callable[[], Executor]]:
    """Run a cluster of Dask on this machine; what opens its executor."""
    distributed: Any = import_module("distributed")
    parts = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**parts) as here, distributed.Client(here) as client:
        yield client.get_executor


EXECUTORS: Final[dict[str, tuple[Callable[[], Any], int]]] = {
    "processes": (nullcontext, WORKERS),
    "dask": (cluster, WORKERS),
    "alone": (nullcontext, 1),
}
"""What plays, and by how many processes."""


def play(folder: Path, games: int, by: str) -> dict[str, Any]:
    """Play a study in a folder, or go on with it; return what it took of memory and time."""
    opened, workers = EXECUTORS[by]
    study, in_memory = Study(("random",), games=games, seed=0), dict[int, int]()
    began, stretches = time.monotonic(), (games // 100, games // 10, games)

    def tell(store: Store) -> None:
        stretch = next(end for end in stretches if store.played <= end)
        in_memory[stretch] = min(in_memory.get(stretch, sys.maxsize), in_use())

    with Store(folder, study) as store:
        there = store.played
        with opened() as open_executor:
            run(store, open_executor, workers=workers, tell=tell)
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return {
        "by": by,
        "games": games,
        "played": games - there,
        "in_memory": in_memory,
        "most_in_memory": own.ru_maxrss * 1024,
        "bytes": (folder / GAMES).stat().st_size,
        "bytes_of_sums": (folder / STUDY).stat().st_size,
        "cpu_here": round(own.ru_utime + own.ru_stime, 2),
        "cpu_others": round(others.ru_utime + others.ru_stime, 2),
        "seconds": round(time.monotonic() - began),
    }


def digest(folder: Path, games: int) -> str:
    """Return the digest of the first games of a study, without their times."""
    found = blake2b(digest_size=16)
    with (folder / GAMES).open() as lines:
        for line in islice(lines, games + 1):
            found.update(line.rsplit(",", 2)[0].encode())
    return found.hexdigest()


def problems(runs: Sequence[dict[str, Any]], digests: Sequence[str]) -> list[str]:
    """Return what is wrong with some runs, the first of them the largest, and their digests."""
    found = [
        f"by {each['by']}: {each['bytes'] / each['games']:.1f} bytes a game"
        for each in runs
        if each["bytes"] > MOST_BYTES * each["games"]
    ]
    _, *later = runs[0]["in_memory"].values()
    if later and later[-1] > later[0] + SLACK:
        found.append(f"memory grows from {later[0]:,} bytes to {later[-1]:,}")
    if len({*digests}) > 1:
        found.append("the games differ: " + ", ".join(digests))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if something is wrong, 2 without a native backend."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.large_study", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games to play")
    parser.add_argument("--out", type=Path, help="the folder of the studies")
    parser.add_argument("--only", choices=EXECUTORS, help="play by this, and print what it took")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        out: Path = options.out or Path(temporary)
        if options.only is not None:
            print(json.dumps(play(out / options.only, options.games, options.only)))
            return 0
        return compare(out, options.games)


def compare(out: Path, games: int) -> int:
    """Play by every executor, each from a process of its own, and compare what they played."""
    runs: list[dict[str, Any]] = []
    for by in EXECUTORS:
        if by == "dask" and find_spec("distributed") is None:
            continue
        number = str(games if by == "processes" else games // 10)
        command = [sys.executable, "-m", "spec.checks.large_study", "--only", by]
        command += ["--games", number, "--out", str(out)]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        runs.append(json.loads(told))
        print(told, end="")
    publish(runs={each.pop("by"): each for each in [dict(run) for run in runs]})
    wrong = problems(runs, [digest(out / each["by"], games // 10) for each in runs])
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
