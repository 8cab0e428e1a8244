"""Texts of card-set files for tests, valid and damaged."""

import json
import re
from collections.abc import Iterator
from importlib import resources

from valletta_rules import CardSet, Problem
from valletta_rules.card_sets.files import TEMPLATE, CardSetError, by_table, parse_card_set

SOUND = (resources.files("valletta_rules") / "card_sets" / "reconstruction.toml").read_text("utf-8")
"""The content of the built-in card-set file, which is valid."""


def problems_of(text: str) -> tuple[Problem, ...]:
    """Return the problems in the text of a card-set file. A valid text has none."""
    try:
        parse_card_set(text)
    except CardSetError as error:
        return error.problems
    return ()


def place_of(problem: Problem) -> str:
    """Return the position of a problem in a file, as an error message describes it."""
    return by_table(problem).partition(": ")[0]


def damaged(old: str, new: str, *, letter: str | None = None, text: str = SOUND) -> str:
    """Return a copy of `text` with the first occurrence of `old` replaced by `new`.

    If `letter` is given, only the table of the building with this letter is changed.
    """
    tables = re.split(r"(?=^\[\[building\]\]$)", text, flags=re.MULTILINE)
    for number, table in enumerate(tables):
        if old in table and (letter is None or f'letter = "{letter}"' in table):
            tables[number] = table.replace(old, new, 1)
            return "".join(tables)
    raise AssertionError(f"the text does not contain {old!r}")


Changes = list[tuple[str, str, str]]
"""Replacements in a file: the letter of a building (or ""), the old text and the new text."""


def exchanged(changes: Changes) -> str:
    """Return the text of the built-in card-set file after some replacements."""
    text = SOUND
    for letter, old, new in changes:
        text = damaged(old, new, letter=letter or None, text=text)
    return text


def filled(cards: CardSet) -> str:
    """Return the template for card-set files with the values of a card set filled in.

    The card set must have one design for each character.
    """
    values = [json.dumps(cards.name), *map(str, cards.barrels)]
    by_character = {each.character.value: each for each in cards.buildings}
    for character in re.findall(r'^character = "(\w+)"$', TEMPLATE, flags=re.MULTILINE):
        if character == "rulebook":
            continue
        each = by_character[character]
        letter = [] if character == "banker" else [json.dumps(each.letter)]
        rest = [str(each.copies), *map(str, each.cost), json.dumps(each.icon), str(each.points)]
        values += letter + rest
    left = iter(values)
    return re.sub(
        r'^[^#\n]*"\?".*$', lambda line: _fill(line[0], left), TEMPLATE, flags=re.MULTILINE
    )


def _fill(line: str, values: Iterator[str]) -> str:
    """Replace each "?" in a line with the next value."""
    return re.sub(r'"\?"', lambda _: next(values), line)
