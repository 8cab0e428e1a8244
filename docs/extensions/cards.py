"""Generate the pages about characters, and share functions with the templates of card pages.

Each build writes the sources of the pages to `docs/cards/each` and `docs/de/cards/each`.  The
templates are `card`, `characters` and `buildings`.
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
    """Return whether a text contains the name of a character."""
    return any(match[0] == SHORT_NAMES[character] for match in NAMES.finditer(text))


def write_pages(app: Sphinx) -> None:
    """Write the source of each character's page in both languages, and delete outdated sources."""
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
    """Return the clauses that name a character, starting with the clause about its effect."""
    home = "valette" if character is Character.VALETTE else str(character.colour)
    clauses = [each for each in all_clauses("en") if named(character, f"{each.title}: {each.text}")]
    clauses.sort(
        key=lambda c: (not named(character, c.title), Path(place_of(c.id).path).stem != home)
    )
    return [explain(each.id, language) for each in clauses]


def clauses_of_colour(character: Character) -> list[ClauseText]:
    """Return further clauses: on the character's colour, or implied by the character's clauses."""
    own = {clause.id for clause in own_clauses(character)}
    colour = re.compile(rf"\b{character.colour} (character|card)", re.IGNORECASE)
    return [
        clause
        for clause in all_clauses("en")
        if clause.id not in own
        and (colour.search(clause.text) or not own.isdisjoint(clause.follows_from))
    ]


def rulings_of(clauses: Iterable[ClauseText]) -> list[RulingText]:
    """Return the rulings on which the given clauses depend, without duplicates."""
    return [*{each.id: each for clause in clauses for each in clause.rulings}.values()]


def main_code(clauses: Iterable[ClauseText]) -> list[str]:
    """Return links to the main functions that implement the given clauses."""
    main_functions = (carried_out(clause.id)[:1] for clause in clauses)
    return [*dict.fromkeys(str(each) for main in main_functions for each in main)]


def building_of(character: Character) -> Building | None:
    """Return a building that shows a character, or `None` for a starting character."""
    return next((each for each in CARDS.buildings if each.character is character), None)


def source_of(character: Character) -> Sources:
    """Return the provenance of the values that are printed on a character's cards."""
    building = building_of(character)
    return SOURCES[building] if building and character not in STARTING_CHARACTERS else STATED


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handler that writes the pages."""
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
