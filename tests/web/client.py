"""A test client for the web application, which sends HTTP requests and opens WebSockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import attrs
import pytest

from valletta_rules import Action, PlayerView
from valletta_rules.analysis import Advice, advise
from valletta_rules.web.accounts import Account
from valletta_rules.web.application import application
from valletta_rules.web.embedded import Embedded
from valletta_rules.web.limits import Limits, Rate
from valletta_rules.web.workers import BotAnswer, LocalWorkers, SeatHistory

Message = MutableMapping[str, Any]
JsonObject = Mapping[str, Any]
T = TypeVar("T")

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
"""The content of `cases.toml`: requests with their expected responses."""

QUICK = Limits(address_cpu=Rate(10_000, 1), page_cpu=Rate(10_000, 1))
"""Limits on CPU time that are so high that no test reaches them, even on a slow machine."""

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Anna", "", "Clara", "Doro")


# Requests


def scope_of(kind: str, path: str = "/", **given: Any) -> Message:
    """Return an ASGI scope as uvicorn creates it. `headers` are added to the header `host`."""
    path, _, query = path.partition("?")
    host, headers = given.pop("host", "localhost:8000"), given.pop("headers", ())
    pairs = [("host", host), *headers] if host is not None else headers
    return {
        "type": kind,
        "method": "GET",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in pairs],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "extensions": {"websocket.http.response": {}},
        **given,
    }


@attrs.frozen
class Response:
    """A response to an HTTP request, or to a WebSocket handshake that was rejected."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def value(self) -> Any:
        """The JSON document in the response, or only its key `value` if it has this key."""
        content = json.loads(self.text)
        return content.get("value", content)


async def fetch(
    app: Any, path: str, body: object = None, *, kind: str = "http", **given: Any
) -> Response:
    """Send a request to the application, and return the response.

    A request with a body is a POST request; the body may be a list of chunks.  If the application
    accepts a WebSocket, the response has status 101, and the connection is closed.
    """
    if not isinstance(body, list):
        body = [body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""]
    parts: list[Message] = [{"type": "websocket.connect"}]
    if kind == "http":
        more = [True] * (len(body) - 1) + [False]
        parts = [
            {"type": "http.request", "body": part, "more_body": has_more}
            for part, has_more in zip(body, more, strict=True)
        ]
    sent: list[Message] = []

    async def receive() -> Message:
        return parts.pop(0) if parts else {"type": f"{kind}.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    given = {"method": "POST" if body != [b""] else "GET", **given}
    await asyncio.create_task(app(scope_of(kind, path, **given), receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0].get("headers", ())}
    text = b"".join(message.get("body", b"") for message in sent).decode()
    return Response(sent[0].get("status", 101), headers, text)


# Pages


class Page:
    """A page of the web table, connected over a WebSocket.

    It records all messages from the server, and applies them to its own copy of the table.
    """

    _numbers = itertools.count()

    def __init__(self, app: Any, **given: Any) -> None:
        """Connect to an application over a WebSocket."""
        self._unread: asyncio.Queue[str | None] = asyncio.Queue()
        self.messages: list[JsonObject] = []
        """The messages that the page has read so far."""
        self.code: int | None = None
        """The code with which the server closed the connection; `None` while it is open."""
        self.own: tuple[int, ...] = ()
        self.moment: JsonObject = {}
        self.log: list[dict[str, Any]] = []
        self.parts: dict[str, JsonObject] = {}
        self.past: dict[int, list[dict[str, Any]]] = {}
        """Copies of the log, keyed by the revision of the game at the time of the copy."""
        self._connect(app, **given)

    def _connect(self, app: Any, **given: Any) -> None:
        self.texts: list[str] = []
        """The text of each message from the server, in order."""
        self.error: Exception | None = None
        """An error that each message to this page raises, as if the connection were broken."""
        self.reads = asyncio.Event()
        """An event that is set while the page reads messages. A test can clear it."""
        self.reads.set()
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.incoming.put_nowait({"type": "websocket.connect"})
        scope = scope_of("websocket", "/ws", **given)
        self.task = asyncio.create_task(app(scope, self.incoming.get, self._take))

    async def _take(self, message: Message) -> None:
        if self.error is not None and message["type"] != "websocket.accept":
            raise self.error
        await self.reads.wait()
        if message["type"] == "websocket.send":
            self.texts.append(message["text"])
            self._unread.put_nowait(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            self._unread.put_nowait(None)

    async def leave(self) -> None:
        """Close the connection, and wait until the server has finished handling it."""
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.task, 600)

    def send(self, text: str | bytes) -> None:
        """Send a text message or a binary message."""
        key = "text" if isinstance(text, str) else "bytes"
        self.incoming.put_nowait({"type": "websocket.receive", key: text})

    def send_json(self, kind: str, **content: Any) -> None:
        """Send a JSON message of type `kind`."""
        self.send(json.dumps({"type": kind, **content}))

    def hello(self, table: str, *tokens: str, **more: Any) -> None:
        """Send the first message, which names the table and contains the page's tokens."""
        revision = self.log[-1]["revision"] if self.log else None
        who = {"tokens": tokens, "language": "en", "viewer": None}
        self.send_json("hello", **{"protocol": 1, "table": table, "seen": revision, **who, **more})

    async def receive(self) -> JsonObject:
        """Read and apply the next message. Raise `EOFError` if the connection is closed."""
        text = await asyncio.wait_for(self._unread.get(), 600)
        if text is None:
            raise EOFError(self.code)
        message: dict[str, Any] = json.loads(text)
        self.messages.append(message)
        self._apply(message)
        return message

    def _apply(self, message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            since = -1 if message["since"] is None else message["since"]
            self.own, self.parts = tuple(message["own"]), {}
            self.log = [each for each in self.log if each["revision"] <= since] + message["log"]
        elif message["type"] == "stepped":
            self.log.append(message["entry"])
        if "moment" in message and not message.get("id", "").startswith(("look", "reopen")):
            patch, self.moment = message["patch"], message["moment"]
            self.parts = {key: self.parts[key] for key in self.parts.keys() - {*patch["gone"]}}
            self.parts |= {part["key"]: part for part in patch["changed"]}
            self.past[self.revision] = [each.copy() for each in self.log]

    async def receive_until(self, *kinds: str) -> JsonObject:
        """Read messages up to the first whose type is one of `kinds`, and return it."""
        while (message := await self.receive())["type"] not in kinds:
            pass
        return message

    async def receive_notice(self) -> str:
        """Read messages up to the first that contains a notice, and return the notice."""
        while (message := await self.receive_until("presence"))["notice"] is None:
            pass
        return str(message["notice"])

    async def reach(self, revision: int) -> None:
        """Read messages until the page shows the given revision of the game."""
        while self.revision < revision:
            await self.receive()

    async def wait_until_closed(self) -> int | None:
        """Read messages until the server closes the connection, and return the close code."""
        with suppress(EOFError):
            await self.receive_until()
        return self.code

    # Requests

    async def request(self, kind: str, **content: Any) -> JsonObject:
        """Send a request, and return the response that has its id."""
        name = content.setdefault("id", f"{kind}-{next(self._numbers)}")
        self.send_json(kind, **content)
        while (response := await self.receive()).get("id") != name:
            pass
        return response

    async def refusal_code(self, kind: str, **content: Any) -> str:
        """Send a request that the server must refuse, and return the code of the refusal."""
        response = await self.request(kind, **content)
        assert response["type"] == "refused", response
        return str(response["refusal"]["value"]["code"])

    async def ping(self) -> None:
        """Send a ping and wait for the pong. The server has then answered all earlier messages."""
        self.send_json("ping")
        await self.receive_until("pong")

    async def answer(self, action: JsonObject, **content: Any) -> JsonObject:
        """Answer the current prompt, wait for the new revision, and return the response."""
        content = {"revision": self.revision, "action": document(action), **content}
        response = await self.request("answer", **content)
        if response["type"] == "ack":
            await self.reach(response["revision"])
        return response

    async def wait_for_prompt(self) -> None:
        """Read messages until the player of this page must answer or the game is over."""
        while not self.legal and self.moment["asked"] is not None:
            await self.receive()

    async def play(self, rng: random.Random | None = None) -> None:
        """Answer the current prompt with a random legal action, or with the first one without
        `rng`.
        """
        if self.waits_for is not None:
            await self.request("present", seat=self.waits_for)
        assert (await self.answer(rng.choice(self.legal) if rng else self.legal[0]))["id"]

    # The state of the page

    @property
    def revision(self) -> int:
        """The revision of the game that the page shows."""
        return int(self.moment["revision"])

    @property
    def waits_for(self) -> int | None:
        """The seat of the player who must confirm their presence at the screen, or `None`."""
        seat: int | None = self.moment["waits_for"]
        return seat

    @property
    def undo(self) -> Any:
        """The page's offer to take back a step, or `None` if there is no such offer."""
        return self.moment["undo"]

    @property
    def legal(self) -> Sequence[JsonObject]:
        """The actions that are legal for the player of this page."""
        actions: Sequence[JsonObject] = self.moment["view"]["value"]["legal_actions"]
        return actions

    @property
    def hands(self) -> list[Any]:
        """All players' hands as the page shows them. A hidden hand is `None`."""
        return hands(self.moment)


class LocalPage(Page):
    """A page in a browser that runs the table service itself, without a server."""

    def _connect(self, app: Any, **given: Any) -> None:
        self.name, self._tables, self._is_open = str(next(self._numbers)), app, False

    def send(self, text: Any) -> None:
        """Send a message. The first message opens the connection."""
        if self._is_open:
            self._tables.receive(self.name, text)
        else:
            self._is_open = True
            self._tables.open(self.name, text, self._unread.put_nowait)

    async def leave(self) -> None:
        """Close the connection, and wait until the service has closed it as well."""
        self._tables.receive(self.name, None)
        while self._is_open:
            self._is_open = await self._unread.get() is not None

    async def receive(self) -> JsonObject:
        """Read and apply the next message. Raise `EOFError` if the connection has been closed."""
        try:
            return await super().receive()
        except EOFError:
            self._is_open = False
            raise


class Browser:
    """A browser that runs the table service itself, with the pages that are open in it."""

    def __init__(self, path: Path) -> None:
        """Create a browser that stores its tables in the database `path`."""
        self.save_count = 0
        self.tables = Embedded(path, self.save)
        self.pages: list[Page] = []

    async def save(self) -> None:
        """Count the call.

        In a real browser, the service would now write the database to the disk.
        """
        self.save_count += 1

    async def request(self, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """Send a request to the service; return the status and the JSON document."""
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        status, answer = await self.tables.answer(path, "en", text, token)
        return status, json.loads(answer)

    async def open_page(self, opened: JsonObject) -> Page:
        """Open a German page for a table, with the tokens of all its seats."""
        self.pages.append(page := LocalPage(self.tables))
        tokens = [each["token"] for each in opened["invitations"]]
        page.hello(opened["table"], *tokens, language="de")
        await page.receive_until("welcome", "ended")
        return page

    async def open(self, path: str, body: object) -> Page:
        """Request a new table, and open a page with the tokens of all its seats."""
        status, opened = await self.request(path, body)
        assert status == 200, opened
        return await self.open_page(opened)

    async def leave(self) -> None:
        """Close all pages of this browser."""
        for page in self.pages:
            await page.leave()


def hands(moment: JsonObject) -> list[Any]:
    """Return all players' hands in the view of a page. A hidden hand is `None`."""
    return [each["hand"] for each in moment["view"]["value"]["table"]["players"]]


def document(value: JsonObject, kind: str = "Action") -> JsonObject:
    """Return a value as a versioned JSON document of type `kind`."""
    return {"valletta_rules": 2, "kind": kind, "value": value}


async def play(rng: random.Random | None, *pages: Page) -> int:
    """Answer the current prompt on the page of the player who must act.

    All pages read the step.  Return the new revision.
    """
    page = next(each for each in pages if pages[0].moment["asked"] in each.own)
    await page.play(rng)
    for each in pages:
        await each.reach(page.revision)
    return page.revision


# The server


class Bots(LocalWorkers):
    """Workers that choose the first legal action.

    Bots and hints wait until the event `go` is set.  All other calls run in threads.
    """

    def __init__(self) -> None:
        """Create the workers. The event `go` is set, so that they answer without delay."""
        super().__init__()
        self.go = asyncio.Event()
        self.go.set()
        self.specs: list[str] = []
        self.histories: list[SeatHistory | None] = []
        self.view_counts: list[int] = []
        """For each call of `decide`, the number of views that it received."""
        self.fails = False

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        return await asyncio.to_thread(BotAnswer.of, call)

    async def decide(
        self,
        spec: str,
        views: Sequence[PlayerView],
        history: SeatHistory | None,
        seed: int,
        *,
        table: str,
        payer: Account | None = None,
    ) -> Action:
        """Record the arguments and return the first legal action."""
        self.specs.append(spec)
        self.histories.append(history)
        self.view_counts.append(len(views))
        await self.go.wait()
        return views[-1].legal_actions[0]

    async def hint(
        self, view: PlayerView, history: SeatHistory, *, table: str, payer: Account | None = None
    ) -> Advice:
        """Return advice; raise an error if `fails` is true."""
        await self.go.wait()
        if self.fails:
            raise ZeroDivisionError
        return advise(view)


@attrs.define
class Server:
    """A running application with the pages that are connected to it."""

    app: Any
    path: Path
    """The path of the database in which tables are stored."""
    bots: Bots
    pages: list[Page] = attrs.field(factory=list)

    async def fetch(self, path: str, body: object = None, **given: Any) -> Response:
        """Call the function `fetch` for this application."""
        return await fetch(self.app, path, body, **given)

    def page(self, **given: Any) -> Page:
        """Connect a new page and return it."""
        self.pages.append(Page(self.app, **given))
        return self.pages[-1]

    async def open(self, *levels: str | None) -> Table:
        """Open a table with a seat for each level. The level of a person is `None`.

        All games have the same seed.
        """
        seats = [
            {"name": name, "colour": colour, "level": level}
            for name, colour, level in zip(NAMES, COLOURS, levels, strict=False)
        ]
        with pytest.MonkeyPatch.context() as patched:
            same = SimpleNamespace(token_bytes=bytes)
            patched.setattr("valletta_rules.web.service.secrets", same)
            response = await self.fetch("/api/tables", {**WISH, "seats": seats})
        assert response.status == 201, response
        return Table(self, response.value)


WISH: JsonObject = {
    "edition": "hans-im-glueck",
    "variants": [],
    "cards": None,
    "is_shuffled": False,
    "is_coached": False,
}
"""The body of a request to open a table, without the key `seats`."""

RED = {"name": "", "colour": "red", "level": None}
BLUE = {"name": "", "colour": "blue", "level": "novice"}
SOLO: JsonObject = {**WISH, "seats": [RED, BLUE]}
"""The body of a request to open a table for one person and one bot."""


@attrs.frozen
class Table:
    """An opened table, with the tokens for its seats."""

    server: Server
    opened: JsonObject

    @property
    def id(self) -> str:
        """The id of the table."""
        return str(self.opened["table"])

    def token(self, seat: int) -> str:
        """Return the token for a seat."""
        tokens = (each["token"] for each in self.opened["invitations"] if each["seat"] == seat)
        return str(next(tokens))

    async def enter(self, *seats: int, opener: bool = False, **more: Any) -> Page:
        """Connect a page with the tokens for the given seats.

        Wait until the server admits or refuses the page.
        """
        tokens = [*map(self.token, seats), *[self.opened["opener"]] * opener]
        return await self.connect_page(*tokens, **more)

    async def connect_page(self, *tokens: str, log: Sequence[Any] = (), **more: Any) -> Page:
        """Connect a page with the given tokens, and wait until the server admits or refuses it.

        `log` contains the log entries that the page has already received.
        """
        page = self.server.page()
        page.log = [each.copy() for each in log]
        page.hello(self.id, *tokens, **more)
        await page.receive_until("welcome", "ended")
        return page

    async def record(self, token: str = "") -> Response:
        """Request the record of the table's game, and return the response."""
        headers = [("Authorization", f"Bearer {token}")]
        return await self.server.fetch(f"/api/tables/{self.id}/record", headers=headers)


@asynccontextmanager
async def serving(
    path: Path, limits: Limits = QUICK, links: Sequence[str] = ()
) -> AsyncIterator[Server]:
    """Run an application that stores its tables in the database `path`."""
    bots = Bots()
    server = Server(application(path, links=links, workers=bots, limits=limits), path, bots)
    incoming: asyncio.Queue[Message] = asyncio.Queue()
    outgoing: asyncio.Queue[Message] = asyncio.Queue()
    task = asyncio.create_task(server.app({"type": "lifespan"}, incoming.get, outgoing.put))
    incoming.put_nowait({"type": "lifespan.startup"})
    assert (await outgoing.get())["type"] == "lifespan.startup.complete"
    try:
        yield server
        for page in server.pages:
            await page.leave()
    finally:
        incoming.put_nowait({"type": "lifespan.shutdown"})
        await task
        assert outgoing.get_nowait()["type"] == "lifespan.shutdown.complete"
