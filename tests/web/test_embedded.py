"""Tests of the table service in the browser, which a worker runs without a server."""

import asyncio
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.client import SOLO, Browser, LocalPage
from tests.web.test_upkeep import store_table
from valletta_rules.web.store import DAY, TableStore
from valletta_rules.web.upkeep import ROUND, Clock

pytestmark = pytest.mark.anyio

HEAVY = {"http", "multiprocessing", "starlette", "urllib.request", "uvicorn", "xml"}
"""Modules that the service in the browser must not import, because loading them takes too long."""


def test_the_service_in_the_browser_imports_no_server_modules_and_no_slow_modules(
    tmp_path: Path,
) -> None:
    """Otherwise, the page would take longer to load. `HEAVY` lists the modules."""
    code = "import sys; from pathlib import Path; from valletta_rules.web.embedded import Embedded"
    code += f"; Embedded(Path({str(tmp_path / 't')!r}), None); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & {*done.stdout.split()} == set()


async def test_a_game_in_the_browser_continues_after_a_reload_of_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    """The database is written to the disk after every step, before the page receives the step."""
    _, opened = await browser.request("tables", SOLO)
    assert browser.save_count == 1
    page = await browser.open_page(opened)
    await page.wait_for_prompt()
    saves_before = browser.save_count
    await page.play()
    assert browser.save_count > saves_before
    await page.leave()
    again = Browser(tmp_path / "t")
    assert (await again.open_page(opened)).revision >= page.revision
    await again.leave()


async def test_a_page_that_sends_another_message_before_hello_is_disconnected(
    browser: Browser,
) -> None:
    """A new worker does not know the pages that are already open. They must thus reconnect."""
    page = LocalPage(browser.tables)
    page.send_json("ping")
    assert await page.wait_until_closed() is None
    browser.tables.receive(page.name, '{"type": "ping"}')
    assert page.messages == []


@pytest.mark.parametrize("days", [0, 400, -400])
async def test_opening_tables_in_the_browser_removes_at_most_one_old_trial_per_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """If the clock of the browser is wrong by more than a year, no table is removed."""
    now, tried = time.time(), '{"position": "a line"}'
    with closing(TableStore(tmp_path / "t")) as store:
        old = {store_table(store, age, options=tried, now=now) for age in (9, 10)}
        store_table(store, 0, now=now)
    passed = [0.0]
    clock = Clock(lambda: now + days * DAY, lambda: passed[0])
    monkeypatch.setattr("time.time", clock.now)
    monkeypatch.setattr("valletta_rules.web.upkeep.Clock", lambda: clock)
    browser = Browser(tmp_path / "t")
    for left in (2, 2, 1, 1, 0):
        assert (await browser.request("tables", SOLO))[0] == 200
        passed[0] += ROUND / 2
        with closing(TableStore(tmp_path / "t", reads_only=True)) as store:
            assert len(old & {*store.names()}) == (2 if days else left)


async def test_the_service_in_the_browser_responds_with_the_same_statuses_as_a_server(
    browser: Browser,
) -> None:
    """Like a server, the service also disconnects a page that names an unknown table."""
    assert len((await browser.request("lobby"))[1]["levels"]) >= 4
    assert (await browser.request("clauses/BLD-6"))[1]["clause"] == "BLD-6"
    for path, body, status, code in [
        ("clauses/BLD-999", None, 404, "not-found"),
        ("tables/nowhere/record", None, 404, "no-table"),
        ("replay", "nothing", 400, "record"),
    ]:
        actual_status, refusal = await browser.request(path, body)
        assert (actual_status, refusal["value"]["code"]) == (status, code)
    assert await browser.request("lobby/more") == (404, None)
    page = await browser.open_page({"table": "nowhere", "invitations": []})
    assert page.messages[0]["code"] == "no-table"
    assert await page.wait_until_closed() is None


async def test_a_table_is_dropped_from_memory_when_its_page_leaves_before_a_hint_arrives(
    browser: Browser,
) -> None:
    """The page has requested the hint, which is still being computed when it leaves."""
    page = await browser.open("tables", SOLO)
    await page.wait_for_prompt()
    page.send_json("hint", id="late", revision=page.revision)
    await page.leave()
    for _ in range(100):
        await asyncio.sleep(0)
    assert not browser.tables._service.tables._actors
