"""Tests of the database in which tables are stored."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from valletta_rules.web.store import (
    DatabaseThread,
    Keys,
    LogConflictError,
    Occupant,
    StoredEntry,
    TableDocuments,
    TableStore,
    UnknownTableError,
    digest,
    locked,
)

pytestmark = pytest.mark.anyio

TABLE = TableDocuments("{}", b"luck", "1.0")
SEATS = (Occupant("person", None, "Anna", "red"), Occupant("bot", "club", "Otto", "blue"))
OPENED = ["opened"]
PLAY = StoredEntry(1, "play")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database in a folder. Neither exists yet."""
    return tmp_path / "valletta" / "tables.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[TableStore]:
    """Yield a new database without tables."""
    with closing(TableStore(path)) as store:
        yield store


@pytest.fixture
def keys(store: TableStore) -> Keys:
    """Create a table in the database and return its tokens."""
    return store.create(TABLE, SEATS, OPENED)


def mode_of(path: Path) -> int:
    """Return the permission bits of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


# The file


def test_only_the_owner_can_read_the_database_and_writes_are_flushed_to_the_disk(
    path: Path,
) -> None:
    """The permissions do not depend on the umask. They also apply to SQLite's own files."""
    before = os.umask(0)
    try:
        with closing(TableStore(path)) as store:
            store.create(TABLE, SEATS, OPENED)
            assert mode_of(path.parent) == 0o700
            assert {mode_of(each) for each in path.parent.iterdir()} == {0o600}
            for pragma, value in [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]:
                assert store._file.execute(f"PRAGMA {pragma}").fetchone() == (value,)
        with locked(path):
            assert mode_of(path.with_name(f"{path.name}.lock")) == 0o600
    finally:
        os.umask(before)


# Tables, seats and tokens


def test_tokens_have_128_bits_and_are_neither_in_the_database_nor_in_a_repr(
    path: Path, store: TableStore, keys: Keys
) -> None:
    """The database contains only digests, so a stolen copy of it gives access to no seat."""
    both_keys = [keys, store.create(TABLE, SEATS, OPENED)]
    texts = [text for each in both_keys for text in (each.table, each.opener, each.seats[0])]
    assert len({*texts}) == 6
    assert all(text is not None and len(text) == 22 for text in texts)  # 128 bits
    content = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert keys.table.encode() in content
    for secret in (keys.opener, keys.seats[0], store.renew(keys.table, 0)):
        assert secret is not None
        assert secret.encode() not in content
        assert secret not in repr(keys)
    assert digest(keys.opener) in content
    assert "luck" not in repr(store.table(keys.table))


def test_a_bots_seat_can_get_neither_a_new_token_nor_another_bot(
    store: TableStore, keys: Keys
) -> None:
    """The error is the same as for an unknown seat or table, and the seats do not change."""
    for table, seat in ((keys.table, 1), (keys.table, 2), ("no such table", 0)):
        with pytest.raises(UnknownTableError, match=r"^no table has this id"):
            store.renew(table, seat)
        with pytest.raises(UnknownTableError):
            store.sit_in(table, seat, "novice")
    assert store.seats(keys.table) == SEATS


def test_a_stored_analysis_is_replaced_by_a_later_one_and_removed_with_its_table(
    store: TableStore, keys: Keys
) -> None:
    """An analysis for an unknown table raises an error."""
    assert store.analysis(keys.table) is None
    for document in ("first", "second"):
        store.keep_analysis(keys.table, document)
        assert store.analysis(keys.table) == document
    assert store.remove(keys.table, {"abandoned": 1e12, "finished": 0, "replays": 0})
    assert store.analysis(keys.table) is None
    with pytest.raises(UnknownTableError):
        store.keep_analysis(keys.table, "third")


# The log


def test_log_entries_are_returned_in_order_and_cannot_be_changed_or_deleted(
    store: TableStore, keys: Keys
) -> None:
    """Triggers in the database reject SQL statements that change the log."""
    store.append(keys.table, PLAY)
    log = store.log(keys.table)
    assert [(entry.revision, entry.entry) for entry in log] == [(0, "opened"), (1, "play")]
    assert store.log(keys.table, 0) == (PLAY,)
    for statement in ("UPDATE log SET entry = 'x'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            store._file.execute(statement)


@pytest.mark.parametrize("entry", [StoredEntry(1, "late"), StoredEntry(3, "early")])
def test_adding_a_log_entry_whose_revision_is_not_the_next_one_raises_a_conflict(
    path: Path, store: TableStore, keys: Keys, entry: StoredEntry
) -> None:
    """Either the revision exists, or there would be a gap. The log does not change."""
    store.append(keys.table, PLAY)
    with closing(TableStore(path)) as other, pytest.raises(LogConflictError):
        other.append(keys.table, entry)
    assert len(store.log(keys.table)) == 2


def test_an_error_rolls_back_only_the_innermost_transaction(store: TableStore, keys: Keys) -> None:
    """If the error is raised in a nested transaction, the outer one can continue."""

    def fail() -> None:
        with store.transaction():
            store.append(keys.table, StoredEntry(len(store.log(keys.table)), "fails"))
            raise KeyError

    with store.transaction():
        store.append(keys.table, PLAY)
        with pytest.raises(KeyError):
            fail()
    with pytest.raises(KeyError):
        fail()
    assert [entry.entry for entry in store.log(keys.table)] == ["opened", "play"]


# The thread


async def call_while_busy(database: DatabaseThread, *calls: Any, gone: int = 0) -> list[Any]:
    """Make several calls while a long one runs, and cancel the first `gone` of them.

    Return the results of all others.
    """
    started, released = Event(), Event()

    def hold(_: TableStore) -> None:
        started.set()
        released.wait(9)

    first = asyncio.create_task(database.call(hold))
    await asyncio.to_thread(started.wait, 9)
    tasks = [asyncio.create_task(database.call(*call)) for call in calls]
    await asyncio.sleep(0)
    for task in tasks[:gone]:
        task.cancel()
        await asyncio.wait([task])
    released.set()
    await first
    return await asyncio.gather(*tasks[gone:], return_exceptions=True)


async def test_only_one_of_several_concurrent_log_entries_for_a_revision_is_stored(
    path: Path,
) -> None:
    """All others raise a conflict. A request that is cancelled while it waits is not executed."""
    async with DatabaseThread(path) as database:
        keys = await database.call(TableStore.create, TABLE, SEATS, OPENED)
        entries = [StoredEntry(1, entry) for entry in "abcdefg"]
        calls = [(TableStore.append, keys.table, entry) for entry in entries]
        outcomes = await call_while_busy(database, *calls, gone=1)
        (_, stored) = await database.call(TableStore.log, keys.table)
        assert stored.entry in "bcdefg"
        assert sum(isinstance(outcome, LogConflictError) for outcome in outcomes) == 5


async def test_all_callers_whose_requests_share_a_transaction_get_the_error_that_ended_it(
    path: Path,
) -> None:
    """Concurrent requests share a transaction. SQLite rolls it back, so all writes are lost."""

    def full(store: TableStore) -> None:
        store._file.execute("ROLLBACK")
        raise sqlite3.OperationalError("disk full")

    async with DatabaseThread(path) as database:
        keys = await database.call(TableStore.create, TABLE, SEATS, OPENED)
        outcomes = await call_while_busy(database, (TableStore.append, keys.table, PLAY), (full,))
        assert [str(outcome) for outcome in outcomes] == ["disk full"] * 2
        assert len(await database.call(TableStore.log, keys.table)) == 1


async def test_pending_requests_are_executed_before_the_database_thread_ends(path: Path) -> None:
    """Otherwise, an answer could be lost when the server stops."""
    released = Event()
    async with DatabaseThread(path) as database:
        calls: list[Any] = [
            (lambda _: released.wait(9),),
            (TableStore.create, TABLE, SEATS, OPENED),
        ]
        tasks = [asyncio.create_task(database.call(*call)) for call in calls]
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.01, released.set)
    _, keys = await asyncio.gather(*tasks)
    with closing(TableStore(path)) as store:
        assert store.table(keys.table).seed == b"luck"
