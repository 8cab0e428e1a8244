"""What a clause rests on, for templates: its sources, rulings, code, tests and formal model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from evidence import repository, sentences, test_link
from markup import ROOT, documentation
from sphinx.util.rst import escape
from strength import kind_of
from templated import JINJA, offer, rule, rules
from terms import defining

from spec.mentions import CODE
from spec.traceability import DUTIES
from valletta_rules.specification.clauses import (
    EDITIONS,
    ClauseText,
    Confidence,
    Reference,
    RulingText,
    chapters,
    explain,
    ruling,
    ruling_ids,
)
from valletta_rules.specification.files import (
    CLAUSE_ID,
    Place,
    SourceSentence,
    specification,
)
from valletta_rules.specification.phrases import Phrase
from valletta_rules.specification.sources import Relation, citations, seeds, sources_of

LABELS: Final = {
    "HANS_IM_GLUECK": "Hans im Glück",
    "Z_MAN": "Z-Man Games",
    "REFERENCE_MANUAL": "Reference manual",
}
"""The editions as headings."""

IS: Final[Mapping[Relation | None, str]] = {
    Relation.STATES: "states",
    Relation.IMPLIES: "implies",
    Relation.WEAKER: "is weaker than",
    Relation.CONTRADICTS: "contradicts",
}
"""What a sentence is to a clause, as a verb before it."""

SHOWN: Final = {
    "lemma": ("Proved for all numbers:", "lemma", "lemmas"),
    "property": ("Asked of random games:", "property", "properties"),
    "example": ("Shown by", "test", "tests"),
}
"""What each kind of test does for a clause, and what one and several of them are called."""


# Clauses and rulings


@offer
def all_clauses(language: str) -> list[ClauseText]:
    """Return the clauses of all chapters."""
    return [clause for chapter in chapters(language) for clause in chapter.clauses]


@offer
def all_rulings(language: str) -> list[RulingText]:
    """Return all rulings."""
    return [ruling(name, language) for name in ruling_ids()]


@offer
def place_of(clause: str) -> Place:
    """Return where a clause is written."""
    return repository().by_id[clause].place


@offer
def undone(clause: str) -> list[str]:
    """Return what is not done of a clause, and need not be."""
    return [duty for duty in DUTIES.values() if not getattr(repository().by_id[clause], duty)]


@offer
def confidences() -> list[tuple[str, str]]:
    """Return the degrees of confidence, the least first, with what they mean."""
    said = documentation("valletta_rules.specification.clauses")
    return [(str(each), said["Confidence", each.name]) for each in reversed(Confidence)]


@offer
def label(edition: str, language: str = "en") -> str:
    """Return what an edition is called."""
    return "Handbuch" if (edition, language) == ("REFERENCE_MANUAL", "de") else LABELS[edition]


class Support(StrEnum):
    """What a clause rests on in the texts."""

    __hash__ = str.__hash__

    PRINTED = "printed"
    """A rulebook says it; the manual, whose origin is unknown, does not count."""
    IMPLIED = "implied"
    """It follows from what the rulebooks say, and nothing had to be decided."""
    DECIDED = "decided"
    """No rulebook says it, and a ruling decides."""


@offer
def support(clause: str) -> Support:
    """Return what a clause rests on, by what the sentences of the texts are to it."""
    rulebooks = {text.id for text in repository().texts if text.edition != "REFERENCE_MANUAL"}
    said = explain(clause)
    if any(s.relation == Relation.STATES and s.seed in rulebooks for s in said.sources):
        return Support.PRINTED
    return Support.DECIDED if said.rulings else Support.IMPLIED


def differs(ruling: RulingText) -> bool:
    """Tell whether editions differ on a question."""
    return len({answer for _, answer in ruling.answers}) > 1


def grouped(ruling: RulingText) -> dict[str, list[str]]:
    """Return the answers of a ruling with their editions; with none if all agree."""
    given, found = dict(ruling.answers), dict[str, list[str]]()
    for name, edition in EDITIONS.items():
        named = found.setdefault(given[edition], [])
        named += [label(name, ruling.language)] if differs(ruling) else []
    return found


def linked(text: str, language: str) -> str:
    """Write a text in which clauses are named, as links."""
    role = "regel" if language == "de" else "rule"
    parts = re.split(rf"({CLAUSE_ID.pattern})", text)
    return "".join(
        rf"\ :{role}:`{part}`\ " if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


@offer
def standing(clause: ClauseText) -> str:
    """Write what a clause is, how it stands to others, and when it is in force."""
    following = [each.id for each in repository().clauses if clause.id in each.follows_from]
    parts = [linked(clause.standing.rstrip("."), "en")]
    parts += [f"from it follow{'s' * (not following[1:])} {rules(following)}"] * bool(following)
    for before, now in (repository().lock["split"] | repository().retired).items():
        if before == clause.id:
            parts.append(f"what it said besides is now {rules(now)}")
        elif clause.id in now:
            parts.append(f"was a part of {rule(before)}")
    if defined := [each for each in defining(clause.text) if each != clause.id]:
        parts.append(f"its words are defined by {rules(defined)}")
    return f"{'; '.join(parts)}; revision {clause.revision}."


# The texts


@offer
def supported(clause: ClauseText) -> dict[str, Any]:
    """Return which sentences are about a clause, text by text and the firmest first."""
    ordered = sorted(sources_of(clause.id), key=lambda source: source.seed)
    against = {each.seed for each in ordered if each.relation == Relation.CONTRADICTS}
    said = []
    for seed, found in groupby(ordered, key=lambda source: source.seed):
        alike = groupby(found, key=lambda source: (source.relation, source.section))
        places = [(IS[is_], section, [s.sentence for s in same]) for (is_, section), same in alike]
        said.append((seeds()[seed], places))
    texts = {each.seed for each in ordered if each.relation != Relation.CONTRADICTS}
    return {"texts": texts, "against": len(against), "said": said} if said else {}


@offer
def sentences_that_are(relation: Relation) -> list[int]:
    """Count the sentences of each text that are something to a clause."""
    return [
        sum(relation in each.relations.values() for each in t.sentences) for t in repository().texts
    ]


@offer
def relations() -> dict[Relation, tuple[str, str]]:
    """Return what a sentence can be to a clause: as a verb, and what that means."""
    said = documentation("valletta_rules.specification.sources")
    return {each: (IS[each], said["Relation", each.name][3:].rstrip(".")) for each in Relation}


def by_section(sentences: Sequence[SourceSentence]) -> list[tuple[str, Any]]:
    """Return the sentences of a text by its sections, and within each by its own sections."""
    alike = groupby(sentences, key=lambda each: each.section)
    inner = [(*section.partition(", ")[::2], [*found]) for section, found in alike]
    return [
        (name, [(section, found) for _, section, found in rows])
        for name, rows in groupby(inner, key=lambda each: each[0])
    ]


def clauses_of_sentence(each: SourceSentence) -> str:
    """Say what a sentence is to which clauses, and which ruling decides; or why it has none."""
    by_relation = {
        is_: [clause for clause, relation in each.relations.items() if relation == is_]
        for is_ in Relation
    }
    found = [f"{IS[is_]} {rules(clauses)}" for is_, clauses in by_relation.items() if clauses]
    found += [f"none: {escape(each.why.rstrip('.'))}"] if each.none else []
    found += [f"see :ruling:`{each.ruling}`"] if each.ruling else []
    found += ["none"] if each.level == "flavour" else []
    return "; ".join(found)


# Code, tests and model


class Coded(NamedTuple):
    """A function or a table that carries a clause out; as text it is a link."""

    name: str
    path: str

    @property
    def module(self) -> str:
        """Its module, seen from the package."""
        stem = self.path.removeprefix(f"{CODE}/").removesuffix(".py")
        return stem.removesuffix("/__init__").replace("/", ".")

    @property
    def inner(self) -> str:
        """Its name in the module."""
        return self.name.removeprefix(self.module).lstrip(".")

    @property
    def says(self) -> str:
        """The first sentence of its docstring."""
        said = sentences(ROOT / self.path).get("::" + self.inner.replace(".", "::"), ("", 0))[0]
        key = self.inner.rpartition(".")[::2]
        said = said or documentation(f"valletta_rules.{self.module}").get(key, "")
        return escape(said.partition(". ")[0].replace("`", ""))

    def __str__(self) -> str:
        """Refer to it."""
        short = self.module.rpartition(".")[2]
        label = f"{short}.{self.inner}" if self.inner else f"module {self.module}"
        return f":py:obj:`{label} <{'.'.join(filter(None, ('valletta_rules', self.name)))}>`"


@offer
def carried_out(clause: str) -> list[Coded]:
    """Return the functions and tables that carry a clause out, the main one first."""
    return [Coded(each.name, each.path) for each in explain(clause).code]


def source_link(native: Reference) -> str:
    """Refer to a function of the native backend."""
    file, _, function = native.name.partition("::")
    return f":source:`{function or file} <{native.path}#{function or f'L-{native.line}'}>`"


@offer
def tests_of(clauses: Sequence[str]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield lemmas, properties and tests: what they do, what one and several of them are called.

    With each kind come the names of those that show some of the clauses.
    """
    found = sorted({test.name for clause in clauses for test in explain(clause).tests})
    for kind, (said, *nouns) in SHOWN.items():
        if names := [name for name in found if kind_of("tests", name) == kind]:
            yield said, nouns, names


def by_file(tests: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield tests file by file; a single file goes without a name."""
    files = [
        (file, [*own]) for file, own in groupby(tests, key=lambda name: name.partition("::")[0])
    ]
    for file, own in files:
        yield Path(file).stem.removeprefix("test_").replace("_", " ") * (len(files) > 1), own


def quint_link(name: str) -> str:
    """Refer to a definition of the formal model, named as the traceability check names it."""
    return f":quint:`{name.replace('.qnt::', '.')}`"


@offer
def formal_of(clause: str) -> list[str]:
    """Name the definitions of the formal model that state a clause, those of its chapter first."""
    chapter = Path(place_of(clause).path).stem
    found = [each.name for each in explain(clause).formal]
    return sorted(found, key=lambda name: (name.partition(".")[0] != chapter, found.index(name)))


@offer
def paths_of(clauses: Iterable[ClauseText]) -> set[str]:
    """Return the files of which a page of clauses is made."""
    ids = {each.id for each in clauses}
    found = {place_of(clause).path for clause in ids} | {"spec/glossary.toml", "spec/rulings.toml"}
    found |= {each.place.path for each in repository().mentions if each.clause in ids}
    return found | {f"spec/texts/{text.id}.toml" for text in repository().texts}


for each in (chapters, citations, explain, repository, ruling, seeds, specification):
    offer(each)
JINJA.globals["Phrase"] = Phrase
JINJA.tests["differing"] = differs
JINJA.filters |= {
    "explain": explain,
    "grouped": grouped,
    "linked": linked,
    "joined_with": lambda names, language: f" {Phrase.AND.of(language)} ".join(names),
    "sentences": lambda names: ", ".join(f":sentence:`{name}`" for name in names),
    "regeln": lambda names: ", ".join(f":regel:`{name}`" for name in names),
    "emphasised": "*{}*".format,
    "by_section": by_section,
    "clauses_of_sentence": clauses_of_sentence,
    "source_link": source_link,
    "test_link": test_link,
    "by_file": by_file,
    "quint_link": quint_link,
}
