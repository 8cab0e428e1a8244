"""A page for each character and the building that brings it, made of what is known of both.

The pages are written into `docs/cards/each` before the build, a title and a directive each, and
left alone while they say that.  The directive, `.. card:: monk`, does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from docutils import nodes
from evidence import repository
from figures import CARDS, EACH, SOURCES, STATED
from languages import GERMAN
from markup import ROOT, Written, counted, listed, table, unfolding
from pictures import gallery
from references import (
    badges,
    code_links,
    grouped,
    mentions,
    quint_link,
    rule,
    ruling,
    shown_by,
    tables,
)
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from studied import PLAYERS, cell
from terms import NAMES, with_terms

from docs.studies.make import SUMMARY
from spec import traceability
from valletta_rules import Character
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.specification.files import Clause
from valletta_rules.studies.plots import percent, said
from valletta_rules.svg import draw_building, draw_character
from valletta_rules.text.values import read_character
from valletta_rules.words import SHORT_NAMES

PLACES: Final = {
    Character.VALETTE: "He walks along :doc:`the street </cards/street_and_display>`.",
    **dict.fromkeys(
        [each for each in Character if each.colour == "yellow"],
        "The points go on :doc:`the score track </cards/score_track>`.",
    ),
}
"""Where else on the board a character matters."""


# Which clauses are about a character


def named(character: Character, text: str) -> bool:
    """Tell whether a text names a character."""
    return any(found[0] == SHORT_NAMES[character] for found in NAMES.finditer(text))


def own_clauses(character: Character) -> list[Clause]:
    """Return the clauses that name a character, the one that says what the card does first."""
    home = "valette" if character is Character.VALETTE else str(character.colour)
    found = [c for c in repository().clauses if named(character, f"{c.title}: {c.text}")]
    return sorted(
        found, key=lambda c: (not named(character, c.title), Path(c.place.path).stem != home)
    )


def clauses_of_colour(character: Character) -> list[Clause]:
    """Return the other clauses on the characters of its colour, or that follow from its own."""
    own = own_clauses(character)
    ids = {clause.id for clause in own}
    colour = re.compile(rf"\b{character.colour} (character|card)", re.IGNORECASE)
    return [
        clause
        for clause in repository().clauses
        if clause.id not in ids
        and (colour.search(clause.text) or not ids.isdisjoint(clause.follows_from))
    ]


def building_of(character: Character) -> Building | None:
    """Return the building that brings a character; the starting characters have none."""
    return next((each for each in CARDS.buildings if each.character is character), None)


# The parts of a page


class Card(Written):
    """`.. card:: monk`: all about a character and its building."""

    def run(self) -> list[nodes.Node]:
        """Return the drawings, and below them the sections."""
        self.env.note_dependency(__file__)
        character = read_character(self.arguments[0])
        for path in (traceability.RULINGS, SUMMARY.relative_to(ROOT)):
            self.env.note_dependency(str(ROOT / path))
        for clause in own_clauses(character):
            self.env.note_dependency(str(ROOT / clause.place.path))
        building = building_of(character)
        sources = SOURCES[building] if building else STATED
        sides = [draw_character(character, CARDS, sources=sources)]
        if building:
            sides += [draw_building(building, upgraded=up, sources=sources) for up in (False, True)]
        return [
            gallery(self.env, "card", "The cards", (("", [side]) for side in sides)),
            *self.written(lines_of(character)),
        ]


def lines_of(character: Character) -> Iterator[str]:
    """Write the page of a character."""
    own = own_clauses(character)
    yield from (*bearings(character), "")
    yield from section("What the rules say", clauses(character))
    yield from section("Questions people ask", questions(own))
    yield from section("In play", studied(character))
    yield from section("Where it is met", met(own))


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Write a section, unless it is empty."""
    if written := [*lines]:
        yield from (title, "-" * len(title), "", *written, "")


def bearings(character: Character) -> Iterator[str]:
    """Say what the cards are, and lead back to the others of the kind."""
    colour, building = character.colour, building_of(character)
    yield (
        f"In German *{escape(character.german)}*; one of "
        f":doc:`the {colour} characters </cards/characters>`."
    )
    if character in STARTING_CHARACTERS:
        yield "Every player starts with the card (:rule:`SET-14`), so that no building brings it."
    if building:
        yield (
            f"It comes with :doc:`building {building.code} </cards/buildings>` (:rule:`BLD-28`), "
            f"which costs {building.cost} (:rule:`BLD-5`), has a {building.icon} icon and is worth "
            f"{counted(building.points, 'point')}; upgraded it has twice as much of both "
            "(:rule:`CMP-12`)."
        )
    yield PLACES.get(character, "")


def clauses(character: Character) -> Iterator[str]:
    """Write the clauses that name a character, the main one whole, and those of its colour."""
    main, *others = own_clauses(character)
    yield from (f"{rule(main.id)} **{escape(main.title)}**", "")
    yield from (".. rst-class:: sentence", "", with_terms(main.text, character), "")
    yield from (*badges(main.id), f".. worked-examples:: {main.id}", "")
    besides = clauses_of_colour(character)
    for heading, found in (("More about the card:", others), ("It also matters that:", besides)):
        if found:
            said = (f"{rule(each.id)} {with_terms(each.text, character)}" for each in found)
            yield from (heading, "", *listed(said))


def questions(own: Iterable[Clause]) -> Iterator[str]:
    """Write the questions that had to be decided, with their answers."""
    known = {entry["id"]: entry for _, entry in tables(traceability.RULINGS, "ruling")}
    for name in dict.fromkeys(name for clause in own for name in clause.rulings):
        if name in known:
            answer = [*listed(grouped(known[name])), f"Why: ruling {ruling(name)}."]
            yield from unfolding(escape(known[name]["question"]), answer)


def studied(character: Character) -> Iterator[str]:
    """Write what the study of the game says of a character and its building."""
    cells = [cell(players, "draft") for players in PLAYERS]
    rows = []
    designs = [next((d for d in c.designs if d.character is character), None) for c in cells]
    if found := [each for each in designs if each]:
        rows = [
            ("Building built, of those dealt", *(said(each.built) for each in found)),
            ("Upgraded, of those dealt", *(percent(each.upgraded) for each in found)),
            (
                "Built in turn (median)",
                *("never" if d.turn is None else f"{d.turn:g}" for d in found),
            ),
            ("Owner's victories beyond the seat's", *(said(each.beyond) for each in found)),
        ]
    usages = [next(u for u in c.usages if u.character is character) for c in cells]
    for what in ("played", "dismissed", "hired"):
        counts = (f"{getattr(each, what):.2f}" for each in usages)
        rows.append((f"Card {what}, times a game", *counts))
    yield from table(("Planners, draft", *(f"{count} players" for count in PLAYERS)), rows)
    yield "With the numbers of the reconstruction: :doc:`/explanation/study_of_the_game`."


def met(own: list[Clause]) -> Iterator[str]:
    """Name the code, the tests and the definitions behind the clauses of a character."""
    code = dict.fromkeys(code_links(clause)[0] for clause in own if code_links(clause))
    yield from listed([f"Code: {', '.join(code)}."])
    quint = dict.fromkeys(name for clause in own for name, _ in mentions("quint", clause.id))
    if quint:
        yield from listed([f"Formal model: {', '.join(map(quint_link, quint))}."])
    yield from shown_by(*(clause.id for clause in own))


def write_pages(app: Sphinx) -> None:
    """Write the page of each character, in English and in German."""
    english = {each: page_of(each.english, f"card:: {each}") for each in Character}
    german = {each: page_of(each.german, f"german-card:: {each}") for each in Character}
    write_folder(Path(app.srcdir) / EACH, english)
    write_folder(Path(app.srcdir) / GERMAN / EACH, german)


def write_folder(folder: Path, texts: Mapping[Character, str]) -> None:
    """Write pages into a folder, unless they stand there already; clear away any other."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {f"{each}.rst": text for each, text in texts.items()}
    for path in folder.glob("*.rst"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def page_of(title: str, directive: str) -> str:
    """Return the page of a character."""
    return f":orphan:\n\n{title}\n{'=' * len(title)}\n\n.. {directive}\n"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and write the pages."""
    app.setup_extension("rulebook")
    app.setup_extension("figures")
    app.add_directive("card", Card)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
