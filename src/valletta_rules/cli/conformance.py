"""`valletta conformance`: check another engine, in any language, against the conformance suite."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from contextlib import ExitStack
from typing import IO, Final

from valletta_rules.cli.options import seconds
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.specification.conformance.judge import Level
from valletta_rules.specification.conformance.kit import Kit, KitError
from valletta_rules.specification.conformance.peer import AbortedError, Declared, Peer
from valletta_rules.specification.conformance.report import (
    BROKEN,
    PASSED,
    Known,
    KnownFailuresError,
    Report,
    read_known,
)
from valletta_rules.specification.conformance.runner import Runner, selected
from valletta_rules.specification.conformance.server import serve
from valletta_rules.text.files import failure, read_text, replacing, shown_path
from valletta_rules.text.values import UnfitError

MISUSED: Final = 3
"""Exit status: the options, the kit or a file cannot be used."""

JUDGED: Final = (Level.RULES, Level.CHANCE, Level.VIEWS)
"""The levels that count unless others are chosen; events do, too, if the engine has them."""

EVERY: Final = 5.0
"""Seconds between two progress reports."""

LONGEST_LIST: Final = 1_000_000
"""The largest file of known failures, in bytes."""


ABOUT: Final = (
    "Run an engine, in whatever language, against the conformance suite: it is asked "
    "in JSON, one object a line, over its standard input and output."
)
"""The command's description."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--engine", metavar="COMMAND", type=shlex.split, help="starts the engine")
    who.add_argument(
        "--serve", action="store_true", help="be an engine under test: answer the questions"
    )
    _add_selection(parser)
    _add_bounds(parser)
    parser.add_argument(
        "--report", metavar="FILE", help="write every result to this file, one JSON object a line"
    )


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """Add the options that select vectors, and those that decide on the result."""
    add = parser.add_argument
    add(
        "--vectors",
        metavar="DIR",
        help="the kit in this folder, instead of the one that comes with the package",
    )
    add(
        "--only",
        metavar="WHAT",
        action="append",
        default=[],
        help="only a chapter (building), what shows a clause (BLD-6), or a vector by its id; "
        "may be given several times",
    )
    add(
        "--level",
        type=Level,
        choices=list(Level),
        action="append",
        help="what decides whether a vector is passed; may be given several times (default: "
        f"{', '.join(JUDGED)}, and {Level.EVENTS} of an engine that has them); "
        "the others are reported only",
    )


def _add_bounds(parser: argparse.ArgumentParser) -> None:
    """Add the options for timeouts and known failures."""
    add = parser.add_argument
    add(
        "--timeout", type=seconds, default=5.0, metavar="S", help="seconds for a reply (default: 5)"
    )
    add(
        "--start-timeout",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds for the first reply (default: 30)",
    )
    add(
        "--known-failures",
        metavar="FILE",
        help="vectors expected to fail, one a line, as ID: WHY; it is an error if one does not",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    if arguments.serve:
        serve(sys.stdin, sys.stdout)
        return PASSED
    if not arguments.engine:
        raise ComplaintError("--engine names no command", MISUSED)
    try:
        kit = Kit.load(arguments.vectors)
        known = _known(arguments.known_failures)
        with ExitStack() as stack:
            file = None
            if arguments.report is not None:
                part = stack.enter_context(replacing(arguments.report))
                file = stack.enter_context(part.open("w", encoding="utf-8"))
            try:
                return _judge(arguments, kit, known, file)
            except AbortedError as error:  # the report says how far the engine came
                print(f"{arguments.program}: {error}", file=sys.stderr)
                return BROKEN
    except (KitError, KnownFailuresError, UnfitError) as error:
        raise ComplaintError(str(error), MISUSED) from None
    except OSError as error:
        raise ComplaintError(failure(error), MISUSED) from None


def _judge(arguments: argparse.Namespace, kit: Kit, known: Known, file: IO[str] | None) -> int:
    """Run all vectors against the engine, and print the report."""
    vectors = list(selected(kit.vectors(), arguments.only))
    if not vectors:
        raise ComplaintError(f"no vector matches {', '.join(arguments.only)}", MISUSED)
    peer = Peer(arguments.engine, kit.version, arguments.timeout, arguments.start_timeout)
    with peer:
        levels = arguments.level or _judged(peer.start())
        report = Report(kit, peer.start(), levels, arguments.only, known)
        _write(report.header(), file)
        began = told = time.monotonic()
        for number, result in enumerate(Runner(kit, peer, levels).run(vectors), 1):
            _write(report.add(result), file)
            if (now := time.monotonic()) - told > EVERY:
                told = now
                done = f"{now - began:5.0f} s  {number:,} of {len(vectors):,}"
                print(done, file=sys.stderr)
        _write(report.close(peer.told()), file)
    print(*report.lines(), sep="\n")
    return report.status()


def _judged(declared: Declared) -> tuple[Level, ...]:
    """Return the levels that count for an engine unless others are chosen."""
    return (*JUDGED, Level.EVENTS) if "events" in declared.ops else JUDGED


def _write(line: object, file: IO[str] | None) -> None:
    if file is not None:
        file.write(json.dumps(line) + "\n")


def _known(path: str | None) -> Known:
    """Read the file of known failures, if there is one."""
    if path is None:
        return {}
    try:
        return read_known(read_text(path, LONGEST_LIST))
    except (UnfitError, KnownFailuresError) as error:
        raise KnownFailuresError(f"{shown_path(path)}: {error}") from None
