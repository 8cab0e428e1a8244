"""What outlives the server."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from valletta_rules.web.store import (
    Clerk,
    Entry,
    Keys,
    NewTable,
    Seat,
    StaleError,
    Store,
    StoreError,
    UnknownTableError,
    _do,
    digest,
)

TABLE = NewTable("rules", "cards", "{}", b"luck", "1.0", ("deal 1", "deal 2"))
SEATS = (Seat("person", None, "Anna", "red"), Seat("bot", "club", "Otto", "blue"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not there yet, in a folder that is not either."""
    return tmp_path / "valletta" / "tables.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A store without a table."""
    with closing(Store(path)) as store:
        yield store


@pytest.fixture
def keys(store: Store) -> Keys:
    """The keys to a table in the store."""
    return store.create(TABLE, SEATS)


def mode_of(path: Path) -> int:
    """Return who may do what with a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_may_read_the_file(path: Path) -> None:
    """Neither it nor what SQLite lays beside it, whatever the user's mask is."""
    before = os.umask(0)
    try:
        with closing(Store(path)) as store:
            store.create(TABLE, SEATS)
            assert mode_of(path.parent) == 0o700
            assert {mode_of(each) for each in path.parent.iterdir()} == {0o600}
    finally:
        os.umask(before)


def test_the_file_says_what_it_is_and_is_written_to_the_disk(path: Path, store: Store) -> None:
    """With a mark, a version, and a journal beside it."""
    file = store._file
    assert file.execute("PRAGMA application_id").fetchone() == (0x56414C54,)
    assert file.execute("PRAGMA user_version").fetchone() == (1,)
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file.execute("PRAGMA synchronous").fetchone() == (2,)
    assert file.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_table_is_found_again_by_another_store(path: Path, store: Store, keys: Keys) -> None:
    """With all that was kept, and who sits there."""
    with closing(Store(path)) as other:
        table = other.table(keys.table)
        assert table.created > 1_700_000_000
        for name in ("rules", "cards", "options", "seed", "library", "chance"):
            assert getattr(table, name) == getattr(TABLE, name)
        assert other.seats(keys.table) == SEATS


def test_a_table_without_chance_has_none(store: Store) -> None:
    """And not one empty document."""
    assert store.table(store.create(NewTable("", "", "", b"", ""), ()).table).chance == ()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("PRAGMA application_id = 7", "another program"),
        ("PRAGMA user_version = 99", "has version 99; this program reads 1"),
    ],
)
def test_a_file_that_is_not_ours_is_left_alone(path: Path, statement: str, why: str) -> None:
    """That of another program as well as that of a later version."""
    with closing(Store(path)):
        pass
    with closing(sqlite3.connect(path)) as file:
        file.execute(statement)
    path.chmod(0o644)
    with pytest.raises(StoreError, match=why):
        Store(path)
    assert mode_of(path) == 0o644


def test_what_is_no_database_is_no_store(tmp_path: Path) -> None:
    """It is said so, and the file stays as it is."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna," * 100)
    with pytest.raises(StoreError, match="no file of tables"):
        Store(path)
    assert path.read_text() == "Dear Anna," * 100


def test_tokens_are_long_and_all_different(store: Store) -> None:
    """Of 128 bits each, as are the ids of tables."""
    made = [store.create(TABLE, SEATS) for _ in range(3)]
    texts = [text for keys in made for text in (keys.table, keys.opener, keys.seats[0])]
    assert len({*texts}) == 9
    assert all(text is not None and len(text) == 22 for text in texts)


def test_no_token_stands_in_the_file_nor_in_what_is_shown(
    path: Path, store: Store, keys: Keys
) -> None:
    """A copy of the file opens no table, and a log that shows the keys does not either."""
    token = store.renew(keys.table, 0)
    content = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert keys.table.encode() in content
    for secret in (keys.opener, keys.seats[0], token):
        assert secret is not None
        assert secret.encode() not in content
        assert digest(secret) in content
        assert secret not in repr(keys)
    assert "luck" not in repr(store.table(keys.table))


def test_a_token_opens_one_seat_of_one_table(store: Store, keys: Keys) -> None:
    """Nothing else does, the opener's token included; and that opens no seat."""
    other = store.create(TABLE, SEATS)
    (token, none) = keys.seats
    assert none is None
    assert token is not None
    assert store.seat_of(keys.table, token) == 0
    assert store.seat_of(other.table, token) is None
    assert store.seat_of(keys.table, keys.opener) is None
    assert store.seat_of(keys.table, "") is None
    assert store.seat_of(keys.table, "\ud800") is None
    assert store.is_opener(keys.table, keys.opener)
    assert not store.is_opener(other.table, keys.opener)
    assert not store.is_opener(keys.table, token)


def test_a_new_token_ends_the_one_before(store: Store, keys: Keys) -> None:
    """And the seat remembers how often that was."""
    before, _ = keys.seats
    assert before is not None
    token = store.renew(keys.table, 0)
    assert store.seat_of(keys.table, before) is None
    assert store.seat_of(keys.table, token) == 0
    assert store.seats(keys.table)[0].generation == 1


def test_a_player_of_the_machine_sits_in_for_a_person(store: Store, keys: Keys) -> None:
    """Until the person is back; the seat stays the person's."""
    store.sit_in(keys.table, 0, "novice")
    assert store.seats(keys.table)[0] == Seat("person", "novice", "Anna", "red")
    store.sit_in(keys.table, 0, None)
    assert store.seats(keys.table) == SEATS


def test_only_a_persons_seat_is_changed(store: Store, keys: Keys) -> None:
    """A player of the machine has no link, and nobody sits where there is no seat."""
    for table, seat in ((keys.table, 1), (keys.table, 2), ("no such table", 0)):
        with pytest.raises(UnknownTableError):
            store.renew(table, seat)
        with pytest.raises(UnknownTableError):
            store.sit_in(table, seat, "novice")
    for name in ("no such table", ""):
        with pytest.raises(UnknownTableError):
            store.table(name)
        assert store.seats(name) == ()
        assert store.log(name) == ()


def test_the_log_is_what_was_added_to_it(store: Store, keys: Keys) -> None:
    """From the revision on with which the table was laid, or from a later one."""
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


def test_of_two_answers_to_one_question_one_counts(path: Path, store: Store, keys: Keys) -> None:
    """Also if two servers have the file open; the other one is stale, as is one from the future."""
    with closing(Store(path)) as other:
        store.append(keys.table, 0, "answer", 0, "one", (), "a")
        for revision in (0, 2, -1):
            with pytest.raises(StaleError, match="it is 1 now"):
                other.append(keys.table, revision, "answer", 0, "two", (), "b")
        assert [entry.body for entry in other.log(keys.table)] == ["", "one"]
    with pytest.raises(StaleError):
        store.append("no such table", 0, "answer", 0, "one", (), "a")


def test_an_answer_that_comes_twice_is_written_once(store: Store, keys: Keys) -> None:
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
    store: Store, keys: Keys, kind: Any, seat: int, body: str
) -> None:
    """An undo that leads nowhere before it, and a seat that is not there."""
    with pytest.raises(sqlite3.IntegrityError):
        store.append(keys.table, 0, kind, seat, body, (), "a")
    assert len(store.log(keys.table)) == 1


def test_the_log_is_neither_changed_nor_cut(store: Store, keys: Keys) -> None:
    """Not even by hand."""
    for statement in ("UPDATE log SET body = 'x'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            store._file.execute(statement)


def test_a_transaction_that_fails_leaves_nothing(store: Store, keys: Keys) -> None:
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
    assert [entry.body for entry in store.log(keys.table)] == ["", "one"]


# The clerk


def ask_all(path: Path) -> list[Entry | None]:
    """Let several answer one question at the same time; return what was written of each."""

    async def race() -> list[Entry | None]:
        async with Clerk(path) as clerk:
            keys = await clerk.ask(Store.create, TABLE, SEATS)
            tries = [
                clerk.ask(Store.append, keys.table, 0, "answer", 0, body, (), body)
                for body in "abcdef"
            ]
            outcomes = await asyncio.gather(*tries, return_exceptions=True)
            log = await clerk.ask(Store.log, keys.table, after=0)
            assert sum(outcome is None for outcome in outcomes) == len(log)
            assert sum(isinstance(outcome, StaleError) for outcome in outcomes) == 5
            return [*log]

    return asyncio.run(race())


def test_those_who_ask_at_once_are_answered_each(path: Path) -> None:
    """Of six answers to one question exactly one counts."""
    assert len(ask_all(path)) == 1


def test_a_clerk_without_a_store_says_why(tmp_path: Path) -> None:
    """As soon as it is to begin."""

    async def begin() -> None:
        async with Clerk(tmp_path):
            raise AssertionError("there is a folder in its place")

    with pytest.raises(IsADirectoryError):
        asyncio.run(begin())


def test_what_was_asked_for_is_finished_before_the_end(path: Path) -> None:
    """Nobody's answer is lost because the server stops."""

    async def stop() -> None:
        async with Clerk(path) as clerk:
            held = Event()
            first = asyncio.create_task(clerk.ask(lambda _: held.wait(9)))
            await asyncio.sleep(0.01)
            waiting = [asyncio.create_task(clerk.ask(Store.create, TABLE, SEATS)) for _ in "ab"]
            await asyncio.sleep(0.01)
            asyncio.get_running_loop().call_later(0.05, held.set)
        await asyncio.gather(first, *waiting)

    asyncio.run(stop())
    with closing(Store(path)) as store:
        assert store._file.execute("SELECT count(*) FROM tables").fetchone() == (2,)


def test_who_does_not_wait_any_more_asks_for_nothing(store: Store) -> None:
    """What has not been begun is left alone."""
    gone: Future[Any] = Future()
    gone.cancel()
    _do(store, [(gone, lambda store: store.create(TABLE, SEATS))])
    assert store._file.execute("SELECT count(*) FROM tables").fetchone() == (0,)


def test_all_are_told_if_nothing_could_be_written(store: Store, keys: Keys) -> None:
    """Where SQLite gives up in the middle, what others asked for at the same time is gone, too."""

    def full(store: Store) -> None:
        store._file.execute("ROLLBACK")
        raise sqlite3.OperationalError("disk full")

    futures: list[Future[Any]] = [Future(), Future()]
    one, other = futures
    _do(store, [(one, lambda s: s.append(keys.table, 0, "answer", 0, "x", (), "a")), (other, full)])
    assert all("disk full" in str(future.exception(0)) for future in futures)
    assert len(store.log(keys.table)) == 1
