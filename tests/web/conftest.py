"""A table and an application for tests that are coroutines, on one loop with their fixtures."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.tables import House, Thinking, a_house
from tests.web.visitor import QUICK, running
from valletta_rules.web.application import application


@pytest.fixture
def anyio_backend() -> str:
    """Let all run on the loop of the standard library, as the server does."""
    return "asyncio"


@pytest.fixture
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """Open a table; a parameter has the options of `a_house`."""
    async with a_house(tmp_path, **getattr(request, "param", {})) as house:
        yield house


@pytest.fixture
async def app(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Any]:
    """Run an application; a parameter has its limits."""
    limits = getattr(request, "param", QUICK)
    links = ["http://192.0.2.7:8400"]
    made = application(tmp_path / "t", links=links, workers=Thinking(), limits=limits)
    async with running(made) as app:
        yield app
