"""Actors: each table is one task, the only one that touches it; requests wait in its inbox.

A step is worked out on values, written to the store, and only then made and sent: whatever a page
has been told survives the server.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Final, ParamSpec, TypeVar, assert_never

import attrs

from valletta_rules import analysis
from valletta_rules.actions import Action
from valletta_rules.analysis.words import describe_advice, describe_decision
from valletta_rules.bots import Remembers, make_bot
from valletta_rules.bots.value import forecast_of
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.codec import CodecError, to_document
from valletta_rules.components.card_set import CardSet
from valletta_rules.errors import (
    IllegalActionError,
    MalformedActionError,
    OutOfTurnError,
    Refusal,
    VallettaError,
)
from valletta_rules.records.record import Record
from valletta_rules.rulings import variants_of
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.version import __version__
from valletta_rules.views import check_by, view
from valletta_rules.web import pictures
from valletta_rules.web.accounts import Account, Slices
from valletta_rules.web.coach import is_doubtful, is_led
from valletta_rules.web.connections import BROKEN, REPLACED, Connection
from valletta_rules.web.game import GameRevision, RefusedError, action_of, stored_game
from valletta_rules.web.limits import Limits
from valletta_rules.web.presenter import Perspective, Presenter, heading, rule
from valletta_rules.web.protocol import (
    Ack,
    Advice,
    AdvisedAnswer,
    Analyse,
    Analysed,
    Answer,
    Ended,
    Guide,
    Guided,
    Hello,
    Hint,
    Look,
    Moment,
    NewLink,
    Pace,
    Ping,
    Pong,
    Presence,
    Present,
    Reason,
    Renew,
    Said,
    SeatSeen,
    Sight,
    SitIn,
    Stepped,
    Stop,
    Undo,
    UndoOffer,
    Welcome,
    WhyNot,
    read_message,
    write,
    write_welcome,
)
from valletta_rules.web.store import (
    Database,
    LogEntry,
    Occupant,
    StaleError,
    StoredTable,
    TableStore,
    UnknownTableError,
    UnreadableTableError,
)
from valletta_rules.web.workers import BusyError, Heard, WorkerError, Workers
from valletta_rules.words import LANGUAGES, Language, refusal_of

PAUSE: Final = 1_200
"""How many milliseconds bots wait before they act, by default."""

AGAIN: Final = 5.0
"""After how many seconds a bot tries again if its answer could not be kept."""

FROZEN: Final = 100
"""How many entries of a log are read before they are kept from the garbage collector."""

FEW_MOVES: Final = 5_000
"""With how many moves in memory the garbage collector may look at everything again."""

SHARE: Final = 0.05
"""After which part of an analysis a page is told how far it is."""

WAITING: Final = 64
"""How many requests fit into an inbox; after that, the sender of another one waits."""

logger: Final = logging.getLogger(__name__)

P = ParamSpec("P")
S = TypeVar("S")


class TableRegistry:
    """The actors of the tables in use: a page is connected, or a bot is thinking."""

    def __init__(self, database: Database, workers: Workers, limits: Limits | None = None) -> None:
        """Take the store of the tables, the workers that run the bots, and what is allowed."""
        self.database: Final = database
        self.workers: Final = workers
        self.limits: Final = limits or Limits()
        self.slices: Final = Slices()
        self._tables: dict[str, asyncio.Task[TableActor]] = {}
        self._actors: dict[str, TableActor] = {}
        """The actors of these, as soon as their logs are being read."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def actor(self, name: str, account: Account) -> TableActor:
        """Return the actor of a table; start it if it is not running, which the account pays for.

        The caller must put its request before it awaits anything else, or the actor may be gone.
        Raises `UnknownTableError` if there is no such table, `UnreadableTableError` if what is
        stored of it is not what was written, `RefusedError` if too many are in use.
        """
        if name not in self._tables:
            begun = account.metered(self._begin(name, account.address))
            self._tables[name] = asyncio.create_task(begun)
        return await asyncio.shield(self._tables[name])

    async def _begin(self, name: str, payer: Account) -> TableActor:
        try:
            table = await self.database.ask(TableStore.table, name)
            seats = await self.database.ask(TableStore.seats, name)
            log = await self.database.ask(TableStore.log, name)
            actor = TableActor(self, table, seats, payer)
            self._make_room(actor, sum(1 + len(entry.chance) for entry in log))
            self._actors[name] = actor
            await actor.load(log)
        except BaseException as error:
            self.forget(name)
            known = UnknownTableError | RefusedError
            if isinstance(error, VallettaError) and not isinstance(error, known):
                raise UnreadableTableError(str(error)) from error
            raise
        task = asyncio.create_task(actor.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return actor

    async def remove(self, name: str, bounds: Mapping[str, float | None]) -> bool:
        """Remove a table if it is old and nobody uses it, and tell whether it was."""
        if name in self._tables:
            return False
        return await self.database.ask(TableStore.remove, name, bounds)

    def _make_room(self, actor: TableActor, moves: int) -> None:
        """Raise `RefusedError` if another game does not fit into memory beside those in use."""
        actor.moves_expected = moves = min(moves, self.limits.moves)
        replayed = sum(each.moves for each in self._actors.values() if each.is_replay)
        if self._moves_held + moves > self.limits.moves_held or (
            actor.is_replay and replayed + moves > self.limits.moves_replayed
        ):
            raise RefusedError("full")

    @property
    def _moves_held(self) -> int:
        """How many moves the games in memory have together."""
        return sum(each.moves for each in self._actors.values())

    def forget(self, name: str) -> None:
        """Drop the actor of a table that is no longer in use."""
        del self._tables[name]
        self._actors.pop(name, None)
        if self._moves_held <= FEW_MOVES:
            gc.unfreeze()
        if not self._tables:
            forecast_of.cache_clear()  # what bots have worked out of a game is of no use to another

    async def close(self) -> None:
        """End all actors."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class TableActor:
    """A table, and the pages that are open at it."""

    def __init__(
        self,
        tables: TableRegistry,
        table: StoredTable,
        seats: Iterable[Occupant],
        payer: Account,
    ) -> None:
        """Take a stored table, its seats, and who pays for its bots.

        Raises `VallettaError` if it cannot be read.
        """
        self._tables, self._table, self._payer = tables, table, payer
        self._seats = list(seats)
        example = table.option("example")
        script = () if example is None else work(example_named(example)).actions
        self._game = stored_game(table, len(self._seats), script)
        self._presenter = Presenter(self._game, self._seats, example)
        self.is_replay, self._is_trial = table.is_replay, table.is_trial
        self._is_readable = True
        self._inbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(WAITING)
        self._connections: list[Connection] = []
        self._made: dict[str, int] = {}
        """The revisions that requests made, by their answer ids."""
        self._entries: dict[tuple[int, bool, Perspective], str] = {}
        """The entries of the log as they were sent: by revision, struck or not, and reader."""
        self.moves_expected = 0
        """How many moves its log has, while it is being read."""
        self._thinking: asyncio.Task[None] | None = None
        self._thought_of: tuple[int, int | None, str | None] | None = None
        self._hints: set[asyncio.Task[None]] = set()
        self._is_coached = bool(table.option("coached"))
        self._advised: tuple[int, analysis.Advice | None] = (-1, None)
        """The revision of which the coach has thought, and what."""
        self._doubted: tuple[int, Action] | None = None
        """The answer that the coach has doubted last."""
        self._analysis: analysis.Analysis | None = None
        self._analysing = asyncio.Lock()
        """Held by whoever reads or makes the analysis."""
        self._pause = PAUSE

    @property
    def moves(self) -> int:
        """How many moves the table holds in memory, or will."""
        return max(self.moves_expected, self._game.moves)

    async def load(self, log: Sequence[LogEntry]) -> None:
        """Read the log; where these rules refuse it, the game stops, and can only be viewed.

        The garbage collector no longer looks at what has been read: a game has no cycles, and it
        would hold the loop for 0.3 s of CPU time to look at ten long ones.
        """
        for first in range(0, len(log), FROZEN):
            part = log[first : first + FROZEN]
            await self._tables.slices.each(self._read, part, self._payer)
            gc.collect(1)
            gc.freeze()

    def _read(self, entry: LogEntry) -> None:
        """Read an entry of the log, unless it follows one that cannot be read."""
        if not self._is_readable:
            return
        try:
            if self._is_full:
                raise RefusedError("too-long")
            self._add(self._game.read(entry), entry.answer_id)
        except VallettaError:
            if entry.revision == 0:
                raise
            logger.warning("a game cannot be read beyond revision %d", entry.revision - 1)
            self._is_readable = False

    @property
    def _is_full(self) -> bool:
        """Whether the game has as many moves as a game may have, so that nobody may go on."""
        return self._game.moves >= self._tables.limits.moves

    async def run(self) -> None:
        """Carry out the requests one by one, as long as the table is in use."""
        self._let_think()
        try:
            while True:
                await self._do_next()
                if not (
                    self._connections or self._hints or self._is_thinking or self._inbox.qsize()
                ):
                    self._tables.forget(self._table.id)
                    return
        finally:
            for task in (self._thinking, *self._hints):
                if task is not None:
                    task.cancel()

    async def put(
        self, request: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Put a request into the inbox, as in ``actor.put(actor.leave, connection)``."""
        await self._inbox.put(partial(request, *args, **kwargs))

    async def _do_next(self) -> None:
        """Carry out the next request; the actor survives any error in it.

        Others go on in between, however many wait.
        """
        await asyncio.sleep(0)
        request = await self._inbox.get()
        try:
            await request()
        except Exception:
            logger.exception("a request to a table failed")

    async def record(self) -> Record:
        """Return the game as a record; raise `RefusedError` while it is going on."""
        made: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        await self.put(self._record, made)
        return await made

    async def _record(self, made: asyncio.Future[Record]) -> None:
        if made.cancelled():
            return
        if self._is_trial or not self._is_open:
            made.set_exception(RefusedError("is-trial" if self._is_trial else "not-over"))
            return
        names = self._presenter.names("en")
        made.set_result(self._game.record(names if len({*names}) == len(names) else ()))

    @property
    def _is_open(self) -> bool:
        """Whether everything may be seen: the game is over, or a record that was opened."""
        return self.is_replay or self._game.now.asked is None

    # Coming and going: requests

    async def join(self, connection: Connection, hello: Hello) -> None:
        """Let a page in, which is sent a `Welcome`, or told that its link is not valid."""
        try:
            await connection.account.metered(self._let_in(connection, hello))
        except Exception as error:
            reason = "not-read" if isinstance(error, sqlite3.Error) else "failed"
            connection.say_no(None, self._game.now.revision, reason)
            connection.queue.close(BROKEN)  # the page comes back
            raise

    async def leave(self, connection: Connection) -> None:
        """Note that a page is gone."""
        if connection in self._connections:
            self._connections.remove(connection)
            self._tell_presence()

    async def _let_in(self, connection: Connection, hello: Hello) -> None:
        ask, name = self._tables.database.ask, self._table.id
        found = [await ask(TableStore.seat_of, name, token) for token in hello.tokens]
        opened = [await ask(TableStore.is_opener, name, token) for token in hello.tokens]
        if hello.tokens and not any(opened) and all(seat is None for seat in found):
            self._end(connection)
            return
        connection.is_opener, connection.has_curtain = any(opened), not self._is_trial
        connection.sit(tuple(sorted({seat for seat in found if seat is not None})))
        connection.turn_to(self._game.now.asked)
        self._connections.append(connection)
        await self._welcome(connection, hello.seen)
        returned = [seat for seat in connection.own if self._seats[seat].level is not None]
        for seat in returned:
            await self._seat_bot(seat, None)
        self._tell_presence("talk.back", *returned)
        self._let_think()

    def _end(self, connection: Connection) -> None:
        """Say that a link is not valid."""
        said = LANGUAGES[connection.language].say("talk.refusals.wrong-link")
        connection.tell(Ended("wrong-link", said))
        connection.queue.close(REPLACED)

    async def _welcome(self, connection: Connection, seen: int | None) -> None:
        now, language = self._game.now, LANGUAGES[connection.language]
        rules, cards = self._game.start.rules, self._game.start.cards
        known = self._game.kept_since(seen)
        missed = self._game.steps[0 if known is None else known + 1 :]
        log = await self._tables.slices.each(
            partial(self._entry, connection), missed, connection.account
        )
        is_analysed = self._is_open and await self._kept_analysis() is not None
        connection.parts = {}
        welcome = Welcome(
            version=__version__,
            heading=heading(rules, variants_of(rules), _about(cards, language), language),
            seats=self._seats_for(connection.language),
            own=connection.own,
            is_opener=connection.is_opener,
            is_replay=self.is_replay,
            is_trial=self._is_trial,
            is_analysed=is_analysed,
            pause=self._pause,
            since=known,
            log=(),
            moment=self._moment(connection),
            patch=connection.show(self._presenter.view_model(now, connection.perspective)),
        )
        connection.queue.put(write_welcome(welcome, log))

    def _entry(self, connection: Connection, step: GameRevision) -> str:
        """Return what happened in a step as it is sent, which is made once for all who see it."""
        is_struck = self._game.is_struck(step.revision)
        key = (step.revision, is_struck, connection.log_perspective)
        if key not in self._entries:
            self._entries[key] = write(self._presenter.entry(step, connection.log_perspective))
        return self._entries[key]

    def _seats_for(self, code: str) -> tuple[SeatSeen, ...]:
        here = {seat for each in self._connections for seat in each.own}
        names = self._presenter.names(code)
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

    def _tell_presence(self, notice: str | None = None, *seats: int) -> None:
        """Tell all pages who is here, and a notice about some seats: a phrase, by its key."""
        spectators = sum(not connection.own for connection in self._connections)

        @cache
        def presence(code: str) -> str:
            say, names = LANGUAGES[code].say, self._presenter.names(code)
            said = [say(notice, name=names[seat]) for seat in seats] if notice else []
            told = " ".join(said) or None
            return write(Presence(self._seats_for(code), spectators, self._pause, told))

        for connection in self._connections:
            connection.queue.put(presence(connection.language))

    # What pages say: a request

    async def hear(self, connection: Connection, text: str) -> None:
        """Do what a page asks for, or tell it why not."""
        if connection in self._connections:
            await connection.account.metered(self._answer(connection, text))

    async def _answer(self, connection: Connection, text: str) -> None:
        request, language = None, connection.language
        try:
            said = read_message(text)
            request = getattr(said, "id", None)
            await self._do(connection, said)
        except RefusedError as error:
            connection.say_no(request, self._game.now.revision, error.reason)
        except VallettaError as error:
            refusal = refusal_of(error, LANGUAGES[language], self._presenter.names(language))
            connection.refuse(request, self._game.now.revision, refusal)
        except Exception as error:
            logger.exception("a request failed")
            reason = "not-kept" if isinstance(error, sqlite3.Error) else "failed"
            connection.say_no(request, self._game.now.revision, reason)

    async def _do(self, connection: Connection, said: Said) -> None:
        match said:
            case Answer() | Undo():
                await self._step(connection, said)
            case Present():
                await self._in_turn(self._present, connection, said)
            case WhyNot():
                await self._in_turn(self._why_not, connection, said)
            case Hint():
                self._hint(connection, said)
            case Analyse():
                self._analyse(connection, said)
            case Stop():
                self._stop(connection, said)
            case Look():
                await self._in_turn(self._look, connection, said)
            case Renew():
                await self._renew(connection, said)
            case SitIn():
                await self._sit_in(connection, said)
            case Pace():
                self._pace(connection, said)
            case Ping():
                connection.tell(Pong())
            case Hello():
                raise RefusedError("failed")
            case _:
                assert_never(said)

    async def _in_turn(
        self, do: Callable[[Connection, S], None], connection: Connection, said: S
    ) -> None:
        """Do what takes a while when it is the turn of the page's address."""
        await self._tables.slices.each(partial(do, connection), (said,), connection.account)

    # Steps

    async def _step(self, connection: Connection, said: Answer | Undo) -> None:
        """Make a step, unless it was made before: a request may arrive twice."""
        answer_id = self._answer_id(connection, said.id)
        if answer_id in self._made:
            connection.tell(Ack(said.id, self._made[answer_id]))
            return
        if isinstance(said, Answer):
            seat = self._asked_of(connection, said.revision)
            action = action_of(said.action)
            step = self._game.answer(seat, action)
            if (doubt := await self._doubt(connection, seat, action)) is not None:
                connection.refuse(said.id, said.revision, Refusal("sure", doubt))
                return
        else:
            step = self._taken_back(connection, said)
        await self._keep(step, answer_id)
        connection.tell(Ack(said.id, step.revision))
        await self._tell(self._game.now)

    def _taken_back(self, connection: Connection, said: Undo) -> GameRevision:
        """Return the takeback that a page asks for; raise `RefusedError` if it may not."""
        self._check_now(connection, said.revision)
        offer = self._undo_offer(connection)
        if offer is None or said.to != offer.to:
            raise RefusedError("no-undo")
        if offer.needs_agreement and not said.agreed:
            raise RefusedError("not-agreed")
        seat = self._game.steps[self._game.now.last].seat
        assert seat is not None, "somebody has answered"
        return self._game.back(seat if seat in connection.own else connection.own[0], said.to)

    def _answer_id(self, connection: Connection, request: str) -> str:
        """Return the id under which a step is kept, which requests of two seats never share."""
        return f"{','.join(map(str, connection.own))} {request}"

    def _check_now(self, connection: Connection, revision: int) -> None:
        """Raise `RefusedError` if a page may not act, or speaks of another revision."""
        if self.is_replay:
            raise RefusedError("is-replay")
        if not connection.own:
            raise RefusedError("not-seated")
        if not self._is_readable:
            raise RefusedError("unreadable")
        if revision != self._game.now.revision:
            raise RefusedError("stale")
        if self._is_full:
            raise RefusedError("too-long")

    def _asked_of(self, connection: Connection, revision: int) -> int:
        """Return the seat that is asked; raise an error if this page may not answer for it."""
        self._check_now(connection, revision)
        asked = self._game.now.asked
        if asked is None or asked not in connection.own:
            raise OutOfTurnError(connection.own[0], asked)
        if connection.viewer != asked:
            raise RefusedError("not-present")
        return asked

    async def _keep(self, step: GameRevision, answer_id: str | None) -> None:
        """Keep a step and make it; raise `RefusedError` if the game has gone on elsewhere."""
        entry = step.entry(answer_id)
        try:
            await self._tables.database.ask(TableStore.append, self._table.id, entry)
        except StaleError:
            await self._catch_up()
            raise RefusedError("stale") from None
        self._add(attrs.evolve(step, at=entry.at), answer_id)

    async def _catch_up(self) -> None:
        """Take over the revisions that another server has added to the log."""
        now = self._game.now.revision
        for entry in await self._tables.database.ask(TableStore.log, self._table.id, now):
            self._add(self._game.read(entry), entry.answer_id)
            await self._tell(self._game.now)

    def _add(self, step: GameRevision, answer_id: str | None) -> None:
        self._game.add(step)
        self._presenter.totals(step)
        if answer_id is not None:
            self._made[answer_id] = step.revision

    async def _tell(self, step: GameRevision) -> None:
        """Tell all pages of a step that is made."""
        await self._tables.slices.each(partial(self._show, step), self._connections, self._payer)
        self._let_think()

    def _show(self, step: GameRevision, connection: Connection) -> None:
        """Tell a page of a step."""
        connection.turn_to(step.asked)
        entry = self._presenter.entry(step, connection.log_perspective)
        moment = self._moment(connection)
        patch = connection.show(self._presenter.view_model(step, connection.perspective))
        connection.tell(Stepped(entry, moment, patch))

    def _moment(self, connection: Connection) -> Moment:
        """Return how the table looks to a page now, and what can be done there."""
        now = self._game.now
        moment = self._presenter.view_model(now, connection.perspective).moment
        if self._is_full and not self._is_open:
            said = LANGUAGES[connection.language].say("talk.refusals.too-long")
            moment = attrs.evolve(moment, bar=said)
        return attrs.evolve(
            moment,
            undo=self._undo_offer(connection),
            waits_for=now.asked if connection.hides(now.asked) else None,
            guide=self._guide(connection),
        )

    def _guide(self, connection: Connection) -> Guide | None:
        """Return what an example says, or to the seat that is asked the coach."""
        if not self._is_coached:
            return self._presenter.example(connection.language)
        now = self._game.now
        if now.asked is None or connection.viewer != now.asked:
            return None
        revision, advice = self._advised
        known = advice if revision == now.revision else None
        return self._presenter.coaching(now.asked, known, connection.language)

    def _undo_offer(self, connection: Connection) -> UndoOffer | None:
        """Return the step a page can take back: its own, or any if all share this screen."""
        if self._is_open or self._is_full or not (connection.own and self._is_readable):
            return None
        people = {number for number, seat in enumerate(self._seats) if seat.kind == "person"}
        found = free = self._game.free_undo(connection.own)
        if free is None and people <= {*connection.own}:
            found = self._game.last_choice(connection.own)
        if found is None:
            return None
        _, to = found
        label = self._presenter.undone(to, self._game.now.revision, connection.language)
        return UndoOffer(to, free is None and not self._is_trial, label)

    # Looking

    def _present(self, connection: Connection, said: Present) -> None:
        if said.seat is not None and said.seat not in connection.own:
            raise RefusedError("not-seated")
        if connection.is_shared:
            connection.viewer = said.seat
        shown = self._presenter.view_model(self._game.now, connection.perspective)
        connection.tell(Sight(said.id, self._moment(connection), connection.show(shown)))

    def _look(self, connection: Connection, said: Look) -> None:
        if said.at > self._game.now.revision:
            raise RefusedError("no-moment")
        if said.open and not self._is_open:
            raise RefusedError("not-over")
        perspective = attrs.evolve(connection.perspective, is_open=said.open)
        shown = self._presenter.view_model(self._game.steps[said.at], perspective)
        patch = pictures.patch(connection.parts, shown.parts)
        connection.tell(Sight(said.id, shown.moment, patch))

    def _why_not(self, connection: Connection, said: WhyNot) -> None:
        seat = self._asked_of(connection, said.revision)
        language, names = LANGUAGES[connection.language], self._presenter.names(connection.language)
        try:
            why = check_by(self._game.now.state, seat, action_of(said.action))
            if why is None:
                connection.tell(Reason(said.id, None, None))
                return
            error: VallettaError = IllegalActionError(why)
        except MalformedActionError as malformed:
            error = malformed
        refusal = refusal_of(error, language, names)
        clause = None if refusal.clause is None else rule(refusal.clause, connection.language)
        connection.tell(Reason(said.id, to_document(refusal), clause))

    def _hint(self, connection: Connection, said: Hint) -> None:
        seat = self._asked_of(connection, said.revision)
        task = asyncio.create_task(self._think_of_hint(connection, said, seat))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    async def _think_of_hint(self, connection: Connection, said: Hint, seat: int) -> None:
        seen = view(self._game.now.state, seat)
        try:
            thought = await self._tables.workers.hint(
                seen, table=self._table.id, payer=connection.account
            )
        except Exception:
            logger.exception("there is no hint")
            thought = None
        await self.put(self._advise, connection, said, thought)

    async def _advise(
        self, connection: Connection, said: Hint, thought: analysis.Advice | None
    ) -> None:
        now = self._game.now.revision
        if thought is None or said.revision != now:
            connection.say_no(said.id, now, "failed" if thought is None else "stale")
            return
        language = LANGUAGES[connection.language]
        sentences = describe_advice(language, self._game.now.state, thought)
        answers = [
            AdvisedAnswer(to_document(each.action), each.lead, each.chance, sentence)
            for each, sentence in zip(thought.suggestions, sentences, strict=True)
        ]
        connection.tell(Advice(said.id, tuple(answers)))

    def _analyse(self, connection: Connection, said: Analyse) -> None:
        if self._is_trial or not self._is_open:
            raise RefusedError("is-trial" if self._is_trial else "not-over")
        work = self._think_of_game(connection, said)
        task = asyncio.create_task(work, name=_analysis_of(connection, said.id))
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)

    def _stop(self, connection: Connection, said: Stop) -> None:
        for task in self._hints:
            if task.get_name() == _analysis_of(connection, said.id):
                task.cancel()
        connection.tell(Ack(said.id, self._game.now.revision))

    async def _think_of_game(self, connection: Connection, said: Analyse) -> None:
        """Analyse the game, once for all pages, and tell one of them how far that is."""
        told = 0.0

        def tell(done: float) -> None:
            nonlocal told
            if done >= told + SHARE:
                told = done
                connection.tell(Analysed(said.id, round(done, 2), None))

        try:
            async with self._analysing:
                self._analysis = (
                    self._analysis
                    or await self._recalled(connection)
                    or await self._analysed(connection, tell)
                )
        except Exception as error:
            if not isinstance(error, BusyError):
                logger.exception("there is no analysis")
            reason = "too-fast" if isinstance(error, BusyError) else "failed"
            connection.say_no(said.id, self._game.now.revision, reason)
        else:
            await self.put(self._in_turn, self._report, connection, said)

    async def _kept_analysis(self) -> str | None:
        """Return the document of the analysis that the store keeps, if there is one."""
        return await self._tables.database.ask(TableStore.analysis, self._table.id)

    async def _recalled(self, connection: Connection) -> analysis.Analysis | None:
        """Return the analysis that is kept, if there is one that this version can read."""
        if (kept := await self._kept_analysis()) is None:
            return None
        read = partial(analysis.analysis_from_json, kept)
        try:
            return await self._tables.workers.run(read, connection.account)
        except CodecError:
            return None

    async def _analysed(
        self, connection: Connection, tell: Callable[[float], object]
    ) -> analysis.Analysis:
        """Return an analysis that is made now, and keep it if that is possible."""
        workers, payer = self._tables.workers, connection.account
        made = await workers.analyse(self._game.record(()), payer, tell)
        try:
            kept = await workers.run(partial(analysis.analysis_to_json, made), payer)
            await self._tables.database.ask(TableStore.keep_analysis, self._table.id, kept)
        except (BusyError, WorkerError, sqlite3.Error):
            logger.exception("an analysis is not kept")
        return made

    def _report(self, connection: Connection, said: Analyse) -> None:
        assert self._analysis is not None, "it has been made"
        report = self._presenter.report(self._analysis, connection.language)
        connection.tell(Analysed(said.id, 1.0, report))

    # What only the opener may do

    async def _renew(self, connection: Connection, said: Renew) -> None:
        seat = self._person(connection, said.seat)
        token = await self._tables.database.ask(TableStore.renew, self._table.id, seat)
        for other in [each for each in self._connections if seat in each.own]:
            if other is not connection:
                self._end(other)
                self._connections.remove(other)
        connection.tell(NewLink(said.id, seat, token))
        if seat in connection.own:
            connection.sit(tuple(each for each in connection.own if each != seat))
            await self._welcome(connection, self._game.now.revision)
        self._tell_presence("talk.new_link", seat)

    async def _sit_in(self, connection: Connection, said: SitIn) -> None:
        seat = self._person(connection, said.seat)
        if said.level is not None and any(seat in each.own for each in self._connections):
            raise RefusedError("is-here")
        await self._seat_bot(seat, said.level)
        connection.tell(Ack(said.id, self._game.now.revision))
        self._tell_presence("talk.back" if said.level is None else "talk.sits_in", seat)
        self._let_think()

    def _person(self, connection: Connection, seat: int) -> int:
        """Return a seat that is a person's, for the opener alone; raise `RefusedError`."""
        if not connection.is_opener:
            raise RefusedError("not-opener")
        if seat >= len(self._seats) or self._seats[seat].kind != "person":
            raise RefusedError("no-person")
        return seat

    async def _seat_bot(self, seat: int, level: str | None) -> None:
        """Let a bot sit in for a person, or for `None` the person play again."""
        await self._tables.database.ask(TableStore.sit_in, self._table.id, seat, level)
        self._seats[seat] = attrs.evolve(self._seats[seat], level=level)

    def _pace(self, connection: Connection, said: Pace) -> None:
        if not (connection.own or connection.is_opener):
            raise RefusedError("not-seated")
        self._pause = said.pause
        connection.tell(Ack(said.id, self._game.now.revision))
        self._tell_presence()

    # The coach

    def _let_coach(self) -> None:
        """Let the coach think of what to say, if a person is led."""
        now = self._game.now
        if not (self._is_coached and self._is_readable) or now.asked is None:
            return
        is_person = self._seats[now.asked].level is None
        if is_person and self._advised[0] != now.revision and is_led(self._game, now.asked):
            self._advised = now.revision, None
            task = asyncio.create_task(self._think_of_lesson(now, now.asked))
            self._hints.add(task)
            task.add_done_callback(self._hints.discard)

    async def _think_of_lesson(self, now: GameRevision, seat: int) -> None:
        seen, name = view(now.state, seat), self._table.id
        try:
            advice = await self._tables.workers.hint(seen, table=name, payer=self._payer)
        except Exception:
            logger.exception("the coach has nothing to say")
        else:
            await self.put(self._lead, now.revision, advice)

    async def _lead(self, revision: int, advice: analysis.Advice) -> None:
        """Tell the person what the coach thinks, if that is still asked."""
        if revision != self._game.now.revision:
            return
        self._advised = revision, advice
        for connection in self._connections:
            if (guide := self._guide(connection)) is not None:
                connection.tell(Guided(revision, guide))

    async def _doubt(self, connection: Connection, seat: int, action: Action) -> str | None:
        """Return why the coach doubts an answer, which he does once, or `None`."""
        now, language = self._game.now, LANGUAGES[connection.language]
        if not self._is_coached or self._doubted == (now.revision, action):
            return None
        work = partial(analysis.judge, view(now.state, seat), action)
        try:
            decision = await self._tables.workers.run(work, self._payer)
        except (BusyError, WorkerError):
            return None
        if decision is None or not is_doubtful(self._game, seat, decision):
            return None
        self._doubted = now.revision, action
        return language.say("talk.sure", said=describe_decision(language, now.state, decision))

    # Bots

    @property
    def _is_thinking(self) -> bool:
        return self._thinking is not None and not self._thinking.done()

    def _let_think(self) -> None:
        """Let a bot think if it is asked, and stop any that is thinking of another question."""
        self._let_coach()
        asked = self._game.now.asked
        level = None if asked is None else self._seats[asked].level
        people = any(seat.kind == "person" for seat in self._seats)  # who may come back
        is_going_on = self._is_readable and not (self.is_replay or self._is_full)
        if not (is_going_on and (self._connections or people)):
            level = None
        wanted = (self._game.now.revision, asked, level)
        if self._thinking is not None and wanted != self._thought_of:
            self._thinking.cancel()
            self._thinking = None
        if self._thinking is None and asked is not None and level is not None:
            self._thought_of = wanted
            self._thinking = asyncio.create_task(self._think(asked, level))

    async def _think(self, seat: int, level: str, wait: float = 0.0) -> None:
        await asyncio.sleep(wait)
        await self._payer.spare()
        now, begun = self._game.now, time.monotonic()
        asked, seed = self._game.turn(seat)
        heard = await self._heard(seat) if _remembers(level) else None
        asked = asked if heard is None else asked[-1:]
        action = await self._tables.workers.decide(
            level, asked, heard, seed, table=self._table.id, payer=self._payer
        )
        if self._connections:
            await asyncio.sleep(max(0.0, self._pause / 1_000 - (time.monotonic() - begun)))
        await self.put(self._bot_answers, now.revision, seat, action)

    async def _bot_answers(self, revision: int, seat: int, action: Action) -> None:
        level = self._seats[seat].level
        if revision != self._game.now.revision or level is None:
            return
        try:
            await self._keep(self._game.answer(seat, action), None)
        except (VallettaError, sqlite3.Error):
            logger.exception("the answer of a bot was not accepted")
            if revision == self._game.now.revision:  # or the game has gone on elsewhere
                self._thinking = asyncio.create_task(self._think(seat, level, AGAIN))
        else:
            await self._tell(self._game.now)

    async def _heard(self, seat: int) -> Heard:
        steps = [*self._game.standing()]
        told = await self._tables.slices.each(
            lambda step: [*step.events_for(seat)], steps, self._payer
        )
        return Heard(view(self._game.start, seat), tuple(chain.from_iterable(told)))


@cache
def _remembers(level: str) -> bool:
    """Tell whether the bot of a level wants to hear what happens."""
    return isinstance(make_bot(level, random.Random(0)), Remembers)


def _analysis_of(connection: Connection, request: str) -> str:
    """Return the name of the task that makes the analysis for which a page has asked."""
    return f"{id(connection)} {request}"


def _about(cards: CardSet, language: Language) -> str:
    """Name the card set of the game."""
    return language.say("page.phrases.cards_usual") if cards == RECONSTRUCTION else cards.name
