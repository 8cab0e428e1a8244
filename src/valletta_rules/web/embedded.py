"""The service for game tables, which runs in the browser instead of on a server.

`docs/play/worker.js` calls this module.  There is only one user, so there are no rate limits.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from math import inf
from pathlib import Path
from typing import Final

import attrs

from valletta_rules.codec import to_json
from valletta_rules.errors import VallettaError
from valletta_rules.web.accounts import Account
from valletta_rules.web.actors import TableActor
from valletta_rules.web.connections import Connection
from valletta_rules.web.limits import Bucket, Limits, Rate
from valletta_rules.web.protocol import Hello, read_message
from valletta_rules.web.registry import TableRegistry
from valletta_rules.web.service import (
    LOCAL_REQUESTS,
    QUESTIONS,
    Service,
    ServiceRequest,
    refused,
    sit,
)
from valletta_rules.web.store import Ages, LocalDatabase, TableStore
from valletta_rules.web.upkeep import Removal
from valletta_rules.web.workers import LocalWorkers, WorkerError

PLENTY: Final = Rate(1e9, 1e9)
"""A rate limit so high that a single user never reaches it."""


AGES: Final = Ages(replays=7)
"""The ages at which tables are removed.

Trials are removed soon, because every link *Try it* opens a new one.
"""


class Embedded:
    """The service in a browser, with the connections to the pages that use it."""

    def __init__(self, path: Path, keep: Callable[[], Awaitable[object]]) -> None:
        """Open the table database at `path`; `keep` is a function that makes changes durable."""
        store = TableStore(path, journal="TRUNCATE")
        database = LocalDatabase(store, keep)
        limits = Limits(address_cpu=PLENTY, page_cpu=PLENTY)
        self._service = Service(TableRegistry(database, LocalWorkers(), limits), AGES)
        _, newest = store.extent()
        self._removal = Removal(self._service.tables, AGES, newest)
        self._account = Account(Bucket(PLENTY, -inf, PLENTY.burst), clock=lambda: 0.0)
        self._pages: dict[str, _Page] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(
        self, path: str, language: str, text: str | None, token: str
    ) -> tuple[int, str]:
        """Answer a query or request from a page; return the HTTP status and text of the response.

        `text` is the text of a request, or `None` for a query.
        """
        request = ServiceRequest(language, self._account, text or "", token)
        for pattern, answer in (QUESTIONS if text is None else LOCAL_REQUESTS).items():
            match = re.fullmatch(pattern.replace("{about}", "([^/]+)"), path)
            if match is None:
                continue
            try:
                if text is not None:
                    await self._removal.round()
                return 200, await answer(
                    self._service, attrs.evolve(request, about="".join(match.groups()))
                )
            except (VallettaError, WorkerError, sqlite3.Error) as error:
                status, why = refused(error, language, reads=text is None)
                return status, to_json(why)
        return 404, json.dumps(None)

    def open(self, name: str, hello: str, send: Callable[[str | None], object]) -> None:
        """Connect a page; `hello` is its first message.

        `send` is called with each message to the page, and with `None` when the connection ends. If
        the first message is not a `Hello`, the page was connected to an earlier web worker that has
        ended, and it must reconnect.
        """
        message = read_message(hello)
        if not isinstance(message, Hello):
            send(None)
            return
        page = self._pages[name] = _Page(send)
        task = asyncio.create_task(sit(self._service, page, message, self._account.page(PLENTY)))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._forget(name, done))

    def _forget(self, name: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._pages.pop(name).send(None)

    def receive(self, name: str, text: str | None) -> None:
        """Pass a message from a page to its table; `text` is `None` if the page has left."""
        if name in self._pages:
            self._pages[name].incoming.put_nowait(text)


@attrs.frozen(eq=False)
class _Page:
    """The connection to a page in the same browser."""

    send: Callable[[str | None], object]
    incoming: asyncio.Queue[str | None] = attrs.field(factory=asyncio.Queue)

    async def read(self, actor: TableActor, connection: Connection) -> None:
        """Pass messages from the page to its table until the page leaves."""
        while (text := await self.incoming.get()) is not None:
            await actor.table.put(actor.receive, connection, text)
        connection.queue.close(1000)

    async def write(self, connection: Connection) -> None:
        """Send the messages from the queue to the page until the queue ends."""
        while (text := await connection.queue.next()) is not None:
            self.send(text)
