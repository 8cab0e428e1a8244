"""A client of the table without a browser: it says hello, hears what it is told, and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPConnection
from typing import Any

import attrs
from websockets.asyncio.client import ClientConnection, connect

Told = Mapping[str, Any]
"""A message of the table."""


def open_table(port: int, people: int = 2, source: str = "127.0.0.1", **wish: Any) -> Told:
    """Open a table for so many people, or as `wish` says; return its id and tokens.

    Raises `OSError` if the server is not there, `AssertionError` if it does not want to.
    """
    colours = ("red", "blue", "green", "yellow")
    seats = [{"name": "", "colour": colour, "level": None} for colour in colours[:people]]
    table = {
        "edition": "hans-im-glueck",
        "variants": [],
        "cards": None,
        "seats": seats,
        "is_shuffled": False,
    }
    server = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    server.request("POST", "/api/tables", json.dumps(table | wish))
    answer = server.getresponse()
    text = answer.read()
    server.close()
    assert answer.status in (200, 201), f"{answer.status}: {text!r}"
    opened: Told = json.loads(text)
    return opened


def tokens_of(opened: Told) -> dict[int, str]:
    """Return the tokens of the seats of a table that has been opened."""
    return {each["seat"]: each["token"] for each in opened["invitations"]}


@attrs.define
class Line:
    """A connection of somebody at a table."""

    socket: ClientConnection
    revision: int = -1
    """The last revision that was heard of."""
    moment: Told = attrs.field(factory=dict)
    """How the table looks at it."""

    @classmethod
    async def open(
        cls,
        port: int,
        table: str,
        tokens: tuple[str, ...] = (),
        *,
        seen: int | None = None,
        source: str = "127.0.0.1",
    ) -> Line:
        """Connect and say hello; the welcome is still to be heard."""
        socket = await connect(
            f"ws://127.0.0.1:{port}/ws",
            local_addr=(source, 0),
            compression=None,
            max_size=None,
            max_queue=None,
        )
        line = cls(socket)
        hello = {"type": "hello", "protocol": 1, "table": table, "seen": seen, "language": "en"}
        await line.say({**hello, "tokens": tokens})
        return line

    async def say(self, message: Told) -> None:
        """Say something."""
        await self.socket.send(json.dumps(message))

    async def hear(self) -> Told:
        """Hear one message, and remember what it shows."""
        return self.note(await self.socket.recv())

    def note(self, text: str | bytes) -> Told:
        """Remember what a message shows, and return it."""
        told: Told = json.loads(text)
        if "moment" in told and told["type"] != "sight":
            self.moment = told["moment"]
            self.revision = self.moment["revision"]
        return told

    async def until(self, kind: str) -> Told:
        """Hear messages up to one of a type, and return that."""
        while (told := await self.hear())["type"] != kind:
            pass
        return told


def answers_of(moment: Told) -> list[Told]:
    """Return the documents of what can be answered now; of payments the cheapest."""
    if (payment := moment["payment"]) is not None:
        pay = {"type": "Pay", "goods": payment["cheapest"]}
        return [{"valletta_rules": 2, "kind": "Action", "value": pay}]
    return [choice["action"] for choice in moment["choices"]]
