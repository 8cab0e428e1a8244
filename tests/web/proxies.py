"""Test the web table behind Caddy and nginx, as the documentation configures them.

Run ``python -m tests.web.proxies``.  It needs openssl, and nginx or Caddy.  It tests each installed
proxy, and prints which one is missing.  Ports, file paths and the certificate are replaced.  All
other settings, and the command that starts the server, are taken from the documentation page.
"""

import json
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from spec.checks.code_blocks import blocks, pages
from tests.web.client import WISH

PAGE = "docs/howto/host_a_table.rst"
NAME = "valletta.example"
PUBLIC = f"https://{NAME}"
ORIGIN = {"Origin": PUBLIC}
RED, BLUE = ({"name": "", "colour": each, "level": None} for each in ("red", "blue"))
TABLE = json.dumps({**WISH, "seats": [RED, BLUE]})

NGINX = "daemon off; user root; pid {folder}/pid; error_log stderr; events {{}} http {{ {site} }}"
"""Settings that Linux distributions include in their nginx packages.

The documentation page omits them.
"""


# The programs


def replaced(text: str, changes: dict[str, str]) -> str:
    """Replace each key of `changes` in a text with its value. Every key must occur in the text."""
    for old, new in changes.items():
        assert old in text, f"the page does not say {old!r}"
        text = text.replace(old, new)
    return text


def free_port() -> int:
    """Return a TCP port that is not in use."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[None]:
    """Run a program during a `with` block, which is entered once the program listens on `port`."""
    stderr = None if command[0] != "caddy" else subprocess.DEVNULL  # it writes a full log
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr) as process:
        try:
            while process.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    time.sleep(0.05)
            assert process.poll() is None, f"{command[0]} ended with {process.returncode}"
            yield
        finally:
            process.terminate()


def table(unit: str, port: int, folder: Path) -> list[str]:
    """Return the command that starts the table's server, from the systemd unit on the page."""
    lines = unit.replace("\\\n", "").splitlines()
    line = next(each for each in lines if each.startswith("ExecStart="))
    line = replaced(line, {"8400": str(port), "/var/lib/valletta": str(folder)})
    return [sys.executable, "-m", "valletta_rules", *shlex.split(line)[1:]]


def make_certificate(folder: Path) -> None:
    """Create a private key and a self-signed certificate in a folder."""
    kind = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = ["-subj", "/CN=test", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    subprocess.run(["openssl", *kind.split(), *name, *files], check=True, capture_output=True)


def nginx(site: str, port: int, inner: int, folder: Path) -> list[str]:
    """Write a configuration file for nginx, and return the command that starts nginx."""
    live = f"/etc/letsencrypt/live/{NAME}"
    ports = {
        "listen 443": f"listen 127.0.0.1:{port}",
        "listen 80;": f"listen 127.0.0.1:{port + 1};",
    }
    site = replaced(site, {**ports, live: str(folder), "127.0.0.1:8400": f"127.0.0.1:{inner}"})
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, site=f"access_log off; {site}"))
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(site: str, port: int, inner: int, folder: Path) -> list[str]:
    """Write a configuration file for Caddy, and return the command that starts Caddy."""
    own = f"\ttls {folder}/fullchain.pem {folder}/privkey.pem\n\tbind 127.0.0.1"
    ours = f"https://{NAME}:{port} {{\n{own}"
    quiet = (
        "{\n\tadmin off\n\tauto_https disable_redirects\n\tlog {\n\t\tlevel ERROR\n\t}\n\tservers"
    )
    changes = {"{\n\tservers": quiet, f"{NAME} {{": ours, "127.0.0.1:8400": f"127.0.0.1:{inner}"}
    (folder / "Caddyfile").write_text(replaced(site, changes))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


# The exchanges


def fetch(
    reach: Callable[[], socket.socket], path: str, body: str | None = None, **headers: str
) -> Any:
    """Send an HTTP request and return the response with its body."""
    connection = HTTPConnection(NAME)
    connection.sock = reach()
    connection.request("GET" if body is None else "POST", path, body, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response, text


def play(port: int, certificate: Path, host: int) -> None:
    """Test pages, tables, WebSockets, origins and limits as clients of a proxy see them."""
    context = ssl.create_default_context(cafile=certificate)

    def plain(guest: int = host) -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), 30, (f"127.0.0.{guest}", 0))

    def reach(guest: int = host) -> socket.socket:
        return context.wrap_socket(plain(guest), server_hostname=NAME)

    response, page = fetch(reach, "/")
    assert response.status == 200
    assert b"<html" in page
    assert response.headers["strict-transport-security"]
    assert json.loads(fetch(reach, "/api/lobby")[1])["links"] == [PUBLIC]
    for origin, status in [(PUBLIC, 201), (f"http://{NAME}", 403), ("https://evil.example", 403)]:
        response, opened = fetch(reach, "/api/tables", TABLE, Origin=origin)
        assert response.status == status, (origin, response.status)
        if status == 201:
            sit(json.loads(opened), plain, context)
    for number in range(200):  # a guest's own header is not trusted: the rate is reached
        claimed = {**ORIGIN, "X-Forwarded-For": f"198.51.100.{number}"}
        if fetch(reach, "/api/tables", TABLE, **claimed)[0].status == 429:
            break
    else:
        raise AssertionError("a client can forge its address with the header X-Forwarded-For")
    assert fetch(partial(reach, host + 1), "/api/tables", TABLE, **ORIGIN)[0].status == 201


def sit(opened: Any, plain: Callable[[], socket.socket], context: ssl.SSLContext) -> None:
    """Connect to a table through the proxy over a WebSocket."""
    origin: Any = PUBLIC
    with connect(f"wss://{NAME}/ws", sock=plain(), ssl=context, origin=origin) as page:
        tokens = [each["token"] for each in opened["invitations"]]
        hello = {"protocol": 1, "table": opened["table"], "tokens": tokens, "seen": None}
        page.send(json.dumps({"type": "hello", "language": "en", "viewer": None, **hello}))
        assert json.loads(page.recv(30))["type"] == "welcome"


def main() -> int:
    """Test each installed proxy and return the exit status."""
    code_by_language = {each.language: each.text for each in blocks(PAGE, pages()[PAGE])}
    tried = [each for each in (nginx, caddy) if shutil.which(each.__name__)]
    for each in {nginx, caddy} - {*tried}:
        print(f"left out: {each.__name__} is not installed")  # noqa: T201
    with tempfile.TemporaryDirectory() as name:
        folder, inner = Path(name), free_port()
        make_certificate(folder)
        with running(table(code_by_language["ini"], inner, folder / "games"), inner):
            for number, proxy in enumerate(tried):
                port = free_port()
                site = code_by_language["nginx" if proxy is nginx else "text"]
                with running(proxy(site, port, inner, folder), port):
                    play(port, folder / "fullchain.pem", 10 * number + 10)
                print(f"{proxy.__name__}: pages, tables, WebSockets and limits, over TLS")  # noqa: T201
            direct = partial(socket.create_connection, ("127.0.0.1", inner))
            assert json.loads(fetch(direct, "/api/health", Host="10.1.2.3")[1])["status"] == "ok"
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
