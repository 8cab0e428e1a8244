"""The limits on requests, connections and CPU time, and the token buckets that enforce rates."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Generic, TypeVar

import attrs

RESERVE: Final = 0.5
"""The share of an address's CPU budget that is reserved for its pages, not for bots."""

T = TypeVar("T")

cpu_time: Final[Callable[[], float]] = getattr(time, "thread_time", time.perf_counter)
"""A function that returns this thread's CPU time in seconds; in a browser, the elapsed time."""


@attrs.frozen
class Rate:
    """A rate limit: at most `burst` units at once, refilled at `per_second` units per second."""

    burst: float
    per_second: float


@attrs.frozen
class Limits:
    """The limits that the server enforces on its clients."""

    requests: Rate = Rate(2000, 50)
    """The limit on requests from an address, including WebSockets.

    Many clients, such as those in a school, may share an address.
    """
    rates: Mapping[str, Rate] = MappingProxyType(
        {
            **dict.fromkeys(("/api/tables", "/api/lessons"), Rate(10, 0.2)),
            "/api/card-set": Rate(20, 1),
            "/api/replay": Rate(10, 0.5),
        }
    )
    """A mapping from paths to additional limits on POST requests from an address."""
    sockets: int = 64
    """The maximum number of open WebSockets from an address."""
    address_cpu: Rate = Rate(20, 0.5)
    """The limit on the CPU seconds for the requests from an address and the bots at its tables.

    The bots at a table are charged to the address for which the server has loaded the table.

    With four players, the strongest bot needs 0.05 s for a decision, and any other bot 0.008 s.  By
    default, decisions are 1.2 s apart.  The budget is therefore sufficient for 11 tables with only
    the strongest bots, or for 26 tables with three of them and a person who needs 5 s for a
    decision.  With more tables, the bots answer more slowly.
    """
    page_cpu: Rate = Rate(10, 0.25)
    """The limit on the CPU seconds for the messages of one WebSocket."""
    parsing: Rate = Rate(10, 0.5)
    """The limit on the CPU seconds for parsing all bytes that an address sends.

    It is separate from `address_cpu`, so that pages load even if bots have used up that budget.
    """
    connection_parsing: Rate = Rate(2, 0.2)
    """The limit on the CPU seconds for parsing the bytes of one connection."""
    moves: int = 5_000
    """The maximum number of moves of a game, including takebacks; a typical game has 300."""
    moves_in_memory: int = 100_000
    """The maximum total number of moves of all games in memory; further games are not loaded."""
    moves_replayed: int = 50_000
    """The maximum total number of moves in all opened records in memory."""


@attrs.define
class Bucket:
    """A token bucket, which is refilled continuously."""

    rate: Rate
    at: float
    """The time of the last refill, in seconds."""
    left: float = attrs.Factory(lambda self: self.rate.burst, takes_self=True)

    def fill(self, now: float) -> float:
        """Refill the bucket for the time since the last refill, and return the number of tokens."""
        grown = self.left + (now - self.at) * self.rate.per_second
        self.left, self.at = min(self.rate.burst, grown), now
        return self.left

    def take(self, now: float) -> bool:
        """Remove a token; return `False` if the bucket contains none."""
        if self.fill(now) < 1:
            return False
        self.left -= 1
        return True


class PerAddress(Generic[T]):
    """A mapping from addresses to values.  When full, it drops values in their initial state."""

    def __init__(self, new: Callable[[], T], is_new: Callable[[T], bool], most: int) -> None:
        """Create an empty mapping.

        `new` creates the value for an address.  If the mapping contains `most` addresses or more,
        it drops the values for which `is_new` returns `True`.
        """
        self._new, self._is_new, self._most = new, is_new, most
        self._values: dict[str, T] = {}

    def __len__(self) -> int:
        """Return the number of addresses in the mapping."""
        return len(self._values)

    def of(self, address: str) -> T:
        """Return the value for an address; create it if it does not exist."""
        if address not in self._values:
            if len(self._values) >= self._most:
                self._values = {
                    a: each for a, each in self._values.items() if not self._is_new(each)
                }
            self._values[address] = self._new()
        return self._values[address]


class Buckets(PerAddress[Bucket]):
    """A mapping from addresses to their token buckets."""

    def __init__(self, rate: Rate, clock: Callable[[], float], most: int = 1000) -> None:
        """Create an empty mapping; its buckets are refilled at `rate`.

        If there are `most` buckets or more, full buckets are dropped.  `clock` returns seconds.
        """
        self._clock = clock
        super().__init__(
            lambda: Bucket(rate, clock()), lambda each: each.fill(clock()) >= rate.burst, most
        )

    def take(self, address: str) -> bool:
        """Count a request from an address, and return whether the request is allowed."""
        return self.of(address).take(self._clock())
