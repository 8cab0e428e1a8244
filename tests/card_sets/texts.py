"""Texts of card-set files, sound and damaged."""

import json
import re
from collections.abc import Iterator
from importlib import resources

from valletta_rules import CardSet, Problem
from valletta_rules.card_sets.files import TEMPLATE, CardSetError, by_table, parse_card_set

SOUND = (resources.files("valletta_rules") / "card_sets" / "reconstruction.toml").read_text("utf-8")
"""The file of the built-in card set."""


def problems_of(text: str) -> tuple[Problem, ...]:
    """Return all problems of a text; none if it is a card set."""
    try:
        parse_card_set(text)
    except CardSetError as error:
        return error.problems
    return ()


def place_of(problem: Problem) -> str:
    """Return where a problem is, as somebody is told who has the file."""
    return by_table(problem).partition(": ")[0]


def damaged(old: str, new: str, *, letter: str | None = None, text: str = SOUND) -> str:
    """Return a text with something replaced, in the table of one letter or anywhere."""
    tables = re.split(r"(?=^\[\[building\]\]$)", text, flags=re.MULTILINE)
    for number, table in enumerate(tables):
        if old in table and (letter is None or f'letter = "{letter}"' in table):
            tables[number] = table.replace(old, new, 1)
            return "".join(tables)
    raise AssertionError(f"{old!r} does not occur")


Changes = list[tuple[str, str, str]]
"""Of which letter, or none, what is exchanged by what."""


def exchanged(changes: Changes) -> str:
    """Return the file of the built-in card set with something exchanged in some buildings."""
    text = SOUND
    for letter, old, new in changes:
        text = damaged(old, new, letter=letter or None, text=text)
    return text


def filled(cards: CardSet) -> str:
    """Return the template with every "?" replaced by the value of a card set of one design each."""
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
    """Return a line with each "?" replaced by the next value."""
    return re.sub(r'"\?"', lambda _: next(values), line)
