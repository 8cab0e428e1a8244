"""A table in use: its game, its seats, the connections to its pages, and its inbox."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.analysis import Advice
from valletta_rules.web.accounts import Account, CooperativeScheduler
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError, stored_game
from valletta_rules.web.limits import Limits
from valletta_rules.web.presenter import Presenter
from valletta_rules.web.store import Database, Keys, Occupant, StoredEntry, TableDocuments
from valletta_rules.web.workers import Workers

PAUSE: Final = 1_200
"""The default time that a bot waits before it answers, in milliseconds."""

WAITING: Final = 64
"""The maximum number of requests in an inbox; if it is full, the sender of a request waits."""

P = ParamSpec("P")
S = TypeVar("S")


@attrs.define(eq=False)
class Resources:
    """The resources that all tables share."""

    database: Database
    """The store that contains the tables."""
    workers: Workers
    """The workers that run the bots."""
    limits: Limits = attrs.field(factory=Limits)
    slices: CooperativeScheduler = attrs.field(init=False, factory=CooperativeScheduler)


class Table:
    """A table in use.  Only its actor may change it."""

    def __init__(
        self,
        shared: Resources,
        name: str,
        documents: TableDocuments,
        seats: Iterable[Occupant],
        log: Sequence[StoredEntry],
        payer: Account,
    ) -> None:
        """Create a table from its stored data.

        `name` is the id of the table, and `payer` is the account to which its bots are charged.
        Only the first entry of the log is read.  Raises `VallettaError` if the data is corrupt.
        """
        self.shared, self.id, self.payer = shared, name, payer
        self.seats = list(seats)
        self.game = stored_game(documents, log)
        self.presenter = Presenter(self.game, self.seats, documents.option("example"))
        self.is_replay, self.is_trial = documents.is_replay, documents.is_trial
        self.is_coached = bool(documents.option("coached"))
        followed = documents.option("rematch")
        self.rematch = followed and Keys(followed, "", (None,) * len(self.seats))
        """The id and the known tokens of the rematch table; `None` if there is no rematch."""
        self.is_readable = True
        """Whether the installed version of the rules accepts the whole log."""
        self.connections: list[Connection] = []
        self.pause = PAUSE
        self.advised: tuple[int, Advice | None] = (-1, None)
        """The revision for which advice was requested, and the advice as soon as it is computed."""
        self.doubted: tuple[int, Action] | None = None
        """The revision and action of the last answer that the coach has questioned."""
        self.moves_expected = 0
        """An upper bound on the number of moves that are loaded from the log."""
        self._inbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(WAITING)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def moves(self) -> int:
        """The number of moves in memory, including moves of the log that are not loaded yet."""
        return max(self.moves_expected, self.game.moves)

    @property
    def is_full(self) -> bool:
        """Whether the game has reached the maximum number of moves and cannot continue."""
        return self.game.moves >= self.shared.limits.moves

    @property
    def is_open(self) -> bool:
        """Whether all hands may be shown: the game is over, or the table is an opened record."""
        return self.is_replay or self.game.now.asked is None

    def check_over(self) -> None:
        """Raise `RefusedError` if the game is not over, or if the table is a trial."""
        if self.is_trial or not self.is_open:
            raise RefusedError("is-trial" if self.is_trial else "not-over")

    # Requests and tasks

    @property
    def is_used(self) -> bool:
        """Whether a page is connected, a task is running, or a request is in the inbox."""
        is_busy = any(not each.done() for each in self._tasks)
        return bool(self.connections or is_busy or self._inbox.qsize())

    async def put(
        self, request: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Put a call into the inbox as a request, as in ``table.put(actor.leave, connection)``."""
        await self._inbox.put(partial(request, *args, **kwargs))

    async def next_request(self) -> Callable[[], Awaitable[None]]:
        """Return the next request from the inbox, after other tasks have had a chance to run."""
        await asyncio.sleep(0)
        return await self._inbox.get()

    async def in_turn(
        self, do: Callable[[Table, Connection, S], None], connection: Connection, message: S
    ) -> None:
        """Run the slow function `do`, which answers a request sent by a page.

        The accounts of the pages take turns, so a busy client does not delay others.
        """
        work = partial(do, self, connection)
        await self.shared.slices.each(work, (message,), connection.account)

    def begin(self, work: Coroutine[Any, Any, None], name: str | None = None) -> asyncio.Task[None]:
        """Start and return a task that runs in parallel with the requests."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self, name: str | None = None) -> None:
        """Cancel the tasks with the given name; by default, cancel all tasks."""
        for task in self._tasks:
            if name is None or task.get_name() == name:
                task.cancel()
