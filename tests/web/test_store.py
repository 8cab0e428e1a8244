"""What survives the server."""

from __future__ import annotations

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
    Occupant,
    StaleError,
    TableDocuments,
    TableStore,
    TableStoreError,
    UnknownTableError,
    digest,
)

pytestmark = pytest.mark.anyio

TABLE = TableDocuments("rules", "cards", "{}", b"luck", "1.0", ("deal 1", "deal 2"))
SEATS = (Occupant("person", None, "Anna", "red"), Occupant("bot", "club", "Otto", "blue"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not there yet, in a folder that is not either."""
    return tmp_path / "valletta" / "tables.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[TableStore]:
    """A store without a table."""
    with closing(TableStore(path)) as store:
        yield store


@pytest.fixture
def keys(store: TableStore) -> Keys:
    """The keys to a table in the store."""
    return store.create(TABLE, SEATS)


def mode_of(path: Path) -> int:
    """Return who may do what with a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def bodies(store: TableStore, keys: Keys) -> list[str]:
    """Return what stands in a log."""
    return [entry.body for entry in store.log(keys.table)]


# The file


def test_the_file_is_nobody_elses_and_written_to_the_disk(path: Path) -> None:
    """Neither it nor what SQLite lays beside it, whatever the user's mask is."""
    before = os.umask(0)
    try:
        with closing(TableStore(path)) as store:
            store.create(TABLE, SEATS)
            assert mode_of(path.parent) == 0o700
            assert {mode_of(each) for each in path.parent.iterdir()} == {0o600}
            for pragma, value in [
                ("application_id", 0x56414C54),
                ("user_version", 1),
                ("journal_mode", "wal"),
                ("synchronous", 2),
                ("foreign_keys", 1),
            ]:
                assert store._file.execute(f"PRAGMA {pragma}").fetchone() == (value,)
    finally:
        os.umask(before)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA application_id = 7", "another program"),
        ("PRAGMA user_version = 99", "has version 99; this program reads 1"),
        (None, "no file of tables"),
    ],
)
def test_a_file_that_is_not_ours_is_left_alone(path: Path, statement: str, why: str) -> None:
    """That of another program as well as that of a later version, and what is no database."""
    with closing(TableStore(path)):
        pass
    if statement is None:
        path.write_text("Dear Anna," * 100)
    else:
        with closing(sqlite3.connect(path)) as file:
            file.execute(statement)
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(TableStoreError, match=why):
        TableStore(path)
    assert (mode_of(path), path.read_bytes()) == (0o644, before)


# Tables, seats and tokens


def test_a_table_is_found_again_by_another_store(path: Path, store: TableStore, keys: Keys) -> None:
    """With all that was kept, and who sits there; without chance it has none."""
    with closing(TableStore(path)) as other:
        table = other.table(keys.table)
        assert table.created > 1_700_000_000
        for name in ("rules", "cards", "options", "seed", "library", "chance"):
            assert getattr(table, name) == getattr(TABLE, name)
        assert other.seats(keys.table) == SEATS
    assert store.table(store.create(TableDocuments("", "", "", b"", ""), ()).table).chance == ()


def test_tokens_are_long_and_stand_neither_in_the_file_nor_in_what_is_shown(
    path: Path, store: TableStore, keys: Keys
) -> None:
    """A copy of the file opens no table, and a log that shows the keys does not either."""
    made = [keys, store.create(TABLE, SEATS)]
    texts = [text for each in made for text in (each.table, each.opener, each.seats[0])]
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


def test_a_token_opens_one_seat_of_one_table_until_it_is_replaced(
    store: TableStore, keys: Keys
) -> None:
    """Nothing else does, the opener's token included; and that opens no seat."""
    other = store.create(TABLE, SEATS)
    (token, none) = keys.seats
    assert none is None
    assert token is not None
    assert store.seat_of(keys.table, token) == 0
    for table, wrong in [
        (other.table, token),
        (keys.table, keys.opener),
        (keys.table, ""),
        (keys.table, "\ud800"),
    ]:
        assert store.seat_of(table, wrong) is None
    assert store.is_opener(keys.table, keys.opener)
    assert not store.is_opener(other.table, keys.opener)
    assert not store.is_opener(keys.table, token)
    new = store.renew(keys.table, 0)
    assert (store.seat_of(keys.table, token), store.seat_of(keys.table, new)) == (None, 0)
    assert store.seats(keys.table)[0].generation == 1


def test_only_a_persons_seat_is_changed(store: TableStore, keys: Keys) -> None:
    """A bot may sit in for a person; it has no link of its own, as has no seat beyond."""
    store.sit_in(keys.table, 0, "novice")
    assert store.seats(keys.table)[0] == Occupant("person", "novice", "Anna", "red")
    store.sit_in(keys.table, 0, None)
    assert store.seats(keys.table) == SEATS
    for table, seat in ((keys.table, 1), (keys.table, 2), ("no such table", 0)):
        with pytest.raises(UnknownTableError):
            store.renew(table, seat)
        with pytest.raises(UnknownTableError):
            store.sit_in(table, seat, "novice")
    for name in ("no such table", ""):
        with pytest.raises(UnknownTableError):
            store.table(name)
        assert not store.seats(name)
        assert not store.log(name)


# The log


def test_the_log_is_what_was_added_to_it(store: TableStore, keys: Keys) -> None:
    """From the revision on with which the table was laid, or from a later one; it never changes."""
    store.append(keys.table, 0, "answer", 0, "play", ("draw",), "a")
    store.append(keys.table, 1, "undo", 1, "0", (), "b")
    store.append(keys.table, 2, "answer", 0, "pass", (), None)
    assert [
        (e.revision, e.kind, e.seat, e.body, e.chance, e.answer_id) for e in store.log(keys.table)
    ] == [
        (0, "open", None, "", ("deal 1", "deal 2"), None),
        (1, "answer", 0, "play", ("draw",), "a"),
        (2, "undo", 1, "0", (), "b"),
        (3, "answer", 0, "pass", (), None),
    ]
    assert [entry.revision for entry in store.log(keys.table, 1)] == [2, 3]
    for statement in ("UPDATE log SET body = 'x'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            store._file.execute(statement)


def test_of_two_answers_to_one_question_one_counts(
    path: Path, store: TableStore, keys: Keys
) -> None:
    """Also if two servers have the file open; the other one is stale, as is one from the future."""
    with closing(TableStore(path)) as other:
        store.append(keys.table, 0, "answer", 0, "one", (), "a")
        for revision in (0, 2, -1):
            with pytest.raises(StaleError, match="it is 1 now"):
                other.append(keys.table, revision, "answer", 0, "two", (), "b")
        assert bodies(other, keys) == ["", "one"]
    with pytest.raises(StaleError):
        store.append("no such table", 0, "answer", 0, "one", (), "a")


def test_an_answer_that_comes_twice_is_written_once(store: TableStore, keys: Keys) -> None:
    """Even if it fits again by its revision; at another table it is another answer."""
    store.append(keys.table, 0, "answer", 0, "one", (), "a")
    with pytest.raises(StaleError, match="'a' has been written before"):
        store.append(keys.table, 1, "answer", 0, "one", (), "a")
    other = store.create(TABLE, SEATS)
    store.append(other.table, 0, "answer", 0, "one", (), "a")
    assert not store.is_writing


@pytest.mark.parametrize(
    ("kind", "seat", "body"), [("undo", 0, "1"), ("undo", 0, "-1"), ("answer", 5, "play")]
)
def test_what_makes_no_sense_is_not_written(
    store: TableStore, keys: Keys, kind: Any, seat: int, body: str
) -> None:
    """An undo that leads nowhere before it, and a seat that is not there."""
    with pytest.raises(sqlite3.IntegrityError):
        store.append(keys.table, 0, kind, seat, body, (), "a")
    assert bodies(store, keys) == [""]


def test_a_transaction_that_fails_leaves_nothing(store: TableStore, keys: Keys) -> None:
    """Neither as a whole nor as a part of another one."""

    def fail() -> None:
        with store.transaction():
            store.append(keys.table, 1, "answer", 0, "two", (), "b")
            raise KeyError

    with store.transaction():
        store.append(keys.table, 0, "answer", 0, "one", (), "a")
        with pytest.raises(KeyError):
            fail()
    with pytest.raises(KeyError):
        fail()
    assert bodies(store, keys) == ["", "one"]


# The thread


async def test_those_who_ask_at_once_are_answered_each(path: Path) -> None:
    """Of six answers to one question exactly one counts, and who gives up asks for nothing."""
    async with DatabaseThread(path) as database:
        keys = await database.ask(TableStore.create, TABLE, SEATS)
        begun, held = Event(), Event()

        def hold(_: TableStore) -> None:
            begun.set()
            held.wait(9)

        first = asyncio.create_task(database.ask(hold))
        await asyncio.to_thread(begun.wait, 9)
        tries = [
            asyncio.create_task(
                database.ask(TableStore.append, keys.table, 0, "answer", 0, body, (), body)
            )
            for body in "abcdefg"
        ]
        await asyncio.sleep(0)
        gone = tries.pop(0)
        gone.cancel()
        await asyncio.wait([gone])
        held.set()
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        await first
        (entry,) = await database.ask(TableStore.log, keys.table, after=0)
        assert entry.body in "bcdefg"
        assert sum(isinstance(outcome, StaleError) for outcome in outcomes) == 5


async def test_all_are_told_if_nothing_could_be_written(path: Path) -> None:
    """Where SQLite gives up in the middle, what others asked for at the same time is gone, too."""

    def full(store: TableStore) -> None:
        store._file.execute("ROLLBACK")
        raise sqlite3.OperationalError("disk full")

    async with DatabaseThread(path) as database:
        keys = await database.ask(TableStore.create, TABLE, SEATS)
        held = Event()
        answer = (keys.table, 0, "answer", 0, "x", (), "a")
        waiting = [
            asyncio.create_task(each)
            for each in (
                database.ask(lambda _: held.wait(9)),
                database.ask(TableStore.append, *answer),  # type: ignore[arg-type]
                database.ask(full),
            )
        ]
        await asyncio.sleep(0)
        held.set()
        _, *outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["disk full"] * 2
        assert len(await database.ask(TableStore.log, keys.table)) == 1


async def test_a_thread_without_a_store_says_why(tmp_path: Path) -> None:
    """As soon as it is to begin."""
    with pytest.raises(IsADirectoryError):
        async with DatabaseThread(tmp_path):
            raise AssertionError("there is a folder in its place")


async def test_what_was_asked_for_is_finished_before_the_end(path: Path) -> None:
    """Nobody's answer is lost because the server stops."""
    async with DatabaseThread(path) as database:
        held = Event()
        asked = [
            database.ask(lambda _: held.wait(9)),
            database.ask(TableStore.create, TABLE, SEATS),
        ]
        waiting = [asyncio.create_task(each) for each in asked]
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.01, held.set)
    await asyncio.gather(*waiting)
    with closing(TableStore(path)) as store:
        assert store._file.execute("SELECT count(*) FROM tables").fetchone() == (1,)
