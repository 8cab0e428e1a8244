"""Serving: the folder, the address, what is said of them, and an end that is an end."""

from __future__ import annotations

import errno
import os
import signal
import socket
import webbrowser
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import pytest

from tests.web.client import CASES
from valletta_rules.cli.main import main
from valletta_rules.cli.statuses import INTERRUPTED
from valletta_rules.web import serving
from valletta_rules.web.serving import FAILED, FILE, PORT, addresses_of, data_folder, listen, serve


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
        with urlopen(link, timeout=30) as answer:
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


def test_what_cannot_be_served_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    said = capsys.readouterr()
    assert said.out == ""
    assert "startup failed" in said.err
    (tmp_path / FILE).write_text("something else")
    assert serve(host=None, port=0, folder=tmp_path, opens_browser=False) == FAILED
    assert "is no file of tables" in capsys.readouterr().err


def test_without_a_wish_the_usual_port_is_taken_or_a_free_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever names a port gets that or an error."""
    asked: list[tuple[object, object]] = []
    create = socket.create_server

    def busy(address: tuple[str, int], *, family: socket.AddressFamily) -> socket.socket:
        asked.append((address, family))
        if address[1] == PORT:
            raise OSError(errno.EADDRINUSE, "in use")
        return create(("127.0.0.1", 0))

    monkeypatch.setattr(socket, "create_server", busy)
    listen("127.0.0.1", None).close()
    listen("::1", 0).close()
    assert asked == [
        (("127.0.0.1", PORT), socket.AF_INET),
        (("127.0.0.1", 0), socket.AF_INET),
        (("::1", 0), socket.AF_INET6),
    ]
    with pytest.raises(OSError, match=f"127.0.0.1, port {PORT}: in use"):
        listen("127.0.0.1", PORT)


def probe(address: str | None) -> AbstractContextManager[Any]:
    """Return a socket of a machine that others reach by an address, or of one without a network."""

    def connect(other: tuple[str, int]) -> None:
        if address is None:
            raise OSError("there is no way")

    found = SimpleNamespace(connect=connect, getsockname=lambda: (address, 40_000))
    return nullcontext(found)


def test_others_reach_this_machine_by_addresses_that_are_not_the_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are looked up only if all are listened at; without a network there are none."""
    found = [(0, 0, 0, "", (each, 0)) for each in ("127.0.1.1", "192.168.1.5")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *rest: found)
    monkeypatch.setattr(socket, "socket", lambda *rest: probe("10.0.0.3"))
    assert addresses_of("192.0.2.1") == ["192.0.2.1"]
    assert addresses_of("0.0.0.0") == ["10.0.0.3", "192.168.1.5"]

    def unknown(*rest: object) -> None:
        raise OSError("the name is not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setattr(socket, "socket", lambda *rest: probe(None))
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
