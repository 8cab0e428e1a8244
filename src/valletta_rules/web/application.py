"""The application: routes, files, and the WebSocket by which a page sits at a table."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from valletta_rules.codec import to_json
from valletta_rules.errors import VallettaError
from valletta_rules.records.files import format_record
from valletta_rules.specification.phrases import UnknownLanguageError
from valletta_rules.web import pictures
from valletta_rules.web.accounts import Account, Accounts
from valletta_rules.web.actors import TableActor, TableRegistry
from valletta_rules.web.connections import BROKEN, REPLACED, Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.health import Health
from valletta_rules.web.limits import Bucket, Limits
from valletta_rules.web.lobby import (
    ReportedError,
    lobby,
    look_at_cards,
    open_record,
    open_table,
    reporting,
)
from valletta_rules.web.middleware import HEALTH, address_of, guarded, refusal
from valletta_rules.web.presenter import MOST_POINTS, rule
from valletta_rules.web.protocol import (
    PROTOCOL,
    Ended,
    Hello,
    MessageError,
    Sent,
    read_message,
    write,
)
from valletta_rules.web.store import (
    Ages,
    DatabaseThread,
    TableStore,
    UnknownTableError,
    UnreadableTableError,
)
from valletta_rules.web.upkeep import remove_old
from valletta_rules.web.workers import BusyError, WorkerError, WorkerPool, Workers
from valletta_rules.words import LANGUAGES, page_words, refusal_of

PAGES: Final = Path(__file__).parent / "pages"
"""The folder of the pages."""

PATIENCE: Final = 25.0
"""How many seconds a page may be silent before its connection is closed."""

BODY: Final = 10.0
"""How many seconds the body of a request may take."""

GREETING: Final = 5.0
"""How many seconds a page may take to say who it is."""

SENDING: Final = 10.0
"""How many seconds it may take to send a message."""

NO_HELLO: Final = 4002
"""The code that closes a connection which does not begin with a greeting."""

TOO_FAST: Final = 4008
"""The code that closes a connection which sends too much."""

GIVEN_UP: Final = 4009
"""The code that closes a connection which has been silent for too long."""

logger: Final = logging.getLogger(__name__)


def application(
    path: Path | DatabaseThread,
    *,
    hosts: Iterable[str] = (),
    links: Sequence[str] = (),
    workers: Workers | None = None,
    limits: Limits | None = None,
    public: str | None = None,
    ages: Ages | None = None,
) -> ASGIApp:
    """Return the application to be served, middleware included.

    Takes the file of the tables, or the thread that has opened it, the names of this machine beside
    those of the loopback, the addresses at which others reach it, the workers that run the bots,
    the rate limits, the origin of the public URL, if there is one, and for how long tables are
    kept.
    """
    limits, ages = limits or Limits(), ages or Ages()
    opened = path if isinstance(path, DatabaseThread) else DatabaseThread(path)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(_prepare)
        async with opened as database, workers or WorkerPool() as pool:
            app.state.tables = tables = TableRegistry(database, pool, limits)
            app.state.accounts = Accounts(limits.address_cpu)
            app.state.links = tuple(links)
            app.state.health = Health(database)
            app.state.ages = ages
            removing = asyncio.create_task(remove_old(tables, ages))
            try:
                yield
            finally:
                removing.cancel()
                await asyncio.gather(removing, return_exceptions=True)
                await tables.close()

    handlers: dict[Any, Any] = dict.fromkeys((VallettaError, WorkerError, sqlite3.Error), _say_why)
    app = Starlette(
        routes=_routes(),
        exception_handlers={**handlers, HTTPException: _say_no},
        middleware=[_at_most(16_384)],
        lifespan=lifespan,
    )
    return guarded(app, hosts, limits, public=public)


def _prepare() -> None:
    """Make what takes long the first time, and is the same for everybody."""
    for code in LANGUAGES:
        _all_words(code)
        pictures.stock(code)
        rule(MOST_POINTS, code)


def _routes() -> list[BaseRoute]:
    """Return what the application serves."""
    cards = [_at_most(300_000)]
    return [
        Route("/", partial(_page, "index.html")),
        Route("/table/{table}", partial(_page, "table.html")),
        Route("/api/lobby", _lobby),
        Route(HEALTH, _health),
        Route("/api/card-set", _card_set, methods=["POST"], middleware=cards),
        Route("/api/tables", _open_table, methods=["POST"], middleware=cards),
        Route("/api/tables/{table}/record", _record),
        Route("/api/replay", _open_record, methods=["POST"], middleware=[_at_most(2_000_000)]),
        Route("/api/clauses/{clause}", _clause),
        Route("/static/words.{language}.json", _words),
        Route("/static/pictures.{language}.json", _pictures),
        Mount("/static", StaticFiles(directory=PAGES)),
        WebSocketRoute("/ws", _sit),
    ]


def _at_most(size: int) -> Middleware:
    """Return the middleware that refuses bodies of more bytes."""
    return Middleware(RequestBodyLimitMiddleware, max_body_size=size)


# Pages, and what they fetch


async def _page(name: str, request: Request) -> Response:
    return FileResponse(PAGES / name)


async def _lobby(request: Request) -> Response:
    return _sent(lobby(_language(request), request.app.state.links, request.app.state.ages))


async def _health(request: Request) -> Response:
    """Tell a health checker whether the file of tables can be used."""
    status, facts = await request.app.state.health.report()
    return JSONResponse(facts, status)


async def _card_set(request: Request) -> Response:
    work = partial(reporting, look_at_cards, await _text(request), _asked_in(request))
    return _sent(await request.app.state.tables.workers.run(work, _account(request)))


async def _open_table(request: Request) -> Response:
    tables, text = request.app.state.tables, await _text(request)
    return _sent(await open_table(tables, text, _asked_in(request), _account(request)), 201)


async def _open_record(request: Request) -> Response:
    tables, text = request.app.state.tables, await _text(request)
    return _sent(await open_record(tables, text, _asked_in(request), _account(request)), 201)


async def _record(request: Request) -> Response:
    """Send the record of a finished game to its players, and of an opened record to anybody."""
    tables: TableRegistry = request.app.state.tables
    name, token = request.path_params["table"], request.headers.get("authorization", "")
    token = token.removeprefix("Bearer ")
    known = await tables.database.ask(TableStore.seat_of, name, token) is not None
    known = known or await tables.database.ask(TableStore.is_opener, name, token)
    account = _account(request)
    actor = await tables.actor(name, account)
    record = await actor.record()
    if not (known or actor.is_replay):
        raise RefusedError("not-seated")
    text = await tables.workers.run(partial(format_record, record), account)
    return Response(text, media_type="text/plain")


async def _clause(request: Request) -> Response:
    found = rule(request.path_params["clause"], _language(request))
    if found is None:
        raise HTTPException(404)
    return _sent(found)


async def _words(request: Request) -> Response:
    return JSONResponse(_all_words(_code(request.path_params["language"])))


@cache
def _all_words(code: str) -> dict[str, Any]:
    return page_words(LANGUAGES[code])


async def _pictures(request: Request) -> Response:
    return JSONResponse(pictures.stock(_code(request.path_params["language"])))


def _sent(message: Sent, status: int = 200) -> Response:
    return Response(write(message), status, media_type="application/json")


def _account(connection: HTTPConnection) -> Account:
    """Return who pays for the work that a request causes: its address."""
    accounts: Accounts = connection.app.state.accounts
    return accounts.of(address_of(connection.scope))


async def _text(request: Request) -> str:
    """Return the body of a request; raise an error if it does not arrive in time."""
    try:
        async with asyncio.timeout(BODY):
            return (await request.body()).decode()
    except UnicodeDecodeError:
        raise MessageError("a message is text in UTF-8") from None
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408) from None


def _language(request: Request) -> str:
    """Return the language of the query, or else of the browser, or else English."""
    if (wanted := request.query_params.get("language")) is not None:
        return _code(wanted)
    preferred = request.headers.get("accept-language", "")
    codes = (each.strip()[:2].lower() for each in preferred.split(","))
    return next((code for code in codes if code in LANGUAGES), "en")


def _code(language: str) -> str:
    if language not in LANGUAGES:
        raise UnknownLanguageError(language)
    return language


# Refusals


async def _say_why(request: Request, error: Exception) -> Response:
    """Answer with what is wrong, in the language of the request."""
    language = LANGUAGES[_asked_in(request)]
    match error:
        case RefusedError():
            status, code = 503 if error.reason == "full" else 403, error.reason
        case BusyError():
            status, code = 429, "too-fast"
        case ReportedError():
            return Response(to_json(error.refusal), 400, media_type="application/json")
        case UnknownTableError():
            status, code = 404, "no-table"
        case UnreadableTableError():
            logger.error("a table cannot be opened: %s", error)
            status, code = 500, "not-read"
        case VallettaError():
            status = 404 if isinstance(error, UnknownLanguageError) else 400
            text = to_json(refusal_of(error, language))
            return Response(text, status, media_type="application/json")
        case WorkerError():
            logger.error("a request failed", exc_info=error)
            status, code = 503, "failed"
        case _:
            logger.error("the file of tables cannot be used", exc_info=error)
            is_read = request.method == "GET"
            status, code = (500, "not-read") if is_read else (507, "not-kept")  # a full disk
    return refusal(status, code, language.say(f"talk.refusals.{code}"))


def _asked_in(request: Request) -> str:
    try:
        return _language(request)
    except UnknownLanguageError:
        return "en"


async def _say_no(request: Request, error: Exception) -> Response:
    """Answer what the framework itself refuses: no such path, no such method."""
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, error.detail.lower().replace(" ", "-"), error.detail)


# A page at a table


async def _sit(socket: WebSocket) -> None:
    """Connect a page with a table until it leaves, is silent for too long, or is sent away."""
    await socket.accept()
    try:
        async with asyncio.timeout(GREETING):
            hello = read_message(await socket.receive_text())
        if not isinstance(hello, Hello) or hello.protocol != PROTOCOL:
            raise MessageError("the first message is a greeting in our version")
    except (MessageError, TimeoutError, KeyError):
        await _turn_away(socket, NO_HELLO)
        return
    except WebSocketDisconnect:
        return
    tables: TableRegistry = socket.app.state.tables
    connection = Connection(hello.language, _account(socket).page(tables.limits.page_cpu))
    try:
        await connection.account.credit()
        actor = await tables.actor(hello.table, connection.account)
    except (UnknownTableError, RefusedError) as error:
        code = error.reason if isinstance(error, RefusedError) else "no-table"
        await _turn_away(socket, REPLACED, _ended(code, hello))
        return
    except (UnreadableTableError, sqlite3.Error) as error:
        logger.error("a table cannot be opened: %s", error)
        await _turn_away(socket, BROKEN, _ended("not-read", hello))
        return
    await actor.put(actor.join, connection, hello)
    writer = asyncio.create_task(_write(socket, connection))
    reader = asyncio.create_task(_read(socket, connection, actor))
    try:
        await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
    finally:
        reader.cancel()
        await actor.put(actor.leave, connection)
        connection.queue.close(1001)
        await asyncio.gather(reader, writer, return_exceptions=True)
        connection.queue.drop()


def _ended(code: str, hello: Hello) -> Ended:
    """Return what tells a page that it cannot sit at the table, and why."""
    return Ended(code, LANGUAGES[hello.language].say(f"talk.refusals.{code}"))


async def _turn_away(socket: WebSocket, code: int, *told: Ended) -> None:
    """Tell a page why it cannot connect, and close its connection, unless it has left already."""
    with suppress(WebSocketDisconnect):
        for each in told:
            await socket.send_text(write(each))
        await socket.close(code)


async def _read(socket: WebSocket, connection: Connection, actor: TableActor) -> None:
    """Pass on what a page sends, as long as it sends something and not too much.

    A page that has used up its CPU time is read again when it has some.
    """
    bucket = Bucket(socket.app.state.tables.limits.messages, time.monotonic())
    try:
        while True:
            async with asyncio.timeout(PATIENCE):
                text = await socket.receive_text()
            if not bucket.take(time.monotonic()):
                connection.queue.close(TOO_FAST)
                return
            await actor.put(actor.hear, connection, text)
            await connection.account.credit()
    except TimeoutError:
        connection.queue.close(GIVEN_UP)
    except (WebSocketDisconnect, KeyError):  # it has left, or sends bytes
        connection.queue.close(1000)


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Send what waits in the queue, and close the connection when the queue says so."""
    try:
        while (text := await connection.queue.next()) is not None:
            async with asyncio.timeout(SENDING):
                await socket.send_text(text)
        async with asyncio.timeout(SENDING):
            await socket.close(connection.queue.code or 1000)
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return
