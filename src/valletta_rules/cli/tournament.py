"""`valletta tournament BOT...`: play bots against one another, and store all results."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor
from importlib import import_module
from traceback import print_exception
from types import MappingProxyType
from typing import Any, Final

import attrs

from valletta_rules.bots.registry import make_bot, normalise
from valletta_rules.cli.game import card_sheet_of
from valletta_rules.cli.options import add_path, add_working_folder_to_path, number
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.components import MOST_TURNS, SITES
from valletta_rules.errors import VallettaError
from valletta_rules.games import new_game
from valletta_rules.studies import Study, report
from valletta_rules.studies.run import run_study
from valletta_rules.studies.statistics import Sprt, format_interval, wilson
from valletta_rules.studies.store import Store, read_study
from valletta_rules.studies.summary import summarise
from valletta_rules.text.files import failure
from valletta_rules.text.values import read_rules

DONE: Final = 0
"""Exit status: all games are played without a sequential test, or the first bot passes it."""

NO_BETTER: Final = 1
"""Exit status: the sequential test concludes that the first bot is not better."""

MISUSED: Final = 2
"""Exit status: the options or the folder cannot be used, or the executor or a bot failed."""

UNDECIDED: Final = 3
"""Exit status: all games are played, and the sequential test is undecided."""

EVERY: Final = 10.0
"""The minimum number of seconds between two progress messages."""

MOST_JOBS: Final = 1_000
"""The maximum number of games that are played in parallel."""

OPTIONS: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "players": int,
        "games": int,
        "seed": int,
        "rules": read_rules,
        "cards": lambda path: card_sheet_of(path).cards,
        "most_turns": int,
    }
)
"""The parsers of the options that define a study, keyed by the field of `Study`."""

_STATUS: Final = MappingProxyType({"H1": DONE, "H0": NO_BETTER, None: UNDECIDED})


ABOUT: Final = (
    "Play bots against one another, each bot in every seat with the same seeds, and store the "
    "results of all games in a folder.  The final table is printed on standard output, progress "
    "on standard error.  --resume, or the same command, continues a tournament that was "
    "interrupted or killed; its result is the same as without the interruption."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    _add_games(parser)
    _add_course(parser)
    where = parser.add_mutually_exclusive_group(required=True)
    add_path(where, "--out", "the folder in which the results are stored", "DIR")
    add_path(where, "--resume", "continue the tournament in this folder", "DIR")


def _add_games(parser: argparse.ArgumentParser) -> None:
    """Add the options that define the bots and the games."""
    add = parser.add_argument
    add(
        "bots",
        nargs="*",
        metavar="BOT",
        help="a bot, such as automatic, or MODULE:NAME for your own; valletta bots lists the bots",
    )
    add("--players", type=int, choices=tuple(SITES), help="the number of players (default: 2)")
    add(
        "--games",
        type=number(1),
        metavar="N",
        help="the number of games of each line-up (default: 400)",
    )
    add("--seed", type=int, metavar="N", help="the first seed (default: 1000)")
    add(
        "--rules", help="edition and variants, such as z-man+start-player (default: hans-im-glueck)"
    )
    add_path(parser, "--cards", "play with the card set in this file")
    add(
        "--max-turns",
        dest="most_turns",
        type=number(1),
        metavar="N",
        help=f"stop a game after N turns (default: {MOST_TURNS})",
    )


def _add_course(parser: argparse.ArgumentParser) -> None:
    """Add the options for the sequential test and for running games in parallel."""
    add = parser.add_argument
    add(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop as soon as a sequential test decides whether the first bot is ELO1 points "
        "better than the other bots, or at most ELO0",
    )
    add(
        "--jobs",
        type=number(1, MOST_JOBS),
        default=1,
        metavar="N",
        help="the number of games that are played in parallel (default: 1)",
    )
    add(
        "--executor",
        metavar="MODULE:NAME",
        help="a function that returns the executor that plays the games (default: processes on "
        "this machine)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    add_working_folder_to_path()
    try:
        study = _study(arguments) if arguments.resume is None else _resumed(arguments)
        open_executor = None if arguments.executor is None else _executor(arguments.executor)
        with Store(arguments.resume or arguments.out, study) as store:
            run_study(
                store,
                open_executor,
                workers=arguments.jobs,
                on_progress=Progress(store).print_progress,
            )
    except (VallettaError, ValueError, BrokenExecutor, OSError) as error:
        message = failure(error) if isinstance(error, OSError) else str(error)
        notes: list[str] = getattr(error, "__notes__", [])  # the game in which it was raised
        raise ComplaintError("\n".join([message, *notes]), MISUSED) from None
    except Exception as error:  # any error of a bot
        print_exception(error)
        return MISUSED
    summary = summarise(store.sums)
    print(report.as_text(summary))
    return DONE if summary.verdict is None else _STATUS[summary.verdict.accepted]


def _resumed(arguments: argparse.Namespace) -> Study:
    """Return the study that is stored in the folder of ``--resume``.

    Raises `ValueError` if the command line also has options that define a study.
    """
    options = ("bots", *OPTIONS, "sprt")
    if more := [name for name in options if getattr(arguments, name) not in (None, [])]:
        raise ValueError(f"--resume reads all options from its folder; remove {', '.join(more)}")
    return read_study(arguments.resume)


def _study(arguments: argparse.Namespace) -> Study:
    """Return the study that the arguments describe; raise `ValueError` for an invalid argument."""
    if arguments.bots == []:
        raise ValueError("the command line names no bots; `valletta bots` lists the bots")
    wanted: dict[str, Any] = {
        name: read(text)
        for name, read in OPTIONS.items()
        if (text := getattr(arguments, name)) is not None
    }
    study = Study(tuple(map(normalise, arguments.bots)), **wanted)
    new_game(study.players, rules=study.rules, cards=study.cards)
    for bot in study.bots:
        make_bot(bot, random.Random(0))
    if arguments.sprt is None:
        return study
    return attrs.evolve(study, sprt=_sprt(arguments.sprt, study.players))


def _sprt(text: str, players: int) -> Sprt:
    """Return a sequential test with the Elo bounds in `text`, such as ``0,35``."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--sprt must be two numbers, such as 0,35, not {text!r}") from None
    return Sprt(elo0, elo1, players)


def _executor(text: str) -> Callable[[], Executor]:
    """Import and return the function that `text` names, such as ``my_cluster:open``."""
    module, _, name = text.partition(":")
    try:
        factory: Callable[[], Executor] = getattr(import_module(module), name)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"--executor {text}: {error}") from None
    return factory


class Progress:
    """A reporter that prints the progress of a study on standard error every ten seconds."""

    def __init__(self, store: Store) -> None:
        """Start the clock.  Games that `store` already contains do not count towards the rate."""
        self._start, self._before = time.monotonic(), store.played
        self._due = self._start + EVERY

    def print_progress(self, store: Store) -> None:
        """Print the progress if ten seconds have passed since the last report."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + EVERY
        study, played = store.study, store.played
        who = study.bots[0] if len(study.bots) > 1 else 0
        rate = (played - self._before) / (now - self._start)
        share = format_interval(wilson(*store.sums.won(who)))
        text = f"{played} of {study.size} games, {rate:.1f} a second, {who or 'first seat'} {share}"
        print(text, file=sys.stderr, flush=True)
