"""Somebody who visits an ASGI application without a network."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

import attrs

from valletta_rules.web.middleware import Limits, Rate

Message = MutableMapping[str, Any]
Told = Mapping[str, Any]

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
"""Requests and how they are answered."""

QUICK = Limits(messages=Rate(10_000, 0))
"""Limits that no test meets, however fast the machine is."""


def scope_of(kind: str, path: str = "/", **said: Any) -> Message:
    """Return a scope as uvicorn makes it; `headers` are pairs of texts beside `host`."""
    path, _, query = path.partition("?")
    host, headers = said.pop("host", "localhost:8000"), said.pop("headers", ())
    pairs = [("host", host), *headers] if host is not None else headers
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in pairs],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
        "extensions": {"websocket.http.response": {}},
        **said,
    }


@attrs.frozen
class Answer:
    """What a request, or a WebSocket that is not let in, is answered."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def value(self) -> Any:
        """The document in it, or what it is of."""
        found = json.loads(self.text)
        return found.get("value", found)


async def fetch(
    app: Any, path: str, body: object = None, *, kind: str = "http", **said: Any
) -> Answer:
    """Return how a request is answered; with a body, which may come in parts, it is posted.

    A WebSocket that is let in is answered by 101, and goes.
    """
    if not isinstance(body, list):
        body = [body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""]
    coming = [
        {"type": "http.request", "body": part, "more_body": number < len(body)}
        for number, part in enumerate(body, 1)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    said = {"method": "POST" if body != [b""] else "GET", **said}
    await app(scope_of(kind, path, **said), receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0].get("headers", ())}
    text = b"".join(message.get("body", b"") for message in sent).decode()
    return Answer(sent[0].get("status", 101), headers, text)


class Visitor:
    """A WebSocket: what it says is heard at once, and what it is told is kept."""

    def __init__(self, app: Any, **said: Any) -> None:
        """Connect to an application."""
        self.coming: asyncio.Queue[Message] = asyncio.Queue()
        self._told: asyncio.Queue[str | None] = asyncio.Queue()
        self.transcript: list[str] = []
        """Everything that was told, as it came."""
        self.code: int | None = None
        """The code with which the connection was closed by the other side."""
        self.error: Exception | None = None
        """What comes of telling anything, if nobody can be reached."""
        self.coming.put_nowait({"type": "websocket.connect"})
        scope = scope_of("websocket", "/ws", **said)
        self.task = asyncio.create_task(app(scope, self.coming.get, self._send))

    async def __aenter__(self) -> Self:
        """Be there."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Go away, and wait until that has been noticed."""
        self.coming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.task, 30)

    async def _send(self, message: Message) -> None:
        if self.error is not None and message["type"] != "websocket.accept":
            raise self.error
        if message["type"] == "websocket.send":
            self.transcript.append(message["text"])
            self._told.put_nowait(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            self._told.put_nowait(None)

    def say(self, text: str | bytes = b"", **message: Any) -> None:
        """Say something, which may be no message."""
        said = json.dumps(message) if message else text
        key = "text" if isinstance(said, str) else "bytes"
        self.coming.put_nowait({"type": "websocket.receive", key: said})

    def hello(self, table: str, *tokens: str, **more: Any) -> None:
        """Say hello."""
        hello = {"protocol": 1, "table": table, "tokens": tokens, "seen": None, "language": "en"}
        self.say(**{"type": "hello", **hello, **more})

    async def hear(self) -> Told:
        """Return what is told next; raise `EOFError` if the connection has been closed."""
        text = await asyncio.wait_for(self._told.get(), 30)
        if text is None:
            raise EOFError(self.code)
        told: Told = json.loads(text)
        return told

    async def until(self, *kinds: str) -> Told:
        """Return the next message of one of some types."""
        while (told := await self.hear())["type"] not in kinds:
            pass
        return told

    async def closed(self) -> int | None:
        """Return the code with which the connection is closed, whatever is told before."""
        with suppress(EOFError):
            await self.until()
        return self.code


def inner_of(app: Any) -> Any:
    """Return the application that stands behind all middleware."""
    while not hasattr(app, "state"):
        app = app.app
    return app


@asynccontextmanager
async def running(app: Any) -> AsyncIterator[Any]:
    """Let an application begin, and end it afterwards."""
    inner = inner_of(app)
    async with inner.router.lifespan_context(inner):
        yield app


async def open_table(app: Any, *levels: str | None) -> Told:
    """Open a table with people, and bots at the seats that have a level."""
    colours = ("red", "blue", "green", "yellow")
    seats = [
        {"name": f"Player {seat}", "colour": colours[seat], "level": level}
        for seat, level in enumerate(levels)
    ]
    answer = await fetch(app, "/api/tables", {**WISH, "seats": seats})
    assert answer.status == 201, answer
    opened: Told = answer.value
    return opened


WISH: Told = {"edition": "hans-im-glueck", "variants": [], "cards": None, "is_shuffled": False}
"""A table that is wanted, but for the seats."""


def tokens_of(opened: Told) -> dict[int, str]:
    """Return the tokens of the seats of a table that has been opened."""
    return {each["seat"]: each["token"] for each in opened["invitations"]}


def answers_of(moment: Told) -> list[Told]:
    """Return the documents of what can be answered now; of payments the cheapest."""
    if (payment := moment["payment"]) is not None:
        pay = {"type": "Pay", "goods": payment["cheapest"]}
        return [{"valletta_rules": 2, "kind": "Action", "value": pay}]
    return [choice["action"] for choice in moment["choices"]]
