"""Tables: answers, takebacks, curtains, bots, links, and what everybody is told of them."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from typing import Any

import attrs
import pytest

from tests.web.tables import House, Person, answer_of, document
from valletta_rules import (
    HANS_IM_GLUECK,
    Character,
    DraftGood,
    Good,
    PlayCard,
    Session,
    VallettaError,
    format_record,
    legal_actions,
    parse_record,
    replay,
    to_json,
    view,
)
from valletta_rules.actions import ChanceAction, DrawCard
from valletta_rules.bots import Plan
from valletta_rules.web import actors
from valletta_rules.web.connections import BROKEN, MOST_MESSAGES, REPLACED, TOO_SLOW, Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.lobby import open_record
from valletta_rules.web.protocol import (
    Answer,
    Hello,
    Hint,
    Look,
    MessageError,
    Pace,
    Ping,
    Present,
    Renew,
    SitIn,
    Undo,
    WhyNot,
)
from valletta_rules.web.store import TableDocuments, TableStore
from valletta_rules.web.workers import Heard
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

GOLD, WOOD = DraftGood(Good.GOLD), DraftGood(Good.WOOD)


def hands(message: dict[str, Any]) -> list[Any]:
    """Return the hands that a message with a moment shows."""
    return [each["hand"] for each in message["moment"]["view"]["value"]["table"]["players"]]


async def draft(house: House, *people: Person) -> int:
    """Let everybody take an extra good, the last in turn order first; return the revision."""
    by_seat = {seat: person for person in people for seat in person.connection.own}
    for revision in range(len(by_seat)):
        asked = house.game(people[0]).now.asked
        person = by_seat[asked]
        if person.connection.viewer != asked:
            await person.say(Present("here", asked), "sight")
        assert (await person.answer(house.legal(person)[0], revision))["type"] == "ack"
    return len(by_seat)


# Whole games


async def test_a_whole_game_is_told_to_everybody(house: House) -> None:
    """Every step comes to every seat and to spectators, and what is patched is what is there."""
    anna, blue, guest = await house.enter(0), await house.enter(1), await house.enter()
    people, rng = (anna, blue, guest), random.Random(3)
    parts = [{each["key"]: each for each in p.told[0]["patch"]["changed"]} for p in people]
    while (asked := house.game(anna).now.asked) is not None:
        revision = house.game(anna).now.revision
        person = people[asked]
        assert (await person.answer(rng.choice(house.legal(anna)), revision))["type"] == "ack"
        for number, each in enumerate(people):
            step = each.told[-1]
            while step["type"] != "stepped" or step["revision"] != revision + 1:
                step = await each.read("stepped")
            parts[number] |= {part["key"]: part for part in step["patch"]["changed"]}
            seen = [hand is not None for hand in hands(step)]
            assert seen == [number == 0, number == 1]
    later = [await house.enter(0), await house.enter(1), await house.enter()]
    for each, had, one in zip(later, parts, people, strict=True):
        welcome = each.told[0]
        assert {part["key"]: part for part in welcome["patch"]["changed"]} == had
        assert welcome["moment"] == one.told[-1]["moment"]
        told = [m["entry"] for m in one.told if m["type"] == "stepped"]
        assert welcome["log"][1:] == told
    finish = later[0].told[0]["moment"]["finish"]
    assert sum(row["is_winner"] for row in finish["rows"]) >= 1
    assert list(finish["course"][-1]) == [row["total"] for row in finish["rows"]]
    record = await anna.actor.record()
    assert parse_record(format_record(record)) == record
    sight = await guest.say(Look("1", 5, True), "sight")
    assert None not in hands(sight)


async def test_a_game_goes_on_after_a_restart(house: House) -> None:
    """What was told is there again, with the same luck, and an answer is still known."""
    anna, blue = await house.enter(0), await house.enter(1)
    await blue.answer(WOOD, 0)
    await blue.say(Undo("u", 1, 0, False))
    await blue.answer(GOLD, 2)
    await anna.answer(WOOD, 3)
    steps, revision = list(house.game(anna).steps), 4
    await house.leave(anna, blue)
    anna = await house.enter(0)
    assert [(s.state, s.stands, s.luck) for s in house.game(anna).steps] == [
        (s.state, s.stands, s.luck) for s in steps
    ]
    late = await anna.answer(WOOD, 3, "a1")
    assert (late["type"], late["revision"]) == ("ack", revision)
    assert house.game(anna).now.revision == revision


# Answers


async def test_a_move_counts_once(house: House) -> None:
    """A double gets its first ack; another answer to a settled question is stale."""
    anna, blue = await house.enter(0), await house.enter(1)
    assert (await blue.answer(GOLD, 0, "x"))["revision"] == 1
    assert (await blue.answer(GOLD, 0, "x"))["revision"] == 1
    assert await blue.refused(answer_of(WOOD, 0, "y")) == "stale"
    assert (await anna.answer(WOOD, 1, "x"))["revision"] == 2  # another's name is another name


async def test_what_is_no_answer_is_refused_and_who_is_not_asked_before_that(house: House) -> None:
    """A seat out of turn, a spectator, and what is no action or an illegal one: all are told."""
    anna, blue, guest = await house.enter(0), await house.enter(1), await house.enter()
    nothing = {"valletta_rules": 2, "kind": "Nothing", "value": 1}
    rules = json.loads(to_json(HANS_IM_GLUECK))
    card = next(iter(house.game(blue).now.state.supply))
    for person, action, code in [
        (anna, nothing, "out-of-turn"),
        (guest, nothing, "not-seated"),
        (blue, nothing, "unknown-word"),
        (blue, rules, "malformed-action"),
        (blue, document(PlayCard(card)), "wrong-kind"),
        (blue, document(DrawCard(card)), "wrong-kind"),
    ]:
        assert await person.refused(Answer("x", 0, action)) == code
    illegal = await blue.answer(PlayCard(card), 0)
    assert illegal["rule"]["text"]
    why = await blue.say(WhyNot("w", 0, rules), "reason")
    assert why["refusal"]["value"]["code"] == "malformed-action"
    assert house.game(anna).now.revision == 0


async def test_a_step_that_cannot_be_kept_is_not_made(house: House) -> None:
    """If the disk is full nothing has happened, and it is said."""
    blue = await house.enter(1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TableStore, "append", _raise(sqlite3.OperationalError("disk full")))
        assert await blue.refused(answer_of(GOLD, 0, "x")) == "not-kept"
        patched.setattr(TableStore, "append", _raise(ZeroDivisionError()))
        assert await blue.refused(answer_of(GOLD, 0, "x")) == "failed"
    assert (await blue.answer(GOLD, 0))["type"] == "ack"


def _raise(error: Exception) -> Any:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    return fail


async def test_another_server_on_the_file_is_heard_of(house: House) -> None:
    """What was added to the log elsewhere is told, and the answer that came too late is stale."""
    blue = await house.enter(1)
    other = house.game(blue).answer(1, WOOD)
    body, *chance = other.documents
    await house.database.ask(
        TableStore.append, house.opened.table, 0, "answer", 1, body, chance, None
    )
    assert await blue.refused(answer_of(GOLD, 0, "x")) == "stale"
    assert [m["revision"] for m in blue.told if m["type"] == "stepped"] == [1]


@pytest.mark.parametrize("body", [to_json(GOLD).replace("gold", "silver"), to_json(HANS_IM_GLUECK)])
async def test_a_log_that_these_rules_refuse_can_be_looked_at(
    house: House, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The game stops at the last good revision, and says so; nothing can be done to it."""
    blue = await house.enter(1)
    await blue.answer(GOLD, 0)
    table = house.opened.table
    await house.database.ask(TableStore.append, table, 1, "answer", 0, body, [], None)
    await house.leave(blue)
    anna = await house.enter(0)
    assert anna.told[0]["moment"]["revision"] == 1
    assert anna.told[0]["moment"]["undo"] is None
    assert await anna.refused(answer_of(WOOD, 1, "x")) == "unreadable"
    assert "beyond revision 1" in caplog.text


async def test_a_table_that_cannot_be_laid_has_no_room(house: House) -> None:
    """Where these rules refuse the very beginning there is nothing to look at."""
    kept = await house.database.ask(TableStore.table, house.opened.table)
    seats = await house.database.ask(TableStore.seats, house.opened.table)
    chance = (to_json(GOLD),)
    table = TableDocuments(kept.rules, kept.cards, kept.options, kept.seed, kept.library, chance)
    keys = await house.database.ask(TableStore.create, table, seats)
    with pytest.raises(VallettaError):
        await house.tables.actor(keys.table)


# Taking back


async def test_what_brought_nothing_to_light_is_taken_back_without_asking(house: House) -> None:
    """It is struck in the log, everybody is told, and the same revision cannot be undone twice."""
    anna, blue = await house.enter(0), await house.enter(1)
    await blue.answer(GOLD, 0)
    offer = (await blue.read("stepped"))["moment"]["undo"]
    assert (offer["to"], offer["needs_agreement"]) == (0, False)
    assert (await anna.read("stepped"))["moment"]["undo"] is None
    assert await anna.refused(Undo("u", 1, 0, True)) == "no-undo"
    assert (await blue.say(Undo("u", 1, 0, False)))["revision"] == 2
    assert (await blue.say(Undo("u", 1, 0, False)))["revision"] == 2
    assert await blue.refused(Undo("v", 1, 0, False)) == "stale"
    back = await anna.read("rewound")
    assert (back["revision"], back["to"], back["entry"]["back_to"]) == (2, 0, 0)
    assert "takes back" in back["entry"]["lines"][0]["text"]
    assert back["moment"]["view"] == anna.told[0]["moment"]["view"]
    late = await house.enter(seen=1)
    assert late.told[0]["since"] == 0
    assert [entry["is_struck"] for entry in late.told[0]["log"]] == [True, False]
    assert (await blue.answer(GOLD, 2))["revision"] == 3
    assert house.game(blue).is_struck(1)
    assert not house.game(blue).is_struck(3)


async def test_what_came_to_light_stays(house: House) -> None:
    """Over several screens nobody takes back beyond chance, or beyond what another did."""
    anna, blue = await house.enter(0), await house.enter(1)
    revision = await draft(house, anna, blue)
    rng = random.Random(1)
    offers = []
    for _ in range(40):
        asked = house.game(anna).now.asked
        await (anna, blue)[asked].answer(rng.choice(house.legal(anna)), revision)
        revision += 1
        step = house.game(anna).now
        moments = [(await person.until(revision))["moment"] for person in (anna, blue)]
        revealed = any(isinstance(move.action, ChanceAction) for move in step.moves)
        offers.append(revealed)
        assert moments[1 - asked]["undo"] is None
        assert (moments[asked]["undo"] is None) == revealed
    assert {*offers} == {True, False}


async def test_at_one_screen_all_can_agree_to_more(house: House) -> None:
    """Beyond the border everybody at the screen must agree; then the last choice is taken back."""
    both = await house.enter(0, 1)
    revision = await draft(house, both)
    rng = random.Random(2)
    while not house.game(both).now.is_open:
        asked = house.game(both).now.asked
        if both.connection.viewer != asked:
            await both.say(Present("p", asked), "sight")
        await both.answer(rng.choice(house.legal(both)), revision)
        revision += 1
    offer = (await both.until(revision))["moment"]["undo"]
    assert offer["needs_agreement"]
    assert await both.refused(Undo("u", revision, offer["to"], False)) == "not-agreed"
    assert (await both.say(Undo("v", revision, offer["to"], True)))["type"] == "ack"
    assert house.game(both).now.back_to == offer["to"]


# One screen, several people


async def test_a_curtain_hides_hands_until_somebody_says_that_he_is_there(house: House) -> None:
    """No hand is sent before, and none any more once it is for the other one to decide."""
    both = await house.enter(0, 1)
    welcome = both.told[0]
    assert hands(welcome) == [None, None]
    assert welcome["moment"]["waits_for"] == 1
    assert await both.refused(answer_of(GOLD, 0, "w")) == "not-present"
    assert await both.refused(Present("x", 2)) == "not-seated"
    sight = await both.say(Present("x", 1), "sight")
    assert [hand is not None for hand in hands(sight)] == [False, True]
    assert sight["moment"]["waits_for"] is None
    await both.answer(GOLD, 0)
    step = await both.read("stepped")
    assert hands(step) == [None, None]
    assert step["moment"]["waits_for"] == 0
    assert all(event["value"]["type"] != "CardDrawn" for event in step["entry"]["events"])
    assert hands(await both.say(Present("y", None), "sight")) == [None, None]
    alone = await house.enter(0)  # needs no curtain
    assert hands(await alone.say(Present("x", None), "sight"))[0] is not None


# Looking


async def test_looking_back_shows_what_one_saw(house: House) -> None:
    """Another moment is a patch over now, offers nothing, and all hands only after the end."""
    anna, blue = await house.enter(0), await house.enter(1, language="de")
    revision = await draft(house, anna, blue)
    sight = await anna.say(Look("1", 1, False), "sight")
    assert sight["moment"]["revision"] == 1
    assert (sight["moment"]["choices"], sight["moment"]["undo"]) == ([], None)
    assert await anna.refused(Look("2", 99, False)) == "no-moment"
    assert await anna.refused(Look("3", 1, True)) == "not-over"
    assert (await anna.say(Look("4", revision, False), "sight"))["patch"]["changed"] == []
    assert (await anna.say(Look("5", 0, False), "sight"))["moment"]["asked"] == 1


async def test_why_not(house: House) -> None:
    """Whoever is asked learns why something is not possible, with the clause; nobody else."""
    anna, blue = await house.enter(0), await house.enter(1)
    await draft(house, anna, blue)
    hand = house.game(anna).now.state.players[0].hand
    card = next(each for each in Character if each not in hand)
    why = await anna.say(WhyNot("w", 2, document(PlayCard(card))), "reason")
    assert why["refusal"]["value"]["code"] == "card-not-in-hand"
    assert why["rule"]["clause"] == why["refusal"]["value"]["clause"]
    legal = house.legal(anna)[0]
    assert (await anna.say(WhyNot("v", 2, document(legal)), "reason"))["refusal"] is None
    assert await blue.refused(WhyNot("u", 2, document(PlayCard(card)))) == "out-of-turn"


async def test_hints(house: House) -> None:
    """Advice is for whoever is asked, and stale if the game has gone on meanwhile."""
    blue = await house.enter(1)
    advice = await blue.say(Hint("h", 0), "advice")
    assert advice["action"]["value"]["type"] == "DraftGood"
    assert "+1.5" not in advice["sentence"]
    house.thinking.plans = (Plan((GOLD,), 1.5), Plan((WOOD,), 0.5))
    weighed = await blue.say(Hint("g", 0), "advice")
    assert weighed["sentence"].startswith(advice["sentence"])
    assert "+1.5" in weighed["sentence"]
    house.thinking.go.clear()
    await blue.actor.hear(blue.connection, Hint("i", 0))
    await blue.answer(GOLD, 0)
    house.thinking.go.set()
    refused = await blue.read("refused")
    assert (refused["id"], refused["refusal"]["value"]["code"]) == ("i", "stale")
    house.thinking.is_at_a_loss = True
    anna = await house.enter(0)
    assert await anna.refused(Hint("j", 1)) == "failed"


# Links, and who sits in


async def test_a_new_link_ends_the_old_one(house: House) -> None:
    """Whoever had it is sent away, everybody is told, and only the opener can do it."""
    anna, blue = await house.enter(0, opener=True), await house.enter(1)
    guest = await house.enter()
    assert await blue.refused(Renew("r", 0)) == "not-opener"
    assert await anna.refused(Renew("q", 3)) == "no-person"
    link = await anna.say(Renew("s", 1), "new-link")
    assert (await blue.read("ended"))["code"] == "wrong-link"
    assert await blue.connection.queue.next() is None
    assert blue.connection.queue.code == REPLACED
    assert (await guest.notice())["notice"].startswith("Blue has a new link")
    old = await house.enter(1)
    assert old.told[0]["type"] == "ended"
    new = await house.come((link["token"],))
    assert new.told[0]["own"] == [1]
    await anna.say(Renew("t", 0), "new-link")
    assert (await anna.read("welcome"))["own"] == []
    told = len(new.told)
    await blue.actor.hear(blue.connection, Renew("x", 0))  # nobody hears her any more
    await blue.actor.leave(blue.connection)
    await anna.say(Ping(), "pong")
    assert len(new.told) == told


async def test_a_machine_sits_in_for_who_does_not_come_back(house: House) -> None:
    """It plays until the person opens the link again; everybody is told both times."""
    anna, blue = await house.enter(0, opener=True), await house.enter(1)
    assert await anna.refused(SitIn("s", 1, "club")) == "is-here"
    await blue.actor.leave(blue.connection)
    await anna.say(Pace("p", 0), "ack")
    assert (await anna.say(SitIn("t", 1, "club")))["type"] == "ack"
    assert (await anna.read("stepped"))["entry"]["seat"] == 1
    assert house.thinking.asked == ["club"]
    blue = await house.enter(1)
    notices = [m["notice"] for m in anna.told if m["type"] == "presence"]
    assert "A computer player sits in for Blue." in notices
    seen = await anna.notice()
    assert seen["notice"] == "Blue plays again."
    assert seen["seats"][1]["sitting_in"] is None
    await blue.actor.leave(blue.connection)
    await anna.say(SitIn("u", 1, "club"))
    assert (await anna.say(SitIn("v", 1, None)))["type"] == "ack"


async def test_spectators_set_no_pace(house: House) -> None:
    """Only whoever plays may say how fast the machine answers."""
    guest = await house.enter()
    assert await guest.refused(Pace("p", 0)) == "not-seated"
    assert (await guest.say(Ping(), "pong")) == {"type": "pong"}
    again = Hello(1, house.opened.table, (), None, "en")
    await guest.actor.hear(guest.connection, again)
    assert (await guest.read("refused"))["refusal"]["value"]["code"] == "failed"
    await guest.actor.mishear(guest.connection, MessageError("no message"))
    assert (await guest.read("refused"))["refusal"]["value"]["message"] == "no message"


async def test_who_comes_back_is_not_played_for(house: House) -> None:
    """What the machine was thinking of meanwhile does not count any more."""
    anna = await house.enter(0, opener=True)
    house.thinking.go.clear()
    await anna.say(SitIn("s", 1, "club"))
    while not house.thinking.asked:
        await asyncio.sleep(0)
    blue = await house.enter(1)
    house.thinking.go.set()
    assert (await blue.answer(GOLD, 0))["revision"] == 1
    assert (await blue.until(1))["entry"]["lines"][0]["seat"] == 1


# Bots


@pytest.mark.parametrize("house", [{"people": 1, "machines": 1}], indirect=True)
async def test_machines_answer_when_they_are_asked(house: House) -> None:
    """They answer by themselves, after a pause, and at one screen all is a person's to undo."""
    house.thinking.go.clear()
    anna = await house.enter(0)
    await anna.say(Pace("p", 0), "ack")
    house.thinking.go.set()
    step = await anna.until(1)
    assert (step["entry"]["seat"], step["moment"]["asked"]) == (1, 0)
    assert step["moment"]["undo"] is None  # nothing is hers yet
    house.thinking.go.clear()
    await anna.answer(WOOD, 1)
    assert not (await anna.until(2))["moment"]["undo"]["needs_agreement"]
    rng, revision = random.Random(1), 2
    while house.game(anna).now.asked == 0:
        await anna.answer(rng.choice(house.legal(anna)), revision)
        revision += 1
    house.thinking.go.set()
    while not (step["revision"] > revision and step["moment"]["asked"] == 0):
        step = await anna.read("stepped")
    assert step["moment"]["undo"]["needs_agreement"]
    assert step["moment"]["undo"]["to"] < revision


@pytest.mark.parametrize("house", [{"people": 1, "machines": 1}], indirect=True)
async def test_a_machine_whose_answer_could_not_be_kept_tries_again(house: House) -> None:
    """A disk that was full for a moment does not end a game."""
    append, errors = TableStore.append, [sqlite3.OperationalError("disk full")]

    def keep(*given: Any) -> None:
        if errors:
            raise errors.pop()
        append(*given)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(actors, "AGAIN", 0.0)
        patched.setattr(TableStore, "append", keep)
        anna = await house.enter(0)
        await anna.say(Pace("p", 0), "ack")
        assert (await anna.read("stepped"))["entry"]["seat"] == 1
    assert house.thinking.asked == ["novice", "novice"]


async def test_a_room_outlives_whatever_goes_wrong_in_it(house: House) -> None:
    """Who could not be let in is sent away, and finds the table when he comes back."""
    actor, connection = await house.actor(), Connection("en")
    hello = Hello(1, house.opened.table, (house.token(0),), None, "en")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TableStore, "seat_of", _raise(sqlite3.OperationalError("disk full")))
        await actor.join(connection, hello)
        assert await connection.queue.next() is None
    assert connection.queue.code == BROKEN
    anna = await house.enter(0)
    assert anna.told[0]["own"] == [0]


@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize("house", [{"machines": 1}], indirect=True)
async def test_a_bot_that_remembers_is_told_what_its_seat_may_know(
    house: House, monkeypatch: pytest.MonkeyPatch, remembers: bool
) -> None:
    """The first position and all that happened, without what others hold; so is the adviser."""
    monkeypatch.setattr(actors, "_remembers", lambda level: remembers)
    anna = await house.enter(0)
    await anna.until(1)
    blue = await house.enter(1)
    await blue.say(Hint("h", 1), "advice")
    game = house.game(blue)
    for seat, steps, heard in zip((2, 1), (1, 2), house.thinking.heard, strict=True):
        events = [event for step in game.steps[:steps] for event in step.events_for(seat)]
        told = Heard(view(game.start, seat), tuple(events))
        assert heard == (told if remembers else None)


@pytest.mark.parametrize("house", [{"people": 0, "machines": 2}], indirect=True)
async def test_nobody_thinks_for_a_table_at_which_nobody_is(house: House) -> None:
    """Machines among themselves play while somebody looks on, and then no more."""
    opener = await house.enter(opener=True)
    await opener.say(Pace("p", 0), "ack")
    await opener.until(2)
    actor = await house.leave(opener)
    asked = len(house.thinking.asked)
    assert actor._game.now.revision in (asked - 1, asked)
    await asyncio.sleep(0.05)
    assert len(house.thinking.asked) == asked


# Records


async def test_the_record_waits_for_the_end(house: House) -> None:
    """Who asks before is refused, and who does not wait for it gets none."""
    anna = await house.enter(0)
    with pytest.raises(RefusedError, match="not-over"):
        await anna.actor.record()
    wish = asyncio.create_task(anna.actor.record())
    await asyncio.sleep(0)
    wish.cancel()
    assert (await anna.say(Ping(), "pong")) == {"type": "pong"}
    assert wish.cancelled()


async def test_all_of_an_opened_record_can_be_seen_and_nothing_be_played(house: House) -> None:
    """It goes as far as the record does, and tells nobody what to do."""
    session = Session(2, seed=4)
    for _ in range(20):
        session.play(legal_actions(session.state)[-1])
    record = session.record
    waits = [
        done.state.prompt is not None and done.state.prompt.seat is None for done in replay(record)
    ]
    last = max(count for count, is_chance in enumerate(waits) if is_chance)
    cut = attrs.evolve(record, actions=record.actions[: last + 1])

    opened = await open_record(house.database, to_json(cut))
    assert (opened.opener, opened.invitations) == ("", ())
    house.opened = opened
    guest = await house.enter()
    welcome = guest.told[0]
    assert welcome["is_replay"]
    assert [seat["level"] for seat in welcome["seats"]] == [None, None]
    assert welcome["moment"]["bar"] == LANGUAGES["en"].say("talk.chance")
    assert None not in hands(await guest.say(Look("l", 3, True), "sight"))
    answer = answer_of(GOLD, welcome["moment"]["revision"], "x")
    assert await guest.refused(answer) == "is-replay"
    assert (await guest.actor.record()).actions == cut.actions
    assert house.thinking.asked == []


@pytest.mark.parametrize(("texts", "size"), [(MOST_MESSAGES + 1, 1), (5, 1_000_000)])
async def test_who_does_not_read_is_given_up(texts: int, size: int) -> None:
    """What is on its way is bounded in messages and in bytes."""
    connection = Connection("en")
    for _ in range(texts + 1):
        connection.queue.put("x" * size)
    assert connection.queue.code == TOO_SLOW
    assert await connection.queue.next() is None
