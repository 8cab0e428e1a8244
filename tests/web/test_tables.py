"""Tests of tables: answers, takebacks, shared screens, bots, links, and notices to pages."""

import asyncio
import random
import sqlite3
from contextlib import closing, nullcontext
from typing import Any
from unittest.mock import Mock

import attrs
import pytest

import valletta_rules as vr
from tests.web.client import Page, Server, Table, document, hands, play, serving
from valletta_rules.codec import to_document
from valletta_rules.web import bot_player, connections
from valletta_rules.web.accounts import Accounts
from valletta_rules.web.connections import Connection
from valletta_rules.web.limits import Rate
from valletta_rules.web.store import StoredEntry, TableStore
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

GOLD, WOOD = ({"type": "DraftGood", "good": good} for good in ("gold", "wood"))
RULES = to_document(vr.HANS_IM_GLUECK)
PARTS = ("track", "buildings", "goods")
HIDDEN = {"CardDrawn", "HiddenCardDrawn", "BuildingDealt", "BarrelRevealed"}
"""The types of events that reveal hidden information."""


def card(character: vr.Character) -> Any:
    """Return the action that plays a character's card, as a JSON value."""
    return to_document(vr.PlayCard(character))["value"]


def reveals_information(page: Page) -> bool:
    """Return whether the last step that the page received revealed hidden information."""
    return not HIDDEN.isdisjoint(event["value"]["type"] for event in page.log[-1]["events"])


def append(server: Server, table: Table, entry: str) -> None:
    """Write an entry to the log of a table in the database, as another server could do."""
    with closing(TableStore(server.path)) as store:
        store.append(table.id, StoredEntry(len(store.log(table.id)), entry))


def answered(revision: int, seat: int, action: vr.Action) -> str:
    """Return a log entry for an answer, as JSON."""
    return vr.to_json(vr.Answered(revision, seat, action, (), None))


# Whole games


async def test_all_players_and_spectators_receive_every_step_but_no_hidden_hand(
    table: Table,
) -> None:
    """A drawing that a page has updated must equal a complete new drawing.

    After the end of the game, hands and record are public.
    """
    pages, rng = [await table.enter(0), await table.enter(1), await table.enter()], random.Random(3)
    assert (await table.record(table.token(0))).value["code"] == "not-over"
    while pages[0].moment["asked"] is not None:
        await play(rng, *pages)
        for page, visible in zip(
            pages, [(True, False), (False, True), (False, False)], strict=True
        ):
            assert tuple(hand is not None for hand in page.hands) == visible
    for page in pages:
        later = await table.enter(*page.own)
        assert (later.moment, later.log, later.parts) == (page.moment, page.log, page.parts)
    finish = pages[0].moment["finish"]
    totals = [sum(each[part] for part in PARTS) for each in finish["scores"]]
    assert finish["course"][-1] == totals
    assert {totals[seat] for seat in finish["winners"]} == {max(totals)}
    when = [each["revision"] for each in finish["moments"]]
    assert when == sorted(when)
    assert all(each["sentence"] for each in finish["moments"])
    assert None not in hands((await pages[2].request("look", at=5, open=True))["moment"])
    assert (await table.record()).value["code"] == "not-seated"
    for token in (table.token(1), table.opened["opener"]):
        record = vr.parse_record((await table.record(token)).text)
        assert len(record.actions) > pages[0].revision
    with closing(TableStore(table.server.path, reads_only=True)) as store:
        game = vr.Game.replay(each.entry for each in store.log(table.id))
    assert (game.revision, game.record().actions) == (pages[0].revision, record.actions)
    with closing(sqlite3.connect(table.server.path)) as file:  # from now on its age counts
        ends = file.execute("SELECT revision FROM log WHERE ends").fetchall()
    assert ends == [(pages[0].revision,)]


async def test_after_a_restart_the_log_is_complete_and_random_outcomes_are_the_same(
    server: Server, table: Table
) -> None:
    """If a page sends an answer again with the same id, the server does not execute it twice."""
    both = await table.enter(0, 1)
    await both.request("present", seat=1)
    await both.answer(GOLD, id="first")
    seat = 0
    while not reveals_information(both):
        seat = both.moment["asked"]
        await both.play()
    to, before = both.revision - 1, both.moment["view"]
    async with serving(server.path) as restarted:
        again = await Table(restarted, table.opened).enter(0, 1)
        assert (again.log, again.moment["view"]) == (both.log, before)
        late = await again.request("answer", id="first", revision=0, action=document(GOLD))
        assert (late["type"], late["revision"]) == ("ack", 1)
        await again.request("undo", revision=again.revision, to=to, agreed=True)
        await again.receive_until("stepped")
        await again.request("present", seat=seat)
        await again.answer(again.legal[0])
        assert again.moment["view"] == before


# Answers


async def test_a_repeated_answer_with_the_same_id_is_acknowledged_but_not_executed_again(
    table: Table,
) -> None:
    """Another answer to the same revision is refused as stale.

    Two seats may use the same id.
    """
    anna, blue = await table.enter(0), await table.enter(1)
    for _ in range(2):
        assert (await blue.answer(GOLD, revision=0, id="x"))["revision"] == 1
    assert await blue.refusal_code("answer", revision=0, action=document(WOOD)) == "stale"
    await anna.reach(1)
    assert (await anna.answer(WOOD, id="x"))["revision"] == 2  # an id belongs to one seat


async def test_a_shared_page_that_reconnects_shows_the_same_hand_as_before(
    table: Table,
) -> None:
    """If an answer was given in the meantime, the hand is hidden.

    A page never shows a hand for a seat whose token it does not have.
    """
    both = await table.enter(0, 1)
    await both.request("present", seat=1)
    await both.leave()
    again = await table.enter(0, 1, viewer=1)
    assert again.waits_for is None
    await again.answer(GOLD)
    assert again.waits_for == 0
    late = await table.enter(0, 1, viewer=1)
    assert late.waits_for == 0
    assert (await table.enter(1, viewer=0)).moment["viewer"] == 1


async def test_an_answer_that_is_out_of_turn_illegal_or_by_a_spectator_is_refused(
    table: Table,
) -> None:
    """The code of the refusal states the reason. For an illegal action, the clause is added."""
    anna, blue, spectator = await table.enter(0), await table.enter(1), await table.enter()
    for page, action, code in [
        (anna, document({}, "Nothing"), "not-asked"),
        (spectator, document({}, "Nothing"), "not-seated"),
        (blue, document({}, "Nothing"), "unknown-word"),
        (blue, RULES, "malformed-action"),
        (blue, to_document(vr.PlayCard(vr.Character.MONK)), "wrong-kind"),
        (blue, to_document(vr.DrawCard(vr.Character.MONK)), "wrong-kind"),
    ]:
        assert await page.refusal_code("answer", revision=0, action=action) == code
    assert (await blue.answer(card(vr.Character.MONK)))["rule"]["text"]
    why = await blue.request("why-not", revision=0, action=RULES)
    assert why["refusal"]["value"]["code"] == "malformed-action"
    assert (await table.enter()).revision == 0


@pytest.mark.parametrize(
    ("error", "step", "join"),
    [
        (sqlite3.OperationalError("disk full"), "not-kept", "not-read"),
        (ZeroDivisionError(), *["failed"] * 2),
    ],
)
async def test_an_answer_that_cannot_be_stored_is_refused_and_can_be_repeated(
    table: Table, error: Exception, step: str, join: str
) -> None:
    """If a page connects while the database fails, it is disconnected with code 1011."""
    blue, late = await table.enter(1), table.server.page()
    with pytest.MonkeyPatch.context() as patched:
        for method in ("append", "seat_of"):
            patched.setattr(TableStore, method, Mock(side_effect=error))
        assert await blue.refusal_code("answer", revision=0, action=document(GOLD)) == step
        late.hello(table.id, table.token(0))
        assert (await late.receive_until("refused"))["refusal"]["value"]["code"] == join
        assert await late.wait_until_closed() == 1011
    assert (await blue.answer(GOLD))["type"] == "ack"
    assert (await table.enter(0)).own == (0,)


async def test_a_page_receives_steps_that_another_server_has_stored_in_the_database(
    server: Server, table: Table
) -> None:
    """If the page answers a prompt at an earlier revision, the answer is refused as stale."""
    blue = await table.enter(1)
    append(server, table, answered(1, 1, vr.DraftGood(vr.Good.WOOD)))
    assert await blue.refusal_code("answer", revision=0, action=document(GOLD)) == "stale"
    assert [message["type"] for message in blue.messages].count("stepped") == blue.revision == 1


@pytest.mark.parametrize(
    "entry",
    [
        '{"type": "Draft',
        vr.to_json(vr.HANS_IM_GLUECK),
        answered(2, 0, vr.PlayCard(vr.Character.MONK)),
        answered(1, 0, vr.DraftGood(vr.Good.WOOD)),
    ],
)
async def test_a_game_whose_log_has_an_invalid_entry_can_be_viewed_but_not_continued(
    server: Server, table: Table, entry: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The page shows the game up to the last valid revision, and the server logs this revision."""
    append(server, table, answered(1, 1, vr.DraftGood(vr.Good.GOLD)))
    append(server, table, entry)
    anna = await table.enter(0)
    assert (anna.revision, anna.undo) == (1, None)
    assert await anna.refusal_code("answer", revision=1, action=document(WOOD)) == "unreadable"
    assert "invalid after revision 1" in caplog.text


async def test_a_table_whose_first_log_entry_is_invalid_cannot_be_entered(
    server: Server, table: Table
) -> None:
    """There is no position to show, so the page receives only the reason."""
    with closing(TableStore(server.path)) as store:
        log = [answered(0, 1, vr.DraftGood(vr.Good.GOLD))]
        keys = store.create(store.table(table.id), store.seats(table.id), log)
    page = await Table(server, {"table": keys.table}).connect_page()
    assert page.messages[0]["code"] == "not-read"


# Taking back


async def test_taking_back_a_step_that_revealed_nothing_needs_no_agreement(
    table: Table,
) -> None:
    """All pages are notified, and the log marks the step.

    A second takeback of the step is refused as stale.
    """
    anna, blue = await table.enter(0), await table.enter(1)
    before = anna.moment["view"]
    await blue.answer(GOLD)
    await anna.reach(1)
    offer = blue.undo
    assert (offer["to"], offer["needs_agreement"]) == (0, False)
    assert anna.undo is None
    undo = {"revision": 1, "to": 0, "agreed": False}
    assert await anna.refusal_code("undo", **undo) == "no-undo"
    for _ in range(2):
        assert (await blue.request("undo", id="u", **undo))["revision"] == 2
    assert await blue.refusal_code("undo", **undo) == "stale"
    await anna.reach(2)
    assert anna.log[-1]["back_to"] == 0
    assert "takes back" in anna.log[-1]["lines"][0]["text"]
    assert anna.moment["view"] == before
    late = await table.enter(log=anna.past[1])
    assert late.messages[0]["since"] == 1
    assert [entry["back_to"] for entry in late.log] == [None, None, 0]
    await blue.reach(2)
    assert (await blue.answer(GOLD))["revision"] == 3
    assert [entry["back_to"] for entry in blue.log] == [None, None, 0, None]


async def test_a_player_with_a_separate_page_cannot_take_back_a_step_that_revealed_information(
    table: Table,
) -> None:
    """Nor can a step be taken back after another player has answered."""
    pages, rng, revealed = [await table.enter(0), await table.enter(1)], random.Random(1), set()
    for _ in range(2):
        await play(None, *pages)
    for _ in range(40):
        seat = pages[0].moment["asked"]
        await play(rng, *pages)
        revealed.add(reveals_information(pages[0]))
        assert pages[1 - seat].undo is None
        assert (pages[seat].undo is None) == reveals_information(pages[0])
    assert revealed == {True, False}


async def test_players_who_share_a_page_can_agree_to_take_back_a_step_that_revealed_information(
    table: Table,
) -> None:
    """A request without agreement is refused."""
    both, rng = await table.enter(0, 1), random.Random(2)
    while both.undo is None or not both.undo["needs_agreement"]:
        await both.play(rng)
    assert reveals_information(both)
    undo = {"revision": both.revision, "to": both.undo["to"]}
    assert await both.refusal_code("undo", **undo, agreed=False) == "not-agreed"
    assert (await both.request("undo", **undo, agreed=True))["type"] == "ack"
    await both.receive_until("stepped")
    assert both.log[-1]["back_to"] == undo["to"]


# One screen, several people


async def test_a_shared_page_receives_a_hand_only_after_its_player_has_confirmed_their_presence(
    table: Table,
) -> None:
    """When the other player must act, all hands are hidden again."""
    both = await table.enter(0, 1)
    spectator = await table.enter()
    assert (both.moment["viewer"], both.hands, both.waits_for) == (None, [None, None], 1)
    assert (both.moment["view"], both.parts) == (spectator.moment["view"], spectator.parts)
    assert await both.refusal_code("answer", revision=0, action=document(GOLD)) == "not-present"
    assert await both.refusal_code("present", seat=2) == "not-seated"
    await both.request("present", seat=1)
    assert [hand is not None for hand in both.hands] == [False, True]
    assert both.waits_for is None
    await both.answer(GOLD)
    for page in (both, await table.enter(0, 1)):
        assert (page.moment["viewer"], page.waits_for) == (None, 0)
        assert page.hands == [None, None]
    assert all(event["value"]["type"] != "CardDrawn" for event in both.log[-1]["events"])
    await both.request("present", seat=0)
    await both.request("present", seat=None)
    assert both.hands == [None, None]
    assert (
        Connection("en", Accounts(Rate(1, 1)).of(""), own=(0, 1), viewer=1).log_perspective.viewer
        is None
    )
    alone = await table.enter(0)  # needs no curtain
    await alone.request("present", seat=None)
    assert alone.hands[0] is not None


# Earlier moments


async def test_a_page_shows_an_earlier_moment_without_actions_and_without_hidden_hands(
    table: Table,
) -> None:
    """During a game, a request to show all hands is refused.

    The server sends only the changes to the page's drawing.
    """
    anna, blue = await table.enter(0), await table.enter(1, language="de")
    for _ in range(2):
        await play(None, anna, blue)
    moment = (await anna.request("look", at=1, open=False))["moment"]
    assert (moment["revision"], moment["choices"], moment["undo"]) == (1, [], None)
    assert await anna.refusal_code("look", at=99, open=False) == "no-moment"
    assert await anna.refusal_code("look", at=1, open=True) == "not-over"
    assert (await anna.request("look", at=2, open=False))["patch"]["changed"] == []
    assert (await anna.request("look", at=0, open=False))["moment"]["asked"] == 1


async def test_only_the_player_who_must_answer_receives_the_reason_why_an_action_is_illegal(
    table: Table,
) -> None:
    """The reason has a code and a clause. If the action is legal, there is none."""
    anna, blue = await table.enter(0), await table.enter(1)
    for _ in range(2):
        await play(None, anna, blue)
    missing = next(each for each in vr.Character if each.value not in anna.hands[0])
    about = {"revision": 2, "action": document(card(missing))}
    why = await anna.request("why-not", **about)
    assert why["refusal"]["value"]["code"] == "card-not-in-hand"
    assert why["rule"]["clause"] == why["refusal"]["value"]["clause"]
    legal = await anna.request("why-not", revision=2, action=document(anna.legal[0]))
    assert legal["refusal"] is None
    assert await blue.refusal_code("why-not", **about) == "not-asked"


async def test_a_hint_lists_answers_by_expected_lead_and_is_refused_after_the_next_answer(
    server: Server, table: Table
) -> None:
    """The answer with the highest lead is first.

    If the adviser raises an error, the hint is refused with the code `failed`.
    """
    blue, bots = await table.enter(1), server.bots
    advice = await blue.request("hint", revision=0)
    best, *others = advice["answers"]
    assert best["action"]["value"]["type"] == "DraftGood"
    assert best["sentence"].startswith("Best: take 1 ")
    assert best["figures"].startswith("Expected lead ")
    assert all(each["lead"] <= best["lead"] for each in others)
    assert 0 < best["chance"] < 1
    bots.go.clear()
    blue.send_json("hint", id="late", revision=0)
    await blue.answer(GOLD)
    bots.go.set()
    refused = await blue.receive_until("refused")
    assert (refused["id"], refused["refusal"]["value"]["code"]) == ("late", "stale")
    bots.fails = True
    assert await (await table.enter(0)).refusal_code("hint", revision=1) == "failed"


# Links, and bots that sit in


async def test_a_new_link_for_a_seat_disconnects_the_page_with_the_old_link(table: Table) -> None:
    """All pages are notified. Only the player who opened the table may renew links."""
    anna, blue = await table.enter(0, opener=True), await table.enter(1)
    spectator = await table.enter()
    assert await blue.refusal_code("renew", seat=0) == "not-opener"
    assert await anna.refusal_code("renew", seat=3) == "no-person"
    blue.send_json("renew", id="unheard", seat=0)  # it is answered before it is disconnected
    link = await anna.request("renew", seat=1)
    assert (await blue.receive_until("ended"))["code"] == "wrong-link"
    assert await blue.wait_until_closed() == 4001
    assert (await spectator.receive_notice()).startswith("Blue has a new link")
    assert (await table.enter(1)).messages[0]["type"] == "ended"
    assert (await table.connect_page(link["token"])).own == (1,)
    await anna.request("renew", seat=0)
    await anna.receive_until("welcome")
    assert anna.own == ()


async def test_a_bot_plays_for_an_absent_player_until_the_player_returns(
    server: Server, table: Table
) -> None:
    """All pages are notified when the bot takes over and when it leaves.

    A bot cannot replace a player whose page is connected.
    """
    anna, blue = await table.enter(0, opener=True), await table.enter(1)
    assert await anna.refusal_code("sit-in", seat=1, level="club") == "is-here"
    await blue.leave()
    await anna.request("pace", pause=0)
    assert (await anna.request("sit-in", seat=1, level="club"))["type"] == "ack"
    assert await anna.receive_notice() == "A computer player sits in for Blue."
    await anna.reach(1)
    assert (anna.log[-1]["seat"], server.bots.specs) == (1, ["club"])
    blue = await table.enter(1)
    assert await anna.receive_notice() == "Blue is back."
    assert anna.messages[-1]["seats"][1]["sitting_in"] is None
    await blue.leave()
    for level in ("club", None):
        assert (await anna.request("sit-in", seat=1, level=level))["type"] == "ack"


async def test_the_answer_of_a_bot_is_discarded_if_the_player_returns_before_it(
    server: Server, table: Table
) -> None:
    """The player must then answer the prompt."""
    anna = await table.enter(0, opener=True)
    server.bots.go.clear()
    await anna.request("sit-in", seat=1, level="club")
    while not server.bots.specs:
        await asyncio.sleep(0)
    blue = await table.enter(1)
    server.bots.go.set()
    assert (await blue.answer(GOLD))["revision"] == 1
    assert blue.log[-1]["lines"][0]["seat"] == 1


async def test_a_spectator_cannot_change_how_long_bots_pause(table: Table) -> None:
    """Other invalid messages are refused, too. A binary message closes the connection."""
    spectator = await table.enter()
    assert await spectator.refusal_code("pace", pause=0) == "not-seated"
    spectator.hello(table.id)
    assert (await spectator.receive_until("refused"))["refusal"]["value"]["code"] == "failed"
    spectator.send('{"type":"dance"}')
    assert (await spectator.receive_until("refused"))["id"] is None
    await spectator.ping()
    spectator.send(b"hello")
    assert await spectator.wait_until_closed() == 1000


# Bots


@pytest.mark.parametrize("table", [(None, "novice")], indirect=True)
async def test_bots_answer_without_a_request_and_a_person_can_take_back_answers_of_bots(
    server: Server, table: Table
) -> None:
    """If the only person at a table takes back an answer, the bots' later answers are taken back,
    too.
    """
    anna, bots, rng = await table.enter(0), server.bots, random.Random(1)
    await anna.request("pace", pause=0)
    await anna.reach(1)
    assert (anna.log[-1]["seat"], anna.moment["asked"]) == (1, 0)
    assert anna.moment["undo"] is None  # she has not answered anything yet
    bots.go.clear()
    await anna.answer(WOOD)
    assert not anna.undo["needs_agreement"]
    while anna.moment["asked"] == 0:
        await anna.play(rng)
    revision = anna.revision
    bots.go.set()
    while anna.moment["asked"] == 1:
        await anna.receive()
    assert anna.undo["needs_agreement"]
    assert anna.undo["to"] < revision


@pytest.mark.parametrize("is_stored", [False, True])
@pytest.mark.parametrize("table", [(None, "novice")], indirect=True)
async def test_a_bots_answer_that_could_not_be_stored_is_tried_again(
    server: Server, table: Table, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """A temporarily full disk thus does not end the game.

    If the answer was stored in spite of the error, the second attempt detects that the game has
    continued.
    """
    append, errors = TableStore.append, [sqlite3.OperationalError("disk full")]

    def fail_once(*args: Any) -> None:
        if is_stored or not errors:
            append(*args)
        if errors:
            raise errors.pop()

    monkeypatch.setattr(bot_player, "AGAIN", 0.0)
    monkeypatch.setattr(TableStore, "append", fail_once)
    if is_stored:
        monkeypatch.setattr(TableStore, "transaction", lambda _: nullcontext())
    anna = await table.enter(0)
    await anna.request("pace", pause=0)
    await anna.reach(1)
    while anna.moment["asked"] == 1:
        await anna.receive()
    call_count = len(server.bots.specs)
    for _ in range(20):
        await anna.ping()
    assert len(server.bots.specs) == call_count
    assert is_stored or server.bots.specs[:2] == ["novice", "novice"]


@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize("table", [(None, None, "novice")], indirect=True)
async def test_a_bot_with_a_memory_receives_its_first_view_and_all_events_that_it_may_know(
    server: Server, table: Table, monkeypatch: pytest.MonkeyPatch, remembers: bool
) -> None:
    """A bot without a memory receives no events."""
    monkeypatch.setattr(bot_player, "_remembers", lambda level: remembers)
    await (await table.enter(0)).reach(1)
    blue = await table.enter(1)
    (history,) = server.bots.histories
    assert (history is not None) == remembers
    if history is not None:
        assert history.start == vr.view(vr.new_game(3), 2)
        assert len(history.events) == len(blue.log[0]["events"])


@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize("table", [("novice", "novice")], indirect=True)
async def test_bots_stop_when_the_last_page_at_a_table_is_closed(
    server: Server, table: Table, monkeypatch: pytest.MonkeyPatch, remembers: bool
) -> None:
    """The page of a spectator is enough for them to continue.

    The test also checks that only bots without a memory receive several views at once.
    """
    monkeypatch.setattr(bot_player, "_remembers", lambda level: remembers)
    opener = await table.enter(opener=True)
    await opener.request("pace", pause=0)
    await opener.reach(12)
    assert (max(server.bots.view_counts) > 1) is not remembers
    call_count = len(server.bots.specs)
    server.bots.go.clear()
    while (known := len(server.bots.specs)) == call_count:
        await asyncio.sleep(0.01)
    await opener.leave()
    server.bots.go.set()
    await asyncio.sleep(0.1)  # bots that do not stop use it
    page = await table.enter()
    assert page.moment["asked"] is not None
    assert page.revision in (known - 1, known)


# Records


async def test_an_opened_record_shows_all_hands_to_all_pages_and_cannot_be_continued(
    server: Server,
) -> None:
    """The recorded game may be unfinished, and may wait for a random outcome."""
    session = vr.Session(2, seed=4)
    for _ in range(20):
        session.play(vr.legal_actions(session.state)[-1])
    record = session.record
    prompts = [done.state.prompt for done in vr.replay(record)]
    last = max(number for number, prompt in enumerate(prompts) if prompt and prompt.seat is None)
    cut = attrs.evolve(record, actions=record.actions[: last + 1])
    opened = (await server.fetch("/api/replay", vr.to_json(cut).encode())).value
    assert (opened["opener"], opened["invitations"]) == ("", [])
    table = Table(server, opened)
    page = await table.enter()
    welcome = page.messages[0]
    assert welcome["is_replay"]
    assert [seat["level"] for seat in welcome["seats"]] == [None, None]
    assert page.moment["bar"] == LANGUAGES["en"].phrase("talk.chance")
    assert None not in hands((await page.request("look", at=3, open=True))["moment"])
    answer = {"revision": page.revision, "action": document(GOLD)}
    assert await page.refusal_code("answer", **answer) == "is-replay"
    assert vr.parse_record((await table.record()).text).actions == cut.actions
    assert server.bots.specs == []


# Pages that cannot be reached


@pytest.mark.parametrize(
    ("bound", "most"), [("MOST_MESSAGES", 20), ("MOST_BYTES", 1_000), ("MOST_UNREAD", 1_000)]
)
async def test_a_page_with_too_many_unread_messages_is_disconnected_with_code_4008(
    table: Table, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    """The number and size of messages are limited for a page, and the size also for its address.

    The page can reconnect.
    """
    page = await table.enter()
    monkeypatch.setattr(connections, bound, most)
    page.reads.clear()
    for _ in range(100):
        page.send_json("ping")
    for _ in range(200):  # the table answers at most one of them in each turn of the loop
        await asyncio.sleep(0)
    page.reads.set()
    assert await page.wait_until_closed() == 4008
    assert len(page.messages) < 60
    await page.leave()
    monkeypatch.setattr(connections, bound, 10**6)
    assert (await table.enter()).messages[0]["type"] == "welcome"
