"""Health checks, which report whether the table database can be written."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from typing import Final

import attrs

from valletta_rules.version import __version__
from valletta_rules.web.store import Database, TableStore

FRESH: Final = 5.0
"""The time in seconds for which a report is cached, to limit the work for frequent requests."""

HEALTH_TIMEOUT: Final = 5.0
"""The maximum time in seconds for the write to the table database."""

logger: Final = logging.getLogger(__name__)


@attrs.define
class Health:
    """A health checker, which tests the table database with a write."""

    database: Database
    clock: Callable[[], float] = time.monotonic
    """A function that returns the time in seconds."""
    _checked_at: float = attrs.field(init=False, default=0.0)
    _answer: asyncio.Task[bool] | None = attrs.field(init=False, default=None)

    async def report(self) -> tuple[int, Mapping[str, str]]:
        """Return the HTTP status, 200 or 503, and the content of the response to a health check."""
        now = self.clock()
        if self._answer is None or now - self._checked_at >= FRESH:
            self._checked_at, self._answer = now, asyncio.create_task(self._is_usable())
        status, state = (200, "ok") if await asyncio.shield(self._answer) else (503, "not-kept")
        return status, {"status": state, "version": __version__}

    async def _is_usable(self) -> bool:
        """Return whether a write to the table database succeeds; on a full disk, it fails."""
        try:
            async with asyncio.timeout(HEALTH_TIMEOUT):
                await self.database.call(TableStore.touch)
        except (sqlite3.Error, TimeoutError) as error:
            logger.warning(
                "the table database cannot be used: %s", error or "a write takes too long"
            )
            return False
        return True
