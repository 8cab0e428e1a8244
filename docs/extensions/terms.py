"""The words of the rules out of `spec/glossary.toml`, and where sentences use them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA, offer

from spec import glossary
from valletta_rules import Character
from valletta_rules.specification.files import Term, specification
from valletta_rules.words import SHORT_NAMES

CARD_OF: Final = {name: str(character) for character, name in SHORT_NAMES.items()}
"""The characters by the names that sentences give them."""

NAMES: Final = re.compile(rf"\b({'|'.join(sorted(CARD_OF, key=len, reverse=True))})\b")
"""A character in a sentence."""

ENDINGS: Final = "(?:e|en|er|es|s|n)?"
"""How German words end where they are inflected."""


@cache
def terms() -> tuple[Term, ...]:
    """Return the terms, read once."""
    return tuple(term for term in specification().terms if term.section)


@offer
def terms_of(section: str) -> list[Term]:
    """Return the terms of a section of the glossary; raise `LookupError` if there are none."""
    found = [term for term in terms() if term.section == section]
    if not found:
        raise LookupError(f"the glossary has no section {section!r}")
    return found


def with_terms(text: str, here: Character | None = None) -> str:
    """Write a sentence, with a link at each term and at each character where it first occurs.

    On the page of a character `here` is who needs no link.
    """
    seen = set[str]() if here is None else {SHORT_NAMES[here]}
    return "".join(
        with_names(part, seen) if term is None else rf"\ :term:`{escape(part)} <{term.term}>`\ "
        for part, term in glossary.parts(text, terms())
    )


def with_names(text: str, seen: set[str]) -> str:
    """Write a part of a sentence, with a link at each character that has not been seen."""
    parts = NAMES.split(text)
    for number in range(1, len(parts), 2):
        name = parts[number]
        if name not in seen:
            parts[number] = rf"\ :doc:`{name} </cards/each/{CARD_OF[name]}>`\ "
        seen.add(name)
    return "".join(part if number % 2 else escape(part) for number, part in enumerate(parts))


@cache
def german_words() -> tuple[re.Pattern[str], dict[str, Term]]:
    """Return a pattern of the German terms, the longest first, and the term of each word."""
    named = {word: term for term in terms() for word in (term.term_de, *term.also_de)}
    nouns = "|".join(
        re.escape(word) for word in sorted(named, key=len, reverse=True) if word[0].isupper()
    )
    return re.compile(rf"\b({nouns}){ENDINGS}\b"), named


def with_german_terms(text: str) -> str:
    """Write a German sentence, with a link at each term where it first occurs."""
    pattern, named = german_words()
    seen = set[str]()

    def linked(found: re.Match[str]) -> str:
        term = named[found[1]].term_de
        if term in seen:
            return found[0]
        seen.add(term)
        return rf"\ :term:`{found[0]} <{term}>`\ "

    return pattern.sub(linked, escape(text))


def defining(text: str) -> list[str]:
    """Return the clauses that say what the words of a sentence mean, each once."""
    found = (term.clause for _, term in glossary.parts(text, terms()) if term)
    return [*dict.fromkeys(found)]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let templates write sentences."""
    app.setup_extension("templated")
    JINJA.filters |= {"with_terms": with_terms, "with_german_terms": with_german_terms}
    return {"parallel_read_safe": True, "parallel_write_safe": True}
