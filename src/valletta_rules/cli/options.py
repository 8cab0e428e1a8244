"""Command line options that several commands have in common."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.components import SITES
from valletta_rules.rulings import EDITIONS, VARIANTS
from valletta_rules.specification.phrases import LANGUAGES, preferred_language
from valletta_rules.text.values import LARGEST, UnfitError, read_number

USUAL_BOT: Final = "automatic"
"""The bot that plays by default."""

GAME: Final = ("players", "rules", "variant", "cards")
"""The names of the options that define a game, except the seed."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys((*GAME, "seed", "resume", "bot", "no_redraw"))
)
"""Options of the commands that play a game, each with its default value, `None`."""


def add_language(parser: argparse.ArgumentParser, **more: Any) -> None:
    """Add the option for the language; `more` are further arguments of `add_argument`."""
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        help="the language of the output (default: from LANGUAGE, LC_ALL, LC_MESSAGES or LANG)",
        **more,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that describe a game to the parser."""
    add = parser.add_argument
    add("--players", type=int, choices=tuple(SITES), help="the number of players (default: 2)")
    add(
        "--seed",
        type=number(0),
        metavar="N",
        help="the seed of the game (default: a random number)",
    )
    add("--rules", choices=EDITIONS, help="the edition of the rules (default: hans-im-glueck)")
    add(
        "--variant",
        choices=VARIANTS,
        action="append",
        help="play with this variant; may be given several times",
    )
    add_path(parser, "--cards", "play with the card set in this file")
    add(
        "--bot",
        "--bots",
        type=_bots,
        metavar="BOT",
        help="the bot of all seats without a person, or one bot per seat, separated by commas; "
        f"valletta bots lists them (default: {USUAL_BOT})",
    )


def add_path(to: argparse._ActionsContainer, name: str, text: str, metavar: str = "FILE") -> None:
    """Add an argument that names a file, or a folder if `metavar` is ``DIR``.

    `text` is the help text.
    """
    to.add_argument(name, metavar=metavar, type=file_name, help=text)


def file_name(text: str) -> str:
    """Return the path `text` with a leading ``~`` replaced by the user's home folder."""
    return os.path.expanduser(text)


def number(least: int, most: int = LARGEST) -> Callable[[str], int]:
    """Return a function that parses an integer from `least` to `most`, for `argparse`."""

    def read(text: str) -> int:
        try:
            return read_number(text, range(least, most + 1))
        except UnfitError as unfit:
            raise argparse.ArgumentTypeError(str(unfit)) from None

    return read


def add_working_folder_to_path() -> None:
    """Make bots and executors importable from the current folder."""
    if (folder := os.getcwd()) not in sys.path:
        sys.path.insert(0, folder)


def _bots(text: str) -> str:
    """Return the canonical form of a comma-separated list of bots.

    Each bot is created once, because some options are checked only when a bot is created.  Raises
    `argparse.ArgumentTypeError` for an unknown bot or option.
    """
    from valletta_rules.bots.registry import make_bot, normalise, split_specs

    add_working_folder_to_path()
    try:
        bots = [normalise(spec) for spec in split_specs(text)]
        for bot in bots:
            make_bot(bot, random.Random(0))
    except UnfitError as unfit:
        raise argparse.ArgumentTypeError(str(unfit)) from None
    return ",".join(bots)


def spoken(arguments: argparse.Namespace) -> str:
    """Return the code of the requested language, by default the language of the environment."""
    return arguments.language or preferred_language()
