"""A test client of the web application: HTTP requests, and pages on WebSockets."""

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
Told = Mapping[str, Any]
T = TypeVar("T")

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
"""Requests and their expected responses, from `cases.toml`."""

QUICK = Limits(address_cpu=Rate(10_000, 1), page_cpu=Rate(10_000, 1))
"""Limits on CPU time that no test reaches, however slow the machine is."""

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Anna", "", "Clara", "Doro")


# Requests


def scope_of(kind: str, path: str = "/", **given: Any) -> Message:
    """Return an ASGI scope as uvicorn builds it; `headers` are added to the header `host`."""
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
    """The response to an HTTP request or to a rejected WebSocket handshake."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def value(self) -> Any:
        """The JSON document in the response, or its key `value` if it has one."""
        found = json.loads(self.text)
        return found.get("value", found)


async def fetch(
    app: Any, path: str, body: object = None, *, kind: str = "http", **given: Any
) -> Response:
    """Send a request to the application and return the response.

    A request with a body, which may be a list of chunks, is a POST request. An accepted WebSocket
    gives status 101 and is closed.
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
    """A page on a WebSocket, which stores all messages and applies them to its own table."""

    _numbers = itertools.count()

    def __init__(self, app: Any, **given: Any) -> None:
        """Connect to an application."""
        self._told: asyncio.Queue[str | None] = asyncio.Queue()
        self.told: list[Told] = []
        """The messages that the page has read."""
        self.code: int | None = None
        """The code with which the server closed the connection."""
        self.own: tuple[int, ...] = ()
        self.moment: Told = {}
        self.log: list[dict[str, Any]] = []
        self.parts: dict[str, Told] = {}
        self.past: dict[int, list[dict[str, Any]]] = {}
        """The log as it was at each revision."""
        self._connect(app, **given)

    def _connect(self, app: Any, **given: Any) -> None:
        self.texts: list[str] = []
        """The text of every message that the server has sent, in order."""
        self.error: Exception | None = None
        """The error that every message to this page raises, as from a broken connection."""
        self.reads = asyncio.Event()
        """Whether the page reads messages."""
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
            self._told.put_nowait(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            self._told.put_nowait(None)

    async def leave(self) -> None:
        """Close the connection and wait until the server has finished with it."""
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.task, 600)

    def send(self, text: str | bytes) -> None:
        """Send a text or bytes."""
        key = "text" if isinstance(text, str) else "bytes"
        self.incoming.put_nowait({"type": "websocket.receive", key: text})

    def say(self, kind: str, **content: Any) -> None:
        """Send a message of type `kind` as JSON."""
        self.send(json.dumps({"type": kind, **content}))

    def hello(self, table: str, *tokens: str, **more: Any) -> None:
        """Send the first message of a page, which names its table and its tokens."""
        seen = self.log[-1]["revision"] if self.log else None
        who = {"tokens": tokens, "language": "en", "viewer": None}
        self.say("hello", **{"protocol": 1, "table": table, "seen": seen, **who, **more})

    async def hear(self) -> Told:
        """Read and apply the next message; raise `EOFError` if the connection was closed."""
        text = await asyncio.wait_for(self._told.get(), 600)
        if text is None:
            raise EOFError(self.code)
        told: dict[str, Any] = json.loads(text)
        self.told.append(told)
        self._show(told)
        return told

    def _show(self, told: dict[str, Any]) -> None:
        if told["type"] == "welcome":
            since = -1 if told["since"] is None else told["since"]
            self.own, self.parts = tuple(told["own"]), {}
            self.log = [each for each in self.log if each["revision"] <= since] + told["log"]
        elif told["type"] == "stepped":
            self.log.append(told["entry"])
        if "moment" in told and not told.get("id", "").startswith(("look", "reopen")):
            patch, self.moment = told["patch"], told["moment"]
            self.parts = {key: self.parts[key] for key in self.parts.keys() - {*patch["gone"]}}
            self.parts |= {part["key"]: part for part in patch["changed"]}
            self.past[self.revision] = [each.copy() for each in self.log]

    async def until(self, *kinds: str) -> Told:
        """Read messages until one has a type in `kinds`, and return it."""
        while (told := await self.hear())["type"] not in kinds:
            pass
        return told

    async def notice(self) -> str:
        """Read messages until one has a notice, and return the notice."""
        while (told := await self.until("presence"))["notice"] is None:
            pass
        return str(told["notice"])

    async def reach(self, revision: int) -> None:
        """Read messages until the page shows a revision."""
        while self.revision < revision:
            await self.hear()

    async def closed(self) -> int | None:
        """Read all messages until the connection is closed, and return its code."""
        with suppress(EOFError):
            await self.until()
        return self.code

    # Requests

    async def ask(self, kind: str, **content: Any) -> Told:
        """Send a message and return the response with its id."""
        name = content.setdefault("id", f"{kind}-{next(self._numbers)}")
        self.say(kind, **content)
        while (told := await self.hear()).get("id") != name:
            pass
        return told

    async def refused(self, kind: str, **content: Any) -> str:
        """Send a message, check that the response is a refusal, and return its code."""
        told = await self.ask(kind, **content)
        assert told["type"] == "refused", told
        return str(told["refusal"]["value"]["code"])

    async def ping(self) -> None:
        """Send a ping and wait for the pong, which follows all responses to earlier messages."""
        self.say("ping")
        await self.until("pong")

    async def answer(self, action: Told, **content: Any) -> Told:
        """Answer the current prompt, return the response, and wait for the new revision."""
        content = {"revision": self.revision, "action": document(action), **content}
        told = await self.ask("answer", **content)
        if told["type"] == "ack":
            await self.reach(told["revision"])
        return told

    async def asked(self) -> None:
        """Read messages until this page must answer or the game is over."""
        while not self.legal and self.moment["asked"] is not None:
            await self.hear()

    async def play(self, rng: random.Random | None = None) -> None:
        """Answer the current prompt with a random legal action, or with the first one."""
        if self.waits_for is not None:
            await self.ask("present", seat=self.waits_for)
        assert (await self.answer(rng.choice(self.legal) if rng else self.legal[0]))["id"]

    # The state of the page

    @property
    def revision(self) -> int:
        """The revision that the page shows."""
        return int(self.moment["revision"])

    @property
    def waits_for(self) -> int | None:
        """The seat whose player must confirm that they are at the screen."""
        seat: int | None = self.moment["waits_for"]
        return seat

    @property
    def undo(self) -> Any:
        """The step that the page can take back, or `None`."""
        return self.moment["undo"]

    @property
    def legal(self) -> Sequence[Told]:
        """The legal actions of this page."""
        actions: Sequence[Told] = self.moment["view"]["value"]["legal_actions"]
        return actions

    @property
    def hands(self) -> list[Any]:
        """The hands that the page shows, with `None` for a hidden hand."""
        return hands(self.moment)


class LocalPage(Page):
    """A page in the browser that also runs the service of the tables."""

    def _connect(self, app: Any, **given: Any) -> None:
        self.name, self._tables, self._is_open = str(next(self._numbers)), app, False

    def send(self, text: Any) -> None:
        """Connect with the first text, and send every other text as a message."""
        if self._is_open:
            self._tables.hear(self.name, text)
        else:
            self._is_open = True
            self._tables.open(self.name, text, self._told.put_nowait)

    async def leave(self) -> None:
        """Close the connection and wait until the service has closed it."""
        self._tables.hear(self.name, None)
        while self._is_open:
            self._is_open = await self._told.get() is not None

    async def hear(self) -> Told:
        """Read and apply the next message; raise `EOFError` if the connection was closed."""
        try:
            return await super().hear()
        except EOFError:
            self._is_open = False
            raise


class Browser:
    """A browser that runs the service of the tables, and the pages open in it."""

    def __init__(self, path: Path) -> None:
        """`path` is the file of the tables."""
        self.kept = 0
        self.tables = Embedded(path, self.keep)
        self.pages: list[Page] = []

    async def keep(self) -> None:
        """Count the requests to write the file to the disk."""
        self.kept += 1

    async def ask(self, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """Send a request and return its status and its JSON document."""
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        status, answer = await self.tables.answer(path, "en", text, token)
        return status, json.loads(answer)

    async def sit(self, opened: Told) -> Page:
        """Open a German page with all tokens of an opened table."""
        self.pages.append(page := LocalPage(self.tables))
        tokens = [each["token"] for each in opened["invitations"]]
        page.hello(opened["table"], *tokens, language="de")
        await page.until("welcome", "ended")
        return page

    async def open(self, path: str, body: object) -> Page:
        """Open a table by a request, and a page with all its tokens."""
        status, opened = await self.ask(path, body)
        assert status == 200, opened
        return await self.sit(opened)

    async def leave(self) -> None:
        """Close all pages."""
        for page in self.pages:
            await page.leave()


def hands(moment: Told) -> list[Any]:
    """Return the hands that a moment shows, with `None` for a hidden hand."""
    return [each["hand"] for each in moment["view"]["value"]["table"]["players"]]


def document(value: Told, kind: str = "Action") -> Told:
    """Return the versioned JSON document of an action, or of another kind of value."""
    return {"valletta_rules": 2, "kind": kind, "value": value}


async def play(rng: random.Random | None, *pages: Page) -> int:
    """Let the page that must answer do so, let all pages read the step; return the revision."""
    page = next(each for each in pages if pages[0].moment["asked"] in each.own)
    await page.play(rng)
    for each in pages:
        await each.reach(page.revision)
    return page.revision


# The server


class Bots(LocalWorkers):
    """Workers in a thread, whose bots choose the first legal action once the event `go` is set."""

    def __init__(self) -> None:
        """The event `go` is set at first, so that bots answer without delay."""
        super().__init__()
        self.go = asyncio.Event()
        self.go.set()
        self.asked: list[str] = []
        self.heard: list[SeatHistory | None] = []
        self.told: list[int] = []
        """The number of views that each call of `decide` has received."""
        self.fails = False

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        return await asyncio.to_thread(BotAnswer.of, call)

    async def decide(
        self,
        spec: str,
        asked: Sequence[PlayerView],
        heard: SeatHistory | None,
        seed: int,
        *,
        table: str,
        payer: Account | None = None,
    ) -> Action:
        """Record the arguments and return the first legal action."""
        self.asked.append(spec)
        self.heard.append(heard)
        self.told.append(len(asked))
        await self.go.wait()
        return asked[-1].legal_actions[0]

    async def hint(
        self, view: PlayerView, heard: SeatHistory, *, table: str, payer: Account | None = None
    ) -> Advice:
        """Return the adviser's advice, or raise an error if `fails` is true."""
        await self.go.wait()
        if self.fails:
            raise ZeroDivisionError
        return advise(view)


@attrs.define
class Server:
    """A running application and the pages that are connected to it."""

    app: Any
    path: Path
    """The file of the tables."""
    bots: Bots
    pages: list[Page] = attrs.field(factory=list)

    async def fetch(self, path: str, body: object = None, **given: Any) -> Response:
        """Send a request to the application and return the response; see `fetch`."""
        return await fetch(self.app, path, body, **given)

    def page(self, **given: Any) -> Page:
        """Connect a page."""
        self.pages.append(Page(self.app, **given))
        return self.pages[-1]

    async def open(self, *levels: str | None) -> Table:
        """Open a table with people, and with bots at seats that have a level.

        The seed of the game is always the same.
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


WISH: Told = {
    "edition": "hans-im-glueck",
    "variants": [],
    "cards": None,
    "is_shuffled": False,
    "is_coached": False,
}
"""The request for a table, without its seats."""

RED = {"name": "", "colour": "red", "level": None}
BLUE = {"name": "", "colour": "blue", "level": "novice"}
SOLO: Told = {**WISH, "seats": [RED, BLUE]}
"""The request for a table with one person and one bot."""


@attrs.frozen
class Table:
    """An opened table and its tokens."""

    server: Server
    opened: Told

    @property
    def id(self) -> str:
        """The id of the table."""
        return str(self.opened["table"])

    def token(self, seat: int) -> str:
        """Return the token of a seat."""
        found = (each["token"] for each in self.opened["invitations"] if each["seat"] == seat)
        return str(next(found))

    async def enter(self, *seats: int, opener: bool = False, **more: Any) -> Page:
        """Connect a page with the tokens of the given seats, and read its first response."""
        tokens = [*map(self.token, seats), *[self.opened["opener"]] * opener]
        return await self.come(*tokens, **more)

    async def come(self, *tokens: str, log: Sequence[Any] = (), **more: Any) -> Page:
        """Connect a page with the given tokens; `log` is the part of the log that it knows."""
        page = self.server.page()
        page.log = [each.copy() for each in log]
        page.hello(self.id, *tokens, **more)
        await page.until("welcome", "ended")
        return page

    async def record(self, token: str = "") -> Response:
        """Request the record of the game and return the response."""
        headers = [("Authorization", f"Bearer {token}")]
        return await self.server.fetch(f"/api/tables/{self.id}/record", headers=headers)


@asynccontextmanager
async def serving(
    path: Path, limits: Limits = QUICK, links: Sequence[str] = ()
) -> AsyncIterator[Server]:
    """Run an application whose tables are stored in the file `path`."""
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
