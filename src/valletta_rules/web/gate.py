"""A gate between a socket and its parser, which limits the CPU time for parsing.

asyncio reads up to 256 KiB at a time.  From these bytes, a parser for HTTP or WebSockets may create
100,000 chunks, frames or requests in a single call, while all other connections wait.  A gate
therefore passes the bytes to the parser in small pieces, a few in each iteration of the event loop,
and charges the CPU time to an account.  A gate stops reading while the account is overdrawn or the
client does not read its responses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from valletta_rules.web.accounts import Account
from valletta_rules.web.limits import cpu_time

READ: Final = 16 * 1024
"""The maximum number of bytes in a read from a socket, and in a turn of parsing."""

PIECE: Final = 512
"""The maximum number of bytes in one call of a parser: about 85 of the smallest frames."""

TURN: Final = 0.001
"""The CPU seconds after which a turn of parsing ends and the event loop runs other callbacks."""


class Turns:
    """A queue of the gates that have bytes to parse.

    Client addresses take turns.  Among the connections from an address, the one that has used the
    least CPU time is first.
    """

    def __init__(self, clock: Callable[[], float] = cpu_time) -> None:
        """Create an empty queue; `clock` returns the CPU time in seconds."""
        self.clock: Final = clock
        self.buffer: Final = bytearray(READ)
        """The buffer into which every gate reads; the gate copies its bytes immediately."""
        self._waiting: dict[Account, list[Gate]] = {}
        self._is_due = False

    def put(self, gate: Gate) -> None:
        """Append a gate to the queue."""
        self._waiting.setdefault(gate.account.address, []).append(gate)
        if not self._is_due:
            self._is_due = True
            gate.loop.call_soon(self._take, gate.loop)

    def _take(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let gates parse until the turn ends; schedule another turn if gates are still waiting."""
        end, left = self.clock() + TURN, READ
        while self._waiting and left >= PIECE:
            payer = next(iter(self._waiting))
            gates = self._waiting.pop(payer)
            gate = min(gates, key=Gate.used) if gates[1:] else gates[0]
            gates.remove(gate)
            if gates:
                self._waiting[payer] = gates
            left -= gate.take_turn(end, left)
            if self.clock() >= end:
                break
        self._is_due = bool(self._waiting)
        if self._is_due:
            loop.call_soon(self._take, loop)


class Gate(asyncio.BufferedProtocol):
    """A gate between a socket and its parser.

    The gate is the asyncio protocol of the socket and the transport of the parser.  As with any
    transport, the parser may pause reading, or replace itself with another parser.
    """

    transport: asyncio.Transport
    account: Account

    def __init__(
        self,
        parser: asyncio.Protocol,
        turns: Turns,
        account_of: Callable[[asyncio.Transport], Account],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Create a gate in front of `parser`.

        `turns` is the queue of all gates, `account_of` returns an account for a transport, and
        `loop` is the event loop.
        """
        self.loop: Final = loop
        self.is_open = False
        """Whether the parser is running in a turn of this gate."""
        self._parser: Any = parser  # this gate is the parser's transport
        self._turns, self._account_of = turns, account_of
        self._unparsed = bytearray()
        self._next: Callable[[], None] | None = None
        """A callback of the parser that must still be called, or `None`."""
        self._is_waiting = False
        self._is_paused = self._is_unread = False
        """Whether the parser has paused reading.

        `_is_unread` is true while the write buffer is full.
        """
        self._overdrawn: asyncio.TimerHandle | None = None

    def used(self) -> float:
        """Return the CPU seconds that the connection has used recently."""
        bucket = self.account.bucket
        return bucket.rate.burst - bucket.fill(self.account.clock())

    # Methods that asyncio calls

    def connection_made(self, transport: Any) -> None:
        """Look up the account of the connection, and pass the event to the parser."""
        self.transport, self.account = transport, self._account_of(transport)
        self._parser.connection_made(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the buffer that all gates share, into which asyncio reads from the socket."""
        return self._turns.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Copy the bytes that were read; pause reading if earlier bytes are not parsed yet."""
        if self._unparsed:
            self.transport.pause_reading()
        self._unparsed += self._turns.buffer[:nbytes]
        self._wait()

    def eof_received(self) -> None:
        """Report the end of the input to the parser; the transport then closes."""
        self._parser.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Discard the unparsed bytes, and pass the event to the parser."""
        self._unparsed.clear()
        self._next = None
        if self._overdrawn is not None:
            self._overdrawn.cancel()
        self._parser.connection_lost(exc)

    def pause_writing(self) -> None:
        """Stop parsing until the write buffer has room for the responses."""
        self._is_unread = True
        self._parser.pause_writing()

    def resume_writing(self) -> None:
        """Resume parsing after the write buffer has been emptied."""
        self._is_unread = False
        self._parser.resume_writing()
        self._wait()

    # Methods that the parser calls

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the socket's transport, for use by the parser."""
        return getattr(self.transport, name)

    def pause_reading(self) -> None:
        """Stop passing bytes to the parser."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Pass bytes to the parser again."""
        self._is_paused = False
        self._wait()

    def set_protocol(self, protocol: Any) -> None:
        """Replace the parser with `protocol`."""
        self._parser = protocol

    def call_in_later_turn(self, go_on: Callable[[], None]) -> None:
        """Schedule a call of the parser's callback `go_on` in a later turn of this gate."""
        self._next = go_on
        self._wait()

    # Turns

    @property
    def _has_work(self) -> bool:
        """Whether there are bytes or a callback to process, and processing is not paused."""
        if self._is_paused or self._is_unread or self.transport.is_closing():
            return False
        return self._next is not None or bool(self._unparsed)

    def _wait(self) -> None:
        """Enter the queue if this gate has work; if the account is overdrawn, try again later."""
        if self._is_waiting or self._overdrawn or not self._has_work:
            return
        if (seconds := self.account.wait) > 0:
            self._overdrawn = self.loop.call_later(seconds, self._wait_again)
        else:
            self._is_waiting = True
            self._turns.put(self)

    def _wait_again(self) -> None:
        self._overdrawn = None
        self._wait()

    def take_turn(self, end: float, most: int) -> int:
        """Let the parser process pieces of the bytes, and charge the CPU time to the account.

        Stops at the time `end`, or after `most` bytes.  Returns the number of bytes that were
        parsed.  An error in the parser closes the connection.
        """
        self._is_waiting, self.is_open = False, True
        start, done = self._turns.clock(), 0
        try:
            while self._has_work and done + PIECE <= most:
                done += PIECE
                self._work()
                if self._turns.clock() >= end:
                    break
        except Exception as error:
            self.transport.abort()
            context = {"message": "a parser failed", "exception": error, "protocol": self._parser}
            self.loop.call_exception_handler(context)
        finally:
            self.is_open = False
            self.account.charge(self._turns.clock() - start)
        if not self._unparsed:
            self.transport.resume_reading()
        self._wait()
        return done

    def _work(self) -> None:
        """Call the parser's pending callback, or let the parser process up to `PIECE` bytes."""
        if self._next is not None:
            go_on, self._next = self._next, None
            go_on()
        else:
            piece = bytes(self._unparsed[:PIECE])
            del self._unparsed[:PIECE]
            self._parser.data_received(piece)
