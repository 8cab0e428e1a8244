"""Serving: where games are kept, at which address, and what the terminal shows."""

from __future__ import annotations

import ipaddress
import os
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import uvicorn

from valletta_rules.web.application import application
from valletta_rules.web.middleware import bracketed
from valletta_rules.web.protocol import LONGEST
from valletta_rules.web.store import TableStore, TableStoreError

PORT: Final = 8400
"""The default port, if it is free."""

FILE: Final = "tables.sqlite3"
"""The file of the tables, in its folder."""

MOST_CONNECTIONS: Final = 1000
"""How many connections may be open at a time."""

FAILED: Final = 1
"""Exit status: the server could not start."""


def serve(*, host: str | None, port: int | None, folder: Path | None, opens_browser: bool) -> int:
    """Serve until it is interrupted; return the exit status."""
    path = (folder or data_folder()) / FILE
    try:
        TableStore(path).close()
        listener = listen(host or "127.0.0.1", port)
    except (OSError, sqlite3.Error, TableStoreError) as error:
        print(f"valletta serve: {error}", file=sys.stderr)  # noqa: T201
        return FAILED
    at = listener.getsockname()[1]
    addresses = [] if host is None else addresses_of(host)
    links = [f"http://{bracketed(each)}:{at}" for each in addresses]
    app = application(path, hosts=[*addresses, *([host] if host else [])], links=links)

    def announce() -> None:
        own = f"http://127.0.0.1:{at}" if host in (None, "0.0.0.0") else links[0]
        for link in dict.fromkeys((own, *links)):
            print(f"Valletta: {link}", flush=True)  # noqa: T201
        print(f"Games are kept in {path}. Ctrl-C ends it.", flush=True)  # noqa: T201
        if opens_browser:
            webbrowser.open(own)

    with listener:
        _Server(configured(app), announce).run(sockets=[listener])
    return 0


class _Server(uvicorn.Server):
    """A server that announces when it is ready."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and announce it; raise `SystemExit` if that fails."""
        await super().startup(sockets)
        self._announce()


def configured(app: object) -> uvicorn.Config:
    """Return how an application is served: with limits, and without a log of addresses."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        lifespan="on",
        log_level="warning",
        use_colors=False,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST,
        ws_max_queue=8,
        ws_per_message_deflate=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=5,
    )


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; by default on the usual port, or on a free one.

    Raises `OSError`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, PORT if port is None else port), family=family)
    except OSError as error:
        if port is not None:
            raise OSError(f"{host}, port {port}: {error.strerror}") from error
        made = socket.create_server((host, 0), family=family)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or small messages are delayed
    return made


def addresses_of(host: str) -> list[str]:
    """Return the addresses at which others reach this machine, which listens at one or all."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    found = set[str]()
    with suppress(OSError):
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found |= {str(each[4][0]) for each in known}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        found.add(probe.getsockname()[0])
    return sorted(each for each in found if not ipaddress.ip_address(each).is_loopback)


def data_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return the default folder for games: with the user's own data."""
    home = Path.home()
    match system:
        case "win32":
            base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
        case "darwin":
            base = home / "Library" / "Application Support"
        case _:
            base = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "valletta-rules"
