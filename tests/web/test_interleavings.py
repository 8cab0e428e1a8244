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


async def do(operation: str, page: Page, lot: int, sent: list[tuple[str, dict[str, Any]]]) -> None:
    """Send a message from a page. The message can be outdated."""
    moment = page.moment
    wish: dict[str, Any] = {"id": f"n{len(sent)}", "revision": page.revision}
    match operation:
        case "answer" if page.legal:
            action = document(page.legal[lot % len(page.legal)])
            sent.append((operation, {**wish, "action": action}))
        case "undo" if (offer := moment["undo"]) is not None:
            sent.append((operation, {**wish, "to": offer["to"], "agreed": lot % 2 == 0}))
        case "present" if moment["waits_for"] is not None:
            page.send_json("present", id="presence", seat=moment["waits_for"])
            return
        case "ping":
            await page.ping()
            return
        case "again" if sent:
            pass
        case _:
            return
    kind, content = sent[-1] if operation != "again" else sent[lot % len(sent)]
    page.send_json(kind, **content)


STEPS = st.tuples(
    st.sampled_from(["answer"] * 6 + ["undo", "present", "again"] + ["ping"] * 8),
    st.integers(0, len(PAGES) - 1),
    st.integers(0, 40),
)

TWO_UNDOS = [("answer", 2, 0), ("ping", 2, 0), ("undo", 2, 0), ("ping", 2, 0)] * 2


@example(steps=TWO_UNDOS)
@given(steps=st.lists(STEPS, min_size=10, max_size=50))
@settings(max_examples=6)
def test_after_messages_in_a_random_order_all_pages_show_the_stored_game(
    steps: list[tuple[str, int, int]],
) -> None:
    """The messages are answers, takebacks and repetitions.

    No step may be lost or executed twice.
    """

    async def scenario(path: Path) -> None:
        async with serving(path) as server:
            table, sent = await server.open(None, None), list[tuple[str, dict[str, Any]]]()
            pages = [await table.enter(*seats) for seats in PAGES]
            for operation, which, lot in steps:
                await do(operation, pages[which], lot, sent)
            for page in (*pages, *pages):  # the first sends its remaining messages, then all read
                await page.ping()
            async with serving(path) as another:  # it knows only the stored game
                for each in (table, Table(another, table.opened)):
                    for page in pages:
                        await agree(page, each)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder) / "t"))


async def agree(page: Page, table: Table) -> None:
    """Check that a page has the same log as a new page and as a page that reconnects with an old
    log.  Unless several players share the page, it must also look like the new page.
    """
    fresh = await table.enter(*page.own)
    late = await table.enter(*page.own, log=page.past[min(page.past)])
    assert page.log == fresh.log == late.log
    if len(page.own) < 2:  # otherwise it depends on who has raised the curtain
        assert (page.moment, page.parts) == (fresh.moment, fresh.parts)
