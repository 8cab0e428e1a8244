"""The kinds of problem in card sets and card-set files."""

from __future__ import annotations

from typing import Final

from valletta_rules.components import UNFIT_NAME
from valletta_rules.errors import Flaw

WHOLE: Final = "must be a whole number from {least} to {most}, not {found}"
"""The message for a value that is not an integer within its limits."""


class Misprint(Flaw):
    """The kinds of problem in card sets and card-set files, with stable codes."""

    # Contradictions of the rulebook

    NAME = "name", UNFIT_NAME
    DESIGN = "design", "must be {right}, not {found}: the designs of a letter count from 1"
    LETTER = "letter", "must be one capital letter from A to Z, not {found}", "CMP-9"
    COPIES = "copies", WHOLE
    POINTS = "points", WHOLE
    COST = "cost", WHOLE
    TOO_DEAR = "too-dear", "a building costs at most {most} goods in all, not {found}"
    LETTER_OF_ANOTHER = (
        "letter-of-another",
        "this is the letter of the {character.english} in {building}",
        "CMP-9",
    )
    OTHER_LETTER = "other-letter", "this character has another letter in {building}", "CMP-9"
    STARTING_CARD = "starting-card", "the {character.english} comes with no building", "CMP-6"
    NO_BUILDING = "no-building", "no building comes with {characters}", "CMP-6"
    BUILDINGS = "buildings", "the game has {right} building cards; these are {found}", "CMP-8"
    COLOUR = "colour", "{players} players need {least} {colour} cards; there are {found}", "SET-8"
    YELLOW_COPIES = (
        "yellow-copies",
        "a yellow character is on 2 cards at most, not {found}",
        "CMP-23",
    )
    YELLOW_TWICE = "yellow-twice", "at least one yellow character must occur only once", "CMP-23"
    REPEATED = "repeated", "has the same values as {building}; write it once, with more copies"
    BARREL = "barrel", WHOLE, "CMP-18"
    BARRELS = "barrels", "the game has {right} barrels; these are {found}", "CMP-18"

    # Doubtful values, with which a card set is still valid

    NO_GOLD = "no-gold", "has no gold; according to reviews every cost has some", "CMP-24"
    NO_ICON = "no-icon", "no building shows {goods} as its icon", "CMP-25"
    BANKER = "banker", "is not A, the letter of the Banker according to reviews", "CMP-26"
    NO_BARREL = "no-barrel", "no barrel shows {goods}", "CMP-27"

    # Errors that prevent a file from being read

    UNREADABLE = "unreadable", "cannot be read: {reason}"
    FILE_TOO_LARGE = "file-too-large", "too large: a file has at most {most:,} bytes"
    LONG_LINE = "long-line", "too long: a line has at most {most} characters"
    NO_TOML = "no-toml", "not TOML: {reason}"
    FORMAT = "format", "this program reads format {right}, not {found}"
    MISSING = "missing", "is missing; write {wanted}"
    NO_WORD = "no-word", "must be {wanted} in quotation marks, not {found}"
    NO_NUMBER = "no-number", WHOLE
    NO_TABLE = "no-table", "must be a table such as {example}, not {found}"
    NO_TABLES = "no-tables", "must be tables, each headed [[building]]"
    MISSPELT = "misspelt", "there is no {what} {found}; did you mean {meant}?"
    NOT_AMONG = "not-among", "there is no {what} {found}; there are {known}"
    UNKNOWN = "unknown", "there is no {what} {found}"
    UNFIT = "unfit", "{reason}"
    UNFILLED = "unfilled", "still to be filled in: {listed}"
