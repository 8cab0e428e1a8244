"""`valletta report DIR`: print the results of a tournament."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.records.files import format_record
from valletta_rules.studies import report
from valletta_rules.studies.store import StoreError, read_games, read_store, replay_game
from valletta_rules.studies.summary import summarise
from valletta_rules.text.files import failure

DONE: Final = 0
"""Exit status: the report was printed."""

FAULTY: Final = 2
"""Exit status: the folder holds no tournament, or a damaged one."""


ABOUT: Final = (
    "Print the results of the tournament in a folder, finished or not: standings, "
    "direct comparisons, seats, length, buildings and cards.  CSV has a line for each game and "
    "seat; HTML is a self-contained page with plots.  The record of a game, by its number in the "
    "CSV, comes from playing it again."
)
"""The command's description."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("folder", metavar="DIR", help="the folder of the tournament")
    parser.add_argument(
        "--format", choices=("text", "csv", "html"), default="text", help="(default: text)"
    )
    parser.add_argument(
        "--game", type=int, metavar="N", help="play game N again, and print its record instead"
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    try:
        for text in _texts(arguments.folder, arguments.format, arguments.game):
            print(text, end="")
    except (StoreError, IndexError) as error:
        raise ComplaintError(str(error), FAULTY) from None
    except OSError as error:
        raise ComplaintError(failure(error), FAULTY) from None
    return DONE


def _texts(folder: str, form: str, game: int | None) -> Iterator[str]:
    """Yield what is asked for, in parts."""
    if game is not None:
        yield format_record(replay_game(folder, game))
        return
    sums = read_store(folder)
    match form:
        case "csv":
            yield from report.as_csv(sums.study, read_games(folder))
        case "html":
            yield report.as_html(summarise(sums))
        case _:
            yield f"{report.as_text(summarise(sums))}\n"
