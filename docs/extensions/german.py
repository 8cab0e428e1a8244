"""The rulebook, its words and its cards on the German pages, out of the same files as in English.

.. german-chapter:: blue       the clauses of a chapter
.. german-index::              all clauses, in a table
.. german-rulings::            all rulings, those first that editions answer differently
.. german-conventions::        how *darf*, *muss* and their like are to be read
.. german-terms:: things       the terms of a section of the glossary
.. german-names::              the characters and what they are called
.. german-characters:: blue    the cards of some colours
.. german-buildings:: blue     the buildings of some colours
.. german-card:: monk          all about a character and its building

The roles `regel` and `entscheidung` refer to clauses and rulings of these pages.  What carries a
clause out, shows it and states it formally stands on the English page, to which each clause leads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from cards import building_of, own_clauses
from docutils import nodes
from figures import CARDS, EACH, Shown, page_of
from languages import GERMAN
from markup import ROOT, Written, broad_table, listed, raw, rule_row, table_of, unfolding
from pictures import gallery
from references import grouped, reasons, tables
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from strength import choice_of_grades, evidence_of_all
from terms import terms

from spec import traceability
from spec.glossary import GLOSSARY
from valletta_rules import Character, Colour
from valletta_rules.components.buildings import Building
from valletta_rules.specification.clauses import ClauseText, chapters, explain
from valletta_rules.specification.files import CLAUSE_ID, Table, Term, specification
from valletta_rules.specification.phrases import Phrase
from valletta_rules.specification.sources import citations
from valletta_rules.svg import draw_building, draw_card
from valletta_rules.svg.cards import count_of
from valletta_rules.text.values import read_character
from valletta_rules.words import LANGUAGES

COLOURS: Final = LANGUAGES["de"].table("card_colours")
"""The colours in German."""

ENDINGS: Final = "(?:e|en|er|es|s|n)?"
"""How German words end where they are inflected."""


def rule(clause: str) -> str:
    """Refer to a clause."""
    return f":regel:`{clause}`"


def linked(text: str) -> str:
    """Write a text in which clauses are named, as links."""
    parts = re.split(rf"({CLAUSE_ID.pattern})", text)
    return "".join(
        rf"\ {rule(part)}\ " if number % 2 else escape(part) for number, part in enumerate(parts)
    )


@cache
def known_words() -> tuple[re.Pattern[str], dict[str, Term]]:
    """Return a pattern of the German terms, the longest first, and the term of each word."""
    named = {word: term for term in terms() for word in (term.term_de, *term.also_de)}
    longest_first = sorted(named, key=len, reverse=True)
    nouns = "|".join(re.escape(word) for word in longest_first if word[0].isupper())
    return re.compile(rf"\b({nouns}){ENDINGS}\b"), named


def with_terms(text: str) -> str:
    """Write a sentence, with a link at each term where it first occurs."""
    pattern, named = known_words()
    written, end, seen = [], 0, set()
    for found in pattern.finditer(text):
        term = named[found[1]].term_de
        if term not in seen:
            seen.add(term)
            written += [escape(text[end : found.start()])]
            written += [rf"\ :term:`{escape(found[0])} <{term}>`\ "]
            end = found.end()
    return "".join([*written, escape(text[end:])])


class German(Written):
    """A directive of the German pages."""

    def section(self, kind: str, name: str, label: str, *title: nodes.Node) -> nodes.section:
        """Begin a section on a clause or a ruling, and make it known to the role of that kind."""
        section = nodes.section(
            "", nodes.title("", "", *title), ids=[*dict.fromkeys((label, name))]
        )
        section["names"] = [f"{kind}-{label}"]
        section["classes"].append("clause" if kind == "regel" else "ruling")
        section.document = self.state.document
        section.source, section.line = self.get_source_info()
        self.env.domains.standard_domain.note_object(kind, name, label, location=section)
        return section


class Chapter(German):
    """The clauses of a chapter."""

    def run(self) -> list[nodes.Node]:
        """Return a list of the clauses, and a section for each."""
        found = [each for each in chapters("de") if each.name == self.arguments[0]]
        if not found:
            raise self.error(f"there is no chapter {self.arguments[0]!r}")
        title = self.state.document.next_node(nodes.title)
        if title is None or title.astext() != found[0].title:
            raise self.error(f"the page is to be called {found[0].title!r}")
        self.env.note_dependency(ROOT / GLOSSARY)
        path = f"{traceability.CLAUSES}/{found[0].name}.toml"
        contents = [
            f":regel:`{each.id} {escape(each.title)} <{each.id}>`" for each in found[0].clauses
        ]
        sections = [self.clause(each, path) for each in found[0].clauses]
        return [*self.written([".. rst-class:: clauses", "", *listed(contents)]), *sections]

    def clause(self, clause: ClauseText, path: str) -> nodes.section:
        """Return the section of a clause."""
        number = nodes.inline("", clause.id, classes=["clause-id"])
        title = nodes.Text(f" {clause.title}")
        section = self.section("regel", clause.id, clause.id.lower(), number, title)
        section += self.written(self.lines(clause), path)
        return section

    def lines(self, clause: ClauseText) -> Iterator[str]:
        """Write a clause."""
        yield from (".. rst-class:: sentence", "", with_terms(clause.text), "")
        yield from (".. rst-class:: german language-en", "", escape(explain(clause.id).text), "")
        yield from (linked(clause.standing), "")
        yield from (f".. worked-examples:: {clause.id}", "")
        for ruling in clause.rulings:
            yield from decided(ruling.id)
        if clause.sources:
            found = (escape(each) for each in citations(clause.sources, "de"))
            yield from unfolding(Phrase.SOURCES.of("de"), listed(found))
        said = f"{escape(clause.why)} " if clause.why else ""
        yield from (f"{said}Code, Tests und Modell: :rule:`{clause.id}`, auf Englisch.", "")


@cache
def tabled() -> dict[str, Table]:
    """Return the rulings by their names."""
    return {table["id"]: table for _, table in tables(traceability.RULINGS, "ruling")}


def decided(name: str) -> list[str]:
    """Write a ruling, with a link to its reasons."""
    table = tabled()[name]
    why = f"Gründe und Einwände: :entscheidung:`{name}`."
    heading = f"Entscheidung: {escape(table['question_de'])}"
    return unfolding(heading, [*listed(grouped(table, "de")), why])


class Index(German):
    """All clauses."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [self.row(clause) for chapter in chapters("de") for clause in chapter.clauses]
        table = table_of(("Klausel", "Was sie sagt"), rows, (30, 70), "colwidths-given")
        table["ids"] = ["rules"]
        return [raw(choice_of_grades("de")), table]

    def row(self, clause: ClauseText) -> nodes.row:
        """Return the row of a clause."""
        row = rule_row("", rule=clause.id, grade=evidence_of_all()[clause.id].grade.key)
        for said in (f"{rule(clause.id)} {escape(clause.title)}", escape(clause.text)):
            row += nodes.entry("", *self.written([said]))
        return row


class Rulings(German):
    """All rulings."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a section for each, those first on which editions differ."""
        differing = sorted(tabled().values(), key=lambda table: "answers" not in table)
        return [self.ruling(table) for table in differing]

    def ruling(self, table: Table) -> nodes.section:
        """Return the section of a ruling."""
        label, title = f"ruling-{table['id']}", nodes.Text(table["question_de"])
        section = self.section("entscheidung", table["id"], label, title)
        section["ids"] = [label]
        given = list(grouped(table, "de"))
        lines = listed(given) if len(given) > 1 else [given[0], ""]
        lines += [*reasons(table, "de"), f"Für {', '.join(map(rule, table['clauses']))}."]
        section += self.written(lines, traceability.RULINGS)
        return section


# Words


class Conventions(German):
    """How the words are to be read that every clause uses."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a table."""
        rows = [
            (f"*{each['word_de']}*", f"*{each['word']}*", linked(each["meaning_de"]))
            for each in specification().conventions
        ]
        columns = "Eine Klausel sagt 14 | Englisch 14 | Das heißt 72"
        return self.written(broad_table(columns, rows, "conventions"), GLOSSARY)


class Terms(German):
    """The terms of a section."""

    def run(self) -> list[nodes.Node]:
        """Return the list of terms."""
        chosen = [term for term in terms() if term.section == self.arguments[0]]
        if not chosen:
            raise self.error(f"{GLOSSARY} has no section {self.arguments[0]!r}")
        lines = [".. glossary::", ""]
        for term in sorted(chosen, key=lambda term: term.term_de.casefold()):
            also = (
                f" Auch {', '.join(f'*{word}*' for word in term.also_de)}." if term.also_de else ""
            )
            lines += [f"   {term.term_de}"]
            lines += [f"      {escape(term.meaning_de)} Siehe {rule(term.clause)}."]
            lines += [f"      Englisch: *{term.term}*.{also}", ""]
        return self.written(lines, GLOSSARY)


class Names(German):
    """The characters and what they are called."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a table."""
        rows = [(each.german, each.english, COLOURS[each.colour]) for each in Character]
        return self.written(broad_table("Deutsch 42 | Englisch 42 | Farbe 16", rows, "names"))


# Cards


class Gallery(German):
    """The cards of some colours, and a table of them."""

    kind = "characters"
    columns = "Person 30 | Englisch 30 | Buchstabe 14 | Karten 12 | Wirkung 60"
    optional_arguments = 4

    def run(self) -> list[nodes.Node]:
        """Return the cards and the table."""
        self.env.note_dependency(__file__)
        colours = [Colour(name) for name in self.arguments]
        cards = [*self.cards(colours)]
        rows = [[*row] for *_, row in cards]
        up = "../" * self.env.docname.count("/") + GERMAN
        label = f"Karten: {', '.join(COLOURS[each] for each in colours)}"
        shown = ((f"{up}{EACH}/{who}.html", sides) for who, sides, _ in cards)
        return [
            gallery(self.env, self.kind, label, shown),
            *self.written(broad_table(self.columns, rows, f"valletta-cards {self.kind}")),
        ]

    def cards(self, colours: Sequence[Colour]) -> Iterator[Shown]:
        """Yield the cards."""
        german = LANGUAGES["de"]
        for each in Character:
            if each.colour in colours:
                letters = [house.letter for house in CARDS.buildings if house.character is each]
                yield (
                    each,
                    [draw_card(each, language=german)],
                    (
                        page_of(each, each.german, GERMAN),
                        each.english,
                        letters[0] if letters else "keiner",
                        count_of(each, CARDS),
                        escape(german.describe_effect(each)),
                    ),
                )


class Buildings(Gallery):
    """The buildings of some colours."""

    kind = "buildings"
    columns = "Gebäude 14 | Person 26 | Karten 12 | Kosten 30 | Ertrag 14 | Punkte 26"

    def cards(self, colours: Sequence[Colour]) -> Iterator[Shown]:
        """Yield the buildings, front and upgraded side."""
        german = LANGUAGES["de"]
        for each in CARDS.buildings:
            if each.colour in colours:
                yield (
                    each.character,
                    [draw_building(each, upgraded=up, language=german) for up in (False, True)],
                    (
                        each.code,
                        page_of(each.character, each.character.german, GERMAN),
                        each.copies,
                        escape(german.describe_goods(each.cost)),
                        german.good_names[each.icon],
                        f"{each.points}, aufgewertet {2 * each.points}",
                    ),
                )


class Card(German):
    """All about a character and its building."""

    def run(self) -> list[nodes.Node]:
        """Return the drawings, and what the rules say."""
        self.env.note_dependency(__file__)
        character = read_character(self.arguments[0])
        building = building_of(character)
        german = LANGUAGES["de"]
        sides = [draw_card(character, language=german)]
        if building:
            sides += [draw_building(building, upgraded=up, language=german) for up in (False, True)]
        return [
            gallery(self.env, "card", "Die Karten", (("", [side]) for side in sides)),
            *self.written(self.lines(character, building), GLOSSARY),
        ]

    def lines(self, character: Character, building: Building | None) -> Iterator[str]:
        """Write the page."""
        others = f":doc:`Person </de/cards/characters>`, {COLOURS[character.colour]}"
        yield from (f"Eine {others}; englisch *{escape(character.english)}*.", "")
        if building:
            cost = escape(LANGUAGES["de"].describe_goods(building.cost))
            yield (
                f"Sie kommt mit :doc:`Gebäude {building.code} </de/cards/buildings>` "
                f"(:regel:`BLD-28`); es kostet {cost} (:regel:`BLD-5`)."
            )
        yield from ("", "Was die Regeln sagen", "-" * 20, "")
        main, *more = (explain(clause.id, "de") for clause in own_clauses(character))
        yield from (f"{rule(main.id)} **{escape(main.title)}**", "")
        yield from (".. rst-class:: sentence", "", with_terms(main.text), "")
        yield from (f".. worked-examples:: {main.id}", "")
        yield from listed(f"{rule(each.id)} {with_terms(each.text)}" for each in more)
        if names := dict.fromkeys(each.id for clause in (main, *more) for each in clause.rulings):
            yield from ("Was gefragt wird", "-" * 16, "")
            for name in names:
                yield from decided(name)
        yield f"Studie, Code und Tests: :doc:`/{EACH}/{character}`, auf Englisch."


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the roles and the directives."""
    for needed in ("markup", "rulebook", "figures", "cards", "terms"):
        app.setup_extension(needed)
    for kind, name in (("regel", "Klausel"), ("entscheidung", "Entscheidung")):
        app.add_object_type(kind, kind, objname=name, ref_nodeclass=nodes.inline)
    for name, directive in {
        "chapter": Chapter,
        "index": Index,
        "rulings": Rulings,
        "conventions": Conventions,
        "terms": Terms,
        "names": Names,
        "characters": Gallery,
        "buildings": Buildings,
        "card": Card,
    }.items():
        app.add_directive(f"german-{name}", directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
