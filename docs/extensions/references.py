"""What a clause rests on, as reStructuredText: its sources, rulings, code, tests, formal model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from evidence import repository, sentences, test_link
from markup import ROOT, capitalised, counted, documentation, listed, unfolding
from model import marked_up
from quint_source import modules
from sphinx.util.rst import escape
from strength import evidence_of_all, kind_of, worked
from terms import defining

from spec.mentions import CODE, Kind
from valletta_rules.specification.clauses import explain
from valletta_rules.specification.files import CLAUSE_ID, Clause, Place, Table, specification
from valletta_rules.specification.phrases import Phrase, key_in
from valletta_rules.specification.sources import Relation, seeds, sources_of

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

SHOWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "lemma": ("Proved for all numbers:", "lemma", "lemmas"),
    "property": ("Asked of random games:", "property", "properties"),
    "example": ("Shown by", "test", "tests"),
}
"""What each kind of test does for a clause, and what one and several of them are called."""


@cache
def tables(path: str, key: str) -> list[tuple[Place, Table]]:
    """Read the tables of a TOML file; each with the place of its heading."""
    found = specification().parse(path.removeprefix("spec/"))[key]
    return [(table["place"], table) for table in found]


def rule(clause: str) -> str:
    """Refer to a clause."""
    return f":rule:`{clause}`"


def ruling(name: str) -> str:
    """Refer to a ruling."""
    return f":ruling:`{name}`"


def standing(clause: Clause) -> str:
    """Write what a clause is, how it stands to others, and when it is in force."""
    following = [each.id for each in repository().clauses if clause.id in each.follows_from]
    said = explain(clause.id).standing.rstrip(".")
    parts = [CLAUSE_ID.sub(lambda found: rule(found[0]), said)]
    parts += [f"from it follow{'s' * (not following[1:])} {rules(following)}"] if following else []
    for before, now in (repository().lock["split"] | repository().retired).items():
        if before == clause.id:
            parts.append(f"what it said besides is now {rules(now)}")
        elif clause.id in now:
            parts.append(f"was a part of {rule(before)}")
    if defined := [each for each in defining(clause.text) if each != clause.id]:
        parts.append(f"its words are defined by {rules(defined)}")
    parts.append(f"revision {clause.revision}")
    return f"{'; '.join(parts)}."


def rules(clauses: Iterable[str]) -> str:
    """Refer to clauses."""
    return ", ".join(map(rule, clauses))


def sentence(name: str) -> str:
    """Refer to a sentence of a text."""
    return f":sentence:`{name}`"


def code_links(clause: Clause) -> list[str]:
    """Refer to the functions and tables that carry a clause out, the main one first."""
    found = sorted(mentions("code", clause.id), key=lambda each: weight(clause, *each))
    return [code_link(name, place) for name, place in found]


def code_link(name: str, place: Place) -> str:
    """Refer to a function or a table."""
    module = module_of(place)
    inner = name.removeprefix(module).lstrip(".")
    label = f"{module.rpartition('.')[2]}.{inner}" if inner else f"module {module}"
    return f":py:obj:`{label} <{'.'.join(filter(None, ('valletta_rules', name)))}>`"


def module_of(place: Place) -> str:
    """Return the name of a module of the package, seen from the package."""
    stem = place.path.removeprefix(f"{CODE}/").removesuffix(".py")
    return stem.removesuffix("/__init__").replace("/", ".")


def weight(clause: Clause, name: str, place: Place) -> tuple[float, Place]:
    """Say how far a function is from being the one that carries a clause out: 0 is that one.

    What plays is nearer than what refuses and lists, a function nearer than a table, the clause's
    own chapter nearer than others, and what names few clauses, this one among the first, nearest.
    """
    listed = clauses_of(name)
    inner = name.rpartition(".")[2]
    return (
        8 * (not name.startswith("rulebook."))
        + 4 * inner.startswith("_")
        + 2 * (Path(place.path).stem != Path(clause.place.path).stem)
        + 1.5 * inner.isupper()
        + inner.startswith(("check_", "legal_"))
        + listed.index(clause.id)
        + len(listed) / 2,
        place,
    )


def carried_out(clause: Clause) -> Iterator[str]:
    """Write what carries a clause out: the main function with its sentence, and the others."""
    links = code_links(clause)
    if not links:
        return
    name, place = min(mentions("code", clause.id), key=lambda each: weight(clause, *each))
    inner = name.removeprefix(module_of(place)).lstrip(".")
    said = sentences(ROOT / place.path).get("::" + inner.replace(".", "::"), ("", 0))[0]
    said = said or documentation(f"valletta_rules.{module_of(place)}").get(
        (inner.rpartition(".")[0], inner.rpartition(".")[2]), ""
    )
    main = f"{links[0]} (:source:`source <{place.path}#{inner}>`)"
    lines = [main + (f": {escape(said.partition('. ')[0].replace('`', ''))}" if said else ""), ""]
    if others := links[1:]:
        lines += [f"Besides: {', '.join(others)}."]
    yield from unfolding(
        f"Carried out by {counted(len(links), 'place', 'places')} in the code", lines
    )


def quint_link(name: str) -> str:
    """Refer to a definition of the formal model, named as the traceability check names it."""
    module, _, defined = name.partition(".qnt::")
    return f":quint:`{module}.{defined}`"


def stated_formally(clause: Clause, shown: set[str]) -> Iterator[str]:
    """Write what of the formal model states a clause: the first definition of its chapter whole.

    What has been `shown` on the page before is only named, as all others are.
    """
    chapter = Path(clause.place.path).stem
    found = [name for name, _ in mentions("quint", clause.id)]
    ordered = sorted(found, key=lambda name: (name.partition(".")[0] != chapter, found.index(name)))
    if not ordered:
        return
    main = next((name for name in ordered if name not in shown), ordered[0])
    module, _, defined = main.partition(".qnt::")
    block = next(b for d, b in modules()[module].definitions() if d.name == defined)
    comment = " ".join(marked_up(block.comment, module).split())
    lines = [f"{quint_link(main)}: {comment}" if comment else quint_link(main), ""]
    if main not in shown:
        shown.add(main)
        lines += [f".. quint-definition:: {module}.{defined}", ""]
    if others := [quint_link(name) for name in ordered if name != main]:
        lines += [f"Besides: {', '.join(others)}."]
    yield from unfolding(f"Stated formally by {counted(len(ordered), 'definition')}", lines)


def mentions(kind: Kind, clause: str) -> list[tuple[str, Place]]:
    """List where a clause is named, each name once."""
    return places().get((kind, clause), [])


@cache
def places() -> Mapping[tuple[str, str], list[tuple[str, Place]]]:
    """Return where each clause is named, by kind and clause."""
    found: dict[tuple[str, str], dict[str, Place]] = {}
    for each in reversed(repository().mentions):
        found.setdefault((each.kind, each.clause), {})[each.name] = each.place
    return {key: sorted(named.items(), key=lambda item: item[1]) for key, named in found.items()}


@cache
def clauses_of(name: str) -> list[str]:
    """Return the clauses that a function or a table of the package names, in its own order."""
    return [
        each.clause for each in repository().mentions if (each.kind, each.name) == ("code", name)
    ]


def natively(clause: str) -> Iterator[str]:
    """Write which functions of the native twin carry a clause out."""
    links = []
    for name, place in mentions("native", clause):
        file, _, function = name.partition("::")
        links.append(f":source:`{function or file} <{place.path}#{function or f'L-{place.line}'}>`")
    if links:
        summary = f"Carried out natively by {counted(len(links), 'function')}"
        yield from unfolding(summary, [f"{', '.join(links)}."])


def shown_by(*clauses: str) -> Iterator[str]:
    """Write what of some clauses is proved, what is asked of random games, what tests show.

    Each stands there by its sentence; those of several files stand file by file.
    """
    named = {name for clause in clauses for name, _ in mentions("tests", clause)}
    found = sorted(name for name in named if ".toml::" not in name)  # examples stand above
    above = len(worked(clauses[0])) if len(clauses) == 1 else 0
    for kind, (said, noun, nouns) in SHOWN.items():
        names = [name for name in found if kind_of(name) == kind]
        files = [[*tests] for _, tests in groupby(names, key=lambda name: name.partition("::")[0])]
        lines = []
        for tests in files:
            stem = Path(tests[0].partition("::")[0]).stem.removeprefix("test_").replace("_", " ")
            lines += [f"*{capitalised(stem)}*", ""] if files[1:] else []
            lines += listed(map(test_link, tests))
        summary = f"{said} {counted(len(names), noun, nouns)}"
        if kind == "example" and above:
            summary += f" and {counted(above, 'example')}"
        if names:
            yield from unfolding(summary, lines)


def badges(clause: str) -> list[str]:
    """Write how strong the evidence for a clause is: each badge a link to what it means."""
    given = evidence_of_all()[clause].badges()
    links = " ".join(f":ref:`{text} <evidence-{key}>`" for key, text in given)
    return [".. rst-class:: badges", "", links, ""]


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
