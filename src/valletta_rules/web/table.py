"""A table that is in use: its game and seats, its pages, and its waiting requests."""

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
from valletta_rules.web.store import Database, KeptEntry, Keys, Occupant, TableDocuments
from valletta_rules.web.workers import Workers

PAUSE: Final = 1_200
"""The default number of milliseconds for which bots wait before they act."""

WAITING: Final = 64
"""The capacity of an inbox; beyond it, the sender of another request waits."""

P = ParamSpec("P")
S = TypeVar("S")


@attrs.define(eq=False)
class Resources:
    """The resources that all tables share."""

    database: Database
    """The store of the tables."""
    workers: Workers
    """The workers that run the bots."""
    limits: Limits = attrs.field(factory=Limits)
    slices: CooperativeScheduler = attrs.field(init=False, factory=CooperativeScheduler)


class Table:
    """A table that is in use; only its actor changes it."""

    def __init__(
        self,
        shared: Resources,
        name: str,
        documents: TableDocuments,
        seats: Iterable[Occupant],
        log: Sequence[KeptEntry],
        payer: Account,
    ) -> None:
        """Load a stored table with its seats and log; `payer` is the account that is charged.

        Only the first entry of the log is read.  Raises `VallettaError` if that is not possible.
        """
        self.shared, self.id, self.payer = shared, name, payer
        self.seats = list(seats)
        self.game = stored_game(documents, log)
        self.presenter = Presenter(self.game, self.seats, documents.option("example"))
        self.is_replay, self.is_trial = documents.is_replay, documents.is_trial
        self.is_coached = bool(documents.option("coached"))
        followed = documents.option("rematch")
        self.rematch = followed and Keys(followed, "", (None,) * len(self.seats))
        """The table of the rematch, if it is open, with the tokens that are known here."""
        self.is_readable = True
        """Whether these rules accept its whole log."""
        self.connections: list[Connection] = []
        self.pause = PAUSE
        self.advised: tuple[int, Advice | None] = (-1, None)
        """The revision for which the coach was called, and its advice once that is known."""
        self.doubted: tuple[int, Action] | None = None
        """The last answer that the coach has questioned."""
        self.moves_expected = 0
        """The number of moves of its log, while that is being read."""
        self._inbox: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(WAITING)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def moves(self) -> int:
        """The number of moves that the table holds in memory, or will hold."""
        return max(self.moves_expected, self.game.moves)

    @property
    def is_full(self) -> bool:
        """Whether the game has reached the maximum number of moves, so that it stops."""
        return self.game.moves >= self.shared.limits.moves

    @property
    def is_open(self) -> bool:
        """Whether all hands may be shown: the game is over, or is an opened record."""
        return self.is_replay or self.game.now.asked is None

    def check_over(self) -> None:
        """Raise `RefusedError` if there is no record of the game, or not yet."""
        if self.is_trial or not self.is_open:
            raise RefusedError("is-trial" if self.is_trial else "not-over")

    # Requests and tasks

    @property
    def is_used(self) -> bool:
        """Whether a page is connected, or a task is running, or a request waits."""
        is_busy = any(not each.done() for each in self._tasks)
        return bool(self.connections or is_busy or self._inbox.qsize())

    async def put(
        self, request: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Put a request into the inbox, as in ``table.put(actor.leave, connection)``."""
        await self._inbox.put(partial(request, *args, **kwargs))

    async def next_request(self) -> Callable[[], Awaitable[None]]:
        """Wait for the next request and return it; other tasks run before each request."""
        await asyncio.sleep(0)
        return await self._inbox.get()

    async def in_turn(
        self, do: Callable[[Table, Connection, S], None], connection: Connection, said: S
    ) -> None:
        """Run a slow function when it is the turn of the page's address."""
        work = partial(do, self, connection)
        await self.shared.slices.each(work, (said,), connection.account)

    def begin(self, work: Coroutine[Any, Any, None], name: str | None = None) -> asyncio.Task[None]:
        """Start a task while requests continue; return it."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self, name: str | None = None) -> None:
        """Cancel the tasks of a name, or all tasks."""
        for task in self._tasks:
            if name is None or task.get_name() == name:
                task.cancel()
