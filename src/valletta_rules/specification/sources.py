"""Where the clauses come from: the sentences of the texts, as their register lists them.

The register holds every sentence of the five texts in words of our own, and says of each which
clauses it states, implies, falls short of or contradicts.  It lies beside the rest of the
specification; an installed package brings it along.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

import attrs

from valletta_rules.components.values import Value
from valletta_rules.specification.phrases import Phrase, key_in


class Relation(StrEnum):
    """What a sentence of a text is to a clause; the firmest first."""

    __hash__ = str.__hash__

    STATES = "states"
    """It says what the clause says, or a part of it."""
    IMPLIES = "implies"
    """It lets the clause follow, alone or together with others."""
    WEAKER = "weaker"
    """It says less than the clause, which a ruling or another sentence completes."""
    CONTRADICTS = "contradicts"
    """It says otherwise, and a ruling decides for the clause."""


@attrs.frozen
class Source(Value):
    """A place in one of the texts from which the rulebook was drawn up."""

    seed: str
    """The number under which the text is cited: a key of `seeds`."""
    section: str
    """The section of the text."""
    sentence: str = ""
    """The sentence, by its id in the register, such as ``000-37``; nothing for a whole section."""
    relation: Relation | None = None
    """What the sentence is to the clause."""

    @property
    def text(self) -> str:
        """What the text is."""
        return seeds()[self.seed]

    def __str__(self) -> str:
        """Cite the place."""
        return next(citations([self]))


def citations(sources: Iterable[Source], language: str = "en") -> Iterator[str]:
    """Cite places, the sentences of a section that are the same to a clause together."""

    def alike(source: Source) -> tuple[str, str, Relation | None]:
        return source.seed, source.section, source.relation

    for (seed, section, relation), group in groupby(sources, alike):
        said = "" if relation is None else f"{Phrase[relation.name].of(language)}: "
        place = ", ".join(each.sentence or seed for each in group)
        yield f"{said}{section} [{place}, {seeds(language)[seed]}]"


@cache
def seeds(language: str = "en") -> Mapping[str, str]:
    """Return what the texts are from which the rulebook was drawn up, by their numbers."""
    heads = (source.partition("[[sentence]]")[0] for source in _registers())
    texts = [tomllib.loads(head)["text"] for head in heads]
    return MappingProxyType({text["id"]: text[key_in(language, "title")] for text in texts})


def sources_of(clause: str) -> tuple[Source, ...]:
    """Return the sentences that are about a clause, the firmest first."""
    return _by_clause().get(clause, ())


@cache
def _by_clause() -> Mapping[str, tuple[Source, ...]]:
    rows = [row for source in _registers() for row in tomllib.loads(source)["sentence"]]
    by_id = {row["id"]: row for row in rows}
    found: dict[str, list[Source]] = {}
    for row in rows:
        for each in _clauses_of(row, by_id):
            seed = row["id"].partition("-")[0]
            source = Source(seed, row["section"], row["id"], Relation(each["relation"]))
            found.setdefault(each["id"], []).append(source)
    order = [*Relation, None].index
    return {
        clause: tuple(sorted(sources, key=lambda each: order(each.relation)))
        for clause, sources in found.items()
    }


def _clauses_of(row: Mapping[str, Any], by_id: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the clauses that a row is about, its own or those of the row that it repeats."""
    first = by_id.get(row.get("repeats", ""), {}) if "none" not in row else {}
    found: list[dict[str, str]] = row.get("clauses", first.get("clauses", []))
    return found


def _registers() -> list[str]:
    """Read the register of every text."""
    folder = specification() / "texts"
    return [path.read_text("utf-8") for path in sorted(folder.iterdir(), key=lambda p: p.name)]


def specification() -> Traversable:
    """Return the folder that holds the specification: in the package, or in its repository."""
    installed = resources.files("valletta_rules") / "_spec"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[3] / "spec"
