"""`valletta serve`: play in a browser, on this machine or in the local network."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Final

from valletta_rules.cli.options import add_language, number
from valletta_rules.cli.statuses import complain

EXTRA: Final = ("starlette", "uvicorn", "websockets")
"""The modules it needs beside the package."""

INSTALL: Final = "pip install '.[web]' in a clone of the repository"
"""The command that installs them."""


ABOUT: Final = (
    "Serve the table in a browser: several people at one screen or each at "
    "their own, bots, and spectators. Games are saved, and can go on after the server has "
    "been stopped. Only this machine can reach it unless --host is given."
)
"""The command's description."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    add = parser.add_argument
    add("--port", type=number(0), metavar="N", help="the port (default: 8400, or a free one)")
    add(
        "--host",
        metavar="H",
        help="the address to listen at, such as 0.0.0.0 for the local network, where links are "
        "not encrypted (default: this machine alone)",
    )
    add("--no-browser", action="store_true", help="do not open a browser")
    add("--folder", type=Path, metavar="F", help="where games are kept (default: with your data)")
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Serve until it is interrupted, and return the exit status."""
    try:
        serving = import_module("valletta_rules.web.serving")
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        return complain(f"needs {error.name}: {INSTALL}", command="valletta serve")
    status: int = serving.serve(
        host=arguments.host,
        port=arguments.port,
        folder=arguments.folder,
        opens_browser=not arguments.no_browser,
    )
    return status
