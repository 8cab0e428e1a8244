"""The service that answers queries and requests from pages, on a server or in the browser.

`valletta_rules.web.application` offers the service over HTTP and WebSockets.
`valletta_rules.web.embedded` runs it in the browser, without a server.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, Protocol

import attrs

from valletta_rules.errors import Refusal, VallettaError
from valletta_rules.records.files import format_record
from valletta_rules.specification.phrases import UnknownLanguageError
from valletta_rules.web.accounts import Account
from valletta_rules.web.actors import TableActor
from valletta_rules.web.connections import BROKEN, Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.lobby import (
    LaidTable,
    ReportedError,
    check_card_set,
    lay_lesson,
    lay_record,
    lay_table,
    lay_trial,
    lobby,
    opens_at_once,
    reporting,
)
from valletta_rules.web.presenter import rule
from valletta_rules.web.protocol import Hello, Invitation, OpenedTable, write
from valletta_rules.web.registry import TableRegistry
from valletta_rules.web.store import Ages, TableStore, UnknownTableError, UnreadableTableError
from valletta_rules.web.workers import BusyError, WorkerError, rank_of
from valletta_rules.words import LANGUAGES, refusal_of

logger: Final = logging.getLogger(__name__)


class MissingError(VallettaError, LookupError):
    """Raised if no clause has the requested id."""


@attrs.frozen
class Service:
    """The state of the service: its tables, and the server settings that the lobby shows."""

    tables: TableRegistry
    ages: Ages
    """The ages at which tables are removed."""
    links: Sequence[str] = ()
    """The addresses at which other machines reach this server."""


@attrs.frozen
class ServiceRequest:
    """A query or request from a page."""

    language: str
    """The code of the language for the response."""
    account: Account
    """The account to which the CPU time for the answer is charged."""
    text: str = ""
    """The text of a request; empty for a query."""
    token: str = ""
    """The token that the page has sent; empty if it has sent none."""
    about: str = ""
    """The id of a table or clause in the path; empty if the path contains no id."""


async def _lobby(service: Service, request: ServiceRequest) -> str:
    return write(lobby(request.language, service.links, service.ages))


async def _clause(service: Service, request: ServiceRequest) -> str:
    if (clause := rule(request.about, request.language)) is None:
        raise MissingError(f"unknown clause: {request.about!r}")
    return write(clause)


async def _card_set(service: Service, request: ServiceRequest) -> str:
    work = partial(reporting, check_card_set, request.text, request.language)
    workers, rank = service.tables.workers, rank_of(request.text)
    return write(await workers.run(work, request.account, rank))


def _opening(lay: Callable[[bytes, str], LaidTable]) -> Answer:
    """Return a function that opens a table for a request.

    `lay` creates the data of the table from a random seed and the text of the request.
    """

    async def answer(service: Service, request: ServiceRequest) -> str:
        is_quick = lay is lay_table and opens_at_once(request.text, request.language)
        return await _open(service, request, partial(lay, secrets.token_bytes(32)), is_quick)

    return answer


async def _open_record(service: Service, request: ServiceRequest) -> str:
    return await _open(service, request, partial(lay_record, service.tables.limits.moves))


async def _open(
    service: Service,
    request: ServiceRequest,
    lay: Callable[[str], LaidTable],
    is_quick: bool = False,
) -> str:
    """Open the table that a request describes, and return its id and tokens in JSON.

    `lay` creates the data of the table from the text of the request.  A worker calls `lay`, unless
    `is_quick` is true: a quick request does not wait for a worker.  Raises `ReportedError` and the
    errors of `Workers.run`.
    """
    tables, work = service.tables, partial(reporting, lay, request.text, request.language)
    rank = rank_of(request.text)
    laid = work() if is_quick else await tables.workers.run(work, request.account, rank)
    keys = await tables.database.call(TableStore.create, laid.documents, laid.seats, laid.log)
    invited = [Invitation(seat, token) for seat, token in enumerate(keys.seats) if token]
    opener = "" if laid.documents.is_replay else keys.opener
    return write(OpenedTable(keys.table, opener, tuple(invited)))


async def _record(service: Service, request: ServiceRequest) -> str:
    """Return the record of a finished game.

    Only the players and the opener may request it; any page may request an opened record.
    """
    tables, name, token = service.tables, request.about, request.token
    known = await tables.database.call(TableStore.seat_of, name, token) is not None
    known = known or await tables.database.call(TableStore.is_opener, name, token)
    actor = await tables.actor(name, request.account)
    record = await actor.record()
    if not (known or actor.table.is_replay):
        raise RefusedError("not-seated")
    return await tables.workers.run(partial(format_record, record), request.account)


Answer = Callable[[Service, ServiceRequest], Awaitable[str]]

QUESTIONS: Final[Mapping[str, Answer]] = MappingProxyType(
    {"lobby": _lobby, "clauses/{about}": _clause, "tables/{about}/record": _record}
)
"""A mapping from paths below ``/api/`` to the functions that answer queries (``GET``)."""

REQUESTS: Final[Mapping[str, Answer]] = MappingProxyType(
    {
        "card-set": _card_set,
        "tables": _opening(lay_table),
        "lessons": _opening(lay_lesson),
        "replay": _open_record,
    }
)
"""A mapping from paths below ``/api/`` to the functions that answer requests (``POST``)."""

LOCAL_REQUESTS: Final[Mapping[str, Answer]] = MappingProxyType(
    {**REQUESTS, "trials": _opening(lay_trial)}
)
"""The requests in a browser without a server: `REQUESTS`, and requests to open trials.

A server does not open trials, because bots may be very slow in an arbitrary position.
"""


def refused(error: Exception, code: str, *, reads: bool) -> tuple[int, Refusal]:
    """Return the HTTP status for an error, and the refusal in the language `code`.

    `reads` is whether the request only reads data; a database error then has a different status.
    """
    match error:
        case RefusedError():
            status, reason = 503 if error.reason == "full" else 403, error.reason
        case BusyError():
            status, reason = 429, "too-fast"
        case ReportedError():
            return 400, error.refusal
        case UnknownTableError():
            status, reason = 404, "no-table"
        case UnreadableTableError():
            logger.error("a table cannot be opened: %s", error)
            status, reason = 500, "not-read"
        case MissingError():
            return 404, Refusal("not-found", "Not Found")
        case VallettaError():
            status = 404 if isinstance(error, UnknownLanguageError) else 400
            return status, refusal_of(error, LANGUAGES[code])
        case WorkerError():
            logger.error("a request failed", exc_info=error)
            status, reason = 503, "failed"
        case _:
            logger.error("the table database cannot be used", exc_info=error)
            status, reason = (500, "not-read") if reads else (507, "not-kept")  # a full disk
    return status, Refusal(reason, LANGUAGES[code].phrase(f"talk.refusals.{reason}"))


# A page at a table


class Socket(Protocol):
    """The interface between the service and the connection to a page."""

    async def read(self, actor: TableActor, connection: Connection) -> None:
        """Pass a page's messages to the actor; when the page leaves, close the page's queue."""
        ...

    async def write(self, connection: Connection) -> None:
        """Send the messages in the page's queue; close the connection after the queue is closed."""
        ...


async def sit(service: Service, socket: Socket, hello: Hello, account: Account) -> None:
    """Connect a page to the table that `hello` names, until the page leaves or is refused.

    `account` is charged for the CPU time of the page's requests.
    """
    connection = Connection(hello.language, account)
    try:
        await account.credit()
        actor = await service.tables.actor(hello.table, account)
    except (UnknownTableError, RefusedError) as error:
        connection.end(error.reason if isinstance(error, RefusedError) else "no-table")
        await socket.write(connection)
        return
    except (UnreadableTableError, sqlite3.Error) as error:
        logger.error("a table cannot be opened: %s", error)
        connection.end("not-read", BROKEN)
        await socket.write(connection)
        return
    put = actor.table.put
    await put(actor.join, connection, hello)
    writer = asyncio.create_task(socket.write(connection))
    reader = asyncio.create_task(socket.read(actor, connection))
    try:
        await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
    finally:
        reader.cancel()
        await put(actor.leave, connection)
        connection.queue.close(1001)
        await asyncio.gather(reader, writer, return_exceptions=True)
        connection.queue.drop()
