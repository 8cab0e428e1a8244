"""Problems of position lines, files of records, and logs of games."""

from __future__ import annotations

from valletta_rules.errors import Flaw


class Damage(Flaw):
    """The problems by stable codes; facts in quotation marks appear verbatim."""

    # Position lines

    LINE_TOO_LONG = "line-too-long", "it has more than {most:,} characters"
    SEAT_COUNT = "seat-count", "it must have 2, 3 or 4 seats, not {found}"
    NO_POSITION = "no-position", "it must begin with valletta/{right}"
    LINE_FORMAT = "line-format", "it has format {found}, and this version reads format {right} only"
    NO_PHASE = "no-phase", "there is no phase '{word}'"
    NO_SEAT = "no-seat", "there is no seat '{word}'"
    NO_STEP = "no-step", "there is no step '{word}'"
    NO_GRANTER = "no-granter", "there is no character that grants an extra good '{word}'"
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
        "reads format {right} only; another one may be needed",
    )
    RECORD_EMPTY = "record-empty", "this is not a record of a game: it is empty"
    SECOND_RECORD = "second-record", "a second record begins here, and a file holds one"
    RECORD_LINE = "record-line", "the line is too long: it may have {most:,} characters"
    RECORD_MOVES = "record-moves", "the record is too long: it may have {most:,} moves"
    OTHER_DOCUMENT = "other-document", "a record is wanted, not {found}"
    NO_LESSON = "no-lesson", "there is no lesson '{word}'"
    NO_HEADER = "no-header", "there is no header '{word}'"
    HEADER_TWICE = "header-twice", 'the header "{key}" is there twice'
    PLAYER_NAME = "player-name", "a name {form}"
    NAME_COUNT = "name-count", "{players} players have {players} names, not {found}"
    SAME_NAME = "same-name", "no two players have the same name: {names}"
    NOTE_TOO_LONG = "note-too-long", "the note is too long: it may have {most:,} characters"
    OTHER_HEADING = "other-heading", "the heading says '{word}', but this is {expected}"
    TURN_NOT_OVER = "turn-not-over", "the heading says '{word}', but turn {turn} is not over"
    OTHER_MOVER = "other-mover", "it is {right}'s move, not {found}'s"

    # Logs

    NO_ENTRY = "no-entry", "it must be an entry of a log, not {found}"
    EMPTY_LOG = "empty-log", "it is missing: the log is empty"
    MISSING_ENTRY = "missing-entry", "it is missing: entry {found} is in its place"
    OPENED_AGAIN = "opened-again", "the game is opened again"
    NO_END = "no-end", "its end is missing: chance is still asked"
    NO_CHANCE = "no-chance", "{word} follows, which is no answer of chance"
