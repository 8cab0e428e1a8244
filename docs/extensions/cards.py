"""The pages of the characters, and functions of the templates `card`, `characters`, `buildings`.

The sources of the pages, in `docs/cards/each` and `docs/de/cards/each`, are written for each build.
"""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import attrs
from figures import CARDS, EACH, SOURCES, STATED
from languages import GERMAN
from references import NAMES, all_clauses, carried_out, place_of
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

from valletta_rules import Character, ClauseText, RulingText, explain
from valletta_rules.card_sets.files import Provenance, Sources
from valletta_rules.components import CHARACTERS, STARTING_CHARACTERS, Building
from valletta_rules.svg.cards import count_of
from valletta_rules.text.values import read_character
from valletta_rules.words import LANGUAGES, SHORT_NAMES


def named(character: Character, text: str) -> bool:
    """Tell whether a text names a character."""
    return any(found[0] == SHORT_NAMES[character] for found in NAMES.finditer(text))


def write_pages(app: Sphinx) -> None:
    """Write the page of each character, in both languages; delete those of no character."""
    for language, home in (("english", EACH), ("german", f"{GERMAN}{EACH}")):
        folder = Path(app.srcdir, home)
        folder.mkdir(parents=True, exist_ok=True)
        for path in {*folder.glob("*.rst")} - {folder / f"{each}.rst" for each in Character}:
            path.unlink()
        for each in Character:
            path, title = folder / f"{each}.rst", getattr(each, language)
            text = f":orphan:\n\n{title}\n{'=' * len(title)}\n\n.. templated:: card {each}\n"
            if not path.is_file() or path.read_text("utf-8") != text:
                path.write_text(text, "utf-8")


def own_clauses(character: Character, language: str = "en") -> list[ClauseText]:
    """Return the clauses that name a character, the one that says what the card does first."""
    home = "valette" if character is Character.VALETTE else str(character.colour)
    found = [each for each in all_clauses("en") if named(character, f"{each.title}: {each.text}")]
    found.sort(
        key=lambda c: (not named(character, c.title), Path(place_of(c.id).path).stem != home)
    )
    return [explain(each.id, language) for each in found]


def clauses_of_colour(character: Character) -> list[ClauseText]:
    """Return the other clauses on the characters of its colour, or that follow from its own."""
    own = {clause.id for clause in own_clauses(character)}
    colour = re.compile(rf"\b{character.colour} (character|card)", re.IGNORECASE)
    return [
        clause
        for clause in all_clauses("en")
        if clause.id not in own
        and (colour.search(clause.text) or not own.isdisjoint(clause.follows_from))
    ]


def rulings_of(clauses: Iterable[ClauseText]) -> list[RulingText]:
    """Return the rulings on which some clauses depend, each once."""
    return [*{each.id: each for clause in clauses for each in clause.rulings}.values()]


def main_code(clauses: Iterable[ClauseText]) -> list[str]:
    """Refer to the main function of each of some clauses."""
    found = (carried_out(clause.id)[:1] for clause in clauses)
    return [*dict.fromkeys(str(each) for main in found for each in main)]


def building_of(character: Character) -> Building | None:
    """Return the building that brings a character; the starting characters have none."""
    return next((each for each in CARDS.buildings if each.character is character), None)


def source_of(character: Character) -> Sources:
    """Return where the values of a character's cards come from."""
    building = building_of(character)
    return SOURCES[building] if building and character not in STARTING_CHARACTERS else STATED


def setup(app: Sphinx) -> ExtensionMetadata:
    """Write the pages, and let templates ask for what they show."""
    for needed in ("rulebook", "figures"):
        app.setup_extension(needed)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(
    __name__,
    STARTING_CHARACTERS=STARTING_CHARACTERS,
    CHARACTERS=CHARACTERS,
    BUILDINGS=CARDS.buildings,
    PROVENANCES=[*Provenance],
    character=read_character,
    upgrade_of=lambda building: attrs.evolve(building.cost, gold=0),
    count_of=partial(count_of, cards=CARDS),
    english=LANGUAGES["en"],
    german=LANGUAGES["de"],
)
