"""Run the server of ``valletta serve`` for tests, optionally with a crash at a given revision.

Run ``python -m tests.web.served --folder FOLDER [--port N] [--luck N] [--dies MOMENT:REVISION]``.
With equal ``--luck`` and equal answers, games are equal.  With ``--plenty``, the rates of requests
and the CPU time are not limited.

The server can crash at two moments after it has stored the revision.  At ``commit``, it has not yet
notified any page.  At ``ack``, it has notified only the page that answered.
"""

import argparse
import asyncio
import os
import signal
from functools import partial
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from valletta_rules.cli.main import main as command
from valletta_rules.web import application, service
from valletta_rules.web.actors import TableActor
from valletta_rules.web.embedded import PLENTY
from valletta_rules.web.limits import Limits


def die() -> None:
    """Kill this process without cleanup, as a power failure would."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(moment: str, revision: int) -> None:
    """Patch the server so that it crashes at a revision; `moment` is `commit` or `ack`."""
    store_step, send_step = TableActor._keep, TableActor._send_step

    async def store_then_die(actor: TableActor, step: Any, *rest: Any) -> None:
        await store_step(actor, step, *rest)
        if step.revision >= revision:
            die()

    async def send_or_die(actor: TableActor, step: Any) -> None:
        if step.revision < revision:
            await send_step(actor, step)
        else:
            asyncio.get_running_loop().call_later(0.3, die)

    if moment == "commit":
        TableActor._keep = store_then_die  # type: ignore[assignment, method-assign]
    else:
        TableActor._send_step = send_or_die  # type: ignore[assignment, method-assign]


def main() -> int:
    """Serve tables until the process is interrupted or crashes."""
    parser = argparse.ArgumentParser(description="Serve tables for a test.")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--port", default="0")
    parser.add_argument("--luck", default="")
    parser.add_argument("--dies", default="")
    parser.add_argument("--plenty", action="store_true")
    options = parser.parse_args()
    if options.dies:
        moment, _, revision = options.dies.partition(":")
        die_after(moment, int(revision))
    if options.luck:
        seed = sha256(options.luck.encode()).digest()
        vars(service)["secrets"] = SimpleNamespace(token_bytes=lambda _: seed)
    if options.plenty:
        vars(application)["Limits"] = partial(Limits, rates={}, address_cpu=PLENTY)
    where = ["--port", options.port, "--folder", options.folder]
    return command(["serve", "--no-browser", *where])


if __name__ == "__main__":
    raise SystemExit(main())
