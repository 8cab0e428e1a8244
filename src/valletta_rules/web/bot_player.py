"""The bot player, which answers prompts for the seats that bots play."""

from __future__ import annotations

import asyncio
import logging
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable
from functools import cache
from itertools import chain
from typing import Final

from valletta_rules.actions import Action
from valletta_rules.bots import Remembers, make_bot
from valletta_rules.errors import VallettaError
from valletta_rules.play.game import Game
from valletta_rules.views import view
from valletta_rules.web.table import Table
from valletta_rules.web.workers import SeatHistory

AGAIN: Final = 5.0
"""The seconds until a bot tries again, if its answer was refused or could not be stored."""

logger: Final = logging.getLogger(__name__)

Make = Callable[[Game], Awaitable[None]]


class BotPlayer:
    """The bot player of a table, which answers for all bots, one prompt at a time."""

    def __init__(self, table: Table) -> None:
        """Create the bot player of a table; it computes nothing until `let_think` is called."""
        self._table = table
        self._task: asyncio.Task[None] | None = None
        self._question: tuple[int, int | None, str | None] | None = None
        """The revision, seat and level of the running computation."""

    def let_think(self, make: Make) -> None:
        """If a bot must answer, start to compute its answer; cancel an obsolete computation.

        `make` is a function that stores a step and sends it to all pages.
        """
        table, seat = self._table, self._table.game.now.asked
        level = None if seat is None else table.seats[seat].level
        people = any(each.kind == "person" for each in table.seats)  # people may reconnect
        is_going_on = table.is_readable and not (table.is_replay or table.is_full)
        if not (is_going_on and (table.connections or people)):
            level = None
        wanted = (table.game.now.revision, seat, level)
        if self._task is not None and wanted != self._question:
            self._task.cancel()
            self._task = None
        if self._task is None and seat is not None and level is not None:
            self._question = wanted
            self._task = table.begin(self._think(make, seat, level))

    async def _think(self, make: Make, seat: int, level: str, wait: float = 0.0) -> None:
        table = self._table
        await asyncio.sleep(wait)
        await table.payer.spare()
        now, start = table.game.now, time.monotonic()
        views, seed = table.game.turn(seat)
        history = history_of(now, seat) if _remembers(level) else None
        views = views if history is None else views[-1:]
        action = await table.shared.workers.decide(
            level, views, history, seed, table=table.id, payer=table.payer
        )
        if table.connections:
            await asyncio.sleep(max(0.0, table.pause / 1_000 - (time.monotonic() - start)))
        await table.put(self._answer, make, now.revision, seat, action)

    async def _answer(self, make: Make, revision: int, seat: int, action: Action) -> None:
        table, level = self._table, self._table.seats[seat].level
        if revision != table.game.now.revision or level is None:
            return
        try:
            await make(table.game.answer(seat, action))
        except (VallettaError, sqlite3.Error):
            logger.exception("the answer of a bot was refused or could not be stored")
            if revision == table.game.now.revision:  # otherwise the game has continued
                self._task = table.begin(self._think(make, seat, level, AGAIN))


def history_of(game: Game, seat: int) -> SeatHistory:
    """Return the history of a game as a seat may know it."""
    events = chain.from_iterable(game.since(None, seat).steps)
    return SeatHistory(view(game.start, seat), tuple(events))


@cache
def _remembers(level: str) -> bool:
    """Return whether bots of a level need the history of the game."""
    return isinstance(make_bot(level, random.Random(0)), Remembers)
