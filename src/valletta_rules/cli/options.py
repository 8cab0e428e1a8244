"""The options of a game on the command line, without the modules that run it."""

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
"""The default bot."""

GAME: Final = ("players", "rules", "variant", "cards")
"""The options that define a game, apart from its seed."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys((*GAME, "seed", "resume", "bot", "no_redraw"))
)
"""The defaults of the options."""


def add_language(parser: argparse.ArgumentParser, **more: Any) -> None:
    """Add the option for the language."""
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        help="the language of the output (default: that of LANGUAGE, LC_ALL, LC_MESSAGES or LANG)",
        **more,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a game to be played or watched; options not given are not set."""
    add = parser.add_argument
    add("--players", type=int, choices=tuple(SITES), help="how many play (default: 2)")
    add("--seed", type=number(0), metavar="N", help="the seed of the game (default: a new one)")
    add("--rules", choices=EDITIONS, help="the edition of the rules")
    add(
        "--variant",
        choices=VARIANTS,
        action="append",
        help="play with a variant; may be given twice",
    )
    add_path(parser, "--cards", "play with the card set of this file")
    add(
        "--bot",
        "--bots",
        type=_bots,
        metavar="BOT",
        help="the other players, or one for each seat, separated by commas; "
        f"valletta bots lists them (default: {USUAL_BOT})",
    )


def add_path(to: argparse._ActionsContainer, name: str, text: str, metavar: str = "FILE") -> None:
    """Add an argument that is the name of a file or, with the metavar DIR, of a folder."""
    to.add_argument(name, metavar=metavar, type=file_name, help=text)


def file_name(text: str) -> str:
    """Return the name of a file or a folder, in which ``~`` is the user's home."""
    return os.path.expanduser(text)


def number(least: int, most: int = LARGEST) -> Callable[[str], int]:
    """Return a parser of integers from `least` to `most`, by default all from `least` upwards."""

    def read(text: str) -> int:
        try:
            return read_number(text, range(least, most + 1))
        except UnfitError as unfit:
            raise argparse.ArgumentTypeError(str(unfit)) from None

    return read


def find_modules_here() -> None:
    """Make bots and executors importable from the current folder."""
    if (here := os.getcwd()) not in sys.path:
        sys.path.insert(0, here)


def _bots(text: str) -> str:
    """Return the canonical form of a list of bots; raise an error if a name is unknown.

    Each bot is created once, since only that checks the values of some options.
    """
    from valletta_rules.bots.registry import make_bot, normalise, split_specs

    find_modules_here()
    try:
        bots = [normalise(spec) for spec in split_specs(text)]
        for bot in bots:
            make_bot(bot, random.Random(0))
    except UnfitError as unfit:
        raise argparse.ArgumentTypeError(str(unfit)) from None
    return ",".join(bots)


def spoken(arguments: argparse.Namespace) -> str:
    """Return the code of the requested language."""
    return arguments.language or preferred_language()
