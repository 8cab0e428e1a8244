"""Tests of the command that serves tables: addresses, output, errors at startup, and shutdown."""

import asyncio
import errno
import io
import logging
import os
import signal
import socket
import sqlite3
import stat
import webbrowser
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock
from urllib.request import urlopen

import pytest

from tests.web.client import CASES, scope_of
from tests.web.test_admission import REQUEST, UPGRADE
from valletta_rules.cli.main import main
from valletta_rules.cli.statuses import INTERRUPTED
from valletta_rules.web import serving
from valletta_rules.web.middleware import bracketed
from valletta_rules.web.store import Occupant, TableDocuments, TableStore


def test_a_server_can_be_configured_while_standard_output_and_error_are_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some launchers start programs with both streams closed."""
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    assert serving.configured(None).log_level == "warning"


def test_serve_prints_its_address_opens_a_browser_and_runs_until_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The path of the database is printed, too. The browser opens when the server can respond."""
    opened, pages = list[str](), list[bytes]()

    def fetch_page(link: str) -> None:
        with urlopen(link, timeout=600) as answer:
            pages.append(answer.read())
        os.kill(os.getpid(), signal.SIGINT)

    def browse(link: str) -> bool:
        opened.append(link)
        Thread(target=fetch_page, args=(link,)).start()
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may omit it
    try:
        assert main(["serve", "--port", "0", "--folder", str(tmp_path)]) == INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)
    assert opened[0].startswith("http://127.0.0.1:")
    assert b"<html" in pages[0]
    assert capsys.readouterr().out == (
        f"Valletta: {opened[0]}\nGames are saved in {tmp_path / serving.FILE}. "
        "Ctrl-C stops the server.\n"
    )


@pytest.mark.parametrize(
    ("host", "own"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.2", "127.0.0.2")]
)
@pytest.mark.parametrize("others", [[], ["192.0.2.7", "fd00::7"]])
@pytest.mark.parametrize("public", [None, "https://valletta.example"])
def test_serve_prints_the_local_address_first_and_then_those_for_other_machines(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    host: str,
    own: str,
    others: list[str],
    public: str | None,
) -> None:
    """A public URL replaces the addresses for other machines."""
    app, listen = Mock(return_value=None), serving.listen
    monkeypatch.setattr(serving, "application", app)
    monkeypatch.setattr(serving, "addresses_of", lambda host: others)
    monkeypatch.setattr(serving, "listen", lambda host, port: listen("127.0.0.1", port))
    monkeypatch.setattr(serving._Server, "run", lambda server, sockets: server._announce())
    given: dict[str, Any] = {"proxies": [ip_network("10.0.0.0/8")], "public": public}
    assert serving.serve(host=host, port=0, folder=tmp_path, opens_browser=False, **given) == 0
    addresses = [
        line.removeprefix("Valletta: ") for line in capsys.readouterr().out.splitlines()[:-1]
    ]
    port = addresses[0].rpartition(":")[2]
    direct = [f"http://{each}:{port}" for each in map(bracketed, others)]
    links = direct if public is None else [public]
    assert addresses == [f"http://{own}:{port}", *links]
    assert app.call_args[1] == {
        "hosts": [*others, host],
        "links": links,
        "public": public,
        "ages": None,
    }


@pytest.mark.parametrize(("client", "forwarded", "guest"), CASES["forwarded"])
def test_the_header_x_forwarded_for_is_read_only_from_a_trusted_proxy(
    client: str, forwarded: list[str], guest: str
) -> None:
    """The client is the last address in the header that does not belong to a trusted proxy."""
    clients = list[str]()

    async def app(scope: Any, receive: object, send: object) -> None:
        clients.append(scope["client"][0])

    for proxies in ([ip_network("10.0.0.0/8")], []):
        config = serving.configured(app, proxies)
        config.load()
        headers = [("X-Forwarded-For", each) for each in forwarded]
        scope: Any = scope_of("http", client=(client, 1), headers=headers)
        with pytest.raises(StopIteration):
            config.loaded_app(scope, Mock(), Mock()).__await__().send(None)
    assert clients == [guest, client]


def test_repeated_log_messages_are_written_a_few_times_and_then_counted() -> None:
    """The number of omitted messages is logged later, at the latest when the log is closed.

    A database error is logged without a traceback.
    """
    clock, lines = Mock(return_value=100.0), io.StringIO()
    logger, handler = logging.Logger("table"), serving.BoundedLog(lines, clock)
    logger.addHandler(handler)
    for _ in range(50):
        logger.error("not kept\n", exc_info=sqlite3.OperationalError("disk is full"))
    logger.warning("of another level")
    clock.return_value += 60
    logger.error("%s", "later")
    clock.return_value += 60
    logger.error("our own", exc_info=ZeroDivisionError())
    for _ in range(12):
        logger.critical("at the end")
    handler.close()
    _, other, later, own, fault, *_, last, rest = lines.getvalue()[
        len("not kept: disk is full\n" * 9) :
    ].splitlines()
    assert (other, later, own) == ("of another level", "later ... and 40 more", "our own")
    assert (fault, last, rest) == ("ZeroDivisionError", "at the end", "... and 2 more")


@pytest.fixture
def fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that checks that a server fails to start, and returns the error message."""

    def start(*options: str, folder: Path | None = tmp_path, **given: Any) -> str:
        if given:
            assert serving.serve(folder=folder, opens_browser=False, **given) == serving.FAILED
        else:
            where = ["--folder", str(folder)] if folder else []
            assert (
                main(["serve", "--no-browser", "--port", "0", *where, *options]) == serving.FAILED
            )
        out, (line,) = (text.splitlines() for text in capsys.readouterr())
        assert out == []
        return line.removeprefix("valletta serve: ")

    return start


def test_a_port_in_use_is_reported_with_address_port_and_reason(fails: Callable[..., str]) -> None:
    """The message does not contain the operating system's error number."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        why = os.strerror(errno.EADDRINUSE)
        assert fails("--port", str(port)) == f"127.0.0.1, port {port}: {why}"


def test_no_address_is_printed_if_the_application_fails_at_startup(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The error is logged."""

    async def broken(scope: object, receive: object, send: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(serving, "application", lambda *rest, **options: broken)
    with pytest.raises(SystemExit):
        serving.serve(host=None, port=0, folder=tmp_path, opens_browser=True)
    assert capsys.readouterr().out == ""
    assert "startup failed" in caplog.text


def create_database(folder: Path, change: str) -> bytes:
    """Create a database with 40 tables, execute SQL statements in it, and return its content."""
    with closing(TableStore(folder / serving.FILE, journal="DELETE")) as store:
        for _ in range(40):
            documents = TableDocuments("{}", b"", "1.0")
            store.create(documents, [Occupant("person", None, "Anna", "red")], ["e" * 9_000])
        store._file.executescript(change)
    return (folder / serving.FILE).read_bytes()


@pytest.mark.parametrize(("change", "expected"), CASES["versions"])
def test_a_database_from_another_version_or_program_is_reported_and_not_changed(
    fails: Callable[..., str], tmp_path: Path, change: str, expected: str
) -> None:
    """The message has one line, which begins with the path of the file."""
    content = create_database(tmp_path, change)
    for options in (["--check"], []):
        assert fails(*options).startswith(f"{tmp_path / serving.FILE} {expected}")
    assert (tmp_path / serving.FILE).read_bytes() == content


@pytest.mark.parametrize(
    "part", [(0, 16), (100, 4_096), (8_192, 12_288), (239_616, 245_760), (50_001, None)]
)
def test_a_damaged_database_is_reported_with_advice_and_not_changed(
    fails: Callable[..., str], tmp_path: Path, part: tuple[int, int | None]
) -> None:
    """Parts of the file are overwritten or cut off. The advice is to use --check and --backup."""
    content, (start, end) = bytearray(create_database(tmp_path, "SELECT 1")), part
    content[start:end] = b"?" * (0 if end is None else end - start)
    (tmp_path / serving.FILE).write_bytes(content)
    (tmp_path / serving.FILE).chmod(0o644)
    line = fails()
    assert line.startswith(f"{tmp_path / serving.FILE} is ")
    for words in ("is damaged (", "--check", "--backup"):
        assert words in line
    assert ("is not a table database" in line) is (start < 100)
    assert main(["serve", "--check", "--folder", str(tmp_path)]) == serving.FAILED
    assert (tmp_path / serving.FILE).read_bytes() == content
    assert stat.S_IMODE((tmp_path / serving.FILE).stat().st_mode) == 0o644


@pytest.mark.parametrize("host", ["a" * 70, "nobody@home", "1.2.3.4.5", "::g", "0.0.0.0:80"])
@pytest.mark.parametrize("port", [None, 0, 70_000])
def test_an_invalid_host_or_port_is_reported_in_one_line_that_contains_it(
    fails: Callable[..., str], monkeypatch: pytest.MonkeyPatch, host: str, port: int | None
) -> None:
    """The line contains the port only if it was given."""

    def unknown(address: tuple[str, int], **_: object) -> None:
        if address[1] > 65_535:
            raise OverflowError("bind(): port must be 0-65535")
        if len(host) > 63:
            raise UnicodeError("label too long")
        message = f"Name or service not known (while attempting to bind on address {address})"
        raise socket.gaierror(-2, message)

    monkeypatch.setattr(socket, "create_server", unknown)
    line = fails(host=host, port=port)
    assert line.startswith(host if port is None else f"{host}, port {port}: ")
    assert "attempting" not in line


def test_an_unusable_folder_or_database_is_reported_in_one_line_at_startup(
    fails: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no home folder, the folder is a file, or SQLite cannot open or lock the file."""
    (tmp_path / "file").touch()
    (tmp_path / serving.FILE).symlink_to(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "home", Mock(side_effect=RuntimeError("no home directory")))
        for options in ([], ["--check"]):
            why = fails(*options, folder=None)
            assert "no home folder; choose a folder for the games with --folder" in why
    for folder in (tmp_path / "file", tmp_path):
        assert str(folder) in fails(folder=folder)
    (tmp_path / serving.FILE).unlink()
    monkeypatch.setattr(serving, "locked", Mock(side_effect=sqlite3.OperationalError("no lock")))
    assert fails() == f"{tmp_path / serving.FILE}: no lock"


def test_a_server_stops_with_a_message_if_it_cannot_print_its_address(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In this test, standard output is a file on a full disk."""
    command = ["serve", "--no-browser", "--port", "0", "--folder", str(tmp_path)]
    with (tmp_path / "out").open("w") as out:
        full = Mock(
            fileno=out.fileno, write=Mock(side_effect=OSError(28, "No space left on device"))
        )
        monkeypatch.setattr("sys.stdout", full)
        assert main(command) == 1
    assert capsys.readouterr().err == "valletta: cannot write: No space left on device\n"
    assert caplog.messages == []


@pytest.mark.parametrize("request_", [REQUEST, UPGRADE + b"\r\n"], ids=["request", "websocket"])
def test_requests_and_websockets_in_progress_are_cancelled_when_the_server_stops(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, request_: bytes
) -> None:
    """Before that, the server waits for a grace period. Nothing is logged."""
    monkeypatch.setattr(serving, "GRACE", 0.01)
    started = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for _ in range(2):
                message = await receive()
                await send({"type": f"{message['type']}.complete"})
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        started.set()
        await asyncio.Event().wait()

    async def main() -> None:
        listener = serving.listen("127.0.0.1", 0)
        server = serving._Server(serving.configured(app), lambda: None)
        running = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(request_)
        await started.wait()
        server.should_exit = True
        await running
        assert b"500" not in await reader.read()
        writer.close()

    asyncio.run(main())
    assert caplog.messages == []


def test_the_server_listens_on_a_free_port_if_the_default_port_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test also checks the default port, and an IPv6 address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(serving, "PORT", listener.getsockname()[1])
        with serving.listen("127.0.0.1", None) as free:
            assert free.getsockname()[1] != serving.PORT
    with serving.listen("127.0.0.1", None) as usual:
        assert usual.getsockname()[1] == serving.PORT
    create = Mock()
    monkeypatch.setattr(socket, "create_server", create)
    serving.listen("::1", 0)
    create.assert_called_with(("::1", 0), family=socket.AF_INET6)


def test_the_send_buffer_of_a_connection_is_limited_if_its_client_does_not_read() -> None:
    """A connection inherits the limit from the listening socket.

    Without a limit, a buffer can grow to megabytes.
    """
    with (
        serving.listen("127.0.0.1", 0) as listener,
        socket.create_connection(listener.getsockname()) as silent,
    ):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * serving.UNREAD
            accepted.setblocking(False)
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, serving.UNREAD)
            sent = 0
            with suppress(BlockingIOError):
                while sent < 100 * serving.UNREAD:
                    sent += accepted.send(bytes(serving.UNREAD))
            assert sent < 100 * serving.UNREAD


def test_the_addresses_for_other_machines_contain_no_loopback_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The addresses of the machine are listed only if the server listens on all interfaces.

    There may be none.
    """
    address_infos = [(0, 0, 0, "", (each, 0)) for each in ("127.0.1.1", "192.168.1.5")]
    probe = Mock(getsockname=lambda: ("10.0.0.3", 40_000))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest: address_infos)
    monkeypatch.setattr(socket, "socket", lambda *rest: nullcontext(probe))
    assert serving.addresses_of("192.0.2.1") == ["192.0.2.1"]
    assert serving.addresses_of("0.0.0.0") == ["10.0.0.3", "192.168.1.5"]
    probe.connect.side_effect = OSError("there is no network")
    monkeypatch.setattr(socket, "getaddrinfo", probe.connect)
    assert serving.addresses_of("::") == []


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    CASES["folders"],
)
def test_games_are_stored_in_the_data_folder_of_the_operating_system(
    monkeypatch: pytest.MonkeyPatch, system: str, environment: dict[str, str], folder: str
) -> None:
    """On some systems, environment variables select the folder."""
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert serving.data_folder(environment, system) == Path(folder) / "valletta-rules"
