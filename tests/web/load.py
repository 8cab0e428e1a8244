"""Load on a server of tables: many tables at once, from the same machine, for a bounded time.

Run ``python -m tests.web.load``.  It starts a server in a folder of its own, opens tables with two
people each, and lets each table have a move every few seconds, at random moments.  It prints how
long answers took, to whoever gave them and to the other seat, and how much of a core was needed.

The client comes from several addresses of the loopback, as from several households, and so stays
within the usual limits.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
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


@attrs.define
class Table:
    """A table with two seats, and when each answer was sent."""

    lines: list[Line]
    rng: random.Random
    sent: dict[int, float] = attrs.field(factory=dict)
    """When the answer that makes a revision was sent."""

    @classmethod
    async def open(cls, port: int, number: int) -> Table:
        """Open a table, and connect both seats."""
        source = f"127.0.1.{1 + number // TABLES_A_HOUSE}"
        opened = await asyncio.to_thread(open_table, port, 2, source)
        lines = []
        for token in tokens_of(opened).values():
            lines.append(await Line.open(port, opened["table"], (token,), source=source))
            await lines[-1].until("welcome")
        return cls(lines, random.Random(number))

    async def hear(self, seat: int, acks: list[float], steps: list[float]) -> None:
        """Hear what a seat is told, and note how long it took."""
        async for text in self.lines[seat].socket:
            told = self.lines[seat].note(text)
            since = time.perf_counter() - self.sent.get(told.get("revision", -1), 0.0)
            if told["type"] == "ack":
                acks.append(since)
            elif told["type"] == "stepped" and told["entry"]["seat"] != seat:
                steps.append(since)

    async def play(self, pause: float) -> None:
        """Answer for whoever is asked, now and then."""
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / pause))
            revision = max(line.revision for line in self.lines)
            asked = [line for line in self.lines if line.revision == revision]
            actions = [(line, each) for line in asked for each in answers_of(line.moment)]
            if actions and revision + 1 not in self.sent:
                line, action = self.rng.choice(actions)
                self.sent[revision + 1] = time.perf_counter()
                said = {"id": str(revision), "revision": revision, "action": action}
                await line.say({"type": "answer", **said})


async def measure(port: int, options: argparse.Namespace) -> tuple[list[float], list[float]]:
    """Let everybody play for as long as it is wanted; return how long acks and steps took."""
    tables = [await Table.open(port, number) for number in range(options.tables)]
    acks, steps = list[float](), list[float]()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(options.seconds), asyncio.TaskGroup() as group:
            for table in tables:
                group.create_task(table.play(options.pause))
                for seat in range(2):
                    group.create_task(table.hear(seat, acks, steps))
    return acks, steps


def cpu_of(process: int) -> float:
    """Return how many seconds of CPU a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description="Load on a server of tables.")
    parser.add_argument("--tables", type=int, default=200, help="how many tables (200)")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds between moves (3)")
    parser.add_argument("--seconds", type=float, default=120.0, help="seconds measured (120)")
    options = parser.parse_args()
    with served() as (port, process):
        acks, steps = asyncio.run(measure(port, options))
        used = cpu_of(process) / options.seconds
    sys.stdout.write(
        "                       median       95 %       most\n"
        f"answer to ack     {milliseconds(acks)}\nanswer to other   {milliseconds(steps)}\n"
        f"of a core the server took {used:.0%}\n"
    )


if __name__ == "__main__":
    main()
