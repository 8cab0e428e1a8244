"""The application: what is asked by HTTP, and a page that sits at a table by its WebSocket."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.web.client import tokens_of
from tests.web.tables import Thinking
from tests.web.visitor import (
    HOST,
    Message,
    Told,
    Visitor,
    fetch,
    open_table,
    running,
    scope_of,
)
from valletta_rules import Session, format_record, legal_actions, parse_record, to_json
from valletta_rules.card_sets import files
from valletta_rules.web import application
from valletta_rules.web.application import GIVEN_UP, NO_HELLO
from valletta_rules.web.gate import Rate
from valletta_rules.web.guests import REPLACED

WISH: dict[str, Any] = {
    "edition": "hans-im-glueck",
    "variants": [],
    "cards": None,
    "seats": [
        {"name": "", "colour": "red", "level": None},
        {"name": "", "colour": "blue", "level": "novice"},
    ],
    "is_shuffled": True,
}
CARDS = Path(files.__file__).with_name("reconstruction.toml").read_text()
"""The text of a card set."""


class Here(Thinking):
    """Thinkers who are in this process."""

    def __init__(self, processes: int | None) -> None:
        """Take how many processes there are to be, and have none."""
        super().__init__()

    async def __aenter__(self) -> Here:
        """Be there."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Go away."""


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Any]:
    """Serve tables out of a folder."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(application, "Thinkers", Here)
        made = application.application(folder / "tables.sqlite3", links=["http://192.0.2.7:8400"])
        async with running(made) as app:
            yield app


Test = Callable[[Any], Awaitable[None]]


def with_server(test: Test) -> Callable[[Path], None]:
    """Let a test be a coroutine that is given an application."""

    def run(tmp_path: Path) -> None:
        async def scenario() -> None:
            async with served(tmp_path) as app:
                await test(app)

        asyncio.run(scenario())

    run.__doc__, run.__name__ = test.__doc__, getattr(test, "__name__", "test")
    return run


async def get(app: Any, path: str, accepts: str = "") -> tuple[int, str, str]:
    """Return status, type and text with which a page is answered that prefers some languages."""
    sent: list[Message] = []
    headers = [HOST, (b"accept-language", accepts.encode())]
    coming: asyncio.Queue[Message] = asyncio.Queue()
    coming.put_nowait({"type": "http.request", "body": b"", "more_body": False})

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope_of("http", path, headers=headers), coming.get, send)
    kind = dict(sent[0]["headers"])[b"content-type"].decode()
    text = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], kind, text.decode()


async def refusal(app: Any, path: str, body: object, status: int = 400) -> Told:
    """Return why something that is sent is refused."""
    answered, text = await fetch(app, "POST", path, body)
    assert answered == status, text
    told: Told = json.loads(text)["value"]
    return told


def played(*, is_over: bool = True) -> Session:
    """Return a game, over or hardly begun."""
    session = Session(2, seed=4)
    while session.prompt is not None and (is_over or session.moves < 20):
        session.play(legal_actions(session.state)[-1])
    return session


# Pages, and what they fetch


@with_server
async def test_pages_and_their_files_are_sent(app: Any) -> None:
    """One page is for all tables; what is not there is refused as a document, too."""
    assert (await get(app, "/"))[:2] == (200, "text/html; charset=utf-8")
    assert (await get(app, "/table/any"))[2] == (await get(app, "/table/other"))[2]
    assert (await get(app, "/static/main.js"))[1].startswith("text/javascript")
    status, _, text = await get(app, "/static/nothing.js")
    assert (status, json.loads(text)["value"]["code"]) == (404, "not-found")
    status, _, text = await get(app, "/api/tables")
    assert (status, json.loads(text)["value"]["code"]) == (405, "method-not-allowed")


@with_server
async def test_words_pictures_and_clauses_are_there_in_every_language(app: Any) -> None:
    """A language or a clause that there is not is no page either."""
    english, german = [
        json.loads((await get(app, f"/static/words.{code}.json"))[2]) for code in ("en", "de")
    ]
    assert english.keys() == german.keys()
    pictures = json.loads((await get(app, "/static/pictures.de.json"))[2])
    assert {"apprentice", "apprentice-purple"} < pictures["cards"].keys()
    assert {*pictures["goods"]} == {"gold", "wood", "stone", "brick"}
    assert {"red", "blue"} < pictures["paints"]["seats"].keys()
    assert (await get(app, "/static/words.fr.json"))[0] == 404
    assert (await get(app, "/static/pictures.fr.json"))[0] == 404
    rule = json.loads((await get(app, "/api/clauses/BLU-2?language=de"))[2])
    assert rule["clause"] == "BLU-2"
    assert "Bettelmönch" in rule["text"]
    assert (await get(app, "/api/clauses/XYZ-1"))[0] == 404
    assert (await get(app, "/api/clauses/BLU-2?language=fr"))[0] == 404


@with_server
async def test_the_lobby_speaks_the_language_that_is_wanted(app: Any) -> None:
    """That is the one of the page, or else the browser's, or else English."""
    lobbies = [
        json.loads((await get(app, f"/api/lobby{query}", accepts))[2])
        for query, accepts in [
            ("?language=de", "en"),
            ("", "fr-FR,de-CH;q=0.8,en;q=0.5"),
            ("", "fr"),
        ]
    ]
    assert [each["colours"][0]["name"] for each in lobbies] == ["Rot", "Rot", "Red"]
    assert lobbies[0]["links"] == ["http://192.0.2.7:8400"]


# Opening


@with_server
async def test_a_table_that_cannot_be_is_not_opened(app: Any) -> None:
    """What is wrong is said in a sentence; of a card set it is all that is wrong."""
    red, blue = WISH["seats"]
    twice = [red, {**blue, "name": "red"}]
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"edition": "none"}, "no edition 'none'"),
        ({"variants": ["none"]}, "no variant 'none'"),
        ({"seats": [red, red]}, "the same colour"),
        ({"seats": [red]}, "Valletta is for 2, 3 or 4 players, not 1"),
        ({"seats": twice}, "name"),
        ({"seats": None}, "an array"),
    ]
    for wrong, message in wrongs:
        assert message in (await refusal(app, "/api/tables", WISH | wrong))["message"]
    bad = await refusal(app, "/api/tables", WISH | {"cards": 'format = 1\nname = "Mine"'})
    assert len(bad["problems"]) > 1
    assert "UTF-8" in (await refusal(app, "/api/tables", b"\xff"))["message"]
    assert (await fetch(app, "POST", "/api/tables", WISH | {"cards": CARDS}))[0] == 201


@with_server
async def test_a_full_disk_is_told_of_and_costs_nothing(app: Any) -> None:
    """What cannot be kept is not done; what was kept before is there, and more can come later."""
    before = await open_table(app, None, None)
    clerk = app._application.state.rooms.clerk
    for most, status in [(1, 507), (1_000_000, 201)]:
        limit = f"PRAGMA max_page_count = {most}"  # never less than there are
        await clerk.ask(lambda store, limit: store._file.execute(limit), limit)
        answered, text = await fetch(app, "POST", "/api/tables?language=de", WISH)
        assert answered == status, text
        if answered == 507:
            told = json.loads(text)["value"]
            assert (told["code"], told["message"][:10]) == ("not-kept", "Es ließ si")
    async with Visitor(app) as visitor:
        visitor.hello(before["table"], tokens_of(before)[0])
        assert (await visitor.until("welcome"))["own"] == [0]


@with_server
async def test_a_card_set_is_looked_at_before(app: Any) -> None:
    """It has a name, or problems, all of them, in the language of the page."""
    seen = [
        json.loads((await fetch(app, "POST", "/api/card-set", {"text": text, "language": code}))[1])
        for text, code in [(CARDS, "en"), ("format = 1", "en"), ("format = 1", "de")]
    ]
    assert seen[0]["name"]
    assert seen[0]["problems"] == []
    assert [each["name"] for each in seen[1:]] == [None, None]
    assert 1 < len(seen[1]["problems"]) == len(seen[2]["problems"])
    assert seen[1]["problems"] != seen[2]["problems"]
    wrong = CARDS.replace('"woodworker"', '"Wodworker"', 1).replace("gold = 7", "gold = '7'")
    wrong = wrong.replace("name = ", "nam = ").replace('icon = "gold"', "icon = 7", 1)
    wish = {"text": wrong.replace("copies = 3", "copies = 30", 1), "language": "de"}
    told = json.loads((await fetch(app, "POST", "/api/card-set", wish))[1])["problems"]
    assert len(told) > 4
    assert not [each for each in told if re.search("must|there|missing|write|mean", each)], told


@with_server
async def test_a_record_is_opened_by_anybody_and_seen_by_all(app: Any) -> None:
    """It may be a file or a document, of a game that is over or not; something else is refused."""
    for session, text in [
        (over := played(), format_record(over.record)),
        (begun := played(is_over=False), to_json(begun.record)),
    ]:
        status, answer = await fetch(app, "POST", "/api/replay", text.encode())
        assert status == 201
        opened = json.loads(answer)
        status, kept = await fetch(app, "GET", f"/api/tables/{opened['table']}/record")
        assert status == 200
        assert parse_record(kept.decode()).actions == session.record.actions
    wrong = await refusal(app, "/api/replay", to_json(begun.state).encode())
    assert "a record is wanted" in wrong["message"]
    assert "line 1" in (await refusal(app, "/api/replay", b"nothing"))["message"]


@with_server
async def test_the_record_of_a_game_is_for_those_who_played_once_it_is_over(app: Any) -> None:
    """Before, and to anybody else, it is refused; so is that of a table that there is not."""
    app._limits = attrs.evolve(app._limits, messages=Rate(1000, 1000))
    opened = await open_table(app, None, None)
    path = f"/api/tables/{opened['table']}/record"
    tokens = {each["seat"]: each["token"] for each in opened["invitations"]}

    async def record(token: str) -> tuple[int, str]:
        status, text = await fetch(app, "GET", path, token=token)
        return status, text.decode() if status == 200 else json.loads(text)["value"]["code"]

    async with Visitor(app) as both:
        both.hello(opened["table"], *tokens.values(), opened["opener"])
        moment = (await both.until("welcome"))["moment"]
        assert await record(tokens[0]) == (403, "not-over")
        while moment["finish"] is None:
            moment = await answer_as_one(both, moment)
    assert await record("") == (403, "not-seated")
    status, text = await record(tokens[1])
    assert (status, text.splitlines()[0]) == (200, "valletta: 2")
    assert await record(opened["opener"]) == (200, text)
    status, refused = await fetch(app, "GET", "/api/tables/nowhere/record")
    assert (status, json.loads(refused)["value"]["code"]) == (404, "no-table")


async def answer_as_one(both: Visitor, moment: Told) -> Told:
    """Answer with the last choice for whoever is asked, and return how the table looks then."""
    revision = moment["revision"]
    if moment["waits_for"] is not None:
        both.say(type="present", id=f"p{revision}", seat=moment["waits_for"])
        moment = (await both.until("sight"))["moment"]
    if (payment := moment["payment"]) is None:
        action = moment["choices"][-1]["action"]
    else:
        pay = {"type": "Pay", "goods": payment["cheapest"]}
        action = {"valletta_rules": 2, "kind": "Action", "value": pay}
    both.say(type="answer", id=f"a{revision}", revision=revision, action=action)
    stepped: Told = (await both.until("stepped"))["moment"]
    return stepped


# A page at a table


async def code_after(visitor: Visitor) -> int | None:
    """Return the code with which a connection is closed, whatever is told before."""
    with pytest.raises(EOFError):
        await visitor.until("nothing")
    return visitor.code


@with_server
async def test_who_does_not_say_hello_is_not_let_in(app: Any) -> None:
    """Nor who speaks another version, or says it in bytes, or goes before, or says nothing."""
    for text in ('{"type":"ping"}', "nothing"):
        async with Visitor(app) as visitor:
            visitor.say_text(text)
            assert await code_after(visitor) == NO_HELLO
    async with Visitor(app) as visitor:
        visitor.hello("any", protocol=2)
        assert await code_after(visitor) == NO_HELLO
    async with Visitor(app) as visitor:
        visitor._said.put_nowait({"type": "websocket.receive", "bytes": b"hello"})
        assert await code_after(visitor) == NO_HELLO
    async with Visitor(app) as visitor:
        pass
    assert visitor.transcript == []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(application, "GREETING", 0.01)
        async with Visitor(app) as visitor:
            assert await code_after(visitor) == NO_HELLO


@with_server
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
            assert await code_after(visitor) == REPLACED


@with_server
async def test_who_leaves_while_he_is_turned_away_does_not_hear_it(app: Any) -> None:
    """That is nothing to complain of."""
    async with Visitor(app) as visitor:
        await asyncio.sleep(0)
        visitor.is_gone = True
        visitor.hello("nowhere")
    assert (visitor.transcript, visitor.code) == ([], None)


@with_server
async def test_what_is_no_message_is_answered_and_what_is_no_text_ends_it(app: Any) -> None:
    """Somebody who looks on says both."""
    opened = await open_table(app, None, None)
    async with Visitor(app) as visitor:
        visitor.hello(opened["table"])
        visitor.say_text('{"type":"dance"}')
        refused = await visitor.until("refused")
        assert refused["id"] is None
        visitor.say(type="ping")
        assert await visitor.until("pong") == {"type": "pong"}
        visitor._said.put_nowait({"type": "websocket.receive", "bytes": b"hello"})
        assert await code_after(visitor) == 1000


@with_server
async def test_who_is_silent_for_too_long_is_given_up(app: Any) -> None:
    """He is not there any more for the others either."""
    opened = await open_table(app, None, None)
    token = opened["invitations"][0]["token"]
    async with Visitor(app) as stays:
        stays.hello(opened["table"])
        await stays.until("presence")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(application, "PATIENCE", 0.05)
            async with Visitor(app) as silent:
                silent.hello(opened["table"], token)
                assert await code_after(silent) == GIVEN_UP
        here = (await stays.until("presence"))["seats"][0]["is_here"]
        assert [here, (await stays.until("presence"))["seats"][0]["is_here"]] == [True, False]


@with_server
async def test_who_cannot_be_reached_is_given_up(app: Any) -> None:
    """A connection that breaks while something is sent is left alone."""
    opened = await open_table(app, None, None)
    for error in (RuntimeError("closed"), TimeoutError(), OSError("reset")):
        visitor = Broken(app, error)
        visitor.hello(opened["table"])
        await asyncio.wait_for(visitor._task, 10)
        assert visitor.transcript == []


class Broken(Visitor):
    """Somebody to whom nothing can be sent."""

    def __init__(self, app: Any, error: Exception) -> None:
        """Take what goes wrong."""
        self._error = error
        super().__init__(app)

    async def _send(self, message: Message) -> None:
        """Let the connection be made, and then break."""
        if message["type"] != "websocket.accept":
            raise self._error


@with_server
async def test_a_server_that_ends_lets_go_of_all(app: Any) -> None:
    """Who sits and who thinks at that time does not hold it up."""
    opened = await open_table(app, None, "novice")
    visitor = Visitor(app)
    visitor.hello(opened["table"], opened["invitations"][0]["token"])
    await visitor.until("presence")
    await app._application.state.rooms.close()
    await visitor.leave()
