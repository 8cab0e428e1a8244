"""Limits: how much the server does for its clients, and the token buckets that enforce rates."""

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
    """A rate: the burst that is allowed at once, and the number per second after it."""

    burst: float
    per_second: float


@attrs.frozen
class Limits:
    """The limits on what the server does for its clients."""

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

    A table belongs to the address from which it was opened, or reopened after a while.  A decision
    of the strongest bot among four takes 0.05 s, of the others 0.008 s, and at the usual pace
    follows 1.2 s after the previous one.  Eleven tables of the strongest bots alone can therefore
    play on for ever, and so can 26 tables of three such bots and a person who takes 5 s; more of
    them play more slowly.
    """
    page_cpu: Rate = Rate(10, 0.25)
    """The CPU seconds that the messages of one WebSocket may take."""
    parsing: Rate = Rate(10, 0.5)
    """The CPU seconds that parsing the bytes of an address may take, whatever they are.

    They are separate from `address_cpu`: pages can be loaded while bots have used that up.
    """
    connection_parsing: Rate = Rate(2, 0.2)
    """The parsing seconds that one connection may take."""
    moves: int = 5_000
    """The maximum number of moves of a game, chance and takebacks included; usual ones have 300."""
    moves_held: int = 100_000
    """The maximum number of moves of all games in memory when another one is loaded."""
    moves_replayed: int = 50_000
    """The maximum number of these that may belong to opened records."""


@attrs.define
class Bucket:
    """A token bucket."""

    rate: Rate
    at: float
    """The time of the last refill, in seconds."""
    left: float = attrs.Factory(lambda self: self.rate.burst, takes_self=True)

    def fill(self, now: float) -> float:
        """Refill the bucket up to `now`, and return the number of tokens."""
        grown = self.left + (now - self.at) * self.rate.per_second
        self.left, self.at = min(self.rate.burst, grown), now
        return self.left

    def take(self, now: float) -> bool:
        """Take one token, and return whether there was one."""
        if self.fill(now) < 1:
            return False
        self.left -= 1
        return True


class PerAddress(Generic[T]):
    """A value for each address; in a crowd, addresses whose value is as good as new are dropped."""

    def __init__(self, new: Callable[[], T], is_new: Callable[[T], bool], most: int) -> None:
        """Create an empty mapping.

        `new` makes the value of an address, `is_new` tells whether it can be dropped, and `most` is
        the number of addresses from which on they form a crowd.
        """
        self._new, self._is_new, self._most = new, is_new, most
        self._kept: dict[str, T] = {}

    def __len__(self) -> int:
        """Return the number of addresses that have a value."""
        return len(self._kept)

    def of(self, address: str) -> T:
        """Return the value of an address; create it if there is none."""
        if address not in self._kept:
            if len(self._kept) >= self._most:
                self._kept = {a: each for a, each in self._kept.items() if not self._is_new(each)}
            self._kept[address] = self._new()
        return self._kept[address]


class Buckets(PerAddress[Bucket]):
    """A token bucket for each address."""

    def __init__(self, rate: Rate, clock: Callable[[], float], most: int = 1000) -> None:
        """Drop full buckets when there are more than `most`; `clock` returns seconds."""
        self._clock = clock
        super().__init__(
            lambda: Bucket(rate, clock()), lambda each: each.fill(clock()) >= rate.burst, most
        )

    def take(self, address: str) -> bool:
        """Count a request, and return whether it is allowed."""
        return self.of(address).take(self._clock())
