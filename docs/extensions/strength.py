"""How strong the evidence for a clause is.

The strongest evidence gives a clause its grade; the index of rules says what each grade means.
The evidence comes from the repository: marks of tests, names in the model, contracts in C and
mutants.
"""

from collections import defaultdict
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Final

from links import repository
from templated import share

EXPLORING: Final = ("invariants.qnt", "instances.qnt")
"""The modules of the model that check a clause in every position, or at its end."""


class Grade(Enum):
    """The kinds of evidence that give a grade, the strongest first."""

    CONTRACT = frozenset({"proofs"})
    PROVED = frozenset({"lemma"})
    EXPLORED = frozenset({"exploring"})
    PROPERTY = frozenset({"property"})
    EXAMPLE = frozenset({"example", "worked example"})
    READ = frozenset({"clause"})

    @property
    def key(self) -> str:
        """The name of the grade in addresses, classes and phrases."""
        return self.name.lower()


@cache
def grades() -> Mapping[str, Grade]:
    """Return the grade of each clause, in the order of the rulebook."""
    kinds = defaultdict[str, set[str]](set)
    for each in repository().mentions:
        kinds[each.clause].add(kind_of(each.kind, each.name))
    for mistake in repository().mistakes:
        if "model" in mistake.halves:
            kinds[mistake.clause].add("exploring")
    return {
        clause.id: next(grade for grade in Grade if grade.value & {*kinds[clause.id], "clause"})
        for clause in repository().clauses
    }


def kind_of(kind: str, name: str) -> str:
    """Return the kind of what names a clause; tests are lemmas, properties or examples."""
    if kind == "tests":
        path = name.partition("::")[0]
        if path.endswith(("/test_lemmas.py", ".toml")):
            return "lemma" if path.endswith(".py") else "worked example"
        return "property" if path.startswith("tests/properties/") else "example"
    return "exploring" if kind == "quint" and name.startswith(EXPLORING) else kind


share(__name__, GRADES=[*Grade])
