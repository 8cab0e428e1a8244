"""The kinds of problem in position lines, record files, and logs."""

from __future__ import annotations

from valletta_rules.errors import Flaw


class Damage(Flaw):
    """The kinds of problem, with stable codes.

    Values in quotation marks are quoted from the damaged text, so they are not translated.
    """

    # Position lines

    LINE_TOO_LONG = "line-too-long", "it has more than {most:,} characters"
    SEAT_COUNT = "seat-count", "it must have 2, 3 or 4 seats, not {found}"
    NO_POSITION = "no-position", "it must begin with valletta/{right}"
    LINE_FORMAT = "line-format", "it has format {found}, and this version reads format {right} only"
    NO_PHASE = "no-phase", "there is no phase '{word}'"
    NO_SEAT = "no-seat", "there is no seat '{word}'"
    NO_STEP = "no-step", "there is no step '{word}'"
    NO_GRANTER = "no-granter", "there is no character '{word}' that grants an extra good"
    NOT_IN_SET = "not-in-set", "the card set has no building '{word}'"
    FIRST_STEP = "first-step", "the first step must be a prompt"

    # Records

    NO_RECORD = (
        "no-record",
        'this is not a record of a game: it must begin with "valletta: {right}"',
    )
    RECORD_FORMAT = (
        "record-format",
        "the file has format {found}, and this version of valletta-rules "
        "reads only format {right}; use a version that reads this format",
    )
    RECORD_EMPTY = "record-empty", "this is not a record of a game: it is empty"
    SECOND_RECORD = "second-record", "a second record begins here, but a file has only one"
    RECORD_LINE = "record-line", "the line is too long: a line has at most {most:,} characters"
    RECORD_MOVES = "record-moves", "the record is too long: a record has at most {most:,} moves"
    OTHER_DOCUMENT = "other-document", "a record is expected, not {found}"
    NO_LESSON = "no-lesson", "there is no lesson '{word}'"
    NO_HEADER = "no-header", "there is no header '{word}'"
    HEADER_TWICE = "header-twice", 'the header "{key}" occurs twice'
    PLAYER_NAME = "player-name", "a name {form}"
    NAME_COUNT = "name-count", "{players} players need {players} names, not {found}"
    SAME_NAME = "same-name", "no two players may have the same name: {names}"
    NOTE_TOO_LONG = "note-too-long", "the note is too long: a note has at most {most:,} characters"
    OTHER_HEADING = "other-heading", "the heading says '{word}', but this is {expected}"
    TURN_NOT_OVER = "turn-not-over", "the heading says '{word}', but turn {turn} is not over"
    OTHER_MOVER = "other-mover", "it is {right}'s move, not {found}'s"

    # Logs

    NO_ENTRY = "no-entry", "it must be an entry of a log, not {found}"
    EMPTY_LOG = "empty-log", "it is missing: the log is empty"
    MISSING_ENTRY = "missing-entry", "it is missing: the next entry is {found}"
    OPENED_AGAIN = "opened-again", "only the first entry may open the game"
    NO_END = "no-end", "its last chance outcomes are missing"
    NO_CHANCE = "no-chance", "{word} is not a chance outcome"
