"""`valletta report DIR`: print the results of a tournament."""

from __future__ import annotations

import argparse
from typing import Final

from valletta_rules.bots.registry import BotSpecError
from valletta_rules.cli.options import add_path, add_working_folder_to_path
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.records.files import format_record
from valletta_rules.studies import StoreError, read_store, replay_game, report
from valletta_rules.studies.summary import summarise
from valletta_rules.text.files import failure

DONE: Final = 0
"""Exit status: the report was printed."""

FAULTY: Final = 2
"""Exit status: the folder contains no valid tournament, or a game in it cannot be replayed."""


ABOUT: Final = (
    "Print the results of a finished or unfinished tournament: standings, direct comparisons, "
    "seats, length of the games, buildings and cards.  With --game, play a game of the "
    "tournament again, and print its record."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_path(parser, "folder", "the folder of the tournament", "DIR")
    parser.add_argument(
        "--game",
        type=int,
        metavar="N",
        help="play the game with number N in games.csv again, and print its record",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    add_working_folder_to_path()
    folder, game = arguments.folder, arguments.game
    try:
        if game is None:
            text = report.as_text(summarise(read_store(folder))) + "\n"
        else:
            text = format_record(replay_game(folder, game))
    except (BotSpecError, StoreError, IndexError) as error:
        raise ComplaintError(str(error), FAULTY) from None
    except OSError as error:
        raise ComplaintError(failure(error), FAULTY) from None
    print(text, end="")
    return DONE
