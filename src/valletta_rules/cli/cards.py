"""`valletta cards`: show and check card sets, and write templates for new ones.

The values of the built-in card set are a reconstruction.  The command marks these values wherever
it prints them.  Users can enter the values of the printed cards in a template.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, cast

from valletta_rules.card_sets import files, misprint, validation
from valletta_rules.cli.game import card_sheet_of, source_of
from valletta_rules.cli.options import add_path
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.components import GOODS, Building
from valletta_rules.errors import Problem
from valletta_rules.text.files import printable_path
from valletta_rules.text.layout import filled
from valletta_rules.words import ENGLISH, SHORT_NAMES, counted

DONE: Final = 0
"""Exit status: the card set or template was printed, or the checked file is valid."""

FAULTY: Final = 1
"""Exit status: the card set in the given file is faulty."""

MISUSED: Final = 2
"""Exit status: the options contradict each other."""

MARKS: Final = MappingProxyType(
    {
        files.Provenance.PRINTED: "",
        files.Provenance.RULEBOOK: "",
        files.Provenance.DERIVED: "+",
        files.Provenance.RECONSTRUCTED: "*",
    }
)
"""The mark that is printed after a value, keyed by the provenance of the value."""

HONEST: Final = """\
No printed cost, icon, point value, number of copies or mix of barrels could be
found in any source at hand.  The values marked * are a reconstruction: invented
within what the rulebook says, not those of the printed game.  If you own it,
please transcribe its values:

    valletta cards --template > my-cards.toml
    valletta cards --check my-cards.toml"""
"""The note under the table of the built-in card set."""

INVENTED: Final = """\
The values marked * are a reconstruction: they are not those of the printed game."""
"""The note under the table of any other card set that contains reconstructed values."""

HEADINGS: Final = ("", "character", "cards ", *(f"{good} " for good in GOODS), "icon", "points ")
"""The headings of the columns in the table of a card set.

The first column, without a heading, contains the code of the building.  A heading over numbers ends
with a space, because a mark may follow a number.
"""

WORDS: Final = frozenset({"", "character", "icon"})
"""The headings of the left-aligned columns, which contain words."""


ABOUT: Final = (
    "Show the built-in card set (a reconstruction) or your own, check a card set "
    "that you have transcribed from the printed cards, or print a template for a new one."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_path(parser, "--cards", "show the card set in this file instead of the built-in one")
    actions = parser.add_mutually_exclusive_group()
    add_path(actions, "--check", "list all problems and missing values of this file")
    actions.add_argument(
        "--template", action="store_true", help="print a file to fill in from the printed cards"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    if arguments.cards is not None and (arguments.check is not None or arguments.template):
        raise ComplaintError("--cards cannot be combined with --check or --template", MISUSED)
    if arguments.template:
        print(files.TEMPLATE, end="")
        return DONE
    path = arguments.check if arguments.check is not None else arguments.cards
    try:
        sheet = files.RECONSTRUCTION_SHEET if path is None else card_sheet_of(path)
    except files.CardSetError as error:
        print(report(error), file=sys.stderr if arguments.check is None else sys.stdout)
        return FAULTY
    if arguments.check is not None:
        source = source_of(arguments.check, ENGLISH)
        print(filled(f"{source}: a valid card set, {sheet.cards.name}. {_summary(sheet)}"))
        if doubts := validation.doubts(sheet.cards):
            print(
                "\nThese values contradict descriptions of the printed cards; check them again:\n"
            )
            print(_listed(doubts))
        return DONE
    print(table(sheet))
    return DONE


def table(sheet: files.CardSheet) -> str:
    """Return a card set as a table; marks on the values show their provenance."""
    cards = sheet.cards
    rows = [_row(*pair) for pair in zip(cards.buildings, sheet.sources, strict=True)]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    blocks = [f"{cards.name}\n\n{_aligned(HEADINGS, widths)}"]
    for colour in validation.BUILDING_COLOURS:
        designs = [each for each in cards.buildings if each.colour is colour]
        lines = [f"{colour.capitalize()}: {sum(each.copies for each in designs)} cards"]
        for row, building in zip(rows, cards.buildings, strict=True):
            if building.colour is colour:
                lines.append(_aligned(row, widths))
        blocks.append("\n".join(lines))
    blocks += [f"Barrels: {cards.barrels}{MARKS[sheet.barrels]}", filled(_summary(sheet))]
    if sheet == files.RECONSTRUCTION_SHEET:
        blocks.append(HONEST)
    elif sheet.tally()[files.Provenance.RECONSTRUCTED]:
        blocks.append(INVENTED)
    return "\n\n".join(blocks)


def report(error: files.CardSetError) -> str:
    """Return a text that lists all problems in a card set: first errors, then missing values."""
    file, blocks = printable_path(error.source), list[str]()
    unfilled = [problem for problem in error.problems if problem.code == misprint.Misprint.UNFILLED]
    wrong = [problem for problem in error.problems if problem not in unfilled]
    if wrong:
        blocks += [f"{file}: {counted(len(wrong), 'problem')}.", _listed(wrong)]
    if unfilled:
        count = sum(len(cast(tuple[str, ...], each.facts["unfilled"])) for each in unfilled)
        values = '1 value marked "?" is' if count == 1 else f'{count} values marked "?" are'
        blocks += [f"{file}: {values} still to be filled in.", _listed(unfilled)]
        blocks.append("Checks that need a missing value run once it is filled in.")
    return "\n\n".join(blocks)


def _listed(problems: Iterable[Problem]) -> str:
    """Return a list of problems as text, each with its table in the card set file."""
    return "\n".join(filled(f"- {files.by_table(problem)}", rest="  ") for problem in problems)


def _row(building: Building, sources: files.Sources) -> tuple[str, ...]:
    """Return the row for a building: code, character, cards, four goods, icon, points."""
    return (
        _marked(building.code, sources.letter),
        _marked(SHORT_NAMES[building.character], sources.character),
        _marked(building.copies, sources.copies),
        *(_marked(count or "-", sources.cost) for count in building.cost),
        _marked(building.icon, sources.icon),
        _marked(building.points, sources.points),
    )


def _marked(value: object, source: files.Provenance) -> str:
    """Return a value, followed by the mark for its provenance.

    A number without a mark is padded with a space, so that the digits of a column align.
    """
    mark = MARKS[source]
    return f"{value}{mark}" if isinstance(value, str) and value != "-" else f"{value}{mark:1}"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return the cells of a row as one line; words are left-aligned, numbers right-aligned."""
    line = " ".join(
        cell.ljust(width) if heading in WORDS else cell.rjust(width)
        for heading, cell, width in zip(HEADINGS, cells, widths, strict=True)
    )
    return line.rstrip()


def _summary(sheet: files.CardSheet) -> str:
    """Return a sentence on the number of cards and barrels, and one on the provenance of values."""
    tally = sheet.tally()
    origins = ", ".join(
        f"{tally[each]} {each}{f' ({MARKS[each]})' if MARKS[each] else ''}"
        for each in files.Provenance
        if tally[each]
    )
    return (
        f"{validation.BUILDING_CARDS} buildings in {counted(len(sheet.sources), 'design')}, "
        f"{validation.BARREL_TOKENS} barrels. "
        f"Provenance of the {tally.total()} values: {origins}."
    )
