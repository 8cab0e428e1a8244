"""The sources of the clauses: the sentences of the rulebooks, as listed in the register.

The register paraphrases every sentence of the five texts, and lists the clauses that the sentence
states, implies, is weaker than, or contradicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import groupby
from types import MappingProxyType

import attrs

from valletta_rules.components import Value
from valletta_rules.specification.files import specification
from valletta_rules.specification.phrases import LANGUAGES, Phrase, key_in


class Relation(StrEnum):
    """The relation of a sentence of a text to a clause; the strongest first."""

    __hash__ = str.__hash__

    STATES = "states"
    """It states the clause or a part of it."""
    IMPLIES = "implies"
    """It implies the clause, alone or together with others."""
    WEAKER = "weaker"
    """It is weaker than the clause, which a ruling or another sentence completes."""
    CONTRADICTS = "contradicts"
    """It contradicts the clause, and a ruling decides for the clause."""


@attrs.frozen
class Source(Value):
    """A place in one of the source texts of the rulebook."""

    seed: str
    """The number of the text: a key of `seeds`."""
    section: str
    """The section of the text."""
    sentence: str = ""
    """The id of the sentence in the register, such as ``000-37``; empty for a whole section."""
    relation: Relation | None = None
    """The relation of the sentence to the clause."""

    @property
    def text(self) -> str:
        """The title of the text."""
        return seeds()[self.seed]

    def __str__(self) -> str:
        """Return the citation of the place."""
        return next(citations([self]))


def citations(sources: Iterable[Source], language: str = "en") -> Iterator[str]:
    """Write citations; sentences of a section with the same relation share a citation."""

    def alike(source: Source) -> tuple[str, str, Relation | None]:
        return source.seed, source.section, source.relation

    for (seed, section, relation), group in groupby(sources, alike):
        said = "" if relation is None else f"{Phrase[relation.name].of(language)}: "
        place = ", ".join(each.sentence or seed for each in group)
        yield f"{said}{section} [{place}, {seeds(language)[seed]}]"


@cache
def seeds(language: str = "en") -> Mapping[str, str]:
    """Return the titles of the source texts of the rulebook by their numbers, in a language."""
    title = key_in(language, "title")
    return MappingProxyType({text.id: getattr(text, title) for text in specification().texts})


def in_language_first(sources: Iterable[Source], language: str) -> tuple[Source, ...]:
    """Return places sorted so that the texts in a language come first.

    In English, the language of most texts, the order is unchanged.
    """
    if language == LANGUAGES[0]:
        return tuple(sources)
    own = {text.id for text in specification().texts if text.language == language}
    return tuple(sorted(sources, key=lambda source: source.seed not in own))


def sources_of(clause: str) -> tuple[Source, ...]:
    """Return the sentences about a clause, the strongest relation first."""
    return _by_clause().get(clause, ())


@cache
def _by_clause() -> Mapping[str, tuple[Source, ...]]:
    found: dict[str, list[Source]] = {}
    for relation in Relation:
        for text in specification().texts:
            for each in text.sentences:
                for clause, is_ in each.relations.items():
                    if is_ == relation:
                        source = Source(text.id, each.section, each.id, relation)
                        found.setdefault(clause, []).append(source)
    return {clause: tuple(sources) for clause, sources in found.items()}
