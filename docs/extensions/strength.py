"""How strong the evidence for a clause is: what has been asked of it, and what was found.

The strongest of what there is gives a clause its grade; the rest is counted.  All of it comes out
of the repository: marks of tests, names in the model and in the native twin, verdicts on mistakes,
and the vectors of the conformance kit.  What each grade and count means stands on the page
`/rulebook/evidence`, under the label ``evidence-`` and its key.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final

import attrs
from evidence import repository
from markup import ROOT, counted

from spec.checks.mistakes.table import VERDICTS
from valletta_rules.specification.clauses import explain
from valletta_rules.specification.files import Clause

MANIFEST: Final = "spec/conformance/manifest.json"
"""What the conformance kit holds."""

EXPLORING: Final = ("invariants.qnt", "instances.qnt")
"""The modules of the model in which a clause is asked of every position, or at its end."""


class Grade(Enum):
    """The strongest evidence that a clause has, the strongest first, as a heading."""

    PROVED = "Proved for all numbers"
    EXPLORED = "Explored in every small game"
    PROPERTY = "Property of random games"
    EXAMPLE = "Examples"
    READ = "Read, not run"

    @property
    def key(self) -> str:
        """What it is called in addresses and classes."""
        return self.name.lower()


IN_GERMAN: Final = {
    Grade.PROVED: (
        "Für alle Zahlen bewiesen",
        "Mindestens ein Lemma über die Klausel, meist über einen Teil von ihr, gilt für alle "
        "Zahlen: Der Beweiser Z3 hat gezeigt, dass keine es widerlegen.",
    ),
    Grade.EXPLORED: (
        "In jeder kleinen Partie erkundet",
        "Alle Stellungen kleiner Partien wurden besucht. Dort wird eigens nach der Klausel "
        "gefragt, oder es fiel auf, als sie absichtlich falsch gelesen wurde.",
    ),
    Grade.PROPERTY: (
        "Eigenschaft zufälliger Partien",
        "Was aus der Klausel folgt, wurde in vielen zufälligen Partien geprüft, und es fand sich "
        "kein Gegenbeispiel.",
    ),
    Grade.EXAMPLE: (
        "Beispiele",
        "Durchgespielte Beispiele, und Tests der Fälle, an die jemand gedacht hat.",
    ),
    Grade.READ: (
        "Gelesen, nicht ausgeführt",
        "Die Klausel sagt, wie andere zu lesen sind, oder spricht von Teilen, die in keiner "
        "Stellung vorkommen.",
    ),
}
"""Each grade in German: its heading, and what it means."""


@attrs.frozen
class Evidence:
    """What there is on a clause, as numbers."""

    clause: Clause
    lemmas: int
    """How many lemmas are about it, each proved for all numbers."""
    explored: int
    """How many mistakes in it the small games notice, and how many invariants name it."""
    properties: int
    """How many tests ask it of games nobody chose."""
    examples: int
    """How many worked examples and other tests show it."""
    mistakes: int
    """How many deliberate mistakes in it there are, in engine, model and native twin."""
    noticed: int
    """How many of them were noticed."""
    vectors: int
    """How many vectors of the conformance kit are about it."""
    twins: int
    """How many functions of the native twin carry it out."""

    @property
    def grade(self) -> Grade:
        """The strongest of what there is."""
        found = (self.lemmas, self.explored, self.properties, self.examples, 1)
        return next(grade for grade, count in zip(Grade, found, strict=True) if count)

    @property
    def strength(self) -> tuple[int, ...]:
        """What sorts clauses: the strongest first."""
        return (
            [*Grade].index(self.grade),
            *(-count for count in (self.lemmas, self.explored, self.properties, self.noticed)),
            -self.vectors,
            -self.examples,
        )

    def badges(self) -> Iterator[tuple[str, str]]:
        """Say what there is in a few words each, with the key of what it means; the grade first."""
        yield self.grade.key, self.grade.value
        if self.properties and self.grade is not Grade.PROPERTY:
            yield "property", counted(self.properties, "property", "properties")
        if self.mistakes:
            yield "mistakes", f"{self.noticed} of {counted(self.mistakes, 'mistake')} noticed"
        if self.vectors:
            yield "vectors", counted(self.vectors, "vector")
        if self.twins:
            yield "twin", "native twin"


@cache
def evidence_of_all() -> Mapping[str, Evidence]:
    """Return what there is on each clause, in the order of the rulebook."""
    tests: dict[str, set[str]] = {}
    exploring: dict[str, set[str]] = {}
    twins: dict[str, set[str]] = {}
    for each in repository().mentions:
        if each.kind == "tests":
            tests.setdefault(each.clause, set()).add(each.name)
        elif each.kind == "quint" and each.name.startswith(EXPLORING):
            exploring.setdefault(each.clause, set()).add(each.name)
        elif each.kind == "native":
            twins.setdefault(each.clause, set()).add(each.name)
    verdicts, vectors = read(VERDICTS), read(MANIFEST)
    found = {}
    for clause in repository().clauses:
        kinds = Counter(map(kind_of, tests.get(clause.id, ())))
        halves = [
            (half, each["verdict"])
            for mistake in verdicts.get(clause.id, {}).values()
            for half, each in mistake.items()
        ]
        found[clause.id] = Evidence(
            clause,
            lemmas=kinds["lemma"],
            explored=halves.count(("model", "killed")) + len(exploring.get(clause.id, ())),
            properties=kinds["property"],
            examples=kinds["example"],
            mistakes=len(halves),
            noticed=sum(verdict == "killed" for _, verdict in halves),
            vectors=vectors.get(clause.id, 0),
            twins=len(twins.get(clause.id, ())),
        )
    return found


def kind_of(test: str) -> str:
    """Say what a test is, named as pytest names it: a lemma, a property, or an example."""
    path = test.partition("::")[0]
    if path.endswith("/test_lemmas.py"):
        return "lemma"
    return "property" if path.startswith("tests/properties/") else "example"


def choice_of_grades(language: str = "en") -> str:
    """Return the choice of a grade as HTML, folded; the style sheet hides clauses of others.

    In German it says what each means, which has a page in English.
    """
    found = evidence_of_all().values()
    grades = Counter(each.grade for each in found)
    legend, everything = {
        "en": ("Choose by evidence", "All"),
        "de": ("Nach dem Beleg auswählen", "Alle"),
    }[language]
    choices = [("all", f"{everything} {len(found)}", " checked")]
    for grade in Grade:
        name = IN_GERMAN[grade][0] if language == "de" else grade.value
        choices.append((grade.key, f"{name}: {grades[grade]}", ""))
    boxes = "".join(
        f'<label><input type="radio" name="grade" id="grade-{key}"{checked}> {text}</label>'
        for key, text, checked in choices
    )
    box = f'<fieldset class="grades" aria-label="{legend}">{boxes}</fieldset>'
    if language == "de":
        meanings = "".join(f"<li><b>{name}:</b> {said}</li>" for name, said in IN_GERMAN.values())
        box += f"<p>Jede Klausel zählt bei ihrem stärksten Beleg.</p><ul>{meanings}</ul>"
    return f"<details><summary>{legend}</summary>{box}</details>"


def worked(clause: str) -> tuple[object, ...]:
    """Return the worked examples of a clause; of files that cannot be read there are none."""
    try:
        return explain(clause).examples
    except (LookupError, OSError, ValueError):
        return ()


def read(path: str) -> Mapping[str, Any]:
    """Read what a file of figures says clause by clause; nothing, if there is no such file."""
    if not (ROOT / path).exists():
        return {}
    clauses: Mapping[str, Any] = json.loads((ROOT / path).read_text(encoding="utf-8"))["clauses"]
    return clauses
