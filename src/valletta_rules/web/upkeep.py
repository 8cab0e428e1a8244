"""Upkeep: check a file of tables, copy it while it is in use, and remove old tables."""

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
"""The seconds between two searches for old tables."""

SHARE: Final = 0.1
"""The largest share of all tables that a round removes, though never less than one table."""

logger: Final = logging.getLogger(__name__)


STATES: Final = ("going on", "finished", "opened records", "unreadable")
"""The possible states of a table."""


def check(path: Path) -> tuple[list[str], bool]:
    """Check a file of tables, which may be in use: its pages, and each table's log by the rules.

    Returns the lines of a report, and whether the file is in order.  Raises `TableStoreError` if
    there is no such file, or it is another program's, and `OSError` and `sqlite3.Error` if it
    cannot be opened.
    """
    with closing(_reading(path)) as store:
        states, problems, taken, free = Counter[str](), list[str](), 0, 0
        try:
            problems += store.problems()
            taken, free = store.pages()
            for name in store.names():
                state, problem = _state_of(store, name)
                states[state] += 1
                problems += problem
        except sqlite3.Error as error:
            problems.append(str(error))
        size = f"{taken:,} bytes in use, {free:,} free"
        tables = ", ".join(f"{states[each]:,} {each}" for each in STATES)
        said = [f"{path}: version {store.version}, {size}", f"Tables: {tables}", *problems]
    return [*said, "Not in order." if problems else "In order."], not problems


def _reading(path: Path) -> TableStore:
    """Open a file of tables to read it; raise `TableStoreError` if there is none."""
    if not path.exists():
        raise TableStoreError(f"there is no {path}")
    return TableStore(path, reads_only=True)


def _state_of(store: TableStore, name: str) -> tuple[str, list[str]]:
    """Return the state of a table, and the reason if it cannot be read."""
    try:
        documents, log = store.table(name), store.log(name)
        game, is_replay = stored_game(documents, log), documents.is_replay
        for kept in log[1:]:
            game.add(game.read(kept))
    except (VallettaError, sqlite3.Error) as error:
        return "unreadable", [f"table {name}: {error}"]
    if is_replay:
        return "opened records", []
    return ("finished" if game.now.asked is None else "going on"), []


def backup(path: Path, to: Path) -> tuple[list[str], bool]:
    """Copy a file of tables, which may be in use, to a new file.

    The copy is renamed into place once it is complete, checked, and on the disk.  Returns and
    raises what `check` does; if `to` exists, that is a `TableStoreError`.
    """
    if to.exists():
        raise TableStoreError(f"{to} is there already; nothing was written")
    with replacing(to, new=True) as copy:
        copy.chmod(0o600)
        with closing(_reading(path)) as store:
            store.copy(copy)
        with closing(_reading(copy)) as store:
            count, problems = len(store.names()), store.problems()
        if problems:
            copy.unlink()
            return [*problems, "The copy is not in order; nothing was written."], False
    return [f"{to}: {count:,} tables, {to.stat().st_size:,} bytes"], True


@attrs.frozen
class Clock:
    """The clocks by which old tables are removed."""

    now: Callable[[], float] = time.time
    """Returns the seconds since 1970, which may be wrong and may jump."""
    uptime: Callable[[], float] = time.monotonic
    """Returns seconds that pass evenly."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep


class Removal:
    """Removes old tables; the loss that a wrong clock could cause is bounded.

    The log is the second witness of the time.  A table is old only if it is also old by the newest
    entry that was in the file at the start and the seconds since then, and nothing is removed that
    would leave a file without an entry as young.  An entry of the future counts as of now.
    """

    def __init__(
        self, tables: TableRegistry, ages: Ages, newest: float | None, clock: Clock | None = None
    ) -> None:
        """Start with the newest entry of the file; `ages` says how long tables are kept."""
        self.tables, self._ages, self._clock = tables, ages, clock or Clock()
        now = self._clock.now()
        self._start = now if newest is None else min(newest, now)
        self._begun = self._clock.uptime()
        self._due = self._begun + ROUND

    @property
    def wait(self) -> float:
        """The seconds until the next round: an hour at the start and after each round."""
        return max(0, self._due - self._clock.uptime())

    async def round(self) -> None:
        """Remove at most a tenth of the tables: old ones that are not in use.

        They are removed one by one, so that others can write in between.  Nothing happens before
        the round is due.
        """
        if self.wait:
            return
        self._due = self._clock.uptime() + ROUND
        gone, ask, count, last = Counter[str](), self.tables.database.ask, 0, None
        try:
            count, newest = await ask(TableStore.extent)
            bounds, most = self._bounds(newest), max(1, int(count * SHARE))
            while last != "" and gone.total() < most:
                old, last = await ask(TableStore.old, bounds, last or "")
                for name, kind in old:
                    if gone.total() < most:
                        gone[kind] += await self.tables.remove(name, bounds)
        except sqlite3.Error as error:
            logger.error("old tables cannot be removed: %s", error)
        days = attrs.asdict(self._ages)
        said = [f"{gone[kind]} {kind}, unused for {days[kind]} days" for kind in sorted(+gone)]
        if said:
            logger.warning("%d of %d tables removed: %s", gone.total(), count, "; ".join(said))

    def _bounds(self, newest: float | None) -> dict[str, float | None]:
        """Return the bounds of `Ages`, given the newest entry of the file."""
        now = self._clock.now()
        limits = self._ages.bounds(now)
        bounds = self._ages.bounds(min(now, self._start + self._clock.uptime() - self._begun))
        for kind, limit in limits.items():
            if limit is None or newest is None or newest < limit:
                bounds[kind] = None
        return bounds


async def keep_removing(tables: TableRegistry, ages: Ages, clock: Clock | None = None) -> None:
    """Remove old tables every hour, and none in the first."""
    clock = clock or Clock()
    try:
        _, newest = await tables.database.ask(TableStore.extent)
    except sqlite3.Error:
        newest = None
    removal = Removal(tables, ages, newest, clock)
    while True:
        await clock.sleep(removal.wait)
        await removal.round()
