"""Search for the terms of `spec/glossary.toml` in the text of clauses."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from valletta_rules.specification.files import Term

GLOSSARY: Final = "spec/glossary.toml"


def parts(text: str, terms: Sequence[Term]) -> Iterator[tuple[str, Term | None]]:
    """Split a text into glossary terms and the pieces of text between them.

    Where several spellings match, the longest one is used.  A term is paired with its entry only
    where it occurs first.
    """
    known = {form.casefold(): term for term in terms for form in term.spellings}
    longest_first = sorted(known, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
    earlier: set[str] = set()
    for number, part in enumerate(pattern.split(text)):
        term = known[part.casefold()] if number % 2 else None
        yield part, term if term is not None and term.term not in earlier else None
        if term is not None:
            earlier.add(term.term)


def used(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Return the glossary terms that occur in a text."""
    return tuple(term.term for _, term in parts(text, terms) if term is not None)
