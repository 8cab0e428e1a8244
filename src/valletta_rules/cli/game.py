"""The game that the options of a command line describe, and how it is shown."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Final, TypeVar

from valletta_rules.card_sets.files import RECONSTRUCTION, load_card_set
from valletta_rules.cli.screen import Screen, columns, wants_colour
from valletta_rules.cli.statuses import MISUSED, complain
from valletta_rules.cli.table import TerminalTable
from valletta_rules.codec import CodecError
from valletta_rules.components.card_set import CardSet
from valletta_rules.play.session import Session
from valletta_rules.records.files import SIZE_LIMIT, parse_record
from valletta_rules.records.record import Record, RecordError
from valletta_rules.rulings import EDITIONS, HANS_IM_GLUECK, VARIANTS
from valletta_rules.text.files import decoded, read_text, shown_path
from valletta_rules.text.values import UnfitError
from valletta_rules.words import Language

STANDARD_INPUT: Final = "-"
"""The name by which a command reads a game from standard input."""

T = TypeVar("T")


def new_session(arguments: argparse.Namespace) -> Session:
    """Return a session of the requested game, with a seed that can be shown.

    Raises `CardSetError` and `VariantError`.
    """
    edition = HANS_IM_GLUECK if arguments.rules is None else EDITIONS[arguments.rules]
    variants = arguments.variant or ()
    rules = edition.with_variants(**{VARIANTS[name]: True for name in variants})
    cards = RECONSTRUCTION if arguments.cards is None else load_card_set(arguments.cards)
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    return Session(arguments.players or 2, rules=rules, cards=cards, seed=seed, skip_forced=True)


def add_moves(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the record of a game, and how many of its moves a command deals with."""
    parser.add_argument("file", metavar="FILE", help="the record of the game; - is standard input")
    parser.add_argument(
        "--until", type=int, metavar="N", help=f"{verb} only the first N moves, chance included"
    )


def read_moves(
    arguments: argparse.Namespace, language: Language, command: str
) -> tuple[Record, int] | None:
    """Return the record that was asked for and how many of its moves, or complain."""
    record = read_game(arguments.file, language, command, parse_record)
    if record is None:
        return None
    moves = len(record.actions) if arguments.until is None else arguments.until
    if 0 <= moves <= len(record.actions):
        return record, moves
    complain(language.say("console.until", moves=len(record.actions)), MISUSED, command)
    return None


def read_game(
    path: str, language: Language, command: str, parse: Callable[[str], T], most: int = SIZE_LIMIT
) -> T | None:
    """Return what `parse` makes of a file, or of standard input; complain of a faulty file.

    Takes the path, the language of the complaint and the command that complains; `parse` may raise
    `RecordError` and `CodecError`.  `most` is the largest size in bytes.
    """
    file = shown_path(path)
    try:
        return parse(_text_of(path, most))
    except (RecordError, CodecError) as error:
        said = f"{file}: {language.describe_error(error)}"
    except OSError as error:
        said = language.say("console.unreadable", file=file, reason=error.strerror)
    complain(said, MISUSED, command)
    return None


def _text_of(path: str, most: int) -> str:
    try:
        if path != STANDARD_INPUT:
            return read_text(path, most)
        with open(0, "rb", closefd=False) as file:
            return decoded(file.read(most + 1), most)
    except UnfitError as unfit:
        raise RecordError(str(unfit), unfit.line) from unfit


def screen_for(record: Record, language: Language) -> Screen:
    """Return the screen for a game, with the names of its players."""
    names = record.names or language.names[: record.players]
    return Screen(language, names, columns(), wants_colour())


def heading(table: TerminalTable) -> str:
    """Describe the game: players, rules and cards."""
    language, record = table.screen.language, table.session.record
    say = language.say
    about = [language.describe_rules(record.rules), say("console.players", count=record.players)]
    if table.is_seed_told:
        about.append(say("console.seed", seed=table.session.seed))
    return ", ".join(about)


def about_cards(cards: CardSet, language: Language) -> str:
    """Name the card set, and say that the built-in one is a reconstruction."""
    say = language.say
    return (
        say("console.reconstruction")
        if cards == RECONSTRUCTION
        else say("console.cards", name=cards.name)
    )
