"""Load on a server of tables: many tables at once, from the same machine, for a bounded time.

Run ``python -m tests.web.load``.  It starts a server in a folder of its own, opens tables with two
people each, and lets each table have a move every few seconds, at random moments.  Meanwhile one
spectator reads nothing, and players of the machine think at tables of their own.  It prints how
long answers took, to whoever gave them and to the other seat, and what the server needed.

The client comes from several addresses of the loopback, as from several households, and so stays
within the usual limits.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs

from tests.web.client import Line, answers_of, open_table, tokens_of

TABLES_A_HOUSE: Final = 8
"""How many tables come from one address: an address may not open more at once."""

TICKS: Final = os.sysconf("SC_CLK_TCK")


@attrs.define
class Figures:
    """What is measured, in seconds and bytes."""

    acks: list[float] = attrs.field(factory=list)
    """From an answer to its acknowledgement."""
    steps: list[float] = attrs.field(factory=list)
    """From an answer to the step at the other seat."""
    sizes: list[int] = attrs.field(factory=list)
    """Bytes of a step for a seat."""
    pongs: list[float] = attrs.field(factory=list)
    """From a ping to its pong."""
    cpu: tuple[float, float] = (0.0, 0.0)
    """Seconds of CPU of the server, without its workers, and of this client."""
    begun: float = float("inf")
    """From when on it is measured."""


@attrs.define
class Table:
    """A table with two seats, and when each answer was sent."""

    name: str
    lines: tuple[Line, Line]
    rng: random.Random
    sent: dict[int, float] = attrs.field(factory=dict)
    """When the answer that makes a revision was sent."""

    async def follow(self, figures: Figures) -> None:
        """Hear what both seats are told."""
        await asyncio.gather(*(self.hear(seat, figures) for seat in range(2)))

    async def hear(self, seat: int, figures: Figures) -> None:
        """Hear what one seat is told."""
        line = self.lines[seat]
        async for text in line.socket:
            now = time.perf_counter()
            told = line.note(text)
            since = self.sent.get(told.get("revision", -1), 0.0)
            if told["type"] == "refused":
                raise AssertionError(told)
            if since < figures.begun:
                continue
            if told["type"] == "ack":
                figures.acks.append(now - since)
            elif told["type"] == "stepped":
                figures.sizes.append(len(text))
                if told["entry"]["seat"] != seat:
                    figures.steps.append(now - since)

    async def breathe(self) -> None:
        """Give signs of life, as a page does."""
        while True:
            await asyncio.sleep(10)
            for line in self.lines:
                await line.say({"type": "ping"})

    async def play(self, pause: float) -> None:
        """Answer for whoever is asked, now and then."""
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / pause))
            revision = max(line.revision for line in self.lines)
            asked = [line for line in self.lines if line.revision == revision]
            actions = [(line, each) for line in asked for each in answers_of(line.moment)]
            if not actions or revision + 1 in self.sent:
                continue  # what was answered last is still on its way
            line, action = self.rng.choice(actions)
            self.sent[revision + 1] = time.perf_counter()
            said = {"type": "answer", "id": str(revision), "revision": revision, "action": action}
            await line.say(said)


async def tick(line: Line, figures: Figures) -> None:
    """Ask for a sign of life ten times a second: the longest wait is the longest stall."""
    while True:
        asked = time.perf_counter()
        await line.say({"type": "ping"})
        await line.until("pong")
        if asked >= figures.begun:
            figures.pongs.append(time.perf_counter() - asked)
        await asyncio.sleep(0.1)


async def sit(port: int, number: int) -> Table:
    """Open a table, and connect both seats."""
    source = f"127.0.1.{1 + number // TABLES_A_HOUSE}"
    opened = await asyncio.to_thread(open_table, port, 2, source)
    tokens = tokens_of(opened)
    lines = [
        await Line.open(port, opened["table"], (tokens[seat],), source=source) for seat in range(2)
    ]
    for line in lines:
        await line.until("welcome")
    return Table(opened["table"], (lines[0], lines[1]), random.Random(number))


async def keep_thinking(port: int, number: int) -> None:
    """Play against two strong players of the machine, who never wait before they answer."""
    seats = [
        {"name": "", "colour": colour, "level": level}
        for colour, level in (("red", None), ("blue", "strong"), ("green", "master"))
    ]
    source = f"127.0.2.{number}"
    opened = await asyncio.to_thread(open_table, port, 3, source, seats=seats)
    tokens = (tokens_of(opened)[0], opened["opener"])
    line = await Line.open(port, opened["table"], tokens, source=source)
    await line.until("welcome")
    await line.say({"type": "pace", "id": "pace", "pause": 0})
    while line.moment["asked"] is not None:
        if actions := answers_of(line.moment):
            said = {"id": str(line.revision), "revision": line.revision, "action": actions[0]}
            await line.say({"type": "answer", **said})
        await line.until("stepped")


async def measure(port: int, process: int, options: argparse.Namespace) -> Figures:
    """Let everybody play for as long as it is wanted, and return the figures."""
    figures = Figures()
    tables, breathing = [], []
    for number in range(options.tables):
        tables.append(await sit(port, number))
        breathing.append(asyncio.create_task(tables[-1].breathe()))
    source = "127.0.3.1"
    watched = await asyncio.to_thread(open_table, port, 2, source)
    watch = await Line.open(port, watched["table"], source=source)
    await watch.until("welcome")
    deaf = await deaf_spectator(port, tables[0].name)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(table.follow(figures)) for table in tables]
        tasks += [group.create_task(table.play(options.pause)) for table in tables]
        tasks += [
            group.create_task(keep_thinking(port, each)) for each in range(1, 1 + options.bots)
        ]
        tasks.append(group.create_task(tick(watch, figures)))
        await asyncio.sleep(options.warm_up)
        figures.begun = time.perf_counter()
        before = cpu_of(process), time.process_time()
        await asyncio.sleep(options.seconds)
        figures.cpu = cpu_of(process) - before[0], time.process_time() - before[1]
        for task in (*tasks, *breathing):
            task.cancel()
    deaf.close()
    return figures


async def deaf_spectator(port: int, table: str) -> socket.socket:
    """Let somebody watch a table who reads nothing; return his connection."""
    line = socket.create_connection(("127.0.0.1", port), source_address=("127.0.3.2", 0))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    hello = {"type": "hello", "protocol": 1, "table": table, "tokens": [], "seen": None}
    text = json.dumps({**hello, "language": "en"}).encode()
    line.sendall(b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text)
    return line


def cpu_of(process: int) -> float:
    """Return how many seconds of CPU a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def milliseconds(seconds: Sequence[float]) -> str:
    """Say the median, the 95th percentile and the most."""
    cuts = statistics.quantiles(seconds, n=20)
    median, high, most = (1000 * each for each in (cuts[9], cuts[18], max(seconds)))
    return f"{median:6.0f} ms {high:6.0f} ms {most:6.0f} ms  of {len(seconds)}"


@contextlib.contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Start a server in a folder of its own; yield its port and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.web.served", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield int(server.stdout.readline().rpartition(":")[2]), server.pid
            finally:
                server.terminate()


def report(figures: Figures, seconds: float, cpu: tuple[float, float]) -> str:
    """Say what was measured."""
    server, client = (f"{each / seconds:.0%}" for each in cpu)
    sizes = sorted(figures.sizes)
    return "\n".join(
        (
            "                       median       95 %       most",
            f"answer to ack     {milliseconds(figures.acks)}",
            f"answer to other   {milliseconds(figures.steps)}",
            f"ping to pong      {milliseconds(figures.pongs)}",
            f"bytes of a step at a seat: {sizes[len(sizes) // 2]} at the median,"
            f" {sizes[len(sizes) * 19 // 20]} at the 95th percentile",
            f"of a core the server took {server}, this client {client};"
            f" load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        )
    )


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="Load on a server of tables.")
    parser.add_argument("--tables", type=int, default=200, help="how many tables (200)")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between moves (3)")
    parser.add_argument("--warm-up", type=float, default=20.0, help="seconds not measured (20)")
    parser.add_argument("--seconds", type=float, default=120.0, help="seconds measured (120)")
    parser.add_argument("--bots", type=int, default=2, help="tables with players who think (2)")
    options = parser.parse_args()
    with served() as (port, process):
        figures = asyncio.run(measure(port, process, options))
    sys.stdout.write(report(figures, options.seconds, figures.cpu) + "\n")


if __name__ == "__main__":
    main()
