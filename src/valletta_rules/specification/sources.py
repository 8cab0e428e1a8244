"""The sources of the clauses: sentences in the five source texts of the rulebook.

A register in `spec/texts` paraphrases every sentence, and lists its `Relation` to clauses.
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
    """The relation between a sentence in a source text and a clause, from strongest to weakest."""

    __hash__ = str.__hash__

    STATES = "states"
    """The sentence states the clause or a part of it."""
    IMPLIES = "implies"
    """The sentence implies the clause, alone or together with other sentences."""
    WEAKER = "weaker"
    """The sentence is weaker than the clause; a ruling or another sentence adds the rest."""
    CONTRADICTS = "contradicts"
    """The sentence contradicts the clause, and a ruling decides in favour of the clause."""


@attrs.frozen
class Source(Value):
    """A place in one of the source texts of the rulebook."""

    seed: str
    """The number of the source text. `seeds` returns the titles for these numbers."""
    section: str
    """The section of the text that contains the place."""
    sentence: str = ""
    """The id of the sentence in the register, such as ``000-37``; empty for a whole section."""
    relation: Relation | None = None
    """The relation of the sentence to the clause."""

    @property
    def text(self) -> str:
        """The title of the source text."""
        return seeds()[self.seed]

    def __str__(self) -> str:
        """Return the citation of the place."""
        return next(citations([self]))


def citations(sources: Iterable[Source], language: str = "en") -> Iterator[str]:
    """Return citations of sources.

    Sentences in the same section that have the same relation share a citation.
    """

    def alike(source: Source) -> tuple[str, str, Relation | None]:
        return source.seed, source.section, source.relation

    for (seed, section, relation), group in groupby(sources, alike):
        prefix = "" if relation is None else f"{Phrase[relation.name].of(language)}: "
        place = ", ".join(each.sentence or seed for each in group)
        yield f"{prefix}{section} [{place}, {seeds(language)[seed]}]"


@cache
def seeds(language: str = "en") -> Mapping[str, str]:
    """Return the titles of the source texts in a language, keyed by the numbers of the texts."""
    title = key_in(language, "title")
    return MappingProxyType({text.id: getattr(text, title) for text in specification().texts})


def in_language_first(sources: Iterable[Source], language: str) -> tuple[Source, ...]:
    """Sort sources so that those in `language` come first.

    For English, the language of most source texts, the order is unchanged.
    """
    if language == LANGUAGES[0]:
        return tuple(sources)
    own = {text.id for text in specification().texts if text.language == language}
    return tuple(sorted(sources, key=lambda source: source.seed not in own))


def sources_of(clause: str) -> tuple[Source, ...]:
    """Return the sentences about a clause, those with the strongest relation first."""
    return _by_clause().get(clause, ())


@cache
def _by_clause() -> Mapping[str, tuple[Source, ...]]:
    by_clause: dict[str, list[Source]] = {}
    for relation in Relation:
        for text in specification().texts:
            for each in text.sentences:
                for clause, is_ in each.relations.items():
                    if is_ == relation:
                        source = Source(text.id, each.section, each.id, relation)
                        by_clause.setdefault(clause, []).append(source)
    return {clause: tuple(sources) for clause, sources in by_clause.items()}
