"""Whole games at a table whose file fails: one call of SQLite after the other, in every way.

Run ``python -m tests.web.faults`` for all calls of one game, which takes some minutes; tests take
some of them.  What must hold: whatever was acknowledged is in the file, the server goes on, and
those who asked are told in their language.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import logging
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import attrs
import pytest

from tests.web.client import COLOURS, WISH, Page, Response, Server, Table, document, serving
from valletta_rules.errors import VallettaError
from valletta_rules.web import bot_player, upkeep
from valletta_rules.web.connections import BROKEN
from valletta_rules.web.limits import Limits, Rate
from valletta_rules.web.store import TableStore
from valletta_rules.words import LANGUAGES

WAYS: Final = ("before", "after", "undone", "twice")
"""A call fails before it has done anything, or after it has; SQLite gives up the transaction; or
the next call fails, too."""

ERRORS: Final = (
    ("disk I/O error", sqlite3.SQLITE_IOERR),
    ("database or disk is full", sqlite3.SQLITE_FULL),
    ("database is locked", sqlite3.SQLITE_BUSY),
)
"""What SQLite says, and its code."""

FREE: Final = Limits(requests=Rate(1_000_000, 0), rates={})
"""Limits that nobody reaches."""

connect: Final = sqlite3.connect


class Faults:
    """When the file fails, and how."""

    left: ClassVar = 0
    """How many calls are left until one fails; 0 if none does."""
    way: ClassVar = ""
    has_failed: ClassVar = False
    """Whether one has failed."""
    done: ClassVar = 0
    """How many calls have failed."""

    @classmethod
    def arm(cls, count: int, way: str) -> None:
        """Let the call fail that is the given number of calls away."""
        cls.left, cls.way, cls.has_failed = count, way, False

    @classmethod
    def disarm(cls) -> bool:
        """Let no call fail any more; tell whether one has failed."""
        cls.left, cls.way = 0, ""
        return cls.has_failed

    @classmethod
    def meet(cls, file: sqlite3.Connection, call: Callable[[], Any]) -> Any:
        """Make a call, or let it fail."""
        cls.left -= cls.left > 0
        if cls.left or not cls.way:
            return call()
        way, cls.way, cls.has_failed = cls.way, "", True
        if way == "twice":
            cls.left, cls.way = 1, "before"
        if way == "after":
            call()
        elif way == "undone" and file.in_transaction:
            sqlite3.Cursor(file).execute("ROLLBACK")
        said, code = ERRORS[cls.done % len(ERRORS)]
        cls.done += 1
        error = sqlite3.OperationalError(said)
        error.sqlite_errorcode = code
        raise error


class FaultyCursor(sqlite3.Cursor):
    """A cursor, each use of which can fail."""


class FaultyFile(sqlite3.Connection):
    """A connection whose cursors can fail."""

    def cursor(self, *_: Any) -> Any:
        """Return such a cursor."""
        return super().cursor(FaultyCursor)


def make_faulty(name: str) -> None:
    """Let a method of cursors fail, and that of files which makes a cursor for it."""

    def use(cursor: FaultyCursor, *given: Any) -> Any:
        call = partial(getattr(sqlite3.Cursor, name), cursor, *given)
        return Faults.meet(cursor.connection, call)

    setattr(FaultyCursor, name, use)
    if hasattr(sqlite3.Connection, name):
        setattr(FaultyFile, name, lambda file, *given: use(FaultyCursor(file), *given))


for method in ("execute", "executemany", "executescript", "fetchone", "fetchall", "__next__"):
    make_faulty(method)


@contextmanager
def faulty_files() -> Iterator[None]:
    """Let the files that are opened be such as can fail, and nobody wait for another try."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite3, "connect", partial(connect, factory=FaultyFile))
        patched.setattr(bot_player, "AGAIN", 0.0)
        try:
            yield
        finally:
            Faults.disarm()


class Unexpected(logging.Handler):
    """Notes what is logged with a traceback of anything but an error of the file."""

    def __init__(self) -> None:
        """Note nothing yet."""
        super().__init__()
        self.noted: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note a record."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, (sqlite3.Error, VallettaError)):
            self.noted.append(f"{record.getMessage()}: {error!r}")


def told(code: str) -> str:
    """Return a refusal in German."""
    return LANGUAGES["de"].say(f"talk.refusals.{code}")


@attrs.define
class Ordeal:
    """A game at a table whose file fails, and what has been acknowledged of it."""

    path: Path
    stride: int = 1
    """Of how many calls one fails."""
    shift: int = 0
    """With which it begins; the next step begins with the next one."""
    injected: Counter[str] = attrs.field(factory=Counter)
    """How many calls have failed, by what was done."""
    numbers: Iterator[int] = attrs.field(factory=itertools.count)
    acked: dict[str, dict[int, str]] = attrs.field(factory=dict)
    """Of each table the revisions that were acknowledged, with their ids."""

    async def suffer(self, what: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again, until no call is left that has not failed."""
        way, count = WAYS[self.shift % len(WAYS)], 1 + self.shift % self.stride
        self.shift += 1
        has_failed = True
        while has_failed:
            Faults.arm(count, way)
            await attempt()
            has_failed = Faults.disarm()
            self.check()
            self.injected[what] += has_failed
            count += self.stride

    def check(self) -> None:
        """Look up all that was acknowledged, as the file has it."""
        with closing(TableStore(self.path, reads_only=True)) as kept:
            for name, acked in self.acked.items():
                log = kept.log(name)
                assert [entry.revision for entry in log] == [*range(len(log))]
                found = {entry.revision: entry.answer_id for entry in log}
                assert found | acked == found, "an acknowledged move is lost"

    # What is done

    async def open(self, server: Server, *levels: str | None) -> Table:
        """Open a table."""
        seats = [
            {"name": "", "colour": colour, "level": level}
            for colour, level in zip(COLOURS, levels, strict=False)
        ]
        opened = await self._posted("open", server, "/api/tables", {**WISH, "seats": seats})
        self.acked[opened["table"]] = {0: None}  # type: ignore[dict-item]
        return Table(server, opened)

    async def _fetched(
        self, what: str, server: Server, path: str, failed: tuple[int, str], **given: Any
    ) -> Response:
        """Send a request until it has failed at every call; return the last response."""
        responses: list[Response] = []

        async def attempt() -> None:
            response = await server.fetch(f"{path}?language=de", **given)
            responses.append(response)
            if response.status not in (200, 201):
                said = response.value["code"], response.value["message"]
                assert (response.status, *said) == (*failed, told(failed[1]))

        await self.suffer(what, attempt)
        assert responses[-1].status in (200, 201)
        return responses[-1]

    async def _posted(self, what: str, server: Server, path: str, body: object) -> Any:
        return (await self._fetched(what, server, path, (507, "not-kept"), body=body)).value

    async def join(self, table: Table, *seats: int) -> None:
        """Come to a table and leave it."""

        async def attempt() -> None:
            page = table.server.page()
            page.hello(table.id, *map(table.token, seats), language="de")
            said = await page.until("welcome", "ended", "refused")
            if said["type"] == "ended":
                assert (said["code"], said["sentence"]) == ("not-read", told("not-read"))
            elif said["type"] == "refused":
                assert said["refusal"]["value"]["message"] == told("not-read")
            if said["type"] != "welcome":
                assert await page.closed() == BROKEN
            await page.leave()
            table.server.pages.remove(page)

        await self.suffer("join", attempt)

    async def act(self, table: Table, page: Page, kind: str) -> None:
        """Answer or take back, and let bots answer."""

        async def attempt() -> None:
            if page.moment["asked"] is None:
                return
            if kind == "undo":
                content: Mapping[str, Any] = {"to": page.undo["to"], "agreed": True}
            else:
                content = {"action": document(page.legal[0])}
            name, revision = f"n{next(self.numbers)}", page.revision
            said = await page.ask(kind, id=name, revision=revision, **content)
            if said["type"] == "ack":
                self.acked[table.id][said["revision"]] = f"0 {name}"
                await page.reach(said["revision"])
            else:
                codes = {"not-kept", "stale"}  # after an error the move may have been kept
                assert said["refusal"]["value"]["message"] in {told(code) for code in codes}
            while page.moment["asked"] == 1:
                await page.hear()

        await self.suffer(kind, attempt)

    async def record(self, table: Table, token: str) -> str:
        """Fetch the record of a game, which may be over or not."""
        headers = [("Authorization", f"Bearer {token}")]
        path = f"/api/tables/{table.id}/record"
        failed = (500, "not-read")
        return (await self._fetched("record", table.server, path, failed, headers=headers)).text

    # A game

    async def play(self, most: int) -> None:
        """Play a game, or some moves of it: two people and a restart, a bot, undo, and a record."""
        noted = Unexpected()
        logging.getLogger().addHandler(noted)
        try:
            with faulty_files():
                await self._play(most)
        finally:
            logging.getLogger().removeHandler(noted)
        assert noted.noted == []
        assert upkeep.check(self.path)[1]

    async def _play(self, most: int) -> None:
        async with serving(self.path, FREE) as server:
            table = await self.open(server, None, "novice")
            await self.join(table, 0)
            page = await self._enter(table)
            while page.moment["asked"] is not None and page.revision < min(most // 2, 20):
                await self.act(table, page, "answer")
            await self.act(table, page, "undo")
        async with serving(self.path, FREE) as again:
            table = Table(again, table.opened)
            await self.join(table, 0)
            page = await self._enter(table)
            while page.moment["asked"] is not None and page.revision < most:
                await self.act(table, page, "answer")
            if page.moment["asked"] is None:
                text = await self.record(table, table.token(0))
                opened = await self._posted("replay", again, "/api/replay", text.encode())
                await self.join(Table(again, opened))
                await self.record(Table(again, opened), "")

    async def _enter(self, table: Table) -> Page:
        page = await table.enter(0, language="de")
        await page.ask("pace", pause=0)
        while page.moment["asked"] == 1:
            await page.hear()
        return page


def main() -> int:
    """Let every call of a game fail in every way."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.faults", description=__doc__)
    parser.add_argument(
        "--moves", type=int, default=10_000, help="stop after so many (default: no)"
    )
    most, injected = parser.parse_args().moves, Counter[str]()
    logging.getLogger().addHandler(logging.NullHandler())
    for shift in range(len(WAYS)):
        with tempfile.TemporaryDirectory() as folder:
            ordeal = Ordeal(Path(folder, "tables"), shift=shift)
            asyncio.run(ordeal.play(most))
            injected += ordeal.injected
    each = ", ".join(f"{count:,} of {what}" for what, count in injected.items())
    sys.stdout.write(f"{injected.total():,} calls failed ({each}); nothing acknowledged is lost\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
