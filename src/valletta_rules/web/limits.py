"""Limits: how much the server does for others, and the buckets by which rates are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Generic, TypeVar

import attrs

RESERVE: Final = 0.5
"""The share of the CPU seconds of an address that its bots leave to its pages."""

T = TypeVar("T")

cpu_time: Final[Callable[[], float]] = getattr(time, "thread_time", time.perf_counter)
"""The CPU seconds of this thread, where the system counts them: a browser does not."""


@attrs.frozen
class Rate:
    """How many are allowed at once, and then how many a second."""

    burst: float
    per_second: float


@attrs.frozen
class Limits:
    """What the server does for others, and how much of it."""

    requests: Rate = Rate(2000, 50)
    """The requests of an address, WebSockets included: a whole class may share one."""
    rates: Mapping[str, Rate] = MappingProxyType(
        {
            **dict.fromkeys(("/api/tables", "/api/lessons"), Rate(10, 0.2)),
            "/api/card-set": Rate(20, 1),
            "/api/replay": Rate(10, 0.5),
        }
    )
    """In addition, the POST requests to each of these paths."""
    sockets: int = 64
    """How many WebSockets an address may hold."""
    address_cpu: Rate = Rate(20, 0.5)
    """The CPU seconds that the requests of an address may take, with the bots of its tables.

    A table is of the address from which it was opened, or opened again after a while.  A decision
    of the strongest bot among four takes 0.05 s, of the others 0.008 s, and at the usual pace
    follows 1.2 s after the last one.  So eleven tables of the strongest bots alone play on for
    ever, and 26 of three such bots and a person who takes 5 s; more of them play more slowly.
    """
    page_cpu: Rate = Rate(10, 0.25)
    """The CPU seconds that the messages of one WebSocket may take."""
    parsing: Rate = Rate(10, 0.5)
    """The CPU seconds that parsing what an address sends may take, whatever it is.

    They are apart from `address_cpu`: pages can be loaded while bots have used that up.
    """
    connection_parsing: Rate = Rate(2, 0.2)
    """The CPU seconds of these that one connection may take."""
    moves: int = 5_000
    """How many moves a game may have, chance and takebacks included; a usual one has some 300."""
    moves_held: int = 100_000
    """How many moves the games in memory may have together when another one is loaded."""
    moves_replayed: int = 50_000
    """How many of these may be of records that were opened."""


@attrs.define
class Bucket:
    """What is left of a rate."""

    rate: Rate
    at: float
    """When it was last filled up, in seconds."""
    left: float = attrs.Factory(lambda self: self.rate.burst, takes_self=True)

    def fill(self, now: float) -> float:
        """Return what is left of it by now."""
        grown = self.left + (now - self.at) * self.rate.per_second
        self.left, self.at = min(self.rate.burst, grown), now
        return self.left

    def take(self, now: float) -> bool:
        """Take one, and return whether there was one."""
        if self.fill(now) < 1:
            return False
        self.left -= 1
        return True


class PerAddress(Generic[T]):
    """Something for each address; in a crowd, addresses for which it is as new are forgotten."""

    def __init__(self, new: Callable[[], T], is_new: Callable[[T], bool], most: int) -> None:
        """Take how it begins, whether it is as in the beginning, and how many make a crowd."""
        self._new, self._is_new, self._most = new, is_new, most
        self._kept: dict[str, T] = {}

    def __len__(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._kept)

    def of(self, address: str) -> T:
        """Return what there is for an address."""
        if address not in self._kept:
            if len(self._kept) >= self._most:
                self._kept = {a: each for a, each in self._kept.items() if not self._is_new(each)}
            self._kept[address] = self._new()
        return self._kept[address]


class Buckets(PerAddress[Bucket]):
    """A bucket for each address."""

    def __init__(self, rate: Rate, clock: Callable[[], float], most: int = 1000) -> None:
        """Take the rate, a clock in seconds, and how many are kept before full ones are dropped."""
        self._clock = clock
        super().__init__(
            lambda: Bucket(rate, clock()), lambda each: each.fill(clock()) >= rate.burst, most
        )

    def take(self, address: str) -> bool:
        """Count a request, and return whether it may pass."""
        return self.of(address).take(self._clock())
