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

EXTRA: Final = ("starlette", "uvicorn", "websockets")
"""The required modules of other packages."""

INSTALL: Final = "pip install 'valletta-rules[web]'"
"""The command that installs them."""

URL: Final = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?([/?#].*)?")
"""The pattern of a public URL: its scheme, its host, perhaps a port, and the rest."""

MOST_PORT: Final = 65_535
"""The largest number of a port."""

PORTS: Final = MappingProxyType({"http": "80", "https": "443"})
"""The default port of each scheme."""

ABOUT: Final = (
    "Serve the table in a browser: several people at one screen or each at "
    "their own, bots, and spectators. Games are saved, and can go on after the server has "
    "been stopped. Only this machine can reach it unless --host is given, or a proxy leads to it."
)
"""The command's description."""

KEPT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "finished": "games that are over, after their last move",
        "abandoned": "games that are not, after their last move",
        "replays": "records that were opened for viewing, after that",
    }
)
"""The kinds of tables that are removed when they are old, with their descriptions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add = parser.add_argument
    add(
        "--port",
        type=number(0, MOST_PORT),
        metavar="N",
        help="the port (default: 8400, or a free one)",
    )
    add(
        "--host",
        metavar="H",
        help="the address to listen at, such as 0.0.0.0 for the local network, where links are "
        "not encrypted (default: this machine alone)",
    )
    add(
        "--public-url",
        type=origin,
        metavar="URL",
        help="the address at which others reach the table, such as https://valletta.example",
    )
    add(
        "--proxy",
        type=network,
        action="append",
        default=[],
        metavar="A",
        help="a proxy, or a network of them, whose X-Forwarded-For is trusted; may be repeated",
    )
    add("--no-browser", action="store_true", help="do not open a browser")
    add("--folder", type=_path, metavar="F", help="where games are kept (default: with your data)")
    _add_upkeep(parser)
    add_language(parser, default=argparse.SUPPRESS)


def _add_upkeep(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the file of the tables."""
    ages = parser.add_argument_group(
        "how long tables are kept", "a number of days, or forever; older ones are removed"
    )
    for kind, default in attrs.asdict(Ages()).items():
        help_ = f"{KEPT[kind]} (default: {default})"
        ages.add_argument(f"--keep-{kind}", type=_days, default=default, metavar="D", help=help_)
    care = parser.add_argument_group(
        "without serving, also while a server runs", "status 1 if the file is not in order"
    ).add_mutually_exclusive_group()
    care.add_argument(
        "--check",
        action="store_true",
        help="check the file of the tables and every game in it, and print what was found",
    )
    care.add_argument(
        "--backup", type=_path, metavar="FILE", help="copy the tables to a new file, and check it"
    )


def origin(text: str) -> str:
    """Return the origin that a URL consists of, without the default port of its scheme.

    Raises `argparse.ArgumentTypeError` for any other text.
    """
    found = URL.fullmatch(text.lower())
    scheme, host, port, rest = found.groups("") if found else ("", "", "", "")
    if not found or int(port or 0) > MOST_PORT:
        unfit = f"{text[:100]!r} is no address such as https://valletta.example, in ASCII letters"
        raise argparse.ArgumentTypeError(unfit)
    if rest not in ("", "/"):
        unfit = f"the table needs a name of its own, and no path: {scheme}://{host}"
        raise argparse.ArgumentTypeError(unfit)
    return f"{scheme}://{host}" + (f":{port}" if port not in ("", PORTS[scheme]) else "")


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Return the network of an address or of a range of addresses.

    Raises `argparse.ArgumentTypeError` for any other text.
    """
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _path(text: str) -> Path:
    return Path(file_name(text))


def _days(text: str) -> int | None:
    """Read a number of days; `None` for ever."""
    return None if text == "forever" else number(1)(text)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted, or maintain the file of the tables; return the exit status."""
    try:
        serving = import_module("valletta_rules.web.serving")
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        raise ComplaintError(f"needs {error.name}: {INSTALL}") from None
    if arguments.check or arguments.backup:
        return int(serving.maintain(arguments.folder, arguments.backup))
    status: int = serving.serve(
        host=arguments.host,
        port=arguments.port,
        folder=arguments.folder,
        opens_browser=not arguments.no_browser,
        public=arguments.public_url,
        proxies=arguments.proxy,
        ages=Ages(*(getattr(arguments, f"keep_{kind}") for kind in KEPT)),
    )
    return status
