"""What outlives the server: tables, seats and the log of each game, in one SQLite file.

The log is the game.  Each step of a table is one revision, an answer or an undo; a revision is
written once and never changed, so that of two answers to one question the file itself takes
exactly one.  What chance answered stands beside the answer that it followed, and is never drawn
again.  Of a token only its SHA-256 is kept.

Documents go in and come out as text: nothing here knows the rules, so that a game that a later
version of the rules refuses can be read all the same.

A `TableStore` belongs to the thread that made it; a `DatabaseThread` is that thread, asked from an
event loop.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Concatenate, Final, Literal, ParamSpec, Self, TypeVar

import attrs

from valletta_rules.errors import VallettaError

LogEntryKind = Literal["open", "answer", "undo"]
"""What a revision is: the table laid (revision 0), an answer, or an undo."""

APPLICATION: Final = 0x56414C54
"""The mark of a file of tables: the letters VALT."""

VERSION: Final = 1
"""The version of the schema."""

SCHEMA: Final = Path(__file__).with_name("schema.sql")
"""The tables of the file."""

P = ParamSpec("P")
T = TypeVar("T")


class TableStoreError(VallettaError):
    """A file cannot be used as a store of tables."""


class StaleError(VallettaError):
    """Something was to be added to a log that has gone on since, or that has it already."""


class UnknownTableError(VallettaError, LookupError):
    """There is no such table, or it has no such seat for a person."""


@attrs.frozen
class TableDocuments:
    """A table that is to be kept: its documents, and its luck."""

    rules: str
    """The document of the rule set."""
    cards: str
    """The document of the card set."""
    options: str
    """Whatever else its actor wants to find again, as a document."""
    seed: bytes = attrs.field(repr=False)
    """What all chance of the game is derived from; nobody is ever told."""
    library: str
    """The version of the library with which the game began."""
    chance: tuple[str, ...] = ()
    """The documents of what chance answered before the first question."""


@attrs.frozen
class StoredTable(TableDocuments):
    """A table that is kept."""

    id: str = attrs.field(kw_only=True)
    created: float = attrs.field(kw_only=True)
    """When it was laid, in seconds since 1970."""


@attrs.frozen
class Occupant:
    """Who has a seat: a person or a bot."""

    kind: Literal["person", "bot"]
    """Whose seat it is: a person's, who has a link to it, or a player's of the machine."""
    level: str | None
    """The bot that answers, perhaps in place of a person; else `None`."""
    name: str
    colour: str
    generation: int = 0
    """How often its link has been replaced."""


@attrs.frozen
class LogEntry:
    """A revision of a table."""

    revision: int
    """Its number, from 0 on."""
    kind: LogEntryKind
    seat: int | None
    """Who made it; `None` where the table was laid."""
    body: str
    """The document of an answer; the number of the revision to which an undo returns."""
    chance: tuple[str, ...] = ()
    """The documents of the chance and forced moves that followed."""
    answer_id: str | None = None
    """The name that the client gives it, by which it is recognized if it comes twice."""
    at: float = 0.0
    """When it was written, in seconds since 1970; the store sets it."""


@attrs.frozen
class Keys:
    """What opens a table; kept nowhere but with those who are given it."""

    table: str
    """The id of the table."""
    opener: str = attrs.field(repr=False)
    """The token of the opener."""
    seats: tuple[str | None, ...] = attrs.field(repr=False)
    """The token of each seat; `None` for a bot."""


class TableStore:
    """The tables in a file, to be used by the thread that opened it."""

    def __init__(self, path: Path) -> None:
        """Open a file, and make it if it is missing, with its folder; nobody else may read it.

        Raises `TableStoreError` if it is no file of tables or belongs to a later version, `OSError`
        and `sqlite3.Error` if it cannot be opened.
        """
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = sqlite3.connect(path, isolation_level=None)
        try:
            self._prepare(path)
        except BaseException:
            self.close()
            raise
        path.chmod(0o600)

    def _prepare(self, path: Path) -> None:
        """Make the schema in an empty file; make sure that another one is ours."""
        self._file.execute("PRAGMA busy_timeout = 5000")
        try:
            (mark,) = self._file.execute("PRAGMA application_id").fetchone()
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            empty = not self._file.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            raise TableStoreError(f"{path} is no file of tables: {error}") from error
        if not empty and mark != APPLICATION:
            raise TableStoreError(f"{path} is a file of another program")
        if not empty and version != VERSION:
            raise TableStoreError(f"{path} has version {version}; this program reads {VERSION}")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("PRAGMA foreign_keys = ON")
        if empty:
            self._file.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {VERSION}; {SCHEMA.read_text('utf-8')} COMMIT;"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def is_writing(self) -> bool:
        """Whether a transaction is open."""
        return self._file.in_transaction

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let all or nothing be written; within another transaction, a part of it."""
        begin, end, back = (
            ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part")
            if self.is_writing
            else ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        )
        self._file.execute(begin)
        try:
            yield
            self._file.execute(end)
        except BaseException:
            if self.is_writing:  # SQLite itself gives up where the disk is full
                for each in back.split("; "):
                    self._file.execute(each)
            raise

    # Tables and seats

    def create(self, table: TableDocuments, seats: Sequence[Occupant]) -> Keys:
        """Keep a table, and return its new id and tokens."""
        name, opener = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        tokens = tuple(
            secrets.token_urlsafe(16) if seat.kind == "person" else None for seat in seats
        )
        kept = (table.rules, table.cards, table.options, table.seed, digest(opener), table.library)
        rows = [
            (name, number, seat.kind, seat.level, seat.name, seat.colour, token and digest(token))
            for number, (seat, token) in enumerate(zip(seats, tokens, strict=True))
        ]
        with self.transaction():
            self._file.execute(
                "INSERT INTO tables (id, rules, cards, options, seed, opener, library)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (name, *kept),
            )
            self._file.executemany(
                "INSERT INTO seats (table_id, seat, kind, level, name, colour, token)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            self._write(name, LogEntry(0, "open", None, "", table.chance))
        return Keys(name, opener, tokens)

    def table(self, name: str) -> StoredTable:
        """Return a table by its id; raise `UnknownTableError` if there is none."""
        found = self._file.execute(
            "SELECT rules, cards, options, seed, library, chance, created FROM tables"
            " JOIN log ON table_id = id AND revision = 0 WHERE id = ?",
            (name,),
        ).fetchone()
        if found is None:
            raise UnknownTableError("there is no such table")
        rules, cards, options, seed, library, chance, created = found
        kept = (rules, cards, options, seed, library, _lines(chance))
        return StoredTable(*kept, id=name, created=created)

    def seats(self, name: str) -> tuple[Occupant, ...]:
        """Return who sits at a table, seat by seat."""
        found = self._file.execute(
            "SELECT kind, level, name, colour, generation FROM seats WHERE table_id = ?"
            " ORDER BY seat",
            (name,),
        )
        return tuple(Occupant(*row) for row in found)

    def seat_of(self, name: str, token: str) -> int | None:
        """Return the seat of a table that a token opens, or `None`."""
        found = self._file.execute(
            "SELECT seat FROM seats WHERE table_id = ? AND token = ?", (name, digest(token))
        ).fetchone()
        return None if found is None else int(found[0])

    def is_opener(self, name: str, token: str) -> bool:
        """Tell whether a token is that of the opener of a table."""
        found = self._file.execute(
            "SELECT 1 FROM tables WHERE id = ? AND opener = ?", (name, digest(token))
        )
        return found.fetchone() is not None

    def renew(self, name: str, seat: int) -> str:
        """Return a new token for a person's seat; the one before opens nothing any more.

        Raises `UnknownTableError` if there is no such seat.
        """
        token = secrets.token_urlsafe(16)
        self._change(
            "UPDATE seats SET token = ?, generation = generation + 1"
            " WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (digest(token), name, seat),
        )
        return token

    def sit_in(self, name: str, seat: int, level: str | None) -> None:
        """Let a bot answer for a person, or for `None` the person again.

        Raises `UnknownTableError` if there is no such seat.
        """
        self._change(
            "UPDATE seats SET level = ? WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (level, name, seat),
        )

    def _change(self, statement: str, values: Sequence[object]) -> None:
        """Change a row that must be there."""
        with self.transaction():
            if not self._file.execute(statement, values).rowcount:
                raise UnknownTableError("there is no such table, or no such seat for a person")

    # The log

    def append(self, name: str, entry: LogEntry) -> None:
        """Add a revision to a log: the one after the last.

        Once it returns, or the transaction around it ends, the revision outlives everything.
        Raises `StaleError` if the log stands at another revision or knows the name of the answer.
        """
        try:
            with self.transaction():
                (now,) = self._file.execute(
                    "SELECT max(revision) FROM log WHERE table_id = ?", (name,)
                ).fetchone()
                if now != entry.revision - 1:
                    raise StaleError(f"revision {entry.revision} does not follow {now}")
                self._write(name, entry)
        except sqlite3.IntegrityError as error:
            if "UNIQUE" not in str(error):
                raise
            raise StaleError(f"{entry.answer_id!r} has been written before") from error

    def _write(self, name: str, entry: LogEntry) -> None:
        """Write a revision."""
        what = (entry.revision, entry.kind, entry.seat, entry.body)
        self._file.execute(
            "INSERT INTO log (table_id, revision, kind, seat, body, chance, answer_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (name, *what, "\n".join(entry.chance), entry.answer_id),
        )

    def log(self, name: str, after: int = -1) -> tuple[LogEntry, ...]:
        """Return the revisions of a table in order, all or those after one of them."""
        found = self._file.execute(
            "SELECT revision, kind, seat, body, chance, answer_id, at FROM log"
            " WHERE table_id = ? AND revision > ? ORDER BY revision",
            (name, after),
        )
        return tuple(
            LogEntry(revision, kind, seat, body, _lines(chance), answer_id, at)
            for revision, kind, seat, body, chance, answer_id, at in found
        )


def digest(token: str) -> bytes:
    """Return the digest of a token, which is all that is kept of it."""
    return sha256(token.encode(errors="replace")).digest()


def _lines(text: str) -> tuple[str, ...]:
    """Return the documents in a text, one a line."""
    return tuple(text.split("\n")) if text else ()


class DatabaseThread:
    """A thread with a store of its own, for code that runs in an event loop.

    What is asked for while the thread is busy is written in one transaction, and nobody is answered
    before it is on the disk.
    """

    def __init__(self, path: Path) -> None:
        """Remember where the store is."""
        self._path = path
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._thread = ThreadPoolExecutor(1, "store")

    async def __aenter__(self) -> Self:
        """Open the store; raise what `TableStore` raises."""
        self._store = await asyncio.wrap_future(self._thread.submit(TableStore, self._path))
        return self

    async def __aexit__(self, *error: object) -> None:
        """Finish what was asked for, and close the store."""
        await asyncio.wrap_future(self._thread.submit(self._store.close))
        self._thread.shutdown()

    async def ask(
        self, method: Callable[Concatenate[TableStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Let the thread call a method of the store, as in ``database.ask(TableStore.log, table)``.

        Returns and raises what the method does; what it wrote is on the disk by then.
        """
        future: Future[T] = Future()
        self._jobs.put((future, partial(method, self._store, *args, **kwargs)))
        self._thread.submit(self._work)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Do everything that is asked for by now in one transaction, and answer it."""
        jobs = [self._jobs.get() for _ in range(self._jobs.qsize())]
        if not jobs:
            return
        going = [(future, call) for future, call in jobs if future.set_running_or_notify_cancel()]
        try:
            with self._store.transaction():
                outcomes = [self._outcome(call) for _, call in going]
        except sqlite3.Error as error:
            outcomes = [(None, error)] * len(going)
        for (future, _), (result, failure) in zip(going, outcomes, strict=True):
            if failure is None:
                future.set_result(result)
            else:
                future.set_exception(failure)

    def _outcome(self, call: Callable[[], Any]) -> tuple[Any, Exception | None]:
        """Return the result of a call, or its error; raise an error that ended the transaction."""
        try:
            with self._store.transaction():
                return call(), None
        except Exception as error:
            if not self._store.is_writing:
                raise
            return None, error
