"""The strength of the evidence for a clause.

The strongest evidence for a clause determines its grade; the index of rules explains the grades.
Evidence consists of tests marked with the clause, definitions in the formal model that name it,
contracts in C, and mutants.
"""

from collections import defaultdict
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Final

from links import repository
from templated import share

EXPLORING: Final = ("invariants.qnt", "instances.qnt")
"""The modules of the formal model that check clauses in every position or at the end of a game."""


class Grade(Enum):
    """The grades of evidence, strongest first. A grade's value is a set of kinds of evidence."""

    CONTRACT = frozenset({"proofs"})
    PROVED = frozenset({"lemma"})
    EXPLORED = frozenset({"exploring"})
    PROPERTY = frozenset({"property"})
    EXAMPLE = frozenset({"example", "worked example"})
    READ = frozenset({"clause"})

    @property
    def key(self) -> str:
        """The lower-case name of the grade, for addresses, CSS classes and phrases."""
        return self.name.lower()


@cache
def grades() -> Mapping[str, Grade]:
    """Return the grade of each clause, in the order of the rulebook."""
    kinds = defaultdict[str, set[str]](set)
    for each in repository().mentions:
        kinds[each.clause].add(kind_of(each.kind, each.name))
    for mutant in repository().mutants:
        if "model" in mutant.halves:
            kinds[mutant.clause].add("exploring")
    return {
        clause.id: next(grade for grade in Grade if grade.value & {*kinds[clause.id], "clause"})
        for clause in repository().clauses
    }


def kind_of(kind: str, name: str) -> str:
    """Return which kind of evidence a mention is, such as a lemma or a worked example."""
    if kind == "tests":
        path = name.partition("::")[0]
        if path.endswith(("/test_lemmas.py", ".toml")):
            return "lemma" if path.endswith(".py") else "worked example"
        return "property" if path.startswith("tests/properties/") else "example"
    return "exploring" if kind == "quint" and name.startswith(EXPLORING) else kind


share(__name__, GRADES=[*Grade])
