"""The evidence for a clause, for templates: its sources, rulings, code, tests and formal model.

In sentences, the terms of `spec/glossary.toml` become links.  Templates use CSS classes to mark
differences between editions: ``not-z-man`` marks text that is not valid in that edition, and
``for-z-man`` marks that edition's answer to a ruling.  `docs/static/editions.css` greys out text
for editions other than the selected one, without a script.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from evidence import sentences, test_link
from languages import REFERS
from links import repository
from markup import ROOT, documentation
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from stated import path_of
from strength import kind_of
from templated import JINJA, rule, rules, share

from spec import glossary
from spec.mentions import CODE, QUINT
from valletta_rules import Character
from valletta_rules.specification import files
from valletta_rules.specification.clauses import (
    EDITIONS,
    ClauseText,
    Reference,
    RulingText,
    chapters,
    explain,
    ruling,
    ruling_ids,
)
from valletta_rules.specification.phrases import Phrase
from valletta_rules.specification.sources import Relation, seeds
from valletta_rules.words import SHORT_NAMES

LABELS: Final = {"HANS_IM_GLUECK": "Hans im Glück", "Z_MAN": "Z-Man Games"}
"""The labels of editions named after publishers. The labels of others are translated phrases."""

IS: Final[Mapping[Relation | None, str]] = {
    Relation.STATES: "states",
    Relation.IMPLIES: "implies",
    Relation.WEAKER: "is weaker than",
    Relation.CONTRADICTS: "contradicts",
}
"""The verb for each relation between a sentence of a source text and a clause."""

TEST_KINDS: Final = {
    "lemma": ("Proved for all numbers:", "lemma", "lemmas"),
    "property": ("Asked of random games:", "property", "properties"),
    "example": ("Shown by", "test", "tests"),
}
"""For each kind of test, an introduction to a list of such tests, and a noun in
singular and plural."""


# Clauses and rulings


def all_clauses(language: str) -> list[ClauseText]:
    """Return the clauses of all chapters in the given language."""
    return [clause for chapter in chapters(language) for clause in chapter.clauses]


def all_rulings(language: str) -> list[RulingText]:
    """Return all rulings in the given language."""
    return [ruling(name, language) for name in ruling_ids()]


def place_of(clause: str) -> files.Place:
    """Return the file and the line that define a clause."""
    return repository().by_id[clause].place


def label(edition: str, language: str = "en") -> str:
    """Return the name of an edition in the given language."""
    return LABELS.get(edition) or Phrase[edition].of(language)


class Support(StrEnum):
    """The ways in which the source texts can support a clause."""

    __hash__ = str.__hash__

    PRINTED = "printed"
    """A rulebook states the clause. The reference manual does not count, because its origin is
    unknown."""
    IMPLIED = "implied"
    """The clause follows from other statements in the rulebooks, without a ruling."""
    DECIDED = "decided"
    """No rulebook states the clause; a ruling decides it."""


def support(clause: str) -> Support:
    """Return how the source texts support a clause.

    If a rulebook states the clause, it is `PRINTED`, even if a ruling also mentions it.
    """
    rulebooks = {text.id for text in repository().texts if text.edition != "REFERENCE_MANUAL"}
    clause_text = explain(clause)
    if any(s.relation == Relation.STATES and s.seed in rulebooks for s in clause_text.sources):
        return Support.PRINTED
    return Support.DECIDED if clause_text.rulings else Support.IMPLIED


def differs(ruling: RulingText) -> bool:
    """Return whether editions give different answers to a ruling's question."""
    return len({answer for _, answer in ruling.answers}) > 1


def grouped(ruling: RulingText) -> dict[str, list[str]]:
    """Group editions by their answer to a ruling. If all editions agree, none is named."""
    answers, groups = dict(ruling.answers), dict[str, list[str]]()
    for name, edition in EDITIONS.items():
        named = groups.setdefault(answers[edition], [])
        named += [label(name, ruling.language)] if differs(ruling) else []
    return groups


def linked(text: str, language: str) -> str:
    """Return a text in which each clause id is a link."""
    parts = re.split(rf"({files.CLAUSE_ID.pattern})", text)
    return "".join(
        rf"\ :{REFERS[language][0]}:`{part}`\ " if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def standing(clause: ClauseText) -> str:
    """Return a line with a clause's kind, condition, related clauses and revision."""
    following = [each.id for each in repository().clauses if clause.id in each.follows_from]
    parts = [linked(clause.standing.rstrip("."), "en")]
    parts += [f"from it follow{'s' * (not following[1:])} {rules(following)}"] * bool(following)
    for before, now in (repository().lock["split"] | repository().retired).items():
        if before == clause.id:
            parts.append(f"the rest of its text is now {rules(now)}")
        elif clause.id in now:
            parts.append(f"was a part of {rule(before)}")
    return f"{'; '.join(parts)}; revision {clause.revision}."


# The texts


def with_sentences(text: str) -> str:
    """Return a text in which each sentence id is a link."""
    return re.sub(r"\b\d{3}-\d+\b", r":sentence:`\g<0>`", text)


def by_section(sentences: Sequence[files.SourceSentence]) -> list[tuple[str, Any]]:
    """Group the sentences of a text by section and subsection."""
    alike = groupby(sentences, key=lambda each: each.section)
    inner = [(*section.partition(", ")[::2], [*group]) for section, group in alike]
    return [
        (name, [(section, group) for _, section, group in rows])
        for name, rows in groupby(inner, key=lambda each: each[0])
    ]


def clauses_of_sentence(each: files.SourceSentence) -> str:
    """Return a line about a sentence: related clauses, its ruling, or why there are none."""
    by_relation = {
        is_: [clause for clause, relation in each.relations.items() if relation == is_]
        for is_ in Relation
    }
    parts = [f"{IS[is_]} {rules(clauses)}" for is_, clauses in by_relation.items() if clauses]
    rest = "none" if each.none else "no other"
    parts += [f"{rest}: {escape(each.why.rstrip('.'))}"] if each.why else []
    parts += [f"see :ruling:`{each.ruling}`"] if each.ruling else []
    parts += ["none"] if each.level == "flavour" else []
    return "; ".join(parts)


# Code, tests and model


class Coded(NamedTuple):
    """A function or table that implements a clause. `str` converts it to a link."""

    name: str
    path: str

    @property
    def module(self) -> str:
        """The name of the module, without `valletta_rules.`."""
        stem = self.path.removeprefix(f"{CODE}/").removesuffix(".py")
        return stem.removesuffix("/__init__").replace("/", ".")

    @property
    def inner(self) -> str:
        """The name of the function or table, without its module."""
        return self.name.removeprefix(self.module).lstrip(".")

    @property
    def says(self) -> str:
        """The first sentence of the docstring of the function or table."""
        docstring = sentences(ROOT / self.path).get(self.inner, "")
        key = self.inner.rpartition(".")[::2]
        docstring = docstring or documentation(f"valletta_rules.{self.module}").get(key, "")
        return escape(docstring.partition(". ")[0].replace("`", ""))

    def __str__(self) -> str:
        """Return a reStructuredText link to the function or table."""
        short = self.module.rpartition(".")[2]
        label = f"{short}.{self.inner}" if self.inner else f"module {self.module}"
        return f":py:obj:`{label} <{'.'.join(filter(None, ('valletta_rules', self.name)))}>`"


def sentence_of(module: str) -> str:
    """Return the first sentence of a module's docstring."""
    return sentences(ROOT / path_of(f"src.{module}"))[""]


def carried_out(clause: str) -> list[Coded]:
    """Return the functions and tables that implement a clause, with the main one first."""
    return [Coded(each.name, each.path) for each in explain(clause).code]


def source_link(native: Reference) -> str:
    """Return a link to a function of the native backend."""
    file, _, function = native.name.partition("::")
    return f":source:`{function or file} <{native.path}#{function or f'L-{native.line}'}>`"


def tests_of(clauses: Sequence[str]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield an introduction, a noun in singular and plural, and test names for each kind of test.

    The kinds are lemmas, properties and tests of single cases.
    """
    tests = sorted({test.name for clause in clauses for test in explain(clause).tests})
    for kind, (introduction, *nouns) in TEST_KINDS.items():
        if names := [name for name in tests if kind_of("tests", name) == kind]:
            yield introduction, nouns, names


def joined_with(names: Sequence[str], language: str) -> str:
    """Join names with the word for *and* in a language."""
    return f" {Phrase.AND.of(language)} ".join(names)


def quint_link(name: str) -> str:
    """Return a link to a definition of the formal model, such as ``building.qnt::discount``."""
    return f":source:`{name.partition('::')[2]} <{QUINT}/{name.replace('::', '#')}>`"


def formal_of(clause: str) -> list[str]:
    """Return the formal model's definitions of a clause, starting with those in its own chapter."""
    chapter = Path(place_of(clause).path).stem
    names = [each.name for each in explain(clause).formal]
    return sorted(names, key=lambda name: (name.partition(".")[0] != chapter, names.index(name)))


def paths_of(clauses: Iterable[ClauseText]) -> set[str]:
    """Return the files on which a page about the given clauses depends."""
    ids = {each.id for each in clauses}
    paths = {place_of(clause).path for clause in ids} | {"spec/glossary.toml", "spec/rulings.toml"}
    paths |= {each.place.path for each in repository().mentions if each.clause in ids}
    return paths | {f"spec/texts/{text.id}.toml" for text in repository().texts}


# Editions


class Reading(NamedTuple):
    """How an edition differs from the others in a group of clauses."""

    key: str
    label: str
    lacks: list[str]
    """The clauses that are not valid in this edition."""
    has: list[str]
    """The clauses that are valid in this edition, but not in all other editions."""
    answers: list[tuple[RulingText, str]]
    """The edition's answers to rulings that editions answer differently."""


def readings(clauses: Iterable[ClauseText], language: str) -> list[Reading]:
    """Return how each edition differs from the others in some clauses; empty if none differs."""
    apart = {clause.id: clause for clause in clauses if len(clause.editions) < len(EDITIONS)}
    ids = {ruling.id for clause in clauses for ruling in clause.rulings}
    rulings = [each for each in all_rulings(language) if each.id in ids and differs(each)]
    return [
        Reading(
            key_of(name),
            label(name, language),
            [id for id, clause in apart.items() if edition not in clause.editions],
            [id for id, clause in apart.items() if edition in clause.editions],
            [(each, dict(each.answers)[edition]) for each in rulings],
        )
        for name, edition in EDITIONS.items()
        if apart or rulings
    ]


def key_of(edition: str) -> str:
    """Return the form of an edition's name that CSS classes and addresses use: ``z-man``."""
    return edition.lower().replace("_", "-")


def outside(clause: ClauseText) -> str:
    """Return CSS classes that name the editions in which a clause is not valid."""
    lacking = [key_of(name) for name, each in EDITIONS.items() if each not in clause.editions]
    return " ".join(["apart", *(f"not-{key}" for key in lacking)] if lacking else [])


def given_by(answer: str, ruling: RulingText) -> str:
    """Return CSS classes that name the editions in which an answer to a ruling is valid."""
    answers = dict(ruling.answers)
    return " ".join(f"for-{key_of(name)}" for name in EDITIONS if answers[EDITIONS[name]] == answer)


# Terms

CARD_OF: Final = {name: str(character) for character, name in SHORT_NAMES.items()}
"""The names of the pages about characters, keyed by the characters' names in sentences."""

NAMES: Final = re.compile(rf"\b({'|'.join(sorted(CARD_OF, key=len, reverse=True))})\b")
"""A pattern that matches the name of a character in a sentence."""

ENDINGS: Final = "(?:e|en|er|es|s|n)?"
"""A pattern that matches the endings of inflected German nouns."""


@cache
def terms() -> tuple[files.Term, ...]:
    """Return the glossary's terms that have a definition."""
    return tuple(term for term in files.specification().terms if term.section)


def terms_of(section: str) -> list[files.Term]:
    """Return the terms in a section of the glossary; raise `LookupError` for an unknown section."""
    matches = [term for term in terms() if term.section == section]
    if not matches:
        raise LookupError(f"unknown section of the glossary: {section!r}")
    return matches


def with_terms(text: str, subject: Character | None = None) -> str:
    """Return a sentence in which the first occurrence of each term and character is a link.

    A link to `subject` is omitted, because the sentence is on that character's page.
    """
    excluded = set[str]() if subject is None else {SHORT_NAMES[subject]}
    return "".join(
        with_names(part, excluded) if term is None else rf"\ :term:`{escape(part)} <{term.term}>`\ "
        for part, term in glossary.parts(text, terms())
    )


def with_names(text: str, excluded: set[str]) -> str:
    """Return a part of a sentence in which characters are links.

    Names in `excluded` are not linked.  New names are added to `excluded`.
    """
    parts = NAMES.split(text)
    for number in range(1, len(parts), 2):
        name = parts[number]
        if name not in excluded:
            parts[number] = rf"\ :doc:`{name} </cards/each/{CARD_OF[name]}>`\ "
        excluded.add(name)
    return "".join(part if number % 2 else escape(part) for number, part in enumerate(parts))


@cache
def german_words() -> tuple[re.Pattern[str], dict[str, files.Term]]:
    """Return a pattern of German terms, longest first, and the term for each German word."""
    named = {word: term for term in terms() for word in (term.term_de, *term.also_de)}
    nouns = "|".join(
        re.escape(word) for word in sorted(named, key=len, reverse=True) if word[0].isupper()
    )
    return re.compile(rf"\b({nouns}){ENDINGS}\b"), named


def with_german_terms(text: str) -> str:
    """Return a German sentence in which the first occurrence of each term is a link."""
    pattern, named = german_words()
    linked_terms = set[str]()

    def linked(match: re.Match[str]) -> str:
        term = named[match[1]].term_de
        if term in linked_terms:
            return match[0]
        linked_terms.add(term)
        return rf"\ :term:`{match[0]} <{term}>`\ "

    return pattern.sub(linked, escape(text))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the style sheet for differences between editions."""
    app.add_css_file("editions.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(
    __name__,
    sentences=lambda names: ", ".join(f":sentence:`{name}`" for name in names),
    specification_version=files.specification().version,
    Phrase=Phrase,
    chapters=chapters,
    explain=explain,
    repository=repository,
    ruling=ruling,
    seeds=seeds,
    specification=files.specification,
    test_link=test_link,
)
JINJA.tests["differing"] = differs
