"""Fixtures for asynchronous tests of a running application and its tables."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.web.client import QUICK, Browser, Server, Table, serving
from tests.web.watchdog import watchdog
from valletta_rules.analysis.settling import Trials
from valletta_rules.web import application


@pytest.fixture(autouse=True)
def blocking_callbacks() -> Iterator[list[str]]:
    """Fail the test if a callback blocks the event loop for too long."""
    with watchdog() as caught:
        yield caught
    assert not caught, "held the event loop:\n" + "\n".join(caught)


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set timeouts to ten minutes, so that tests on a slow machine do not exceed them."""
    for name in ("BODY", "GREETING", "REQUEST_TIMEOUT", "SENDING"):
        monkeypatch.setattr(application, name, 600.0)


@pytest.fixture(autouse=True)
def no_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the rollouts of the coach, which would block the event loop for too long."""
    monkeypatch.setattr(Trials, "are_possible", lambda *_: False)


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[Browser]:
    """Yield a browser that runs the table service. All its pages are closed after the test."""
    application._prepare()  # the rulebook is read once: by a server, before it answers
    browser = Browser(tmp_path / "t")
    yield browser
    await browser.leave()


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Server]:
    """Yield a running application.

    A test can set its limits by indirect parametrization.
    """
    limits = getattr(request, "param", QUICK)
    async with serving(tmp_path / "tables.sqlite3", limits, ["http://192.0.2.7:8400"]) as server:
        yield server


@pytest.fixture
async def table(request: pytest.FixtureRequest, server: Server) -> Table:
    """Return an open table.

    A test can set the levels of the seats by indirect parametrization.  The default is two people.
    """
    return await server.open(*getattr(request, "param", (None, None)))
