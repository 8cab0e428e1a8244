"""Whatever pages say, and when: all end with the same game, which is the one that is kept."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import attrs
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.web.client import Page, Table, document, serving

PAGES = [(0,), (0,), (1,), (0, 1), ()]
"""The seats of the pages: two tabs of one, the other's, a screen of both, a spectator's."""


@attrs.define
class Crowd:
    """Pages of one table, and what they say at the same time."""

    table: Table
    pages: list[Page] = attrs.field(factory=list)
    said: list[tuple[Page, str, dict[str, Any]]] = attrs.field(factory=list)

    async def enter(self, seats: tuple[int, ...]) -> None:
        """Open a page."""
        self.pages.append(await self.table.enter(*seats))

    def say(self, page: Page, kind: str, **content: Any) -> None:
        """Say something without waiting for an answer."""
        content = {"id": f"n{len(self.said)}", **content}
        self.said.append((page, kind, content))
        page.say(kind, **content)

    async def settle(self) -> None:
        """Wait until everything has been heard."""
        for page in self.pages:
            page.say("ping")
        for page in self.pages:
            await page.until("pong")

    async def do(self, what: str, which: int, lot: int) -> None:
        """Do one thing, as a page knows the table, which may be late."""
        page = self.pages[which % len(self.pages)]
        moment, revision = page.moment, page.revision
        match what:
            case "answer" if page.legal:
                action = document(page.legal[lot % len(page.legal)])
                self.say(page, "answer", revision=revision, action=action)
            case "undo" if (offer := moment["undo"]) is not None:
                agreed = lot % 2 == 0
                self.say(page, "undo", revision=revision, to=offer["to"], agreed=agreed)
            case "present" if moment["waits_for"] is not None:
                self.say(page, "present", seat=moment["waits_for"])
            case "again" if self.said:
                page, kind, content = self.said[lot % len(self.said)]
                page.say(kind, **content)
            case "enter" if len(self.pages) < 8:
                await self.enter(PAGES[lot % len(PAGES)])
            case "leave" if len(self.pages) > 3:
                self.pages.remove(page)
                await page.leave()
            case "settle":
                await self.settle()


THINGS = st.tuples(
    st.sampled_from(
        ["answer"] * 6 + ["undo", "present", "again", "enter", "leave"] + ["settle"] * 4
    ),
    st.integers(0, 7),
    st.integers(0, 40),
)

TWICE_TAKEN_BACK = [("answer", 2, 0), ("settle", 0, 0), ("undo", 2, 0), ("settle", 0, 0)] * 2


@example(things=TWICE_TAKEN_BACK)
@given(things=st.lists(THINGS, min_size=10, max_size=50))
@settings(max_examples=6)
def test_all_pages_end_with_the_game_that_is_kept(things: list[tuple[str, int, int]]) -> None:
    """Answers, undos, repetitions, joins and leaves in any order lose and invent nothing."""

    async def scenario(path: Path) -> None:
        async with serving(path) as server:
            crowd = Crowd(await server.open(None, None))
            for seats in PAGES:
                await crowd.enter(seats)
            for thing in things:
                await crowd.do(*thing)
            await crowd.settle()
            async with serving(path) as another:  # which knows only what is kept
                for table in (crowd.table, Table(another, crowd.table.opened)):
                    for page in crowd.pages:
                        await agree(page, table)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder) / "t"))


async def agree(page: Page, table: Table) -> None:
    """A page shows what a new one shows, or one that comes back with any part of the log."""
    fresh = await table.enter(*page.own)
    assert page.log == fresh.log
    if len(page.own) < 2:  # otherwise it depends on who has lifted the curtain
        assert (page.moment, page.parts) == (fresh.moment, fresh.parts)
    for revision in [*page.past][len(page.past) % 4 :: 4]:
        late = await table.enter(*page.own, log=page.past[revision])
        assert (late.log, late.moment, late.parts) == (fresh.log, fresh.moment, fresh.parts)
