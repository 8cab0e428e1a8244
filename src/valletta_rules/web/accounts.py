"""Accounts: the CPU time that an address and each of its pages may use, and how it is measured.

Limits on requests bound their number and their length; this bounds the work that they cause.
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
"""How many CPU seconds the loop works on one thing before it lets others go on."""

STEPS_OF_A_SLICE: Final = 8
"""How many steps the loop makes between two slices: a message needs some until it is answered."""

T = TypeVar("T")
U = TypeVar("U")


@attrs.define(eq=False)
class Account:
    """The CPU seconds that an address may use, or one of its pages; it may be overdrawn."""

    bucket: Bucket
    clock: Callable[[], float] = monotonic
    owner: Account | None = None
    """The account of the address, if it is a page's."""
    turn: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """Held while a worker works for it: an address has one at a time."""
    slot: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    """Held while the loop works for it, or it is in line for that: it is there only once."""
    waiting: int = 0
    """How many requests of the address wait for its turn, or have it."""
    unread: int = 0
    """How many characters are on their way to the pages of the address."""

    @property
    def address(self) -> Account:
        """The account of the address."""
        return self.owner or self

    def page(self, rate: Rate) -> Account:
        """Return the account of a page of this address, which pays from both."""
        return Account(Bucket(rate, self.clock()), self.clock, self)

    def charge(self, seconds: float) -> None:
        """Take CPU seconds from it, which have been used."""
        self.bucket.fill(self.clock())
        self.bucket.left -= seconds
        if self.owner is not None:
            self.owner.charge(seconds)

    @property
    def wait(self) -> float:
        """In how many seconds it is no longer overdrawn; 0 if it is not."""
        own = self.wait_for(0.0)
        return own if self.owner is None else max(own, self.owner.wait)

    def wait_for(self, share: float) -> float:
        """Return in how many seconds it has a share of what it can have, without its owner."""
        rate = self.bucket.rate
        return max(0.0, (share * rate.burst - self.bucket.fill(self.clock())) / rate.per_second)

    async def credit(self) -> None:
        """Wait until it is no longer overdrawn."""
        while (wait := self.wait) > 0:
            await asyncio.sleep(wait)

    async def spare(self) -> None:
        """Wait until the address has CPU time to spare, which its pages do not need soon."""
        while (wait := self.address.wait_for(RESERVE)) > 0:
            await asyncio.sleep(wait)

    async def metered(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work, and charge its CPU time in this thread; return and raise what it does."""
        return await _metered(work, self.charge)


@types.coroutine
def _metered(
    work: Coroutine[Any, Any, T], charge: Callable[[float], None]
) -> Generator[Any, Any, T]:
    """Run some work, step by step as a task does, and report the CPU time of each step."""
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        begun = cpu_time()
        try:
            awaited = step()
        except StopIteration as end:
            return cast(T, end.value)
        finally:
            charge(cpu_time() - begun)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:
            step = partial(work.throw, error)


class Accounts(PerAddress[Account]):
    """The account of each address."""

    def __init__(
        self, rate: Rate, clock: Callable[[], float] = monotonic, most: int = 1000
    ) -> None:
        """Take the rate, a clock in seconds, and how many are kept before full ones are dropped."""
        super().__init__(
            lambda: Account(Bucket(rate, clock()), clock),
            lambda each: not each.waiting and each.bucket.fill(clock()) >= rate.burst,
            most,
        )


class CooperativeScheduler:
    """Work on the loop, which goes on in slices: one at a time, and the addresses take turns.

    So messages that need little work wait for one slice at each step, not for one of each page.
    """

    def __init__(self) -> None:
        """Be free."""
        self._turn = asyncio.Lock()

    async def each(
        self, function: Callable[[T], U], items: Iterable[T], account: Account
    ) -> list[U]:
        """Return the results of a function for some items; others go on in between.

        Takes the account for which it is done.  Raises what the function raises.
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
