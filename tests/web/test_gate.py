"""Who may come in, how much he may bring, and how fast."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from valletta_rules import Refusal, from_json
from valletta_rules.web.gate import (
    TOO_FAST,
    Buckets,
    Gate,
    Limits,
    Message,
    Rate,
    Receive,
    Scope,
    Send,
    address_of,
)

HOST = "localhost:8000"


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Inside:
    """An application that notes what it is given; it echoes what a WebSocket says."""

    def __init__(self) -> None:
        """Have heard of nobody."""
        self.bodies: list[bytes] = []
        self.others: list[str] = []
        self.headers: list[tuple[bytes, bytes]] = []
        self.holding = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] == "http":
            self.bodies.append((await receive())["body"])
            assert (await receive())["type"] == "http.disconnect"
            headers = self.headers
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b"inside"})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            if scope["path"] == "/hold":
                await self.holding.wait()
            while (message := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": message["text"]})
            self.others.append(f"gone {message.get('code')}")
            await send({"type": "websocket.send", "text": "too late?"})
        else:
            self.others.append(scope["type"])


def scope_of(kind: str, path: str = "/", **said: Any) -> Scope:
    """Return a scope as uvicorn makes it."""
    headers = [(name.encode(), value.encode()) for name, value in said.pop("headers", ())]
    host = said.pop("host", HOST)
    return {
        "type": kind,
        "method": "GET",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "headers": [(b"host", host.encode()), *headers] if host is not None else headers,
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        **said,
    }


def run(gate: Any, scope: Scope, messages: Sequence[Message] = ()) -> list[Message]:
    """Let somebody come and say something; return what he is told."""
    ends = {"http": "http.disconnect", "websocket": "websocket.disconnect"}
    coming = list(messages) or [{"type": "http.request"}]
    told: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": ends[scope["type"]], "code": 1000}

    async def send(message: Message) -> None:
        told.append(message)

    asyncio.run(gate(scope, receive, send))
    return told


def answer(told: Sequence[Message]) -> tuple[int, str]:
    """Return the status of an answer, and its code if it is a refusal."""
    refusal = None if told[0]["status"] == 200 else from_json(told[1]["body"].decode())
    return told[0]["status"], refusal.code if isinstance(refusal, Refusal) else ""


CONNECT: Message = {"type": "websocket.connect"}


def text(said: str) -> Message:
    """Return a message of a WebSocket."""
    return {"type": "websocket.receive", "text": said}


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("localhost:8000", "127.0.0.1"),
        ("LOCALHOST", "127.0.0.1"),
        ("127.0.0.1:8000", "127.0.0.1"),
        ("[::1]:8000", "::1"),
        ("192.168.1.7:8000", "192.168.1.7"),
        ("[fe80::7]", "fe80::7"),
        ("table.local:9", "192.168.1.7"),
    ],
)
def test_whoever_calls_us_by_our_name_comes_in(host: str, server: str) -> None:
    """It is the loopback's, the address at which he arrives, or one that we were given."""
    gate = Gate(Inside(), hosts=["Table.local"])
    assert answer(run(gate, scope_of("http", host=host, server=(server, 8000)))) == (200, "")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8000",
        "localhost.evil.example",
        "192.168.1.8:8000",
        "localhost:",
        "localhost:8000:9",
        "localhost:8000@evil.example",
        "[::1",
        "",
        None,
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_whoever_calls_us_by_another_name_does_not(host: str | None, kind: str) -> None:
    """A page elsewhere may let its own name lead to this machine."""
    inside = Inside()
    told = run(Gate(inside), scope_of(kind, host=host), [CONNECT] if kind == "websocket" else ())
    if kind == "http":
        assert answer(told) == (421, "wrong-host")
    else:
        assert told == [{"type": "websocket.close", "code": 1008, "reason": "wrong-host"}]
    assert inside.bodies == []


def test_two_names_are_none() -> None:
    """Who says Host twice is not let in, whatever they are."""
    told = run(Gate(Inside()), scope_of("http", headers=[("Host", HOST)]))
    assert answer(told) == (421, "wrong-host")
    told = run(Gate(Inside()), scope_of("http", server=None, host="192.168.1.7"))
    assert answer(told) == (421, "wrong-host")


@pytest.mark.parametrize(
    ("origins", "status"),
    [
        ([], 200),
        (["http://localhost:8000"], 200),
        (["HTTP://localhost:8000"], 200),
        (["https://localhost:8000"], 403),
        (["http://localhost:8001"], 403),
        (["http://127.0.0.1:8000"], 403),
        (["http://evil.example"], 403),
        (["null"], 403),
        (["http://localhost:8000", "http://evil.example"], 403),
    ],
)
def test_a_page_that_calls_must_be_ours(origins: list[str], status: int) -> None:
    """By its whole origin; one without it is no page."""
    headers = [("origin", origin) for origin in origins]
    assert run(Gate(Inside()), scope_of("http", headers=headers))[0]["status"] == status
    told = run(Gate(Inside()), scope_of("websocket", headers=headers), [CONNECT])
    assert told[0]["type"] == ("websocket.accept" if status == 200 else "websocket.close")


def test_every_answer_has_the_headers() -> None:
    """A refusal, too; what an answer says of itself stays, and nobody is given a cookie."""
    inside = Inside()
    headers = dict(run(Gate(inside), scope_of("http"))[0]["headers"])
    assert headers[b"content-security-policy"] == (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        b"connect-src 'self' ws://localhost:8000 wss://localhost:8000; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'; "
        b"require-trusted-types-for 'script'; trusted-types valletta"
    )
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"cross-origin-opener-policy"] == b"same-origin"
    assert headers[b"cross-origin-resource-policy"] == b"same-origin"
    assert b"set-cookie" not in headers
    inside.headers = [(b"Cache-Control", b"max-age=60")]
    said = run(Gate(inside), scope_of("http"))[0]["headers"]
    assert [value for name, value in said if name.lower() == b"cache-control"] == [b"max-age=60"]
    refused = dict(run(Gate(inside), scope_of("http", host="evil.example; x"))[0]["headers"])
    assert b"evil" not in refused[b"content-security-policy"]
    assert refused[b"cache-control"] == b"no-store"
    assert refused[b"content-type"] == b"application/json"


def parts(*bodies: bytes) -> list[Message]:
    """Return the messages of a body that comes in parts."""
    last = len(bodies) - 1
    return [
        {"type": "http.request", "body": body, "more_body": number < last}
        for number, body in enumerate(bodies)
    ]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/", [b"ab", b"cd"], 200),
        ("/", [b"ab", b"cde"], 413),
        ("/long", [b"abcdef"], 200),
        ("/long", [b"abcdefg"], 413),
    ],
)
def test_a_body_comes_in_one_piece_and_not_too_long(
    path: str, body: list[bytes], status: int
) -> None:
    """Where it leads says how long it may be."""
    inside = Inside()
    gate = Gate(inside, limits=Limits(body=4, bodies={"/long": 6}))
    told = run(gate, scope_of("http", path), parts(*body))
    assert answer(told) == (status, "" if status == 200 else "too-long")
    assert inside.bodies == ([b"".join(body)] if status == 200 else [])


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    """Neither if the client goes away nor if he dawdles."""
    inside = Inside()
    gone = [{"type": "http.request", "body": b"a", "more_body": True}]
    assert answer(run(Gate(inside), scope_of("http"), gone)) == (400, "gone")

    async def dawdle() -> Message:
        await asyncio.sleep(9)
        raise AssertionError

    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    gate = Gate(inside, limits=Limits(body_seconds=0.01))
    asyncio.run(gate(scope_of("http"), dawdle, send))
    assert answer(told) == (408, "too-slow")
    assert inside.bodies == []


def test_an_address_may_ask_only_so_often() -> None:
    """Others are not kept waiting by it, and after a while it may ask again."""
    clock = Clock()
    limits = Limits(requests=Rate(3, 1), rates={"/new": Rate(1, 0.1)})
    gate = Gate(Inside(), limits=limits, clock=clock)

    def ask(path: str = "/", address: str = "10.0.0.1", method: str = "GET") -> int:
        told = run(gate, scope_of("http", path, client=(address, 1), method=method))
        return answer(told)[0]

    assert [ask() for _ in range(4)] == [200, 200, 200, 429]
    assert ask(address="10.0.0.2") == 200
    clock.now += 1
    assert [ask(), ask()] == [200, 429]
    clock.now += 60
    assert [ask("/new", method="POST"), ask("/new", method="POST"), ask("/new")] == [200, 429, 200]


def test_who_has_been_quiet_is_forgotten() -> None:
    """A crowd of addresses takes no room for good, and nobody gains by it."""
    clock = Clock()
    buckets = Buckets(Rate(2, 1), clock, most=3)
    for number in range(3):
        assert buckets.take(f"a{number}")
    clock.now += 0.5
    assert buckets.take("late")
    assert len(buckets._buckets) == 4
    clock.now += 0.5
    assert buckets.take("later")
    assert set(buckets._buckets) == {"late", "later"}
    assert [buckets.take("late") for _ in range(2)] == [True, False]


def test_a_websocket_may_speak_only_so_fast() -> None:
    """Then it is closed, and what is still to be said to it is dropped."""
    inside, clock = Inside(), Clock()
    gate = Gate(inside, limits=Limits(messages=Rate(2, 1)), clock=clock)
    said = [CONNECT, *(text(each) for each in "abc")]
    told = run(gate, scope_of("websocket"), said)
    assert [message.get("text") for message in told[1:3]] == ["a", "b"]
    assert told[3:] == [{"type": "websocket.close", "code": TOO_FAST, "reason": "too-fast"}]
    assert inside.others == [f"gone {TOO_FAST}"]


def test_so_many_websockets_may_be_held() -> None:
    """By an address, and by all; one that is given up makes room."""
    inside = Inside()
    gate = Gate(inside, limits=Limits(sockets=2, sockets_in_all=3))

    async def hold(address: str, told: list[Message]) -> None:
        async def receive() -> Message:
            return CONNECT if not told else {"type": "websocket.disconnect", "code": 1001}

        async def send(message: Message) -> None:
            told.append(message)

        await gate(scope_of("websocket", "/hold", client=(address, 1)), receive, send)

    async def crowd() -> list[str]:
        answers: list[list[Message]] = []
        tasks = []
        for address in ("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"):
            answers.append([])
            tasks.append(asyncio.create_task(hold(address, answers[-1])))
            await asyncio.sleep(0)
        inside.holding.set()
        await asyncio.gather(*tasks)
        assert not gate._sockets
        answers.append([])
        await hold("10.0.0.1", answers[-1])
        return [told[0]["type"].removeprefix("websocket.") for told in answers]

    assert asyncio.run(crowd()) == ["accept", "accept", "close", "accept", "close", "accept"]


def test_what_is_no_visit_goes_through() -> None:
    """The beginning and the end of the server."""
    inside = Inside()
    run(Gate(inside), {"type": "lifespan"})
    assert inside.others == ["lifespan"]


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("10.0.0.1", 5), "10.0.0.1"),
        (("::1", 5), "::1"),
        (("::ffff:10.0.0.1", 5), "10.0.0.1"),
        (("2001:db8:1:2:3::4", 5), "2001:db8:1:2::/64"),
        (("a socket of the machine", 5), "a socket of the machine"),
        (None, ""),
    ],
)
def test_a_house_has_one_address(client: object, address: str) -> None:
    """Of IPv6 it has whole networks."""
    assert address_of({"client": client}) == address
