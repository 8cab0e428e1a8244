"""Bots that think in other processes."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from valletta_rules import Session, legal_actions, redact, view
from valletta_rules.bots import make_bot
from valletta_rules.web import workers
from valletta_rules.web.workers import ADVISER, WEAKEST, Heard, Thought, WorkerPool

BOTS = """
import os, time

class Bot:
    def __init__(self, rng):
        self.heard = []

    def begin(self, view):
        self.heard.append(view.seat)

    def see(self, event):
        self.heard.append(type(event).__name__)

class Rememberer(Bot):
    def decide(self, view):
        assert self.heard[0] == view.seat and len(self.heard) > 5
        return view.legal_actions[-1]

class Follower(Bot):
    def decide(self, view):
        self.heard.append(view)
        return view.legal_actions[len(self.heard) - 1]

class Noter(Bot):
    def decide(self, view):
        with open(os.environ["NOTES"], "a") as file:
            file.write("asked ")

class Crasher(Noter):
    def decide(self, view):
        super().decide(view)
        os._exit(3)

class Sleeper(Noter):
    def decide(self, view):
        super().decide(view)
        time.sleep(30)

class Raiser(Noter):
    def decide(self, view):
        super().decide(view)
        raise ZeroDivisionError
"""

SESSION = Session(2, seed=5)
SESSION.play("gold")
SESSION.play("wood")
assert SESSION.prompt is not None
ASKED = SESSION.prompt.seat
VIEW = view(SESSION.state, ASKED)
HEARD = Heard(
    view(SESSION.record.start, ASKED),
    tuple(redact(event, ASKED) for step in SESSION.transitions for event in step.events),
)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install bots that do what bots should not; return where they note that they are asked."""
    folder = tmp_path / "oddities-1.dist-info"
    folder.mkdir()
    names = ("Rememberer", "Follower", "Crasher", "Sleeper", "Raiser")
    entries = "".join(f"{name.lower()} = oddities:{name}\n" for name in names)
    (folder / "entry_points.txt").write_text(f"[valletta_rules.bots]\n{entries}")
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: oddities\nVersion: 1\n")
    (tmp_path / "oddities.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    return tmp_path / "notes"


def with_pool(work: Callable[[WorkerPool], Coroutine[Any, Any, Any]], **options: Any) -> Any:
    """Return what some work does with one process."""

    async def run() -> Any:
        async with WorkerPool(1, **options) as pool:
            return await work(pool)

    return asyncio.run(run())


def here(spec: str, seed: int) -> object:
    """Return what a bot answers in this process."""
    return make_bot(spec, random.Random(seed)).decide(VIEW)


def test_bots_answer_in_another_process_as_they_would_here(notes: Path) -> None:
    """An answer follows from what was asked this turn, what was heard, and the seed."""

    async def ask(pool: WorkerPool) -> None:
        assert await pool.decide("club", [VIEW], None, 3, table="a") == here("club", 3)
        second = await pool.decide("follower", [VIEW, VIEW], None, 0, table="a")
        assert second == VIEW.legal_actions[1]
        remembered = await pool.decide("rememberer", [VIEW], HEARD, 0, table="a")
        assert remembered == VIEW.legal_actions[-1]
        one, other = [await pool.hint(VIEW, heard, table="b") for heard in (None, HEARD)]
        assert one == other
        assert one.action == here(ADVISER, 0)
        assert one.plans[0].actions[0] == one.action

    with_pool(ask)


@pytest.mark.parametrize(
    ("bot", "asked", "said"),
    [
        ("crasher", 2, "ended"),
        ("sleeper", 2, "ended"),
        ("raiser", 1, "raiser cannot answer"),
        ("nobody", 0, "nobody cannot answer"),
    ],
)
def test_who_cannot_answer_is_answered_for(
    notes: Path, bot: str, asked: int, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that ends or takes too long is tried once more; then the weakest level answers."""

    async def both(pool: WorkerPool) -> list[object]:
        return [
            await pool.decide(bot, [VIEW], HEARD, 4, table="a"),
            await pool.decide("random", [VIEW], None, 4, table="a"),
        ]

    with caplog.at_level(logging.WARNING):
        instead, after = with_pool(both, patience=0.5)
    assert instead == here(WEAKEST, 4)
    assert after in legal_actions(SESSION.state)
    assert (notes.read_text().split() if notes.exists() else []) == ["asked"] * asked
    assert said in caplog.text


class Fake:
    """A process that thinks as long as it is told, in this one."""

    def __init__(self, patience: float) -> None:
        """Wait to be told."""
        self.asked: list[str] = []
        self.go = asyncio.Event()
        self.closed = False
        fakes.append(self)

    async def think(self, question: Any) -> Thought:
        """Note what is asked, and answer when told to."""
        self.asked.append(question.spec)
        await self.go.wait()
        if question.spec == "bad":
            raise ValueError("bad")
        return Thought(VIEW.legal_actions[0], ())

    def close(self) -> None:
        """Note the end."""
        self.closed = True


fakes: list[Fake] = []


async def settle() -> None:
    """Let everybody go on as far as they can."""
    for _ in range(9):
        await asyncio.sleep(0)


def test_players_come_before_hints_and_a_table_asks_once_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However early the hint was asked for; nobody is told, or thought for, who does not wait."""
    monkeypatch.setattr(workers, "_Process", Fake)
    fakes.clear()

    async def work(pool: WorkerPool) -> None:
        def decide(spec: str, table: str) -> asyncio.Task[Any]:
            return asyncio.create_task(pool.decide(spec, [VIEW], None, 0, table=table))

        first = decide("first", "a")
        await settle()
        hint = asyncio.create_task(pool.hint(VIEW, table="b"))
        gone, same, other, bad = (
            decide(*each) for each in (("gone", "c"), ("same", "a"), ("other", "d"), ("bad", "e"))
        )
        await settle()
        gone.cancel()
        bad.cancel()
        first.cancel()
        await settle()
        fakes[0].go.set()
        await asyncio.gather(same, other, hint)
        assert fakes[0].asked[:2] == ["first", "other"]
        assert sorted(fakes[0].asked[2:]) == ["same", ADVISER]
        with pytest.raises(ValueError, match="bad"):
            await decide("bad", "a")

    with_pool(work)
    assert fakes[0].closed


def test_processes_leave_a_core_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """But there is one at least, and not one for each of many cores."""
    for cores, processes in ((None, 1), (1, 1), (2, 1), (4, 3), (64, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert workers.default_processes() == processes


SERVER = """
import asyncio, os
from valletta_rules.web.workers import WorkerPool

async def main():
    async with WorkerPool(1) as pool:
        await asyncio.sleep(0)
        print("ready", flush=True)
        await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_process_ends_with_the_server_however_that_went(tmp_path: Path) -> None:
    """Even if it is killed: nobody is left who could still write to its output."""
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        server.send_signal(signal.SIGKILL)
        assert not any(server.communicate(timeout=30))
