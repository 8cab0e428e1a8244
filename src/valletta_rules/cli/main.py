"""The entry point of the command line: `valletta`, or `python -m valletta_rules`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Final

from valletta_rules.cli.options import DEFAULTS, add_language, add_options, number
from valletta_rules.cli.statuses import INTERRUPTED, UNFINISHED, ComplaintError
from valletta_rules.components import MOST_TURNS
from valletta_rules.text.layout import columns, wrapped_at
from valletta_rules.version import __version__

COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "play": "play against bots in the terminal",
        "serve": "play against people and bots in a browser",
        "bots": "list the bots, their options and the levels",
        "cards": "show or check a card set, or start a new one",
        "rule": "show a clause, a chapter or a ruling of the rulebook",
        "replay": "replay a recorded game",
        "trace": "trace a recorded game: which clause caused each effect",
        "analyse": "analyse a recorded game: mistakes, luck, turning points",
        "conformance": "run the conformance suite against an engine in any language",
        "tournament": "play bots against one another",
        "report": "print the results of a tournament",
    }
)
"""The descriptions of the commands, keyed by command.  Each command is a module in this folder."""


def main(argv: Sequence[str] | None = None) -> int:
    """Execute a command line, by default that of the process, and return the exit status."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        arguments = _parse(sys.argv[1:] if argv is None else argv)
        try:
            with wrapped_at(columns()):
                status: int = arguments.run(arguments)
        except ComplaintError as complaint:
            print(f"{arguments.program}: {complaint}", file=sys.stderr)
            status = complaint.status
        print(end="", flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            from valletta_rules.words import language_of, preferred_language

            language = language_of(preferred_language())
            reason = language.phrase("console.cannot_write", reason=error.strerror)
            print(f"valletta: {reason}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNFINISHED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status if is_open(sys.stdout) else UNFINISHED


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; if argparse prints the help and exits, flush the output first."""
    try:
        return build_parser(COMMANDS.keys() & {*words}).parse_args(words)
    except SystemExit as ended:
        if not ended.code:
            print(end="", flush=True)
        raise


def is_open(stream: object) -> bool:
    """Return whether a standard stream is open; Python sets closed ones to `None` at startup."""
    return stream is not None


def _watch(arguments: argparse.Namespace) -> int:
    """Execute a command line that names no command: let bots play a game, and narrate it."""
    from valletta_rules.cli.play import watch

    return watch(arguments)


def build_parser(wanted: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    `wanted` contains the commands whose modules are imported and whose options are added.  For all
    other commands, the parser contains only the description.
    """
    parser = argparse.ArgumentParser(
        prog="valletta",
        description="Let bots play a game of Valletta, or play against them with --interactive, "
        "and narrate it turn by turn.",
    )
    version = f"valletta-rules {__version__}"
    parser.add_argument("--version", action="version", version=version)
    add_options(parser)
    add_language(parser)
    parser.add_argument(
        "--max-turns",
        type=number(1),
        default=MOST_TURNS,
        metavar="N",
        help=f"stop the game after N turns (default: {MOST_TURNS})",
    )
    manner = parser.add_mutually_exclusive_group()
    manner.add_argument("--quiet", action="store_true", help="print only the score sheet")
    manner.add_argument(
        "--interactive",
        action="store_true",
        help="play one seat yourself, as with the play command",
    )
    parser.set_defaults(run=_watch, program=parser.prog, **DEFAULTS)
    commands = parser.add_subparsers(title="other commands", metavar="COMMAND")
    for name, about in COMMANDS.items():
        command = commands.add_parser(name, help=about)
        if name in wanted:
            module = import_module(f"valletta_rules.cli.{name}")
            command.description = module.ABOUT
            command.set_defaults(run=module.run, program=command.prog)
            module.add_arguments(command)
    return parser
