"""The service: what pages ask for, however they are connected.

`valletta_rules.web.application` answers by HTTP and WebSockets, `valletta_rules.web.embedded` in
the browser itself, where there is no server.
"""

from __future__ import annotations

import asyncio
import logging
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
from valletta_rules.web.actors import TableActor, TableRegistry
from valletta_rules.web.connections import BROKEN, REPLACED, Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.lobby import (
    ReportedError,
    lay_lesson,
    lobby,
    look_at_cards,
    open_record,
    open_table,
    open_trial,
    reporting,
)
from valletta_rules.web.presenter import rule
from valletta_rules.web.protocol import Ended, Hello, write
from valletta_rules.web.store import Ages, TableStore, UnknownTableError, UnreadableTableError
from valletta_rules.web.workers import BusyError, WorkerError
from valletta_rules.words import LANGUAGES, refusal_of

logger: Final = logging.getLogger(__name__)


class MissingError(VallettaError, LookupError):
    """There is nothing of that name."""


@attrs.frozen
class Service:
    """The tables, and what a page may know before it sits at one."""

    tables: TableRegistry
    ages: Ages
    """For how long tables are kept."""
    links: Sequence[str] = ()
    """The addresses at which others reach us."""


@attrs.frozen
class Asked:
    """What a page asks."""

    language: str
    """The code of a language."""
    account: Account
    """Who pays for the work."""
    body: str = ""
    token: str = ""
    """The token that the page has shown, if any."""
    about: str = ""
    """The id of a table or of a clause, if the path has one."""


async def _lobby(service: Service, asked: Asked) -> str:
    return write(lobby(asked.language, service.links, service.ages))


async def _clause(service: Service, asked: Asked) -> str:
    if (found := rule(asked.about, asked.language)) is None:
        raise MissingError("not found")
    return write(found)


async def _card_set(service: Service, asked: Asked) -> str:
    work = partial(reporting, look_at_cards, asked.body, asked.language)
    return write(await service.tables.workers.run(work, asked.account))


async def _open_table(service: Service, asked: Asked) -> str:
    return write(await open_table(service.tables, asked.body, asked.language, asked.account))


async def _open_trial(service: Service, asked: Asked) -> str:
    return write(await open_trial(service.tables, asked.body, asked.language, asked.account))


async def _open_lesson(service: Service, asked: Asked) -> str:
    tables, account = service.tables, asked.account
    return write(await open_trial(tables, asked.body, asked.language, account, lay_lesson))


async def _open_record(service: Service, asked: Asked) -> str:
    return write(await open_record(service.tables, asked.body, asked.language, asked.account))


async def _record(service: Service, asked: Asked) -> str:
    """Return the record of a finished game for its players, and of an opened one for anybody."""
    tables, name, token = service.tables, asked.about, asked.token
    known = await tables.database.ask(TableStore.seat_of, name, token) is not None
    known = known or await tables.database.ask(TableStore.is_opener, name, token)
    actor = await tables.actor(name, asked.account)
    record = await actor.record()
    if not (known or actor.is_replay):
        raise RefusedError("not-seated")
    return await tables.workers.run(partial(format_record, record), asked.account)


Answer = Callable[[Service, Asked], Awaitable[str]]

QUESTIONS: Final[Mapping[str, Answer]] = MappingProxyType(
    {"lobby": _lobby, "clauses/{about}": _clause, "tables/{about}/record": _record}
)
"""What pages ask, by paths below ``/api/``."""

REQUESTS: Final[Mapping[str, Answer]] = MappingProxyType(
    {
        "card-set": _card_set,
        "tables": _open_table,
        "lessons": _open_lesson,
        "replay": _open_record,
    }
)
"""What pages send."""

LOCAL_REQUESTS: Final[Mapping[str, Answer]] = MappingProxyType({**REQUESTS, "trials": _open_trial})
"""What pages send where there is one user: a position can be made that takes bots very long."""


def refused(error: Exception, code: str, *, reads: bool) -> tuple[int, Refusal]:
    """Return the status of a response that says what is wrong, and what it says, in a language.

    Takes whether nothing was to be written.
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
            logger.error("the file of tables cannot be used", exc_info=error)
            status, reason = (500, "not-read") if reads else (507, "not-kept")  # a full disk
    return status, Refusal(reason, LANGUAGES[code].say(f"talk.refusals.{reason}"))


# A page at a table


class Socket(Protocol):
    """How a page is connected."""

    async def turn_away(self, text: str, code: int) -> None:
        """Send a last text, and end the connection; do nothing if the page has left."""
        ...

    async def read(self, actor: TableActor, connection: Connection) -> None:
        """Put what the page sends to the actor until it leaves; close the queue then."""
        ...

    async def write(self, connection: Connection) -> None:
        """Send what waits in the queue, and close the connection when the queue says so."""
        ...


async def sit(service: Service, socket: Socket, hello: Hello, account: Account) -> None:
    """Connect a page with the table of its greeting until it leaves, or is sent away.

    Takes who pays.
    """
    connection = Connection(hello.language, account)
    try:
        await account.credit()
        actor = await service.tables.actor(hello.table, account)
    except (UnknownTableError, RefusedError) as error:
        code = error.reason if isinstance(error, RefusedError) else "no-table"
        await _turn_away(socket, REPLACED, code, hello)
        return
    except (UnreadableTableError, sqlite3.Error) as error:
        logger.error("a table cannot be opened: %s", error)
        await _turn_away(socket, BROKEN, "not-read", hello)
        return
    await actor.put(actor.join, connection, hello)
    writer = asyncio.create_task(socket.write(connection))
    reader = asyncio.create_task(socket.read(actor, connection))
    try:
        await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
    finally:
        reader.cancel()
        await actor.put(actor.leave, connection)
        connection.queue.close(1001)
        await asyncio.gather(reader, writer, return_exceptions=True)
        connection.queue.drop()


async def _turn_away(socket: Socket, status: int, code: str, hello: Hello) -> None:
    """Tell a page that it cannot sit at the table, and why."""
    said = LANGUAGES[hello.language].say(f"talk.refusals.{code}")
    await socket.turn_away(write(Ended(code, said)), status)
