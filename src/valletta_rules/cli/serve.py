"""`valletta serve`: play in a browser, on this machine or in the local network."""

from __future__ import annotations

import argparse
import ipaddress
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.cli.options import add_language, file_name, number
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.web.store import Ages

DONE: Final = 0
"""Exit status: SIGTERM stopped the server, or the saved games are valid or were copied."""

FAILED: Final = 1
"""Exit status: the server cannot start, or the saved games are damaged or cannot be copied."""

MISUSED: Final = 2
"""Exit status: the options are wrong, or a module of the extra ``web`` is missing."""

EXTRA: Final = ("starlette", "uvicorn", "websockets")
"""The modules from other packages that the server needs."""

INSTALL: Final = "pip install 'valletta-rules[web]'"
"""The command that installs the modules in `EXTRA`."""

URL: Final = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?([/?#].*)?")
"""The pattern for a public URL, with groups for scheme, host, optional port, and the rest."""

MOST_PORT: Final = 65_535
"""The largest valid port number."""

PORTS: Final = MappingProxyType({"http": "80", "https": "443"})
"""A mapping from URL schemes to default ports."""

ABOUT: Final = (
    "Serve games in the browser for people, bots and spectators; several people can share a "
    "screen. Games are saved and can be continued after a restart of the server. Only this "
    "machine can connect to the server, except with --host or through a proxy on this machine."
)
"""The description of the command in its help text."""

RETENTION: Final[Mapping[str, str]] = MappingProxyType(
    {
        "finished": "a finished game is removed so many days after its last move",
        "abandoned": "an unfinished game is removed so many days after its last move",
        "replays": "a record that is opened for viewing is removed so many days later",
    }
)
"""The help texts of the options for removing old games, keyed by the kind of game."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add = parser.add_argument
    add(
        "--port",
        type=number(0, MOST_PORT),
        metavar="N",
        help="the port (default: 8400, or a free port if 8400 is in use)",
    )
    add(
        "--host",
        metavar="H",
        help="the address to listen on, such as 0.0.0.0 for the local network, where connections "
        "are not encrypted (default: only this machine)",
    )
    add(
        "--public-url",
        type=origin,
        metavar="URL",
        help="the public address of the server, such as https://valletta.example",
    )
    add(
        "--proxy",
        type=network,
        action="append",
        default=[],
        metavar="A",
        help="the address of a proxy, or a network of proxies, whose X-Forwarded-For header is "
        "trusted; may be given several times",
    )
    add("--no-browser", action="store_true", help="do not open a browser")
    add(
        "--folder",
        type=_path,
        metavar="F",
        help="the folder in which games are saved (default: the folder for your user data)",
    )
    _add_upkeep(parser)
    add_language(parser, default=argparse.SUPPRESS)


def _add_upkeep(parser: argparse.ArgumentParser) -> None:
    """Add the options for removing, checking and copying saved games."""
    ages = parser.add_argument_group("removal of old games", "D is a number of days, or forever")
    for kind, default in attrs.asdict(Ages()).items():
        help_ = f"{RETENTION[kind]} (default: {default})"
        ages.add_argument(f"--keep-{kind}", type=_days, default=default, metavar="D", help=help_)
    care = parser.add_argument_group(
        "maintenance",
        "commands that do not start a server and can be used while a server runs; the exit "
        "status is 1 if the saved games are damaged",
    ).add_mutually_exclusive_group()
    care.add_argument(
        "--check",
        action="store_true",
        help="check the file of the saved games and every game in it, and print the result",
    )
    care.add_argument(
        "--backup", type=_path, metavar="FILE", help="copy all games to a new file, and check it"
    )


def origin(text: str) -> str:
    """Return the origin of a URL, such as ``https://valletta.example``; omit a default port.

    Raises `argparse.ArgumentTypeError` if `text` is not a URL or contains a path.
    """
    match = URL.fullmatch(text.lower())
    scheme, host, port, rest = match.groups("") if match else ("", "", "", "")
    if not match or int(port or 0) > MOST_PORT:
        unfit = f"{text[:100]!r} is not a URL such as https://valletta.example, in ASCII letters"
        raise argparse.ArgumentTypeError(unfit)
    if rest not in ("", "/"):
        unfit = f"{text[:100]!r} has a path; the server needs its own host: {scheme}://{host}"
        raise argparse.ArgumentTypeError(unfit)
    return f"{scheme}://{host}" + (f":{port}" if port not in ("", PORTS[scheme]) else "")


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Return the network for an IP address, or for a range of addresses such as ``10.0.0.0/8``.

    Raises `argparse.ArgumentTypeError` if `text` is neither.
    """
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _path(text: str) -> Path:
    return Path(file_name(text))


def _days(text: str) -> int | None:
    """Parse a number of days; return `None` for ``forever``."""
    return None if text == "forever" else number(1)(text)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted, or check or copy the saved games; return the exit status."""
    try:
        serving = import_module("valletta_rules.web.serving")
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        message = f"the server needs the module {error.name}: {INSTALL}"
        raise ComplaintError(message, MISUSED) from None
    if arguments.check or arguments.backup:
        return int(serving.maintain(arguments.folder, arguments.backup))
    status: int = serving.serve(
        host=arguments.host,
        port=arguments.port,
        folder=arguments.folder,
        opens_browser=not arguments.no_browser,
        public=arguments.public_url,
        proxies=arguments.proxy,
        ages=Ages(*(getattr(arguments, f"keep_{kind}") for kind in RETENTION)),
    )
    return status
