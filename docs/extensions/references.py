"""What a clause rests on, as reStructuredText: its sources, rulings, code, tests, formal model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from evidence import repository, test_link
from markup import ROOT, counted, listed, unfolding
from model import marked_up
from quint_source import modules
from sphinx.util.rst import escape

from spec import traceability
from spec.traceability import Clause, Kind, Place
from valletta_rules.phrases import Phrase, key_in
from valletta_rules.sources import Relation, seeds, sources_of

LABELS: Final[Mapping[str, str]] = {
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

Table = Mapping[str, Any]
"""A table of a TOML file."""


@cache
def tables(path: str, key: str) -> list[tuple[Place, Table]]:
    """Read the tables of a TOML file; those that cannot be read are reported elsewhere."""
    read = traceability.read_tables(ROOT, ROOT / path, key)
    return [each for each in read if not isinstance(each, traceability.Problem)]


def rule(clause: str) -> str:
    """Refer to a clause."""
    return f":rule:`{clause}`"


def ruling(name: str) -> str:
    """Refer to a ruling."""
    return f":ruling:`{name}`"


def standing(clause: Clause) -> str:
    """Write what a clause is, how it stands to others, and when it is in force."""
    exceptions = [each.id for each in repository().clauses if clause.id in each.overrides]
    said = [f"*{clause.kind.capitalize()}*"]
    said += [f"of {rules(clause.follows_from)}"] if clause.follows_from else []
    said += [f"to {rules(clause.overrides)}"] if clause.overrides else []
    parts = [" ".join(said)]
    parts += [f"gives way to {rules(exceptions)}"] if exceptions else []
    if clause.when:
        parts.append(f"in force only if {', '.join(f'``{each}``' for each in clause.when)}")
    for legacy in repository().legacies:
        if legacy.id == clause.id:
            parts.append(f"what it said besides is now {rules(legacy.into)}")
        elif clause.id in legacy.into:
            parts.append(f"was a part of {rule(legacy.id)}")
    return f"{'; '.join(parts)}."


def rules(clauses: Iterable[str]) -> str:
    """Refer to clauses."""
    return ", ".join(map(rule, clauses))


def sentence(name: str) -> str:
    """Refer to a sentence of a text."""
    return f":sentence:`{name}`"


def code_links(clause: str, *, source: bool = False) -> Iterator[str]:
    """Refer to the functions and tables that carry a clause out, or to their source as well."""
    for name, place in mentions("code", clause):
        full = f"valletta_rules.{name}" if name else "valletta_rules"
        module = place.path.removeprefix(f"{traceability.CODE}/").removesuffix(".py")
        module = module.removesuffix("/__init__").replace("/", ".")
        inner = name.removeprefix(module).lstrip(".")
        label = f"{module.rpartition('.')[2]}.{inner}" if inner else f"module {module}"
        shown = f" (:source:`source <{place.path}#{inner}>`)" if source else ""
        yield f":py:obj:`{label} <{full}>`{shown}"


def test_links(clause: str) -> Iterator[str]:
    """Refer to the tests that show a clause, by the sentences with which they begin."""
    for name, place in mentions("tests", clause):
        yield f"{test_link(name)} ({Path(place.path).stem.removeprefix('test_').replace('_', ' ')})"


def quint_links(clause: str) -> Iterator[str]:
    """Refer to the definitions in which the formal model states a clause."""
    for name, _ in mentions("quint", clause):
        yield quint_link(name)


def quint_link(name: str) -> str:
    """Refer to a definition of the formal model, named as the traceability check names it."""
    module, _, defined = name.partition(".qnt::")
    return f":quint:`{module}.{defined}`"


def formal_lines(name: str) -> list[str]:
    """Write a definition of the formal model with what is said above it."""
    module, _, defined = name.partition(".qnt::")
    block = next(b for d, b in modules()[module].definitions() if d.name == defined)
    comment = marked_up(block.comment, module).split("\n") if block.comment else []
    return [quint_link(name), "", *comment, "", f".. quint-definition:: {module}.{defined}", ""]


def mentions(kind: Kind, clause: str) -> list[tuple[str, Place]]:
    """List where a clause is named, each name once."""
    found = {
        mention.name: mention.place
        for mention in reversed(repository().mentions)
        if mention.kind == kind and mention.clause == clause
    }
    return sorted(found.items(), key=lambda item: item[1])


def native_links(clause: str) -> Iterator[str]:
    """Refer to the functions of the native twin that carry a clause out."""
    for name, place in mentions("native", clause):
        file, _, function = name.partition("::")
        yield f":source:`{function or file} <{place.path}#L-{place.line}>` ({file})"


LINKS: Final = {
    "code": code_links,
    "native": native_links,
    "tests": test_links,
    "quint": quint_links,
}
"""How the places of each kind are referred to."""

HEADINGS: Final[Mapping[Kind, tuple[str, str, str]]] = {
    "code": ("Carried out by", "place in the code", "places in the code"),
    "native": ("Carried out natively by", "function", "functions"),
    "tests": ("Shown by", "test", "tests"),
    "quint": ("Stated formally by", "definition", "definitions"),
}
"""What the places of each kind do for a clause, and what they are called."""


def cited(sources: Iterable[Mapping[str, str]]) -> list[str]:
    """Cite sources, text by text."""
    ordered = sorted(sources, key=lambda source: source["seed"])
    texts = []
    for seed, places in groupby(ordered, key=lambda source: source["seed"]):
        sections = "; ".join(f"*{escape(place['section'])}*" for place in places)
        texts.append(f"{seeds()[seed]}: {sections}")
    return unfolding(f"Found in {counted(len(texts), 'text')}", listed(texts))


def supported(clause: str) -> list[str]:
    """Say which sentences are about a clause, text by text and the firmest first."""
    ordered = sorted(sources_of(clause), key=lambda source: source.seed)
    texts = []
    for seed, found in groupby(ordered, key=lambda source: source.seed):
        said = []
        for (relation, section), same in groupby(found, key=lambda s: (s.relation, s.section)):
            sentences = ", ".join(sentence(each.sentence) for each in same)
            said.append(f"{IS[relation]} it under *{escape(section)}* ({sentences})")
        texts.append(f"{seeds()[seed]}: {'; '.join(said)}")
    against = {s.seed for s in ordered if s.relation == Relation.CONTRADICTS}
    found_in = {s.seed for s in ordered if s.relation != Relation.CONTRADICTS}
    summary = f"Found in {counted(len(found_in), 'text')}"
    summary += f", contradicted in {len(against)}" if against else ""
    return unfolding(summary, listed(texts)) if texts else []


def answers(table: Table, language: str = "en") -> dict[str, str]:
    """Return a ruling's answer for each edition."""
    given = table.get(key_in(language, "answers"), {})
    answer = table.get(key_in(language, "answer"))
    return {name: str(given[name] if given else answer) for name in LABELS}


def grouped(table: Table, language: str = "en") -> Iterator[str]:
    """Write a ruling's answers as items of a list, editions that agree together."""
    given = answers(table, language)
    if len(set(given.values())) == 1:
        yield escape(next(iter(given.values())))
        return
    together = f" {Phrase.AND.of(language)} "
    for answer in dict.fromkeys(given.values()):
        editions = together.join(LABELS[name] for name, said in given.items() if said == answer)
        yield f"**{editions}:** {escape(answer)}"


def reasons(table: Table, language: str = "en") -> list[str]:
    """Write why a ruling was made, what speaks for another reading, and what would then differ."""
    confidence = Phrase[table["confidence"].upper()].of(language)
    against = []
    for each in table["against"]:
        text = f"{each['sentence']}, {seeds(language)[each['sentence'][:3]]}"
        heading = Phrase.AGAINST.of(language, text)
        against.append(f"**{heading}:** {escape(each[key_in(language, 'says')])}")
    return [
        f"**{Phrase.BECAUSE.of(language, confidence)}:** "
        f"{escape(table[key_in(language, 'because')])}",
        "",
        *listed(against),
        f"**{Phrase.IN_PLAY.of(language)}:** {escape(table[key_in(language, 'in_play')])}",
        "",
    ]


def in_german(table: Table) -> list[str]:
    """Write a ruling in German, as a part of the page that unfolds."""
    said = [
        f"**{escape(table['question_de'])}**",
        "",
        *listed(grouped(table, "de")),
        *reasons(table, "de"),
    ]
    return unfolding("In German", [".. container:: language-de", "", *(f"   {s}" for s in said)])
