"""Tests of studies on Dask, with a real scheduler and real workers.

One worker is killed.
Run them with `bash .ci/run cluster`.  They need the extra `cluster`.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from tests.studies.conftest import Whole, read_whole
from tests.studies.executors import STUDY
from valletta_rules.studies import Store, run_study

WORKERS = 2


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start a scheduler and `WORKERS` workers in processes, and kill these after the test."""
    where = ["--scheduler-file", str(tmp_path / "scheduler.json")]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0"]
    started = [subprocess.Popen([*command, "--no-dashboard", *where])]
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard"]
    started += [subprocess.Popen([*command, "--nthreads", "1", *where]) for _ in range(WORKERS)]
    yield started
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def client(tmp_path: Path, processes: list[subprocess.Popen[bytes]]) -> Iterator[Client]:
    """Connect to the scheduler, and wait until every worker has registered."""
    path = str(tmp_path / "scheduler.json")
    with Client(scheduler_file=path, timeout=600) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(WORKERS, timeout=600)
        yield client


def test_a_study_has_the_same_results_if_a_worker_is_killed(
    client: Client,
    processes: list[subprocess.Popen[bytes]],
    tmp_path: Path,
    serial: Whole,
) -> None:
    """The scheduler assigns the games of the killed worker to the other one."""
    victims = processes[1:2]

    def kill(store: Store) -> None:
        for victim in victims:
            os.kill(victim.pid, signal.SIGKILL)
        victims.clear()

    with Store(tmp_path / "study", STUDY) as store:
        run_study(store, client.get_executor, workers=WORKERS, on_progress=kill)
    assert not victims
    assert processes[1].wait(10) == -signal.SIGKILL
    assert read_whole(tmp_path / "study") == serial
