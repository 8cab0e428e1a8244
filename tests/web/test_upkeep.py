"""Tests of the upkeep of the database: checks, backups, removal of old tables, and locks."""

import asyncio
import itertools
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import attrs
import pytest

from tests.web.client import CASES, Server, Table, serving
from valletta_rules import Session, legal_actions, to_json
from valletta_rules.cli.main import main
from valletta_rules.cli.serve import DONE, FAILED
from valletta_rules.web import application, store, upkeep
from valletta_rules.web.registry import TableRegistry
from valletta_rules.web.serving import FILE, serve
from valletta_rules.web.upkeep import ROUND, Clock, Removal, keep_removing
from valletta_rules.web.workers import LocalWorkers
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

ANNA = (store.Occupant("person", None, "Anna", "red"),)
NOW = 1_000 * store.DAY
AGES = store.Ages(finished=10, abandoned=20, replays=5)
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "serve_a_table.rst"


def test_the_guide_to_serving_states_the_default_ages_at_which_tables_are_removed() -> None:
    """All games have the same age limit. Opened records have a lower limit."""
    guide = GUIDE.read_text("utf-8")
    (sentence,) = re.findall(r"^A game, finished or not, is removed.*$", guide, re.M)
    finished, replays = map(int, re.findall(r"([0-9]+) days", sentence))
    assert store.Ages() == store.Ages(finished=finished, abandoned=finished, replays=replays)


def test_the_application_id_of_the_database_consists_of_the_letters_valt() -> None:
    """The id identifies files from all versions, so it must never change."""
    assert store.APPLICATION.to_bytes(4) == b"VALT"


def store_table(
    table_store: store.TableStore,
    age: float,
    *,
    ends: bool = False,
    options: str = "{}",
    now: float = NOW,
) -> str:
    """Store a table whose last move was `age` days ago, and return its id."""
    at = now - age * store.DAY
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("valletta_rules.web.store.time.time", lambda: at)
        name = table_store.create(
            store.TableDocuments(options, b"luck", "1.0"), ANNA, ["opened"]
        ).table
        table_store.append(name, store.StoredEntry(1, "play", at, ends))
    return name


def change(path: Path, statement: str, *values: object) -> None:
    """Execute an SQL statement after removing triggers and disabling CHECK constraints."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for trigger in ("log_is_not_changed", "log_is_not_cut"):
            file.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute(statement, values)


# Ages


def test_only_tables_older_than_the_age_limit_of_their_kind_are_removed(tmp_path: Path) -> None:
    """The age is measured from the last move.

    If a kind has no limit, its tables are not removed.
    """
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        names = {
            (kind, age): store_table(table_store, age, ends=kind == "finished", options=options)
            for kind, options in [
                *((each, "{}") for each in ("finished", "abandoned")),
                ("replays", '{"replay": true}'),
                ("trials", '{"position": "a line", "example": null}'),
                ("broken", "no options"),
            ]
            for age in (4, 6, 9, 11, 19, 21)
        }
        bounds = AGES.bounds(NOW)
        old, last = table_store.old(bounds)
        assert table_store.old(bounds, last) == ([], "")
        limits = {**attrs.asdict(AGES), "broken": 20, "trials": AGES.replays or 0}
        as_kind = {"broken": "abandoned", "trials": "replays"}
        kinds = {
            name: as_kind.get(kind, kind)
            for (kind, age), name in names.items()
            if age > limits[kind]
        }
        assert dict(old) == kinds
        assert table_store.old(store.Ages(None, None, None).bounds(NOW))[0] == []
        took = [table_store.remove(name, bounds) for name in names.values()]
        assert took == [name in kinds for name in names.values()]
        assert {*table_store.names()} == {*names.values()} - {*kinds}
        for table in ("seats", "log"):
            left = table_store._file.execute(f"SELECT DISTINCT table_id FROM {table}").fetchall()
            assert {name for (name,) in left} == {*table_store.names()}
        assert not table_store.problems()


def test_a_search_for_old_tables_examines_a_limited_number_and_can_be_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other requests thus need not wait for a long search."""
    monkeypatch.setattr(store, "SLICE", 5)
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        names = {store_table(table_store, 30) for _ in range(6)}
        first, last = table_store.old(AGES.bounds(NOW))
        second, _ = table_store.old(AGES.bounds(NOW), last)
        assert (len(first), {*dict(first + second)}) == (5, names)


@attrs.define
class Times:
    """A clock that a test advances, and can set to another time of day."""

    at: float = NOW
    passed: float = 0.0
    """The elapsed time in seconds. It does not change if the time of day jumps."""

    def wait(self, seconds: float) -> None:
        """Advance the clock by a number of seconds."""
        self.at += seconds
        self.passed += seconds

    @property
    def clock(self) -> Clock:
        """A `Clock` that shows the simulated times.

        Its `sleep` advances these times and returns immediately.
        """

        async def sleep(seconds: float) -> None:
            self.wait(seconds)

        return Clock(lambda: self.at, lambda: self.passed, sleep)


@asynccontextmanager
async def removing(path: Path, times: Times) -> AsyncIterator[Removal]:
    """Open a database, and yield the object that removes old tables from it."""
    async with store.DatabaseThread(path) as database:
        _, newest = await database.call(store.TableStore.extent)
        yield Removal(TableRegistry(database, LocalWorkers()), AGES, newest, times.clock)


async def rounds(removal: Removal, times: Times, count: int) -> set[str]:
    """Run rounds of the removal, and return the ids of the remaining tables."""
    for _ in range(count):
        times.wait(ROUND)
        await removal.round()
    return {*await removal.tables.database.call(store.TableStore.names)}


@pytest.mark.parametrize("newest", [0, -5_000], ids=["now", "future"])
async def test_each_round_removes_at_most_a_tenth_of_the_tables_and_logs_the_numbers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, newest: int
) -> None:
    """Each round removes at least one old table if there is one. Newer tables remain."""
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        young = {store_table(table_store, age) for age in (newest, *range(1, 17))}
        for _ in range(13):
            store_table(table_store, 12, ends=True)
    times = Times()
    async with removing(tmp_path / FILE, times) as removal:
        assert len(await rounds(removal, times, 1)) == 27
        assert caplog.messages == ["3 of 30 tables removed: 3 finished, unused for 10 days"]
        assert await rounds(removal, times, 12) == young
    assert caplog.messages[-1] == "1 of 18 tables removed: 1 finished, unused for 10 days"


@pytest.mark.parametrize("days", [22, 400, 1_000_000, -900, -5_000])
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "during"])
async def test_no_table_is_removed_if_the_clock_jumps_before_or_after_the_server_starts(
    tmp_path: Path, days: float, is_before: bool
) -> None:
    """The clock jumps by weeks to millennia.

    Opening a table after the jump does not cause a removal, either.
    """
    path, times = tmp_path / FILE, Times()
    with closing(store.TableStore(path)) as table_store:
        names = {store_table(table_store, age) for age in (0, 3, 18)}
    times.at += is_before * days * store.DAY
    async with removing(path, times) as removal:
        times.at += (not is_before) * days * store.DAY
        assert await rounds(removal, times, 9) == names
        with closing(store.TableStore(path)) as table_store:
            names.add(store_table(table_store, 0, now=times.at))
        assert await rounds(removal, times, 9) == names


async def test_tables_are_removed_only_if_another_table_is_younger_than_the_age_limit_of_their_kind(
    tmp_path: Path,
) -> None:
    """Otherwise, a server that is restarted after a long time would remove all tables."""
    times = Times()
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        names = {store_table(table_store, age) for age in (33, 34, 900)}
        async with removing(tmp_path / FILE, times) as removal:
            assert await rounds(removal, times, 9) == names
        younger = store_table(table_store, 12, ends=True)
        async with removing(tmp_path / FILE, times) as removal:
            assert len(await rounds(removal, times, 2)) == 2
            assert await rounds(removal, times, 1) == {younger}


async def test_old_tables_are_removed_every_hour_after_the_first_hour_of_a_server(
    tmp_path: Path,
) -> None:
    """Two of three tables are old. Each hour, one of them is removed."""
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        for age in (0, 30, 30):
            store_table(table_store, age)
    times, counts = Times(), list[int]()

    async with store.DatabaseThread(tmp_path / FILE) as database:

        async def sleep(seconds: float) -> None:
            counts.append(len(await database.call(store.TableStore.names)))
            times.wait(seconds)
            if times.passed > 3 * 3_600:
                raise asyncio.CancelledError

        clock = attrs.evolve(times.clock, sleep=sleep)
        with pytest.raises(asyncio.CancelledError):
            await keep_removing(TableRegistry(database, LocalWorkers()), AGES, clock)
    assert counts == [3, 2, 1, 1]


@pytest.mark.parametrize("newest", [0, -5_000], ids=["now", "future"])
async def test_at_most_a_tenth_of_the_tables_dated_by_a_slow_clock_is_removed_each_hour(
    tmp_path: Path, newest: int
) -> None:
    """When the clock is corrected, these tables look old.

    No table is removed in the first hour.  More frequent rounds do not remove more tables.
    """
    with closing(store.TableStore(tmp_path / FILE)) as table_store:
        for _ in range(29):
            store_table(table_store, 999)
        store_table(table_store, newest)
    times, left = Times(), list[int]()
    async with removing(tmp_path / FILE, times) as removal:
        for seconds in (0, 1_800, 1_799, 1, 0, 3_599, 1, ROUND):
            times.wait(seconds)
            for _ in range(3):
                await removal.round()
            left.append(len(await removal.tables.database.call(store.TableStore.names)))
    assert left == [30, 30, 30, 27, 27, 27, 25, 23]


async def test_an_old_table_is_not_removed_while_a_page_is_connected_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page that names a removed table receives the reason.

    After a database error, the next round tries again.
    """
    hours: asyncio.Queue[None] = asyncio.Queue()
    later, passed = time.time() + NOW, itertools.count(0, NOW)
    clock = Clock(lambda: later, lambda: next(passed), lambda _: hours.get())
    monkeypatch.setattr(application, "keep_removing", partial(keep_removing, clock=clock))
    async with serving(tmp_path / FILE) as server:
        tables = [await server.open(None, None) for _ in range(3)]
        page = await tables[0].enter(0)
        with closing(store.TableStore(tmp_path / FILE)) as table_store:
            store_table(table_store, 0, now=later)
        for _ in range(3):
            hours.put_nowait(None)
        await wait_for_removal(server, 2)
        assert (await tables[0].enter(0)).own == (0,)
        gone = server.page()
        gone.hello(tables[1].id, tables[1].token(0), language="de")
        ended = await gone.receive_until("ended")
        assert ended["sentence"] == LANGUAGES["de"].phrase("talk.refusals.no-table")
        await page.leave()
        while hours.qsize():
            await asyncio.sleep(0)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(
                store.TableStore, "old", Mock(side_effect=sqlite3.OperationalError("locked"))
            )
            hours.put_nowait(None)
            while "old tables cannot be removed: locked" not in caplog.text:
                await asyncio.sleep(0)
        lobby = await server.fetch("/api/lobby?language=en")
        assert len(lobby.value["kept"]) == 3


async def wait_for_removal(server: Server, count: int) -> None:
    """Wait until the database has at most `count` tables."""
    with closing(store.TableStore(server.path, reads_only=True)) as table_store:
        while len(table_store.names()) > count:
            await asyncio.sleep(0)


# Check and backup


async def test_the_check_counts_unfinished_finished_replayed_and_unreadable_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game counts as finished even if the log does not mark the end of the game."""
    session = Session(2, seed=1)
    while session.prompt is not None:
        session.play(legal_actions(session.state)[0])
    async with serving(tmp_path / FILE) as server:
        await server.open(None, None)
        record = to_json(session.record).encode()
        opened = [(await server.fetch("/api/replay", record)).value for _ in range(2)]
    change(tmp_path / FILE, "UPDATE tables SET options = '{}' WHERE id = ?", opened[0]["table"])
    assert main(["serve", "--check", "--folder", str(tmp_path)]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{tmp_path / FILE}: version 4, ")
    assert second == "Tables: 1 unfinished, 1 finished, 1 opened records, 0 unreadable"
    assert last == "The file is valid."
    ends = "SELECT count(*) FROM log WHERE ends"
    with closing(sqlite3.connect(tmp_path / FILE)) as file:
        assert file.execute(ends).fetchone() == (0,)


@pytest.mark.parametrize(("damage", "why"), CASES["damages"])
async def test_the_check_names_each_unreadable_table_with_the_reason(
    tmp_path: Path, damage: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server on this database shows these tables as unreadable, and serves all others."""
    async with serving(tmp_path / FILE) as server:
        tables = [await server.open(None, None) for _ in range(3)]
        for table in tables:
            page = await table.enter(0, 1)
            await page.play()
            await page.leave()
    for table in tables[:2]:
        change(tmp_path / FILE, damage, table.id)
    assert main(["serve", "--check", "--folder", str(tmp_path)]) == FAILED
    out = capsys.readouterr().out
    assert "1 unfinished, 0 finished, 0 opened records, 2 unreadable" in out
    for table in tables[:2]:
        (line,) = (line for line in out.splitlines() if line.startswith(f"table {table.id}"))
        assert why in line
    async with serving(tmp_path / FILE) as again:
        pages = [again.page() for _ in tables]
        for page, table in zip(pages, tables, strict=True):
            page.hello(table.id, table.token(0), language="de")
        messages = [await page.receive_until("welcome", "ended") for page in pages]
        assert [each["type"] for each in messages[2:]] == ["welcome"]
        for each, table in zip(messages[:2], tables, strict=False):
            if each["type"] == "welcome":  # earlier revisions can be viewed
                assert each["moment"]["revision"] < 1
                continue
            codes = ("no-table", "not-read")
            assert each["sentence"] in {LANGUAGES["de"].phrase(f"talk.refusals.{c}") for c in codes}
            record = await Table(again, table.opened).record()
            assert (record.status, record.value["code"]) in {(404, "no-table"), (500, "not-read")}


def test_the_check_fails_for_a_missing_empty_or_damaged_database_and_does_not_change_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup of a damaged database fails, too, and leaves no copy."""
    path = tmp_path / FILE
    command = ["serve", "--check", "--folder", str(tmp_path)]
    assert main(command) == FAILED
    assert "does not exist" in capsys.readouterr().err
    path.touch()
    assert main(command) == FAILED
    assert "is empty, not a table database" in capsys.readouterr().err
    with closing(store.TableStore(path)) as table_store:
        for _ in range(40):
            table_store.create(store.TableDocuments("{}", b"", "1.0"), ANNA, ["e" * 9_000])
    content = bytearray(path.read_bytes())
    content[8_192:40_960] = b"?" * 32_768
    path.write_bytes(content)
    assert main(command) == FAILED
    assert "The file has problems." in capsys.readouterr().out
    assert main(["serve", "--backup", str(tmp_path / "copy"), *command[2:]]) == FAILED
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir() if "valletta" in each.name] == []
    assert not (tmp_path / "copy").exists()


async def test_a_backup_made_while_a_server_runs_is_complete_and_never_replaces_a_file(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the owner of the copy can read it, and a server can open it."""
    table = await server.open(None, None)
    page = await table.enter(0, 1)
    command = ["serve", "--folder", str(tmp_path), "--backup"]
    to = tmp_path / "copy of today"
    for status, expected in [(DONE, "1 tables"), (FAILED, "already exists; nothing was written")]:
        await page.play()
        before = to.exists() and to.read_bytes()
        assert main([*command, str(to)]) == status
        out, err = capsys.readouterr()
        assert expected in (out or err)
        assert before in (False, to.read_bytes())
    assert main([*command, str(tmp_path / "no folder" / "copy")]) == FAILED
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    async with serving(to) as other:
        again = await Table(other, table.opened).enter(0, 1)
        assert (again.revision, page.revision) == (1, 2)
        assert again.log == page.log[:2]


def test_a_backup_is_verified_before_it_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the verification fails, the copy is deleted."""
    store.TableStore(tmp_path / FILE).close()
    monkeypatch.setattr(store.TableStore, "problems", lambda store: ("a page is torn",))
    lines, is_well = upkeep.backup(tmp_path / FILE, tmp_path / "copy")
    assert (lines[0], is_well) == ("a page is torn", False)
    assert not (tmp_path / "copy").exists()


# One server at a time, and its end

HOLDER = """
import sys
from pathlib import Path
from valletta_rules.web.store import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_server_on_the_same_database_does_not_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It can start after the first server has ended, even if SIGKILL ended it."""
    path = tmp_path / FILE
    given: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLDER, path], **given) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        assert serve(host=None, port=0, folder=tmp_path, opens_browser=False) == FAILED
        assert capsys.readouterr().err == f"valletta serve: another server is using {path}\n"
        with pytest.raises(store.TableStoreError, match="another server"), store.locked(path):
            pass
        assert main(["serve", "--check", "--folder", str(tmp_path)]) == 0
        first.kill()
    with store.locked(path):
        assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_sigterm_and_ctrl_c_stop_a_server_and_its_workers_without_output(
    tmp_path: Path, number: int, status: int
) -> None:
    """The exit status is 0 after SIGTERM and 130 after Ctrl-C."""
    command = [sys.executable, "-m", "valletta_rules", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--folder", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # its workers get the signal, too, as from a terminal
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as server:
        assert server.stdout is not None
        while "Ctrl-C" not in server.stdout.readline():
            pass
        (os.killpg if number == signal.SIGINT else os.kill)(server.pid, number)
        _, stderr = server.communicate(timeout=600)
    assert (server.returncode, stderr) == (status, "")
