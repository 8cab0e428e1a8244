"""Rooms: each table is one task, the only one that touches it; what is wanted waits in its inbox.

A step is thought out on values, kept in the store, and only then made and told: whatever anybody
was told of outlives everything.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import cache, partial
from typing import Any, Final, Literal, assert_never

import attrs

from valletta_rules.actions import Action
from valletta_rules.bots import Remembers, make_bot
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.codec import from_document, from_json, to_document
from valletta_rules.components.card_set import CardSet
from valletta_rules.errors import (
    IllegalActionError,
    MalformedActionError,
    OutOfTurnError,
    VallettaError,
)
from valletta_rules.games import new_game
from valletta_rules.records.record import Record
from valletta_rules.rulings import RuleSet, variants_of
from valletta_rules.version import __version__
from valletta_rules.views import check_by, view
from valletta_rules.web import pictures
from valletta_rules.web.game import Game, RefusedError, Step
from valletta_rules.web.guests import BROKEN, REPLACED, Guest
from valletta_rules.web.moments import Teller, heading, rule
from valletta_rules.web.protocol import (
    PROTOCOL,
    Ack,
    Advice,
    Answer,
    Ended,
    Entry,
    Hello,
    Hint,
    Look,
    MessageError,
    Moment,
    NewLink,
    Pace,
    Ping,
    Pong,
    Presence,
    Present,
    Reason,
    Renew,
    Rewound,
    Said,
    SeatSeen,
    Sight,
    SitIn,
    Stepped,
    Undo,
    UndoOffer,
    Welcome,
    WhyNot,
)
from valletta_rules.web.store import Clerk, Seat, StaleError, Store, StoredTable
from valletta_rules.web.thinkers import ADVISER, Heard, Thinkers
from valletta_rules.web.thinkers import Advice as Thought
from valletta_rules.words import LANGUAGES, Language, refusal_of

PAUSE: Final = 1_200
"""How many milliseconds players of the machine wait before they answer, if nobody says."""

AGAIN: Final = 5.0
"""After how many seconds a player of the machine tries again whose answer could not be kept."""

WAITING: Final = 64
"""For how many wishes there is room in an inbox."""

logger: Final = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]
Notice = Callable[[Language, tuple[str, ...]], str]
"""Says something to everybody, in a language, under the names that players have in it."""


class Rooms:
    """The rooms in which somebody is, or thinks."""

    def __init__(self, clerk: Clerk, thinkers: Thinkers) -> None:
        """Take who keeps the tables, and who thinks."""
        self.clerk, self.thinkers = clerk, thinkers
        self._rooms: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def room(self, name: str) -> Room:
        """Return the room of a table, and begin it if nobody is there.

        Whoever gets it must say what he wants before he waits for anything else.
        Raises `UnknownTableError` if there is no such table.
        """
        if name not in self._rooms:
            self._rooms[name] = asyncio.create_task(self._begin(name))
        return await asyncio.shield(self._rooms[name])

    async def _begin(self, name: str) -> Room:
        try:
            table = await self.clerk.ask(Store.table, name)
            seats = await self.clerk.ask(Store.seats, name)
            room = Room(self, table, seats)
            await room.load()
        except BaseException:
            del self._rooms[name]
            raise
        task = asyncio.create_task(room.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return room

    def forget(self, name: str) -> None:
        """Let go of a room in which nobody is any more."""
        del self._rooms[name]

    async def close(self) -> None:
        """Send everybody home."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Room:
    """A table, and those who are there."""

    def __init__(self, rooms: Rooms, table: StoredTable, seats: Iterable[Seat]) -> None:
        """Take a table that is kept, and its seats."""
        self._rooms, self._table = rooms, table
        self._seats = list(seats)
        rules, cards = from_json(table.rules), from_json(table.cards)
        assert isinstance(rules, RuleSet), "a table has rules"
        assert isinstance(cards, CardSet), "a table has cards"
        start = new_game(len(self._seats), rules=rules, cards=cards)
        self._game = Game(start, table.seed)
        self._teller = Teller(self._game, self._seats)
        self.is_replay = bool(json.loads(table.options).get("replay"))
        self._is_readable = True
        self._inbox: asyncio.Queue[Job] = asyncio.Queue(WAITING)
        self._guests: list[Guest] = []
        self._made: dict[str, int] = {}
        """The revisions that answers made, by the names of the answers."""
        self._entries: dict[tuple[int, Any], Entry] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._thought_of: tuple[int, int | None, str | None] | None = None
        self._hints: set[asyncio.Task[None]] = set()
        self._pause = PAUSE

    async def load(self) -> None:
        """Read the log; where these rules refuse it, the game stops, and can be looked at."""
        for entry in await self._rooms.clerk.ask(Store.log, self._table.id):
            try:
                step = self._game.read(entry)
            except VallettaError:
                if entry.revision == 0:
                    raise
                logger.warning("a game cannot be read beyond revision %d", entry.revision - 1)
                self._is_readable = False
                return
            self._add(step, entry.answer_id)

    async def run(self) -> None:
        """Do what is wanted, one thing after the other, until nobody is there."""
        self._let_think()
        try:
            while True:
                await self._do_next()
                if not (self._guests or self._hints or self._is_thinking or self._inbox.qsize()):
                    self._rooms.forget(self._table.id)
                    return
        finally:
            for task in (self._thinking, *self._hints):
                if task is not None:
                    task.cancel()

    async def _do_next(self) -> None:
        """Do what is wanted next; whatever goes wrong with it, the room stays."""
        job = await self._inbox.get()
        try:
            await job()
        except Exception:
            logger.exception("what was wanted in a room went wrong")

    # What comes from outside

    async def join(self, guest: Guest, hello: Hello) -> None:
        """Let somebody in, who is told by a `Welcome`, or that his link is worth nothing."""
        await self._inbox.put(partial(self._join, guest, hello))

    async def hear(self, guest: Guest, said: Said) -> None:
        """Do what somebody wants, who is answered."""
        await self._inbox.put(partial(self._hear, guest, said))

    async def leave(self, guest: Guest) -> None:
        """Let somebody go."""
        await self._inbox.put(partial(self._leave, guest))

    async def mishear(self, guest: Guest, error: MessageError) -> None:
        """Answer somebody who said what is no message."""
        await self._inbox.put(partial(self._mishear, guest, error))

    async def record(self) -> Record:
        """Return the game as a record; raise `RefusedError` while it is going on."""
        made: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        await self._inbox.put(partial(self._record, made))
        return await made

    async def _record(self, made: asyncio.Future[Record]) -> None:
        if made.cancelled():
            return
        if not (self.is_replay or self._game.now.asked is None):
            made.set_exception(RefusedError("not-over"))
            return
        names = self._teller.names("en")
        made.set_result(self._game.record(names if len({*names}) == len(names) else ()))

    async def _mishear(self, guest: Guest, error: MessageError) -> None:
        guest.refuse(None, self._game.now.revision, refusal_of(error))

    # Coming and going

    async def _join(self, guest: Guest, hello: Hello) -> None:
        try:
            await self._let_in(guest, hello)
        except Exception:
            guest.outbox.close(BROKEN)  # the page comes back
            raise

    async def _let_in(self, guest: Guest, hello: Hello) -> None:
        ask, name = self._rooms.clerk.ask, self._table.id
        found = [await ask(Store.seat_of, name, token) for token in hello.tokens]
        opened = [await ask(Store.is_opener, name, token) for token in hello.tokens]
        if hello.tokens and not any(opened) and all(seat is None for seat in found):
            self._end(guest)
            return
        guest.is_opener = any(opened)
        guest.sit(tuple(sorted({seat for seat in found if seat is not None})))
        self._guests.append(guest)
        await self._welcome(guest, hello.seen)
        returned = [seat for seat in guest.own if self._seats[seat].level is not None]
        for seat in returned:
            await self._seat_machine(seat, None)
        self._tell_presence(self._back(returned) if returned else None)
        self._let_think()

    async def _leave(self, guest: Guest) -> None:
        if guest in self._guests:
            self._guests.remove(guest)
            self._tell_presence()

    def _end(self, guest: Guest) -> None:
        """Say that a link is worth nothing."""
        said = LANGUAGES[guest.language].say("talk.refusals.wrong-link")
        guest.tell(Ended("wrong-link", said))
        guest.outbox.close(REPLACED)

    async def _welcome(self, guest: Guest, seen: int | None) -> None:
        now, language = self._game.now, LANGUAGES[guest.language]
        rules, cards = self._game.start.rules, self._game.start.cards
        known = self._game.kept_since(seen)
        guest.parts = {}
        guest.tell(
            Welcome(
                protocol=PROTOCOL,
                version=__version__,
                table=self._table.id,
                heading=heading(rules, variants_of(rules), _about(cards, language), language),
                seats=self._seats_for(guest),
                own=guest.own,
                is_opener=guest.is_opener,
                is_replay=self.is_replay,
                pause=self._pause,
                since=known,
                log=await self._log(guest, 0 if known is None else known + 1),
                moment=self._moment(guest),
                patch=guest.show(self._teller.sight(now, guest.eyes)),
            )
        )

    async def _log(self, guest: Guest, first: int) -> tuple[Entry, ...]:
        """Return what happened from a revision on, and let others go on meanwhile."""
        entries = []
        for step in self._game.steps[first:]:
            key = (step.revision, guest.ears)
            if key not in self._entries:
                self._entries[key] = self._teller.entry(step, guest.ears)
                await asyncio.sleep(0)
            is_struck = self._game.is_struck(step.revision)
            entries.append(attrs.evolve(self._entries[key], is_struck=is_struck))
        return tuple(entries)

    def _seats_for(self, guest: Guest) -> tuple[SeatSeen, ...]:
        here = {seat for each in self._guests for seat in each.own}
        names = self._teller.names(guest.language)
        return tuple(
            SeatSeen(
                seat=number,
                name=names[number],
                colour=seat.colour,
                level=seat.level if seat.kind == "bot" and not self.is_replay else None,
                sitting_in=seat.level if seat.kind == "person" else None,
                is_here=number in here,
            )
            for number, seat in enumerate(self._seats)
        )

    def _tell_presence(self, notice: Notice | None = None) -> None:
        spectators = sum(not guest.own for guest in self._guests)
        for guest in self._guests:
            said = LANGUAGES[guest.language], self._teller.names(guest.language)
            told = None if notice is None else notice(*said)
            guest.tell(Presence(self._seats_for(guest), spectators, self._pause, told))

    # What is said

    async def _hear(self, guest: Guest, said: Said) -> None:
        """Do what somebody wants, or say why not."""
        if guest not in self._guests:
            return
        request, revision = getattr(said, "id", None), self._game.now.revision
        language = LANGUAGES[guest.language]
        try:
            await self._do(guest, said)
        except RefusedError as error:
            guest.say_no(request, self._game.now.revision, error.reason)
        except VallettaError as error:
            names = self._teller.names(guest.language)
            guest.refuse(request, revision, refusal_of(error, language, names))
        except sqlite3.Error:
            logger.exception("a step cannot be kept")
            guest.say_no(request, revision, "not-kept")
        except Exception:
            logger.exception("a wish cannot be fulfilled")
            guest.say_no(request, revision, "failed")

    async def _do(self, guest: Guest, said: Said) -> None:
        match said:
            case Answer():
                await self._answer(guest, said)
            case Undo():
                await self._undo(guest, said)
            case Present():
                self._present(guest, said)
            case WhyNot():
                self._why_not(guest, said)
            case Hint():
                self._hint(guest, said)
            case Look():
                self._look(guest, said)
            case Renew():
                await self._renew(guest, said)
            case SitIn():
                await self._sit_in(guest, said)
            case Pace():
                self._pace(guest, said)
            case Ping():
                guest.tell(Pong())
            case Hello():
                raise RefusedError("failed")
            case _:
                assert_never(said)

    # Steps

    async def _answer(self, guest: Guest, said: Answer) -> None:
        answer_id = self._named(guest, said.id)
        if answer_id not in self._made:
            seat = self._asked_of(guest, said.revision)
            step = self._game.answer(seat, _action(said.action))
            await self._keep(step, "answer", answer_id)
            guest.tell(Ack(said.id, step.revision))
            self._tell(self._game.now)
        else:
            guest.tell(Ack(said.id, self._made[answer_id]))

    async def _undo(self, guest: Guest, said: Undo) -> None:
        answer_id = self._named(guest, said.id)
        if answer_id not in self._made:
            self._check_now(guest, said.revision)
            offer = self._undo_offer(guest)
            if offer is None or said.to != offer.to:
                raise RefusedError("no-undo")
            if offer.needs_agreement and not said.agreed:
                raise RefusedError("not-agreed")
            seat = self._game.steps[self._game.now.stands[-1]].seat
            assert seat is not None, "somebody has answered"
            mine = seat if seat in guest.own else guest.own[0]
            step = self._game.back(mine, said.to)
            await self._keep(step, "undo", answer_id)
            guest.tell(Ack(said.id, step.revision))
            self._tell(self._game.now)
        else:
            guest.tell(Ack(said.id, self._made[answer_id]))

    def _named(self, guest: Guest, request: str) -> str:
        """Return by what name an answer is kept: two who call theirs the same do not meet."""
        return f"{','.join(map(str, guest.own))} {request}"

    def _check_now(self, guest: Guest, revision: int) -> None:
        """Raise `RefusedError` if somebody has no say, or speaks of another revision."""
        if self.is_replay:
            raise RefusedError("is-replay")
        if not guest.own:
            raise RefusedError("not-seated")
        if not self._is_readable:
            raise RefusedError("unreadable")
        if revision != self._game.now.revision:
            raise RefusedError("stale")

    def _asked_of(self, guest: Guest, revision: int) -> int:
        """Return the seat that is asked; raise an error if it is not for this guest to answer."""
        self._check_now(guest, revision)
        asked = self._game.now.asked
        if asked is None or asked not in guest.own:
            raise OutOfTurnError(guest.own[0], asked)
        if guest.viewer != asked:
            raise RefusedError("not-present")
        return asked

    async def _keep(
        self, step: Step, kind: Literal["answer", "undo"], answer_id: str | None
    ) -> None:
        """Keep a step and make it; raise `RefusedError` if the game has gone on elsewhere."""
        body, *chance = step.documents or (str(step.back_to),)
        seat, before = step.seat, self._game.now.revision
        assert seat is not None, "somebody does it"
        kept = (self._table.id, before, kind, seat, body, chance, answer_id)
        try:
            await self._rooms.clerk.ask(Store.append, *kept)
        except StaleError:
            await self._catch_up()
            raise RefusedError("stale") from None
        self._add(attrs.evolve(step, at=time.time()), answer_id)

    async def _catch_up(self) -> None:
        """Take over what another server has added to the log."""
        now = self._game.now.revision
        for entry in await self._rooms.clerk.ask(Store.log, self._table.id, now):
            self._add(self._game.read(entry), entry.answer_id)
            self._tell(self._game.now)

    def _add(self, step: Step, answer_id: str | None) -> None:
        self._game.add(step)
        if answer_id is not None:
            self._made[answer_id] = step.revision

    def _tell(self, step: Step) -> None:
        """Tell everybody of a step that is made."""
        for guest in self._guests:
            guest.turn_to(step.asked)
            entry, moment = self._teller.entry(step, guest.ears), self._moment(guest)
            patch = guest.show(self._teller.sight(step, guest.eyes))
            if step.back_to is None:
                guest.tell(Stepped(step.revision, entry, moment, patch))
            else:
                guest.tell(Rewound(step.revision, step.back_to, entry, moment, patch))
        self._let_think()

    def _moment(self, guest: Guest) -> Moment:
        """Return how the table looks to somebody now, and what he can do."""
        now = self._game.now
        waits = guest.is_shared and now.asked in guest.own and now.asked != guest.viewer
        return attrs.evolve(
            self._teller.sight(now, guest.eyes).moment,
            undo=self._undo_offer(guest),
            waits_for=now.asked if waits else None,
        )

    def _undo_offer(self, guest: Guest) -> UndoOffer | None:
        """Return what somebody can take back: what is his own affair, or all on one screen."""
        if self.is_replay or not (guest.own and self._is_readable) or self._game.now.asked is None:
            return None
        people = {number for number, seat in enumerate(self._seats) if seat.kind == "person"}
        free = self._game.free_undo(guest.own)
        found = free
        if free is None and people <= {*guest.own}:
            found = self._game.last_choice(guest.own)
        if found is None:
            return None
        _, to = found
        label = self._teller.undone(to, self._game.now.revision, guest.language)
        return UndoOffer(to, free is None, label)

    # Looking

    def _present(self, guest: Guest, said: Present) -> None:
        if said.seat is not None and said.seat not in guest.own:
            raise RefusedError("not-seated")
        if guest.is_shared:
            guest.viewer = said.seat
        sight = self._teller.sight(self._game.now, guest.eyes)
        guest.tell(Sight(said.id, self._moment(guest), guest.show(sight)))

    def _look(self, guest: Guest, said: Look) -> None:
        if said.at > self._game.now.revision:
            raise RefusedError("no-moment")
        if said.open and not (self.is_replay or self._game.now.asked is None):
            raise RefusedError("not-over")
        eyes = attrs.evolve(guest.eyes, is_open=said.open)
        sight = self._teller.sight(self._game.steps[said.at], eyes)
        guest.tell(Sight(said.id, sight.moment, pictures.patch(guest.parts, sight.parts)))

    def _why_not(self, guest: Guest, said: WhyNot) -> None:
        seat = self._asked_of(guest, said.revision)
        language, names = LANGUAGES[guest.language], self._teller.names(guest.language)
        try:
            why = check_by(self._game.now.state, seat, _action(said.action))
            if why is None:
                guest.tell(Reason(said.id, said.revision, None, None))
                return
            error: VallettaError = IllegalActionError(why)
        except MalformedActionError as malformed:
            error = malformed
        refusal = refusal_of(error, language, names)
        clause = None if refusal.clause is None else rule(refusal.clause, guest.language)
        guest.tell(Reason(said.id, said.revision, to_document(refusal), clause))

    def _hint(self, guest: Guest, said: Hint) -> None:
        seat = self._asked_of(guest, said.revision)
        task = asyncio.create_task(self._think_of_hint(guest, said, seat))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _think_of_hint(self, guest: Guest, said: Hint, seat: int) -> None:
        seen = view(self._game.now.state, seat)
        heard = self._heard(seat) if _remembers(ADVISER) else None
        try:
            thought = await self._rooms.thinkers.hint(seen, heard, table=self._table.id)
        except Exception:
            logger.exception("there is no hint")
            thought = None
        await self._inbox.put(partial(self._advise, guest, said, thought))

    async def _advise(self, guest: Guest, said: Hint, thought: Thought | None) -> None:
        now = self._game.now.revision
        if thought is None or said.revision != now:
            guest.say_no(said.id, now, "failed" if thought is None else "stale")
            return
        language = LANGUAGES[guest.language]
        action = language.describe_action(self._game.now.state, thought.action)
        ahead = thought.plans[0].value if thought.plans else None
        sentence = language.advise(action, ahead)
        advised = to_document(thought.action)
        guest.tell(Advice(said.id, said.revision, advised, sentence))

    # Whoever opened the table

    async def _renew(self, guest: Guest, said: Renew) -> None:
        seat = self._person(guest, said.seat)
        token = await self._rooms.clerk.ask(Store.renew, self._table.id, seat)
        for other in [each for each in self._guests if seat in each.own and each is not guest]:
            self._end(other)
            self._guests.remove(other)
        guest.tell(NewLink(said.id, seat, token))
        if seat in guest.own:
            guest.sit(tuple(each for each in guest.own if each != seat))
            await self._welcome(guest, self._game.now.revision)
        self._tell_presence(lambda language, names: language.say("talk.new_link", name=names[seat]))

    async def _sit_in(self, guest: Guest, said: SitIn) -> None:
        seat = self._person(guest, said.seat)
        if said.level is not None and any(seat in each.own for each in self._guests):
            raise RefusedError("is-here")
        await self._seat_machine(seat, said.level)
        guest.tell(Ack(said.id, self._game.now.revision))
        self._tell_presence(
            self._back([seat])
            if said.level is None
            else lambda language, names: language.say("talk.sits_in", name=names[seat])
        )
        self._let_think()

    def _person(self, guest: Guest, seat: int) -> int:
        """Return a seat that is a person's, for the opener alone; raise `RefusedError`."""
        if not guest.is_opener:
            raise RefusedError("not-opener")
        if seat >= len(self._seats) or self._seats[seat].kind != "person":
            raise RefusedError("no-person")
        return seat

    async def _seat_machine(self, seat: int, level: str | None) -> None:
        await self._rooms.clerk.ask(Store.sit_in, self._table.id, seat, level)
        self._seats[seat] = attrs.evolve(self._seats[seat], level=level)

    def _back(self, seats: list[int]) -> Notice:
        return lambda language, names: " ".join(
            language.say("talk.back", name=names[seat]) for seat in seats
        )

    def _pace(self, guest: Guest, said: Pace) -> None:
        if not (guest.own or guest.is_opener):
            raise RefusedError("not-seated")
        self._pause = said.pause
        guest.tell(Ack(said.id, self._game.now.revision))
        self._tell_presence()

    # Players of the machine

    @property
    def _is_thinking(self) -> bool:
        return self._thinking is not None and not self._thinking.done()

    def _let_think(self) -> None:
        """Let a player of the machine think if it is asked, and nobody else any more."""
        asked = self._game.now.asked
        level = None if asked is None else self._seats[asked].level
        if self.is_replay or not (self._is_readable and (self._guests or self._has_people)):
            level = None
        wanted = (self._game.now.revision, asked, level)
        if self._thinking is not None and wanted != self._thought_of:
            self._thinking.cancel()
            self._thinking = None
        if self._thinking is None and asked is not None and level is not None:
            self._thought_of = wanted
            self._thinking = asyncio.create_task(self._think(asked, level))

    @property
    def _has_people(self) -> bool:
        """Whether somebody plays who may come back."""
        return any(seat.kind == "person" for seat in self._seats)

    async def _think(self, seat: int, level: str, wait: float = 0.0) -> None:
        await asyncio.sleep(wait)
        now, begun = self._game.now, time.monotonic()
        heard = self._heard(seat) if _remembers(level) else None
        asked, seed = self._game.turn(seat)
        asked = asked if heard is None else asked[-1:]
        action = await self._rooms.thinkers.decide(level, asked, heard, seed, table=self._table.id)
        if self._guests:
            await asyncio.sleep(max(0.0, self._pause / 1_000 - (time.monotonic() - begun)))
        await self._inbox.put(partial(self._machine_answers, now.revision, seat, action))

    async def _machine_answers(self, revision: int, seat: int, action: Action) -> None:
        level = self._seats[seat].level
        if revision != self._game.now.revision or level is None:
            return
        try:
            await self._keep(self._game.answer(seat, action), "answer", None)
        except (VallettaError, sqlite3.Error):
            logger.exception("the answer of a player of the machine does not count")
            self._thinking = asyncio.create_task(self._think(seat, level, AGAIN))
        else:
            self._tell(self._game.now)

    def _heard(self, seat: int) -> Heard:
        steps = self._game.standing()
        events = tuple(event for step in steps for event in step.events_for(seat))
        return Heard(view(self._game.start, seat), events)


@cache
def _remembers(level: str) -> bool:
    """Tell whether a player of the machine wants to hear what happens."""
    return isinstance(make_bot(level, random.Random(0)), Remembers)


def _about(cards: CardSet, language: Language) -> str:
    """Say with which cards is played."""
    return language.say("page.phrases.cards_usual") if cards == RECONSTRUCTION else cards.name


def _action(given: Any) -> Action:
    """Return the action of a document; raise `CodecError` if it is none."""
    action = from_document(given)
    if not isinstance(action, Action):
        raise MalformedActionError(f"an action is wanted, not {type(action).__name__}")
    return action
