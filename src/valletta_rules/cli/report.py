"""`valletta report DIR`: print the results of a tournament."""

from __future__ import annotations

import argparse
from typing import Final

from valletta_rules.cli.statuses import complain
from valletta_rules.studies import report
from valletta_rules.studies.store import StoreError, read_store
from valletta_rules.studies.summary import summarise
from valletta_rules.text.files import failure

DONE: Final = 0
"""Exit status: the report was printed."""

FAULTY: Final = 2
"""Exit status: the folder holds no tournament, or a damaged one."""


ABOUT: Final = (
    "Print the results of the tournament in a folder, finished or not: standings, "
    "direct comparisons, seats, length, buildings and cards.  CSV has a line for each game and "
    "seat; HTML is a self-contained page with plots."
)
"""The command's description."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("folder", metavar="DIR", help="the folder of the tournament")
    parser.add_argument(
        "--format", choices=("text", "csv", "html"), default="text", help="(default: text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    try:
        study, results = read_store(arguments.folder)
    except StoreError as error:
        return complain(str(error), FAULTY, "valletta report")
    except OSError as error:
        return complain(failure(error), FAULTY, "valletta report")
    match arguments.format:
        case "csv":
            print(report.as_csv(study, results), end="")
        case "html":
            print(report.as_html(summarise(study, results)), end="")
        case _:
            print(report.as_text(summarise(study, results)))
    return DONE
