"""A registry of tables, which loads them, starts their actors, and limits their memory."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from typing import Final

import attrs

from valletta_rules.bots.value import forecast_of
from valletta_rules.errors import VallettaError
from valletta_rules.web.accounts import Account
from valletta_rules.web.actors import TableActor
from valletta_rules.web.game import RefusedError
from valletta_rules.web.store import TableStore, UnknownTableError, UnreadableTableError
from valletta_rules.web.table import Resources, Table

FEW_MOVES: Final = 5_000
"""The number of moves in memory up to which all objects are subject to garbage collection.

Loading a game exempts objects from garbage collection.  Removing a game ends the exemption if at
most this number of moves remains.
"""


@attrs.define(eq=False)
class TableRegistry(Resources):
    """A registry of the tables in use, each with its actor.

    A table is in use while a page is connected or a bot computes an answer.
    """

    _actors: dict[str, asyncio.Task[TableActor]] = attrs.field(init=False, factory=dict)
    _tables: dict[str, Table] = attrs.field(init=False, factory=dict)
    """The tables in use by id, including those that are still being loaded."""
    _tasks: set[asyncio.Task[None]] = attrs.field(init=False, factory=set)

    async def actor(self, name: str, account: Account) -> TableActor:
        """Return the actor of a table; start the actor if it is not running.

        `account` is charged for loading the table.  The caller must put a request into the table's
        inbox before it awaits anything else; otherwise, the actor may end, because the table is
        unused.  Raises `UnknownTableError` if no table has the id `name`, `UnreadableTableError` if
        its stored data is corrupt, and `RefusedError` if too many tables are in use.
        """
        if name not in self._actors:
            loading = account.metered(self._begin(name, account.address))
            self._actors[name] = asyncio.create_task(loading)
        return await asyncio.shield(self._actors[name])

    async def _begin(self, name: str, payer: Account) -> TableActor:
        try:
            documents = await self.database.call(TableStore.table, name)
            seats = await self.database.call(TableStore.seats, name)
            log = await self.database.call(TableStore.log, name)
            table = Table(self, name, documents, seats, log, payer)
            self._make_room(table, sum(entry.moves for entry in log))
            self._tables[name] = table
            actor = TableActor(table)
            await actor.load(log[1:])
        except BaseException as error:
            self._forget(name)
            known = UnknownTableError | RefusedError
            if isinstance(error, VallettaError) and not isinstance(error, known):
                raise UnreadableTableError(str(error)) from error
            raise
        task = asyncio.create_task(self._run(name, actor))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return actor

    async def _run(self, name: str, actor: TableActor) -> None:
        """Run an actor until it ends; then remove its table from memory before other tasks run."""
        await actor.run()
        self._forget(name)

    async def remove(self, name: str, bounds: Mapping[str, float | None]) -> bool:
        """Remove a table from the store if it is old and not in use; return whether it was removed.

        `bounds` is the result of `Ages.bounds`.
        """
        if name in self._actors:
            return False
        return await self.database.call(TableStore.remove, name, bounds)

    def _make_room(self, table: Table, moves: int) -> None:
        """Raise `RefusedError` if loading a table would exceed the limits on moves in memory.

        `table` is the table to load, and `moves` is an upper bound on the number of its moves.
        """
        table.moves_expected = moves = min(moves, self.limits.moves)
        replayed = sum(each.moves for each in self._tables.values() if each.is_replay)
        if self._moves_in_memory + moves > self.limits.moves_in_memory or (
            table.is_replay and replayed + moves > self.limits.moves_replayed
        ):
            raise RefusedError("full")

    @property
    def _moves_in_memory(self) -> int:
        """The total number of moves of the games in memory."""
        return sum(each.moves for each in self._tables.values())

    def _forget(self, name: str) -> None:
        """Remove an unused table and its actor from memory."""
        del self._actors[name]
        self._tables.pop(name, None)
        if self._moves_in_memory <= FEW_MOVES:
            gc.unfreeze()
        if not self._actors:
            forecast_of.cache_clear()  # cached results of bots are of no use to another game

    async def close(self) -> None:
        """Cancel all actors, and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
