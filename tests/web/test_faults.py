"""Tests of a table whose database fails: no acknowledged step is lost, and pages are notified."""

import asyncio
import itertools
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from tests.web.client import SOLO, Page, Server, Table, document, serving
from tests.web.test_upkeep import AGES, NOW, store_table
from valletta_rules.cli.main import main
from valletta_rules.errors import VallettaError
from valletta_rules.web import bot_player, upkeep
from valletta_rules.web import serving as served
from valletta_rules.web.connections import BROKEN
from valletta_rules.web.limits import Limits, Rate
from valletta_rules.web.serving import FILE
from valletta_rules.web.store import DatabaseThread, TableStore
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

WAYS = ("before", "after", "undone", "twice")
"""The ways in which a call fails: before its effect, after it, with a rollback, or twice."""

STRIDE = 2
"""In each operation, one database call in `STRIDE` is made to fail."""

FREE = Limits(requests=Rate(1_000_000, 0), rates={})
"""Limits on requests that are so high that no test reaches them."""


class Faults:
    """The state of the fault injection. It determines which call fails, and how."""

    left: ClassVar = 0
    """The number of calls up to the failing one. If it is 0, no call fails."""
    way: ClassVar = ""
    has_failed: ClassVar = False

    @classmethod
    def arm(cls, count: int, way: str) -> None:
        """Make the call number `count` from now fail in the given way; 1 is the next call."""
        cls.left, cls.way, cls.has_failed = count, way, False

    @classmethod
    def disarm(cls) -> bool:
        """Stop the fault injection, and return whether a call has failed."""
        cls.left, cls.way = 0, ""
        return cls.has_failed

    @classmethod
    def call(cls, name: str, cursor: sqlite3.Cursor, *given: Any) -> Any:
        """Call a method of a cursor; if the call must fail, raise the error for a full disk."""
        call = partial(getattr(sqlite3.Cursor, name), cursor, *given)
        cls.left -= cls.left > 0
        if cls.left or not cls.way:
            return call()
        way, cls.way, cls.has_failed = cls.way, "", True
        if way == "twice":
            cls.left, cls.way = 1, "before"
        if way == "after":
            call()
        elif way == "undone" and cursor.connection.in_transaction:
            sqlite3.Cursor(cursor.connection).execute("ROLLBACK")
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error


class FaultyCursor(sqlite3.Cursor):
    """A database cursor with methods that can fail."""


class FaultyFile(sqlite3.Connection):
    """A database connection that returns cursors with methods that can fail."""

    def cursor(self, *_: Any) -> Any:
        """Return a cursor whose methods can fail."""
        return super().cursor(FaultyCursor)


def make_faulty(name: str) -> None:
    """Apply fault injection to the method `name` of cursors and, if it exists, of connections."""
    setattr(FaultyCursor, name, lambda *given: Faults.call(name, *given))
    if hasattr(sqlite3.Connection, name):
        setattr(FaultyFile, name, lambda file, *given: getattr(file.cursor(), name)(*given))


for method in ("execute", "executemany", "executescript", "fetchone", "fetchall", "__next__"):
    make_faulty(method)


@contextmanager
def faulty_files() -> Iterator[None]:
    """Open all databases in this context with fault injection; retries do not wait."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=FaultyFile))
        patched.setattr(bot_player, "AGAIN", 0.0)
        try:
            yield
        finally:
            Faults.disarm()


def refusal_message(code: str) -> str:
    """Return the German message for a refusal code."""
    return LANGUAGES["de"].phrase(f"talk.refusals.{code}")


@attrs.define
class FaultyGame:
    """A fault-injection harness for a game.  It records the acknowledged requests."""

    path: Path
    shift: int
    """A counter that increases by one after each operation.

    It determines which call fails first, and how.
    """
    failed: set[str] = attrs.field(factory=set)
    """The names of the operations during which a call has failed."""
    acked: dict[str, dict[int, str | None]] = attrs.field(factory=dict)
    """For each table, the ids of acknowledged requests, keyed by revision."""
    numbers: Iterator[int] = attrs.field(factory=itertools.count)

    async def inject_faults(self, operation: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Attempt an operation repeatedly, until no database call fails.

        In each attempt, the failure comes `STRIDE` calls later than in the previous attempt.
        """
        way, count = WAYS[self.shift % len(WAYS)], 1 + self.shift % STRIDE
        self.shift += 1
        has_failed = True
        while has_failed:
            Faults.arm(count, way)
            await attempt()
            if has_failed := Faults.disarm():
                self.failed.add(operation)
            self.check()
            count += STRIDE

    def check(self) -> None:
        """Check that the database contains all acknowledged revisions."""
        with closing(TableStore(self.path, reads_only=True)) as store:
            for name, acked in self.acked.items():
                log = store.log(name)
                assert [entry.revision for entry in log] == [*range(len(log))]
                stored = {
                    entry.revision: json.loads(entry.entry)["value"].get("id") for entry in log
                }
                assert stored | acked == stored, "an acknowledged move is lost"

    async def open(self, server: Server) -> Table:
        """Open a table for a person and a bot."""
        opened: list[Table] = []

        async def attempt() -> None:
            response = await server.fetch("/api/tables?language=de", SOLO)
            if response.status == 201:
                opened.append(Table(server, response.value))
                self.acked[opened[-1].id] = {0: None}
            else:
                assert response.status == 507
                assert response.value["message"] == refusal_message("not-kept")

        await self.inject_faults("open", attempt)
        return opened[-1]

    async def join(self, table: Table) -> Page:
        """Connect pages while the database fails, then return a page that stays connected."""

        async def attempt() -> None:
            page = table.server.page()
            page.hello(table.id, table.token(0), language="de")
            message = await page.receive_until("welcome", "ended", "refused")
            if message["type"] != "welcome":
                refused = message["type"] == "refused" and message["refusal"]["value"]["message"]
                assert (refused or message["sentence"]) == refusal_message("not-read")
                assert await page.wait_until_closed() == BROKEN
            await page.leave()
            table.server.pages.remove(page)

        await self.inject_faults("join", attempt)
        page = await table.enter(0, language="de")
        await page.request("pace", pause=0)
        while page.moment["asked"] == 1:
            await page.receive()
        return page

    async def act(self, table: Table, page: Page, kind: str) -> None:
        """Answer a prompt or take back a step, then wait for the bot's answers."""

        async def attempt() -> None:
            if kind == "undo":
                content: Mapping[str, Any] = {"to": page.undo["to"], "agreed": True}
            else:
                content = {"action": document(page.legal[0])}
            name = f"n{next(self.numbers)}"
            response = await page.request(kind, id=name, revision=page.revision, **content)
            if response["type"] == "ack":
                self.acked[table.id][response["revision"]] = f"0:{name}"
                await page.reach(response["revision"])
            else:  # after an error the move may have been stored
                message = response["refusal"]["value"]["message"]
                assert message in {refusal_message("not-kept"), refusal_message("stale")}
            while page.moment["asked"] == 1:
                await page.receive()

        await self.inject_faults(kind, attempt)


@pytest.mark.parametrize("shift", range(len(WAYS)))
async def test_no_acknowledged_step_is_lost_when_database_calls_fail(
    tmp_path: Path, shift: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Every second call fails at each step. A second server then continues the game."""
    game = FaultyGame(tmp_path / FILE, shift)
    with faulty_files():
        async with serving(game.path, FREE) as server:
            table = await game.open(server)
            page = await game.join(table)
            while page.revision < 6:
                await game.act(table, page, "answer")
            await game.act(table, page, "undo")
        async with serving(game.path, FREE) as again:
            table = Table(again, table.opened)
            page = await game.join(table)
            while page.revision < 12:
                await game.act(table, page, "answer")
    errors = [record.exc_info[1] for record in caplog.records if record.exc_info]
    assert all(isinstance(error, sqlite3.Error | VallettaError) for error in errors), errors
    assert upkeep.check(game.path)[1]
    assert game.failed == {"open", "join", "answer", "undo"}


async def test_after_a_failed_removal_an_old_table_is_either_complete_or_removed(
    tmp_path: Path,
) -> None:
    """The test repeats the removal, and another database call fails each time.

    A new table is never removed.
    """
    path = tmp_path / FILE
    bounds = AGES.bounds(NOW)
    for way in WAYS:
        for count in range(1, 100):
            with faulty_files():
                with closing(TableStore(path)) as store:
                    old, new = store_table(store, 100), store_table(store, 1)
                async with DatabaseThread(path) as database:
                    Faults.arm(count, way)
                    calls = [database.call(TableStore.remove, each, bounds) for each in (old, new)]
                    outcomes = await asyncio.gather(*calls, return_exceptions=True)
                    has_failed = Faults.disarm()
            with closing(TableStore(path)) as store:
                assert not store.problems()
                names = store.names()
                assert new in names
                assert (outcomes[0] is True) <= (old not in names)
                assert len(store.log(old)) == 2 * (old in names)
            if not has_failed:
                break
        assert outcomes == [True, False]


@pytest.mark.parametrize("command", [[], ["--check"], ["--backup", "copy"]])
def test_serve_check_and_backup_report_a_failing_database_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    """The commands print no traceback. A failed backup leaves no file."""
    with closing(TableStore(tmp_path / FILE)) as store:
        store_table(store, 1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(served._Server, "run", lambda server, sockets: None)
    statuses = list[int]()
    with faulty_files():
        for count in range(1, 200):
            Path("copy").unlink(missing_ok=True)
            Faults.arm(count, WAYS[count % 2])
            statuses.append(
                main(["serve", "--no-browser", "--folder", ".", "--port", "0", *command])
            )
            has_failed = Faults.disarm()
            output = capsys.readouterr()
            sentences = (output.err + output.out).splitlines()
            if not has_failed:
                break
            assert statuses[-1] == 0 or sentences, command
            assert "Traceback" not in output.err
            assert {each.name for each in tmp_path.iterdir() if "valletta" in each.name} == set()
            assert Path("copy").exists() == (statuses[-1] == 0 and "copy" in command)
    assert len(statuses) > 10
    assert statuses[-1] == (1 if "--check" in command else 0)  # its table has no rules
