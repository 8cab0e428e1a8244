"""Admission: limits on connections, in total and per address, and timeouts for silent clients.

uvicorn waits for a request header indefinitely and does not count connections by address.  This
module closes a connection without a request after a timeout, or earlier if a new connection needs
its place, so that silent connections cannot block other clients.  The bytes of a connection pass
through a `Gate` to the parser, and the CPU time for parsing is charged to the client's address.
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
"""The maximum time in seconds until the header of a request has arrived."""

RESPONSE: Final = 60.0
"""The maximum time in seconds from the header of a request to the end of its response."""

CLOSING: Final = 10.0
"""The maximum time in seconds for a client to read the last messages on a closing WebSocket."""

MOST: Final = 1000
"""The maximum number of connections, if the process may open enough files."""

BACKLOG: Final = 64
"""The maximum number of connections that wait until the application accepts them."""

RESERVED: Final = 5 * BACKLOG
"""The number of open files reserved for the database, the workers and closing connections."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def most_connections() -> int:
    """Return the maximum number of connections; each may need a second open file for a response.

    Increases the limit on open files to the required number, if the system permits it.
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
    """The limits on connections, and the state that is needed to enforce them."""

    most: int = MOST
    """The maximum number of connections."""
    most_of_address: int = 200
    """The maximum number of connections from one address, which a whole school may share."""
    proxies: Sequence[Network] = ()
    """The networks of trusted proxies.

    Many clients share the address of a proxy, so the proxy must limit their connections.
    """
    limits: Limits = attrs.field(factory=Limits)
    """The limits on the CPU time for parsing, per address and per connection."""
    turns: Turns = attrs.field(factory=Turns)
    clock: Callable[[], float] = time.monotonic
    """A function that returns the time in seconds."""
    accounts: Accounts = attrs.Factory(
        lambda self: Accounts(self.limits.parsing, self.clock), takes_self=True
    )

    def guest(self, client: tuple[str, int] | None) -> str | None:
        """Return the address whose limits apply to a connection; `None` for a trusted proxy."""
        address = address_of({"client": client})
        if client and any(ipaddress.ip_address(client[0]) in each for each in self.proxies):
            return None
        return address

    def connection(self, *, _loop: asyncio.AbstractEventLoop | None = None, **kwargs: Any) -> Gate:
        """Return an asyncio protocol for a new connection; `_loop` is the event loop of uvicorn."""
        loop = _loop or asyncio.get_running_loop()
        parser = HTTPConnection(self, _loop=loop, **kwargs)
        return Gate(parser, self.turns, self._account, loop)

    def _account(self, transport: asyncio.Transport) -> Account:
        """Return a new account for a connection.

        Its CPU time is also charged to the client's address, unless the client is a trusted proxy.
        """
        guest = self.guest(get_remote_addr(transport))
        if guest is None:
            return Account(Bucket(self.limits.parsing, self.clock()), self.clock)
        return self.accounts.of(guest).page(self.limits.connection_parsing)

    def make_room(self, newest: HTTPConnection) -> None:
        """If there are too many connections, close the one that has waited longest for a request.

        `newest` is the connection that has just been made.
        """
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
    """A connection that counts towards the limits and is closed at its deadline."""

    loop: asyncio.AbstractEventLoop
    transport: Any
    """The gate between the socket and the parser."""
    client: tuple[str, int] | None
    guest: str | None
    """The address whose limits apply to the connection; `None` for a trusted proxy."""
    deadline: asyncio.TimerHandle
    """The timer that closes the connection."""

    def __init__(self, admission: Admission, **kwargs: Any) -> None:
        """Create a connection that is limited by `admission`.

        `kwargs` are the arguments that uvicorn passes.
        """
        super().__init__(**kwargs)
        self.admission: Final = admission

    @property
    def waits(self) -> bool:
        """Whether the connection waits for the header of a request."""
        return False

    def connection_made(self, transport: Any) -> None:
        """Determine the client's address, and start the timer for the first request."""
        super().connection_made(transport)
        self.guest = self.admission.guest(self.client)
        self.deadline = self.loop.call_later(HEADER, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer of the connection."""
        self.deadline.cancel()
        super().connection_lost(exc)

    def end_after(self, seconds: float) -> None:
        """Set the deadline of the connection to `seconds` from now."""
        self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self.transport.abort)


class HTTPConnection(Counted, H11Protocol):
    """An HTTP connection, which is closed if a request or a response takes too long."""

    @property
    def waits(self) -> bool:
        """Whether the connection waits for the header of its first or next request."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request; if there are too many connections, close another one."""
        super().connection_made(transport)
        self.app = partial(self._paid, self.app)
        self.admission.make_room(self)

    async def _paid(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Run the application, and charge its CPU time to the account of the connection.

        If the server cancels the application during its shutdown, the connection is closed without
        a response.
        """
        try:
            await self.transport.account.metered(app(scope, receive, send))
        except asyncio.CancelledError:
            self.cycle.disconnected = True
            self.transport.close()

    def handle_events(self) -> None:
        """Process the parsed events; after the header of a request, set the response's deadline.

        A gate gives CPU time to its parser in turns.  Outside a turn, the events wait for the next
        one.  A pipelined request is therefore delayed as if it had arrived later.
        """
        if not self.transport.is_open:
            self.transport.call_in_later_turn(self.handle_events)
            return
        waited = self.waits
        super().handle_events()
        if waited and not self.waits:
            self.end_after(RESPONSE)

    def on_response_complete(self) -> None:
        """Set the deadline for the next request."""
        super().on_response_complete()
        self.end_after(HEADER)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Upgrade to a WebSocket; cancel the timer, because a WebSocket has its own deadlines."""
        self.deadline.cancel()
        super().handle_websocket_upgrade(event)


class WebSocketConnection(Counted, WebSocketsSansIOProtocol):
    """A WebSocket connection, which is closed soon after the application has ended."""

    async def run_asgi(self) -> None:
        """Run the application, and then close the connection.

        The timer is cancelled, because the application has its own timeouts.
        """
        self.deadline.cancel()
        self.app = partial(self._until_cancelled, self.app)
        await super().run_asgi()
        if self.writable.is_set():
            self.end_after(CLOSING)
        else:  # the client has not read in time
            self.transport.abort()

    async def _until_cancelled(self, app: Any, scope: Any, receive: Any, send: Any) -> None:
        """Run the application; if the server cancels it, end as if the page had disconnected."""
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            raise ClientDisconnected from None

    async def send(self, message: Any) -> None:
        """Send a message, and wait while the write buffer is full."""
        await super().send(message)
        await self.writable.wait()
