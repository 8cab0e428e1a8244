"""Studies of very many games: the same results by every executor, memory that does not grow.

    python -m spec.checks.large_study --games 1000000 --out large

plays a study of random bots by two processes in the folder ``large/processes``, a tenth of it by a
cluster of Dask with two (extra ``cluster``) and a tenth by one process.  What was begun there goes
on.  It fails if the games differ, if they take more than 200 bytes each, or if the process that
stores them has more memory in use after the last of them than after a tenth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Final

from spec.checks.endurance import in_use
from spec.checks.figures import publish
from valletta_rules import native
from valletta_rules.studies import Store, Study, run
from valletta_rules.studies.store import GAMES

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


def play(folder: Path, games: int, by: str) -> dict[int, int]:
    """Play a study in a folder, or go on with it; return the least memory in use, by stretches."""
    opened, workers = EXECUTORS[by]
    study, in_memory = Study(("random",), games=games, seed=0), dict[int, int]()
    stretches = games // 100, games // 10, games

    def tell(store: Store) -> None:
        stretch = next(end for end in stretches if store.played <= end)
        in_memory[stretch] = min(in_memory.get(stretch, sys.maxsize), in_use())

    with Store(folder, study) as store, opened() as open_executor:
        run(store, open_executor, workers=workers, tell=tell)
    return in_memory


def digest(folder: Path, games: int) -> str:
    """Return the digest of the first games of a study, without their times."""
    found = blake2b(digest_size=16)
    with (folder / GAMES).open() as lines:
        for line in islice(lines, games + 1):
            found.update(line.rsplit(",", 2)[0].encode())
    return found.hexdigest()


def problems(folder: Path, games: int, in_memory: Mapping[int, int]) -> Iterator[str]:
    """Say what is wrong with the size of a study, and with the memory that it took."""
    size = (folder / GAMES).stat().st_size
    if size > MOST_BYTES * games:
        yield f"{folder.name}: {size / games:.1f} bytes a game"
    later = [*in_memory.values()][1:]
    if later and later[-1] > later[0] + SLACK:
        yield f"{folder.name}: memory grows from {later[0]:,} bytes to {later[-1]:,}"


def compare(out: Path, games: int) -> list[str]:
    """Play by every executor, and return what is wrong; the first plays ten times as much."""
    found, digests = list[str](), dict[str, str]()
    for by in EXECUTORS:
        if by == "dask" and find_spec("distributed") is None:
            continue
        number = games if by == "processes" else games // 10
        in_memory = play(out / by, number, by)
        publish(**{by: {"games": number, "in_memory": in_memory}})
        found += problems(out / by, number, in_memory)
        digests[by] = digest(out / by, games // 10)
    if len({*digests.values()}) > 1:
        found.append(f"the games differ: {digests}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if something is wrong, 2 without a native backend."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.large_study", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games to play")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the studies")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    wrong = compare(options.out, options.games)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
