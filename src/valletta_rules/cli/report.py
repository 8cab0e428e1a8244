"""`valletta report DIR`: what a tournament has found."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from valletta_rules.studies import report
from valletta_rules.studies.store import StoreError, read_store
from valletta_rules.studies.summary import summarise
from valletta_rules.text.files import failure

if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

DONE: Final = 0
"""Exit status: the report was printed."""

FAULTY: Final = 2
"""Exit status: there is no tournament in the folder, or it is damaged."""


def add_parser(subparsers: SubParsers, about: str) -> None:
    """Add the command `report` to a command line, of which `about` says what it does."""
    parser = subparsers.add_parser(
        "report",
        help=about,
        description="Print what the tournament in a folder has found, finished or not: standings, "
        "who came in before whom, seats, length, buildings and cards.  As CSV it is a line for "
        "each game and seat, as HTML a page with plots that needs nothing else.",
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of the tournament")
    parser.add_argument(
        "--format", choices=("text", "csv", "html"), default="text", help="(default: text)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    try:
        study, results = read_store(arguments.folder)
    except StoreError as error:
        print(f"valletta report: {error}", file=sys.stderr)
        return FAULTY
    except OSError as error:
        print(f"valletta report: {failure(error)}", file=sys.stderr)
        return FAULTY
    match arguments.format:
        case "csv":
            print(report.as_csv(study, results), end="")
        case "html":
            print(report.as_html(summarise(study, results)), end="")
        case _:
            print(report.as_text(summarise(study, results)))
    return DONE
