"""The table without a server: the same service, called as a browser's worker calls it."""

import asyncio
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.client import SOLO, Browser, LocalPage
from tests.web.test_upkeep import a_table
from valletta_rules.web.store import DAY, TableStore
from valletta_rules.web.upkeep import ROUND, Clock

pytestmark = pytest.mark.anyio

HEAVY = {"http", "multiprocessing", "starlette", "urllib.request", "uvicorn", "xml"}
"""Modules that a browser would load in vain, and wait for."""


def test_a_browser_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    """The service imports no module of the server, and no slow one of the standard library."""
    code = "import sys; from pathlib import Path; from valletta_rules.web.embedded import Embedded"
    code += f"; Embedded(Path({str(tmp_path / 't')!r}), None); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & {*done.stdout.split()} == set()


async def test_a_game_continues_after_a_reload(browser: Browser, tmp_path: Path) -> None:
    """Every step is written to the disk before it is sent."""
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


async def test_a_page_that_continues_at_another_worker_must_reconnect(browser: Browser) -> None:
    """Its worker took over while it was sending; it repeats its message after that."""
    page = LocalPage(browser.tables)
    page.say("ping")
    assert await page.closed() is None
    browser.tables.hear(page.name, '{"type": "ping"}')
    assert page.told == []


@pytest.mark.parametrize("days", [0, 400, -400])
async def test_old_tables_make_room_for_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """One an hour is removed, at the next request, unless the clock of the browser is wrong."""
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


async def test_requests_are_answered_or_refused_as_by_a_server(browser: Browser) -> None:
    """A page of a missing table is disconnected."""
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
    """Its page has left meanwhile, so the table is dropped once the hint is there."""
    page = await browser.open("tables", SOLO)
    await page.asked()
    page.say("hint", id="late", revision=page.revision)
    await page.leave()
    for _ in range(100):
        await asyncio.sleep(0)
    assert not browser.tables._service.tables._actors
