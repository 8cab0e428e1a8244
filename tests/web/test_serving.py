"""Serving: the folder, the address, what is said of them, and an end that is an end."""

from __future__ import annotations

import io
import logging
import os
import signal
import socket
import sqlite3
import webbrowser
from contextlib import nullcontext, suppress
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock
from urllib.request import urlopen

import pytest

from tests.web.client import CASES, scope_of
from valletta_rules.cli.main import main
from valletta_rules.cli.statuses import INTERRUPTED
from valletta_rules.web import serving
from valletta_rules.web.serving import (
    FAILED,
    FILE,
    UNREAD,
    addresses_of,
    data_folder,
    listen,
    serve,
)


def test_it_is_served_where_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server can be started without an output."""
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    assert serving.configured(None).log_level == "warning"


def test_it_is_served_until_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address and the folder are said once it can be reached, and a browser is opened."""
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
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may leave off
    try:
        assert main(["serve", "--port", "0", "--folder", str(tmp_path)]) == INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)
    assert opened[0].startswith("http://127.0.0.1:")
    assert b"<html" in pages[0]
    assert capsys.readouterr().out == (
        f"Valletta: {opened[0]}\nGames are kept in {tmp_path / FILE}. Ctrl-C ends it.\n"
    )


def test_all_addresses_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the local network this machine's own address comes first, then those for the others."""
    monkeypatch.setattr(serving, "addresses_of", lambda host: ["192.0.2.7", "fd00::7"])
    monkeypatch.setattr(serving._Server, "run", lambda server, sockets: server._announce())
    assert serve(host="0.0.0.0", port=0, folder=tmp_path, opens_browser=False) == 0
    lines = [line.rpartition(":") for line in capsys.readouterr().out.splitlines()[:3]]
    links = ["http://127.0.0.1", "http://192.0.2.7", "http://[fd00::7]"]
    assert [link for link, _, _ in lines] == [f"Valletta: {each}" for each in links]
    assert len({port for _, _, port in lines}) == 1


def test_a_public_table_is_named_as_guests_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Links name the public URL alone."""
    app = Mock(return_value=None)
    monkeypatch.setattr(serving, "application", app)
    monkeypatch.setattr(serving._Server, "run", lambda server, sockets: server._announce())
    public, proxies = "https://valletta.example", [ip_network("10.0.0.0/8")]
    given: dict[str, Any] = {"port": 0, "folder": tmp_path, "opens_browser": False}
    assert serve(host="127.0.0.2", public=public, proxies=proxies, **given) == 0
    assert app.call_args[1] == {
        "hosts": ["127.0.0.2"] * 2,
        "links": [public],
        "public": public,
        "ages": None,
    }
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("Valletta: http://127.0.0.2:")
    assert second == f"Valletta: {public}"


@pytest.mark.parametrize(("client", "forwarded", "guest"), CASES["forwarded"])
def test_a_forwarded_address_is_believed_of_a_proxy(
    client: str, forwarded: list[str], guest: str
) -> None:
    """It is the last one that is not of a proxy itself; without a proxy there is none."""
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
    """What is logged too often is counted, also at the end; outer errors have no traceback."""
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


def test_what_cannot_be_served_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A port that is taken and a file of another program are named; nothing is announced."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert serve(host=None, port=port, folder=tmp_path, opens_browser=False) == FAILED
    assert f"valletta serve: 127.0.0.1, port {port}: " in capsys.readouterr().err

    async def broken(scope: object, receive: object, send: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(serving, "application", lambda *rest, **options: broken)
    with pytest.raises(SystemExit):
        serve(host=None, port=0, folder=tmp_path, opens_browser=True)
    assert capsys.readouterr().out == ""
    assert "startup failed" in caplog.text
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / FILE).write_text("something else")
    assert serve(host=None, port=0, folder=tmp_path, opens_browser=False) == FAILED
    assert "is not a file of tables" in capsys.readouterr().err


def test_the_usual_port_is_taken_or_a_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the port is named; an address with colons is one of IPv6."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(serving, "PORT", taken.getsockname()[1])
        with listen("127.0.0.1", None) as free:
            assert free.getsockname()[1] != serving.PORT
    with listen("127.0.0.1", None) as usual:
        assert usual.getsockname()[1] == serving.PORT
    create = Mock()
    monkeypatch.setattr(socket, "create_server", create)
    listen("::1", 0)
    create.assert_called_with(("::1", 0), family=socket.AF_INET6)


def test_the_system_holds_little_for_who_does_not_read() -> None:
    """A connection inherits the limit of what listens, which else grows to megabytes."""
    with listen("127.0.0.1", 0) as made, socket.create_connection(made.getsockname()) as silent:
        accepted, _ = made.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * UNREAD
            accepted.setblocking(False)
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)
            sent = 0
            with suppress(BlockingIOError):
                while sent < 100 * UNREAD:
                    sent += accepted.send(bytes(UNREAD))
            assert sent < 100 * UNREAD


def test_others_reach_this_machine_by_addresses_that_are_not_the_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are looked up only if the server listens at all; without a network there are none."""
    found = [(0, 0, 0, "", (each, 0)) for each in ("127.0.1.1", "192.168.1.5")]
    probe = Mock(getsockname=lambda: ("10.0.0.3", 40_000))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest: found)
    monkeypatch.setattr(socket, "socket", lambda *rest: nullcontext(probe))
    assert addresses_of("192.0.2.1") == ["192.0.2.1"]
    assert addresses_of("0.0.0.0") == ["10.0.0.3", "192.168.1.5"]
    probe.connect.side_effect = OSError("there is no network")
    monkeypatch.setattr(socket, "getaddrinfo", probe.connect)
    assert addresses_of("::") == []


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    CASES["folders"],
)
def test_games_are_kept_with_the_data_of_whoever_plays(
    monkeypatch: pytest.MonkeyPatch, system: str, environment: dict[str, str], folder: str
) -> None:
    """Each system has its place for that, which can be set."""
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert data_folder(environment, system) == Path(folder) / "valletta-rules"
