"""The gate in front of the table: who may come in, how much he may bring, and how fast.

It is an ASGI application around another one.  A page elsewhere can reach a server on this machine,
too; so the name by which it is called must be one of ours, and a page that calls must come from
the same place.  There are no cookies, so that no browser carries a right with it unasked.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from valletta_rules.codec import to_json
from valletta_rules.errors import Refusal, VallettaError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""What this machine is called by itself."""

CONTENT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types valletta"
)
"""What a page may load and run; `sockets` names ours for browsers whose 'self' leaves them out."""

HEADERS: Final = {
    b"cache-control": b"no-store",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}
"""What else goes with every answer, unless the answer says otherwise."""

TOO_FAST: Final = 4008
"""The code with which a connection is closed that sends too much, or reads too slowly."""


@attrs.frozen
class Rate:
    """So many at once, and then so many a second."""

    burst: float
    per_second: float


@attrs.frozen
class Limits:
    """How much may come."""

    body: int = 16_384
    """How many bytes a request may bring, where nothing else is said."""
    bodies: Mapping[str, int] = MappingProxyType(
        {"/api/tables": 300_000, "/api/card-set": 300_000, "/api/replay": 2_000_000}
    )
    """How many bytes it may bring at these paths."""
    body_seconds: float = 10.0
    """How many seconds it may take to bring them."""
    requests: Rate = Rate(2000, 50)
    """The requests of an address, WebSockets included: a whole class may sit behind one."""
    rates: Mapping[str, Rate] = MappingProxyType(
        {"/api/tables": Rate(10, 0.2), "/api/card-set": Rate(20, 1), "/api/replay": Rate(10, 0.5)}
    )
    """Beside that, what is sent to these paths, each by itself."""
    messages: Rate = Rate(60, 20)
    """The messages of one WebSocket."""
    sockets: int = 64
    """How many WebSockets an address may hold."""
    sockets_in_all: int = 1000
    """How many there may be."""


class _RefusedError(VallettaError):
    """Somebody is not let in."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.refusal = status, Refusal(code, message)


class Gate:
    """An ASGI application that lets through to another one what may pass."""

    def __init__(
        self,
        application: Application,
        *,
        hosts: Iterable[str] = (),
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what stands behind it.

        `hosts` are the names by which it may be called, beside those of the loopback and the
        address at which a connection arrives; they have no port.
        """
        self._application = application
        self._hosts = LOOPBACK | {host.lower().strip("[]") for host in hosts}
        self._limits = limits or Limits()
        self._requests = Buckets(self._limits.requests, clock)
        self._paths = {path: Buckets(rate, clock) for path, rate in self._limits.rates.items()}
        self._sockets: Counter[str] = Counter()
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a WebSocket through, or refuse it."""
        match scope["type"]:
            case "http":
                await self._request(scope, receive, send)
            case "websocket":
                await self._socket(scope, receive, send)
            case _:
                await self._application(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, with a body that is there in one piece, and add the headers."""
        host = None
        try:
            host = self._admit(scope)
            body = await self._body(scope, receive)
        except _RefusedError as refused:
            await _say(refused, _with_headers(send, host))
            return
        await self._application(scope, _told(body, receive), _with_headers(send, host))

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a WebSocket through, and listen to it only as fast as it may send."""
        address = address_of(scope)
        try:
            self._admit(scope)
            self._count(address)
        except _RefusedError as refused:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused.refusal.code})
            return
        self._sockets[address] += 1
        try:
            line = _Line(Bucket(self._limits.messages, self._clock()), self._clock, receive, send)
            await self._application(scope, line.receive, line.send)
        finally:
            self._sockets[address] -= 1
            self._sockets += Counter()  # forget who holds none

    # Who may come in

    def _admit(self, scope: Scope) -> str:
        """Refuse who calls us by another's name, comes from another's page, or comes too often.

        Returns the name by which he calls us, with the port.
        """
        headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        host = _only(headers, b"host")
        if host is None or _name_in(host) not in self._hosts | _arrived_at(scope):
            raise _RefusedError(421, "wrong-host", "this server is not called so")
        if any(name == b"origin" for name, _ in headers):
            origin = _only(headers, b"origin")
            scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
            if origin is None or origin.lower() != f"{scheme}://{host}".lower():
                raise _RefusedError(403, "wrong-origin", "another page may not ask for this")
        address = address_of(scope)
        by_path = self._paths.get(scope["path"]) if scope.get("method") == "POST" else None
        if not (self._requests.take(address) and (by_path is None or by_path.take(address))):
            raise _RefusedError(429, "too-fast", "this is too much at once: wait a little")
        return host

    def _count(self, address: str) -> None:
        """Refuse one WebSocket too many."""
        if self._sockets[address] >= self._limits.sockets:
            raise _RefusedError(429, "too-many", "this address holds too many connections")
        if self._sockets.total() >= self._limits.sockets_in_all:
            raise _RefusedError(503, "too-many", "there are too many connections")

    # What he may bring

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the body of a request, unless it is too long or takes too long."""
        most = self._limits.bodies.get(scope["path"], self._limits.body)
        body, more = b"", True
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _RefusedError(400, "gone", "the rest of the request did not come")
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise _RefusedError(413, "too-long", f"{most} bytes may come at most")
        except TimeoutError:
            raise _RefusedError(408, "too-slow", "the rest of the request did not come") from None
        return body


@attrs.define
class Bucket:
    """What is left of a rate."""

    rate: Rate
    at: float
    """When it was last looked at, in seconds."""
    left: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Be full."""
        self.left = self.rate.burst

    def is_full(self, now: float) -> bool:
        """Tell whether nothing of it is missing any more."""
        return self.left + (now - self.at) * self.rate.per_second >= self.rate.burst

    def take(self, now: float) -> bool:
        """Take one, and return whether there was one."""
        grown = self.left + (now - self.at) * self.rate.per_second
        self.left, self.at = min(self.rate.burst, grown), now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """A rate for each address; who has been quiet for long enough is forgotten."""

    def __init__(self, rate: Rate, clock: Callable[[], float], most: int = 1000) -> None:
        """Take the rate, a clock in seconds, and how many are known before they are sorted."""
        self._rate, self._clock, self._most = rate, clock, most
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Count one, and return whether it may pass."""
        now = self._clock()
        if address not in self._buckets and len(self._buckets) >= self._most:
            self._buckets = {a: b for a, b in self._buckets.items() if not b.is_full(now)}
        return self._buckets.setdefault(address, Bucket(self._rate, now)).take(now)


class _Line:
    """A WebSocket that is closed once too many messages come."""

    def __init__(
        self, bucket: Bucket, clock: Callable[[], float], receive: Receive, send: Send
    ) -> None:
        self._bucket, self._clock, self._receive, self._send = bucket, clock, receive, send
        self._closed = False

    async def receive(self) -> Message:
        """Listen, and close the line after one message too many."""
        message = await self._receive()
        if message["type"] == "websocket.receive" and not self._bucket.take(self._clock()):
            await self.send({"type": "websocket.close", "code": TOO_FAST, "reason": "too-fast"})
            return {"type": "websocket.disconnect", "code": TOO_FAST, "reason": "too-fast"}
        return message

    async def send(self, message: Message) -> None:
        """Send, unless the line is closed: a writer may not know of it yet."""
        if not self._closed:
            self._closed = message["type"] == "websocket.close"
            await self._send(message)


def address_of(scope: Scope) -> str:
    """Return the address of somebody, of which a house has one: of IPv6, the first half."""
    host, _ = scope.get("client") or ("", 0)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _only(headers: Iterable[tuple[bytes, str]], name: bytes) -> str | None:
    """Return the value of a header, unless it is missing or comes twice."""
    values = [value for each, value in headers if each == name]
    return values[0] if len(values) == 1 else None


def _name_in(host: str) -> str:
    """Return the name in a Host header, without the port and the brackets of IPv6."""
    match = _HOST.fullmatch(host.lower())
    return "" if match is None else match["name"].strip("[]")


def _arrived_at(scope: Scope) -> frozenset[str]:
    """Return the address of this machine at which a connection has arrived."""
    host, _ = scope.get("server") or ("", None)
    return frozenset({host} if host else ())


_HOST: Final = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


def _told(body: bytes, receive: Receive) -> Receive:
    """Return what tells of a body that has been read, and then of what comes after it."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def listen() -> Message:
        return next(messages, None) or await receive()

    return listen


def _with_headers(send: Send, host: str | None) -> Send:
    """Return what sends an answer with our headers, to whoever has called us by a name of ours."""
    sockets = "" if host is None else f" ws://{host} wss://{host}"
    ours = {**HEADERS, b"content-security-policy": CONTENT.format(sockets=sockets).encode()}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            said = list(message.get("headers", ()))
            names = {name.lower() for name, _ in said}
            added = [(name, value) for name, value in ours.items() if name not in names]
            message = {**message, "headers": [*said, *added]}
        await send(message)

    return sending


async def _say(refused: _RefusedError, send: Send) -> None:
    """Answer with why somebody is not let in."""
    body = to_json(refused.refusal).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
