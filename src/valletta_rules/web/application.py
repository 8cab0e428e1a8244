"""The ASGI application: its routes, static files, and the WebSockets of pages."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import attrs
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
from valletta_rules.specification.phrases import UnknownLanguageError
from valletta_rules.web import pictures
from valletta_rules.web.accounts import Account, Accounts
from valletta_rules.web.actors import TableActor
from valletta_rules.web.connections import Connection
from valletta_rules.web.health import Health
from valletta_rules.web.limits import Limits
from valletta_rules.web.middleware import HEALTH, address_of, guarded, refusal
from valletta_rules.web.presenter import MOST_POINTS, rule
from valletta_rules.web.processes import WorkerPool
from valletta_rules.web.protocol import PROTOCOL, Hello, MessageError, read_message
from valletta_rules.web.registry import TableRegistry
from valletta_rules.web.service import (
    QUESTIONS,
    REQUESTS,
    Answer,
    Service,
    ServiceRequest,
    refused,
    sit,
)
from valletta_rules.web.store import Ages, DatabaseThread
from valletta_rules.web.upkeep import keep_removing
from valletta_rules.web.workers import WorkerError, Workers
from valletta_rules.words import LANGUAGES, page_words

PAGES: Final = Path(__file__).parent / "pages"
"""The folder with the HTML, scripts and styles of the pages."""

REQUEST_TIMEOUT: Final = 25.0
"""The time in seconds without a message after which a page's WebSocket is closed."""

BODY: Final = 10.0
"""The maximum time in seconds for the arrival of a request's body."""

GREETING: Final = 5.0
"""The maximum time in seconds for the arrival of a page's first message, a `Hello`."""

SENDING: Final = 10.0
"""The maximum time in seconds for sending a message to a page."""

NO_HELLO: Final = 4002
"""The WebSocket close code if the first message from a page is not a valid `Hello`."""

GIVEN_UP: Final = 4009
"""The WebSocket close code if a page has sent no message within `REQUEST_TIMEOUT`."""

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
    """Return the ASGI application, wrapped in its middleware.

    `path` is the path of the table database, or the thread that has opened the file.  `hosts` are
    host names of this machine in addition to the loopback names, and `links` are its addresses for
    other machines.  `workers` run the bots, `limits` are the rate limits, and `public` is the
    origin of the public URL, if there is one.  `ages` are the ages at which tables are removed.
    """
    limits, ages = limits or Limits(), ages or Ages()
    opened = path if isinstance(path, DatabaseThread) else DatabaseThread(path)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(_prepare)
        async with opened as database, workers or WorkerPool() as pool:
            tables = TableRegistry(database, pool, limits)
            app.state.service = Service(tables, ages, tuple(links))
            app.state.accounts = Accounts(limits.address_cpu)
            app.state.health = Health(database)
            removing = asyncio.create_task(keep_removing(tables, ages))
            try:
                yield
            finally:
                removing.cancel()
                await asyncio.gather(removing, return_exceptions=True)
                await tables.close()

    handlers: dict[Any, Any] = dict.fromkeys(
        (VallettaError, WorkerError, sqlite3.Error), _respond_to_error
    )
    app = Starlette(
        routes=_routes(),
        exception_handlers={**handlers, HTTPException: _respond_to_http_error},
        middleware=[_at_most(16_384)],
        lifespan=lifespan,
    )
    return guarded(app, hosts, limits, public=public)


def _prepare() -> None:
    """Compute in advance the values that all pages share and that take long to compute."""
    for code in LANGUAGES:
        _all_words(code)
        pictures.stock(code)
        rule(MOST_POINTS, code)


def _routes() -> list[BaseRoute]:
    questions = [Route(f"/api/{path}", partial(_answer, each)) for path, each in QUESTIONS.items()]
    requests = [
        Route(
            f"/api/{path}",
            partial(_carry_out, each),
            methods=["POST"],
            middleware=[_at_most(2_000_000 if path == "replay" else 300_000)],
        )
        for path, each in REQUESTS.items()
    ]
    return [
        Route("/", partial(_page, "index.html")),
        Route("/table/{table}", partial(_page, "table.html")),
        Route(HEALTH, _health),
        *questions,
        *requests,
        Route("/static/words.{language}.json", partial(_stock, _all_words)),
        Route("/static/pictures.{language}.json", partial(_stock, pictures.stock)),
        Mount("/static", StaticFiles(directory=PAGES)),
        WebSocketRoute("/ws", _sit),
    ]


def _at_most(size: int) -> Middleware:
    """Return middleware that refuses requests with bodies of more than `size` bytes."""
    return Middleware(RequestBodyLimitMiddleware, max_body_size=size)


# Pages and their files


async def _page(name: str, request: Request) -> Response:
    return FileResponse(PAGES / name)


async def _health(request: Request) -> Response:
    """Respond to a health check: report whether the table database can be used."""
    status, facts = await request.app.state.health.report()
    return JSONResponse(facts, status)


async def _answer(answer: Answer, request: Request) -> Response:
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    about = request.path_params.get("about", "")
    account = _account(request)
    text = await answer(
        request.app.state.service, ServiceRequest(_language(request), account, "", token, about)
    )
    kind = "application/json" if text.startswith("{") else "text/plain"
    return Response(text, media_type=kind)


async def _carry_out(answer: Answer, request: Request) -> Response:
    service_request = ServiceRequest(
        _language_or_default(request), _account(request), await _text(request)
    )
    text = await answer(request.app.state.service, service_request)
    return Response(
        text, 200 if answer is REQUESTS["card-set"] else 201, media_type="application/json"
    )


async def _stock(stock: Callable[[str], Mapping[str, Any]], request: Request) -> Response:
    return JSONResponse(stock(_code(request.path_params["language"])))


@cache
def _all_words(code: str) -> dict[str, Any]:
    return page_words(LANGUAGES[code])


def _account(connection: HTTPConnection) -> Account:
    """Return the account to which requests from the client's address are charged."""
    accounts: Accounts = connection.app.state.accounts
    return accounts.of(address_of(connection.scope))


async def _text(request: Request) -> str:
    """Return the body of a request; raise an error if it does not arrive in time."""
    try:
        async with asyncio.timeout(BODY):
            return (await request.body()).decode()
    except UnicodeDecodeError:
        raise MessageError("the body of a request must be text in UTF-8") from None
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408) from None


def _language(request: Request) -> str:
    """Return the language in the URL; if there is none, the browser's language or English."""
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


async def _respond_to_error(request: Request, error: Exception) -> Response:
    """Respond with a description of `error` in the language of the request."""
    status, why = refused(error, _language_or_default(request), reads=request.method == "GET")
    return Response(to_json(why), status, media_type="application/json")


def _language_or_default(request: Request) -> str:
    try:
        return _language(request)
    except UnknownLanguageError:
        return "en"


async def _respond_to_http_error(request: Request, error: Exception) -> Response:
    """Respond to an HTTP error that the framework raises, such as 404 for an unknown path."""
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, error.detail.lower().replace(" ", "-"), error.detail)


# A page at a table


async def _sit(socket: WebSocket) -> None:
    """Connect a page to a table until the page leaves, times out, or is refused."""
    await socket.accept()
    try:
        async with asyncio.timeout(GREETING):
            hello = read_message(await socket.receive_text())
        if not isinstance(hello, Hello) or hello.protocol != PROTOCOL:
            raise MessageError(f"the first message must be a Hello with protocol {PROTOCOL}")
    except (MessageError, TimeoutError, KeyError):
        with suppress(WebSocketDisconnect):
            await socket.close(NO_HELLO)
        return
    except WebSocketDisconnect:
        return
    service = socket.app.state.service
    account = _account(socket).page(service.tables.limits.page_cpu)
    await sit(service, _Page(socket), hello, account)


@attrs.frozen
class _Page:
    """The WebSocket connection to a page."""

    _socket: WebSocket

    async def read(self, actor: TableActor, connection: Connection) -> None:
        """Pass messages from the page to its table until the page disconnects.

        Reading pauses while the account of the page is overdrawn.
        """
        try:
            while True:
                async with asyncio.timeout(REQUEST_TIMEOUT):
                    text = await self._socket.receive_text()
                await actor.table.put(actor.receive, connection, text)
                await connection.account.credit()
        except TimeoutError:
            connection.queue.close(GIVEN_UP)
        except (WebSocketDisconnect, KeyError):  # it has left, or has sent bytes
            connection.queue.close(1000)

    async def write(self, connection: Connection) -> None:
        """Send the messages from the queue until the queue ends, and then close the connection."""
        try:
            while (text := await connection.queue.next()) is not None:
                async with asyncio.timeout(SENDING):
                    await self._socket.send_text(text)
            async with asyncio.timeout(SENDING):
                await self._socket.close(connection.queue.code or 1000)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            return
