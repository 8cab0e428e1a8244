"""The gate: bytes reach the parsers of HTTP and of WebSockets piece by piece, and are paid for.

asyncio reads up to 256 KiB at once, which a parser turns into 100,000 chunks, frames or
requests in a single call, while all other connections wait.  A gate is between each socket and its
parser.  It knows no protocol: whatever the bytes are, each turn of the event loop parses few of
them, the CPU time is charged to an account, and a connection whose account is overdrawn, or which
does not read what it is sent, is not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from valletta_rules.web.accounts import Account
from valletta_rules.web.limits import cpu_time

READ: Final = 16 * 1024
"""How many bytes are read from a socket at once; also the most that one turn of the loop parses."""

PIECE: Final = 512
"""How many bytes a parser gets at once: some 85 of the smallest frames."""

TURN: Final = 0.001
"""After how many CPU seconds of parsing the other work of the loop goes on."""


class Turns:
    """The gates with bytes to be parsed: the addresses take turns.

    Of the connections of an address, the one that has used least CPU time is first.
    """

    def __init__(self, clock: Callable[[], float] = cpu_time) -> None:
        """Take the clock by which the CPU time is measured."""
        self.clock: Final = clock
        self.buffer: Final = bytearray(READ)
        """Where all gates read to; each copies what it has read at once."""
        self._waiting: dict[Account, list[Gate]] = {}
        self._is_due = False

    def put(self, gate: Gate) -> None:
        """Let a gate have its turn, after those that wait."""
        self._waiting.setdefault(gate.account.address, []).append(gate)
        if not self._is_due:
            self._is_due = True
            gate.loop.call_soon(self._take, gate.loop)

    def _take(self, loop: asyncio.AbstractEventLoop) -> None:
        """Parse pieces for a while; go on in the next turn of the loop, after its other work."""
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

    The parser may pause reading, and give way to another parser, as with any transport.
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
        """Take the parser, where turns are taken, and who pays for a transport."""
        self.loop: Final = loop
        self.is_open = False
        """Whether the parser is at work in a turn of this gate."""
        self._parser: Any = parser  # whose transport is this gate
        self._turns, self._account_of = turns, account_of
        self._unparsed = bytearray()
        self._next: Callable[[], None] | None = None
        """By what the parser goes on with what it has parsed."""
        self._is_waiting = False
        self._is_paused = self._is_unread = False
        """Whether the parser has paused reading; whether what was sent waits to be read."""
        self._overdrawn: asyncio.TimerHandle | None = None

    def used(self) -> float:
        """Return how many CPU seconds it has used lately."""
        bucket = self.account.bucket
        return bucket.rate.burst - bucket.fill(self.account.clock())

    # What the socket calls

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        self.transport, self.account = transport, self._account_of(transport)
        self._parser.connection_made(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return where to read to."""
        return self._turns.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take what has been read; read on at most once before it has been parsed."""
        if self._unparsed:
            self.transport.pause_reading()
        self._unparsed += self._turns.buffer[:nbytes]
        self._wait()

    def eof_received(self) -> None:
        """Pass on that nothing more comes; the transport closes."""
        self._parser.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._unparsed.clear()
        self._next = None
        if self._overdrawn is not None:
            self._overdrawn.cancel()
        self._parser.connection_lost(exc)

    def pause_writing(self) -> None:
        """Parse nothing until what was sent has been read: the answers would pile up."""
        self._is_unread = True
        self._parser.pause_writing()

    def resume_writing(self) -> None:
        """Parse again."""
        self._is_unread = False
        self._parser.resume_writing()
        self._wait()

    # What the parser calls

    def __getattr__(self, name: str) -> Any:
        """Pass on whatever else a transport can."""
        return getattr(self.transport, name)

    def pause_reading(self) -> None:
        """Give the parser nothing."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Give the parser what comes."""
        self._is_paused = False
        self._wait()

    def set_protocol(self, protocol: Any) -> None:
        """Give what comes to another parser."""
        self._parser = protocol

    def ask_again(self, go_on: Callable[[], None]) -> None:
        """Let the parser go on with what it has parsed, when it is this gate's turn."""
        self._next = go_on
        self._wait()

    # Turns

    @property
    def _has_work(self) -> bool:
        """Whether there is something to parse, and nothing is in the way."""
        if self._is_paused or self._is_unread or self.transport.is_closing():
            return False
        return self._next is not None or bool(self._unparsed)

    def _wait(self) -> None:
        """Wait for a turn, if there is work; if the account is overdrawn, wait for that first."""
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
        """Let the parser work on pieces, and charge the CPU time; errors end the connection.

        Takes until when, and how many bytes at most.  Returns how many it was.
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
        """Let the parser work on one piece."""
        if self._next is not None:
            go_on, self._next = self._next, None
            go_on()
        else:
            piece = bytes(self._unparsed[:PIECE])
            del self._unparsed[:PIECE]
            self._parser.data_received(piece)
