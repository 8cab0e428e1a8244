"""Tests of the application: HTTP requests, and pages that connect to a table over a WebSocket."""

import asyncio
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.web.client import CASES, SOLO, Server, Table, serving
from valletta_rules import Session, __version__, format_record, legal_actions, parse_record, to_json
from valletta_rules.analysis import analyse, analysis_to_json
from valletta_rules.card_sets import files
from valletta_rules.web import application, health
from valletta_rules.web.store import TableStore

pytestmark = pytest.mark.anyio

TABLE = {**SOLO, "is_shuffled": True}
CARDS = Path(files.__file__).with_name("reconstruction.toml").read_text()
"""The built-in card set as text."""


def played(moves: int) -> Session:
    """Return a session after the given number of moves."""
    session = Session(2, seed=4)
    while session.prompt is not None and session.game.moves < moves:
        session.play(legal_actions(session.state)[-1])
    return session


# Pages and their files


@pytest.mark.parametrize(("path", "status", "kind"), CASES["pages"])
async def test_a_request_gets_the_expected_status_and_content_type_or_error_code(
    server: Server, path: str, status: int, kind: str
) -> None:
    """`cases.toml` lists the paths with the expected responses. Errors are JSON documents."""
    response = await server.fetch(path)
    assert response.status == status
    actual = response.headers["content-type"] if status == 200 else response.value["code"]
    assert actual == kind


async def test_words_pictures_clauses_and_lobby_are_served_in_english_and_german(
    server: Server,
) -> None:
    """The query string or, without it, the header Accept-Language selects the language.

    The default is English.
    """
    english, german = [
        (await server.fetch(f"/static/words.{code}.json")).value for code in ("en", "de")
    ]
    assert english.keys() == german.keys()
    pictures = (await server.fetch("/static/pictures.de.json")).value
    assert {"apprentice", "apprentice-purple"} < pictures["cards"].keys()
    assert {*pictures["goods"]} == {"gold", "wood", "stone", "brick"}
    assert {"red", "blue"} < pictures["paints"]["seats"].keys()
    rule = (await server.fetch("/api/clauses/BLU-2?language=de")).value
    assert rule["clause"] == "BLU-2"
    assert "Bettelmönch" in rule["text"]
    for query, accepted, red in [
        ("?language=de", "en", "Rot"),
        ("", "fr-FR,de-CH;q=0.8,en;q=0.5", "Rot"),
        ("", "fr", "Red"),
    ]:
        headers = [("Accept-Language", accepted)]
        lobby = (await server.fetch(f"/api/lobby{query}", headers=headers)).value
        assert lobby["colours"][0]["name"] == red
        assert lobby["links"] == ["http://192.0.2.7:8400"]


# Opening


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        *(("tables", TABLE | change, message) for change, message in CASES["tables"]),
        ("replay", to_json(played(20).state).encode(), "a record is expected, not GameState"),
        ("replay", b"nothing", "line 1"),
        ("replay", b"\xff", "UTF-8"),
    ],
)
async def test_an_invalid_request_for_a_table_or_a_replay_gets_status_400_with_the_reason(
    server: Server, path: str, body: Any, message: str
) -> None:
    """A request for a replay must contain the record of a game, as text or JSON."""
    response = await server.fetch(f"/api/{path}", body)
    assert response.status == 400
    assert message in response.value["message"]


async def test_a_table_can_be_opened_with_a_custom_card_set(server: Server) -> None:
    """The page first sends the card set in order to receive its name or its validation errors."""
    assert (await server.fetch("/api/tables", TABLE | {"cards": CARDS})).status == 201
    good, *bad = [
        (await server.fetch("/api/card-set", {"text": text, "language": code})).value
        for text, code in [(CARDS, "en"), ("format = 1", "en"), ("format = 1", "de")]
    ]
    assert good["name"]
    assert good["problems"] == []
    assert [each["name"] for each in bad] == [None, None]
    assert 1 < len(bad[0]["problems"]) == len(bad[1]["problems"])
    assert bad[0]["problems"] != bad[1]["problems"]


async def test_a_new_table_that_cannot_be_stored_gets_status_507_and_earlier_tables_remain(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full in this test. New tables can be opened when there is space again."""
    create = TableStore.create
    for most, status in [(1, 507), (1_000_000, 201)]:

        def limited(store: TableStore, *given: object, most: int = most) -> object:
            store._file.execute(f"PRAGMA max_page_count = {most}")  # never less than there are
            return create(store, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(TableStore, "create", limited)
        response = await table.server.fetch("/api/tables?language=de", TABLE)
        assert response.status == status
        if status == 507:
            assert response.value["code"] == "not-kept"
            assert response.value["message"].startswith("Es ließ si")
    assert (await table.enter(0)).own == (0,)


async def test_the_health_check_has_status_503_if_the_database_cannot_be_written(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check accepts any host name, but no foreign origin. Its result is cached for a while."""
    touch, calls = TableStore.touch, list[TableStore]()

    def limited(store: TableStore) -> None:
        calls.append(store)
        store._file.execute(f"PRAGMA query_only = {len(calls) - 1}")
        touch(store)

    monkeypatch.setattr(TableStore, "touch", limited)
    for status, state in [(200, "ok"), (503, "not-kept")]:
        for host, fresh in (("10.1.2.3:8400", 0), (None, 60)):
            monkeypatch.setattr(health, "FRESH", fresh)
            response = await server.fetch("/api/health", host=host)
            assert response.status == status
            assert response.value == {"status": state, "version": __version__}
            assert "10.1.2.3" not in response.headers["content-security-policy"]
    assert len(calls) == 2
    assert (await server.fetch("/api/health", method="POST")).status == 405
    wrong = [("Origin", "http://evil.example")]
    assert (await server.fetch("/api/health", headers=wrong)).status == 403


async def test_the_record_of_a_replayed_game_can_be_downloaded_without_a_token(
    server: Server,
) -> None:
    """The game was uploaded as a record in text or JSON, or as an analysis.

    It may be unfinished.
    """
    over, unfinished = played(10_000).record, played(20).record
    unplayed = attrs.evolve(unfinished, actions=())
    for record, text in [
        (over, format_record(over)),
        (unfinished, to_json(unfinished)),
        (unplayed, to_json(unplayed)),
        (unfinished, analysis_to_json(analyse(unfinished))),
    ]:
        opened = (await server.fetch("/api/replay", text.encode())).value
        response = await Table(server, opened).record()
        assert parse_record(response.text).actions == record.actions


# A page at a table


async def test_a_page_whose_first_message_is_not_a_valid_hello_is_disconnected_with_code_4002(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example, the message is binary, has another protocol version, or comes too late."""
    for text in ('{"type":"ping"}', "nothing", b"hello"):
        page = server.page()
        page.send(text)
        assert await page.wait_until_closed() == 4002
    page = server.page()
    page.hello("any", protocol=2)
    assert await page.wait_until_closed() == 4002
    gone = server.page()
    await gone.leave()
    assert gone.texts == []
    monkeypatch.setattr(application, "GREETING", 0.01)
    assert await server.page().wait_until_closed() == 4002


async def test_a_page_with_an_unknown_table_or_token_is_disconnected_with_a_reason_and_code_4001(
    table: Table,
) -> None:
    """A page does not reconnect after this code. A token for another table is unknown, too."""
    other = await table.server.open(None, None)
    wrong = ("wrong", "", other.token(0), other.opened["opener"])
    for name, token, why in [
        ("nowhere", table.token(0), "no-table"),
        *((table.id, token, "wrong-link") for token in wrong),
    ]:
        page = table.server.page()
        page.hello(name, token)
        assert (await page.receive_until("ended"))["code"] == why
        assert await page.wait_until_closed() == 4001


async def test_a_page_that_sends_no_message_for_too_long_is_disconnected(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other pages at the table then show that its player is absent."""
    stays = await table.enter()
    await stays.receive_until("presence")
    with monkeypatch.context() as patched:
        patched.setattr(application, "REQUEST_TIMEOUT", 0.05)
        silent = table.server.page()
        silent.hello(table.id, table.token(0))
        assert await silent.wait_until_closed() == 4009
    seats = [(await stays.receive_until("presence"))["seats"] for _ in range(2)]
    presence = [[seat["is_here"] for seat in each] for each in seats]
    assert presence == [[True, False], [False, False]]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("here", RuntimeError("closed")),
        ("here", TimeoutError()),
        ("here", OSError("reset")),
        ("nowhere", OSError("reset")),
    ],
)
async def test_a_page_whose_connection_breaks_during_a_message_is_removed(
    table: Table, name: str, error: Exception
) -> None:
    """The first message to the page raises an error.

    One page has entered a table, another has not.
    """
    page = table.server.page()
    page.error = error
    page.hello(table.id if name == "here" else name)
    await asyncio.wait_for(page.task, 600)
    assert (page.texts, page.code) == ([], None)


async def test_a_server_stops_without_waiting_for_connected_pages_or_computing_bots(
    tmp_path: Path,
) -> None:
    """One page is connected, and one bot has not yet answered."""
    async with serving(tmp_path / "t") as server:
        server.bots.go.clear()
        page = await (await server.open(None, "novice")).enter(0)
        server.pages.clear()
    await page.leave()
