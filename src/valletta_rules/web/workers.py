"""The pool of processes that run the bots, so that no table waits for another.

A worker is given views and what its seat has heard, never a position, and returns an action;
whether the action is still wanted is for the table to decide.  A worker has no state: it is sent
everything that its seat has been asked this turn, so that it makes the same plan again and follows
it.  A process that ends or takes too long is replaced, and the question is tried once more; then
the weakest level answers.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import random
import signal
from collections.abc import Awaitable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, Self
from weakref import WeakValueDictionary

import attrs

from valletta_rules.actions import Action
from valletta_rules.bots import Explains, Plan, Remembers, make_bot
from valletta_rules.views import PlayerView
from valletta_rules.views.redaction import RedactedEvent

WEAKEST: Final = "novice"
"""The level that answers if another one cannot."""

ADVISER: Final = "strong"
"""The level that gives hints."""

PATIENCE: Final = 60.0
"""How many seconds a worker may take to answer before its process is ended."""

logger: Final = logging.getLogger(__name__)

PLAYER, HINT = range(2)
"""Whose requests come first if several wait for a worker."""


@attrs.frozen
class Heard:
    """What a seat has heard of a game, for bots that remember."""

    start: PlayerView
    """The view of the first position."""
    events: tuple[RedactedEvent, ...]
    """What has happened since."""


@attrs.frozen
class Thought:
    """What a bot would do, and why."""

    action: Action
    plans: tuple[Plan, ...]
    """The plans it weighed, the best first; none if there was no choice or it cannot explain."""


@attrs.frozen
class _BotRequest:
    """A request to a worker."""

    spec: str
    """The level, or another bot with its options, as `make_bot` reads it."""
    asked: Sequence[PlayerView]
    """The views with which the seat was asked this turn, the one to answer last."""
    heard: Heard | None
    seed: int

    def answer(self) -> Thought:
        """Think.  Raises what the bot raises."""
        bot = make_bot(self.spec, random.Random(self.seed))
        if self.heard is not None and isinstance(bot, Remembers):
            bot.begin(self.heard.start)
            for event in self.heard.events:
                bot.see(event)
        *_, action = [bot.decide(view) for view in self.asked]
        return Thought(action, bot.explain() if isinstance(bot, Explains) else ())


def default_processes() -> int:
    """Return the default number of workers: one core is left to the server."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


class WorkerPool:
    """A number of processes, and the requests that wait for one."""

    def __init__(self, processes: int | None = None, patience: float = PATIENCE) -> None:
        """Take the number of processes, and how many seconds an answer may take."""
        self._processes = default_processes() if processes is None else processes
        self._patience = patience
        self._waiting: asyncio.PriorityQueue[_Waiting] = asyncio.PriorityQueue()
        self._numbers = count()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        """Start the processes, which are ready a little later."""
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._processes)]
        return self

    async def __aexit__(self, *error: object) -> None:
        """Stop; requests that still wait are not answered."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def decide(
        self,
        spec: str,
        asked: Sequence[PlayerView],
        heard: Heard | None,
        seed: int,
        *,
        table: str,
    ) -> Action:
        """Return the answer of a bot to the last of some views.

        Takes the level, or another bot as `make_bot` reads it; the views with which it was asked
        this turn, from which it makes the same plan again; what the seat has heard; and the seed
        of its generator.  The requests of a table are answered one after the other.
        """
        question = _BotRequest(spec, asked, heard, seed)
        return (await self._ask(PLAYER, table, question)).action

    async def hint(self, view: PlayerView, heard: Heard | None = None, *, table: str) -> Thought:
        """Return the advice of a good player; the requests of bots come first."""
        return await self._ask(HINT, table, _BotRequest(ADVISER, (view,), heard, 0))

    async def _ask(self, rank: int, table: str, question: _BotRequest) -> Thought:
        """Wait for the table's turn, and for a worker."""
        async with self._turns.setdefault(table, asyncio.Lock()):
            answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
            self._waiting.put_nowait((rank, next(self._numbers), question, answer))
            return await answer

    async def _work(self) -> None:
        """Let a process answer one request after the other."""
        process = _Process(self._patience)
        try:
            while True:
                _, _, question, answer = await self._waiting.get()
                if not answer.cancelled():
                    await _tell(answer, process.think(question))
        finally:
            process.close()


_Waiting = tuple[int, int, _BotRequest, "asyncio.Future[Thought]"]
"""The rank, a growing number, the request, and the future of its answer."""


async def _tell(answer: asyncio.Future[Thought], thought: Awaitable[Thought]) -> None:
    """Pass on an answer, or the error in its place, if somebody still waits for it."""
    try:
        advice = await thought
    except Exception as error:
        if not answer.cancelled():
            answer.set_exception(error)
    else:
        if not answer.cancelled():
            answer.set_result(advice)


class _Process:
    """A process for bots, which is replaced by another one after it has ended."""

    def __init__(self, patience: float) -> None:
        """Start the process."""
        self._patience = patience
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        """Return a new process, which starts in the background."""
        pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)
        with _uninterrupted():
            pool.submit(int)
        return pool

    def close(self) -> None:
        """End the process after its current request."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def think(self, question: _BotRequest) -> Thought:
        """Return the answer of one of two tries, or else of the weakest level in this process."""
        try:
            try:
                return await self._try(question)
            except BrokenProcessPool:
                self._replace()
                return await self._try(question)
        except BrokenProcessPool:
            self._replace()
        except Exception:
            logger.exception("%s cannot answer", question.spec)
        weakest = attrs.evolve(question, spec=WEAKEST, heard=None)
        return await asyncio.to_thread(weakest.answer)

    async def _try(self, question: _BotRequest) -> Thought:
        """Let the process answer."""
        return await asyncio.wrap_future(self._pool.submit(_think, question, self._patience))

    def _replace(self) -> None:
        """Start another process."""
        logger.warning("the process of a bot has ended; another one is started")
        self.close()
        self._pool = self._start()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let what is started leave interrupts to the server, even before its first line."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the process


def _begin() -> None:
    """Leave interrupts to the server, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End the process when the server has ended, however that came about."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def _think(question: _BotRequest, patience: float) -> Thought:
    """Answer a request; if it takes too long, print a traceback and end the process."""
    faulthandler.dump_traceback_later(patience, exit=True)
    try:
        return question.answer()
    finally:
        faulthandler.cancel_dump_traceback_later()
