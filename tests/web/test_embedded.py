"""The table without a server: the same service, called as a browser's worker calls it."""

from __future__ import annotations

import asyncio
import gc
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import pytest

from tests.web.client import SOLO, Browser, LocalPage
from tests.web.test_upkeep import a_table
from valletta_rules.web.actors import TableActor
from valletta_rules.web.connections import Connection
from valletta_rules.web.embedded import _Page
from valletta_rules.web.game import Game, GameRevision
from valletta_rules.web.store import DAY, TableStore
from valletta_rules.web.upkeep import ROUND, Clock

pytestmark = pytest.mark.anyio

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


async def test_a_table_is_played_at_and_goes_on_after_a_reload(
    browser: Browser, tmp_path: Path
) -> None:
    """Every step is put on the disk before it is told."""
    _, opened = await browser.ask("tables", SOLO)
    assert browser.kept == 1
    page = await browser.sit(opened)
    await page.asked()
    kept = browser.kept
    await page.play()
    assert browser.kept > kept
    await page.leave()
    again = Browser(tmp_path / "t")
    assert (await again.sit(opened)).revision >= page.revision
    await again.leave()


async def test_a_page_that_goes_on_at_another_worker_has_to_connect_again(browser: Browser) -> None:
    """Its worker has taken over while it was sending; it says the same again after that."""
    page = LocalPage(browser.tables)
    page.say("ping")
    assert await page.closed() is None
    browser.tables.hear(page.name, '{"type": "ping"}')
    assert page.told == []


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
        assert (await browser.ask("tables", SOLO))[0] == 200
        passed[0] += ROUND / 2
        with closing(TableStore(tmp_path / "t", reads_only=True)) as kept:
            assert len(old & {*kept.names()}) == (2 if days else left)


async def test_what_is_asked_is_answered_or_refused_as_by_a_server(browser: Browser) -> None:
    """A table that is not there turns the page away."""
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
    page = await browser.sit({"table": "nowhere", "invitations": []})
    assert page.told[0]["code"] == "no-table"
    assert await page.closed() is None


async def test_a_hint_that_comes_too_late_keeps_no_table_in_use(browser: Browser) -> None:
    """Its page has left meanwhile, so the table is forgotten once the hint is there."""
    page = await browser.open("tables", SOLO)
    await page.asked()
    page.say("hint", id="late", revision=page.revision)
    await page.leave()
    for _ in range(100):
        await asyncio.sleep(0)
    assert not browser.tables._service.tables._actors


async def test_games_that_are_over_leave_nothing_in_memory(browser: Browser) -> None:
    """Neither the table nor its game or pages stay, and hardly an object more after each game."""
    objects, before = list[int](), living()
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
    page = await browser.open("tables", SOLO)
    await page.ask("pace", pause=0)
    while page.moment["finish"] is None:
        await (page.play(rng) if page.legal else page.hear())
    await page.leave()
    browser.pages.clear()
