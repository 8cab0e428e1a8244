"""Tests in which several pages send messages in a random order."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.web.client import Page, Table, document, serving

PAGES = [(0,), (0,), (1,), (0, 1), ()]
"""The seats of each page: one seat in two tabs, the other seat, both seats, and a spectator."""


async def do(what: str, page: Page, lot: int, said: list[tuple[str, dict[str, Any]]]) -> None:
    """Let a page send a message, which can be outdated."""
    moment = page.moment
    wish: dict[str, Any] = {"id": f"n{len(said)}", "revision": page.revision}
    match what:
        case "answer" if page.legal:
            said.append((what, {**wish, "action": document(page.legal[lot % len(page.legal)])}))
        case "undo" if (offer := moment["undo"]) is not None:
            said.append((what, {**wish, "to": offer["to"], "agreed": lot % 2 == 0}))
        case "present" if moment["waits_for"] is not None:
            page.say("present", id="here", seat=moment["waits_for"])
            return
        case "hear":
            await page.ping()
            return
        case "again" if said:
            pass
        case _:
            return
    kind, content = said[-1] if what != "again" else said[lot % len(said)]
    page.say(kind, **content)


THINGS = st.tuples(
    st.sampled_from(["answer"] * 6 + ["undo", "present", "again"] + ["hear"] * 8),
    st.integers(0, len(PAGES) - 1),
    st.integers(0, 40),
)

TWICE_TAKEN_BACK = [("answer", 2, 0), ("hear", 2, 0), ("undo", 2, 0), ("hear", 2, 0)] * 2


@example(things=TWICE_TAKEN_BACK)
@given(things=st.lists(THINGS, min_size=10, max_size=50))
@settings(max_examples=6)
def test_after_messages_in_a_random_order_all_pages_show_the_stored_game(
    things: list[tuple[str, int, int]],
) -> None:
    """The messages are answers, takebacks and repetitions.

    No step may be lost or executed twice.
    """

    async def scenario(path: Path) -> None:
        async with serving(path) as server:
            table, said = await server.open(None, None), list[tuple[str, dict[str, Any]]]()
            pages = [await table.enter(*seats) for seats in PAGES]
            for what, which, lot in things:
                await do(what, pages[which], lot, said)
            for page in (*pages, *pages):  # the first sends its remaining messages, then all read
                await page.ping()
            async with serving(path) as another:  # it knows only the stored game
                for each in (table, Table(another, table.opened)):
                    for page in pages:
                        await agree(page, each)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder) / "t"))


async def agree(page: Page, table: Table) -> None:
    """Check that a page shows the same as a new one, and as one that reconnects with an old log."""
    fresh = await table.enter(*page.own)
    late = await table.enter(*page.own, log=page.past[min(page.past)])
    assert page.log == fresh.log == late.log
    if len(page.own) < 2:  # otherwise it depends on who has raised the curtain
        assert (page.moment, page.parts) == (fresh.moment, fresh.parts)
