"""Functions that start the server, and that choose its folder, its address and its output."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import signal
import socket
import sqlite3
import sys
import time
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TextIO

import uvicorn

from valletta_rules.web import upkeep
from valletta_rules.web.admission import (
    BACKLOG,
    Admission,
    Network,
    WebSocketConnection,
    most_connections,
)
from valletta_rules.web.application import application
from valletta_rules.web.limits import Buckets, Rate
from valletta_rules.web.middleware import bracketed
from valletta_rules.web.protocol import LONGEST
from valletta_rules.web.store import Ages, DatabaseThread, TableStoreError, locked

PORT: Final = 8400
"""The default port.  If it is in use, the server chooses a free port."""

FILE: Final = "tables.sqlite3"
"""The name of the table database in the server's folder."""

QUEUE: Final = 1024
"""The maximum number of connections that the system holds until the server accepts them."""

UNREAD: Final = 64 * 1024
"""The size in bytes of the system's send buffer for a connection.  Linux doubles this value."""

LOG_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
"""The format of a log record."""

RECORDS: Final = Rate(10, 1 / 60)
"""The rate limit for log records of the same logger and level."""

OUTSIDE: Final = (OSError, sqlite3.Error, UnicodeDecodeError)
"""The types of errors that are logged without a traceback, because their cause is external."""

GRACE: Final = 5.0
"""The time in seconds after which a server that shuts down cancels running requests."""

FAILED: Final = 1
"""The exit status if the server cannot start, or if a check fails."""


def serve(
    *,
    host: str | None,
    port: int | None,
    folder: Path | None,
    opens_browser: bool,
    public: str | None = None,
    proxies: Sequence[Network] = (),
    ages: Ages | None = None,
) -> int:
    """Run the server until it is interrupted, and return the exit status.

    `host` and `port` are the address to listen on, `folder` is the folder for the games,
    `opens_browser` says whether to open a browser, and `public` is the origin of the public URL.
    `proxies` are the proxies whose forwarded addresses are trusted, and `ages` are the ages at
    which tables are removed.  Raises `SystemExit` with status 0 on SIGTERM, and `OSError` if
    standard output cannot be written.
    """
    logging.basicConfig(format=LOG_FORMAT, handlers=[BoundedLog()])
    host = host or None
    with ExitStack() as stack:
        try:
            path, database = _opened(folder, stack)
            listener = stack.enter_context(listen(host or "127.0.0.1", port))
        except UNUSABLE as error:
            return _fail(error)
        at = listener.getsockname()[1]
        addresses = [] if host is None else addresses_of(host)
        direct = [f"http://{bracketed(each)}:{at}" for each in addresses]
        links = direct if public is None else [public]
        local_host = {None: "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, str(host))
        own = f"http://{bracketed(local_host)}:{at}"
        hosts = [*addresses, *([host] if host else [])]
        app = application(database, hosts=hosts, links=links, public=public, ages=ages)

        def announce() -> None:
            for link in dict.fromkeys((own, *links)):
                print(f"Valletta: {link}", flush=True)  # noqa: T201
            print(f"Games are saved in {path}. Ctrl-C stops the server.", flush=True)  # noqa: T201
            if opens_browser:
                webbrowser.open(own)

        with _ending_in_order():
            server = _Server(configured(app, proxies), announce)
            server.run(sockets=[listener])
    if server.failed is not None:
        raise server.failed
    return 0


def _opened(folder: Path | None, stack: ExitStack) -> tuple[Path, DatabaseThread]:
    """Open and lock the table database in `folder` until `stack` is closed.

    Returns the path of the file, and the thread that has opened the file.
    """
    path = file_in(folder)
    with _naming(path):
        database = DatabaseThread(path)
        stack.callback(database.close)
        database.open().result()
        stack.enter_context(locked(path))
    return path, database


UNUSABLE: Final = (OSError, TableStoreError)
"""The errors for files and addresses that cannot be used; only their message is printed."""


def _fail(error: Exception) -> int:
    """Print an error to standard error, and return `FAILED`."""
    print(f"valletta serve: {error}", file=sys.stderr)  # noqa: T201
    return FAILED


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Convert an error from SQLite into a `TableStoreError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise TableStoreError(f"{path}: {error}") from error


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """Within this context, let SIGTERM raise `SystemExit`, so that the server can clean up."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def maintain(folder: Path | None, copy: Path | None) -> int:
    """Check the table database in `folder`; if `copy` is given, copy the file to that path instead.

    Returns the exit status.
    """
    try:
        path = file_in(folder)
        with _naming(path):
            lines, is_well = upkeep.check(path) if copy is None else upkeep.backup(path, copy)
    except UNUSABLE as error:
        return _fail(error)
    print(*lines, sep="\n")  # noqa: T201
    return 0 if is_well else FAILED


class _Server(uvicorn.Server):
    """A uvicorn server that calls `announce` when it is ready."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce
        self.failed: OSError | None = None
        """The error that `announce` raised, if any."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server and call `announce`; shut down if that call fails.

        Raises `SystemExit` if the server cannot start.
        """
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)
        try:
            self._announce()
        except OSError as error:
            self.failed, self.should_exit = error, True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down; cancel the requests that are still running after `GRACE` seconds."""
        giving_up = asyncio.get_running_loop().call_later(GRACE, self._give_up)
        try:
            await super().shutdown(sockets)
        finally:
            giving_up.cancel()

    def _give_up(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()


def configured(app: object, proxies: Sequence[Network] = ()) -> uvicorn.Config:
    """Return a uvicorn configuration for `app`, with limits and without an access log.

    The event loop and the parsers are named explicitly, so optional packages do not change them.
    """
    admission = Admission(most_connections(), proxies=tuple(proxies))
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=[str(each) for each in proxies],
        loop="asyncio",
        http=admission.connection,  # type: ignore[arg-type]
        ws=partial(WebSocketConnection, admission),  # type: ignore[arg-type]
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=30,
    )


class BoundedLog(logging.StreamHandler[TextIO]):
    """A log handler that limits the rate of records and omits some tracebacks."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Create a handler that writes to `stream`; the default is standard error.

        `clock` returns seconds.
        """
        super().__init__(stream)
        self._buckets = Buckets(RECORDS, clock)
        self._left_out: Counter[tuple[str, int]] = Counter()

    def close(self) -> None:
        """Log the number of omitted records for each logger and level, and close the handler."""
        for (name, level), more in self._left_out.items():
            fields = {"name": name, "levelno": level, "levelname": logging.getLevelName(level)}
            self.emit(logging.makeLogRecord({**fields, "msg": f"... and {more} more"}))
        self._left_out.clear()
        super().close()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record; add the number of omitted records to its message."""
        kind = record.name, record.levelno
        if not self._buckets.take(f"{record.name} {record.levelname}"):
            self._left_out[kind] += 1
            return False
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OUTSIDE):
            record.msg, record.args = f"{record.getMessage().strip()}: {error}", ()
            record.exc_info = record.exc_text = None
        if more := self._left_out.pop(kind, 0):
            record.msg, record.args = f"{record.getMessage()} ... and {more} more", ()
        return True


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on `host` and `port`.

    If `port` is `None`, the port is `PORT`, or a free port if `PORT` is in use.

    Raises `OSError`, with the address in its message, if the socket cannot listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        try:
            listener = socket.create_server((host, PORT if port is None else port), family=family)
        except OSError:  # the default port is in use
            if port is not None:
                raise
            listener = socket.create_server((host, 0), family=family)
    except (OSError, OverflowError, ValueError) as error:
        where = host if port is None else f"{host}, port {port}"
        why, *_ = str(getattr(error, "strerror", None) or error).split(" (while attempting")
        raise OSError(f"{where}: {why}") from None
    # Accepted connections inherit both options.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or small messages are delayed
    return listener


def addresses_of(host: str) -> list[str]:
    """Return the addresses at which other machines reach a server that listens on `host`."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    addresses = set[str]()
    with suppress(OSError):
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        addresses |= {str(each[4][0]) for each in known}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        addresses.add(probe.getsockname()[0])
    return sorted(each for each in addresses if not ipaddress.ip_address(each).is_loopback)


def file_in(folder: Path | None) -> Path:
    """Return the path of the table database in `folder`, by default in `data_folder()`.

    Raises `OSError` if the default is used and the user has no home folder.
    """
    return (folder or data_folder()) / FILE


def data_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return the default folder for games: a subfolder of the system's folder for user data.

    Raises `OSError` if the user has no home folder.
    """
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(
            "the user has no home folder; choose a folder for the games with --folder"
        ) from error
    match system:
        case "win32":
            base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
        case "darwin":
            base = home / "Library" / "Application Support"
        case _:
            base = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "valletta-rules"
