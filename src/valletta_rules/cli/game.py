"""Functions that create or read the game that the arguments of a command describe."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Final, TypeVar

from valletta_rules.card_sets import files
from valletta_rules.card_sets.files import SIZE_LIMIT as CARDS_LIMIT
from valletta_rules.cli import options, screen, statuses
from valletta_rules.cli.table import TerminalTable
from valletta_rules.codec import CodecError
from valletta_rules.components import CardSet
from valletta_rules.errors import VariantError
from valletta_rules.play.session import Session
from valletta_rules.records.files import SIZE_LIMIT, parse_record
from valletta_rules.records.record import Record, RecordError
from valletta_rules.rulings import EDITIONS, HANS_IM_GLUECK, VARIANTS
from valletta_rules.text.files import decoded, printable_path, read_text
from valletta_rules.text.layout import columns
from valletta_rules.text.values import UnfitError
from valletta_rules.words import ENGLISH, Language

STANDARD_INPUT: Final = "-"
"""The file name that denotes standard input."""

T = TypeVar("T")


def new_session(arguments: argparse.Namespace, language: Language) -> Session:
    """Return a session for the requested game, by default with a random seed below 1,000,000.

    Raises `ComplaintError`, with a message in `language`, for a faulty card set, or if the edition
    or the number of players does not allow a variant.
    """
    edition = HANS_IM_GLUECK if arguments.rules is None else EDITIONS[arguments.rules]
    variants = arguments.variant or ()
    rules = edition.with_variants(**{VARIANTS[name]: True for name in variants})
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    players = arguments.players or 2
    try:
        path = arguments.cards
        cards = files.RECONSTRUCTION if path is None else card_sheet_of(path, language).cards
        return Session(players, rules=rules, cards=cards, seed=seed, skip_forced=True)
    except (files.CardSetError, VariantError) as error:
        raise statuses.ComplaintError(language.describe_error(error)) from None


def add_moves(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the arguments for the record of a game and for the number of moves to process."""
    options.add_path(parser, "file", "the record of the game; - is standard input")
    parser.add_argument(
        "--until", type=int, metavar="N", help=f"{verb} only the first N moves, including chance"
    )


def read_moves(arguments: argparse.Namespace, language: Language) -> tuple[Record, int]:
    """Return the record that the arguments name, and the number of its moves to process.

    Raises `ComplaintError` for a faulty record, or if the number is negative or too large.
    """
    record = read_game(arguments.file, language, lambda path: parse_record(text_of(path)))
    moves = len(record.actions) if arguments.until is None else arguments.until
    if not 0 <= moves <= len(record.actions):
        raise statuses.ComplaintError(language.phrase("console.until", moves=len(record.actions)))
    return record, moves


def read_game(path: str, language: Language, read: Callable[[str], T]) -> T:
    """Return `read(path)`; if reading fails, raise `ComplaintError` with a message in `language`.

    `read` reports failures as `RecordError`, `CodecError` or `OSError`.
    """
    file = source_of(path, language)
    try:
        return read(path)
    except (RecordError, CodecError) as error:
        raise statuses.ComplaintError(f"{file}: {language.describe_error(error)}") from None
    except OSError as error:
        message = language.phrase("console.unreadable", file=file, reason=error.strerror)
        raise statuses.ComplaintError(message) from None


def source_of(path: str, language: Language) -> str:
    """Return the name of a file for use in messages; for ``-``, a phrase for standard input."""
    return (
        language.phrase("console.standard_input")
        if path == STANDARD_INPUT
        else printable_path(path)
    )


def text_of(path: str, most: int = SIZE_LIMIT) -> str:
    """Return the text of a file, or of standard input for ``-``.

    Raises `RecordError` if the file has more than `most` bytes or is not text, and `OSError` if it
    cannot be read.
    """
    try:
        if path != STANDARD_INPUT:
            return read_text(path, most)
        with open(0, "rb", closefd=False) as file:
            return decoded(file.read(most + 1), most)
    except UnfitError as unfit:
        raise RecordError(str(unfit), unfit.line) from unfit


def card_sheet_of(path: str, language: Language = ENGLISH) -> files.CardSheet:
    """Return the card set in a file, or from standard input for ``-``.

    Raises `CardSetError` if the card set is faulty.  `language` is the language in which the
    message names standard input.
    """
    if path != STANDARD_INPUT:
        return files.load_card_sheet(path)
    with open(0, "rb", closefd=False) as file:
        content = file.read(CARDS_LIMIT + 1)
    text = content.decode("utf-8-sig", "surrogateescape")
    return files.parse_card_sheet(text, source_of(path, language))


def screen_for(record: Record, language: Language) -> screen.Screen:
    """Return a screen for the game of `record`, with the names of its players."""
    names = record.names or language.names[: record.players]
    return screen.Screen(language, names, columns(), screen.wants_colour())


def heading(table: TerminalTable) -> str:
    """Return a description of the game at a table: rules, number of players and seed."""
    language, record = table.screen.language, table.session.record
    phrase = language.phrase
    about = [language.describe_rules(record.rules), phrase("console.players", count=record.players)]
    if table.is_seed_visible:
        about.append(phrase("console.seed", seed=table.session.seed))
    return ", ".join(about)


def about_cards(cards: CardSet, language: Language) -> str:
    """Return the name of a card set; for the built-in one, a note that it is a reconstruction."""
    phrase = language.phrase
    return (
        phrase("console.reconstruction")
        if cards == files.RECONSTRUCTION
        else phrase("console.cards", name=cards.name)
    )
