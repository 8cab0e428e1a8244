"""By which name the table may be called, from which page, how often, and how much may come."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from tests.web.visitor import CASES, Answer, Message, Visitor, fetch, scope_of
from valletta_rules.web import application
from valletta_rules.web.middleware import Buckets, Limits, Rate, address_of, guarded

pytestmark = pytest.mark.anyio


async def inside(scope: Any, receive: Any, send: Any) -> None:
    """Answer a request; hold a WebSocket until it is closed."""
    if scope["type"] == "http":
        headers = [(b"cache-control", b"max-age=60")] if scope["path"] == "/kept" else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"inside"})
    elif scope["type"] == "websocket":
        await send({"type": "websocket.accept", "headers": []})
        while not (await receive())["type"].endswith("disconnect"):
            pass
    else:
        await send({"type": "inside"})


def ask(app: Any = None, path: str = "/", body: object = None, **said: Any) -> Answer:
    """Return how a request is answered."""
    return asyncio.run(fetch(app or guarded(inside), path, body, **said))


def comes_in(app: Any = None, **said: Any) -> bool:
    """Tell whether a WebSocket is accepted."""
    return ask(app, kind="websocket", **said).status == 101


@pytest.mark.parametrize(
    ("host", "server"),
    CASES["hosts"],
)
def test_whoever_calls_us_by_our_name_comes_in(host: str, server: str) -> None:
    """It is the loopback's, the address at which they arrive, or one that we were given."""
    app = guarded(inside, ["Table.local", "fd00::7"])
    assert ask(app, host=host, server=(server, 8000)).status == 200
    assert comes_in(app, host=host, server=(server, 8000))


@pytest.mark.parametrize(
    "wrong",
    [*CASES["strangers"], {"host": None}, {"host": "192.168.1.7", "server": None}],
    ids=str,
)
def test_whoever_calls_us_otherwise_or_from_another_page_does_not(wrong: dict[str, Any]) -> None:
    """A page elsewhere may let its own name lead to this machine; a refusal tells it nothing."""
    answer = ask(**wrong)
    assert answer.status in (400, 403)
    assert "evil" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert not comes_in(**wrong)


@pytest.mark.parametrize("origin", ["http://localhost:8000", "HTTP://localhost:8000"])
def test_our_own_pages_come_in(origin: str) -> None:
    """By their whole origin."""
    assert ask(headers=[("Origin", origin)]).status == 200
    assert comes_in(headers=[("Origin", origin)])


def test_every_answer_has_the_headers() -> None:
    """What an answer says of itself stays, and nobody is given a cookie."""
    assert ask().headers == {
        "content-security-policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            "connect-src 'self' ws://localhost:8000 wss://localhost:8000; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'; trusted-types valletta"
        ),
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
    }
    assert ask(path="/kept").headers["cache-control"] == "max-age=60"


def test_an_address_may_ask_only_so_often() -> None:
    """Others are not kept waiting by it, and after a while it may ask again."""
    clock = Mock(return_value=100.0)
    app = guarded(inside, (), Limits(requests=Rate(3, 1), rates={"/new": Rate(1, 0.1)}), clock)

    def asks(count: int, path: str = "/", address: str = "10.0.0.1", **said: Any) -> list[int]:
        return [ask(app, path, client=(address, 1), **said).status for _ in range(count)]

    assert asks(4) == [200, 200, 200, 429]
    assert ask(app, client=("10.0.0.1", 1)).value["code"] == "too-fast"
    assert asks(1, address="10.0.0.2") == [200]
    clock.return_value += 1
    assert asks(2) == [200, 429]
    clock.return_value += 60
    assert asks(2, "/new", method="POST") == [200, 429]
    assert asks(1, "/new") == [200]


def test_who_has_been_quiet_is_forgotten() -> None:
    """A crowd of addresses takes no room for good, and nobody gains by it."""
    clock = Mock(return_value=100.0)
    buckets = Buckets(Rate(2, 1), clock, most=3)
    for number in range(3):
        assert buckets.take(f"a{number}")
    clock.return_value += 0.5
    assert buckets.take("late")
    assert len(buckets) == 4
    clock.return_value += 0.5
    assert buckets.take("later")
    assert len(buckets) == 2
    assert [buckets.take("late") for _ in range(2)] == [True, False]


async def test_an_address_may_hold_only_so_many_websockets() -> None:
    """One that is given up makes room."""
    app = guarded(inside, limits=Limits(sockets=2))

    held = [Visitor(app, client=("10.0.0.1", each)) for each in range(2)]
    await asyncio.sleep(0)
    refused = await fetch(app, "/ws", kind="websocket", client=("10.0.0.1", 3))
    assert (refused.status, refused.value["code"]) == (429, "too-many")
    async with Visitor(app, client=("10.0.0.2", 1)), held[0]:
        pass
    async with Visitor(app, client=("10.0.0.1", 4)), held[1]:
        pass


async def test_the_beginning_and_the_end_of_the_server_pass() -> None:
    """They are nobody's visit."""
    told: asyncio.Queue[Message] = asyncio.Queue()
    await guarded(inside)({"type": "lifespan"}, told.get, told.put)
    assert told.get_nowait() == {"type": "inside"}


@pytest.mark.parametrize(
    ("client", "address"),
    CASES["clients"],
)
def test_a_house_has_one_address(client: str, address: str) -> None:
    """Of IPv6 it has whole networks."""
    assert address_of({"client": (client, 5)}) == address
    assert address_of({"client": None}) == ""


# What may come


@pytest.mark.parametrize(
    ("path", "size", "status"),
    CASES["bodies"],
)
async def test_a_body_is_not_too_long(app: Any, path: str, size: int, status: int) -> None:
    """Where it leads says how long it may be, whether or not its length is told before."""
    for headers in [(), [("content-length", str(size))]]:
        body = [b"x" * (size - 1), b"x"]
        answer = await fetch(app, path, body, headers=headers)
        assert answer.status == status
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_body_that_does_not_come_is_not_waited_for(app: Any) -> None:
    """Neither if the client goes away nor if it dawdles."""
    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    async def leave() -> Message:
        return {"type": "http.disconnect"}

    async def dawdle() -> Message:
        await asyncio.sleep(9)
        raise AssertionError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(application, "BODY", 0.01)
        for receive in (leave, dawdle):
            told.clear()
            await app(scope_of("http", "/api/tables", method="POST"), receive, send)
            assert told[0]["status"] == 408


@pytest.mark.parametrize("app", [Limits(messages=Rate(2, 0))], indirect=True)
async def test_a_websocket_may_speak_only_so_fast(app: Any) -> None:
    """Then it is closed, and nobody hears the rest."""
    opened = (await fetch(app, "/api/replay", b"valletta: 2\nplayers: 2\n")).value
    async with Visitor(app) as visitor:
        visitor.hello(opened["table"])
        for _ in range(5):
            visitor.say(type="ping")
        assert await visitor.closed() == application.TOO_FAST
        assert sum("pong" in each for each in visitor.transcript) == 2
