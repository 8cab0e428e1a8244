"""Players of the machine in other processes."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from valletta_rules import Session, legal_actions, redact, view
from valletta_rules.bots import make_bot
from valletta_rules.web import thinkers
from valletta_rules.web.thinkers import ADVISER, WEAKEST, Advice, Heard, Thinkers

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

class Crasher(Bot):
    def decide(self, view):
        with open(os.environ["CRASHES"], "a") as file:
            file.write("crash ")
        os._exit(3)

class Sleeper(Bot):
    def decide(self, view):
        time.sleep(30)

class Raiser(Bot):
    def decide(self, view):
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
def crashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install bots that do what bots should not; return where it is counted."""
    folder = tmp_path / "oddities-1.dist-info"
    folder.mkdir()
    names = ("Rememberer", "Follower", "Crasher", "Sleeper", "Raiser")
    entries = "".join(f"{name.lower()} = oddities:{name}\n" for name in names)
    (folder / "entry_points.txt").write_text(f"[valletta_rules.bots]\n{entries}")
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: oddities\nVersion: 1\n")
    (tmp_path / "oddities.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("CRASHES", str(tmp_path / "crashes"))
    return tmp_path / "crashes"


def with_thinkers(work: Callable[[Thinkers], Coroutine[Any, Any, Any]], **options: Any) -> Any:
    """Return what some work does with one thinker."""

    async def run() -> Any:
        async with Thinkers(1, **options) as some:
            return await work(some)

    return asyncio.run(run())


def weakest(seed: int) -> object:
    """Return what the weakest level answers."""
    return make_bot(WEAKEST, random.Random(seed)).decide(VIEW)


def test_a_level_answers_in_another_process_as_it_would_here() -> None:
    """It follows from the view and the seed."""
    action = with_thinkers(lambda some: some.decide("club", [VIEW], None, 3, table="a"))
    assert action == make_bot("club", random.Random(3)).decide(VIEW)


def test_a_player_is_told_what_it_was_asked_before(crashes: Path) -> None:
    """One question after the other; the answer to the last one counts."""
    asked = [VIEW, VIEW]
    action = with_thinkers(lambda some: some.decide("follower", asked, None, 0, table="a"))
    assert action == VIEW.legal_actions[1]


def test_a_hint_says_why() -> None:
    """It is the same whenever it is asked for, and only the view counts."""

    async def twice(some: Thinkers) -> list[Advice]:
        return [await some.hint(VIEW, table="a"), await some.hint(VIEW, HEARD, table="b")]

    one, other = with_thinkers(twice)
    assert one == other
    assert one.action == make_bot(ADVISER, random.Random(0)).decide(VIEW)
    assert one.plans[0].actions[0] == one.action


def test_a_player_who_remembers_is_told_all(crashes: Path) -> None:
    """From the first position on, and in order."""
    action = with_thinkers(lambda some: some.decide("rememberer", [VIEW], HEARD, 0, table="a"))
    assert action == VIEW.legal_actions[-1]


@pytest.mark.parametrize(("bot", "times"), [("crasher", 2), ("sleeper", 0), ("raiser", 0)])
def test_who_cannot_answer_is_answered_for(
    crashes: Path, bot: str, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that ends or takes too long is tried once more; then the weakest level answers."""

    async def both(some: Thinkers) -> list[object]:
        return [
            await some.decide(bot, [VIEW], HEARD, 4, table="a"),
            await some.decide("random", [VIEW], None, 4, table="a"),
        ]

    with caplog.at_level(logging.WARNING):
        instead, after = with_thinkers(both, patience=1.0)
    assert instead == weakest(4)
    assert after in legal_actions(SESSION.state)
    assert (crashes.read_text().split() if crashes.exists() else []) == ["crash"] * times
    assert "ended" in caplog.text or "raiser cannot answer" in caplog.text


def test_a_bot_that_is_not_there_is_answered_for() -> None:
    """A table whose bot has been uninstalled goes on."""
    action = with_thinkers(lambda some: some.decide("nobody", [VIEW], None, 4, table="a"))
    assert action == weakest(4)


class Fake:
    """A process that thinks as long as it is told, in this one."""

    def __init__(self, patience: float) -> None:
        """Wait to be told."""
        self.asked: list[str] = []
        self.most = self.now = 0
        self.go = asyncio.Event()
        self.closed = False
        fakes.append(self)

    async def think(self, question: Any) -> Advice:
        """Note what is asked, and answer when told to."""
        self.asked.append(question.spec)
        await self.go.wait()
        if question.spec == "bad":
            raise ValueError("bad")
        return Advice(VIEW.legal_actions[0], ())

    def close(self) -> None:
        """Note the end."""
        self.closed = True


fakes: list[Fake] = []


@pytest.fixture
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes.clear()
    monkeypatch.setattr(thinkers, "_Process", Fake)


async def settle() -> None:
    """Let everybody go on as far as they can."""
    for _ in range(9):
        await asyncio.sleep(0)


@pytest.mark.usefixtures("_fake")
def test_players_come_before_hints_and_a_table_asks_once_at_a_time() -> None:
    """However early the hint was asked for; who gives up is not thought for."""

    async def work(some: Thinkers) -> None:
        def decide(spec: str, table: str) -> asyncio.Task[Any]:
            return asyncio.create_task(some.decide(spec, [VIEW], None, 0, table=table))

        first = decide("first", "a")
        await settle()
        hint = asyncio.create_task(some.hint(VIEW, table="b"))
        gone, same = decide("gone", "c"), decide("same", "a")
        other = decide("other", "d")
        await settle()
        gone.cancel()
        fakes[0].go.set()
        await asyncio.gather(first, same, other, hint)
        assert fakes[0].asked[:2] == ["first", "other"]
        assert sorted(fakes[0].asked[2:]) == ["same", ADVISER]

    with_thinkers(work)
    assert fakes[0].closed


@pytest.mark.usefixtures("_fake")
@pytest.mark.parametrize("spec", ["good", "bad"])
def test_nobody_is_told_who_does_not_wait(spec: str) -> None:
    """A thinker whose table is gone goes on with the next question."""

    async def work(some: Thinkers) -> None:
        task = asyncio.create_task(some.decide(spec, [VIEW], None, 0, table="a"))
        await settle()
        task.cancel()
        await settle()
        fakes[0].go.set()
        await some.decide("next", [VIEW], None, 0, table="a")
        if spec == "bad":
            with pytest.raises(ValueError, match="bad"):
                await some.decide("bad", [VIEW], None, 0, table="a")

    with_thinkers(work)


def test_processes_leave_a_core_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """But there is one at least, and not one for each of many cores."""
    for cores, processes in ((None, 1), (1, 1), (2, 1), (4, 3), (64, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert thinkers.default_processes() == processes
    assert Thinkers()._processes == 4


def test_a_process_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if that is killed; an interruption is the server's alone."""
    ended: list[object] = []
    parent = SimpleNamespace(join=lambda: ended.append("server"))
    monkeypatch.setattr(thinkers, "parent_process", lambda: parent)
    monkeypatch.setattr(os, "_exit", ended.append)
    before = signal.getsignal(signal.SIGINT)
    try:
        thinkers._begin()
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    for thread in threading.enumerate():
        if thread.name != "MainThread":
            thread.join(timeout=1)
    assert ended == ["server", 0]
    monkeypatch.setattr(thinkers, "parent_process", lambda: None)
    thinkers._leave_with_parent()
    assert ended == ["server", 0]


def test_what_a_process_does_is_what_it_says(crashes: Path) -> None:
    """It thinks, and is not ended afterwards."""
    question = thinkers._Question("rememberer", [VIEW], HEARD, 1)
    assert thinkers._think(question, 60) == Advice(VIEW.legal_actions[-1], ())
