"""Tests of the limits on connections: timeouts, and the connections that a full server closes."""

import asyncio
import sys
from collections.abc import Iterator
from functools import partial
from ipaddress import ip_network
from typing import Any
from unittest.mock import Mock

import pytest
from uvicorn.server import ServerState

from valletta_rules.web.admission import (
    CLOSING,
    HEADER,
    MOST,
    RESERVED,
    RESPONSE,
    Admission,
    WebSocketConnection,
    most_connections,
)
from valletta_rules.web.gate import Gate
from valletta_rules.web.serving import configured

resource = pytest.importorskip("resource")

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Send a response or accept a WebSocket, then pause until the test resumes the application."""
    loop: Any = asyncio.get_running_loop()
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        await loop.pause()
        return
    await send({"type": "http.response.start", "status": 204})
    await loop.pause()
    await send({"type": "http.response.body"})


class Loop(asyncio.SelectorEventLoop):
    """An event loop with a simulated clock."""

    def __init__(self) -> None:
        """Create a loop whose simulated time is 0 seconds."""
        super().__init__()
        self.now = 0.0
        self.errors: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, context: self.errors.append(context))
        self.paused: list[asyncio.Future[None]] = []

    def __del__(self) -> None:
        """Close the loop when it is garbage-collected."""
        self.close()

    def time(self) -> float:
        """Return the simulated time in seconds."""
        return self.now

    def turn(self) -> None:
        """Run one iteration of the loop."""
        self.call_soon(self.stop)
        self.run_forever()

    def turn_on(self) -> None:
        """Run iterations of the loop until no callback is ready."""
        self.turn()
        while vars(self)["_ready"]:
            self.turn()

    def pause(self) -> asyncio.Future[None]:
        """Return a future that an application awaits until the test resumes the application."""
        self.paused.append(self.create_future())
        return self.paused[-1]

    def go_on(self) -> None:
        """Resume the application that has waited longest, and run all ready callbacks."""
        self.paused.pop(0).set_result(None)
        self.turn_on()

    def wait(self, seconds: float) -> None:
        """Advance the clock by a number of seconds and run the callbacks that are due."""
        self.now += seconds
        self.turn_on()


def read(gate: Gate, data: bytes) -> None:
    """Pass received data to a gate, as a transport of asyncio does."""
    gate.get_buffer(-1)[: len(data)] = data
    gate.buffer_updated(len(data))


class Connections:
    """A server and its connections, on an event loop with a simulated clock."""

    def __init__(self, loop: Any = None, app: object = app, **limits: Any) -> None:
        """Create a server. `limits` are keyword arguments for `Admission`."""
        self.loop: Any = Loop() if loop is None else loop
        config: Any = configured(app)
        config.load()
        admission: Any = Admission(clock=self.loop.time, **limits)
        config.ws_protocol_class = partial(WebSocketConnection, admission, _loop=self.loop)
        given = {"config": config, "server_state": ServerState(), "app_state": {}}
        self.accept = partial(admission.connection, _loop=self.loop, **given)

    def connect(self, *data: bytes, address: str = "192.0.2.1") -> Mock:
        """Open a connection, send data, and return the transport of the connection."""
        transport = Mock(protocol=self.accept())
        transport.is_closing = lambda: transport.abort.called or transport.close.called
        transport.get_extra_info = {"peername": (address, 5), "sockname": ("192.0.2.9", 80)}.get
        transport.protocol.connection_made(transport)
        for each in data:
            self.send(transport, each)
        return transport

    def send(self, transport: Mock, data: bytes) -> None:
        """Send data on a connection, and run the loop until no callback is ready."""
        read(transport.protocol, data)
        self.loop.turn_on()

    def is_closed_after(self, transport: Mock, seconds: float) -> bool:
        """Return whether the server closes a connection in the last half second of a period."""
        self.loop.wait(seconds - 0.5)
        before = transport.abort.called
        self.loop.wait(0.5)
        return transport.abort.called and not before


@pytest.fixture
def house(request: pytest.FixtureRequest) -> Iterator[Connections]:
    """Return a server. A test can set its limits by indirect parametrization."""
    house = Connections(**getattr(request, "param", {}))
    yield house
    while house.loop.paused:
        house.loop.go_on()


@pytest.mark.parametrize("data", [(), (b"GET / HT",), (b"GET / HTTP/1.1\r\n", b"X: y")])
def test_a_connection_that_sends_no_complete_header_in_time_is_closed(
    house: Connections, data: tuple[bytes, ...]
) -> None:
    """A part of a header does not extend the timeout.

    If the client closes the connection first, no error is logged.
    """
    transport, lost = house.connect(*data), house.connect()
    lost.protocol.connection_lost(None)
    house.loop.wait(HEADER / 2)
    house.send(transport, b"z" if data else b"G")
    assert house.is_closed_after(transport, HEADER / 2)
    assert not lost.abort.called


def test_a_keep_alive_connection_without_a_complete_next_request_in_time_is_closed(
    house: Connections,
) -> None:
    """The timeout starts at the end of the response. Single bytes do not extend it."""
    transport = house.connect(REQUEST)
    house.loop.wait(HEADER)
    house.loop.go_on()
    house.send(transport, b"GET")
    assert house.is_closed_after(transport, HEADER)


def test_a_connection_is_closed_if_a_response_takes_too_long(house: Connections) -> None:
    """If a client sends two requests together, each response has its own timeout."""
    first, second = house.connect(REQUEST), house.connect(REQUEST + REQUEST)
    house.loop.wait(RESPONSE / 2)
    house.loop.go_on()
    house.loop.go_on()
    assert house.is_closed_after(second, RESPONSE)
    assert first.abort.called


def test_a_websocket_is_closed_if_its_opening_or_closing_handshake_takes_too_long(
    house: Connections,
) -> None:
    """One opening handshake has too many headers. One client does not answer a close frame."""
    broken = house.connect(UPGRADE + b"X: y\r\n" * 200 + b"\r\n")
    good = house.connect(UPGRADE + b"\r\n")
    assert house.is_closed_after(broken, HEADER)
    house.loop.go_on()
    assert house.is_closed_after(good, CLOSING)


def test_closing_a_websocket_aborts_it_at_once_if_its_client_does_not_read(
    house: Connections,
) -> None:
    """The server does not wait until the client has read the remaining messages."""
    slow = house.connect(UPGRADE + b"\r\n")
    slow.protocol.pause_writing()
    house.loop.go_on()
    assert slow.abort.called


@pytest.mark.parametrize("house", [{"most_of_address": 3}], indirect=True)
def test_the_longest_idle_connection_of_an_address_with_too_many_connections_is_closed(
    house: Connections,
) -> None:
    """WebSockets, connections with a request in progress, and other addresses are not affected."""
    busy = house.connect(REQUEST)
    mine = []
    for _ in range(5):
        house.loop.wait(1)
        mine.append(house.connect())
    other = house.connect(address="192.0.2.2")
    assert [each.abort.called for each in mine] == [True, True, True, False, False]
    assert not busy.abort.called
    assert not other.abort.called
    socket = [house.connect(UPGRADE + b"\r\n", address="192.0.2.3") for _ in range(3)]
    assert house.connect(address="192.0.2.3").abort.called
    assert not any(each.abort.called for each in socket)


@pytest.mark.parametrize("house", [{"most": 4}], indirect=True)
def test_a_full_server_closes_the_longest_idle_connections_for_new_addresses(
    house: Connections,
) -> None:
    """Many addresses with idle connections thus cannot prevent a new address from connecting."""
    crowd = []
    for number in range(6):
        house.loop.wait(1)
        crowd.append(house.connect(address=f"192.0.2.{number}"))
    assert [each.abort.called for each in crowd] == [True] * 2 + [False] * 4


@pytest.mark.parametrize(
    "house", [{"most": 4, "proxies": [ip_network("10.0.0.0/8")]}], indirect=True
)
def test_a_trusted_proxy_may_use_all_connections_and_any_other_address_only_half(
    house: Connections,
) -> None:
    """The connections of a proxy are from many clients."""
    proxy = [house.connect(address="10.0.0.7") for _ in range(4)]
    assert not any(each.abort.called for each in proxy)
    for each in proxy:
        each.protocol.connection_lost(None)
    mine = []
    for _ in range(3):
        house.loop.wait(1)
        mine.append(house.connect())
    assert [each.abort.called for each in mine] == [True, False, False]


@pytest.mark.parametrize(
    ("limits", "raised", "most"),
    [
        ((1024, 1024), 1024, (1024 - RESERVED) // 2),
        ((1024, resource.RLIM_INFINITY), 2 * MOST + RESERVED, MOST),
        ((256, 256), 256, 64),
        ((9000, 9000), None, MOST),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None, MOST),
    ],
)
def test_the_maximum_number_of_connections_leaves_files_for_the_database_and_workers(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], raised: int | None, most: int
) -> None:
    """A connection counts as an open file.

    If the soft limit on open files is too low, the server raises it, up to the hard limit.
    """
    change = Mock()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits)
    monkeypatch.setattr(resource, "setrlimit", change)
    assert most_connections() == most
    assert change.called == (raised is not None)
    assert raised is None or change.call_args[0][1][0] == raised
    monkeypatch.setitem(sys.modules, "resource", None)
    assert most_connections() == MOST
