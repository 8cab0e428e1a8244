"""Tests of the worker processes for bots, hints and analyses."""

import asyncio
import logging
import os
import random
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from valletta_rules import Session, legal_actions, redact, view
from valletta_rules.analysis import analyse, analysis_to_json
from valletta_rules.bots import make_bot
from valletta_rules.web import accounts, limits, processes, workers

pytestmark = pytest.mark.anyio

BOTS = """
import os, time

class Follower:
    def __init__(self, rng):
        self.received, self.count = [], 0

    def begin(self, view):
        self.received.append(view.seat)

    def see(self, event):
        self.received.append(event)

    def decide(self, view):
        assert self.received[0] == view.seat and len(self.received) > 5
        self.count += 1
        return view.legal_actions[self.count - 1]

class Noter:
    # it notes its luck; then it answers, waits, ends the process, sleeps or fails
    def __init__(self, rng, then="answer"):
        self.rng, self.then = rng, then

    def decide(self, view):
        with open(os.environ["NOTES"], "a") as file:
            print(self.rng.random(), file=file)
        while self.then == "wait" and not os.path.exists(os.environ["NOTES"] + ".go"):
            time.sleep(0.01)
        if self.then == "crash":
            os._exit(3)
        if self.then == "sleep":
            time.sleep(100_000)
        if self.then == "raise":
            raise ZeroDivisionError
        return view.legal_actions[0]

def analysed(record):
    # it ends once a bot has answered
    while not os.path.exists(os.environ["NOTES"]):
        time.sleep(0.01)
    return "analysed"

def read():
    return analysed("")

def read_slowly():
    time.sleep(0.6)
    return "read"

def advised(view, memory):
    with open(os.environ["NOTES"], "a") as file:
        print("advised", file=file)
"""

SESSION = Session(2, seed=5)
SESSION.play("gold")
SESSION.play("wood")
assert SESSION.prompt is not None
SEAT = SESSION.prompt.seat
VIEW = view(SESSION.state, SEAT)
HISTORY = workers.SeatHistory(
    view(SESSION.record.start, SEAT),
    tuple(redact(event, SEAT) for step in SESSION.transitions for event in step.events),
)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install bots for these tests, and return the path of the file in which they log calls."""
    folder = tmp_path / "oddities-1.dist-info"
    folder.mkdir()
    entries = "follower = oddities:Follower\nnoter = oddities:Noter\n"
    (folder / "entry_points.txt").write_text(f"[valletta_rules.bots]\n{entries}")
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: oddities\nVersion: 1\n")
    (tmp_path / "oddities.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    return tmp_path / "notes"


def create_account() -> accounts.Account:
    """Return an account with a thousand seconds of CPU time."""
    return accounts.Account(limits.Bucket(limits.Rate(1e3, 1.0), 0.0, 1e3), clock=lambda: 0.0)


def read_notes(notes: Path) -> list[str]:
    """Return the words that the bots have logged."""
    return notes.read_text().split() if notes.exists() else []


def decide_locally(spec: str, seed: int) -> object:
    """Return the answer of a bot that runs in the current process."""
    return make_bot(spec, random.Random(seed)).decide(VIEW)


async def test_a_bot_gives_the_same_answers_in_a_worker_process_as_in_the_current_process(
    notes: Path,
) -> None:
    """An answer depends only on the prompts of the turn, the events and the seed."""
    async with processes.WorkerPool(1) as pool:
        assert await pool.decide("club", [VIEW], None, 3, table="a") == decide_locally("club", 3)
        second = await pool.decide("follower", [VIEW, VIEW], HISTORY, 0, table="a")
        assert second == VIEW.legal_actions[1]
        advised = await pool.hint(VIEW, HISTORY, table="b")
        assert advised.suggestions[0].action in VIEW.legal_actions
        with pytest.raises(ValueError, match="unpack"):
            await pool.decide("club", [], None, 0, table="a")


@pytest.mark.parametrize(
    ("bot", "patience", "calls", "ended"),
    [
        ("noter:then=crash", processes.WORKER_TIMEOUT, 2, 2),
        ("noter:then=sleep", 0.5, 2, 2),
        ("noter:then=raise", processes.WORKER_TIMEOUT, 1, 0),
        ("unknown", processes.WORKER_TIMEOUT, 0, 0),
    ],
)
async def test_the_weakest_bot_replaces_a_bot_that_crashes_hangs_fails_or_is_unknown(
    notes: Path,
    bot: str,
    patience: float,
    calls: int,
    ended: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After a crash or a timeout, the bot first gets a second try in another process."""
    with caplog.at_level(logging.WARNING):
        async with processes.WorkerPool(1, patience) as pool:
            assert await pool.decide(bot, [VIEW], HISTORY, 4, table="a") == decide_locally(
                workers.WEAKEST, 4
            )
            assert caplog.text.count("another one is started") == ended
            after = await pool.decide("random", [VIEW], None, 4, table="a")
    assert after in legal_actions(SESSION.state)
    slept = patience < processes.WORKER_TIMEOUT  # a busy machine may end it before it writes
    assert len(read_notes(notes)) == calls or (slept and len(read_notes(notes)) < calls)
    assert ended or f"{bot} cannot answer" in caplog.text


async def test_requests_for_bots_overtake_hints_and_each_table_has_one_request_at_a_time(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request is not executed if it is cancelled before it starts."""
    advised = import_module("oddities").advised
    monkeypatch.setattr(import_module("valletta_rules.web.workers"), "advise", advised)
    async with processes.WorkerPool(1) as pool:

        def decide(seed: int, table: str, spec: str = "noter") -> asyncio.Task[Any]:
            return asyncio.create_task(pool.decide(spec, [VIEW], None, seed, table=table))

        first = decide(1, "a", "noter:then=wait")
        while not read_notes(notes):
            await asyncio.sleep(0.01)
        hint = asyncio.create_task(pool.hint(VIEW, HISTORY, table="b"))
        await asyncio.sleep(0)
        gone, same, other = decide(2, "c"), decide(3, "a"), decide(4, "d")
        await asyncio.sleep(0)
        gone.cancel()
        first.cancel()
        await asyncio.wait([gone, first])
        notes.with_name("notes.go").touch()
        await asyncio.gather(same, other, hint)
    assert read_notes(notes) == [
        *(str(random.Random(seed).random()) for seed in (1, 4, 3)),
        "advised",
    ]


async def test_a_bot_answers_while_an_analysis_and_the_reading_of_a_long_text_are_running(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool has only one process for bots. The two tasks end after the bot has answered."""
    oddities = import_module("oddities")
    monkeypatch.setattr(workers, "analysed", oddities.analysed)
    async with processes.WorkerPool(1) as pool:
        analysis = asyncio.create_task(pool.analyse(SESSION.record, create_account(), print))
        reading = asyncio.create_task(
            pool.run(oddities.read, create_account(), workers.rank_of(" " * 90_000))
        )
        await asyncio.sleep(0)
        assert await pool.decide("noter", [VIEW], None, 1, table="a") == VIEW.legal_actions[0]
        ended: list[object] = await asyncio.gather(analysis, reading)
    assert ended == ["analysed", "analysed"]
    assert workers.rank_of("") == workers.CALL


async def test_reading_a_long_text_may_exceed_the_timeout_of_other_calls(notes: Path) -> None:
    """Long texts are read with low priority, so other processes can delay this."""
    work = import_module("oddities").read_slowly
    async with processes.WorkerPool(1, patience=0.4) as pool:
        assert await pool.run(work, create_account(), workers.RECORD) == "read"
        with pytest.raises(workers.WorkerError):
            await pool.run(work, create_account())


async def test_a_bot_in_local_workers_answers_between_two_moves_of_an_analysis() -> None:
    """Local workers run on the event loop.

    The result of the analysis is the same as without the bot.
    """
    done = list[float]()
    async with workers.LocalWorkers() as local:
        analysis = asyncio.create_task(local.analyse(SESSION.record, create_account(), done.append))
        while not done:
            await asyncio.sleep(0)
        assert await local.decide("random", [VIEW], None, 1, table="a") in VIEW.legal_actions
        for _ in range(accounts.STEPS_OF_A_SLICE // 2):
            await asyncio.sleep(0)
        assert len(done) <= 2
        expected = analyse(SESSION.record)
        assert await analysis == (expected, analysis_to_json(expected))


async def test_the_cpu_time_of_a_cancelled_analysis_is_charged() -> None:
    """The worker finishes the cancelled analysis. The next call waits until the worker is free."""
    payer = create_account()
    async with processes.WorkerPool(1) as pool:
        analysis = asyncio.create_task(pool.analyse(SESSION.record, payer, print))
        while not (payer.waiting or analysis.done()):
            await asyncio.sleep(0)
        analysis.cancel()
        await asyncio.wait([analysis])
        assert analysis.cancelled()
        assert payer.waiting == 1
        await pool.run(int, payer)
    assert payer.bucket.left < 1e3


def test_the_default_number_of_worker_processes_is_one_less_than_the_number_of_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One core remains for the server. The number is at least 1 and at most 4."""
    for cores, wanted in ((None, 1), (1, 1), (2, 1), (4, 3), (64, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert processes.default_processes() == wanted


SERVER = """
import asyncio, os
from valletta_rules.web.processes import WorkerPool

async def main():
    async with WorkerPool(1) as pool:
        await asyncio.sleep(0)
        print("ready", flush=True)
        await asyncio.sleep(100_000)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_worker_processes_exit_when_the_server_is_killed(tmp_path: Path) -> None:
    """The test waits until every process has closed the output of the server."""
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        server.send_signal(signal.SIGKILL)
        assert not any(server.communicate())
