"""Record files: games as text that people can read, write, compare line by line and annotate.

A file starts with a header of lines ``key: value``. The values are written as in
`valletta_rules.text.values`. Then come the moves, in the notation of
`valletta_rules.text.notation`. Commas separate moves on the same line::

    valletta: 2
    players: 2
    rules: hans-im-glueck
    cards: reconstruction
    seat red: Anna
    seat blue: Ben

    setup
    chance: deal A, deal K, deal N, deal S, deal B
    ...
    blue: draft gold
    red: draft wood

    turn 1, red
    red: valette, barrel stone, hire builder   # a Builder at once
    red: builder, build A, pay 1g 1w 1s 1b

The text after ``#`` or ``;`` is a note on the move before it. After a player's name, the note must
begin with ``#`` or ``;`` and a space, so that ``Player #1`` is a name; a name that looks like a
name with a note is in quotation marks, as in JSON. Headings and the names of the players who move
or draw are optional, and are checked if present. Case is ignored. The cards of a card set may
continue on the next line after a comma. A file contains one record.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from valletta_rules.actions import Action, DealBuilding, DrawCard, PlayCard
from valletta_rules.agenda import BarrelPrompt, DrawPrompt, PlayPrompt
from valletta_rules.card_sets.built_in import read_any_cards, write_any_cards
from valletta_rules.card_sets.files import RECONSTRUCTION, CardSetError, by_table
from valletta_rules.components import QUOTAS, ROW_LENGTH, UNFIT_NAME, CardSet, is_name, need
from valletta_rules.engine import Transition, apply
from valletta_rules.errors import VallettaError
from valletta_rules.records.damage import Damage
from valletta_rules.records.record import NOTE_LIMIT, Note, Record, RecordError, replay
from valletta_rules.rulings import HANS_IM_GLUECK
from valletta_rules.state import GameState
from valletta_rules.text import values
from valletta_rules.text.files import read_text, write_whole
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.notation import format_action, read_action

RECORD_FORMAT: Final = 2
"""The version of the format of record files."""

SIZE_LIMIT: Final = 2_000_000
"""The maximum size of a file in bytes. A game takes about 10,000."""

LINE_LIMIT: Final = 2_000
"""The maximum number of characters in a line of a file."""

CHANCE: Final = "chance"
"""The name that record files use for chance as a player, for example for dealing the display."""


# Writing


def write_record(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file in UTF-8. An existing file is replaced atomically.

    Raises the errors of `format_record`, `RecordError` for an invalid path, and `OSError`. After an
    error the file is unchanged.
    """
    content = format_record(record).encode("utf-8")
    try:
        write_whole(path, content)
    except values.UnfitError as unfit:
        raise RecordError(str(unfit)) from None


def format_record(record: Record) -> str:
    """Return a record as text, which `parse_record` can read.

    Raises `RecordError` if an action is illegal or the text is too long for a file, and `TypeError`
    for any value that is not a record.
    """
    need(record, Record, "a record")
    return format_played(record, replay(record))


def format_played(record: Record, steps: Iterable[Transition]) -> str:
    """Return a record as text; `steps` are the transitions of the record's actions.

    Raises `RecordError` if the text is too long for a file.
    """
    lines = [*_header(record), *_Writer(record, steps).write()]
    text = "\n".join([*lines, ""])
    if len(text.encode("utf-8")) > SIZE_LIMIT:
        raise RecordError(f"the record is too long: its file would exceed {SIZE_LIMIT:,} bytes")
    return text


def _header(record: Record) -> Iterator[str]:
    yield f"valletta: {RECORD_FORMAT}"
    yield f"players: {record.players}"
    yield f"rules: {values.write_rules(record.rules)}"
    cards = write_any_cards(record.cards).replace(",", ",\n  ")
    yield f"cards: {cards}"
    for seat, name in zip(values.SEATS, record.names, strict=False):
        written = name if _named(name) == (name, "") else json.dumps(name, ensure_ascii=False)
        yield f"seat {seat}: {written}"


class _Writer:
    """A writer for the moves of a record. Each played card begins a new line."""

    def __init__(self, record: Record, steps: Iterable[Transition]) -> None:
        """Create a writer before the first move. `steps` are the transitions of the moves."""
        self.record, self.steps = record, steps
        self.lines: list[str] = []
        self.line: list[str] = []
        self.last: Action | None = None
        self.notes = list(reversed(record.notes))
        self.turns = 0

    def write(self) -> list[str]:
        """Return the lines of the moves, with headings and notes."""
        state = self.record.start
        actions = self.record.actions
        self._write_notes(0)
        last = ""
        for number, (action, step) in enumerate(zip(actions, self.steps, strict=True), 1):
            if (heading := _heading(state, self.turns)) is not None and heading != last:
                self._end_line()
                self.lines += ["", heading]
                self.turns += heading != _SETUP
                last = heading
            self._write_move(state, action)
            self._write_notes(number)
            state = step.state
        self._end_line()
        return self.lines

    def _write_move(self, state: GameState, action: Action) -> None:
        mover = _movers_name(state)
        if self.line[:1] != [mover] or self._begins_line(action):
            self._end_line()
            self.line = [mover]
        self.line.append(format_action(action))
        self.last = action

    def _begins_line(self, action: Action) -> bool:
        """Return whether a move begins a new line, such as a played card or the first draw."""
        match action:
            case PlayCard():
                return True
            case DealBuilding():
                return len(self.line) > ROW_LENGTH
            case _:
                return isinstance(action, DrawCard) != isinstance(self.last, DrawCard)

    def _end_line(self, note: str = "") -> None:
        if self.line:
            mover, *moves = self.line
            self.lines.append(f"{mover}: {', '.join(moves)}{note}")
        self.line = []

    def _write_notes(self, number: int) -> None:
        """Write the notes on move `number`. The first note is on the line of the move."""
        while self.notes and self.notes[-1].after == number:
            text = self.notes.pop().text
            if self.line:
                self._end_line(f"  # {text}")
            else:
                self.lines.append(f"# {text}")


_SETUP: Final = "setup"


def too_long(most: int, line: int | None = None, move: int | None = None) -> RecordError:
    """Return an error for a record with more than `most` moves, at the given line and move."""
    unfit = values.UnfitError.of(Damage.RECORD_MOVES, most=most)
    error = RecordError(str(unfit), line, move)
    error.__cause__ = unfit
    return error


def moving_seat(state: GameState) -> int | None:
    """Return the seat that answers, draws or takes the barrel, or `None` if a building is dealt."""
    match state.prompt:
        case DrawPrompt(player) | BarrelPrompt(player):
            return player
        case None:
            return None
        case prompt:
            return prompt.seat


def _movers_name(state: GameState) -> str:
    """Return the label of the line for the next move: the colour of the player, or ``chance``."""
    seat = moving_seat(state)
    return CHANCE if seat is None else values.SEATS[seat]


def _begins_turn(state: GameState) -> bool:
    """Return whether the first card of a turn is about to be played."""
    return isinstance(state.prompt, PlayPrompt) and not state.played


def _heading(state: GameState, turns: int) -> str | None:
    """Return the heading for the next move, or `None` within a turn; `turns` turns have begun."""
    if _begins_turn(state):
        return f"turn {turns + 1}, {values.SEATS[state.active]}"
    return None if turns else _SETUP


# Reading


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record from a file in UTF-8, with or without a byte order mark.

    Raises `RecordError`, which names the line and the move, if the file is damaged, if a move is
    illegal, or if the path is invalid. Raises `OSError` if the file cannot be read.
    """
    try:
        text = read_text(path, SIZE_LIMIT)
    except values.UnfitError as unfit:
        raise RecordError(str(unfit), unfit.line) from unfit
    return parse_record(text)


def parse_record(text: str, *, most: int | None = None) -> Record:
    """Parse a record from text.

    `most` is the maximum number of moves, or `None` for no maximum. Raises `RecordError`, which
    names the line and the move, if the text is damaged, if a move is illegal, or if the record has
    too many moves. Raises `TypeError` for any value that is not a string.
    """
    need(text, str, "text")
    if len(text.encode("utf-8", "surrogatepass")) > SIZE_LIMIT:
        unfit = values.UnfitError.of(Misspelling.FILE_TOO_LONG, most=SIZE_LIMIT)
        raise RecordError(str(unfit)) from unfit
    reader = _GameFileReader(most)
    try:
        lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
        for reader.number, line in enumerate(lines, 1):
            reader.read_line(line)
        return reader.record()
    except values.UnfitError as unfit:
        place = reader.lines.get(unfit.key, reader.number)
        raise RecordError(str(unfit), place) from unfit


_FIRST: Final = re.compile(r"valletta\s*:\s*([0-9]{1,9})", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))[#;](.*)$")
_NAME_COMMENT: Final = re.compile(r"(?<=\s)[#;]\s(.*)$")
_HEADER: Final = re.compile(r"([a-z][a-z0-9 ]*?)\s*:\s*(.*)", re.IGNORECASE)
_HEADING: Final = re.compile(r"setup|turn\s+[0-9]{1,9}\s*(,.*)?", re.IGNORECASE)
_LABEL: Final = re.compile(r"([a-z]+)\s*:(.*)", re.IGNORECASE)

_KEYS: Final = ("players", "rules", "cards", *(f"seat {name}" for name in values.SEATS))
"""The keys of the header lines."""


class _GameFileReader:
    """A line-by-line reader for a record file. It tracks the position in the game."""

    def __init__(self, most: int | None) -> None:
        """Create a reader before the first line. `most` is the maximum number of moves."""
        self.most = most
        self.number = 0
        self.has_started = False
        self.header = values.Entries({})
        self.lines: dict[str, int] = {}
        self.start: Record | None = None
        self.state: GameState | None = None
        self.actions: list[Action] = []
        self.notes: list[Note] = []
        self.turns = 0

    def record(self) -> Record:
        """Return the record that consists of all lines read so far."""
        record = self._begin() if self.start is None else self.start
        actions, notes = tuple(self.actions), tuple(self.notes)
        return Record(record.players, record.rules, record.cards, actions, record.names, notes)

    def read_line(self, line: str) -> None:
        """Parse the next line of the file."""
        if len(line) > LINE_LIMIT:
            raise values.UnfitError.of(Damage.RECORD_LINE, most=LINE_LIMIT)
        line = line.strip()
        if not self.has_started:
            self._read_first(line)
        elif _FIRST.fullmatch(line):
            raise values.UnfitError.of(Damage.SECOND_RECORD)
        elif self.start is None and self.header.left.get("cards", "").endswith(","):
            value, note = _split(line)
            self.header.left["cards"] += value
            self._note(note)
        elif self.start is None and (match := _HEADER.fullmatch(line)) and not _is_label(match[1]):
            self._read_header(" ".join(match[1].lower().split()), match[2])
        else:
            self._read_moves(line)

    def _read_first(self, line: str) -> None:
        if not line or line[0] in "#;":
            self._note(line[1:])
            return
        match = _FIRST.fullmatch(line)
        if match is None:
            raise values.UnfitError.of(Damage.NO_RECORD, right=RECORD_FORMAT)
        if int(match[1]) != RECORD_FORMAT:
            raise values.UnfitError.of(
                Damage.RECORD_FORMAT, found=int(match[1]), right=RECORD_FORMAT
            )
        self.has_started = True

    # The header

    def _read_header(self, key: str, value: str) -> None:
        if key not in _KEYS:
            raise values.unfit_word(key, _KEYS, Damage.NO_HEADER)
        if key in self.header.left:
            raise values.UnfitError.of(Damage.HEADER_TWICE, key=key)
        value, note = _named(value) if key.startswith("seat") else _split(value)
        self._note(note)
        self.header.left[key], self.lines[key] = value, self.number

    def _begin(self) -> Record:
        """Create the record from the header, and the first position of the game."""
        if not self.has_started:
            raise values.UnfitError.of(Damage.RECORD_EMPTY)
        players = self.header.take("players", _players)
        rules = self.header.take_or("rules", values.read_rules, HANS_IM_GLUECK)
        cards = self.header.take_or("cards", _cards, RECONSTRUCTION)
        seats = [
            key for seat in values.SEATS[:players] if (key := f"seat {seat}") in self.header.left
        ]
        names = [self.header.take(key, _name) for key in seats]
        self.header.done()
        try:
            self.start = Record(players, rules, cards, names=names)
            self.state = self.start.start
        except CardSetError as error:
            listed = "; ".join(map(by_table, error.problems))
            raise values.UnfitError(f"this card set cannot be used: {listed}") from error
        except VallettaError as error:
            raise values.UnfitError(str(error)) from error
        return self.start

    # The moves

    def _read_moves(self, line: str) -> None:
        moves, note = _split(line)
        if moves:
            if self.start is None:
                self._begin()
            assert self.state is not None, "the table is laid"
            if _HEADING.fullmatch(moves):
                self._check_heading(self.state, moves)
            else:
                self._read_texts(self.state, moves)
        self._note(note)

    def _note(self, text: str) -> None:
        text = "".join(each if each.isprintable() else " " for each in text).strip()
        if len(text) > NOTE_LIMIT:
            raise values.UnfitError.of(Damage.NOTE_TOO_LONG, most=NOTE_LIMIT)
        if text:
            self.notes.append(Note(len(self.actions), text))

    def _check_heading(self, state: GameState, heading: str) -> None:
        expected = _heading(state, self.turns)
        if not _alike(heading, expected or ""):
            word = values.plain(heading)
            if expected is None:
                raise values.UnfitError.of(Damage.TURN_NOT_OVER, word=word, turn=self.turns)
            raise values.UnfitError.of(Damage.OTHER_HEADING, word=word, expected=expected)

    def _read_texts(self, state: GameState, moves: str) -> None:
        label = _LABEL.fullmatch(moves)
        texts = (label[2] if label else moves).split(",")
        for text in texts:
            state = self._read_move(state, text.strip(), label[1] if label else None)
        self.state = state

    def _read_move(self, state: GameState, text: str, mover: str | None) -> GameState:
        number = len(self.actions) + 1
        if self.most is not None and number > self.most:
            raise too_long(self.most, self.number, number)
        try:
            if mover is not None:
                _check_mover(state, mover)
            action = read_action(state, text)
            after = apply(state, action)
        except values.UnfitError as unfit:
            raise RecordError(f"{values.plain(text)}: {unfit}", self.number, number) from unfit
        except VallettaError as error:
            reason = (
                str(error)
                if values.quoted(text) in str(error)
                else f"{values.plain(text)}: {error}"
            )
            raise RecordError(reason, self.number, number) from error
        self.turns += _begins_turn(state)
        self.actions.append(action)
        return after


def _alike(one: str, other: str) -> bool:
    """Return whether two headings are equal, ignoring case, punctuation and a missing seat."""
    words = [re.findall(r"[a-z0-9]+", text.lower()) for text in (one, other)]
    return words[0] == words[1] or (len(words[0]) == 2 and words[0] == words[1][:2])


def _check_mover(state: GameState, mover: str) -> None:
    """Raise `UnfitError` if the label of a move names another player than the one who moves."""
    names = {_movers_name(state)}
    if state.prompt is not None and state.prompt.seat is None:
        names.add(CHANCE)
    if state.prompt is not None and mover.lower() not in {name.lower() for name in names}:
        right, actual = _movers_name(state), values.plain(mover)
        raise values.UnfitError.of(Damage.OTHER_MOVER, right=right, found=actual)


# The values of the header


def _split(line: str, comment: re.Pattern[str] = _COMMENT) -> tuple[str, str]:
    """Split a line into its content and the note at its end."""
    match = comment.search(line)
    return (line[: match.start()].rstrip(), match[1]) if match else (line, "")


def _named(value: str) -> tuple[str, str]:
    """Split a header line into the player's name, without quotation marks, and the note."""
    if value.startswith('"'):
        with suppress(ValueError):
            name, end = json.JSONDecoder().raw_decode(value)
            left, note = _split(value[end:], _NAME_COMMENT)
            if not left:
                return name, note
    return _split(value, _NAME_COMMENT)


def _cards(text: str) -> CardSet:
    """Return the card set in a header. The names of built-in card sets are case-insensitive."""
    return read_any_cards(text if ":" in text else text.lower())


def _is_label(text: str) -> bool:
    """Return whether a text is a player's colour or ``chance``, and so not the key of a header."""
    return text.lower() in (*values.SEATS, CHANCE)


def _players(text: str) -> int:
    return values.read_number(text, range(min(QUOTAS), max(QUOTAS) + 1))


def _name(text: str) -> str:
    if not is_name(text):
        raise values.UnfitError.of(Damage.PLAYER_NAME, form=UNFIT_NAME)
    return text
