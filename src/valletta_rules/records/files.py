"""Record files: games that one can read, write by hand, compare line by line and annotate.

A file has a header of lines ``key: value``, then the moves in the notation of
`valletta_rules.text.notation`, several on a line with commas between them::

    valletta: 1
    players: 2
    rules: hans-im-glueck
    cards: reconstruction
    seat Red: Anna
    seat Blue: Ben

    Setup
    Chance: deal A, deal K, deal N, deal S, deal B
    ...
    Blue: draft gold
    Red: draft wood

    Turn 1, Red
    Red: Valette, barrel stone, hire Builder   # a Builder at once
    Red: Builder, build A, pay 1g 1w 1s 1b

What follows ``#`` or ``;`` is a note and stays with the move before it.  Headings, and the name of
whoever moves or draws, are for the reader: both may be left out, and are checked where they stand.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeVar

from valletta_rules.actions import Action, DealBuilding, DrawCard, PlayCard
from valletta_rules.agenda import BarrelPrompt, DealPrompt, DrawPrompt, PlayPrompt
from valletta_rules.card_sets.built_in import find_built_in_cards, name_built_in_cards
from valletta_rules.card_sets.files import RECONSTRUCTION, CardSetError
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import ROW_LENGTH
from valletta_rules.components.goods import NOTHING, Goods
from valletta_rules.components.names import UNFIT_NAME, is_name
from valletta_rules.engine import apply
from valletta_rules.errors import VallettaError
from valletta_rules.records.record import (
    NOTE_LIMIT,
    Note,
    Record,
    RecordError,
    replay,
)
from valletta_rules.rulings import (
    EDITIONS,
    HANS_IM_GLUECK,
    VARIANTS,
    BarrelLayout,
    Effects,
    Opening,
    RuleSet,
    edition_of,
    variants_of,
)
from valletta_rules.state import GameState
from valletta_rules.text.notation import (
    characters_called,
    format_action,
    parse_action,
    parse_goods,
    quoted,
)
from valletta_rules.words.english import NAMES, SHORT_NAMES, brief

FORMAT: Final = 1
"""The version of the format that this package writes and reads."""

SIZE_LIMIT: Final = 2_000_000
"""How many bytes a file may have; a game has about 10,000."""

LINE_LIMIT: Final = 2_000
"""How many characters a line of a file may have."""

CHANCE: Final = "Chance"
"""Who moves when the display is dealt."""


# Writing


def write_record(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file, in UTF-8, replacing what is there.

    Raises the errors of `format_record` before anything is written, and `OSError`.
    """
    content = format_record(record).encode("utf-8")
    Path(path).write_bytes(content)


def format_record(record: Record) -> str:
    """Return the text of a record, which `parse_record` reads back.

    Raises `RecordError` if an action is illegal, or if the text would be too long to be read.
    """
    lines = [*_header(record), *_Writer(record).write()]
    text = "\n".join([*lines, ""])
    if len(text.encode("utf-8")) > SIZE_LIMIT:
        raise RecordError(f"the record is too long: its file would exceed {SIZE_LIMIT:,} bytes")
    return text


def _header(record: Record) -> Iterator[str]:
    yield f"valletta: {FORMAT}"
    yield f"players: {record.players}"
    yield from _rules_header(record.rules)
    yield from _cards_header(record.cards)
    for seat, name in zip(NAMES, record.names, strict=False):
        yield f"seat {seat}: {name}"


def _rules_header(rules: RuleSet) -> Iterator[str]:
    if (edition := edition_of(rules)) is not None:
        yield f"rules: {edition}"
    else:
        yield f"rules: {_CUSTOM}"
        yield f"rules name: {json.dumps(rules.name)}"
        yield f"effects: {rules.effects}"
        yield f"opening: {rules.opening}"
        yield f"barrel layout: {rules.barrel_layout}"
        yield f"apprentice: {rules.apprentice_colour}"
    if variants := variants_of(rules):
        yield f"variants: {', '.join(variants)}"


def _cards_header(cards: CardSet) -> Iterator[str]:
    if (name := name_built_in_cards(cards)) is not None:
        yield f"cards: {name}"
        return
    yield f"cards: {_CUSTOM}"
    yield f"cards name: {json.dumps(cards.name)}"
    yield f"barrels: {brief(cards.barrels)}"
    for each in cards.buildings:
        yield (
            f"building {each.code}: {SHORT_NAMES[each.character]}, {brief(each.cost)}, "
            f"{each.icon}, {each.points}, {each.copies}"
        )


_CUSTOM: Final = "custom"
"""What is written for rules or cards that are spelled out in the lines that follow."""


class _Writer:
    """Writes the moves of a record, a line for each card played."""

    def __init__(self, record: Record) -> None:
        """Begin before the first move."""
        self.record = record
        self.lines: list[str] = []
        self.line: list[str] = []
        self.last: Action | None = None
        self.notes = list(reversed(record.notes))
        self.turns = 0

    def write(self) -> list[str]:
        """Return the lines of the moves, with headings and notes."""
        state = self.record.start
        actions = self.record.actions
        steps = replay(self.record)
        self._write_notes(0)
        last = ""
        for number, (action, step) in enumerate(zip(actions, steps, strict=True), 1):
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
        mover = movers_name(state)
        if self.line[:1] != [mover] or self._begins_line(action):
            self._end_line()
            self.line = [mover]
        self.line.append(format_action(action))
        self.last = action

    def _begins_line(self, action: Action) -> bool:
        """Tell whether a move begins a line of its own: a card, a row of the display, a refill."""
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
        """Write the notes that come after so many moves: the first on the line of the move."""
        while self.notes and self.notes[-1].after == number:
            text = self.notes.pop().text
            if self.line:
                self._end_line(f"  # {text}")
            else:
                self.lines.append(f"# {text}")


_SETUP: Final = "Setup"


def movers_name(state: GameState) -> str:
    """Return under whose name a move is written: whoever answers, or draws, or takes the barrel."""
    match state.prompt:
        case DrawPrompt(player) | BarrelPrompt(player):
            return NAMES[player]
        case DealPrompt() | None:
            return CHANCE
        case prompt:
            return NAMES[prompt.seat]


def _begins_turn(state: GameState) -> bool:
    """Tell whether the first card of a turn is about to be played."""
    return isinstance(state.prompt, PlayPrompt) and not state.played


def _heading(state: GameState, turns: int) -> str | None:
    """Return the heading of a part of the game that begins in a position, after so many turns."""
    if _begins_turn(state):
        return f"Turn {turns + 1}, {NAMES[state.active]}"
    return None if turns else _SETUP


# Reading


def read_record(path: str | os.PathLike[str]) -> Record:
    """Return the record in a file: text in UTF-8, with or without a byte order mark.

    Raises `RecordError`, which names the line and the move, if it is damaged or a move in it is
    illegal, and `OSError` if it cannot be read.
    """
    with Path(path).open("rb") as file:
        content = file.read(SIZE_LIMIT + 1)
    if len(content) > SIZE_LIMIT:
        raise _too_large()
    try:
        return parse_record(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordError("not UTF-8 text", line) from None


def parse_record(text: str) -> Record:
    """Return the record that a text describes.

    Raises `RecordError`, which names the line and the move, if it is damaged or a move in it is
    illegal.
    """
    if len(text) > SIZE_LIMIT:
        raise _too_large()
    reader = _Reader()
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        reader.number = number
        try:
            reader.read_line(line)
        except _UnfitError as unfit:
            raise RecordError(str(unfit), number) from None
    return reader.record()


def _too_large() -> RecordError:
    return RecordError(f"the file is too large: a record has at most {SIZE_LIMIT:,} bytes")


class _UnfitError(Exception):
    """A line is not what it must be; the message says why."""


_COMMENT: Final = re.compile(r"(?:^|(?<=\s))[#;](.*)$")
_HEADER: Final = re.compile(r"([a-z][a-z0-9 ]*?)\s*:\s*(.*)", re.IGNORECASE)
_HEADING: Final = re.compile(r"setup|turn\s+[0-9]{1,9}\s*(,.*)?", re.IGNORECASE)
_LABEL: Final = re.compile(r"([a-z]+)\s*:(.*)", re.IGNORECASE)
_KEYS: Final = (
    *("players", "rules", "rules name", "effects", "opening", "barrel layout", "apprentice"),
    *("variants", "cards", "cards name", "barrels"),
    *(f"seat {name.lower()}" for name in NAMES),
)
_BUILDING: Final = re.compile(r"building ([a-z])([2-9]|[1-9][0-9]{1,2})?")


class _Reader:
    """Reads a file line by line; the position follows."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self.number = 0
        self.header: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.start: Record | None = None
        self.state: GameState | None = None
        self.actions: list[Action] = []
        self.notes: list[Note] = []
        self.turns = 0

    def record(self) -> Record:
        """Return what has been read."""
        record = self._begin() if self.start is None else self.start
        actions, notes = tuple(self.actions), tuple(self.notes)
        return Record(record.players, record.rules, record.cards, actions, record.names, notes)

    def read_line(self, line: str) -> None:
        """Read one line."""
        if len(line) > LINE_LIMIT:
            raise _UnfitError(f"the line is too long: it may have {LINE_LIMIT:,} characters")
        line = line.strip()
        if not self.header:
            self._read_first(line)
        elif self.start is None and self._is_header(line):
            self._read_header(line)
        else:
            self._read_moves(line)

    def _read_first(self, line: str) -> None:
        if not line or line[0] in "#;":
            self._note(line[1:])
            return
        found = re.fullmatch(r"valletta\s*:\s*([0-9]{1,9})", line, re.IGNORECASE)
        if found is None:
            raise _UnfitError(
                f'this is no record of a game: it must begin with "valletta: {FORMAT}"'
            )
        if int(found[1]) != FORMAT:
            raise _UnfitError(
                f"the file has format {int(found[1])}, and this version of valletta-rules "
                f"reads format {FORMAT} only; a newer one may be needed"
            )
        self.header["valletta"] = found[1]

    # The header

    def _is_header(self, line: str) -> bool:
        found = _HEADER.fullmatch(line)
        if found is None:
            return False
        label = found[1].lower()
        return label not in {name.lower() for name in (*NAMES, CHANCE)}

    def _read_header(self, line: str) -> None:
        found = _HEADER.fullmatch(line)
        assert found is not None, "the line was found to be one of the header"
        key = " ".join(found[1].lower().split())
        if key not in _KEYS and not _BUILDING.fullmatch(key):
            close = difflib.get_close_matches(key, _KEYS, 1)
            meant = f'did you mean "{close[0]}"?' if close else f"known: {', '.join(_KEYS)}"
            raise _UnfitError(f"there is no header {quoted(key)}; {meant}")
        if key in self.header:
            raise _UnfitError(f'the header "{key}" is there twice')
        value, comment = found[2], _COMMENT.search(found[2])
        if comment and not key.startswith("seat") and not key.endswith("name"):
            value = value[: comment.start()].rstrip()
            self._note(comment[1])
        self.header[key], self.lines[key] = value, self.number

    def _begin(self) -> Record:
        """Return the record with all that the header says, and lay the table."""
        if not self.header:
            raise RecordError("this is no record of a game: it is empty", self.number)
        header = _Header(self.header, self.lines, self.number)
        players = header.read("players", _players)
        rules = _rules(header)
        cards = _cards(header)
        names = [header.read(f"seat {name.lower()}", _name, "") for name in NAMES[:players]]
        header.done()
        given = tuple(name for name in names if name)
        try:
            self.start = Record(players, rules, cards, names=given)
            self.state = self.start.start
        except CardSetError as error:
            listed = "; ".join(map(str, error.problems))
            raise RecordError(f"these cards cannot be played with: {listed}", header.at) from None
        except ValueError as error:
            raise RecordError(str(error), header.at) from None
        return self.start

    # The moves

    def _read_moves(self, line: str) -> None:
        found = _COMMENT.search(line)
        moves = line[: found.start()].rstrip() if found else line
        if moves:
            if self.start is None:
                self._begin()
            assert self.state is not None, "the table is laid"
            if _HEADING.fullmatch(moves):
                self._check_heading(self.state, moves)
            else:
                self._read_texts(self.state, moves)
        if found:
            self._note(found[1])

    def _note(self, text: str) -> None:
        text = "".join(each if each.isprintable() else " " for each in text).strip()
        if len(text) > NOTE_LIMIT:
            raise _UnfitError(f"the note is too long: it may have {NOTE_LIMIT:,} characters")
        if text:
            self.notes.append(Note(len(self.actions), text))

    def _check_heading(self, state: GameState, heading: str) -> None:
        expected = _heading(state, self.turns)
        if not _alike(heading, expected or ""):
            here = f"this is {expected}" if expected else f"turn {self.turns} is not over"
            raise _UnfitError(f"the heading says {quoted(heading)}, but {here}")

    def _read_texts(self, state: GameState, moves: str) -> None:
        label = _LABEL.fullmatch(moves)
        texts = (label[2] if label else moves).split(",")
        for text in texts:
            state = self._read_move(state, text.strip(), label[1] if label else None)
        self.state = state

    def _read_move(self, state: GameState, text: str, mover: str | None) -> GameState:
        number = len(self.actions) + 1
        try:
            if mover is not None:
                _check_mover(state, mover)
            action = parse_action(state, text)
            after = apply(state, action)
        except _UnfitError as unfit:
            raise RecordError(f"{text}: {unfit}", self.number, number) from None
        except VallettaError as error:
            reason = str(error) if quoted(text) in str(error) else f"{text}: {error}"
            raise RecordError(reason, self.number, number) from error
        self.turns += _begins_turn(state)
        self.actions.append(action)
        return after


def _alike(one: str, other: str) -> bool:
    """Tell whether two headings say the same, case and punctuation apart; a seat may be missing."""
    words = [re.findall(r"[a-z0-9]+", text.lower()) for text in (one, other)]
    return words[0] == words[1] or (len(words[0]) == 2 and words[0] == words[1][:2])


def _check_mover(state: GameState, mover: str) -> None:
    """Make sure that a move stands under the right name."""
    names = {movers_name(state)}
    if state.prompt is not None and state.prompt.seat is None:
        names.add(CHANCE)
    if state.prompt is not None and mover.lower() not in {name.lower() for name in names}:
        raise _UnfitError(f"it is {movers_name(state)}'s move, not {mover[:40]}'s")


# The header's values

T = TypeVar("T")


class _Header:
    """The header of a file, read key by key."""

    def __init__(self, values: Mapping[str, str], lines: Mapping[str, int], last: int) -> None:
        """Take the values and their lines; `at` is where the header ends."""
        self.values = {key: value for key, value in values.items() if key != "valletta"}
        self.lines, self.at = lines, last

    def read(self, key: str, convert: Callable[[str], T], default: T | None = None) -> T:
        """Take out a value and convert it; without a default it must be there."""
        value = self.values.pop(key, None)
        if value is None:
            if default is None:
                raise RecordError(f'the header "{key}" is missing', self.at)
            return default
        try:
            return convert(value)
        except _UnfitError as unfit:
            raise RecordError(f"{key}: {unfit}", self.lines[key]) from None

    def buildings(self) -> list[Building]:
        """Take out the buildings of a card set that is spelled out."""
        keys = [key for key in self.values if _BUILDING.fullmatch(key)]
        return [self.read(key, _building(key)) for key in keys]

    def done(self) -> None:
        """Make sure that no header is left that means nothing here."""
        for key in self.values:
            reason = f'the header "{key}" has no meaning with these rules and cards'
            raise RecordError(reason, self.lines[key])


def _players(value: str) -> int:
    if value not in {"2", "3", "4"}:
        raise _UnfitError(f"Valletta is for 2, 3 or 4 players, not {quoted(value)}")
    return int(value)


def _name(value: str) -> str:
    if not is_name(value):
        raise _UnfitError(f"a name {UNFIT_NAME}")
    return value


def _one_of(members: Mapping[str, T]) -> Callable[[str], T]:
    def convert(value: str) -> T:
        if value.lower() not in members:
            raise _UnfitError(f"must be {' or '.join(members)}, not {quoted(value)}")
        return members[value.lower()]

    return convert


def _text(value: str) -> str:
    """Convert to a name of rules or cards: a text as JSON writes it, or as it stands."""
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        raise _UnfitError(f"must be a text in quotation marks, not {quoted(value)}") from None


def _variants(value: str) -> dict[str, bool]:
    names = filter(None, (name.strip() for name in value.split(",")))
    return {_one_of(VARIANTS)(name): True for name in names}


def _rules(header: _Header) -> RuleSet:
    rules = header.read("rules", _one_of({**EDITIONS, _CUSTOM: _HOUSE_RULES}), HANS_IM_GLUECK)
    if rules is _HOUSE_RULES:
        rules = RuleSet(
            header.read("rules name", _text),
            header.read("effects", _one_of({each.value: each for each in Effects})),
            header.read("opening", _one_of({each.value: each for each in Opening})),
            header.read("barrel layout", _one_of({each.value: each for each in BarrelLayout})),
            header.read("apprentice", _one_of({"red": Colour.RED, "purple": Colour.PURPLE})),
        )
    none: dict[str, bool] = {}
    return rules.with_variants(**header.read("variants", _variants, none))


_HOUSE_RULES: Final = RuleSet("House rules")
"""What stands for rules that are spelled out, until they are read."""


def _cards(header: _Header) -> CardSet:
    cards = header.read("cards", _named_cards, RECONSTRUCTION)
    if cards is not _HOUSE_CARDS:
        return cards
    name, barrels = header.read("cards name", _text), header.read("barrels", _amount)
    return CardSet(name, tuple(header.buildings()), barrels)


_HOUSE_CARDS: Final = CardSet("House cards", (), NOTHING)
"""What stands for cards that are spelled out, until they are read."""


def _named_cards(value: str) -> CardSet:
    if value.lower() == _CUSTOM:
        return _HOUSE_CARDS
    try:
        return find_built_in_cards(value)
    except ValueError as error:
        raise _UnfitError(str(error)) from None


def _amount(value: str) -> Goods:
    goods = parse_goods(value)
    if goods is None:
        raise _UnfitError(f"must be goods such as 2g 1w, not {quoted(value)}")
    return goods


def _building(key: str) -> Callable[[str], Building]:
    """Return a conversion to the building that a key names."""

    def convert(value: str) -> Building:
        found = _BUILDING.fullmatch(key)
        assert found is not None, "the key was found to name a building"
        parts = [part.strip() for part in value.split(",")]
        if len(parts) != len(_PARTS):
            raise _UnfitError(f"must be {', '.join(_PARTS)}, not {quoted(value)}")
        character, cost, icon, points, copies = parts
        shown = _amount(icon)
        if shown.total != 1:
            raise _UnfitError(f"the icon is one good, not {quoted(icon)}")
        return Building(
            letter=found[1].upper(),
            character=_character(character),
            cost=_amount(cost),
            icon=shown.kinds()[0],
            points=_count(points, 0),
            copies=_count(copies, 1),
            design=int(found[2] or "1"),
        )

    return convert


_PARTS: Final = ("character", "cost", "icon", "points", "copies")
"""What a line says of a building."""


def _character(value: str) -> Character:
    called = characters_called(value)
    if len(called) != 1:
        raise _UnfitError(f"there is no one character {quoted(value)}")
    return called[0]


def _count(value: str, least: int) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", value) or int(value) < least:
        raise _UnfitError(f"must be a number from {least} upwards, not {quoted(value)}")
    return int(value)
