"""How strong the evidence for a clause is: what has been asked of it, and what was found.

The strongest of what there is gives a clause its grade; the rest is counted.  All of it comes out
of the repository: marks of tests, names in the model and in the native backend, contracts there,
mutants, and the vectors of the conformance suite; and the verdicts on mutants out of the report, if
the build is given one.  What each means is on the page `/rulebook/evidence`, under the label
``evidence-`` and its key.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final

import attrs
from checks import verdicts
from evidence import repository
from markup import ROOT, counted
from templated import share

from spec.statements.judge import load
from valletta_rules.specification.files import Clause

MANIFEST: Final = "spec/conformance/manifest.json"
"""What the conformance suite holds."""

EXPLORING: Final = ("invariants.qnt", "instances.qnt")
"""The modules of the model in which a clause is asked of every position, or at its end."""


class Grade(Enum):
    """The strongest evidence that a clause has, the strongest first, as a heading."""

    CONTRACT = "Proved for every position"
    PROVED = "Proved for all numbers"
    EXPLORED = "Explored in every small game"
    PROPERTY = "Property of random games"
    EXAMPLE = "Examples"
    READ = "Read, not run"

    @property
    def key(self) -> str:
        """What it is called in addresses and classes."""
        return self.name.lower()


@attrs.frozen
class Evidence:
    """What there is on a clause, as numbers."""

    clause: Clause
    contracts: int
    """How many functions of the native backend are proved to do what it says, in any position."""
    lemmas: int
    """How many lemmas are about it, each proved for all numbers."""
    explored: int
    """How many mutants of the model there are, and how many invariants name it."""
    properties: int
    """How many tests ask it of games nobody chose."""
    examples: int
    """How many worked examples and other tests show it."""
    mutants: int
    """How many there are, in engine, model and native backend."""
    judged: int
    """On how many of them the report has a verdict."""
    killed: int
    """How many of them were killed, by the report."""
    statements: int
    """How many formal statements it has: what follows from it for whole steps."""
    vectors: int
    """How many vectors of the conformance suite are about it."""

    @property
    def grade(self) -> Grade:
        """The strongest of what there is."""
        found = (self.contracts, self.lemmas, self.explored, self.properties, self.examples, 1)
        return next(grade for grade, count in zip(Grade, found, strict=True) if count)

    @property
    def strength(self) -> tuple[int, ...]:
        """What sorts clauses: the strongest first."""
        return (
            [*Grade].index(self.grade),
            *(-count for count in (self.contracts, self.lemmas, self.explored, self.properties)),
            -self.mutants,
            -self.vectors,
            -self.examples,
        )

    @property
    def of_mutants(self) -> str:
        """How many mutants there are, or were killed."""
        if not self.judged:
            return counted(self.mutants, "mutant")
        return f"{self.killed} of {counted(self.judged, 'mutant')} killed"

    def badges(self) -> Iterator[tuple[str, str]]:
        """Say what there is in a few words each, with the key of what it means; the grade first."""
        yield self.grade.key, self.grade.value
        if self.lemmas and self.grade is not Grade.PROVED:
            yield "proved", counted(self.lemmas, "lemma")
        if self.properties and self.grade is not Grade.PROPERTY:
            yield "property", counted(self.properties, "property", "properties")
        if self.mutants:
            yield "mistakes", self.of_mutants
        if self.vectors:
            yield "vectors", counted(self.vectors, "vector")


@attrs.frozen
class Mutant:
    """A misreading of a clause."""

    misreading: str
    results: Mapping[str, Mapping[str, Any]]
    """What the report says of it, by where it is made; without a report nothing."""

    @property
    def said(self) -> Iterator[str]:
        """Where it is made, with its verdict and the first test that killed it."""
        for half, found in self.results.items():
            killer = f" by ``{found['by'][0].rpartition('::')[2]}``" if found.get("by") else ""
            yield f"{half}: {found['verdict']}{killer}" if found else half


def mutants_of(clause: str) -> list[Mutant]:
    """Return the mutants of a clause."""
    known = verdicts()
    return [
        Mutant(
            each.misreading,
            {half: known.get(half, {}).get(each.name, {}) for half in each.halves},
        )
        for each in repository().mistakes
        if each.clause == clause
    ]


@cache
def evidence_of_all() -> Mapping[str, Evidence]:
    """Return what there is on each clause, in the order of the rulebook."""
    named = {(each.clause, each.kind, each.name) for each in repository().mentions}
    counts = Counter((clause, kind_of(kind, name)) for clause, kind, name in named)
    vectors = json.loads((ROOT / MANIFEST).read_text(encoding="utf-8"))["clauses"]
    judged = (each for each in load() if each.kind != "defines")
    stated = Counter(clause for each in judged for clause in each.clauses)
    found = {}
    for clause in repository().clauses:
        mutants = mutants_of(clause.id)
        results = [each for mutant in mutants for each in mutant.results.values() if each]
        found[clause.id] = Evidence(
            clause,
            contracts=counts[clause.id, "proofs"],
            lemmas=counts[clause.id, "lemma"],
            explored=sum("model" in each.results for each in mutants)
            + counts[clause.id, "exploring"],
            properties=counts[clause.id, "property"],
            examples=counts[clause.id, "example"] + counts[clause.id, "worked example"],
            mutants=sum(len(each.results) for each in mutants),
            judged=len(results),
            killed=sum(each["verdict"] == "killed" for each in results),
            statements=stated[clause.id],
            vectors=vectors.get(clause.id, 0),
        )
    return found


def evidence(clause: str) -> Evidence:
    """Return what there is on a clause."""
    return evidence_of_all()[clause]


def grades_of_evidence() -> list[Grade]:
    """Return the grades, the strongest first."""
    return [*Grade]


def kind_of(kind: str, name: str) -> str:
    """Say what names a clause: a lemma, a property, an example, or what is no test."""
    if kind == "tests":
        path = name.partition("::")[0]
        if path.endswith(("/test_lemmas.py", ".toml")):
            return "lemma" if path.endswith(".py") else "worked example"
        return "property" if path.startswith("tests/properties/") else "example"
    return "exploring" if kind == "quint" and name.startswith(EXPLORING) else kind


share(__name__)
