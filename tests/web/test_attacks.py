"""Tests of the limits on the load that a client can cause.

The largest input of each kind must not delay other clients.  A watchdog fails these tests if a
callback blocks the event loop.
"""

import asyncio
import gc
import json
import os
import random
import weakref
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any, get_args

import attrs
import pytest

import valletta_rules as vr
from tests.web.client import WISH, Server, Table, document, play, serving
from tests.web.watchdog import MOST, TRACED
from valletta_rules.analysis import advise
from valletta_rules.errors import MOST_PROBLEMS
from valletta_rules.rulings import EDITIONS
from valletta_rules.web import protocol
from valletta_rules.web.accounts import Account, Accounts, CooperativeScheduler
from valletta_rules.web.actors import TableActor
from valletta_rules.web.application import PAGES, _routes
from valletta_rules.web.limits import Limits, Rate
from valletta_rules.web.processes import WorkerPool
from valletta_rules.web.workers import BotAnswer, BusyError, LocalWorkers, SeatHistory

pytestmark = pytest.mark.anyio

FAULTY = "format = 1\n" + "".join(
    f'[[building]]\ncharacter = "x{number}"\n' for number in range(2_500)
)
"""A card set, as text, with 15,003 validation errors."""

FAULTY_TABLE = {**WISH, "seats": [], "cards": FAULTY}


def endless() -> Iterator[vr.Action]:
    """Yield the actions of an endless game, in which no player builds or plays Valette."""
    state, rng = vr.new_game(2, rules=EDITIONS["z-man"]), random.Random(1)
    while True:
        assert state.prompt is not None
        if state.prompt.seat is None:
            action: vr.Action = vr.sample_chance(state, rng)
        else:
            action = next(each for each in reversed(vr.legal_actions(state)) if not ends(each))
        yield action
        state = vr.apply(state, action)


def ends(action: vr.Action) -> bool:
    """Return whether an action can lead to the end of the game."""
    is_valette = isinstance(action, vr.PlayCard) and action.character is vr.Character.VALETTE
    return is_valette or isinstance(action, vr.Build | vr.Upgrade)


def long_record(moves: int) -> vr.Record:
    """Return a record with the given number of moves of the endless game."""
    actions = tuple(action for action, _ in zip(endless(), range(moves), strict=False))
    return vr.Record(2, EDITIONS["z-man"], actions=actions)


async def replays(server: Server, moves: int, count: int = 1) -> list[Table]:
    """Open a record of `moves` moves of the endless game, `count` times; return the tables."""
    text = vr.format_record(long_record(moves)).encode()
    return [Table(server, (await server.fetch("/api/replay", text)).value) for _ in range(count)]


# The watchdog


def test_the_watchdog_reports_the_name_of_a_callback_that_blocks_the_event_loop(
    blocking_callbacks: list[str],
) -> None:
    """A task that yields to the loop between its steps is not reported."""

    def work(seconds: float) -> None:
        """Use CPU time for the given number of seconds."""
        end = thread_time() + seconds
        while thread_time() < end:
            pass

    async def hold() -> None:
        work(2 * MOST * TRACED)

    account = Accounts(Rate(1, 1)).of("")
    asyncio.run(hold())
    assert "hold()" in blocking_callbacks.pop()
    asyncio.run(CooperativeScheduler().each(work, [MOST / 5] * 10 * TRACED, account))
    assert not blocking_callbacks


# Records


async def test_a_record_with_more_moves_than_the_limit_gets_status_400(server: Server) -> None:
    """The limit is 5,000 moves, for records in the text format and in JSON."""
    most = Limits().moves
    longer = long_record(most + 1)
    for text in (vr.format_record(longer), vr.to_json(longer)):
        response = await server.fetch("/api/replay", text.encode())
        assert response.status == 400
        assert "5,000 moves" in response.value["message"]


async def test_viewing_the_longest_permitted_record_does_not_delay_another_table(
    server: Server, table: Table
) -> None:
    """The server reads and sends the log in slices. Earlier moments can be viewed, too."""
    other = await table.enter(0, 1)
    most = Limits().moves
    (opened,) = await replays(server, most)
    watching = asyncio.create_task(opened.connect_page())
    while not watching.done():
        await other.ping()
    page = watching.result()
    assert page.revision > 2_500
    assert [each["revision"] for each in page.log] == [*range(page.revision + 1)]
    sight = await page.request("look", at=1_000, open=True)
    assert sight["moment"]["revision"] == 1_000
    assert vr.parse_record((await opened.record()).text).actions == long_record(most).actions
    await play(None, other)


async def test_games_loaded_from_the_database_are_excluded_from_garbage_collection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Collecting so many objects would block the event loop.

    When a game is dropped, reference counting frees it.
    """
    (table,) = await replays(server, 400)
    actors, load = list[weakref.ref[TableActor]](), TableActor.load

    async def load_and_record(actor: TableActor, log: Any) -> None:
        actors.append(weakref.ref(actor))
        await load(actor, log)

    monkeypatch.setattr(TableActor, "load", load_and_record)
    gc.disable()
    try:
        page = await table.connect_page()
        assert gc.get_freeze_count() > 10_000
        assert actors[0]() is not None
        await page.leave()
        for _ in range(20):
            await asyncio.sleep(0)
        assert actors[0]() is None
    finally:
        gc.enable()
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("server", [Limits(moves=400, moves_in_memory=1_000)], indirect=True)
async def test_a_page_cannot_enter_a_table_while_too_many_moves_are_in_memory(
    server: Server,
) -> None:
    """The page receives the reason. It can enter after the page of another table has left."""
    tables = await replays(server, 400, 3)
    first, second = [await table.connect_page() for table in tables[:2]]
    turned_away = await tables[2].connect_page()
    assert turned_away.messages[-1]["code"] == "full"
    assert (await tables[2].record()).status == 503
    assert first.revision == second.revision > 200
    await first.leave()
    assert (await tables[2].connect_page()).messages[0]["type"] == "welcome"


@pytest.mark.parametrize("server", [Limits(moves_replayed=500)], indirect=True)
async def test_viewing_many_records_does_not_prevent_entering_a_game(server: Server) -> None:
    """The limit on moves in memory is lower for records than for all tables together."""
    kinds = [
        (await table.connect_page()).messages[-1]["type"] for table in await replays(server, 300, 2)
    ]
    assert "ended" in kinds
    assert (await (await server.open(None, None)).enter(0)).own == (0,)


@pytest.mark.parametrize("server", [Limits(moves=60)], indirect=True)
async def test_a_game_that_reaches_the_maximum_number_of_moves_is_stopped(
    server: Server,
) -> None:
    """Moves that were taken back count, too.

    All pages receive the reason.  After a restart of the server, the game is still stopped.
    """
    table = await server.open(None, None)
    page = await table.enter(0, 1)
    while "limit of moves" not in page.moment["bar"]:
        await play(None, page)
        if page.undo is not None:
            undo = {"revision": page.revision, "to": page.undo["to"], "agreed": True}
            await page.reach((await page.request("undo", **undo))["revision"])
    assert page.undo is None
    last, again = page.revision, await table.enter(0, language="de")
    assert "so viele Züge" in again.moment["bar"]
    action = document({"type": "DraftGood", "good": "gold"})
    refused = await page.refusal_code("answer", revision=last, action=action)
    assert refused == "too-long"
    async with serving(server.path, Limits(moves=60)) as another:
        back = await Table(another, table.opened).enter(1)
        assert (back.revision, back.moment["bar"]) == (last, page.moment["bar"])


# Card sets


@pytest.mark.parametrize("code", ["en", "de"])
async def test_a_card_set_with_15003_errors_is_answered_with_the_first_ones_and_a_count(
    server: Server, code: str
) -> None:
    """Otherwise, a short request would cause a much longer response."""
    report = (await server.fetch("/api/card-set", {"text": FAULTY, "language": code})).value
    assert (report["name"], report["count"]) == (None, 15_003)
    assert len(report["problems"]) == MOST_PROBLEMS + 1
    assert report["problems"][-1] in ("and 14,953 more", "und 14953 weitere")
    refused = await server.fetch(f"/api/tables?language={code}", FAULTY_TABLE)
    assert refused.status == 400
    assert len(refused.text) < 20_000
    assert refused.value["message"].endswith(report["problems"][-1])


# Every entry point

TOKENS = ("x" * 1_900,) * 8
LARGEST: dict[str, Any] = {
    "int": 10**6,
    "int | None": 2,
    "bool": True,
    "tuple[str, ...]": TOKENS,
    "Id": "x" * 64,
    "Revision": 10**6,
    "Seat": 0,
    "Name": "x" * 40,
    "Pause": 5_000,
    "Speech": "de",
    "BotLevel | None": "master",
    "ActionDocument": {str(number): [[[]]] * 6 for number in range(350)},
}
"""For each type of field in a message, the largest value."""

ANSWERS = {
    protocol.Hint: "hinted",
    protocol.Pace: "ack",
    protocol.Present: "sight",
    protocol.Renew: "new-link",
    protocol.SitIn: "ack",
    protocol.Stop: "ack",
}
"""For each type of message whose largest example is accepted, the type of the response."""

RECORD = vr.format_record(vr.Record(2, EDITIONS["z-man"])) + "red: draw builder\n" * 110_000

ROUTES: dict[str, tuple[str, object]] = {
    "/": ("/", None),
    "/table/{table}": ("/table/" + "x" * 60_000, None),
    "/api/lobby": ("/api/lobby?language=" + "x" * 60_000, None),
    "/api/health": ("/api/health", None),
    "/api/card-set": ("/api/card-set", {"text": FAULTY + "#" * 150_000, "language": "de"}),
    "/api/tables": ("/api/tables", {**FAULTY_TABLE, "edition": "x" * 150_000}),
    "/api/tables/{about}/record": ("/api/tables/" + "x" * 60_000 + "/record", None),
    "/api/lessons": ("/api/lessons", {"lesson": "x" * 150_000}),
    "/api/replay": ("/api/replay", RECORD.encode()),
    "/api/clauses/{about}": ("/api/clauses/" + "x" * 60_000, None),
    "/static/words.{language}.json": ("/static/words.de.json", None),
    "/static/pictures.{language}.json": ("/static/pictures.de.json", None),
    "/static": (
        "/static/" + max(os.listdir(PAGES), key=lambda n: (PAGES / n).stat().st_size),
        None,
    ),
    "/ws": ("/ws", None),
}
"""For each route, the path and the body of the largest request that it permits."""


def largest(kind: type, revision: int) -> str:
    """Return the largest possible message of type `kind`.

    All revisions in the message are `revision`.
    """
    fields = {name: LARGEST[of] for name, of in kind.__annotations__.items()}
    known = {
        "protocol": protocol.PROTOCOL,
        "revision": revision,
        "at": revision,
        "id": kind.__name__,
    }
    text = json.dumps(
        {"type": protocol.tag_of(kind), **fields, **{k: known[k] for k in known if k in fields}}
    )
    assert len(text) <= protocol.LONGEST
    return text


@pytest.mark.parametrize(
    "door", [*(vars(each)["path"] for each in _routes()), *get_args(protocol.PageMessage)]
)
async def test_the_largest_input_for_each_route_and_message_does_not_block_the_event_loop(
    server: Server, door: Any
) -> None:
    """`ROUTES` has the input for each route, and `LARGEST` the value for each type of field."""
    if isinstance(door, str):
        path, body = ROUTES[door]
        kind = "websocket" if door == "/ws" else "http"
        answered = await server.fetch(path, body, kind=kind)
        assert answered.status not in (413, 429)
        return
    page = await (await server.open(*[None] * 4)).enter(1, 2, 3, opener=True)
    await page.request("present", seat=page.waits_for)
    text = largest(door, page.revision)
    if "action" in attrs.fields_dict(door):
        assert len(text) > protocol.LONGEST * 3 / 4
    for _ in range(3):
        page.send(text)
    await page.ping()
    if door not in (protocol.Hello, protocol.Ping):
        while sum(each.get("id") == door.__name__ for each in page.messages) < 3:
            await page.receive()
        answers = {each["type"] for each in page.messages if each.get("id") == door.__name__}
        assert answers == {ANSWERS.get(door, "refused")}


# CPU time


@pytest.mark.parametrize("server", [Limits(address_cpu=Rate(0.2, 1e-9))], indirect=True)
async def test_requests_from_an_address_that_has_used_its_cpu_time_get_status_429(
    server: Server,
) -> None:
    """Only one of twelve concurrent requests is processed. Other addresses are not affected."""
    wish = {"text": FAULTY, "language": "en"}
    mine = {"client": ("10.0.0.1", 1)}
    requests = (server.fetch("/api/card-set", wish, **mine) for _ in range(12))
    statuses = [response.status for response in await asyncio.gather(*requests)]
    assert (statuses.count(200), statuses.count(429)) == (1, 11)
    refused = await server.fetch("/api/card-set?language=de", wish, **mine)
    assert (refused.value["code"], refused.value["message"][:8]) == ("too-fast", "Das war ")
    assert (await server.fetch("/api/card-set", wish, client=("10.0.0.2", 1))).status == 200


async def test_cpu_time_on_the_event_loop_is_charged_to_the_requesting_page_and_its_address() -> (
    None
):
    """Each step of a coroutine is charged, even if it raises an error.

    Credit for CPU time grows over time.
    """
    now = [0.0]
    accounts = Accounts(Rate(10, 2), lambda: now[0], most=1)
    account = accounts.of("here")
    page = account.page(Rate(1, 1))

    async def work() -> int:
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await asyncio.sleep(9)
        return 3

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    assert await page.metered(work()) == 3
    with pytest.raises(ZeroDivisionError):
        await page.metered(fail())
    assert 0 < 1 - page.bucket.left < 1
    assert account.bucket.left < 10
    page.charge(5)
    assert page.wait > 4
    assert account.wait == 0
    account.charge(12)
    assert account.wait > 0
    assert accounts.of("here") is account
    now[0] += 60
    assert page.wait == 0
    await page.credit()
    account.waiting = 1
    accounts.of("elsewhere")
    assert accounts.of("here") is account
    account.waiting = 0
    accounts.of("anywhere")
    assert len(accounts) == 1


@pytest.mark.parametrize("kind", [LocalWorkers, WorkerPool])
async def test_calls_to_both_kinds_of_workers_return_results_raise_errors_and_are_charged(
    kind: Any,
) -> None:
    """The kinds are local workers and processes.

    A call raises a BusyError if its account has no CPU time left.
    """
    account = Accounts(Rate(1, 1), lambda: 0.0).of("")
    async with kind() as workers:
        assert await workers.run(Path, account) == Path()
        with pytest.raises(ZeroDivisionError):
            await workers.run(partial(divmod, 1, 0), account)
        assert account.bucket.left < 1
        account.charge(2)
        with pytest.raises(BusyError):
            await workers.run(Path, account)


async def test_the_cpu_time_of_hints_and_bots_is_charged_to_the_address_of_the_table() -> None:
    """If a bot is unknown, the CPU time of the bot that replaces it is charged."""
    session, left = vr.Session(2, seed=5), [10.0]
    assert session.prompt is not None
    view, start = (
        vr.view(each, session.prompt.seat) for each in (session.state, session.record.start)
    )
    steps = vr.replay(session.record)
    events = [vr.redact(event, view.seat) for step in steps for event in step.events]
    history = SeatHistory(start, tuple(events))
    account = Accounts(Rate(10, 1), lambda: 0.0).of("")
    async with LocalWorkers() as workers:
        assert await workers.hint(view, history, table="", payer=account) == advise(view)
        left.append(account.bucket.left)
        for level in ("random", "nobody"):
            await workers.decide(level, [view], None, 1, table="", payer=account)
            left.append(account.bucket.left)
    assert left == sorted({*left}, reverse=True)


async def test_bots_wait_until_their_address_has_enough_cpu_time_but_pages_do_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a bot waits, people can continue to play."""
    now, slept = [0.0], list[float]()
    account = Accounts(Rate(10, 2), lambda: now[0]).of("")
    account.charge(6)
    assert account.wait == 0

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "sleep", sleep)
        await account.page(Rate(1, 1)).spare()
    assert slept == [0.5]
    tried = asyncio.Event()

    async def spare(self: Account) -> None:
        assert self.owner is None
        tried.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Account, "spare", spare)
    page = await (await server.open(None, "strong")).enter(0)
    while page.moment["asked"] == 0:
        await play(None, page)
    await tried.wait()
    await page.ping()
    assert not server.bots.specs


async def test_at_most_eight_requests_from_an_address_wait_for_a_worker() -> None:
    """All other requests raise a BusyError.

    Waiting requests raise this error, too, when the CPU time is used up.
    """
    account, go = Accounts(Rate(4, 1), lambda: 0.0).of(""), asyncio.Event()

    class Slow(LocalWorkers):
        async def _do(self, rank: int, call: Any) -> Any:
            await go.wait()
            return BotAnswer(1.5, call())

    calls = [asyncio.create_task(Slow().run(int, account)) for _ in range(10)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert [each.done() for each in calls] == [False] * 8 + [True] * 2
    go.set()
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert outcomes[:3] == [0] * 3
    assert [type(each) for each in outcomes[3:]] == [BusyError] * 7
    assert account.waiting == 0


async def test_the_server_delays_a_page_by_its_cpu_time_at_admission_and_after_each_message(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The messages of a page that causes much work are handled more slowly than others."""
    waits = list[Account]()

    async def credit(account: Account) -> None:
        waits.append(account)

    monkeypatch.setattr(Account, "credit", credit)
    page = await table.enter(0)
    assert len(waits) == 1
    for _ in range(2):
        await page.ping()
    assert len(waits) >= 2
