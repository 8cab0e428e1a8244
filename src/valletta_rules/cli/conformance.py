"""`valletta conformance`: run the conformance suite against an engine in any language."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import time
from contextlib import ExitStack
from typing import IO, Final

from valletta_rules.cli.options import add_path, number
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.specification.conformance import report
from valletta_rules.specification.conformance.judge import Level
from valletta_rules.specification.conformance.kit import Kit, KitError
from valletta_rules.specification.conformance.peer import AbortedError, Declared, Peer
from valletta_rules.specification.conformance.runner import Runner, selected
from valletta_rules.specification.conformance.server import serve
from valletta_rules.text.files import failure, replacing
from valletta_rules.text.values import UnfitError

PASSED: Final = report.PASSED
"""Exit status: the engine passed every vector that was sent to it, or ``--serve`` has ended."""

FAILED: Final = report.FAILED
"""Exit status: at least one vector failed."""

BROKEN: Final = report.BROKEN
"""Exit status: a vector caused an error or timed out, no vector was sent, the engine does not
start, or the command line is invalid.
"""

MISUSED: Final = 3
"""Exit status: ``--only`` selects no vector, ``--engine`` is empty, or a file cannot be used."""

DAY: Final = 86_400
"""The maximum timeout in seconds: one day."""

JUDGED: Final = (Level.RULES, Level.CHANCE, Level.VIEWS)
"""The levels that an engine must pass by default.

`Level.EVENTS` is added for an engine that declares events.
"""

EVERY: Final = 5.0
"""The number of seconds between two progress messages of a run."""

ABOUT: Final = (
    "Run an engine in any language against the conformance suite. The engine receives requests "
    "as JSON, one object per line, on its standard input, and replies on its standard output."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument(
        "--engine", metavar="COMMAND", type=shlex.split, help="the command that starts the engine"
    )
    who.add_argument(
        "--serve", action="store_true", help="act as an engine under test: answer requests"
    )
    add = parser.add_argument
    add(
        "--timeout",
        type=number(1, DAY),
        default=5,
        metavar="S",
        help="the number of seconds within which the engine must reply (default: 5)",
    )
    add_path(parser, "--report", "write every result to this file, one JSON object per line")
    add_path(
        parser,
        "--vectors",
        "use the conformance suite in this folder instead of the one in the package",
        "DIR",
    )
    add(
        "--only",
        metavar="WHAT",
        action="append",
        default=[],
        help="run only the vectors of this chapter (building) or clause (BLD-6), or only the "
        "vector with this id; may be given several times",
    )
    add(
        "--level",
        type=Level,
        choices=list(Level),
        action="append",
        help="a level that a vector must match to pass; may be given several times (default: "
        f"{', '.join(JUDGED)}, and {Level.EVENTS} for an engine that declares events); "
        "the results of the other levels are only reported",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    if arguments.serve:
        serve(sys.stdin, sys.stdout)
        return PASSED
    if not arguments.engine:
        raise ComplaintError(
            "--engine needs a command that starts the engine, not an empty string", MISUSED
        )
    try:
        kit = Kit.load(arguments.vectors)
        with ExitStack() as stack:
            file = None
            if arguments.report is not None:
                part = stack.enter_context(replacing(arguments.report))
                file = stack.enter_context(part.open("w", encoding="utf-8"))
            try:
                engine_report = _judge(arguments, kit, file)
            except AbortedError as error:  # keep the report up to this point
                print(f"{arguments.program}: {error}", file=sys.stderr)
                return BROKEN
    except (KitError, UnfitError) as error:
        raise ComplaintError(str(error), MISUSED) from None
    except OSError as error:
        raise ComplaintError(failure(error), MISUSED) from None
    print(*engine_report.lines(), sep="\n")
    return engine_report.status()


def _judge(arguments: argparse.Namespace, kit: Kit, file: IO[str] | None) -> report.Report:
    """Run the selected test vectors, and return the report on the engine."""
    vectors = list(selected(kit.vectors(), arguments.only))
    if not vectors:
        raise ComplaintError(f"no test vector matches {', '.join(arguments.only)}", MISUSED)
    with Peer(arguments.engine, kit.version, arguments.timeout) as peer:
        levels = arguments.level or _judged(peer.start())
        engine_report = report.Report(kit, peer.start(), levels, arguments.only)
        _write(engine_report.header(), file)
        due = time.monotonic() + EVERY
        for number, result in enumerate(Runner(kit, peer, levels).run(vectors), 1):
            _write(engine_report.add(result), file)
            if time.monotonic() > due:
                print(f"{number:,} of {len(vectors):,} vectors", file=sys.stderr)
                due += EVERY
        _write(engine_report.close(peer.stderr_tail()), file)
    return engine_report


def _judged(declared: Declared) -> tuple[Level, ...]:
    """Return the levels that an engine must pass by default, given the operations it declares."""
    return (*JUDGED, Level.EVENTS) if "events" in declared.ops else JUDGED


def _write(line: object, file: IO[str] | None) -> None:
    if file is not None:
        file.write(json.dumps(line) + "\n")
