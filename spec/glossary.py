"""The words of the rules: `spec/glossary.toml` read, and found where clauses use them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

GLOSSARY: Final = "spec/glossary.toml"

SECTIONS: Final = ("things", "cards", "doings", "course")
"""What the terms are about: things and places, cards, what players do, the course of a game."""


@dataclass(frozen=True, slots=True)
class Convention:
    """How a word that every clause uses is to be read."""

    word: str
    meaning: str
    word_de: str
    meaning_de: str


@dataclass(frozen=True, slots=True)
class Synonym:
    """Another word that texts have for a term."""

    word: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word with a meaning of its own."""

    section: str
    term: str
    forms: tuple[str, ...]
    """How it occurs in clauses, itself and its plural included."""
    meaning: str
    clause: str
    """The clause that defines it or first needs it."""
    code: tuple[str, ...]
    """What it is in the package."""
    also: tuple[Synonym, ...]
    term_de: str
    also_de: tuple[str, ...]
    meaning_de: str


def read(root: Path) -> tuple[Term, ...]:
    """Read the terms."""
    return tuple(map(term_of, content(root)["term"]))


def conventions(root: Path) -> tuple[Convention, ...]:
    """Read the conventions."""
    return tuple(Convention(**table) for table in content(root)["convention"])


def content(root: Path) -> dict[str, Any]:
    """Read the file."""
    return tomllib.loads((root / GLOSSARY).read_text(encoding="utf-8"))


def term_of(table: dict[str, Any]) -> Term:
    """Make a term of its table."""
    word = table["term"]
    return Term(
        section=table["section"],
        term=word,
        forms=(word, f"{word}s", *table.get("forms", ())),
        meaning=table["meaning"],
        clause=table["clause"],
        code=tuple(table.get("code", ())),
        also=tuple(Synonym(each["word"], tuple(each["texts"])) for each in table.get("also", ())),
        term_de=table["term_de"],
        also_de=tuple(table.get("also_de", ())),
        meaning_de=table["meaning_de"],
    )


def parts(text: str, terms: Sequence[Term]) -> Iterator[tuple[str, Term | None]]:
    """Split a text into the terms that it uses and what stands between them.

    The longest form counts, and a term only where it occurs for the first time.
    """
    known = {form.casefold(): term for term in terms for form in term.forms}
    longest_first = sorted(known, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
    seen: set[str] = set()
    for number, part in enumerate(pattern.split(text)):
        term = known[part.casefold()] if number % 2 else None
        yield part, term if term is not None and term.term not in seen else None
        if term is not None:
            seen.add(term.term)


def used(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Return the terms that a text uses."""
    return tuple(term.term for _, term in parts(text, terms) if term is not None)
