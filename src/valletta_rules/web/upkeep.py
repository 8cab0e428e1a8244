"""Functions that check a table database, copy it while it is in use, and remove old tables."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import attrs

from valletta_rules.errors import VallettaError
from valletta_rules.text.files import replacing
from valletta_rules.web.game import stored_game
from valletta_rules.web.registry import TableRegistry
from valletta_rules.web.store import Ages, TableStore, TableStoreError

ROUND: Final = 3_600.0
"""The time in seconds between two rounds in which old tables are removed."""

SHARE: Final = 0.1
"""The share of all tables that a round may remove; a round may always remove one table."""

logger: Final = logging.getLogger(__name__)


STATES: Final = ("unfinished", "finished", "opened records", "unreadable")
"""The states of tables that the report of `check` counts."""


def check(path: Path) -> tuple[list[str], bool]:
    """Check the database pages of a table database, and replay every log with the installed rules.

    The file may be in use.  Returns the lines of a report, and whether the file is valid.  Raises
    `TableStoreError` if the file does not exist or is not a table database, and `OSError` or
    `sqlite3.Error` if the file cannot be opened.
    """
    with closing(_reading(path)) as store:
        states, problems, used, free = Counter[str](), list[str](), 0, 0
        try:
            problems += store.problems()
            used, free = store.pages()
            for name in store.names():
                state, problem = _state_of(store, name)
                states[state] += 1
                problems += problem
        except sqlite3.Error as error:
            problems.append(str(error))
        size = f"{used:,} bytes in use, {free:,} free"
        tables = ", ".join(f"{states[each]:,} {each}" for each in STATES)
        lines = [f"{path}: version {store.version}, {size}", f"Tables: {tables}", *problems]
    return [*lines, "The file has problems." if problems else "The file is valid."], not problems


def _reading(path: Path) -> TableStore:
    """Open a table database for reading; raise `TableStoreError` if the file does not exist."""
    if not path.exists():
        raise TableStoreError(f"the file {path} does not exist")
    return TableStore(path, reads_only=True)


def _state_of(store: TableStore, name: str) -> tuple[str, list[str]]:
    """Return the state of a table, and a list with its problem, if it has one."""
    try:
        documents, log = store.table(name), store.log(name)
        game, is_replay = stored_game(documents, log), documents.is_replay
        for entry in log[1:]:
            game.add(game.read(entry))
    except (VallettaError, sqlite3.Error) as error:
        return "unreadable", [f"table {name}: {error}"]
    if is_replay:
        return "opened records", []
    return ("finished" if game.now.asked is None else "unfinished"), []


def backup(path: Path, to: Path) -> tuple[list[str], bool]:
    """Copy a table database, which may be in use, to a new file.

    The copy is named `to` only after it is complete, checked and on the disk.  Returns the lines of
    a report, and whether the copy was made.  Raises `TableStoreError` if `to` exists, and the
    errors of `check`.
    """
    if to.exists():
        raise TableStoreError(f"{to} already exists; nothing was written")
    with replacing(to, new=True) as copy:
        copy.chmod(0o600)
        with closing(_reading(path)) as store:
            store.copy(copy)
        with closing(_reading(copy)) as store:
            count, problems = len(store.names()), store.problems()
        if problems:
            copy.unlink()
            return [*problems, "The copy has problems; nothing was written."], False
    return [f"{to}: {count:,} tables, {to.stat().st_size:,} bytes"], True


@attrs.frozen
class Clock:
    """The clocks that control the removal of old tables."""

    now: Callable[[], float] = time.time
    """A function that returns the system's time in seconds since 1970, which may be wrong."""
    uptime: Callable[[], float] = time.monotonic
    """A function that returns the seconds of a clock that never jumps."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep


class Removal:
    """The removal of old tables, with safeguards against a wrong system clock.

    When the server starts, a second clock, which never jumps, starts at the time of the newest log
    entry in the file, or at the current time if that is earlier.  A table is removed only if it is
    old according to both clocks, and only while the newest entry in the file is not old.
    """

    def __init__(
        self, tables: TableRegistry, ages: Ages, newest: float | None, clock: Clock | None = None
    ) -> None:
        """Prepare the removal of old tables; the first round is due after an hour.

        `tables` is the registry of the tables in use, `ages` are the ages at which tables are
        removed, `newest` is the time of the newest log entry in the file, and `clock` contains the
        clocks.
        """
        self.tables, self._ages, self._clock = tables, ages, clock or Clock()
        now = self._clock.now()
        self._start = now if newest is None else min(newest, now)
        self._start_uptime = self._clock.uptime()
        self._due = self._start_uptime + ROUND

    @property
    def wait(self) -> float:
        """The seconds until the next round is due.

        A round is due an hour after the start, and an hour after each round.
        """
        return max(0, self._due - self._clock.uptime())

    async def round(self) -> None:
        """Remove old tables that are not in use: at most one, or a tenth of all tables if more.

        Each table is removed in its own transaction, so that other requests can write in between.
        The method does nothing before the round is due.
        """
        if self.wait:
            return
        self._due = self._clock.uptime() + ROUND
        gone, call, count, last = Counter[str](), self.tables.database.call, 0, None
        try:
            count, newest = await call(TableStore.extent)
            bounds, most = self._bounds(newest), max(1, int(count * SHARE))
            while last != "" and gone.total() < most:
                old, last = await call(TableStore.old, bounds, last or "")
                for name, kind in old:
                    if gone.total() < most:
                        gone[kind] += await self.tables.remove(name, bounds)
        except sqlite3.Error as error:
            logger.error("old tables cannot be removed: %s", error)
        days = attrs.asdict(self._ages)
        parts = [f"{gone[kind]} {kind}, unused for {days[kind]} days" for kind in sorted(+gone)]
        if parts:
            logger.warning("%d of %d tables removed: %s", gone.total(), count, "; ".join(parts))

    def _bounds(self, newest: float | None) -> dict[str, float | None]:
        """Return a time for each kind of table: tables last used before it may be removed.

        `newest` is the time of the newest log entry in the file.
        """
        now = self._clock.now()
        limits = self._ages.bounds(now)
        bounds = self._ages.bounds(
            min(now, self._start + self._clock.uptime() - self._start_uptime)
        )
        for kind, limit in limits.items():
            if limit is None or newest is None or newest < limit:
                bounds[kind] = None
        return bounds


async def keep_removing(tables: TableRegistry, ages: Ages, clock: Clock | None = None) -> None:
    """Remove old tables once an hour, starting an hour from now."""
    clock = clock or Clock()
    try:
        _, newest = await tables.database.call(TableStore.extent)
    except sqlite3.Error:
        newest = None
    removal = Removal(tables, ages, newest, clock)
    while True:
        await clock.sleep(removal.wait)
        await removal.round()
