"""Workers, which execute calls that are too slow for the event loop.

They run the bots, and read records and card sets.  A bot receives views, and the events that its
seat may know, but never a position.  It returns an action, which the table discards if the game has
changed in the meantime.  A worker has no state.  A bot therefore receives the views of its seat at
all prompts in the current turn, so that it can repeat its plan and continue it.

The workers of a server are processes (`valletta_rules.web.processes`); `LocalWorkers` execute calls
in the process of the event loop.  If a worker fails to return a bot's answer, a bot of the weakest
level answers.
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
"""The weakest level, whose bot answers if the bot of another level fails."""

logger: Final = logging.getLogger(__name__)

MOST_WAITING: Final = 8
"""The maximum number of waiting and running calls that are charged to the same account."""

PLAYER, CALL, HINT, RECORD, ANALYSIS = range(5)
"""The ranks of calls; the call with the lowest rank is executed first.

Calls of the ranks `RECORD` and `ANALYSIS` are executed in separate processes.
"""

LONG_TEXT: Final = 30_000
"""The length in characters above which a text is long.

Reading a record of this length takes 0.3 s of CPU time.  A typical record has 6,000 characters.
"""

T = TypeVar("T")


def rank_of(text: str) -> int:
    """Return the rank for a call that reads `text`: `RECORD` if the text is long, else `CALL`."""
    return RECORD if len(text) > LONG_TEXT else CALL


@attrs.frozen
class SeatHistory:
    """The history of a game as a seat may know it, for bots that use a memory."""

    start: PlayerView
    """The seat's view of the initial position."""
    events: tuple[RedactedEvent, ...]
    """The events since the initial position that the seat may know."""

    def memory(self) -> Memory:
        """Return the memory that the seat has after all events."""
        memory = Memory(self.start.seat)
        memory.begin(self.start)
        for event in self.events:
            memory.see(event)
        return memory


@attrs.frozen
class _BotRequest:
    """A request to a worker to compute a bot's answer."""

    spec: str
    """The level, or the bot and its options, in the notation of `make_bot`."""
    views: Sequence[PlayerView]
    """The seat's views at its prompts in the current turn; the last is for the current prompt."""
    history: SeatHistory | None
    seed: int

    def answer(self) -> Action:
        """Return the bot's answer, or raise its error."""
        bot = make_bot(self.spec, random.Random(self.seed))
        if self.history is not None and isinstance(bot, Remembers):
            bot.begin(self.history.start)
            for event in self.history.events:
                bot.see(event)
        *_, action = [bot.decide(view) for view in self.views]
        return action


class BusyError(VallettaError):
    """Raised if the account of a client is overdrawn or has too many waiting calls."""


class WorkerError(RuntimeError):
    """Raised if a worker process has ended or timed out in both attempts to execute a call."""


@attrs.frozen
class BotAnswer(Generic[T]):
    """The outcome of a call: its result (such as a bot's answer) or error, and its CPU time."""

    seconds: float
    result: T | None = None
    error: Exception | None = None

    @staticmethod
    def of(call: Callable[[], T]) -> BotAnswer[T]:
        """Execute a call, and return its outcome."""
        start = cpu_time()
        try:
            result = call()
        except Exception as error:
            error.add_note(format_exc())  # pickles contain no traceback
            return BotAnswer(cpu_time() - start, error=error)
        return BotAnswer(cpu_time() - start, result)

    def get(self) -> T:
        """Return the result, or raise the error of the call."""
        if self.error is not None:
            raise self.error
        return cast(T, self.result)


class Workers(AbstractAsyncContextManager["Workers"]):
    """The base class of workers, which are asynchronous context managers."""

    def __init__(self) -> None:
        """Create workers without waiting calls."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @abstractmethod
    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        """Execute a picklable call in a worker; raise `WorkerError` if the worker fails."""

    async def _run_locally(self, call: Callable[[], T]) -> BotAnswer[T]:
        """Execute a call in this process."""
        return BotAnswer.of(call)

    async def run(self, call: Callable[[], T], payer: Account, rank: int = CALL) -> T:
        """Let a worker execute a call; return its result or raise its error.

        The call must be picklable: a function of a module, or a `partial` of such a function.  The
        CPU time is charged to the account `payer`.  Calls for the same account are executed one
        after the other.  Raises `BusyError` if the account is overdrawn or has too many waiting
        calls, and `WorkerError` if the worker fails.
        """
        if payer.waiting >= MOST_WAITING or payer.wait:
            raise BusyError("this client has used up its CPU time or has too many waiting calls")
        payer.waiting += 1
        try:
            async with payer.turn:
                if payer.wait:
                    raise BusyError("this client has used up its CPU time; retry later")
                return _paid(await self._do(rank, call), payer)
        finally:
            payer.waiting -= 1

    async def decide(
        self,
        spec: str,
        views: Sequence[PlayerView],
        history: SeatHistory | None,
        seed: int,
        *,
        table: str,
        payer: Account | None = None,
    ) -> Action:
        """Return the answer of a bot to the current prompt.

        `spec` is the level or bot in the notation of `make_bot`.  `views` contains the seat's views
        at all its prompts in the current turn, so that the bot can repeat its plan; the last view
        is for the current prompt.  `history` is the history of the game, or `None` if the bot does
        not need it.  `seed` is the seed of the bot's generator.  If the bot fails, a bot of the
        weakest level answers.  Calls for the same table are executed one after the other.
        """
        question = _BotRequest(spec, views, history, seed)
        async with self._turns.setdefault(table, asyncio.Lock()):
            try:
                return _paid(await self._do(PLAYER, question.answer), payer)
            except WorkerError:
                logger.warning("the bot %s did not answer; the weakest level does", question.spec)
            except Exception:
                logger.exception("the bot %s cannot answer; the weakest level does", question.spec)
            weak = attrs.evolve(question, spec=WEAKEST, history=None)
            return _paid(await self._run_locally(weak.answer), payer)

    async def hint(
        self, view: PlayerView, history: SeatHistory, *, table: str, payer: Account | None = None
    ) -> Advice:
        """Return the adviser's advice for a prompt; the calls of bots have a higher priority.

        `view` is the view of the seat that must answer, and `history` is the history that this seat
        may know.  Raises the errors of `valletta_rules.analysis.advise`, and `WorkerError` if the
        worker fails.
        """
        async with self._turns.setdefault(table, asyncio.Lock()):
            return _paid(await self._do(HINT, partial(_remembering, advise, view, history)), payer)

    async def analyse(
        self, record: Record, payer: Account, report_progress: Callable[[float], object]
    ) -> tuple[Analysis, str]:
        """Return the analysis of a game, and the analysis as a JSON document.

        If the workers can report the progress, `report_progress` is called with values from 0 to 1.
        A worker finishes every analysis that it has started, and its CPU time is charged to
        `payer`, even if the caller is cancelled.  Raises the errors of `run`.
        """
        return await asyncio.shield(self.run(partial(analysed, record), payer, ANALYSIS))


def analysed(record: Record) -> tuple[Analysis, str]:
    """Return the analysis of a game, and the analysis as a JSON document."""
    analysis = analyse(record)
    return analysis, analysis_to_json(analysis)


def _remembering(
    compute: Callable[[PlayerView, Memory], Advice], view: PlayerView, history: SeatHistory
) -> Advice:
    """Call `compute` with the view of a seat and the memory that results from `history`."""
    return compute(view, history.memory())


def _paid(outcome: BotAnswer[T], payer: Account | None) -> T:
    """Charge an account for a call, and return the result of the call or raise its error."""
    if payer is not None:
        payer.charge(outcome.seconds)
    return outcome.get()


class LocalWorkers(Workers):
    """Workers that run in the thread of the event loop, for systems without processes."""

    async def __aexit__(self, *error: object) -> None:
        """Do nothing, because these workers have no processes."""

    async def _do(self, rank: int, call: Callable[[], T]) -> BotAnswer[T]:
        await asyncio.sleep(0)
        return await self._run_locally(call)

    async def analyse(
        self, record: Record, payer: Account, report_progress: Callable[[float], object]
    ) -> tuple[Analysis, str]:
        """Return the analysis of a game, and the analysis as a JSON document.

        Other tasks of the event loop can run after each move.
        """
        for number, analysis in enumerate(analysing(record), 1):
            if analysis is not None:
                return analysis, analysis_to_json(analysis)
            report_progress(number / (len(record.actions) + 1))
            for _ in range(STEPS_OF_A_SLICE):
                await asyncio.sleep(0)
        raise AssertionError("`analysing` must yield the analysis last")
