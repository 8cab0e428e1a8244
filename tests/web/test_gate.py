"""Tests of the gate, which limits how many bytes are parsed in each turn of the event loop."""

import asyncio
import itertools
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from ipaddress import ip_network
from typing import Any
from unittest.mock import Mock

import h11
import pytest
from websockets.server import ServerProtocol

from tests.web.test_admission import REQUEST, UPGRADE, Connections, read
from valletta_rules.web.gate import PIECE, READ, TURN, Turns
from valletta_rules.web.limits import Limits, Rate

HEAD = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
MASK = b"\x80" + bytes(4)
"""All bytes of an empty WebSocket frame from a client, except for the first."""

UNITS: dict[str, tuple[bytes, bytes, bytes]] = {
    "chunks": (CHUNKED, b"", b"1\r\nx\r\n"),
    "chunk extensions": (CHUNKED, b"", b"1;a=b\r\nx\r\n"),
    "one long extension": (CHUNKED + b"1;", b"", b"a"),
    "header lines": (HEAD, b"", b"a:\r\n"),
    "empty lines": (b"", b"", b"\r\n"),
    "requests": (b"", b"", REQUEST),
    "refused requests": (b"", b"", b"GET /a HTTP/1.1\r\n\r\n"),
    "body": (HEAD + b"Content-Length: 9999999\r\n\r\n", b"", b"x"),
    "fragments": (UPGRADE + b"\r\n", b"\x01" + MASK, b"\x00" + MASK),
    "fragments of a byte": (UPGRADE + b"\r\n", b"\x02" + MASK, b"\x00\x81" + bytes(5)),
    "messages": (UPGRADE + b"\r\n", b"", b"\x81" + MASK),
    "pings": (UPGRADE + b"\r\n", b"", b"\x89" + MASK),
    "pongs": (UPGRADE + b"\r\n", b"", b"\x8a" + MASK),
}
"""Kinds of small units that a client can send in large numbers.

Each kind consists of a request, the bytes before the units, and one unit.
"""


class CountingLoop(asyncio.SelectorEventLoop):
    """An event loop that counts its turns."""

    turns = 0

    def _run_once(self) -> None:
        self.turns += 1
        super()._run_once()  # type: ignore[misc]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Respond with a digest of the request body, or read all messages of a WebSocket."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    body, more = b"", True
    while more and (message := await receive())["type"] == "http.request":
        body, more = body + message["body"], message["more_body"]
    text = sha256(body).hexdigest().encode()
    length = (b"content-length", b"%d" % len(text))
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": text})


class Server(Connections):
    """A server whose clients are connected by socket pairs, and all have the same address."""

    def __init__(self, clock: Callable[[], float], stack: ExitStack) -> None:
        """Create a server. `clock` measures CPU time; closing `stack` closes all sockets."""
        plenty = Limits(parsing=Rate(10**6, 1e-9), connection_parsing=Rate(10**6, 1e-9))
        super().__init__(asyncio.get_running_loop(), app, turns=Turns(clock), limits=plenty)
        self.stack = stack

    async def connect_client(self, *data: bytes) -> socket.socket:
        """Connect a client that sends pieces of data.

        After each piece except the last, the client waits for a response.
        """
        mine, other = socket.socketpair()
        mine.setblocking(False)
        self.stack.enter_context(mine)
        _, gate = await self.loop.connect_accepted_socket(self.accept, other)
        self.stack.callback(gate.abort)
        mine.sendall(data[0])
        for each in data[1:]:
            await self.loop.sock_recv(mine, 1_000)
            mine.sendall(each)
        return mine


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Return a counter of the bytes that parsers receive, keyed by the turn of the loop."""
    counted = Counter[int]()
    for parser in (h11.Connection, ServerProtocol):
        real: Any = parser.receive_data

        def receive(self: Any, data: bytes, real: Any = real) -> Any:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, CountingLoop)
            counted[loop.turns] += len(data)
            return real(self, data)

        monkeypatch.setattr(parser, "receive_data", receive)
    return counted


def run(work: Callable[[Server], Any], clock: Callable[[], float]) -> None:
    """Run a coroutine function with a server, on an event loop that counts its turns."""

    async def main() -> None:
        with ExitStack() as stack:
            await asyncio.wait_for(work(Server(clock, stack)), 60)
        while len(asyncio.all_tasks()) > 1:  # their connections are lost
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=CountingLoop) as runner:
        runner.run(main())


def ticking() -> Callable[[], float]:
    """Return a clock that advances, at each reading, by the maximum time for parsing in a turn."""
    return partial(next, itertools.count(step=TURN))


@pytest.mark.parametrize("guests", [1, 20])
@pytest.mark.parametrize("unit", UNITS)
def test_only_a_limited_number_of_bytes_is_parsed_in_each_turn_of_the_event_loop(
    parsed: Counter[int], unit: str, guests: int
) -> None:
    """Up to 20 clients send many small units.

    Another client with the same address is still served.
    """
    request, before, each = UNITS[unit]
    flood = before + each * (READ // len(each))

    async def work(server: Server) -> None:
        parts = (request, flood) if request.startswith(UPGRADE) else (request + flood,)
        for _ in range(guests):
            await server.connect_client(*parts)
        parsed.clear()
        other = await server.connect_client(REQUEST)
        assert (await server.loop.sock_recv(other, 1_000)).startswith(b"HTTP/1.1 200")
        assert parsed.total() < 20 * PIECE
        for _ in range(10):
            await asyncio.sleep(0)

    run(work, ticking())
    assert len(parsed) > 1
    assert max(parsed.values()) <= PIECE


@pytest.mark.parametrize(
    ("step", "guests", "pieces", "first"),
    [(TURN / 2, 1, 2, 1), (TURN / 4, 2, 1, 1), (0.0, 33, 1, 32), (0.0, 1, 33, 32)],
)
def test_parsing_in_a_turn_of_the_event_loop_stops_at_the_limit_on_time_or_on_bytes(
    got: list[bytes], step: float, guests: int, pieces: int, first: int
) -> None:
    """The rest of all clients' data is parsed in later turns."""
    plenty = Rate(10**6, 1)
    clock, limits = itertools.count(step=step), Limits(parsing=plenty, connection_parsing=plenty)
    house = Connections(turns=Turns(partial(next, clock)), limits=limits)
    for guest in [house.connect() for _ in range(guests)]:
        for _ in range(pieces):
            read(guest.protocol, bytes(PIECE))
    house.loop.turn()
    assert sum(map(len, got)) == first * PIECE
    house.loop.turn_on()
    assert sum(map(len, got)) == guests * pieces * PIECE


def test_request_bodies_parsed_in_many_turns_of_the_event_loop_arrive_unchanged(
    parsed: Counter[int],
) -> None:
    """Eight clients send about 50 kB each. The server responds with a digest of the bytes."""
    bodies = [bytes([number]) * 50_000 + b"end" for number in range(8)]

    async def work(server: Server) -> None:
        heads = [HEAD + b"Content-Length: %d\r\n\r\n" % len(body) for body in bodies]
        guests = [
            await server.connect_client(head + b) for head, b in zip(heads, bodies, strict=True)
        ]
        for guest, body in zip(guests, bodies, strict=True):
            answer = await server.loop.sock_recv(guest, 1_000)
            assert answer.endswith(sha256(body).hexdigest().encode())

    run(work, float)
    assert parsed.total() > sum(map(len, bodies))
    assert PIECE < max(parsed.values()) <= READ


# Accounts


@pytest.fixture
def got(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Replace the parser with a function that records its data, and return the recorded data."""
    pieces = list[bytes]()
    monkeypatch.setattr(h11.Connection, "receive_data", lambda _, data: pieces.append(data))
    monkeypatch.setattr(h11.Connection, "next_event", lambda _: h11.NEED_DATA)
    return pieces


@pytest.fixture
def house() -> Connections:
    """Return a server on which parsing any piece of data takes one second.

    Each connection may use two seconds of CPU time.
    """
    limits = Limits(parsing=Rate(5, 1), connection_parsing=Rate(2, 1))
    return Connections(turns=Turns(partial(next, itertools.count(step=0.5))), limits=limits)


def test_a_connection_that_has_used_its_cpu_time_is_not_read_until_it_has_credit_again(
    house: Connections, got: list[bytes]
) -> None:
    """Other connections are read, even if they have the same address."""
    mine = house.connect(b"m" * 4 * PIECE)
    assert len(got) < 4
    read(mine.protocol, b"m" * PIECE)
    assert mine.pause_reading.called
    assert not mine.resume_reading.called
    used = len(got)
    for address in ("192.0.2.1", "192.0.2.2"):
        house.connect(b"o", address=address)
    assert got[used:] == [b"o", b"o"]
    for _ in range(60):
        house.loop.wait(1)
    assert b"".join(got).count(b"m") == 5 * PIECE
    assert mine.resume_reading.called


def test_each_connection_of_a_proxy_has_its_own_account_for_cpu_time() -> None:
    """A proxy forwards the requests of many clients.

    All connections of any other address share one account.
    """
    house = Connections(proxies=[ip_network("10.0.0.0/8")])
    for address, accounts in [("10.0.0.7", 2), ("192.0.2.1", 1)]:
        pair = [house.connect(address=address).protocol.account for _ in range(2)]
        assert pair[0] is not pair[1]
        assert len({each.address for each in pair}) == accounts
        assert {each.address.bucket.rate for each in pair} == {Limits().parsing}


def test_data_of_a_client_that_does_not_read_is_not_parsed_until_it_reads_again(
    house: Connections, got: list[bytes]
) -> None:
    """Otherwise, responses such as pongs would fill the memory. No data are lost."""
    slow = house.connect()
    slow.protocol.pause_writing()
    house.send(slow, b"ping")
    assert got == []
    slow.protocol.resume_writing()
    house.loop.turn_on()
    assert got == [b"ping"]


def test_an_error_in_a_parser_closes_only_its_own_connection(
    house: Connections, got: list[bytes]
) -> None:
    """The error is reported, and no further data of the closed connection are parsed."""
    bad, good = house.connect(), house.connect()
    bad.protocol._parser.data_received = Mock(side_effect=ZeroDivisionError)
    read(bad.protocol, b"b" * 2 * PIECE)
    read(good.protocol, b"g")
    house.loop.turn_on()
    assert bad.abort.called
    assert bad.protocol._parser.data_received.call_count == 1
    assert [type(each["exception"]) for each in house.loop.errors] == [ZeroDivisionError]
    assert got == [b"g"]
    late = house.connect()
    read(late.protocol, b"l")
    late.protocol.connection_lost(None)
    house.loop.turn_on()
    assert got == [b"g"]


def test_the_cpu_time_of_a_request_is_charged_to_its_connection_and_address() -> None:
    """Two requests in one packet are charged separately."""
    house = Connections(turns=Turns(float))
    account = house.connect(REQUEST * 2).protocol.account
    for _ in range(2):
        left = account.bucket.left
        house.loop.go_on()
        assert account.bucket.left < left
        assert account.address.bucket.left < Limits().parsing.burst
    assert house.loop.paused == []
