"""The store: tables, seats and the log of each game, in one SQLite file that outlives the server.

The log is the game: the documents of the entries of a `valletta_rules.Game`.  An entry is written
once and never changed, so the file itself accepts only one of two answers to the same question.
Only the SHA-256 of a token is stored.

Documents are stored as text: nothing here knows the rules, so a game can be read even if a later
version of the rules refuses it.

A table is removed as a whole once it has not been played at for the configured time; its pages in
the file are used again.

A `TableStore` belongs to the thread that made it; a `DatabaseThread` is such a thread, for use from
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
"""The application id of a file of tables: the letters VALT."""

STORE_VERSION: Final = 4
"""The version of the schema; a file with another version is refused."""

SCHEMA: Final = (resources.files("valletta_rules") / "web" / "schema.sql").read_text("utf-8")
"""The tables of the file, in SQL."""

DAY: Final = 86_400.0
"""The number of seconds of a day."""

SLICE: Final = 100
"""The number of tables that one query for old tables examines."""

P = ParamSpec("P")
T = TypeVar("T")


class TableStoreError(VallettaError):
    """A file cannot be used as a store of tables."""


class LogConflictError(VallettaError):
    """A revision does not follow the last one of its log, or is in the log already."""


class UnreadableTableError(VallettaError):
    """The stored data of a table is corrupt."""


class UnknownTableError(VallettaError, LookupError):
    """There is no such table, or it has no such seat for a person."""


@attrs.frozen
class Ages:
    """The days for which tables are kept; `None` for no limit."""

    finished: int | None = 365
    """A finished game, after its last move."""
    abandoned: int | None = 365
    """An unfinished game, after its last move."""
    replays: int | None = 90
    """A record after it was opened, and a trial after its last move."""

    def bounds(self, now: float) -> dict[str, float | None]:
        """Return the time before which an old table of each kind was last used."""
        days = attrs.asdict(self)
        return {kind: None if age is None else now - age * DAY for kind, age in days.items()}


LAST: Final = "FROM log WHERE table_id = id ORDER BY revision DESC LIMIT 1"
"""The part of SQL that finds the last entry of a table."""

KIND: Final = f"""
  CASE WHEN json_valid(options) AND (
    json_extract(options, '$.replay') OR json_extract(options, '$.position') IS NOT NULL
  ) THEN 'replays' WHEN (SELECT ends {LAST}) THEN 'finished' ELSE 'abandoned' END
"""
"""The kind of a table in SQL: a field of `Ages`."""

OLD: Final = f"""
  (SELECT at {LAST}) < CASE {KIND}
    WHEN 'replays' THEN :replays WHEN 'finished' THEN :finished ELSE :abandoned END
"""
"""The condition in SQL that a table is old, given the bounds of `Ages`."""


@attrs.frozen
class TableDocuments:
    """The stored data of a table except its log and its seats."""

    options: str
    """The options with which its actor starts again, as a document."""
    seed: bytes = attrs.field(repr=False)
    """The seed of all chance of the game, which is never shown."""
    library: str
    """The version of the library with which the game began."""

    def option(self, name: str) -> Any:
        """Return an option, or `None`; raise `UnreadableTableError` if the options are corrupt."""
        try:
            return json.loads(self.options).get(name)
        except (ValueError, AttributeError) as error:
            raise UnreadableTableError("the options of the table cannot be read") from error

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
    """The occupant of a seat: a person or a bot."""

    kind: Literal["person", "bot"]
    """The kind of the occupant: a person, who has a link to the seat, or a bot."""
    level: str | None
    """The level of the bot that answers, perhaps in place of a person; else `None`."""
    name: str
    colour: str


@attrs.frozen
class KeptEntry:
    """A stored entry of the log of a table."""

    revision: int
    """Its number, from 0."""
    entry: str
    """Its document."""
    at: float = attrs.field(factory=time.time)
    """When it was made, in seconds since 1970."""
    ends: bool = False
    """Whether the entry ends the game; that decides how long it is kept, and is not read again."""

    @property
    def moves(self) -> int:
        """The number of its moves, or a few more, by the types in the document; at least 1."""
        return max(1, self.entry.count('"type":') - 1)


@attrs.frozen
class Keys:
    """The tokens that open a table; only their owners have them."""

    table: str
    """The id of the table."""
    opener: str = attrs.field(repr=False)
    """The token of the opener."""
    seats: tuple[str | None, ...] = attrs.field(repr=False)
    """The token of each seat; `None` for a bot."""


class TableStore:
    """The tables in a file, to be used by the thread that opened it."""

    def __init__(
        self,
        path: Path,
        *,
        reads_only: bool = False,
        journal: str = "WAL",
        is_checked: bool = False,
    ) -> None:
        """Open a file; create it if it is missing, with its folder, readable by the user alone.

        With `reads_only` the file is neither created nor changed, and may be in use.  `journal` is
        SQLite's journal mode: with ``TRUNCATE`` the file itself is complete after each transaction.
        With `is_checked` all pages are checked before the first write.  Raises `TableStoreError` if
        it is not a file of tables, has another version, or is damaged, `OSError` and
        `sqlite3.Error` if it cannot be opened.
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
                    raise TableStoreError(f"{path} is empty")
        except BaseException:
            self.close()
            raise

    def _version_of(self, path: Path) -> int:
        """Return the version of the file, 0 if it is empty; check that any other file is ours."""
        (mark,) = self._file.execute("PRAGMA application_id").fetchone()
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if not self._file.execute("SELECT 1 FROM sqlite_master").fetchone():
            return 0
        if mark != APPLICATION:
            raise TableStoreError(f"{path} is a file of another program")
        if version != STORE_VERSION:
            raise TableStoreError(
                f"{path} has version {version}; this program reads {STORE_VERSION}"
            )
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
            made.executescript(SCHEMA)
            wanted = _columns(made)
        if _columns(self._file) != wanted:
            unfit = f"{path} is marked as version {version}, but has other columns than that"
            raise TableStoreError(unfit)
        return int(version)

    def _check(self) -> None:
        """Raise `sqlite3.DatabaseError` if pages of the file are damaged."""
        (found,) = self._file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(" ".join(found.split()))

    def _prepare(self, journal: str) -> None:
        """Allow several connections, make the file survive a power cut, and create the schema."""
        self._file.execute(f"PRAGMA journal_mode = {journal}")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("PRAGMA foreign_keys = ON")
        if self.version == 0:
            self._file.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {STORE_VERSION}; {SCHEMA} COMMIT;"
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def changes(self) -> int:
        """The number of rows that have been written since it was opened."""
        return self._file.total_changes

    @property
    def is_lost(self) -> bool:
        """Whether the enclosing transaction can no longer be written."""
        return self._is_torn or not self._file.in_transaction

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing; a transaction within another one is a part of it."""
        begin, end, back = (
            ("SAVEPOINT part", "RELEASE part", "ROLLBACK TO part; RELEASE part")
            if self._depth
            else ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        )
        if not self._depth:
            self._is_torn = False
            if self._file.in_transaction:
                self._file.execute(back)  # the last one could not do it
        self._file.execute(begin)
        self._depth += 1
        try:
            yield
            self._file.execute(end)
        except BaseException:
            if self._file.in_transaction:  # SQLite itself rolls back if the disk is full
                was, self._is_torn = self._is_torn, True  # and blocks until then
                for each in back.split("; "):
                    self._file.execute(each)
                self._is_torn = was
            raise
        finally:
            self._depth -= 1

    def touch(self) -> None:
        """Write the version once more; raise `sqlite3.Error` if the file cannot be written."""
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
        """Store a table with the documents of its log, and return its new id and tokens.

        For a rematch, `before` is the id of the table before it.
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
                self._write(name, KeptEntry(revision, entry))
            self._file.execute(
                "UPDATE tables SET options = json_set(options, '$.rematch', ?) WHERE id = ?",
                (name, before),
            )
        return Keys(name, opener, tokens)

    def table(self, name: str) -> TableDocuments:
        """Return a table by its id; raise `UnknownTableError` if there is none."""
        found = self._file.execute(
            "SELECT options, seed, library FROM tables WHERE id = ?", (name,)
        ).fetchone()
        if found is None:
            raise UnknownTableError("there is no such table")
        return TableDocuments(*found)

    def seats(self, name: str) -> tuple[Occupant, ...]:
        """Return the occupants of a table, seat by seat."""
        found = self._file.execute(
            "SELECT kind, level, name, colour FROM seats WHERE table_id = ? ORDER BY seat",
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
        """Return whether a token is the opener's token of a table."""
        found = self._file.execute(
            "SELECT 1 FROM tables WHERE id = ? AND opener = ?", (name, digest(token))
        )
        return found.fetchone() is not None

    def renew(self, name: str, seat: int) -> str:
        """Return a new token for a person's seat; the old one is no longer valid.

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
        """Let a bot answer for a person; with `None` the person answers again.

        Raises `UnknownTableError` if there is no such seat.
        """
        self._change(
            "UPDATE seats SET level = ? WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (level, name, seat),
        )

    def rename(self, name: str, seat: int, called: str) -> None:
        """Give another name to the player of a seat; raise `UnknownTableError` if there is none."""
        self._change(
            "UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND kind = 'person'",
            (called, name, seat),
        )

    def _change(self, statement: str, values: Sequence[object]) -> None:
        """Change a row, which must exist."""
        with self.transaction():
            if not self._file.execute(statement, values).rowcount:
                raise UnknownTableError("there is no such table, or no such seat for a person")

    def analysis(self, name: str) -> str | None:
        """Return the document of the analysis of a game, if one is stored."""
        found = self._file.execute("SELECT analysis FROM tables WHERE id = ?", (name,)).fetchone()
        return None if found is None else found[0]

    def keep_analysis(self, name: str, document: str) -> None:
        """Store the analysis of a finished game; raise `UnknownTableError` if the table is gone."""
        self._change("UPDATE tables SET analysis = ? WHERE id = ?", (document, name))

    # The log

    def append(self, name: str, kept: KeptEntry) -> None:
        """Append an entry to a log.

        It is on the disk once this method, or the enclosing transaction, has ended.  Raises
        `LogConflictError` if the entry does not follow the last revision.
        """
        with self.transaction():
            (now,) = self._file.execute(
                "SELECT max(revision) FROM log WHERE table_id = ?", (name,)
            ).fetchone()
            if now != kept.revision - 1:
                raise LogConflictError(f"revision {kept.revision} does not follow {now}")
            self._write(name, kept)

    def _write(self, name: str, kept: KeptEntry) -> None:
        """Write an entry."""
        self._file.execute(
            "INSERT INTO log (table_id, revision, entry, at, ends) VALUES (?, ?, ?, ?, ?)",
            (name, *attrs.astuple(kept)),
        )

    def log(self, name: str, after: int = -1) -> tuple[KeptEntry, ...]:
        """Return the entries of a table in order, all or those after a revision."""
        found = self._file.execute(
            "SELECT revision, entry, at FROM log"
            " WHERE table_id = ? AND revision > ? ORDER BY revision",
            (name, after),
        )
        return tuple(KeptEntry(*row) for row in found)

    # Old tables

    def names(self) -> tuple[str, ...]:
        """Return the ids of all tables."""
        return tuple(name for (name,) in self._file.execute("SELECT id FROM tables ORDER BY id"))

    def extent(self) -> tuple[int, float | None]:
        """Return the number of tables, and the time of the newest entry of their logs."""
        found = self._file.execute(f"SELECT count(*), max((SELECT at {LAST})) FROM tables")
        count, newest = found.fetchone()
        return count, newest

    def old(
        self, bounds: Mapping[str, float | None], after: str = ""
    ) -> tuple[list[tuple[str, str]], str]:
        """Return the ids and kinds of old tables, and the last id that was examined.

        `bounds` are those of `Ages`, and `after` is the id after which to begin; the last id is
        empty if there are no more tables.
        """
        found = self._file.execute(
            f"SELECT id, {KIND}, {OLD} FROM tables WHERE id > :after ORDER BY id LIMIT {SLICE}",
            {**bounds, "after": after},
        ).fetchall()
        old = [(name, kind) for name, kind, is_old in found if is_old]
        return old, found[-1][0] if found else ""

    def remove(self, name: str, bounds: Mapping[str, float | None]) -> bool:
        """Remove a table with its seats and its log if it is old; return whether it was removed."""
        with self.transaction():
            self._file.execute("PRAGMA defer_foreign_keys = ON")  # the log goes after its table
            removed = self._file.execute(
                f"DELETE FROM tables WHERE id = :name AND {OLD}", {**bounds, "name": name}
            ).rowcount
            if removed:
                self._file.execute("DELETE FROM log WHERE table_id = ?", (name,))
                self._file.execute("DELETE FROM seats WHERE table_id = ?", (name,))
        return bool(removed)

    def problems(self) -> tuple[str, ...]:
        """Return the problems of the file itself: pages, indexes, rows without a table."""
        found = self._file.execute("PRAGMA integrity_check").fetchall()
        said = [each for (each,) in found if each != "ok"]
        loose = self._file.execute("PRAGMA foreign_key_check").fetchall()
        return (*said, *(f"a row of {table} has no {parent}" for table, _, parent, _ in loose))

    def pages(self) -> tuple[int, int]:
        """Return the number of bytes that the tables take, and of the free bytes."""
        size, count, free = (
            int(self._file.execute(f"PRAGMA {each}").fetchone()[0])
            for each in ("page_size", "page_count", "freelist_count")
        )
        return size * (count - free), size * free

    def copy(self, path: Path) -> None:
        """Write the tables as they are now to a new file, while others may use this one."""
        self._file.execute("VACUUM INTO ?", (str(path),))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file of tables for one server.

    Raises `TableStoreError` if another one holds it.  The lock is SQLite's own on an empty file
    next to it, which the system releases however the process ends.
    """
    lock_path = path.resolve().with_name(f"{path.name}.lock")
    with closing(sqlite3.connect(lock_path, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise TableStoreError(f"another server has {path}") from None
        lock_path.chmod(0o600)
        yield


@contextmanager
def _naming_damage(path: Path, *, reads_only: bool) -> Iterator[None]:
    """Raise `TableStoreError` with advice if a file, or a page of it, is not SQLite's."""
    try:
        yield
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        is_none = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
        what = "is not a file of tables, or is damaged" if is_none else "is damaged"
        listing = "" if reads_only else " --check lists what can be read;"
        advice = f"{listing} put a copy made by --backup in its place"
        raise TableStoreError(f"{path} {what} ({error}):{advice}") from error


def _columns(file: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return the columns of a file, with their tables."""
    found = file.execute(
        "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
    )
    return {*found}


def digest(token: str) -> bytes:
    """Return the digest of a token, the only form in which it is stored."""
    return sha256(token.encode(errors="replace")).digest()


class LocalDatabase:
    """A store in this thread, for systems without threads."""

    def __init__(self, store: TableStore, keep: Callable[[], Awaitable[object]]) -> None:
        """Use a store; `keep` writes its file to the disk."""
        self._store, self._keep = store, keep

    async def ask(
        self, method: Callable[Concatenate[TableStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call the method here, and write the file to the disk if it has changed."""
        before = self._store.changes
        result = method(self._store, *args, **kwargs)
        if self._store.changes != before:
            await self._keep()
        return result


class DatabaseThread:
    """A thread with a store of its own, for code that runs in an event loop.

    Requests that arrive while the thread is busy share one transaction, and none of them is
    answered before it is on the disk.
    """

    def __init__(self, path: Path) -> None:
        """Set the path of the store, which is opened later."""
        self._path = path
        self._opened: Future[TableStore] | None = None
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._thread = ThreadPoolExecutor(1, "store")

    def open(self) -> Future[TableStore]:
        """Open the store, if it is not open; return it, or raise the errors of `TableStore`."""
        if self._opened is None:
            self._opened = self._thread.submit(TableStore, self._path, is_checked=True)
        return self._opened

    def close(self) -> None:
        """Finish all requests, and close the store, if it is open."""
        if self._opened is not None and self._opened.exception() is None:
            self._thread.submit(self._opened.result().close).result()
        self._opened = None
        self._thread.shutdown()

    async def __aenter__(self) -> Self:
        """Open the store, if it is not open; raise the errors of `TableStore`."""
        self._store = await asyncio.wrap_future(self.open())
        return self

    async def __aexit__(self, *error: object) -> None:
        """Finish all requests, and close the store."""
        await asyncio.to_thread(self.close)

    async def ask(
        self, method: Callable[Concatenate[TableStore, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a method of the store, as in ``database.ask(TableStore.log, table)``.

        Returns and raises what the method does; its changes are on the disk by then.
        """
        future: Future[T] = Future()
        self._jobs.put((future, partial(method, self._store, *args, **kwargs)))
        self._thread.submit(self._work)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """Execute all waiting requests in one transaction, and answer them."""
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
        """Return the result of a call, or its error; raise an error that ended the transaction."""
        try:
            with self._store.transaction():
                return call(), None
        except Exception as error:
            if self._store.is_lost:
                raise
            return None, error


Database = LocalDatabase | DatabaseThread
"""A store, for code that runs in an event loop."""
