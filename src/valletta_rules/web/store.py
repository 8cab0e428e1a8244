"""A store of game tables: an SQLite file with their seats and the logs of their games.

A log contains the entries of a `valletta_rules.Game` as JSON documents.  An entry is written once
and never changed, so the file accepts only one answer to a prompt.  Tokens are stored only as
SHA-256 digests.

This module does not use the rules of the game.  A log can therefore be read even if a later version
of the rules refuses its entries.

A table that has not been used for the configured time is removed with all its data.  SQLite reuses
the freed pages of the file.

Only the thread that created a `TableStore` may use it.  A `DatabaseThread` runs such a thread for
an event loop.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from importlib import resources
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Concatenate, Final, Literal, ParamSpec, Self, TypeVar

import attrs

from valletta_rules.errors import VallettaError

APPLICATION: Final = 0x56414C54
"""The SQLite application id, the letters VALT, that marks a file as a table database."""

STORE_VERSION: Final = 4
"""The version of the schema; a file with another version is refused."""

SCHEMA: Final = (resources.files("valletta_rules") / "web" / "schema.sql").read_text("utf-8")
"""The SQL statements that create the schema of the file."""

DAY: Final = 86_400.0
"""The number of seconds in a day."""

SLICE: Final = 100
"""The number of tables that a query for old tables examines at once."""

P = ParamSpec("P")
T = TypeVar("T")


class TableStoreError(VallettaError):
    """Raised if a file cannot be used to store tables."""


class LogConflictError(VallettaError):
    """Raised if the revision of a new entry is not the next revision in its log."""


class UnreadableTableError(VallettaError):
    """Raised if the stored data of a table is corrupt."""


class UnknownTableError(VallettaError, LookupError):
    """Raised if no table has the given id, or if the given seat is not a person's."""


@attrs.frozen
class Ages:
    """The ages in days at which unused tables of each kind are removed; `None` means never."""

    finished: int | None = 365
    """The number of days from the last move of a finished game until its removal."""
    abandoned: int | None = 365
    """The number of days from the last move of an unfinished game until its removal."""
    replays: int | None = 90
    """The number of days until the removal of an opened record or a trial.

    They count from the opening of the record, or from the last move of the trial.
    """

    def bounds(self, now: float) -> dict[str, float | None]:
        """Return a time for each kind of table: tables last used before this time are old."""
        days = attrs.asdict(self)
        return {kind: None if age is None else now - age * DAY for kind, age in days.items()}


LAST: Final = "FROM log WHERE table_id = id ORDER BY revision DESC LIMIT 1"
"""The end of an SQL query that selects columns of the last entry in a table's log."""

KIND: Final = f"""
  CASE WHEN json_valid(options) AND (
    json_extract(options, '$.replay') OR json_extract(options, '$.position') IS NOT NULL
  ) THEN 'replays' WHEN (SELECT ends {LAST}) THEN 'finished' ELSE 'abandoned' END
"""
"""An SQL expression for the kind of a table.  Each kind is the name of a field of `Ages`."""

OLD: Final = f"""
  (SELECT at {LAST}) < CASE {KIND}
    WHEN 'replays' THEN :replays WHEN 'finished' THEN :finished ELSE :abandoned END
"""
"""The SQL condition that is true for old tables; its parameters come from `Ages.bounds`."""


@attrs.frozen
class TableDocuments:
    """The data of a table in the store, except its seats and its log."""

    options: str
    """The options of the table, in JSON."""
    seed: bytes = attrs.field(repr=False)
    """The secret seed that determines all random outcomes in the game."""
    library: str
    """The version of the library that created the game."""

    def option(self, name: str) -> Any:
        """Return the option `name`, or `None` if it is not set.

        Raises `UnreadableTableError` if the options are corrupt.
        """
        try:
            return json.loads(self.options).get(name)
        except (ValueError, AttributeError) as error:
            raise UnreadableTableError("the options of the table are corrupt") from error

    @property
    def is_replay(self) -> bool:
        """Whether the table is an opened record."""
        return bool(self.option("replay"))

    @property
    def is_trial(self) -> bool:
        """Whether the table was opened at a position."""
        return self.option("position") is not None


@attrs.frozen
class Occupant:
    """The owner of a seat, and the level of the bot that plays in the seat, if any."""

    kind: Literal["person", "bot"]
    """The kind of the owner.  Only a person's seat has a link."""
    level: str | None
    """The level of the bot that plays, possibly as a substitute; `None` if a person plays."""
    name: str
    colour: str


@attrs.frozen
class StoredEntry:
    """An entry in the log of a table, as it is stored."""

    revision: int
    """The revision of the entry, counted from 0."""
    entry: str
    """The entry as a JSON document."""
    at: float = attrs.field(factory=time.time)
    """The time of the entry, in seconds since 1970."""
    ends: bool = False
    """Whether the entry ends the game.

    The store needs this value to remove old tables.  `TableStore.log` does not read it.
    """

    @property
    def moves(self) -> int:
        """An upper bound on the number of moves in the entry: 1 or more."""
        return max(1, self.entry.count('"type":') - 1)


@attrs.frozen
class Keys:
    """The id of a table, and the secret tokens that give access to its seats."""

    table: str
    """The id of the table."""
    opener: str = attrs.field(repr=False)
    """The token of the opener, who may renew links and seat bots."""
    seats: tuple[str | None, ...] = attrs.field(repr=False)
    """The token of each seat; `None` for a bot's seat."""


class TableStore:
    """An open table database.  Only the thread that opened the file may use it."""

    def __init__(
        self,
        path: Path,
        *,
        reads_only: bool = False,
        journal: str = "WAL",
        is_checked: bool = False,
    ) -> None:
        """Open the file at `path`; create it and its folder, for the user only, if necessary.

        If `reads_only`, the file is neither created nor changed, and another process may use it.
        `journal` is SQLite's journal mode; in the mode ``TRUNCATE``, the file contains all data
        after each transaction.  If `is_checked`, all pages are checked before the first write.
        Raises `TableStoreError` if the file is not a table database, has another version or is
        damaged, and `OSError` or `sqlite3.Error` if the file cannot be opened.
        """
        if reads_only:
            address = f"{path.absolute().as_uri()}?mode=ro"
        else:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            address = str(path.absolute())  # not a URI, for which Python loads its HTTP client
        self._file = sqlite3.connect(address, isolation_level=None, uri=reads_only)
        self._depth, self._is_torn = 0, False
        try:
            with _naming_damage(path, reads_only=reads_only):
                self._file.execute("PRAGMA busy_timeout = 5000")
                self.version: Final = self._version_of(path)
                if is_checked:
                    self._check()
                if not reads_only:
                    self._prepare(journal)
                    path.chmod(0o600)
                elif self.version == 0:
                    raise TableStoreError(f"{path} is empty, not a table database")
        except BaseException:
            self.close()
            raise

    def _version_of(self, path: Path) -> int:
        """Return the version of the file's schema, or 0 if the file is empty.

        Raises `TableStoreError` if the file is neither empty nor a table database in this version.
        """
        (mark,) = self._file.execute("PRAGMA application_id").fetchone()
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if not self._file.execute("SELECT 1 FROM sqlite_master").fetchone():
            return 0
        if mark != APPLICATION:
            raise TableStoreError(f"{path} is not a table database; another program created it")
        if version != STORE_VERSION:
            raise TableStoreError(
                f"{path} has format version {version}; this program reads version {STORE_VERSION}"
            )
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as reference:
            reference.executescript(SCHEMA)
            wanted = _columns(reference)
        if _columns(self._file) != wanted:
            unfit = (
                f"{path} is marked as version {version}, but its columns differ from that version"
            )
            raise TableStoreError(unfit)
        return int(version)

    def _check(self) -> None:
        """Raise `sqlite3.DatabaseError` if pages of the file are damaged."""
        (result,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            raise sqlite3.DatabaseError(" ".join(result.split()))

    def _prepare(self, journal: str) -> None:
        """Set the journal mode and full synchronisation, and create the schema in an empty file."""
        self._file.execute(f"PRAGMA journal_mode = {journal}")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("PRAGMA foreign_keys = ON")
        if self.version == 0:
            self._file.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {STORE_VERSION}; {SCHEMA} COMMIT;"
            )

    def close(self) -> None:
        """Close the file; the store can no longer be used."""
        self._file.close()

    @property
    def changes(self) -> int:
        """The number of rows that this connection has written since it opened the file."""
        return self._file.total_changes

    @property
    def is_lost(self) -> bool:
        """Whether the enclosing transaction can no longer be committed."""
        return self._is_torn or not self._file.in_transaction

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Return a context manager for a transaction; a nested transaction is a savepoint."""
        begin, end, back = (
            ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part")
            if self._depth
            else ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        )
        if not self._depth:
            self._is_torn = False
            if self._file.in_transaction:
                self._file.execute(back)  # the last rollback failed
        self._file.execute(begin)
        self._depth += 1
        try:
            yield
            self._file.execute(end)
        except BaseException:
            if self._file.in_transaction:  # SQLite itself rolls back if the disk is full
                was, self._is_torn = self._is_torn, True  # lost if the rollback fails
                for each in back.split("; "):
                    self._file.execute(each)
                self._is_torn = was
            raise
        finally:
            self._depth -= 1

    def touch(self) -> None:
        """Test whether the file can be written; raise `sqlite3.Error` if it cannot."""
        with self.transaction():
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            self._file.execute(f"PRAGMA user_version = {version}")

    # Tables and seats

    def create(
        self,
        documents: TableDocuments,
        seats: Sequence[Occupant],
        log: Iterable[str],
        before: str | None = None,
    ) -> Keys:
        """Store a new table, and return its id and tokens.

        `log` contains the log entries as JSON documents.  For a rematch, `before` is the id of the
        previous table.
        """
        name, opener = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        tokens = tuple(
            secrets.token_urlsafe(16) if seat.kind == "person" else None for seat in seats
        )
        rows = [
            (name, number, seat.kind, seat.level, seat.name, seat.colour, token and digest(token))
            for number, (seat, token) in enumerate(zip(seats, tokens, strict=True))
        ]
        with self.transaction():
            self._file.execute(
                "INSERT INTO tables (id, options, seed, library, opener) VALUES (?, ?, ?, ?, ?)",
                (name, *attrs.astuple(documents), digest(opener)),
            )
            self._file.executemany(
                "INSERT INTO seats (table_id, seat, kind, level, name, colour, token)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            for revision, entry in enumerate(log):
                self._write(name, StoredEntry(revision, entry))
            self._file.execute(
                "UPDATE tables SET options = json_set(options, '$.rematch', ?) WHERE id = ?",
                (name, before),
            )
        return Keys(name, opener, tokens)

    def table(self, name: str) -> TableDocuments:
        """Return the data of the table with the id `name`.

        Raises `UnknownTableError` if the table does not exist.
        """
        row = self._file.execute(
            "SELECT options, seed, library FROM tables WHERE id = ?", (name,)
        ).fetchone()
        if row is None:
            raise UnknownTableError("no table has this id")
        return TableDocuments(*row)

    def seats(self, name: str) -> tuple[Occupant, ...]:
        """Return the occupants of a table, in the order of seats."""
        rows = self._file.execute(
            "SELECT kind, level, name, colour FROM seats WHERE table_id = ? ORDER BY seat",
            (name,),
        )
        return tuple(Occupant(*row) for row in rows)

    def seat_of(self, name: str, token: str) -> int | None:
        """Return the seat to which a token gives access, or `None` for any other token."""
        row = self._file.execute(
            "SELECT seat FROM seats WHERE table_id = ? AND token = ?", (name, digest(token))
        ).fetchone()
        return None if row is None else int(row[0])

    def is_opener(self, name: str, token: str) -> bool:
        """Return whether a token identifies the opener of a table."""
        cursor = self._file.execute(
            "SELECT 1 FROM tables WHERE id = ? AND opener = ?", (name, digest(token))
        )
        return cursor.fetchone() is not None

    def renew(self, name: str, seat: int) -> str:
        """Replace the token for a person's seat, and return the new token.

        Raises `UnknownTableError` if the table does not exist, or if the seat is not a person's.
        """
        token = secrets.token_urlsafe(16)
        self._change(
            "UPDATE seats SET token = ?, generation = generation + 1"
            " WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (digest(token), name, seat),
        )
        return token

    def sit_in(self, name: str, seat: int, level: str | None) -> None:
        """Let a bot of `level` substitute for a person; the level `None` ends the substitution.

        Raises `UnknownTableError` if the table does not exist, or if the seat is not a person's.
        """
        self._change(
            "UPDATE seats SET level = ? WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (level, name, seat),
        )

    def rename(self, name: str, seat: int, called: str) -> None:
        """Change the name of the person in a seat to `called`.

        Raises `UnknownTableError` if the table does not exist, or if the seat is not a person's.
        """
        self._change(
            "UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (called, name, seat),
        )

    def _change(self, statement: str, values: Sequence[object]) -> None:
        """Execute a statement; raise `UnknownTableError` if it does not change any row."""
        with self.transaction():
            if not self._file.execute(statement, values).rowcount:
                raise UnknownTableError(
                    "no table has this id, or the seat does not belong to a person"
                )

    def analysis(self, name: str) -> str | None:
        """Return the stored analysis of a game as a JSON document, or `None` if none is stored."""
        row = self._file.execute("SELECT analysis FROM tables WHERE id = ?", (name,)).fetchone()
        return None if row is None else row[0]

    def keep_analysis(self, name: str, document: str) -> None:
        """Store the analysis of a finished game; `document` is the analysis in JSON.

        Raises `UnknownTableError` if the table has been removed.
        """
        self._change("UPDATE tables SET analysis = ? WHERE id = ?", (document, name))

    # The log

    def append(self, name: str, entry: StoredEntry) -> None:
        """Append an entry to the log of a table.

        The entry is on the disk when this method returns, or when the enclosing transaction ends.
        Raises `LogConflictError` if the revision of the entry is not the next revision.
        """
        with self.transaction():
            (now,) = self._file.execute(
                "SELECT max(revision) FROM log WHERE table_id = ?", (name,)
            ).fetchone()
            if now != entry.revision - 1:
                raise LogConflictError(
                    f"revision {entry.revision} does not follow the last revision in the log, {now}"
                )
            self._write(name, entry)

    def _write(self, name: str, entry: StoredEntry) -> None:
        """Insert an entry into the log of a table."""
        self._file.execute(
            "INSERT INTO log (table_id, revision, entry, at, ends) VALUES (?, ?, ?, ?, ?)",
            (name, *attrs.astuple(entry)),
        )

    def log(self, name: str, after: int = -1) -> tuple[StoredEntry, ...]:
        """Return the log entries after the revision `after` in order; by default, all entries."""
        rows = self._file.execute(
            "SELECT revision, entry, at FROM log"
            " WHERE table_id = ? AND revision > ? ORDER BY revision",
            (name, after),
        )
        return tuple(StoredEntry(*row) for row in rows)

    # Old tables

    def names(self) -> tuple[str, ...]:
        """Return the ids of all tables."""
        return tuple(name for (name,) in self._file.execute("SELECT id FROM tables ORDER BY id"))

    def extent(self) -> tuple[int, float | None]:
        """Return the number of tables, and the time of the newest entry in any of their logs."""
        cursor = self._file.execute(f"SELECT count(*), max((SELECT at {LAST})) FROM tables")
        count, newest = cursor.fetchone()
        return count, newest

    def old(
        self, bounds: Mapping[str, float | None], after: str = ""
    ) -> tuple[list[tuple[str, str]], str]:
        """Return the ids and kinds of the old tables among the next `SLICE` tables.

        Also returns the last id that was examined, or an empty string if no tables are left.
        `bounds` is the result of `Ages.bounds`, and `after` is the last id from the previous call.
        """
        rows = self._file.execute(
            f"SELECT id, {KIND}, {OLD} FROM tables WHERE id > :after ORDER BY id LIMIT {SLICE}",
            {**bounds, "after": after},
        ).fetchall()
        old = [(name, kind) for name, kind, is_old in rows if is_old]
        return old, rows[-1][0] if rows else ""

    def remove(self, name: str, bounds: Mapping[str, float | None]) -> bool:
        """Remove a table, its seats and its log if it is old; return whether it was removed."""
        with self.transaction():
            self._file.execute("PRAGMA defer_foreign_keys = ON")  # tables are deleted before logs
            removed = self._file.execute(
                f"DELETE FROM tables WHERE id = :name AND {OLD}", {**bounds, "name": name}
            ).rowcount
            if removed:
                self._file.execute("DELETE FROM log WHERE table_id = ?", (name,))
                self._file.execute("DELETE FROM seats WHERE table_id = ?", (name,))
        return bool(removed)

    def problems(self) -> tuple[str, ...]:
        """Return descriptions of damaged pages, damaged indexes, and rows without their table."""
        rows = self._file.execute("PRAGMA integrity_check").fetchall()
        messages = [each for (each,) in rows if each != "ok"]
        loose = self._file.execute("PRAGMA foreign_key_check").fetchall()
        return (*messages, *(f"a row of {table} has no {parent}" for table, _, parent, _ in loose))

    def pages(self) -> tuple[int, int]:
        """Return the numbers of used and free bytes in the file."""
        size, count, free = (
            int(self._file.execute(f"PRAGMA {each}").fetchone()[0])
            for each in ("page_size", "page_count", "freelist_count")
        )
        return size * (count - free), size * free

    def copy(self, path: Path) -> None:
        """Write a snapshot of the store to a new file, even while other processes use the store."""
        self._file.execute("VACUUM INTO ?", (str(path),))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Return a context manager that locks a table database, so that only one server uses it.

    Entering raises `TableStoreError` if another server has locked the file.  The lock is SQLite's
    lock on an empty file in the same folder; the system releases it when the process ends.
    """
    lock_path = path.resolve().with_name(f"{path.name}.lock")
    with closing(sqlite3.connect(lock_path, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise TableStoreError(f"another server is using {path}") from None
        lock_path.chmod(0o600)
        yield


@contextmanager
def _naming_damage(path: Path, *, reads_only: bool) -> Iterator[None]:
    """Convert the error for a damaged or foreign file into a `TableStoreError` with advice."""
    try:
        yield
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        is_none = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
        problem = "is not a table database, or is damaged" if is_none else "is damaged"
        listing = "" if reads_only else " --check lists what can be read;"
        advice = f"{listing} put a copy made by --backup in its place"
        raise TableStoreError(f"{path} {problem} ({error}):{advice}") from error


def _columns(file: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return a pair of names, of the SQL table and the column, for each column in a database."""
    rows = file.execute(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
    )
    return {*rows}


def digest(token: str) -> bytes:
    """Return the SHA-256 digest of a token.  The file contains the digest instead of the token."""
    return sha256(token.encode(errors="replace")).digest()


class LocalDatabase:
    """A store that runs in the thread of the event loop, for systems without threads."""

    def __init__(self, store: TableStore, keep: Callable[[], Awaitable[object]]) -> None:
        """Create an interface to `store`; `keep` is a function that makes changes durable."""
        self._store, self._keep = store, keep

    async def call(
        self, method: Callable[Concatenate[TableStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a method of the store, and make its changes to the file durable."""
        before = self._store.changes
        result = method(self._store, *args, **kwargs)
        if self._store.changes != before:
            await self._keep()
        return result


class DatabaseThread:
    """A thread with its own store, for code that runs in an event loop.

    Calls that arrive while the thread is busy share one transaction.  A call returns after its
    transaction is on the disk.
    """

    def __init__(self, path: Path) -> None:
        """Create a thread for the store at `path`; `open` opens the store."""
        self._path = path
        self._opened: Future[TableStore] | None = None
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._thread = ThreadPoolExecutor(1, "store")

    def open(self) -> Future[TableStore]:
        """Open the store in the thread, and return a future for the store.

        The future raises the errors of `TableStore`.
        """
        if self._opened is None:
            self._opened = self._thread.submit(TableStore, self._path, is_checked=True)
        return self._opened

    def close(self) -> None:
        """Finish all pending calls, and close the store if it is open."""
        if self._opened is not None and self._opened.exception() is None:
            self._thread.submit(self._opened.result().close).result()
        self._opened = None
        self._thread.shutdown()

    async def __aenter__(self) -> Self:
        """Open the store if it is closed; raise the errors of `TableStore`."""
        self._store = await asyncio.wrap_future(self.open())
        return self

    async def __aexit__(self, *error: object) -> None:
        """Finish all pending calls, and close the store."""
        await asyncio.to_thread(self.close)

    async def call(
        self, method: Callable[Concatenate[TableStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a method of the store, as in ``database.call(TableStore.log, table)``.

        Returns the result of the method, or raises its error, after its changes are on the disk.
        """
        future: Future[T] = Future()
        self._jobs.put((future, partial(method, self._store, *args, **kwargs)))
        self._thread.submit(self._work)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Execute all pending calls in one transaction, and set the results of their futures."""
        jobs = [self._jobs.get() for _ in range(self._jobs.qsize())]
        if not jobs:
            return
        going = [(future, call) for future, call in jobs if future.set_running_or_notify_cancel()]
        try:
            with self._store.transaction():
                outcomes = [self._outcome(call) for _, call in going]
        except Exception as error:
            outcomes = [(None, error)] * len(going)
        for (future, _), (result, failure) in zip(going, outcomes, strict=True):
            if failure is None:
                future.set_result(result)
            else:
                future.set_exception(failure)

    def _outcome(self, call: Callable[[], Any]) -> tuple[Any, Exception | None]:
        """Return the result and the error of a call; raise an error that ended the transaction."""
        try:
            with self._store.transaction():
                return call(), None
        except Exception as error:
            if self._store.is_lost:
                raise
            return None, error


Database = LocalDatabase | DatabaseThread
"""A store with an asynchronous interface, for code that runs in an event loop."""
