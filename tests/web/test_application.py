"""The application: what is asked by HTTP, and a page that sits at a table by its WebSocket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.web.visitor import (
    CASES,
    WISH,
    Told,
    Visitor,
    answers_of,
    fetch,
    inner_of,
    open_table,
    tokens_of,
)
from valletta_rules import Session, format_record, legal_actions, parse_record, to_json
from valletta_rules.card_sets import files
from valletta_rules.web import application
from valletta_rules.web.application import GIVEN_UP, NO_HELLO
from valletta_rules.web.connections import REPLACED

pytestmark = pytest.mark.anyio

RED = {"name": "", "colour": "red", "level": None}
BLUE = {"name": "", "colour": "blue", "level": "novice"}
TABLE = {**WISH, "seats": [RED, BLUE], "is_shuffled": True}
CARDS = Path(files.__file__).with_name("reconstruction.toml").read_text()
"""The text of a card set."""


def played(*, is_over: bool = True) -> Session:
    """Return a game, over or hardly begun."""
    session = Session(2, seed=4)
    while session.prompt is not None and (is_over or session.moves < 20):
        session.play(legal_actions(session.state)[-1])
    return session


# Pages, and what they fetch


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    CASES["pages"],
)
async def test_what_is_there_is_sent_and_what_is_not_is_refused(
    app: Any, path: str, status: int, kind: str
) -> None:
    """A refusal is a document, too."""
    answer = await fetch(app, path)
    assert answer.status == status
    said = answer.headers["content-type"] if status == 200 else answer.value["code"]
    assert said == kind


async def test_words_pictures_and_clauses_are_there_in_every_language(app: Any) -> None:
    """And the lobby, in the language of the page, or else the browser's, or else English."""
    english, german = [
        (await fetch(app, f"/static/words.{code}.json")).value for code in ("en", "de")
    ]
    assert english.keys() == german.keys()
    pictures = (await fetch(app, "/static/pictures.de.json")).value
    assert {"apprentice", "apprentice-purple"} < pictures["cards"].keys()
    assert {*pictures["goods"]} == {"gold", "wood", "stone", "brick"}
    assert {"red", "blue"} < pictures["paints"]["seats"].keys()
    rule = (await fetch(app, "/api/clauses/BLU-2?language=de")).value
    assert rule["clause"] == "BLU-2"
    assert "Bettelmönch" in rule["text"]
    for query, accepted, red in [
        ("?language=de", "en", "Rot"),
        ("", "fr-FR,de-CH;q=0.8,en;q=0.5", "Rot"),
        ("", "fr", "Red"),
    ]:
        headers = [("Accept-Language", accepted)]
        lobby = (await fetch(app, f"/api/lobby{query}", headers=headers)).value
        assert lobby["colours"][0]["name"] == red
        assert lobby["links"] == ["http://192.0.2.7:8400"]


# Opening


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/api/tables", TABLE | {"edition": "none"}, "no edition 'none'"),
        ("/api/tables", TABLE | {"variants": ["none"]}, "no variant 'none'"),
        ("/api/tables", TABLE | {"seats": [RED, RED]}, "the same colour"),
        ("/api/tables", TABLE | {"seats": [RED]}, "Valletta is for 2, 3 or 4 players, not 1"),
        ("/api/tables", TABLE | {"seats": [RED, {**BLUE, "name": "red"}]}, "name"),
        ("/api/tables", TABLE | {"seats": None}, "seats"),
        ("/api/tables", TABLE | {"cards": 'format = 1\nname = "Mine"'}, "3 problems"),
        ("/api/tables", b"\xff", "UTF-8"),
        ("/api/replay", to_json(played(is_over=False).state).encode(), "a record is wanted"),
        ("/api/replay", b"nothing", "line 1"),
    ],
)
async def test_what_cannot_be_opened_is_refused(
    app: Any, path: str, body: object, message: str
) -> None:
    """What is wrong is said in a sentence."""
    answer = await fetch(app, path, body)
    assert answer.status == 400
    assert message in answer.value["message"]


async def test_a_table_is_opened_with_cards_of_ones_own(app: Any) -> None:
    """They are looked at before: they have a name, or problems, in the language of the page."""
    assert (await fetch(app, "/api/tables", TABLE | {"cards": CARDS})).status == 201
    good, *bad = [
        (await fetch(app, "/api/card-set", {"text": text, "language": code})).value
        for text, code in [(CARDS, "en"), ("format = 1", "en"), ("format = 1", "de")]
    ]
    assert good["name"]
    assert good["problems"] == []
    assert [each["name"] for each in bad] == [None, None]
    assert 1 < len(bad[0]["problems"]) == len(bad[1]["problems"])
    assert bad[0]["problems"] != bad[1]["problems"]


async def test_a_full_disk_is_told_of_and_costs_nothing(app: Any) -> None:
    """What cannot be kept is not done; what was kept before is there, and more can come later."""
    before = await open_table(app, None, None)
    database = inner_of(app).state.tables.database
    for most, status in [(1, 507), (1_000_000, 201)]:
        limit = f"PRAGMA max_page_count = {most}"  # never less than there are
        await database.ask(lambda store, limit: store._file.execute(limit), limit)
        answer = await fetch(app, "/api/tables?language=de", TABLE)
        assert answer.status == status
        if status == 507:
            assert answer.value["code"] == "not-kept"
            assert answer.value["message"].startswith("Es ließ si")
    async with Visitor(app) as visitor:
        visitor.hello(before["table"], tokens_of(before)[0])
        assert (await visitor.until("welcome"))["own"] == [0]


async def test_a_record_is_opened_by_anybody_and_seen_by_all(app: Any) -> None:
    """It may be a file or a document, of a game that is over or not."""
    for session, text in [
        (over := played(), format_record(over.record)),
        (begun := played(is_over=False), to_json(begun.record)),
    ]:
        opened = (await fetch(app, "/api/replay", text.encode())).value
        kept = await fetch(app, f"/api/tables/{opened['table']}/record")
        assert parse_record(kept.text).actions == session.record.actions


async def test_the_record_of_a_game_is_for_those_who_played_once_it_is_over(app: Any) -> None:
    """Before, and to anybody else, it is refused."""
    opened = await open_table(app, None, None)
    tokens = tokens_of(opened)

    async def record(token: str) -> tuple[int, str]:
        path, headers = f"/api/tables/{opened['table']}/record", [("Authorization", token)]
        answer = await fetch(app, path, headers=headers)
        return answer.status, answer.text if answer.status == 200 else answer.value["code"]

    async with Visitor(app) as both:
        both.hello(opened["table"], *tokens.values(), opened["opener"])
        moment = (await both.until("welcome"))["moment"]
        assert await record(f"Bearer {tokens[0]}") == (403, "not-over")
        while moment["finish"] is None:
            moment = await answer_as_one(both, moment)
    assert await record("") == (403, "not-seated")
    status, text = await record(f"Bearer {tokens[1]}")
    assert (status, text.splitlines()[0]) == (200, "valletta: 2")
    assert await record(f"Bearer {opened['opener']}") == (200, text)


async def answer_as_one(both: Visitor, moment: Told) -> Told:
    """Answer with the last choice for whoever is asked, and return how the table looks then."""
    revision = moment["revision"]
    if moment["waits_for"] is not None:
        both.say(type="present", id=f"p{revision}", seat=moment["waits_for"])
        moment = (await both.until("sight"))["moment"]
    action = answers_of(moment)[-1]
    both.say(type="answer", id=f"a{revision}", revision=revision, action=action)
    stepped: Told = (await both.until("stepped"))["moment"]
    return stepped


# A page at a table


async def test_who_does_not_say_hello_is_not_let_in(app: Any) -> None:
    """Nor who speaks another version, or says it in bytes, or goes before, or says nothing."""
    for text in ('{"type":"ping"}', "nothing", b"hello"):
        async with Visitor(app) as visitor:
            visitor.say(text)
            assert await visitor.closed() == NO_HELLO
    async with Visitor(app) as visitor:
        visitor.hello("any", protocol=2)
        assert await visitor.closed() == NO_HELLO
    async with Visitor(app) as visitor:
        pass
    assert visitor.transcript == []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(application, "GREETING", 0.01)
        async with Visitor(app) as visitor:
            assert await visitor.closed() == NO_HELLO


async def test_who_asks_for_no_table_or_has_no_link_is_told_so(app: Any) -> None:
    """The connection shall not come back, and its code says that, too."""
    opened = await open_table(app, None, None)
    for table, tokens, why in [
        ("nowhere", (), "no-table"),
        (opened["table"], ("wrong",), "wrong-link"),
    ]:
        async with Visitor(app) as visitor:
            visitor.hello(table, *tokens)
            assert (await visitor.until("ended"))["code"] == why
            assert await visitor.closed() == REPLACED


async def test_what_is_no_message_is_answered_and_what_is_no_text_ends_it(app: Any) -> None:
    """Somebody who looks on says both."""
    opened = await open_table(app, None, None)
    async with Visitor(app) as visitor:
        visitor.hello(opened["table"])
        visitor.say('{"type":"dance"}')
        assert (await visitor.until("refused"))["id"] is None
        visitor.say(type="ping")
        assert await visitor.until("pong") == {"type": "pong"}
        visitor.say(b"hello")
        assert await visitor.closed() == 1000


async def test_who_is_silent_for_too_long_is_given_up(app: Any) -> None:
    """The others see that the player is not here any more."""
    opened = await open_table(app, None, None)
    async with Visitor(app) as stays:
        stays.hello(opened["table"])
        await stays.until("presence")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(application, "PATIENCE", 0.05)
            async with Visitor(app) as silent:
                silent.hello(opened["table"], tokens_of(opened)[0])
                assert await silent.closed() == GIVEN_UP
        here = [(await stays.until("presence"))["seats"][0]["is_here"] for _ in range(2)]
        assert here == [True, False]


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ("here", RuntimeError("closed")),
        ("here", TimeoutError()),
        ("here", OSError("reset")),
        ("nowhere", OSError("reset")),
    ],
)
async def test_who_cannot_be_reached_is_given_up(app: Any, table: str, error: Exception) -> None:
    """A connection that breaks while something is sent is left alone."""
    opened = await open_table(app, None, None)
    visitor = Visitor(app)
    visitor.error = error
    visitor.hello(opened["table"] if table == "here" else table)
    await asyncio.wait_for(visitor.task, 10)
    assert (visitor.transcript, visitor.code) == ([], None)


async def test_a_server_that_ends_lets_go_of_all(app: Any) -> None:
    """Who sits and who thinks at that time does not hold it up."""
    opened = await open_table(app, None, "novice")
    visitor = Visitor(app)
    visitor.hello(opened["table"], tokens_of(opened)[0])
    await visitor.until("presence")
    await inner_of(app).state.tables.close()
    await visitor.__aexit__()
