"""Somebody who visits an ASGI application without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Self

Message = MutableMapping[str, Any]
Told = Mapping[str, Any]

HOST = (b"host", b"localhost")


def scope_of(kind: str, path: str, **said: Any) -> Message:
    """Return a scope as uvicorn makes it."""
    path, _, query = path.partition("?")
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
        "headers": [HOST],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
        **said,
    }


async def fetch(
    application: Any, method: str, path: str, body: object = None, token: str = ""
) -> tuple[int, bytes]:
    """Return the status and the body with which a request is answered."""
    sent: list[Message] = []
    text = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
    coming = [{"type": "http.request", "body": text, "more_body": False}]

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [HOST, *([(b"authorization", f"Bearer {token}".encode())] if token else [])]
    await application(scope_of("http", path, method=method, headers=headers), receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


class Visitor:
    """A WebSocket: what it says is heard at once, and what it is told is kept."""

    def __init__(self, application: Any) -> None:
        """Connect to an application."""
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self._told: asyncio.Queue[str | None] = asyncio.Queue()
        self.transcript: list[str] = []
        """Everything that was told, as it came."""
        self.code: int | None = None
        """The code with which the connection was closed by the other side."""
        self.is_gone = False
        """Whether what is told fails, since nobody is there any more."""
        self._said.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(
            application(scope_of("websocket", "/ws"), self._said.get, self._send)
        )

    async def __aenter__(self) -> Self:
        """Be there."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Go away, and wait until that has been noticed."""
        await self.leave()

    async def _send(self, message: Message) -> None:
        """Take what is told."""
        if self.is_gone:
            raise OSError("nobody is there")
        if message["type"] == "websocket.send":
            self.transcript.append(message["text"])
            self._told.put_nowait(message["text"])
        elif message["type"] == "websocket.close":
            self.code = message.get("code", 1000)
            self._told.put_nowait(None)

    async def leave(self) -> None:
        """Close the connection."""
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self._task, 30)

    def say(self, **message: Any) -> None:
        """Say something."""
        self.say_text(json.dumps(message))

    def say_text(self, text: str) -> None:
        """Say something that may be no message."""
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    def hello(self, table: str, *tokens: str, seen: int | None = None, **more: Any) -> None:
        """Say hello."""
        hello = {"protocol": 1, "table": table, "tokens": tokens, "seen": seen, "language": "en"}
        self.say(type="hello", **{**hello, **more})

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


@asynccontextmanager
async def running(application: Any) -> AsyncIterator[Any]:
    """Let an application begin, and end it afterwards."""
    coming: asyncio.Queue[Message] = asyncio.Queue()
    told: asyncio.Queue[Message] = asyncio.Queue()
    coming.put_nowait({"type": "lifespan.startup"})
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    task = asyncio.create_task(application(scope, coming.get, told.put))
    begun = await told.get()
    assert begun["type"] == "lifespan.startup.complete", begun
    try:
        yield application
    finally:
        coming.put_nowait({"type": "lifespan.shutdown"})
        await task


async def open_table(application: Any, *levels: str | None) -> Told:
    """Open a table with people, and players of the machine at the seats that have a level."""
    colours = ("red", "blue", "green", "yellow")
    seats = [
        {"name": f"Player {seat}", "colour": colours[seat], "level": level}
        for seat, level in enumerate(levels)
    ]
    wish: dict[str, Any] = {
        "edition": "hans-im-glueck",
        "variants": [],
        "cards": None,
        "is_shuffled": False,
    }
    status, text = await fetch(application, "POST", "/api/tables", {**wish, "seats": seats})
    assert status == 201, text
    opened: Told = json.loads(text)
    return opened
