"""Analyses of finished games, which are computed once for all pages and stored."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Final

from valletta_rules.analysis import Analysis, analysis_from_json
from valletta_rules.codec import CodecError
from valletta_rules.web.connections import Connection
from valletta_rules.web.protocol import Ack, Analyse, Analysed, Stop
from valletta_rules.web.store import TableStore
from valletta_rules.web.table import Table
from valletta_rules.web.workers import BusyError, rank_of

SHARE: Final = 0.05
"""The minimum increase in progress, from 0 to 1, between two progress messages."""

logger: Final = logging.getLogger(__name__)


class Analyst:
    """The analyst of a table, who analyses the finished game when a page requests an analysis."""

    def __init__(self, table: Table) -> None:
        """Create the analyst of a table; the analysis starts with the first request."""
        self._table = table
        self._analysis: Analysis | None = None
        self._lock = asyncio.Lock()
        """The lock that is held while the analysis is read or computed."""

    def begin(self, connection: Connection, message: Analyse) -> None:
        """Start the analysis for a page; raise `RefusedError` if the game is not over."""
        self._table.check_over()
        self._table.begin(self._analyse(connection, message), _task_of(connection, message.id))

    def stop(self, connection: Connection, message: Stop) -> None:
        """Cancel the page's earlier request for an analysis."""
        self._table.cancel(_task_of(connection, message.id))
        connection.send(Ack(message.id, self._table.game.now.revision))

    async def _analyse(self, connection: Connection, message: Analyse) -> None:
        """Send the progress and the analysis to a page; compute the analysis if necessary."""
        last = 0.0

        def progress(done: float) -> None:
            nonlocal last
            if done >= last + SHARE:
                last = done
                connection.send(Analysed(message.id, round(done, 2), None))

        try:
            async with self._lock:
                if self._analysis is None:
                    self._analysis = await self._read(connection) or await self._make(
                        connection, progress
                    )
        except Exception as error:
            if not isinstance(error, BusyError):
                logger.exception("an analysis failed")
            reason = "too-fast" if isinstance(error, BusyError) else "failed"
            connection.refuse_with_code(message.id, self._table.game.now.revision, reason)
        else:
            report = partial(_report, self._analysis)
            await self._table.put(self._table.in_turn, report, connection, message)

    async def _read(self, connection: Connection) -> Analysis | None:
        """Return the stored analysis; `None` if there is none that this version can read."""
        if (document := await stored_analysis(self._table)) is None:
            return None
        try:
            read = partial(analysis_from_json, document)
            workers = self._table.shared.workers
            return await workers.run(read, connection.account, rank_of(document))
        except CodecError:
            return None

    async def _make(self, connection: Connection, progress: Callable[[float], object]) -> Analysis:
        """Compute the analysis, and try to store it."""
        workers, payer, table = self._table.shared.workers, connection.account, self._table
        analysis, document = await workers.analyse(table.game.now.record(), payer, progress)
        try:
            await table.shared.database.call(TableStore.keep_analysis, table.id, document)
        except sqlite3.Error:
            logger.exception("an analysis cannot be stored")
        return analysis


async def stored_analysis(table: Table) -> str | None:
    """Return the stored analysis of a table's game as a JSON document; `None` if none is stored."""
    return await table.shared.database.call(TableStore.analysis, table.id)


def _task_of(connection: Connection, request: str) -> str:
    return f"{id(connection)} {request}"


def _report(analysis: Analysis, table: Table, connection: Connection, message: Analyse) -> None:
    report = table.presenter.report(analysis, connection.language)
    connection.send(Analysed(message.id, 1.0, report))
