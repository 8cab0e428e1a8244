"""The kinds of problem in texts that cannot be parsed as a value, a move or a file."""

from __future__ import annotations

from valletta_rules.components import UNFIT_NAME
from valletta_rules.errors import Flaw


class Misspelling(Flaw):
    """The kinds of problem in texts, with stable codes.

    In the messages, words from the text are in quotation marks.
    """

    # Names

    NO_CHARACTER = "no-character", "there is no character '{word}'"
    NO_GOOD = "no-good", "there is no good '{word}'"
    NO_EDITION = "no-edition", "there is no edition '{word}'"
    NO_VARIANT = "no-variant", "there is no variant '{word}'"
    NO_QUESTION = "no-question", "there is no question '{word}'"
    NO_ANSWER = "no-answer", "there is no answer to {question} '{word}'"
    NO_BOT = "no-bot", "there is no bot '{word}'"
    NO_PROVENANCE = "no-provenance", "there is no provenance '{word}'"
    NO_CODE = "no-code", "'{word}' is not the code of a building, such as A or A2"
    NAME_NOT_UTF8 = "name-not-utf8", "'{word}' is not a name in UTF-8"
    UNFIT_NAME = "unfit-name", f"a name {UNFIT_NAME}: {{found}}"
    SAME_CODES = "same-codes", "two designs have the same code: {codes}"

    # Numbers, lists and entries

    NOT_A_NUMBER = "not-a-number", "must be a number from {least} to {most}, not '{word}'"
    NOT_UPWARDS = "not-upwards", "must be a number from {least} upwards, not '{word}'"
    NOT_IN_PARTS = "not-in-parts", "must be written {form}, not '{word}'"
    NOT_AN_ENTRY = "not-an-entry", "must be written key=value"
    ENTRY_TWICE = "entry-twice", "occurs twice"
    ENTRY_MISSING = "entry-missing", "is missing"
    ENTRY_UNKNOWN = "entry-unknown", "is an unknown key"
    NOT_GOODS = "not-goods", "must be goods such as 2g 1w, or 0, not '{word}'"
    KIND_TWICE = "kind-twice", "{kind} occurs twice; write 2{kind}"
    TOO_MANY_IN_ALL = "too-many-in-all", "must be at most {most} cards"

    # Moves

    MOVE_TOO_LONG = "move-too-long", "a move has at most {most} characters"
    MOVE_EMPTY = "move-empty", "it is empty"
    NO_VERB = "no-verb", "it cannot be understood"
    QUESTION = "question", "it is a question; for a move, leave out the question mark"
    CHARACTER_FOLLOWS = "character-follows", "a character must follow, as in maid"
    GOOD_FOLLOWS = "good-follows", "one good must follow: gold, wood, stone or brick"
    SITE_NUMBER = "site-number", "the sites of this game are numbered 0 to {most}"
    SITE_FOLLOWS = (
        "site-follows",
        "a site must follow: its number, its building's code or character",
    )
    GOODS_FOLLOW = "goods-follow", "goods must follow, as in 2g 1w, or nothing"
    GAIN_FOLLOWS = "gain-follows", "goods must follow, as in gold, or in 1g 1w"
    CODE_FOLLOWS = (
        "code-follows",
        "the code of a building of this card set must follow, as in A",
    )
    NOTHING_FOLLOWS = "nothing-follows", "nothing may follow decline"

    # Files

    NO_FILE_NAME = "no-file-name", "this is not a valid file name"
    FILE_TOO_LONG = "file-too-long", "too large: a file has at most {most:,} bytes"
    NOT_UTF8 = "not-utf8", "not UTF-8 text; save it as UTF-8"
