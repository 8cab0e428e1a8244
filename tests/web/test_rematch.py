"""Tests of rematches, and of the names that players set."""

import random
from typing import Any

import pytest

from tests.web.client import SOLO, Browser, Page, Server, Table, serving

pytestmark = pytest.mark.anyio


async def play_to_end(*pages: Page) -> None:
    """Give random answers on the pages until the game is over. Bots answer for all other seats."""
    rng = random.Random(3)
    await pages[0].request("pace", pause=0)
    while (seat := pages[0].moment["asked"]) is not None:
        page = next((each for each in pages if seat in each.own), None)
        if page is None:
            await pages[0].receive()
            continue
        await page.reach(pages[0].revision)
        await page.play(rng)
        await pages[0].reach(page.revision)
    for page in pages:
        await page.reach(pages[0].revision)


async def request_rematch(
    page: Page, server: Server, **more: object
) -> tuple[Page, dict[str, Any]]:
    """Request a rematch on a page.

    Return a new page at the table of the rematch, and the response to the request.
    """
    rematch = dict(await page.request("rematch"))
    assert rematch["type"] == "rematched", rematch
    tokens = [each["token"] for each in rematch["invitations"] if each["seat"] in rematch["own"]]
    return await Table(server, {**rematch, **more}).connect_page(*tokens), rematch


@pytest.mark.parametrize("table", [(None, None, "club")], indirect=True)
async def test_in_a_rematch_players_change_seats_and_bots_replace_absent_players(
    server: Server, table: Table
) -> None:
    """Each player moves by one seat.

    The bot for an absent player leaves when the player returns.  Spectators cannot request a
    rematch, but they can watch it.
    """
    anna, other, spectator = await table.enter(0), await table.enter(1), await table.enter()
    assert await anna.refusal_code("rematch") == "not-over"
    await play_to_end(anna, other)
    assert await spectator.refusal_code("rematch") == "not-seated"
    await other.leave()
    server.pages.remove(other)
    server.bots.go.clear()
    first, rematch = await request_rematch(anna, server)
    assert (rematch["own"], first.own) == ([2], (2,))
    assert [each["seat"] for each in rematch["invitations"]] == [0, 2]
    assert rematch["opener"]
    seats = first.messages[0]["seats"]
    assert [each["name"] for each in seats] == ["Blue", "Clara", "Anna"]
    assert [each["level"] for each in seats] == [None, "club", None]
    assert [each["sitting_in"] for each in seats] == ["club", None, None]
    assert first.messages[0]["heading"] == anna.messages[0]["heading"]
    watching, away = await request_rematch(spectator, server)
    assert (watching.own, away["table"], away["opener"]) == ((), rematch["table"], "")
    assert any(each.get("has_rematch") and each["notice"] for each in spectator.messages)
    back, late = await request_rematch(await table.enter(1), server)
    assert (late["table"], late["opener"], back.own) == (rematch["table"], "", (0,))
    assert [each["seat"] for each in late["invitations"]] == [0]
    assert "Blue" in await back.receive_notice()


async def test_a_player_can_join_a_rematch_after_the_server_has_restarted(
    server: Server, table: Table
) -> None:
    """The page of the first game shows the rematch, and receives a token for the new seat."""
    anna, blue = await table.enter(0), await table.enter(1)
    await play_to_end(anna, blue)
    _, rematch = await request_rematch(anna, server)
    async with serving(server.path) as restarted:
        late = await Table(restarted, table.opened).enter(1)
        assert (await late.receive_until("presence"))["has_rematch"]
        page, again = await request_rematch(late, restarted)
        assert (again["table"], again["own"], page.own) == (rematch["table"], [0], (0,))


async def test_players_who_share_a_page_also_share_a_page_in_the_rematch(
    browser: Browser,
) -> None:
    """The test uses the table service in the browser."""
    seats = [{"name": name, "colour": name, "level": None} for name in ("red", "blue")]
    page = await browser.open("tables", {**SOLO, "seats": seats})
    await play_to_end(page)
    rematch = await page.request("rematch")
    again = await browser.open_page(rematch)
    assert (rematch["own"], again.own) == ([0, 1], (0, 1))
    assert [each["name"] for each in again.messages[0]["seats"]] == ["blue", "red"]


async def test_all_pages_show_the_name_that_a_player_sets_even_for_earlier_events(
    table: Table,
) -> None:
    """Names are unique, and only the player in a seat can set the name of the seat."""
    anna, blue = await table.enter(0), await table.enter(1)
    assert [each["is_named"] for each in anna.messages[0]["seats"]] == [True, False]
    await blue.play()
    await anna.reach(1)
    assert "Blue" in anna.log[-1]["lines"][0]["text"]
    assert (await blue.request("rename", seat=1, name=" Ben "))["type"] == "ack"
    seats = (await anna.receive_until("welcome"))["seats"]
    assert [(each["name"], each["is_named"]) for each in seats] == [("Anna", True), ("Ben", True)]
    assert "Ben" in anna.log[-1]["lines"][0]["text"]
    assert await blue.refusal_code("rename", seat=0, name="Ben") == "not-seated"
    assert (await blue.request("rename", seat=1, name="Anna"))["type"] == "refused"
    assert (await table.enter()).messages[0]["seats"][1]["name"] == "Ben"
