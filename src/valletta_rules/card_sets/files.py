"""Card-set files: reading them, and the two that come with the package.

A card set is kept in a TOML file with one table for each design of building.  Every value in it
carries its provenance, so that nobody takes an invented number for a printed one.  Whatever is
wrong with a file is reported at once, each problem with its place.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from importlib import resources
from typing import Final, TypeVar, cast

import attrs

from valletta_rules.card_sets.codes import Misprint
from valletta_rules.card_sets.facts import (
    BARRELS,
    COPIES,
    COST,
    POINTS,
    Counts,
    DesignFacts,
    barrel_contradictions,
    contradictions,
    limits,
    shown,
    validate,
)
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.components.names import is_name
from valletta_rules.components.values import Value
from valletta_rules.errors import Problem, VallettaError
from valletta_rules.text.files import read_text, shown_path
from valletta_rules.text.values import (
    UnfitError,
    by_value,
    named,
    nearest,
    plain,
    quoted,
    read_character,
    read_good,
)

__all__ = [
    "RECONSTRUCTION",
    "RECONSTRUCTION_SHEET",
    "TEMPLATE",
    "CardSetError",
    "CardSheet",
    "Provenance",
    "Sources",
    "by_table",
    "load_card_set",
    "load_card_sheet",
    "parse_card_set",
    "parse_card_sheet",
    "validate",
]

T = TypeVar("T")

FORMAT: Final = 1
"""The version of the format that this package reads."""

SIZE_LIMIT: Final = 100_000
"""How many bytes a file may have; a complete one has about 6,000."""

LINE_LIMIT: Final = 300
"""How many characters a line may have; one of a complete file has about 100.

Keys stand on one line, so that this is also a limit to how deep they lead: `tomllib` would take
minutes, and gigabytes, over a key of ten thousand parts.
"""

UNFILLED: Final = "?"
"""What stands in a file for a value that is still to be filled in."""

CELLS: Final = ("letter", "character", "copies", "cost", "icon", "points")
"""The values of a building that have a provenance each."""


class Provenance(StrEnum):
    """Where a value comes from."""

    PRINTED = "printed"
    """Read off a card or a barrel of the printed game."""
    RULEBOOK = "rulebook"
    """Stated in the rulebook."""
    DERIVED = "derived"
    """Follows from what is printed or stated."""
    RECONSTRUCTED = "reconstructed"
    """Invented, within what is known."""


@attrs.frozen
class Sources(Value):
    """Where the values of one design come from."""

    letter: Provenance
    character: Provenance
    copies: Provenance
    cost: Provenance
    icon: Provenance
    points: Provenance


@attrs.frozen
class CardSheet(Value):
    """A card set together with the provenance of every value."""

    cards: CardSet
    """The card set."""
    sources: tuple[Sources, ...]
    """The provenance of the values of each design, in the order of the card set's buildings."""
    barrels: Provenance
    """The provenance of the mix of barrels."""

    def tally(self) -> Counter[Provenance]:
        """Return how many values come from where; a cost is one value, and so is the barrel mix."""
        cells = [source for each in self.sources for source in attrs.astuple(each)]
        return Counter([*cells, self.barrels])


@attrs.define(slots=False)
class CardSetError(VallettaError, ValueError):
    """A card set that cannot be read, or that contradicts the rulebook."""

    source: str
    """The file, or what stands for it."""
    problems: tuple[Problem, ...]
    """Everything that is wrong; never empty."""

    def __str__(self) -> str:
        """List all problems, each with its place."""
        source = shown_path(self.source)
        if len(self.problems) == 1:
            return f"{source}: {by_table(self.problems[0])}"
        listed = "".join(f"\n- {by_table(problem)}" for problem in self.problems)
        return f"{source}: {len(self.problems)} problems{listed}"


_BUILDING: Final = re.compile(r"buildings\[(\d+)\]\.?(.*)")


def _number_and_cell(problem: Problem) -> tuple[int, str]:
    """Return the number, from 1, of the building that has a problem, or 0, and the value."""
    building = _BUILDING.fullmatch(problem.path)
    return (int(building[1]) + 1, building[2]) if building else (0, problem.path)


def by_table(problem: Problem) -> str:
    """Say what is wrong with a card set by table and line, as in its file, rather than by path."""
    number, cell = _number_and_cell(problem)
    letter, line = map(problem.facts.get, ("letter", "line"))
    building = f"building {number}" + (f' ("{letter}")' if letter else "") if number else ""
    place = ", ".join(filter(None, (building, cell))) or "the card set"
    return str(attrs.evolve(problem, path=place + (f" (line {line})" if line else "")))


def load_card_set(path: str | os.PathLike[str]) -> CardSet:
    """Return the card set of a file; raise `CardSetError` with everything that is wrong."""
    return load_card_sheet(path).cards


def parse_card_set(text: str, source: str = "<string>") -> CardSet:
    """Return the card set of a text; raise `CardSetError` with everything that is wrong."""
    return parse_card_sheet(text, source).cards


def load_card_sheet(path: str | os.PathLike[str]) -> CardSheet:
    """Return the card set of a file with its provenance; raise `CardSetError` if it is faulty.

    The file is TOML in UTF-8, with or without a byte order mark.
    """
    source = os.fspath(path)
    try:
        return parse_card_sheet(read_text(path, SIZE_LIMIT), source)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CardSetError(source, (Misprint.UNREADABLE.at("file", reason=reason),)) from None
    except UnfitError as unfit:
        problem = Misprint.UNFIT.at("file", reason=str(unfit), line=unfit.line)
        raise CardSetError(source, (problem,)) from None


def parse_card_sheet(text: str, source: str = "<string>") -> CardSheet:
    """Return the card set of a text with its provenance; raise `CardSetError` if it is faulty."""
    if len(text) > SIZE_LIMIT:
        raise CardSetError(source, (Misprint.FILE_TOO_LARGE.at("file", most=SIZE_LIMIT),))
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            problem = Misprint.LONG_LINE.at("file", most=LINE_LIMIT, line=number)
            raise CardSetError(source, (problem,))
    try:
        content = tomllib.loads(text)
    except (RecursionError, ValueError) as error:
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise CardSetError(source, (Misprint.NO_TOML.at("file", reason=reason),)) from None
    try:
        return _read_sheet(content)
    except _FaultyError as faulty:
        lines = _lines_of(text)
        problems = tuple(_located(problem, lines) for problem in faulty.problems)
        raise CardSetError(source, problems) from None


class _TableReader:
    """A table of a file, read key by key; what is wrong or unfilled is noted on the way."""

    def __init__(self, content: Mapping[str, object] | None, prefix: str = "") -> None:
        """Begin to read a table; `prefix` leads from the outermost table to this one."""
        self.is_there = content is not None
        self.content, self.prefix = content or {}, prefix
        self.known: list[str] = []
        self.problems: list[Problem] = []
        self.unfilled: list[str] = []

    def required(self, key: str, convert: Callable[[object], T], wanted: str) -> T | None:
        """Return a value that may not be left out; `None` if something is wrong."""
        if key not in self.content and self.is_there:
            self.problems.append(Misprint.MISSING.at(self.prefix + key, wanted=wanted))
        return self.optional(key, convert)

    def optional(
        self, key: str, convert: Callable[[object], T], default: T | None = None
    ) -> T | None:
        """Return a value that may be left out; `None` if something is wrong."""
        self.known.append(key)
        value = self.content.get(key)
        if value is None:
            return default
        if value == UNFILLED:
            self.unfilled.append(self.prefix + key)
            return None
        try:
            return convert(value)
        except _MisreadError as misread:
            self.problems.append(misread.flaw.at(self.prefix + key, **misread.facts))
            return None

    def within(self, key: str, example: str, wanted: str) -> _TableReader:
        """Return a table inside this one; if there is none, there is nothing in it to be read."""
        return _TableReader(self.required(key, _table(example), wanted), f"{self.prefix}{key}.")

    def take(self, inner: _TableReader) -> None:
        """Note all that was noted in a table inside this one, once it has been read."""
        self.problems += inner.noted()
        self.unfilled += inner.unfilled

    def noted(self) -> list[Problem]:
        """Return the problems, unknown keys included; call it when all keys have been read."""
        unknown = [
            (key, _unknown(key, "key", nearest(key, self.known), self.known))
            for key in self.content
            if key not in self.known
        ]
        return self.problems + [
            misread.flaw.at(self.prefix + plain(key), **misread.facts) for key, misread in unknown
        ]


class _MisreadError(Exception):
    """A value of a file is not what it should be."""

    def __init__(self, flaw: Misprint, **facts: Hashable) -> None:
        """Carry what is wrong, wherever it is."""
        self.flaw, self.facts = flaw, facts


LISTED: Final = 10
"""How many words are listed, if none of them is near to one that does not exist."""


def _unknown(word: str, what: str, meant: str | None, known: Sequence[str]) -> _MisreadError:
    """Return the error that nothing is called so, with what was meant, or else what there is."""
    facts = {"what": what, "found": quoted(word)}
    if meant is not None:
        return _MisreadError(Misprint.MISSPELT, **facts, meant=meant)
    if 0 < len(known) <= LISTED:
        return _MisreadError(Misprint.NOT_AMONG, **facts, known=", ".join(known))
    return _MisreadError(Misprint.UNKNOWN, **facts)


@attrs.frozen
class _Reading:
    """A design as it was read: the entry, its provenance, and what is wrong."""

    entry: DesignFacts
    provenance: Mapping[str, Provenance]
    problems: tuple[Problem, ...]


def _read_sheet(content: Mapping[str, object]) -> CardSheet:
    """Return the card set of a file's content; raise the problems, if there are any."""
    top = _TableReader(content)
    if top.required("format", _whole(range(1, 10)), f"format = {FORMAT}") not in {None, FORMAT}:
        found = shown(content["format"])
        raise _FaultyError([Misprint.FORMAT.at("format", right=FORMAT, found=found)])
    name = top.required("name", _name, 'name = "..."')
    sources = _read_sources(top)
    barrels = _read_barrels(top)
    tables = top.required("building", _tables, "[[building]]") or []
    readings = [_read_building(number, table) for number, table in enumerate(tables, 1)]
    problems = [
        *_and_unfilled(top),
        *barrel_contradictions(barrels),
        *(problem for reading in readings for problem in reading.problems),
        *(contradictions([reading.entry for reading in readings]) if tables else ()),
    ]
    if problems:
        raise _FaultyError(sorted(problems, key=lambda problem: _number_and_cell(problem)[0]))
    return _sheet(cast(str, name), barrels, readings, sources)


@attrs.define(slots=False)
class _FaultyError(Exception):
    """A file's content is faulty."""

    problems: list[Problem]


def _and_unfilled(table: _TableReader) -> list[Problem]:
    """Return the problems of a table, with all values still to be filled in as one problem."""
    problems, unfilled = table.noted(), tuple(table.unfilled)
    if unfilled:
        listed = _summed_up(unfilled)
        problems.append(Misprint.UNFILLED.at("", unfilled=unfilled, listed=listed))
    return problems


def _summed_up(cells: Iterable[str]) -> str:
    """List cells, but only the name of a table all of whose goods are among them."""
    listed = ", ".join(cells)
    for table in ("cost", "barrels"):
        listed = listed.replace(", ".join(f"{table}.{good}" for good in GOODS), table)
    return listed


def _read_sources(top: _TableReader) -> Mapping[str, Provenance]:
    """Return the provenance that holds for each kind of value unless a building says otherwise."""
    wanted = '[provenance] default = "printed"'
    table = top.within("provenance", 'default = "printed"', wanted)
    default = table.required("default", _provenance, 'default = "printed"')
    read = {key: table.optional(key, _provenance, default) for key in (*CELLS, "barrels")}
    top.take(table)
    return {key: source for key, source in read.items() if source is not None}


def _read_barrels(top: _TableReader) -> Counts:
    """Return how many barrels show each good, as far as it can be read."""
    table = top.within("barrels", "gold = 7", "[barrels] gold = 7 ...")
    gold, wood, stone, brick = (
        table.required(good, _whole(BARRELS), f"{good} = 7") for good in GOODS
    )
    top.take(table)
    return gold, wood, stone, brick


def _read_building(number: int, content: Mapping[str, object]) -> _Reading:
    """Return a design, as far as it can be read, and what is wrong with its table."""
    table = _TableReader(content)
    entry = DesignFacts(
        number,
        table.required("letter", _word(str, "letter"), 'letter = "..."'),
        table.required("character", _word(read_character, "character"), 'character = "..."'),
        table.required("copies", _whole(COPIES), "copies = 3"),
        _read_cost(table),
        table.required("icon", _word(read_good, "good", GOODS), 'icon = "..."'),
        table.required("points", _whole(POINTS), "points = 2"),
    )
    provenance = _read_own_provenance(table)
    return _Reading(entry, provenance, tuple(map(entry.own, _and_unfilled(table))))


def _read_cost(building: _TableReader) -> Counts:
    """Return the cost of a building; goods not named cost nothing, but gold must be named."""
    table = building.within("cost", "{ gold = 1, wood = 2 }", "cost = { gold = 1, ... }")
    cost = (
        table.required("gold", _whole(COST), "gold = 1"),
        table.optional("wood", _whole(COST), 0),
        table.optional("stone", _whole(COST), 0),
        table.optional("brick", _whole(COST), 0),
    )
    building.take(table)
    return cost


def _read_own_provenance(building: _TableReader) -> Mapping[str, Provenance]:
    """Return the provenance that a building itself gives for its values.

    It is one word for all of its values, or a table with a word for some of them.
    """
    word_or_table = building.content.get("provenance", {})
    if not isinstance(word_or_table, dict):
        word = building.optional("provenance", _provenance)
        return {} if word is None else dict.fromkeys(CELLS, word)
    building.known.append("provenance")
    table = _TableReader(word_or_table, "provenance.")
    read = {key: table.optional(key, _provenance) for key in CELLS}
    building.take(table)
    return {key: source for key, source in read.items() if source is not None}


def _sheet(
    name: str,
    barrels: Counts,
    readings: Iterable[_Reading],
    sources: Mapping[str, Provenance],
) -> CardSheet:
    """Return the card set of readings in which nothing is missing or wrong.

    Buildings are put in the order of their letters, and the designs of a letter in that of cost,
    icon and points, whatever the order of the tables was.
    """
    read = [(_building(reading.entry), reading.provenance) for reading in readings]
    read.sort(key=lambda each: _in_letter_order(each[0]))
    designs = Counter[str]()
    buildings = []
    for building, _ in read:
        designs[building.letter] += 1
        buildings.append(attrs.evolve(building, design=designs[building.letter]))
    return CardSheet(
        CardSet(name, tuple(buildings), _goods(barrels)),
        tuple(
            Sources(**{cell: provenance.get(cell, sources[cell]) for cell in CELLS})
            for _, provenance in read
        ),
        sources["barrels"],
    )


def _in_letter_order(building: Building) -> tuple[str, Goods, int, int]:
    return building.letter, building.cost, building.icon.rank, building.points


def _building(entry: DesignFacts) -> Building:
    """Return the building of an entry in which nothing is missing or wrong."""
    assert entry.letter is not None
    assert entry.character is not None
    assert entry.copies is not None
    assert entry.icon is not None
    assert entry.points is not None
    cost = _goods(entry.cost)
    return Building(entry.letter, entry.character, cost, entry.icon, entry.points, entry.copies)


def _goods(counts: Counts) -> Goods:
    """Return the goods of counts of which none is missing."""
    return Goods(*(count for count in counts if count is not None))


def _word(read: Callable[[str], T], what: str, known: Sequence[str] = ()) -> Callable[[object], T]:
    """Return a conversion to what a text is read as, by a function that raises `UnfitError`."""

    def convert(value: object) -> T:
        word = _text(value, what)
        try:
            return read(word)
        except UnfitError as unfit:
            raise _unknown(word, what, unfit.suggestion, known) from None

    return convert


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise _MisreadError(Misprint.NO_WORD, wanted=f"a {what}", found=shown(value))
    return value


def _name(value: object) -> str:
    """Convert to the name of a card set."""
    name = _text(value, "name")
    if not is_name(name):
        raise _MisreadError(Misprint.NAME)
    return name


_provenance: Final = _word(
    partial(named, known=by_value(Provenance), what="provenance"), "provenance", [*Provenance]
)
"""A conversion to a provenance."""


def _whole(allowed: range) -> Callable[[object], int]:
    """Return a conversion to a whole number; whether it is in the range is checked later."""

    def convert(value: object) -> int:
        if type(value) is not int:
            raise _MisreadError(Misprint.NO_NUMBER, **limits(value, allowed))
        return value

    return convert


def _table(example: str) -> Callable[[object], dict[str, object]]:
    """Return a conversion to a table."""

    def convert(value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise _MisreadError(Misprint.NO_TABLE, example=example, found=shown(value))
        return value

    return convert


def _tables(value: object) -> list[dict[str, object]]:
    """Convert to a list of tables, at least one."""
    if (
        not isinstance(value, list)
        or not value
        or not all(isinstance(each, dict) for each in value)
    ):
        raise _MisreadError(Misprint.NO_TABLES)
    return value


_HEADER: Final = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(#.*)?")
_KEY: Final = re.compile(r"\s*([\w-]+)\s*[.=]")


def _lines_of(text: str) -> Mapping[tuple[str, int, str], int]:
    """Return the line of every table and key: by the table's name, which it is of its name, key.

    A table's own line is found under an empty key, and the outermost table is called "", 0.
    Lines are only told if they are sure: in a file with texts of several lines or with quoted
    names of tables, what looks like a header could be none, and so nothing is returned.
    """
    lines: dict[tuple[str, int, str], int] = {}
    seen = Counter[str]()
    if '"""' in text or "'''" in text:
        return lines
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("["):
            header = _HEADER.fullmatch(line)
            if header is None:
                return {}
            table = header[1]
            seen[table] += 1
            lines[table, seen[table], ""] = number
        elif key := _KEY.match(line):
            lines.setdefault((table, seen[table], key[1]), number)
    return lines


def _located(problem: Problem, lines: Mapping[tuple[str, int, str], int]) -> Problem:
    """Return the problem with its line: that of the value if it is known, or of its table."""
    number, cell = _number_and_cell(problem)
    first, _, rest = cell.partition(".")
    if number:
        places = [("building", number, first), ("building", number, "")]
    else:
        places = [(first, 1, rest), (first, 1, ""), ("", 0, first)]
    line = next((lines[place] for place in places if place in lines), None)
    return attrs.evolve(problem, details=(*problem.details, ("line", line)))


def _packaged(name: str) -> str:
    """Return the text of a card-set file that comes with the package."""
    return resources.files("valletta_rules.card_sets").joinpath(name).read_text("utf-8")


TEMPLATE: Final = _packaged("template.toml")
"""A file to fill in from the printed cards: it says what the rulebook says, and "?" elsewhere."""

RECONSTRUCTION_SHEET: Final = parse_card_sheet(
    _packaged("reconstruction.toml"), "reconstruction.toml"
)
"""The built-in card set with the provenance of its values."""

RECONSTRUCTION: Final[CardSet] = RECONSTRUCTION_SHEET.cards
"""The built-in card set: a reconstruction, for no printed values could be found."""
