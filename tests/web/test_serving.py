"""Serving: the folder, the address, the output, and the end of the server."""

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


def test_a_server_starts_without_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be started with the stream closed."""
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    assert serving.configured(None).log_level == "warning"


def test_the_table_is_served_until_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Address and folder are printed once the server can be reached, and a browser is opened."""
    opened, pages = list[str](), list[bytes]()

    def look(link: str) -> None:
        with urlopen(link, timeout=600) as answer:
            pages.append(answer.read())
        os.kill(os.getpid(), signal.SIGINT)

    def browse(link: str) -> bool:
        opened.append(link)
        Thread(target=look, args=(link,)).start()
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
        f"Valletta: {opened[0]}\nGames are kept in {tmp_path / serving.FILE}. Ctrl-C ends it.\n"
    )


@pytest.mark.parametrize(
    ("host", "own"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("127.0.0.2", "127.0.0.2")]
)
@pytest.mark.parametrize("others", [[], ["192.0.2.7", "fd00::7"]])
@pytest.mark.parametrize("public", [None, "https://valletta.example"])
def test_all_addresses_are_printed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    host: str,
    own: str,
    others: list[str],
    public: str | None,
) -> None:
    """This machine's own address comes first, then those for others, or the public URL."""
    app, listen = Mock(return_value=None), serving.listen
    monkeypatch.setattr(serving, "application", app)
    monkeypatch.setattr(serving, "addresses_of", lambda host: others)
    monkeypatch.setattr(serving, "listen", lambda host, port: listen("127.0.0.1", port))
    monkeypatch.setattr(serving._Server, "run", lambda server, sockets: server._announce())
    given: dict[str, Any] = {"proxies": [ip_network("10.0.0.0/8")], "public": public}
    assert serving.serve(host=host, port=0, folder=tmp_path, opens_browser=False, **given) == 0
    said = [line.removeprefix("Valletta: ") for line in capsys.readouterr().out.splitlines()[:-1]]
    port = said[0].rpartition(":")[2]
    direct = [f"http://{each}:{port}" for each in map(bracketed, others)]
    links = direct if public is None else [public]
    assert said == [f"http://{own}:{port}", *links]
    assert app.call_args[1] == {
        "hosts": [*others, host],
        "links": links,
        "public": public,
        "ages": None,
    }


@pytest.mark.parametrize(("client", "forwarded", "guest"), CASES["forwarded"])
def test_only_a_proxy_can_forward_an_address(client: str, forwarded: list[str], guest: str) -> None:
    """The last address that is not a proxy's counts; without a proxy none is read."""
    seen = list[str]()

    async def app(scope: Any, receive: object, send: object) -> None:
        seen.append(scope["client"][0])

    for proxies in ([ip_network("10.0.0.0/8")], []):
        config = serving.configured(app, proxies)
        config.load()
        headers = [("X-Forwarded-For", each) for each in forwarded]
        scope: Any = scope_of("http", client=(client, 1), headers=headers)
        with pytest.raises(StopIteration):
            config.loaded_app(scope, Mock(), Mock()).__await__().send(None)
    assert seen == [guest, client]


def test_the_log_is_bounded() -> None:
    """Repeated records are counted, also at the end; outer errors have no traceback."""
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
    """Return the function that starts a failing server, and returns the line with its error."""

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


def test_a_port_that_is_taken_is_named_with_the_reason(fails: Callable[..., str]) -> None:
    """The message omits the number of the error."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        why = os.strerror(errno.EADDRINUSE)
        assert fails("--port", str(port)) == f"127.0.0.1, port {port}: {why}"


def test_a_server_whose_application_cannot_start_is_not_announced(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The error is in the log."""

    async def broken(scope: object, receive: object, send: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(serving, "application", lambda *rest, **options: broken)
    with pytest.raises(SystemExit):
        serving.serve(host=None, port=0, folder=tmp_path, opens_browser=True)
    assert capsys.readouterr().out == ""
    assert "startup failed" in caplog.text


def a_file(folder: Path, change: str) -> bytes:
    """Make a file of tables, change it in SQL, and return its content."""
    with closing(TableStore(folder / serving.FILE, journal="DELETE")) as kept:
        for _ in range(40):
            documents = TableDocuments("{}", b"", "1.0")
            kept.create(documents, [Occupant("person", None, "Anna", "red")], ["e" * 9_000])
        kept._file.executescript(change)
    return (folder / serving.FILE).read_bytes()


@pytest.mark.parametrize(("change", "said"), CASES["versions"])
def test_a_file_of_another_version_is_refused(
    fails: Callable[..., str], tmp_path: Path, change: str, said: str
) -> None:
    """The error is one line that names the file, which is not changed."""
    content = a_file(tmp_path, change)
    for options in (["--check"], []):
        assert fails(*options).startswith(f"{tmp_path / serving.FILE} {said}")
    assert (tmp_path / serving.FILE).read_bytes() == content


@pytest.mark.parametrize(
    "part", [(0, 16), (100, 4_096), (8_192, 12_288), (239_616, 245_760), (50_001, None)]
)
def test_a_damaged_file_is_not_served(
    fails: Callable[..., str], tmp_path: Path, part: tuple[int, int | None]
) -> None:
    """Whatever part is lost; the line gives advice, and the file is not changed."""
    content, (start, end) = bytearray(a_file(tmp_path, "SELECT 1")), part
    content[start:end] = b"?" * (0 if end is None else end - start)
    (tmp_path / serving.FILE).write_bytes(content)
    (tmp_path / serving.FILE).chmod(0o644)
    line = fails()
    assert line.startswith(f"{tmp_path / serving.FILE} is ")
    for words in ("is damaged (", "--check", "--backup"):
        assert words in line
    assert ("is not a file of tables" in line) is (start < 100)
    assert main(["serve", "--check", "--folder", str(tmp_path)]) == serving.FAILED
    assert (tmp_path / serving.FILE).read_bytes() == content
    assert stat.S_IMODE((tmp_path / serving.FILE).stat().st_mode) == 0o644


@pytest.mark.parametrize("host", ["a" * 70, "nobody@home", "1.2.3.4.5", "::g", "0.0.0.0:80"])
@pytest.mark.parametrize("port", [None, 0, 70_000])
def test_an_invalid_address_is_named(
    fails: Callable[..., str], monkeypatch: pytest.MonkeyPatch, host: str, port: int | None
) -> None:
    """The error is one line, with the port if it was given."""

    def unknown(address: tuple[str, int], **_: object) -> None:
        if address[1] > 65_535:
            raise OverflowError("bind(): port must be 0-65535")
        if len(host) > 63:
            raise UnicodeError("label too long")
        told = f"Name or service not known (while attempting to bind on address {address})"
        raise socket.gaierror(-2, told)

    monkeypatch.setattr(socket, "create_server", unknown)
    line = fails(host=host, port=port)
    assert line.startswith(host if port is None else f"{host}, port {port}: ")
    assert "attempting" not in line


def test_every_error_at_the_start_is_one_line(
    fails: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without a home, a folder that is a file, a file that SQLite cannot open."""
    (tmp_path / "file").touch()
    (tmp_path / serving.FILE).symlink_to(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "home", Mock(side_effect=RuntimeError("no home directory")))
        for options in ([], ["--check"]):
            why = fails(*options, folder=None)
            assert "no home folder; name one for the games with --folder" in why
    for folder in (tmp_path / "file", tmp_path):
        assert str(folder) in fails(folder=folder)
    (tmp_path / serving.FILE).unlink()
    monkeypatch.setattr(serving, "locked", Mock(side_effect=sqlite3.OperationalError("no lock")))
    assert fails() == f"{tmp_path / serving.FILE}: no lock"


def test_a_server_that_cannot_be_announced_ends(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """If its output is full, it ends in order and with one line."""
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
def test_requests_in_progress_are_cancelled_at_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, request_: bytes
) -> None:
    """They are cancelled after a while, and without a record in the log."""
    monkeypatch.setattr(serving, "GRACE", 0.01)
    begun = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for _ in range(2):
                message = await receive()
                await send({"type": f"{message['type']}.complete"})
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        begun.set()
        await asyncio.Event().wait()

    async def main() -> None:
        listener = serving.listen("127.0.0.1", 0)
        server = serving._Server(serving.configured(app), lambda: None)
        running = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(request_)
        await begun.wait()
        server.should_exit = True
        await running
        assert b"500" not in await reader.read()
        writer.close()

    asyncio.run(main())
    assert caplog.messages == []


def test_the_server_uses_the_usual_port_or_a_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses a given port only; an address with colons is one of IPv6."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(serving, "PORT", taken.getsockname()[1])
        with serving.listen("127.0.0.1", None) as free:
            assert free.getsockname()[1] != serving.PORT
    with serving.listen("127.0.0.1", None) as usual:
        assert usual.getsockname()[1] == serving.PORT
    create = Mock()
    monkeypatch.setattr(socket, "create_server", create)
    serving.listen("::1", 0)
    create.assert_called_with(("::1", 0), family=socket.AF_INET6)


def test_the_system_buffers_little_for_a_connection_that_does_not_read() -> None:
    """A connection inherits the limit of the listening socket, which would grow to megabytes."""
    with (
        serving.listen("127.0.0.1", 0) as made,
        socket.create_connection(made.getsockname()) as silent,
    ):
        accepted, _ = made.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * serving.UNREAD
            accepted.setblocking(False)
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, serving.UNREAD)
            sent = 0
            with suppress(BlockingIOError):
                while sent < 100 * serving.UNREAD:
                    sent += accepted.send(bytes(serving.UNREAD))
            assert sent < 100 * serving.UNREAD


def test_others_reach_this_machine_by_addresses_that_are_not_the_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are looked up only for a server on the network; without a network there are none."""
    found = [(0, 0, 0, "", (each, 0)) for each in ("127.0.1.1", "192.168.1.5")]
    probe = Mock(getsockname=lambda: ("10.0.0.3", 40_000))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest: found)
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
def test_games_are_stored_with_the_data_of_the_user(
    monkeypatch: pytest.MonkeyPatch, system: str, environment: dict[str, str], folder: str
) -> None:
    """Each system has a folder for that, which can be set."""
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert serving.data_folder(environment, system) == Path(folder) / "valletta-rules"
