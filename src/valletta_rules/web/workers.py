"""Workers do work that is too slow for the event loop, so that no request waits for another.

They run the bots, and read records and card sets.  A bot is given views and the events that its
seat may know, never a position, and returns an action; the table decides whether the action is
still wanted.  A worker has no state: a bot is sent all questions that its seat has had to answer
this turn, so that it makes the same plan again and follows it.

The workers of a server are processes (`valletta_rules.web.processes`); `LocalWorkers` do the same
in this one.  If a worker ends over a bot's question, the weakest level answers.
"""

from __future__ import annotations

import asyncio
import logging
import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from traceback import format_exc
from typing import Final, Generic, TypeVar, cast
from weakref import WeakValueDictionary

import attrs

from valletta_rules.actions import Action
from valletta_rules.analysis import Advice, Analysis, advise, analyse, analysing
from valletta_rules.analysis.documents import analysis_to_json
from valletta_rules.bots import LEVELS, Remembers, make_bot
from valletta_rules.errors import VallettaError
from valletta_rules.memory import Memory
from valletta_rules.records.record import Record
from valletta_rules.views import PlayerView
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.web.accounts import STEPS_OF_A_SLICE, Account
from valletta_rules.web.limits import cpu_time

WEAKEST: Final = next(iter(LEVELS))
"""The level that answers if another one cannot."""

logger: Final = logging.getLogger(__name__)

MOST_WAITING: Final = 8
"""The number of calls of a payer that may wait."""

PLAYER, CALL, HINT, RECORD, ANALYSIS = range(5)
"""The order of requests that wait for a worker; a long text and an analysis delay no others."""

LONG_TEXT: Final = 30_000
"""The characters of a record that take some 0.3 s of CPU to read; a usual game has some 6,000."""

T = TypeVar("T")


def rank_of(text: str) -> int:
    """Return the rank of a call that reads a text: `RECORD` if that may take long."""
    return RECORD if len(text) > LONG_TEXT else CALL


@attrs.frozen
class SeatHistory:
    """The events of a game that a seat may know, for bots that remember."""

    start: PlayerView
    """The view of the first position."""
    events: tuple[RedactedEvent, ...]
    """The events since then."""

    def memory(self) -> Memory:
        """Return the memory of the seat."""
        memory = Memory(self.start.seat)
        memory.begin(self.start)
        for event in self.events:
            memory.see(event)
        return memory


@attrs.frozen
class _BotRequest:
    """A request to a worker."""

    spec: str
    """The level, or another bot with its options, as `make_bot` reads it."""
    asked: Sequence[PlayerView]
    """The views in which the seat had to answer this turn; the last is the one to answer now."""
    heard: SeatHistory | None
    seed: int

    def answer(self) -> Action:
        """Return the answer of the bot; raise what the bot raises."""
        bot = make_bot(self.spec, random.Random(self.seed))
        if self.heard is not None and isinstance(bot, Remembers):
            bot.begin(self.heard.start)
            for event in self.heard.events:
                bot.see(event)
        *_, action = [bot.decide(view) for view in self.asked]
        return action


class BusyError(VallettaError):
    """The sender has used too much CPU time, or has too many requests waiting."""


class WorkerError(RuntimeError):
    """The process of a worker has ended twice over the same work, or took too long."""


@attrs.frozen
class BotAnswer(Generic[T]):
    """The outcome of a call, and the CPU seconds that it took."""

    seconds: float
    result: T | None = None
    error: Exception | None = None

    @staticmethod
    def of(call: Callable[[], T]) -> BotAnswer[T]:
        """Execute a call, and return its outcome."""
        begun = cpu_time()
        try:
            result = call()
        except Exception as error:
            error.add_note(format_exc())  # the process does not send it
            return BotAnswer(cpu_time() - begun, error=error)
        return BotAnswer(cpu_time() - begun, result)

    def get(self) -> T:
        """Return the result, or raise the error of the call."""
        if self.error is not None:
            raise self.error
        return cast(T, self.result)


class Workers(AbstractAsyncContextManager["Workers"]):
    """The base of all workers, a context manager."""

    def __init__(self) -> None:
        """Start with no requests in line."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @abstractmethod
    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        """Let a worker make a call, which can be pickled; raise `WorkerError` if none can."""

    async def _here(self, call: Callable[[], T]) -> BotAnswer[T]:
        """Make a call in this process."""
        return BotAnswer.of(call)

    async def run(self, call: Callable[[], T], payer: Account, rank: int = CALL) -> T:
        """Let a worker execute a call; return and raise what it does.

        The call can be pickled: it is a function of a module, or a `partial` of one.  The payer is
        charged with its CPU time, and has one call executed at a time.  Raises `BusyError` if the
        payer is overdrawn or has too many calls waiting, `WorkerError` if the worker ends over it.
        """
        if payer.waiting >= MOST_WAITING or payer.wait:
            raise BusyError("wait a little")
        payer.waiting += 1
        try:
            async with payer.turn:
                if payer.wait:
                    raise BusyError("wait a little")
                return _paid(await self._do(rank, call), payer)
        finally:
            payer.waiting -= 1

    async def decide(
        self,
        spec: str,
        asked: Sequence[PlayerView],
        heard: SeatHistory | None,
        seed: int,
        *,
        table: str,
        payer: Account | None = None,
    ) -> Action:
        """Return the answer of a bot to the last of some views.

        `spec` is the level, or another bot as `make_bot` reads it.  `asked` holds the views in
        which the seat had to answer this turn, from which the bot makes the same plan again, and
        `heard` the events that it may know.  `seed` is that of its generator.  The requests of a
        table are answered one after the other.
        """
        question = _BotRequest(spec, asked, heard, seed)
        async with self._turns.setdefault(table, asyncio.Lock()):
            try:
                return _paid(await self._do(PLAYER, question.answer), payer)
            except WorkerError:
                logger.warning("%s did not answer", question.spec)
            except Exception:
                logger.exception("%s cannot answer", question.spec)
            weak = attrs.evolve(question, spec=WEAKEST, heard=None)
            return _paid(await self._here(weak.answer), payer)

    async def hint(
        self, view: PlayerView, heard: SeatHistory, *, table: str, payer: Account | None = None
    ) -> Advice:
        """Return the adviser's advice on a question; the requests of bots come first.

        Takes the view of the seat that must answer, and its history of the game.  Raises the
        errors of `valletta_rules.analysis.advise`, and `WorkerError` if the worker ends over it.
        """
        async with self._turns.setdefault(table, asyncio.Lock()):
            return _paid(await self._do(HINT, partial(_remembering, advise, view, heard)), payer)

    async def analyse(
        self, record: Record, payer: Account, tell: Callable[[float], object]
    ) -> tuple[Analysis, str]:
        """Return the analysis of a game and its document.

        `tell` is called with the part that is done, if known.  A worker finishes what it has begun,
        even if the result is no longer awaited, and the payer is charged.  Raises what `run`
        raises.
        """
        return await asyncio.shield(self.run(partial(analysed, record), payer, ANALYSIS))


def analysed(record: Record) -> tuple[Analysis, str]:
    """Return the analysis of a game and its document."""
    found = analyse(record)
    return found, analysis_to_json(found)


def _remembering(
    ask: Callable[[PlayerView, Memory], Advice], view: PlayerView, heard: SeatHistory
) -> Advice:
    """Return an adviser's answer to a view and to the memory that a history gives."""
    return ask(view, heard.memory())


def _paid(outcome: BotAnswer[T], payer: Account | None) -> T:
    """Charge for an outcome; return its result, or raise its error."""
    if payer is not None:
        payer.charge(outcome.seconds)
    return outcome.get()


class LocalWorkers(Workers):
    """Workers in this thread, one call at a time, for where there are no processes."""

    async def __aexit__(self, *error: object) -> None:
        """Stop; there are no processes to end."""

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        await asyncio.sleep(0)
        return await self._here(call)

    async def analyse(
        self, record: Record, payer: Account, tell: Callable[[float], object]
    ) -> tuple[Analysis, str]:
        """Return the analysis of a game and its document; other tasks can run after each move."""
        for number, found in enumerate(analysing(record), 1):
            if found is not None:
                return found, analysis_to_json(found)
            tell(number / (len(record.actions) + 1))
            for _ in range(STEPS_OF_A_SLICE):
                await asyncio.sleep(0)
        raise AssertionError("the analysis comes last")
