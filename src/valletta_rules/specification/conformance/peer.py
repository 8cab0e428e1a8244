"""The engine under test: a process that answers questions in JSON, one object per line.

Each reply has a timeout.  If the process misses the timeout, exits or sends a malformed reply, it
is killed with all its children, and restarted for the next question.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Final, Self

import attrs

from valletta_rules.specification.conformance.form import Json
from valletta_rules.specification.conformance.kit import PROTOCOL

MOST_RESTARTS: Final = 10
"""The number of restarts of an engine after which the run is aborted."""

LONGEST_START: Final = 30.0
"""The minimum timeout for the engine's first reply, in seconds."""

STDERR_LIMIT: Final = 2_000
"""The maximum number of characters reported from the end of the engine's standard error."""

OPS: Final = ("first", "legal", "next", "chance", "final", "events", "view")
"""The kinds of questions that the runner sends to an engine."""

ANSWERS: Final = ("result", "refused", "unsupported", "error")
"""The keys of replies; every reply contains exactly one of them."""


class FaultError(Exception):
    """Raised if the engine reports an error for a question, exits, or sends a malformed reply."""


class LateError(FaultError):
    """Raised if the engine does not reply before the timeout."""


class AbortedError(Exception):
    """Raised if the engine cannot be started, or has been restarted too often."""


@attrs.frozen
class Declared:
    """The properties that an engine declares when it starts."""

    name: str
    version: str
    language: str
    needs: tuple[str, ...]
    """The abilities of the engine; see `NEEDS` in `kit`."""
    ops: tuple[str, ...]
    """The kinds of question that the engine answers."""
    players: tuple[int, ...]
    """The numbers of players that the engine supports."""


@attrs.define
class Peer:
    """A connection to the process of the engine under test."""

    command: Sequence[str]
    """The command that starts the engine."""
    kit: str
    """The version of the kit, which is sent to the engine."""
    timeout: float = 5.0
    """The timeout for a reply in seconds; for the first reply it is at least `LONGEST_START`."""
    restarts: int = 0
    """The number of restarts so far."""
    _process: subprocess.Popen[bytes] | None = None
    _lines: queue.Queue[bytes] = attrs.field(factory=queue.Queue)
    _setup: Json | None = None
    _declared: Declared | None = None
    _seq: int = 0
    _stderr: IO[bytes] = attrs.field(factory=tempfile.TemporaryFile)

    def __enter__(self) -> Self:
        """Return this connection.  The process is started later, by `start`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the process, and kill it if it does not exit."""
        if self._process is not None:
            with suppress(FaultError):
                self._send({"command": "stop"})
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(min(self.timeout, 1.0))
            self._end()
        self._stderr.close()

    # Questions

    def start(self) -> Declared:
        """Start the engine if necessary, and return the properties that it declares.

        Raises `AbortedError` if the engine does not start or declares nothing.
        """
        if self._declared is None:
            try:
                self._begin()
            except FaultError as fault:
                raise AbortedError(f"the engine does not start: {fault}") from None
        assert self._declared is not None
        return self._declared

    def set_up(self, rules: Json, cards: Json) -> str | None:
        """Send the rules and cards that apply to the following questions.

        Returns the engine's reason if it does not support them, otherwise `None`.
        """
        self._setup = {"command": "setup", "rules": rules, "cards": cards}
        with self._kill_on_fault():
            return self._restart() if self._process is None else self._make_setup()

    def query(self, op: str, parameters: Json) -> Json:
        """Send a question, and return the reply.

        It contains one of the keys in `ANSWERS`, but never ``error``.

        Raises `FaultError` if the engine fails on the question, and `AbortedError` after too many
        restarts.
        """
        with self._kill_on_fault():
            if self._process is None:
                self._restart()
            return self._answer(op, parameters)

    def stderr_tail(self) -> str:
        """Return the last characters of the engine's standard error."""
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")[-STDERR_LIMIT:]

    # Restarts

    @contextmanager
    def _kill_on_fault(self) -> Iterator[None]:
        """Return a context manager that kills the engine if its block raises `FaultError`."""
        try:
            yield
        except FaultError:
            self._end()
            raise

    def _restart(self) -> str | None:
        """Restart the engine, and send the rules and cards again."""
        if self.restarts == MOST_RESTARTS:
            raise AbortedError(f"the engine was restarted {MOST_RESTARTS} times, the maximum")
        self.restarts += 1
        self._begin()
        return self._make_setup()

    def _begin(self) -> None:
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                start_new_session=True,
            )
        except OSError as error:
            raise AbortedError(f"{self.command[0]}: {error.strerror}") from None
        self._lines = queue.Queue()
        reader = threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
        )
        reader.start()
        start = {"command": "start", "protocol": PROTOCOL, "kit": self.kit}
        self._declared = _declared(self._exchange(start, max(self.timeout, LONGEST_START)))

    def _end(self) -> None:
        """Kill the engine and all its children."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process = None

    # Messages

    def _make_setup(self) -> str | None:
        assert self._setup is not None
        reply = self._exchange(self._setup, self.timeout)
        if reply == {"ok": True}:
            return None
        if reply.keys() == {"unsupported"} and isinstance(reply["unsupported"], str):
            return str(reply["unsupported"])
        raise _nonsense("setup", reply)

    def _answer(self, op: str, parameters: Json) -> Json:
        self._seq += 1
        question = {"command": "ask", "seq": self._seq, "op": op, **parameters}
        reply = self._exchange(question, self.timeout)
        if (seq := reply.pop("seq", None)) != self._seq:
            raise FaultError(
                f"the reply must have the seq of the request, {self._seq}, not {seq!r}"
            )
        if len(reply) != 1 or not reply.keys() <= set(ANSWERS):
            raise _nonsense("ask", reply)
        if not isinstance(reply.get("refused", {}), dict):
            raise _nonsense("ask", reply)
        if "error" in reply:
            raise FaultError(f"the engine reported an error: {str(reply['error'])[:200]}")
        return reply

    def _exchange(self, message: Json, seconds: float) -> Json:
        self._send(message)
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            message_ = f"no reply to {message['command']} within {seconds:g} s"
            raise LateError(message_) from None
        if not line.endswith(b"\n"):
            raise FaultError(f"the engine exited{_in_mid_line(line)}")
        try:
            reply = json.loads(line)
        except ValueError:
            raise FaultError(f"the reply is not JSON: {line[:80]!r}") from None
        if not isinstance(reply, dict):
            raise FaultError(f"the reply is not a JSON object: {line[:80]!r}")
        return reply

    def _send(self, message: Json) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise FaultError("the engine exited") from None


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Put the lines of a stream into a queue; an empty line marks the end of the stream."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _in_mid_line(line: bytes) -> str:
    return f" in the middle of a line: {line[:80]!r}" if line else ""


def _nonsense(command: str, reply: Json) -> FaultError:
    return FaultError(f"malformed reply to {command}: {json.dumps(reply)[:120]}")


def _declared(reply: Json) -> Declared:
    """Parse the reply in which an engine declares its properties."""
    try:
        if reply.keys() != {"protocol", "engine", "needs", "ops", "players"}:
            raise _nonsense("start", reply)
        if reply["protocol"] != PROTOCOL:
            raise FaultError(f"the engine uses protocol {reply['protocol']!r}, not {PROTOCOL}")
        about: dict[str, str] = reply["engine"]
        return Declared(
            **{key: str(about[key]) for key in ("name", "version", "language")},
            needs=tuple(sorted(reply["needs"])),
            ops=tuple(sorted(reply["ops"])),
            players=tuple(sorted(reply["players"])),
        )
    except (TypeError, KeyError):
        raise _nonsense("start", reply) from None
