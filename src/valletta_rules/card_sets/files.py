"""Card-set files: the parser, and the two files that come with the package.

A card-set file is a TOML file with one table for each design of a building. The file states the
provenance of every value, so that invented numbers are not mistaken for printed ones.

The parser reports all problems of a file together, with the location of each problem.
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
from types import MappingProxyType
from typing import Any, Final, TypeVar

import attrs

from valletta_rules.card_sets import validation
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character
from valletta_rules.components.goods import GOODS, MATERIALS, Goods
from valletta_rules.components.names import is_name
from valletta_rules.components.values import Value, need
from valletta_rules.errors import MoreProblems, Problem, VallettaError, limit_problems
from valletta_rules.text.files import printable_path, read_text
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import (
    LISTED,
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
]

T = TypeVar("T")

CARD_SET_FORMAT: Final = 1
"""The version of the card-set file format that this package reads."""

SIZE_LIMIT: Final = 100_000
"""The maximum number of characters in a card-set file. A complete file has about 6,000."""

LINE_LIMIT: Final = 300
"""The maximum number of characters in a line. The lines of a complete file have at most about 100.

The limit also bounds the number of parts in a dotted key. For a key with ten thousand parts,
`tomllib` would need minutes and gigabytes.
"""

UNFILLED: Final = "?"
"""The placeholder in a card-set file for a value that is still to be filled in."""

CELLS: Final = ("letter", "character", "copies", "cost", "icon", "points")
"""The names of a building's values. Each value has its own provenance."""


class Provenance(StrEnum):
    """The origin of a value in a card set."""

    PRINTED = "printed"
    """The value was read off a card or a barrel of the printed game."""
    RULEBOOK = "rulebook"
    """The value is stated in the rulebook."""
    DERIVED = "derived"
    """The value follows from printed values or values in the rulebook."""
    RECONSTRUCTED = "reconstructed"
    """The value was invented. It satisfies all known constraints."""


@attrs.frozen
class Sources(Value):
    """The provenance of each value of one building design."""

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
    """The card set itself."""
    sources: tuple[Sources, ...]
    """The provenance of the values of each design, in the order of the card set's buildings."""
    barrels: Provenance
    """The provenance of the barrel counts."""

    def tally(self) -> Counter[Provenance]:
        """Return the number of values for each provenance.

        The goods of a cost count as one value, and the goods on all barrels count as one value.
        """
        cells = [source for each in self.sources for source in attrs.astuple(each)]
        return Counter([*cells, self.barrels])


@attrs.define(slots=False)
class CardSetError(VallettaError, ValueError):
    """A card set cannot be read, or contradicts the rulebook."""

    source: str
    """The path of the file, or a description of another source."""
    problems: tuple[Problem, ...]
    """All problems of the card set. There is at least one."""

    def __str__(self) -> str:
        """List the problems with their locations; if there are very many, list only the first."""
        source = printable_path(self.source)
        if len(self.problems) == 1:
            return f"{source}: {by_table(self.problems[0])}"
        listed = "".join(f"\n- {by_table(problem)}" for problem in limit_problems(self.problems))
        return f"{source}: {len(self.problems):,} problems{listed}"


_BUILDING: Final = re.compile(r"buildings\[(\d+)\]\.?(.*)")


def _number_and_cell(problem: Problem) -> tuple[int, str]:
    """Split the path of a problem into the number of the building (from 1) and the rest.

    The number is 0 if the problem does not belong to a building.
    """
    building = _BUILDING.fullmatch(problem.path)
    return (int(building[1]) + 1, building[2]) if building else (0, problem.path)


def by_table(problem: Problem) -> str:
    """Return a problem as text with its location in the file: the building, the value, the line."""
    if problem.code == MoreProblems.MORE:
        return problem.message
    number, cell = _number_and_cell(problem)
    letter, line = map(problem.facts.get, ("letter", "line"))
    building = f"building {number}" + (f' ("{letter}")' if letter else "") if number else ""
    place = ", ".join(filter(None, (building, cell))) or "the card set"
    return str(attrs.evolve(problem, path=place + (f" (line {line})" if line else "")))


def load_card_set(path: str | os.PathLike[str]) -> CardSet:
    """Load a card set from a file. Raise `CardSetError` with all problems if it is faulty."""
    return load_card_sheet(path).cards


def parse_card_set(text: str, source: str = "<string>") -> CardSet:
    """Parse a card set from TOML text. Raise `CardSetError` with all problems if it is faulty.

    `source` names the text in error messages. Raises `TypeError` if an argument is not a string.
    """
    return parse_card_sheet(text, source).cards


def load_card_sheet(path: str | os.PathLike[str]) -> CardSheet:
    """Load a card set with its provenance from a file. Raise `CardSetError` if it is faulty.

    The file is TOML in UTF-8, with or without a byte order mark.
    """
    source = os.fspath(path)
    try:
        return parse_card_sheet(read_text(path, SIZE_LIMIT), source)
    except OSError as error:
        problem = Misprint.UNREADABLE.at("file", reason=error.strerror or type(error).__name__)
    except UnfitError as unfit:
        problem = Misprint.UNFIT.at("file", reason=str(unfit), line=unfit.line)
    raise CardSetError(source, (problem,))


def parse_card_sheet(text: str, source: str = "<string>") -> CardSheet:
    """Parse a card set with its provenance from TOML text. Raise `CardSetError` if it is faulty.

    `source` names the text in error messages. Raises `TypeError` if an argument is not a string.
    """
    need(text, str, "text")
    need(source, str, "a source")
    try:
        return _read_sheet(_parsed(text))
    except _FaultyError as faulty:
        raise CardSetError(source, faulty.problems) from None


@attrs.define
class _FaultyError(Exception):
    """A card-set file, or a value in it, is invalid."""

    problems: tuple[Problem, ...]


def _faulty(flaw: Misprint, path: str = "", /, **facts: Hashable) -> _FaultyError:
    """Return an error for one problem. `path` is relative to the table that is being read."""
    return _FaultyError((flaw.at(path, **facts),))


def _parsed(text: str) -> dict[str, object]:
    """Parse a TOML text. Raise `_FaultyError` if it is too long or not valid TOML."""
    if len(text) > SIZE_LIMIT:
        raise _faulty(Misprint.FILE_TOO_LARGE, "file", most=SIZE_LIMIT)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            raise _faulty(Misprint.LONG_LINE, "file", most=LINE_LIMIT, line=number)
    try:
        return tomllib.loads(text)
    except (RecursionError, ValueError) as error:
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise _faulty(Misprint.NO_TOML, "file", reason=reason) from None


def _read_sheet(content: Mapping[str, object]) -> CardSheet:
    """Build the card sheet from the parsed content of a file; raise `_FaultyError` if faulty."""
    top, problems = _read_table(content, _CELLS_OF_THE_FILE)
    if top["format"] not in {None, CARD_SET_FORMAT}:
        raise _faulty(
            Misprint.FORMAT,
            "format",
            right=CARD_SET_FORMAT,
            found=validation.as_written(top["format"]),
        )
    tables = []
    for at, content_of_building in enumerate(top["building"] or ()):
        table, flaws = _read_table(content_of_building, _CELLS_OF_A_BUILDING)
        tables.append(table)
        problems += (validation.of_building(at, table["letter"], each) for each in flaws)
    if problems:
        raise _by_number(problems)
    buildings = list(map(_building, tables))
    barrels = Goods(**top["barrels"])
    if problems := [
        *validation.barrel_contradictions(barrels),
        *validation.contradictions(buildings),
    ]:
        raise _by_number(problems)
    return _sheet(top, [*zip(buildings, tables, strict=True)])


def _by_number(problems: Iterable[Problem]) -> _FaultyError:
    """Return one error for several problems, sorted by building."""
    return _FaultyError(tuple(sorted(problems, key=lambda each: _number_and_cell(each)[0])))


def _building(table: Mapping[str, Any]) -> Building:
    values: dict[str, Any] = {cell: table[cell] for cell in CELLS}
    values["cost"] = Goods(**table["cost"])
    return Building(**values)


def _sheet(top: Mapping[str, Any], read: list[tuple[Building, Mapping[str, Any]]]) -> CardSheet:
    """Build a card sheet from buildings and the tables that describe them.

    Buildings are sorted by letter, and the designs of one letter by cost, icon and points,
    regardless of the order of the tables.
    """
    read.sort(key=lambda each: _in_letter_order(each[0]))
    designs, buildings, sources = Counter[str](), list[Building](), list[Sources]()
    for building, table in read:
        designs[building.letter] += 1
        buildings.append(attrs.evolve(building, design=designs[building.letter]))
        sources.append(Sources(*(_source(cell, table, top) for cell in CELLS)))
    cards = CardSet(top["name"], tuple(buildings), Goods(**top["barrels"]))
    return CardSheet(cards, tuple(sources), _source("barrels", top))


def _in_letter_order(building: Building) -> tuple[str, Goods, int, int]:
    return building.letter, building.cost, building.icon.rank, building.points


def _source(cell: str, *tables: Mapping[str, Any]) -> Provenance:
    """Return the provenance of a value from the first table that states one, or the default."""
    provenances = [table["provenance"].get(cell) for table in tables]
    source: Provenance = next(filter(None, [*provenances, tables[-1]["provenance"]["default"]]))
    return source


# Tables


@attrs.frozen
class _Cell:
    """The specification for one value in a table."""

    read: Callable[[object], Any]
    """A function that converts the parsed value. It raises `_FaultyError` if the value is
    invalid.
    """
    example: str = ""
    """An example of the value, for the message if the value is missing. It is empty for an optional
    value.
    """
    default: object = None
    """The default for an optional value."""
    inside: Mapping[str, _Cell] = attrs.field(factory=dict)
    """If the value is a table, the specifications for the values in it."""


@attrs.define
class _Reader:
    """A reader for tables. It collects problems and the names of unfilled values."""

    problems: list[Problem] = attrs.field(factory=list)
    unfilled: list[str] = attrs.field(factory=list)

    def read(
        self, content: Mapping[str, object], cells: Mapping[str, _Cell], prefix: str = ""
    ) -> dict[str, Any]:
        """Return the converted values of a table. `prefix` is the path of the table in the file."""
        values = {
            key: self._value(content.get(key), cell, prefix + key) for key, cell in cells.items()
        }
        for key in content:
            if key not in cells:
                problem = _unknown(key, "key", nearest(key, cells), [*cells])
                self.problems.append(attrs.evolve(problem, path=prefix + plain(key)))
        return values

    def _value(self, value: object, cell: _Cell, path: str) -> Any:
        """Return a converted value, or `None` if it is invalid.

        The result for an invalid table is a table in which all values are `None`.
        """
        unread = dict.fromkeys(cell.inside) if cell.inside else None
        if value is None:
            if cell.example:
                self.problems.append(Misprint.MISSING.at(path, wanted=cell.example))
            return unread if cell.default is None else cell.default
        if value == UNFILLED:
            self.unfilled.append(path)
            return unread
        try:
            read = cell.read(value)
        except _FaultyError as faulty:
            self.problems += (attrs.evolve(each, path=path) for each in faulty.problems)
            return unread
        return self.read(read, cell.inside, f"{path}.") if cell.inside else read


def _read_table(
    content: Mapping[str, object], cells: Mapping[str, _Cell]
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the values of a table and its problems. One problem lists all unfilled values."""
    reader = _Reader()
    values, unfilled = reader.read(content, cells), tuple(reader.unfilled)
    if unfilled:
        listed = _summed_up(unfilled)
        reader.problems.append(Misprint.UNFILLED.at("", unfilled=unfilled, listed=listed))
    return values, reader.problems


def _summed_up(paths: Iterable[str]) -> str:
    """Join the names of values; if all four goods of a table are listed, its name replaces them."""
    listed = ", ".join(paths)
    for table in ("cost", "barrels"):
        listed = listed.replace(", ".join(f"{table}.{good}" for good in GOODS), table)
    return listed


# Values


def _unknown(word: str, kind: str, meant: str | None, known: Sequence[str]) -> Problem:
    """Return the problem for an unknown word, with a suggestion or a list of the known words."""
    facts = {"what": kind, "found": quoted(word)}
    if meant is not None:
        return Misprint.MISSPELT.at("", **facts, meant=meant)
    if 0 < len(known) <= LISTED:
        return Misprint.NOT_AMONG.at("", **facts, known=", ".join(known))
    return Misprint.UNKNOWN.at("", **facts)


def _word(read: Callable[[str], T], kind: str, known: Sequence[str] = ()) -> Callable[[object], T]:
    """Return a reader for strings that `read` converts or rejects with `UnfitError`."""

    def convert(value: object) -> T:
        if not isinstance(value, str):
            raise _faulty(Misprint.NO_WORD, wanted=f"a {kind}", found=validation.as_written(value))
        try:
            return read(value)
        except UnfitError as unfit:
            raise _FaultyError((_unknown(value, kind, unfit.suggestion, known),)) from None

    return convert


def _name(text: str) -> str:
    if not is_name(text):
        raise _faulty(Misprint.NAME)
    return text


def _letter(text: str) -> str:
    if not re.fullmatch("[A-Z]", text):
        raise _faulty(Misprint.LETTER, found=validation.as_written(text))
    return text


def _whole(allowed: range) -> Callable[[object], int]:
    """Return a reader for integers in a range."""

    def convert(value: object) -> int:
        if type(value) is not int or value not in allowed:
            raise _faulty(Misprint.NO_NUMBER, **validation.limits(value, allowed))
        return value

    return convert


def _table(example: str) -> Callable[[object], dict[str, object]]:
    """Return a reader for tables; `example` is shown in error messages."""

    def convert(value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise _faulty(Misprint.NO_TABLE, example=example, found=validation.as_written(value))
        return value

    return convert


def _tables(value: object) -> list[dict[str, object]]:
    """Return the value if it is a non-empty list of tables, otherwise raise `_FaultyError`."""
    if not isinstance(value, list) or not value or any(type(each) is not dict for each in value):
        raise _faulty(Misprint.NO_TABLES)
    return value


_provenance: Final = _word(
    partial(named, known=by_value(Provenance), flaw=Misspelling.NO_PROVENANCE),
    "provenance",
    [*Provenance],
)
"""A reader that converts a word to a `Provenance`."""


def _own_provenance(value: object) -> dict[str, object]:
    """Return the provenance of a building as a table. A single word applies to all values."""
    return value if isinstance(value, dict) else dict.fromkeys(CELLS, _provenance(value))


_SOURCES: Final = MappingProxyType({cell: _Cell(_provenance) for cell in CELLS})

_CELLS_OF_THE_FILE: Final[Mapping[str, _Cell]] = MappingProxyType(
    {
        "format": _Cell(_whole(range(1, 10)), f"format = {CARD_SET_FORMAT}"),
        "name": _Cell(_word(_name, "name"), 'name = "..."'),
        "provenance": _Cell(
            _table('default = "printed"'),
            '[provenance] default = "printed"',
            inside={
                "default": _Cell(_provenance, 'default = "printed"'),
                **_SOURCES,
                "barrels": _Cell(_provenance),
            },
        ),
        "barrels": _Cell(
            _table("gold = 7"),
            "[barrels] gold = 7 ...",
            inside={good.value: _Cell(_whole(validation.BARRELS), f"{good} = 7") for good in GOODS},
        ),
        "building": _Cell(_tables, "[[building]]"),
    }
)
"""The specification of the values in the top-level table of a file."""

_CELLS_OF_A_BUILDING: Final[Mapping[str, _Cell]] = MappingProxyType(
    {
        "letter": _Cell(_word(_letter, "letter"), 'letter = "..."'),
        "character": _Cell(_word(read_character, "character"), 'character = "..."'),
        "copies": _Cell(_whole(validation.COPIES), "copies = 3"),
        "cost": _Cell(
            _table("{ gold = 1, wood = 2 }"),
            "cost = { gold = 1, ... }",
            inside={
                "gold": _Cell(_whole(validation.COST), "gold = 1"),
                **{good.value: _Cell(_whole(validation.COST), default=0) for good in MATERIALS},
            },
        ),
        "icon": _Cell(_word(read_good, "good", GOODS), 'icon = "..."'),
        "points": _Cell(_whole(validation.POINTS), "points = 2"),
        "provenance": _Cell(_own_provenance, inside=_SOURCES),
    }
)
"""The specification of a building's table. A cost must state its gold; the numbers of the other
goods default to 0.
"""


def _packaged(name: str) -> str:
    """Return the text of a card-set file that comes with the package."""
    return resources.files("valletta_rules.card_sets").joinpath(name).read_text("utf-8")


RECONSTRUCTION_SHEET: Final = parse_card_sheet(
    _packaged("reconstruction.toml"), "reconstruction.toml"
)
"""The built-in card set with the provenance of each value."""

RECONSTRUCTION: Final[CardSet] = RECONSTRUCTION_SHEET.cards
"""The built-in card set. Its values are reconstructed, because no printed values were available."""


def _blank(character: Character) -> str:
    """Return a blank table for one building, to be filled in. Only the Banker's letter is known."""
    letter = "A" if character is Character.BANKER else "?"
    goods = ", ".join(f'{good} = "?"' for good in GOODS)
    known = 'provenance = { letter = "rulebook" }\n' if letter != "?" else ""
    return (
        f'\n[[building]]\nletter = "{letter}"\ncharacter = "{character}"\ncopies = "?"\n'
        f'cost = {{ {goods} }}\nicon = "?"\npoints = "?"\n{known}'
    )


def _with_blanks(heading: re.Match[str]) -> str:
    """Return the template's section for a colour: a heading and blank tables for its buildings."""
    colour = heading[1].lower()
    return heading[0] + "".join(map(_blank, (c for c in BUILDING_CHARACTERS if c.colour == colour)))


TEMPLATE: Final = re.sub(
    "(?m)^# (Green|Blue|Yellow): .*\\n", _with_blanks, _packaged("template.toml")
)
"""The text of a card-set file to fill in from the printed cards. Every value that is not in the
rulebook is "?".
"""
