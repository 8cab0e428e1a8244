"""Upkeep: whether a file of tables is in order, a copy of it while it is in use, and old tables."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from valletta_rules.errors import VallettaError
from valletta_rules.web.actors import TableRegistry
from valletta_rules.web.game import stored_game
from valletta_rules.web.store import Ages, TableStore, TableStoreError

ROUND: Final = 3_600.0
"""After how many seconds old tables are looked for again."""

logger: Final = logging.getLogger(__name__)


STATES: Final = ("going on", "finished", "opened records", "unreadable")
"""What a table can be found to be."""


def check(path: Path) -> tuple[list[str], bool]:
    """Check a file of tables, which may be in use: its pages, and by the rules each table's log.

    Returns a report, line by line, and whether all is in order.  Raises `TableStoreError` if there
    is no such file, or it is another program's, and `OSError` and `sqlite3.Error` if it cannot be
    opened.
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
    """Return the state of a table, and why it cannot be read if it cannot."""
    revision = 0
    try:
        table = store.table(name)
        game, is_replay = stored_game(table, len(store.seats(name))), table.is_replay
        for entry in store.log(name):
            revision = entry.revision
            game.add(game.read(entry))
    except (VallettaError, sqlite3.Error) as error:
        return "unreadable", [f"table {name}, revision {revision}: {error}"]
    if is_replay:
        return "opened records", []
    return ("finished" if game.now.asked is None else "going on"), []


def backup(path: Path, to: Path) -> tuple[list[str], bool]:
    """Copy a file of tables, which may be in use, to a new file.

    The copy gets its name once it is whole, has been checked, and is on the disk.  Returns and
    raises what `check` does; an existing file is a `TableStoreError`.
    """
    if to.exists():
        raise TableStoreError(f"{to} is there already; nothing was written")
    with TemporaryDirectory(prefix=".valletta-", dir=to.absolute().parent) as folder:
        copy = Path(folder, "copy")
        with closing(_reading(path)) as store:
            store.copy(copy)
        with closing(_reading(copy)) as store:
            count, problems = len(store.names()), store.problems()
        if problems:
            return [*problems, "The copy is not in order; nothing was written."], False
        with copy.open("rb+") as written:
            os.fsync(written.fileno())
        copy.chmod(0o600)
        copy.rename(to)
    return [f"{to}: {count:,} tables, {to.stat().st_size:,} bytes"], True


async def keep_removing(tables: TableRegistry, ages: Ages) -> None:
    """Remove old tables at once and then every hour."""
    while True:
        await remove_old(tables, ages)
        await asyncio.sleep(ROUND)


async def remove_old(tables: TableRegistry, ages: Ages) -> None:
    """Remove the tables that are old and that nobody uses.

    They go one by one, so that others can write in between.
    """
    bounds, last = ages.bounds(time.time()), None
    try:
        while last != "":
            names, last = await tables.database.ask(TableStore.old, bounds, last or "")
            for name in names:
                await tables.remove(name, bounds)
    except sqlite3.Error as error:
        logger.error("old tables cannot be removed: %s", error)
