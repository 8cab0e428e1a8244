"""Actors: each table has one task, which executes its requests; no other task changes the table.

A step is computed without changing the table, then stored, and only then added to the game and
sent.  Any step that a page has received therefore survives a restart of the server.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Final, assert_never

from valletta_rules.codec import to_json
from valletta_rules.errors import Refusal, VallettaError
from valletta_rules.play.game import Game
from valletta_rules.records.record import Record
from valletta_rules.web import protocol
from valletta_rules.web.analyses import Analyst
from valletta_rules.web.bot_player import BotPlayer
from valletta_rules.web.coaching import doubt, hint, let_coach, retry
from valletta_rules.web.connections import BROKEN, Connection
from valletta_rules.web.game import RefusedError, action_of
from valletta_rules.web.opener import rematch, rename, renew, seat_bot, sit_in
from valletta_rules.web.permissions import game_after_undo, prompted_seat
from valletta_rules.web.presence import send_presence, set_pace
from valletta_rules.web.showing import present, reopen, show_revision, show_step, welcome, why_not
from valletta_rules.web.store import LogConflictError, StoredEntry, TableStore
from valletta_rules.web.table import Table
from valletta_rules.words import LANGUAGES, refusal_of

FROZEN: Final = 100
"""The number of log entries to read between two calls of the garbage collector."""

logger: Final = logging.getLogger(__name__)


class TableActor:
    """The actor of a table: the task that executes the requests from its pages and bots."""

    def __init__(self, table: Table) -> None:
        """Create the actor of a table; `run` starts it."""
        self.table: Final = table
        self._game = table.game
        self._bots, self._analyst = BotPlayer(table), Analyst(table)

    async def load(self, log: Sequence[StoredEntry]) -> None:
        """Read the log entries after the first one, until the installed rules refuse an entry.

        If an entry is refused, the game can only be viewed.

        The games in memory are exempted from garbage collection, because they have no reference
        cycles.  With ten long games, a collection would block the event loop for 0.3 s.
        """
        for first in range(0, len(log), FROZEN):
            part = log[first : first + FROZEN]
            await self.table.shared.slices.each(self._read, part, self.table.payer)
            gc.collect(1)
            gc.freeze()

    def _read(self, entry: StoredEntry) -> None:
        """Read an entry of the log, unless an earlier entry could not be read."""
        if not self.table.is_readable:
            return
        try:
            if self.table.is_full:
                raise RefusedError("too-long")
            self._add(self._game.read(entry), entry.at)
        except VallettaError:
            logger.warning(
                "the log of a game is invalid after revision %d", self._game.now.revision
            )
            self.table.is_readable = False

    async def run(self) -> None:
        """Execute the requests in the inbox one by one, as long as the table is in use.

        An error in a request is logged and does not end the actor.
        """
        self._let_think()
        try:
            while True:
                request = await self.table.next_request()
                try:
                    await request()
                except Exception:
                    logger.exception("a request to a table failed")
                if not self.table.is_used:
                    return
        finally:
            self.table.cancel()

    async def record(self) -> Record:
        """Return the record of the game.

        Raises `RefusedError` if the game is not over, or if the table is a trial.
        """
        future: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        await self.table.put(self._record, future)
        return await future

    async def _record(self, future: asyncio.Future[Record]) -> None:
        if future.cancelled():
            return
        try:
            self.table.check_over()
        except RefusedError as error:
            future.set_exception(error)
        else:
            names = self.table.presenter.names("en")
            future.set_result(self._game.now.record(names if len({*names}) == len(names) else ()))

    # Requests to join and leave

    async def join(self, connection: Connection, hello: protocol.Hello) -> None:
        """Admit a page and send a `Welcome`; disconnect the page if its link is invalid."""
        try:
            await connection.account.metered(self._let_in(connection, hello))
        except Exception as error:
            reason = "not-read" if isinstance(error, sqlite3.Error) else "failed"
            connection.refuse_with_code(None, self._game.now.revision, reason)
            connection.queue.close(BROKEN)  # the page reconnects
            raise

    async def leave(self, connection: Connection) -> None:
        """Remove the connection to a page that has left."""
        if connection in self.table.connections:
            self.table.connections.remove(connection)
            send_presence(self.table)

    async def _let_in(self, connection: Connection, hello: protocol.Hello) -> None:
        table, call = self.table, self.table.shared.database.call
        seats = [await call(TableStore.seat_of, table.id, token) for token in hello.tokens]
        opened = [await call(TableStore.is_opener, table.id, token) for token in hello.tokens]
        if hello.tokens and not any(opened) and all(seat is None for seat in seats):
            connection.end("wrong-link")
            return
        connection.is_opener, connection.has_curtain = any(opened), not table.is_trial
        connection.sit(tuple(sorted({seat for seat in seats if seat is not None})))
        if hello.viewer in connection.own:
            connection.viewer = hello.viewer
        connection.turn_to(self._game.now.asked)
        table.connections.append(connection)
        await welcome(table, connection, hello.seen)
        returned = [seat for seat in connection.own if table.seats[seat].level is not None]
        for seat in returned:
            await seat_bot(table, seat, None)
        send_presence(table, "talk.back", *returned)
        self._let_think()

    # Requests of pages

    async def receive(self, connection: Connection, text: str) -> None:
        """Execute a request from a page, or send the reason why it is refused."""
        if connection in self.table.connections:
            await connection.account.metered(self._answer(connection, text))

    async def _answer(self, connection: Connection, text: str) -> None:
        request, language = None, connection.language
        try:
            message = protocol.read_message(text)
            request = getattr(message, "id", None)
            await self._do(connection, message)
        except RefusedError as error:
            connection.refuse_with_code(request, self._game.now.revision, error.reason)
        except VallettaError as error:
            refusal = refusal_of(error, LANGUAGES[language], self.table.presenter.names(language))
            connection.refuse(request, self._game.now.revision, refusal)
        except Exception as error:
            logger.exception("a request failed")
            reason = "not-kept" if isinstance(error, sqlite3.Error) else "failed"
            connection.refuse_with_code(request, self._game.now.revision, reason)

    async def _do(self, connection: Connection, message: protocol.PageMessage) -> None:
        table = self.table
        match message:
            case protocol.Answer() | protocol.Undo():
                await self._step(connection, message)
            case protocol.Present():
                await table.in_turn(present, connection, message)
            case protocol.WhyNot():
                await table.in_turn(why_not, connection, message)
            case protocol.Hint():
                hint(table, connection, message)
            case protocol.Analyse():
                self._analyst.begin(connection, message)
            case protocol.Stop():
                self._analyst.stop(connection, message)
            case protocol.Look():
                await table.in_turn(show_revision, connection, message)
            case protocol.Reopen():
                await table.in_turn(reopen, connection, message)
            case protocol.Retry():
                retry(table, connection, message)
            case protocol.Renew():
                await renew(table, connection, message)
            case protocol.SitIn():
                await sit_in(table, connection, message)
                self._let_think()
            case protocol.Rename():
                await rename(table, connection, message)
            case protocol.Rematch():
                await rematch(table, connection, message)
            case protocol.Pace():
                set_pace(table, connection, message)
            case protocol.Ping():
                connection.send(protocol.Pong())
            case protocol.Hello():
                raise RefusedError("failed")
            case _:
                assert_never(message)

    # Steps

    async def _step(self, connection: Connection, message: protocol.Answer | protocol.Undo) -> None:
        """Execute an `Answer` or `Undo`, unless a request with the same id has been executed."""
        name = f"{','.join(map(str, connection.own))}:{message.id}"  # ids are per set of seats
        if (entry := self._game.now.entry_with(name)) is not None:
            connection.send(protocol.Ack(message.id, entry.revision))
            return
        if isinstance(message, protocol.Answer):
            seat = prompted_seat(self.table, connection, message.revision)
            action = action_of(message.action)
            step = self._game.answer(seat, action, name)
            if (why := await doubt(self.table, connection, seat, action)) is not None:
                connection.refuse(message.id, message.revision, Refusal("sure", why))
                return
        else:
            step = game_after_undo(self.table, connection, message, name)
        await self._keep(step)
        connection.send(protocol.Ack(message.id, step.revision))
        await self._send_step(self._game.now)

    async def _make(self, step: Game) -> None:
        """Store a step that a bot makes, and send it to all pages."""
        await self._keep(step)
        await self._send_step(self._game.now)

    async def _keep(self, step: Game) -> None:
        """Store a step, then add it to the game.

        Raises `RefusedError` if another server has already stored a step with the same revision.
        """
        entry = StoredEntry(step.revision, to_json(step.entry), ends=step.asked is None)
        try:
            await self.table.shared.database.call(TableStore.append, self.table.id, entry)
        except LogConflictError:
            await self._catch_up()
            raise RefusedError("stale") from None
        self._add(step, entry.at)

    async def _catch_up(self) -> None:
        """Add the entries that another server has appended to the log, and send them to pages."""
        database, now = self.table.shared.database, self._game.now.revision
        for entry in await database.call(TableStore.log, self.table.id, now):
            self._add(self._game.read(entry), entry.at)
            await self._send_step(self._game.now)

    def _add(self, step: Game, at: float) -> None:
        self._game.add(step, at)
        self.table.presenter.totals(step)

    async def _send_step(self, step: Game) -> None:
        """Send a step to all pages."""
        show = partial(show_step, self.table, step)
        await self.table.shared.slices.each(show, self.table.connections, self.table.payer)
        self._let_think()

    def _let_think(self) -> None:
        """Let the coach and the bots start their computations for the current prompt."""
        let_coach(self.table)
        self._bots.let_think(self._make)
