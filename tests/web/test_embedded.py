"""The table without a server: the same service, called as a browser's worker calls it."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import WISH
from tests.web.test_upkeep import a_table
from valletta_rules.web.actors import TableActor
from valletta_rules.web.connections import Connection
from valletta_rules.web.embedded import Embedded, _Page
from valletta_rules.web.game import Game, GameRevision
from valletta_rules.web.protocol import PROTOCOL
from valletta_rules.web.store import DAY, TableStore
from valletta_rules.web.upkeep import ROUND, Clock

pytestmark = pytest.mark.anyio

SEATS = [
    {"name": "", "colour": "red", "level": None},
    {"name": "", "colour": "blue", "level": "novice"},
]
TABLE = json.dumps({**WISH, "seats": SEATS, "is_shuffled": False})


HEAVY = {"http", "multiprocessing", "starlette", "urllib.request", "uvicorn", "xml"}
"""What a browser would load in vain, and wait for."""


def test_a_browser_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    """None of the server is imported with the service, nor what is slow in the standard library."""
    code = (
        "import sys; from pathlib import Path; from valletta_rules.web.embedded import Embedded; "
    )
    code += f"Embedded(Path({str(tmp_path / 't')!r}), None); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & {*done.stdout.split()} == set()


class Browser:
    """A browser with a file of tables, and one page."""

    def __init__(self, path: Path) -> None:
        """Start it."""
        self.kept = 0
        self.told: asyncio.Queue[Any] = asyncio.Queue()
        self.tables = Embedded(path, self.keep)

    async def keep(self) -> None:
        """Count how often the file is put on the disk."""
        self.kept += 1

    async def ask(self, path: str, body: str | None = None, token: str = "") -> tuple[int, Any]:
        """Return the status of an answer, and the document in it."""
        status, text = await self.tables.answer(path, "en", body, token)
        return status, json.loads(text)

    def sit(self, table: str, *tokens: str) -> None:
        """Connect the page with a table."""
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "table": table,
            "tokens": tokens,
            "seen": None,
            "language": "de",
        }
        self.tables.open("page", json.dumps(hello), self.told.put_nowait)

    async def until(self, kind: str | None) -> Any:
        """Return the next message of a kind; `None` is the end of the connection."""
        while True:
            text = await asyncio.wait_for(self.told.get(), 600)
            told = None if text is None else json.loads(text)
            if (told and told["type"]) == kind:
                return told


async def test_a_table_is_played_at_and_goes_on_after_a_reload(tmp_path: Path) -> None:
    """Every step is put on the disk before it is told."""
    browser = Browser(tmp_path / "t")
    status, opened = await browser.ask("tables", TABLE)
    token = opened["invitations"][0]["token"]
    assert (status, browser.kept) == (200, 1)
    browser.sit(opened["table"], token)
    moment = (await browser.until("welcome"))["moment"]
    while not moment["choices"]:
        moment = (await browser.until("stepped"))["moment"]
    kept = browser.kept
    answer = {"type": "answer", "id": "1", "revision": moment["revision"]}
    answer["action"] = moment["choices"][0]["action"]
    browser.tables.hear("page", json.dumps(answer))
    stepped = await browser.until("stepped")
    assert browser.kept > kept
    browser.tables.hear("page", None)
    await browser.until(None)
    again = Browser(tmp_path / "t")
    again.sit(opened["table"], token)
    assert (await again.until("welcome"))["moment"]["revision"] >= stepped["moment"]["revision"]
    again.tables.hear("page", None)
    await again.until(None)


async def test_a_page_that_goes_on_at_another_worker_has_to_connect_again(tmp_path: Path) -> None:
    """Its worker has taken over while it was sending; it says the same again after that."""
    browser = Browser(tmp_path / "t")
    browser.tables.open("page", json.dumps({"type": "ping"}), browser.told.put_nowait)
    await browser.until(None)
    browser.tables.hear("page", json.dumps({"type": "ping"}))
    assert browser.told.empty()


@pytest.mark.parametrize("days", [0, 400, -400])
async def test_old_tables_make_room_for_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """One an hour, at the next request, unless the clock of the browser is wrong."""
    now, tried = time.time(), '{"position": "a line"}'
    with closing(TableStore(tmp_path / "t")) as kept:
        old = {a_table(kept, age, options=tried, now=now) for age in (9, 10)}
        a_table(kept, 0, now=now)
    passed = [0.0]
    clock = Clock(lambda: now + days * DAY, lambda: passed[0])
    monkeypatch.setattr("time.time", clock.now)
    monkeypatch.setattr("valletta_rules.web.upkeep.Clock", lambda: clock)
    browser = Browser(tmp_path / "t")
    for left in (2, 2, 1, 1, 0):
        assert (await browser.ask("tables", TABLE))[0] == 200
        passed[0] += ROUND / 2
        with closing(TableStore(tmp_path / "t", reads_only=True)) as kept:
            assert len(old & {*kept.names()}) == (2 if days else left)


async def test_what_is_asked_is_answered_or_refused_as_by_a_server(tmp_path: Path) -> None:
    """A table that is not there turns the page away."""
    browser = Browser(tmp_path / "t")
    assert len((await browser.ask("lobby"))[1]["levels"]) >= 4
    assert (await browser.ask("clauses/BLD-6"))[1]["clause"] == "BLD-6"
    for path, body, status, code in [
        ("clauses/BLD-999", None, 404, "not-found"),
        ("tables/nowhere/record", None, 404, "no-table"),
        ("replay", "nothing", 400, "record"),
    ]:
        found, refusal = await browser.ask(path, body)
        assert (found, refusal["value"]["code"]) == (status, code)
    assert await browser.ask("lobby/more") == (404, None)
    browser.sit("nowhere")
    assert (await browser.until("ended"))["code"] == "no-table"
    await browser.until(None)


async def test_games_that_are_over_leave_nothing_in_memory(tmp_path: Path) -> None:
    """Neither the table nor its game or pages stay, and hardly an object more after each game."""
    browser, objects, before = Browser(tmp_path / "t"), [], living()
    for luck in range(3):
        await play(browser, random.Random(luck))
        for _ in range(1_000):  # until the table is over
            await asyncio.sleep(0.01)
            alive = living()
            if all(alive[each] <= before[each] for each in OVER):
                break
        assert all(alive[each] <= before[each] for each in OVER), alive
        objects.append(sum(alive.values()))
    assert objects[2] < objects[1] + CACHED < objects[0] + 2 * CACHED


OVER = (Connection, Game, GameRevision, TableActor, _Page)
"""What is of no use when a game is over; other tests may have left some."""

CACHED = 4_000
"""How many objects the native backend may keep of a game, whose caches are bounded as well."""


def living() -> Counter[type]:
    """Return how many objects of each type there are, those aside that bounded caches keep."""
    for each in gc.get_objects():  # among them are proxies whose class cannot be asked any more
        if type(each) is CACHE and each.cache_parameters()["maxsize"] is not None:
            each.cache_clear()
    gc.collect()
    return Counter(type(each) for each in gc.get_objects())


CACHE = type(lru_cache(len))


async def play(browser: Browser, rng: random.Random) -> None:
    """Play a game to its end by answers at random, and leave."""
    _, opened = await browser.ask("tables", TABLE)
    browser.sit(opened["table"], opened["invitations"][0]["token"])
    moment = (await browser.until("welcome"))["moment"]
    browser.tables.hear("page", json.dumps({"type": "pace", "id": "pace", "pause": 0}))
    while moment["finish"] is None:
        if answers := answers_in(moment):
            said = {"type": "answer", "id": str(moment["revision"]), "action": rng.choice(answers)}
            browser.tables.hear("page", json.dumps({**said, "revision": moment["revision"]}))
        moment = (await browser.until("stepped"))["moment"]
    browser.tables.hear("page", None)
    await browser.until(None)


def answers_in(moment: Any) -> list[Any]:
    """Return what the page can answer, payments included."""
    if moment["payment"] is None:
        return [each["action"] for each in moment["choices"]]
    kind = {"valletta_rules": 2, "kind": "Action"}
    return [{**kind, "value": each} for each in moment["view"]["value"]["legal_actions"]]


async def test_a_hint_that_comes_too_late_keeps_no_table_in_use(tmp_path: Path) -> None:
    """Its page has left meanwhile, so the table is forgotten once the hint is there."""
    browser = Browser(tmp_path / "t")
    tables = browser.tables._service.tables
    _, opened = await browser.ask("tables", TABLE)
    browser.sit(opened["table"], opened["invitations"][0]["token"])
    moment = (await browser.until("welcome"))["moment"]
    while not moment["choices"]:
        moment = (await browser.until("stepped"))["moment"]
    hint = {"type": "hint", "id": "1", "revision": moment["revision"]}
    browser.tables.hear("page", json.dumps(hint))
    browser.tables.hear("page", None)
    await browser.until(None)
    for _ in range(100):
        await asyncio.sleep(0)
    assert not tables._actors
