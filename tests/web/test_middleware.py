"""Tests of the middleware, which limits hosts, origins, request rates and sizes of bodies."""

import asyncio
import re
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import attrs
import pytest

from tests.web.client import CASES, Message, Server, fetch, scope_of
from valletta_rules.errors import MOST_PROBLEMS
from valletta_rules.web import admission, application, connections
from valletta_rules.web.limits import Buckets, Limits, Rate
from valletta_rules.web.middleware import address_of, guarded
from valletta_rules.web.workers import MOST_WAITING

pytestmark = pytest.mark.anyio


async def inside(scope: Any, receive: Any, send: Any) -> None:
    """Respond to a request, or accept a WebSocket and wait until it is closed."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})
    else:
        await send({"type": "websocket.accept", "headers": []})
        while not (await receive())["type"].endswith("disconnect"):
            pass


async def statuses(app: Any, **given: Any) -> tuple[int, int]:
    """Send a request and a WebSocket handshake, and return the status of each response."""
    answers = [await fetch(app, "/", kind=kind, **given) for kind in ("http", "websocket")]
    return answers[0].status, answers[1].status


@pytest.mark.parametrize(("host", "server"), CASES["hosts"])
async def test_requests_to_a_loopback_name_the_servers_address_or_a_configured_name_are_accepted(
    host: str, server: str
) -> None:
    """The header Origin is missing, or names the same host as the request."""
    app = guarded(inside, ["Table.local", "fd00::7"])
    for headers in ((), [("Origin", f"http://{host}")], [("Origin", f"HTTP://{host}".upper())]):
        actual = await statuses(app, host=host, server=(server, 8000), headers=headers)
        assert actual == (200, 101)


@pytest.mark.parametrize(
    "wrong",
    [*CASES["strangers"], {"host": None}, {"host": "192.168.1.7", "server": None}],
    ids=str,
)
async def test_requests_to_an_unknown_host_or_from_another_origin_are_rejected(
    wrong: dict[str, Any],
) -> None:
    """A foreign site can make its host name resolve to this machine.

    The response does not contain the foreign name.
    """
    answer = await fetch(guarded(inside), "/", **wrong)
    assert answer.status in (400, 403)
    assert "evil" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert (await statuses(guarded(inside), **wrong))[1] != 101


@pytest.mark.parametrize(("host", "origin", "status"), CASES["public"])
async def test_with_a_public_url_only_its_host_and_its_origin_are_accepted(
    host: str, origin: str, status: int
) -> None:
    """A proxy forwards requests in plain HTTP, although the origin of the page uses HTTPS."""
    app = guarded(inside, public="https://valletta.example")
    actual = await statuses(app, host=host, headers=[("Origin", origin)])
    assert actual == (status, 101 if status == 200 else status)


async def test_the_header_strict_transport_security_is_sent_only_for_a_public_https_url() -> None:
    """A browser that has received this header uses HTTPS for the host for one year."""
    for scheme, header in [("https", "max-age=31536000"), ("http", None)]:
        app = guarded(inside, public=f"{scheme}://valletta.example")
        response = await fetch(app, "/", host="valletta.example")
        assert response.headers.get("strict-transport-security") == header


async def test_every_response_has_the_expected_security_headers_and_no_cookie() -> None:
    """`cases.toml` lists the expected headers."""
    assert (await fetch(guarded(inside), "/")).headers == CASES["headers"]


# Rates


def figures_of(guide: str) -> dict[str, list[float]]:
    """Return the numbers in a guide's table of limits, keyed by the resource that is limited."""
    page = Path(__file__).resolve().parents[2] / "docs" / "howto" / guide
    text = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", page.read_text("utf-8"))
    rows = re.findall(r"^   \* - (.*)\n     - (.*)$", text, re.MULTILINE)
    return {
        name: [float(each) for each in re.findall(r"[0-9.]*[0-9]", value)] for name, value in rows
    }


def test_the_guides_to_hosting_and_serving_contain_the_actual_limits() -> None:
    """Operators of a server read in the guides how much load a client can cause."""
    limits, files = Limits(), admission.RESERVED
    parsing, page, own = limits.parsing, limits.page_cpu, limits.connection_parsing

    def burst_and_pause(path: str) -> list[float]:
        return [limits.rates[path].burst, 1 / limits.rates[path].per_second]

    assert figures_of("host_a_table.rst") == {
        "Resource": [],
        "connections": [
            admission.MOST,
            files + 2 * admission.MOST,
            files,
            1024,
            512 - files / 2,
        ],
        "connections of an address": [admission.Admission().most_of_address],
        "WebSockets of an address": [limits.sockets],
        "header of a request": [admission.HEADER],
        "request and response": [admission.RESPONSE, 10],
        "requests of an address": [limits.requests.burst, limits.requests.per_second],
        "new tables of an address": burst_and_pause("/api/tables"),
        "card set checks of an address": burst_and_pause("/api/card-set"),
        "records opened by an address": burst_and_pause("/api/replay"),
        "CPU time of an address": [limits.address_cpu.burst],
        "CPU time to parse what an address sends, and to answer its requests": [
            *(parsing.burst, own.burst)
        ],
        "text sent to an address and not yet read": [
            *(connections.MOST_BYTES / 10**6, connections.MOST_UNREAD / 10**6, 10)
        ],
    }
    assert [*figures_of("serve_a_table.rst").values()] == [
        [],
        [limits.moves, 300],
        [limits.moves_in_memory, limits.moves_replayed],
        [MOST_PROBLEMS],
        [limits.address_cpu.burst, limits.address_cpu.per_second],
        [page.burst, page.per_second],
        [parsing.burst, parsing.per_second, own.burst, own.per_second],
        [MOST_WAITING],
    ]


@pytest.mark.parametrize("module", CASES["figures"])
def test_the_limits_that_the_documentation_mentions_have_not_changed(module: str) -> None:
    """`cases.toml` lists the values.

    If a limit changes, the pages that mention it must be changed, too.
    """
    constants = vars(import_module(f"valletta_rules.web.{module}"))
    figures = CASES["figures"][module]
    rate = {"RECORDS": attrs.asdict(constants["RECORDS"])} if "RECORDS" in figures else {}
    assert {name: constants[name] for name in figures} | rate == figures


async def test_an_address_that_sends_requests_at_too_high_a_rate_gets_status_429() -> None:
    """It may send requests again after a while. Other addresses are not affected."""
    clock = Mock(return_value=100.0)
    app = guarded(inside, (), Limits(requests=Rate(3, 1), rates={"/new": Rate(1, 0.1)}), clock)

    async def request_statuses(
        count: int, path: str = "/", address: str = "10.0.0.1", **more: Any
    ) -> list[int]:
        answers = [await fetch(app, path, client=(address, 1), **more) for _ in range(count)]
        assert all(each.status == 200 or each.value["code"] == "too-fast" for each in answers)
        return [each.status for each in answers]

    assert await request_statuses(4) == [200, 200, 200, 429]
    assert await request_statuses(1, address="10.0.0.2") == [200]
    clock.return_value += 1
    assert await request_statuses(2) == [200, 429]
    clock.return_value += 60
    assert await request_statuses(2, "/new", method="POST") == [200, 429]
    assert await request_statuses(1, "/new") == [200]


def test_the_request_rate_of_an_address_is_dropped_from_memory_once_it_has_recovered() -> None:
    """Memory is thus bounded, and an address cannot exceed its rate by being dropped."""
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


@pytest.mark.parametrize("server", [Limits(sockets=2)], indirect=True)
async def test_an_address_with_too_many_websockets_gets_status_429_until_one_is_closed(
    server: Server,
) -> None:
    """The limit is two in this test."""
    pages = [server.page(client=("10.0.0.1", each)) for each in range(2)]
    await asyncio.sleep(0)
    for address, status in [("10.0.0.1", 429), ("10.0.0.2", 101)]:
        answer = await server.fetch("/ws", kind="websocket", client=(address, 3))
        assert answer.status == status
        assert status == 101 or answer.value["code"] == "too-many"
    await pages[0].leave()
    assert (await server.fetch("/ws", kind="websocket", client=("10.0.0.1", 4))).status == 101


@pytest.mark.parametrize(("client", "address"), CASES["clients"])
def test_ipv6_addresses_of_the_same_network_count_as_one_address(client: str, address: str) -> None:
    """A provider assigns a whole network to each household."""
    assert address_of({"client": (client, 5)}) == address
    assert address_of({"client": None}) == ""


# Sizes


@pytest.mark.parametrize(("path", "size", "status"), CASES["bodies"])
async def test_a_request_body_above_the_limit_for_its_path_is_rejected(
    server: Server, path: str, size: int, status: int
) -> None:
    """The limit applies with and without the header Content-Length."""
    for headers in [(), [("content-length", str(size))]]:
        answer = await server.fetch(path, [b"x" * (size - 1), b"x"], headers=headers)
        assert answer.status == status
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_request_whose_body_does_not_arrive_gets_status_408(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client closes the connection, or sends nothing until the timeout."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def leave() -> Message:
        return {"type": "http.disconnect"}

    async def dawdle() -> Message:
        await asyncio.sleep(9)
        raise AssertionError

    monkeypatch.setattr(application, "BODY", 0.01)
    for receive in (leave, dawdle):
        sent.clear()
        await server.app(scope_of("http", "/api/tables", method="POST"), receive, send)
        assert sent[0]["status"] == 408
