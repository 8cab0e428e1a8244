"""Admission: limits on connections, in total and by address, and deadlines for silent ones.

uvicorn waits for a request header indefinitely and does not count connections by address.  Here a
connection that waits for a request is closed after a while, or as soon as another one needs its
place, so that a crowd of silent connections keeps no one out.  The bytes that a connection sends
are parsed behind a `Gate` and charged to its address.
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
"""The seconds within which the header of a request must arrive."""

RESPONSE: Final = 60.0
"""The seconds from the header of a request until its response has been sent."""

CLOSING: Final = 10.0
"""The seconds that a WebSocket has at the end to read the messages that were sent to it."""

MOST: Final = 1000
"""The maximum number of connections, if the process may open enough files."""

BACKLOG: Final = 64
"""The number of connections that the system accepts ahead of the application."""

RESERVED: Final = 5 * BACKLOG
"""The number of files that are left for the database, the workers, and closing connections."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def most_connections() -> int:
    """Return the maximum number of connections; each may also need a file to send.

    Raises the limit of open files of the process as far as that is useful and permitted.
    """
    try:
        import resource  # Windows has neither the module nor such a limit
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
    """The limits on who may connect."""

    most: int = MOST
    """The maximum number of connections."""
    most_of_address: int = 200
    """The maximum number of connections from one address: a whole class may share one."""
    proxies: Sequence[Network] = ()
    """The proxies: many guests share the address of a proxy, so the proxy must count them."""
    limits: Limits = attrs.field(factory=Limits)
    """The CPU time that the parsers may use for each address, and for each connection."""
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
        """Return the protocol of a new connection; uvicorn passes its event loop."""
        loop = _loop or asyncio.get_running_loop()
        parser = HTTPConnection(self, _loop=loop, **given)
        return Gate(parser, self.turns, self._account, loop)

    def _account(self, transport: asyncio.Transport) -> Account:
        """Return the account of a connection, whose CPU time is also charged to its guest."""
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
    """A connection that is counted, and that is closed at its deadline."""

    loop: asyncio.AbstractEventLoop
    transport: Any
    """The gate between socket and parser."""
    client: tuple[str, int] | None
    guest: str | None
    """The address by which it is counted."""
    deadline: asyncio.TimerHandle
    """The timer that closes it."""

    def __init__(self, admission: Admission, **given: Any) -> None:
        """Create a connection with the arguments that uvicorn gives to each."""
        super().__init__(**given)
        self.admission: Final = admission

    @property
    def waits(self) -> bool:
        """Whether it waits for the header of a request."""
        return False

    def connection_made(self, transport: Any) -> None:
        """Start to count the connection and to wait for a request."""
        super().connection_made(transport)
        self.guest = self.admission.guest(self.client)
        self.deadline = self.loop.call_later(HEADER, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self.deadline.cancel()
        super().connection_lost(exc)

    def end_after(self, seconds: float) -> None:
        """Close the connection some seconds from now; this replaces an earlier deadline."""
        self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self.transport.abort)


class HTTPConnection(Counted, H11Protocol):
    """A connection for requests, closed if none arrives or if one does not end in time."""

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
        """Run the application, and charge its CPU time to the same account as that of the parser.

        If it is cancelled because the server ends, the connection ends without a response.
        """
        try:
            await self.transport.account.metered(app(scope, receive, send))
        except asyncio.CancelledError:
            self.cycle.disconnected = True
            self.transport.close()

    def handle_events(self) -> None:
        """Continue with the parsed events; after a header, the deadline of the response applies.

        A request that came together with the one before it waits for its turn, as if it arrived
        then.
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
        """Become a WebSocket, which has its own deadlines."""
        self.deadline.cancel()
        super().handle_websocket_upgrade(event)


class WebSocketConnection(Counted, WebSocketsSansIOProtocol):
    """A WebSocket, closed if its handshake is invalid, or its last messages are not read."""

    async def run_asgi(self) -> None:
        """Run the application, which has its own deadlines, and then close the connection."""
        self.deadline.cancel()
        self.app = partial(self._until_cancelled, self.app)
        await super().run_asgi()
        if self.writable.is_set():
            self.end_after(CLOSING)
        else:  # it has not read in time
            self.transport.abort()

    async def _until_cancelled(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Run the application; if the server ends meanwhile, tell the page to reconnect."""
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            raise ClientDisconnected from None

    async def send(self, message: Any) -> None:
        """Send a message, and wait until all but the content of a buffer has been read."""
        await super().send(message)
        await self.writable.wait()
