"""The gate: bytes reach the parsers of HTTP and of WebSockets in pieces, and are charged for.

asyncio reads up to 256 KiB at once, which a parser turns into 100,000 chunks, frames or requests in
a single call, while all other connections wait.  A gate sits between each socket and its parser.
It knows no protocol: whatever the bytes are, each turn of the event loop parses few of them, and
the CPU time is charged to an account.  A connection whose account is overdrawn, or that does not
read its responses, is not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from valletta_rules.web.accounts import Account
from valletta_rules.web.limits import cpu_time

READ: Final = 16 * 1024
"""The number of bytes that are read from a socket at once, and the most that a turn parses."""

PIECE: Final = 512
"""The number of bytes that a parser gets at once: some 85 of the smallest frames."""

TURN: Final = 0.001
"""The CPU seconds of parsing after which the event loop does its other work."""


class Turns:
    """The gates with bytes to be parsed: the addresses take turns.

    Among the connections of an address, the one that has used the least CPU time is first.
    """

    def __init__(self, clock: Callable[[], float] = cpu_time) -> None:
        """Create an empty queue; `clock` measures CPU time."""
        self.clock: Final = clock
        self.buffer: Final = bytearray(READ)
        """The buffer into which all gates read; each copies what it has read at once."""
        self._waiting: dict[Account, list[Gate]] = {}
        self._is_due = False

    def put(self, gate: Gate) -> None:
        """Append a gate to the queue."""
        self._waiting.setdefault(gate.account.address, []).append(gate)
        if not self._is_due:
            self._is_due = True
            gate.loop.call_soon(self._take, gate.loop)

    def _take(self, loop: asyncio.AbstractEventLoop) -> None:
        """Parse pieces for a while; continue in the next turn of the loop, after its other work."""
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
    """The protocol of a socket, and the transport of its parser.

    The parser may pause reading, and hand over to another parser, as with any transport.
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
        """Create the gate of a parser; `account_of` returns the account that is charged."""
        self.loop: Final = loop
        self.is_open = False
        """Whether the parser is running in a turn of this gate."""
        self._parser: Any = parser  # its transport is this gate
        self._turns, self._account_of = turns, account_of
        self._unparsed = bytearray()
        self._next: Callable[[], None] | None = None
        """The function by which the parser continues with its parsed data."""
        self._is_waiting = False
        self._is_paused = self._is_unread = False
        """Whether the parser has paused reading, and whether sent data waits to be read."""
        self._overdrawn: asyncio.TimerHandle | None = None

    def used(self) -> float:
        """Return the CPU seconds that it has used recently."""
        bucket = self.account.bucket
        return bucket.rate.burst - bucket.fill(self.account.clock())

    # What the socket calls

    def connection_made(self, transport: Any) -> None:
        """Pass the connection on to the parser."""
        self.transport, self.account = transport, self._account_of(transport)
        self._parser.connection_made(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the buffer to read into."""
        return self._turns.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Store the bytes that were read; read at most once more before they are parsed."""
        if self._unparsed:
            self.transport.pause_reading()
        self._unparsed += self._turns.buffer[:nbytes]
        self._wait()

    def eof_received(self) -> None:
        """Pass on that the peer has closed its side; the transport closes."""
        self._parser.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Pass on that the connection is closed."""
        self._unparsed.clear()
        self._next = None
        if self._overdrawn is not None:
            self._overdrawn.cancel()
        self._parser.connection_lost(exc)

    def pause_writing(self) -> None:
        """Stop parsing until the sent data has been read: responses would pile up."""
        self._is_unread = True
        self._parser.pause_writing()

    def resume_writing(self) -> None:
        """Resume parsing."""
        self._is_unread = False
        self._parser.resume_writing()
        self._wait()

    # What the parser calls

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the transport."""
        return getattr(self.transport, name)

    def pause_reading(self) -> None:
        """Stop passing bytes to the parser."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Pass bytes to the parser again."""
        self._is_paused = False
        self._wait()

    def set_protocol(self, protocol: Any) -> None:
        """Pass bytes to another parser from now on."""
        self._parser = protocol

    def ask_again(self, go_on: Callable[[], None]) -> None:
        """Let the parser continue with its parsed data when it is this gate's turn."""
        self._next = go_on
        self._wait()

    # Turns

    @property
    def _has_work(self) -> bool:
        """Whether there is something to parse, and nothing prevents it."""
        if self._is_paused or self._is_unread or self.transport.is_closing():
            return False
        return self._next is not None or bool(self._unparsed)

    def _wait(self) -> None:
        """Wait for a turn, if there is work; if the account is overdrawn, wait for credit first."""
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
        """Let the parser process pieces, and charge the CPU time; errors end the connection.

        Stops at the time `end`, or after `most` bytes.  Returns the number of bytes that were
        parsed.
        """
        self._is_waiting, self.is_open = False, True
        begun, done = self._turns.clock(), 0
        try:
            while self._has_work and done + PIECE <= most:
                done += PIECE
                self._work()
                if self._turns.clock() >= end:
                    break
        except Exception as error:
            self.transport.abort()
            said = {"message": "a parser failed", "exception": error, "protocol": self._parser}
            self.loop.call_exception_handler(said)
        finally:
            self.is_open = False
            self.account.charge(self._turns.clock() - begun)
        if not self._unparsed:
            self.transport.resume_reading()
        self._wait()
        return done

    def _work(self) -> None:
        """Let the parser process one piece."""
        if self._next is not None:
            go_on, self._next = self._next, None
            go_on()
        else:
            piece = bytes(self._unparsed[:PIECE])
            del self._unparsed[:PIECE]
            self._parser.data_received(piece)
