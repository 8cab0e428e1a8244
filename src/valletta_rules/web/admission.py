"""Admission: how many connections there may be, from whom, and how long each may say nothing.

uvicorn waits for a request header without end, and counts no connections by address.  Here a
connection that waits for a request is closed after a while, or as soon as another one needs its
place.  So a crowd of silent connections does not keep anybody out.  What connections send is parsed
behind a `Gate`, for which each address pays.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import attrs
import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected, get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from valletta_rules.web.accounts import Account, Accounts
from valletta_rules.web.gate import Gate, Turns
from valletta_rules.web.limits import Bucket, Limits
from valletta_rules.web.middleware import address_of

HEADER: Final = 10.0
"""How many seconds the header of a request may take, from the moment when one is waited for."""

RESPONSE: Final = 60.0
"""How many seconds a request may take from then on, until its response has been sent."""

CLOSING: Final = 10.0
"""How many seconds a WebSocket may take in the end to read what it has been sent."""

MOST: Final = 1000
"""How many connections there may be, if there are enough files for them."""

BACKLOG: Final = 64
"""How many connections are accepted before any of them is looked at."""

RESERVED: Final = 5 * BACKLOG
"""How many files are left for the database, the workers, and connections still to be closed."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def most_connections() -> int:
    """Return how many connections there may be: each may need a second file, which it is sent.

    Raises the process's own limit of files as far as that is useful and permitted.
    """
    try:
        import resource  # which Windows has not, nor such a limit
    except ImportError:
        return MOST
    wanted = RESERVED + 2 * MOST
    files, permitted = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < wanted:
        files = wanted if permitted == resource.RLIM_INFINITY else min(wanted, permitted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, permitted))
        return max(files // 4, (files - RESERVED) // 2)
    return MOST


@attrs.frozen
class Admission:
    """Who may connect."""

    most: int = MOST
    """How many connections there may be."""
    most_of_address: int = 200
    """How many of them may come from one address: a whole class may share one."""
    proxies: Sequence[Network] = ()
    """The proxies: an address of one stands for many guests, so that the proxy must count them."""
    limits: Limits = attrs.field(factory=Limits)
    """How much CPU time the parsers may take for each address, and for each connection."""
    turns: Turns = attrs.field(factory=Turns)
    clock: Callable[[], float] = time.monotonic
    """A clock in seconds."""
    accounts: Accounts = attrs.Factory(
        lambda self: Accounts(self.limits.parsing, self.clock), takes_self=True
    )

    def guest(self, client: tuple[str, int] | None) -> str | None:
        """Return the address by which a connection is counted; `None` for a proxy."""
        address = address_of({"client": client})
        if client and any(ipaddress.ip_address(client[0]) in each for each in self.proxies):
            return None
        return address

    def connection(self, *, _loop: asyncio.AbstractEventLoop | None = None, **given: Any) -> Gate:
        """Return the protocol of a new connection; takes what uvicorn gives to each."""
        loop = _loop or asyncio.get_running_loop()
        parser = HTTPConnection(self, _loop=loop, **given)
        return Gate(parser, self.turns, self._account, loop)

    def _account(self, transport: asyncio.Transport) -> Account:
        """Return the account of a connection, which pays from that of its guest."""
        guest = self.guest(get_remote_addr(transport))
        if guest is None:
            return Account(Bucket(self.limits.parsing, self.clock()), self.clock)
        return self.accounts.of(guest).page(self.limits.connection_parsing)

    def make_room(self, newest: HTTPConnection) -> None:
        """Close the connection that has waited longest for a request, if there are too many."""
        everyone: list[Counted] = [each for each in newest.connections if isinstance(each, Counted)]
        those = [each for each in everyone if each.guest == newest.guest]
        if newest.guest is None or len(those) <= min(self.most_of_address, self.most // 2):
            those = everyone
            if len(those) <= self.most:
                return
        first = min((each for each in those if each.waits), key=lambda each: each.deadline.when())
        newest.connections.discard(first)
        first.transport.abort()


class Counted(asyncio.Protocol):
    """A connection that is counted, and that ends when its time is over."""

    loop: asyncio.AbstractEventLoop
    transport: Any
    """The gate."""
    client: tuple[str, int] | None
    guest: str | None
    """The address by which it is counted."""
    deadline: asyncio.TimerHandle
    """When it is closed."""

    def __init__(self, admission: Admission, **given: Any) -> None:
        """Take who may connect, and what uvicorn gives to every connection."""
        super().__init__(**given)
        self.admission: Final = admission

    @property
    def waits(self) -> bool:
        """Whether it waits for the header of a request."""
        return False

    def connection_made(self, transport: Any) -> None:
        """Begin to count, and to wait."""
        super().connection_made(transport)
        self.guest = self.admission.guest(self.client)
        self.deadline = self.loop.call_later(HEADER, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.deadline.cancel()
        super().connection_lost(exc)

    def end_after(self, seconds: float) -> None:
        """Close it some seconds from now, and not as said before."""
        self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self.transport.abort)


class HTTPConnection(Counted, H11Protocol):
    """A connection for requests, which is closed if none comes, or if one does not end."""

    @property
    def waits(self) -> bool:
        """Whether it waits for the header of a request: at the start, and between requests."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request; close a connection if there are too many."""
        super().connection_made(transport)
        self.app = partial(self._paid, self.app)
        self.admission.make_room(self)

    async def _paid(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Run the application, whose CPU time is paid for as that of the parser is.

        If it is cancelled, since the server ends, the connection ends without a response.
        """
        try:
            await self.transport.account.metered(app(scope, receive, send))
        except asyncio.CancelledError:
            self.cycle.disconnected = True
            self.transport.close()

    def handle_events(self) -> None:
        """Go on with what has been parsed; after a header, there is time for the response.

        A request that came with the one before it waits for its turn, as if it came now.
        """
        if not self.transport.is_open:
            self.transport.ask_again(self.handle_events)
            return
        waited = self.waits
        super().handle_events()
        if waited and not self.waits:
            self.end_after(RESPONSE)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self.end_after(HEADER)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Become a WebSocket, which has deadlines of its own."""
        self.deadline.cancel()
        super().handle_websocket_upgrade(event)


class WebSocketConnection(Counted, WebSocketsSansIOProtocol):
    """A WebSocket, which is closed if its handshake is none, or its last messages are not read."""

    async def run_asgi(self) -> None:
        """Run the application, which has deadlines of its own, and then close the connection."""
        self.deadline.cancel()
        self.app = partial(self._until_cancelled, self.app)
        await super().run_asgi()
        if self.writable.is_set():
            self.end_after(CLOSING)
        else:  # it has not read in time, and does not now
            self.transport.abort()

    async def _until_cancelled(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Run the application; if the server ends meanwhile, the page has to come back."""
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            raise ClientDisconnected from None

    async def send(self, message: Any) -> None:
        """Send a message, and wait until it has been read but for what a buffer holds."""
        await super().send(message)
        await self.writable.wait()
