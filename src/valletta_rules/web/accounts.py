"""Accounts: budgets of CPU time for each client address and for each of its pages.

Rate limits restrict the number and length of requests.  Accounts restrict the CPU time that the
requests take.
"""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator, Iterable
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar, cast

import attrs

from valletta_rules.web.limits import RESERVE, Bucket, PerAddress, Rate, cpu_time

SLICE: Final = 0.002
"""The CPU seconds that a long task may use before it must let other tasks run."""

STEPS_OF_A_SLICE: Final = 8
"""The number of event loop iterations between two slices.

A short task, such as the answer to a message, needs several iterations to finish.
"""

T = TypeVar("T")
U = TypeVar("U")


@attrs.define(eq=False)
class Account:
    """A budget of CPU time for an address, or for one of its pages.  It may be overdrawn."""

    bucket: Bucket
    clock: Callable[[], float] = monotonic
    owner: Account | None = None
    """The account of the page's address; `None` for the account of an address."""
    turn: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """The lock that is held while a worker executes a request of this account."""
    slot: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """The lock that is held while a long task of the address runs on the event loop."""
    waiting: int = 0
    """The number of this account's requests that a worker executes or that wait for a worker."""
    unread: int = 0
    """The number of characters that are queued for all pages of the address."""

    @property
    def address(self) -> Account:
        """The account of the address: this account or its owner."""
        return self.owner or self

    def page(self, rate: Rate) -> Account:
        """Return a new account, which is refilled at `rate`, for a page.

        CPU time that is charged to the new account is also charged to this one.
        """
        return Account(Bucket(rate, self.clock()), self.clock, self)

    def charge(self, seconds: float) -> None:
        """Deduct `seconds` of CPU time from this account and from its owner."""
        self.bucket.fill(self.clock())
        self.bucket.left -= seconds
        if self.owner is not None:
            self.owner.charge(seconds)

    @property
    def wait(self) -> float:
        """The seconds until the account is no longer overdrawn; 0 if it is not overdrawn."""
        own = self.wait_for(0.0)
        return own if self.owner is None else max(own, self.owner.wait)

    def wait_for(self, share: float) -> float:
        """Return the seconds until the budget is refilled to the fraction `share` of its maximum.

        The budget of `owner` is not considered.
        """
        rate = self.bucket.rate
        return max(0.0, (share * rate.burst - self.bucket.fill(self.clock())) / rate.per_second)

    async def credit(self) -> None:
        """Wait until the account is no longer overdrawn."""
        while (wait := self.wait) > 0:
            await asyncio.sleep(wait)

    async def spare(self) -> None:
        """Wait until the budget of the address has at least the part reserved for its pages."""
        while (wait := self.address.wait_for(RESERVE)) > 0:
            await asyncio.sleep(wait)

    async def metered(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in this thread, and charge its CPU time to the account.

        Returns the coroutine's result, or raises its error.
        """
        return await _metered(work, self.charge)


@types.coroutine
def _metered(
    work: Coroutine[Any, Any, T], charge: Callable[[float], None]
) -> Generator[Any, Any, T]:
    """Run a coroutine step by step, as `asyncio.Task` does; charge the CPU time of each step."""
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        start = cpu_time()
        try:
            awaited = step()
        except StopIteration as end:
            return cast(T, end.value)
        finally:
            charge(cpu_time() - start)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:
            step = partial(work.throw, error)


class Accounts(PerAddress[Account]):
    """A mapping from addresses to their accounts."""

    def __init__(
        self, rate: Rate, clock: Callable[[], float] = monotonic, most: int = 1000
    ) -> None:
        """Create an empty mapping; its accounts are refilled at `rate`.

        If there are `most` accounts or more, those with a full budget are dropped.  `clock` returns
        seconds.
        """
        super().__init__(
            lambda: Account(Bucket(rate, clock()), clock),
            lambda each: not each.waiting and each.bucket.fill(clock()) >= rate.burst,
            most,
        )


class CooperativeScheduler:
    """A scheduler that splits long tasks on the event loop into slices.

    Client addresses take turns.  A short task waits for at most one slice at each of its steps,
    regardless of the number of waiting long tasks.
    """

    def __init__(self) -> None:
        """Create a scheduler without tasks."""
        self._turn = asyncio.Lock()

    async def each(
        self, function: Callable[[T], U], items: Iterable[T], account: Account
    ) -> list[U]:
        """Call `function` with each item, and return the results.

        Other tasks can run between the calls.  The CPU time is charged to `account`.  Raises the
        errors of the function.
        """
        results, left, is_done = list[U](), iter(items), False
        while not is_done:
            async with account.address.slot, self._turn:
                end = cpu_time() + SLICE
                for item in left:
                    results.append(function(item))
                    if cpu_time() >= end:
                        break
                else:
                    is_done = True
                for _ in range(STEPS_OF_A_SLICE):
                    await asyncio.sleep(0)
        return results
