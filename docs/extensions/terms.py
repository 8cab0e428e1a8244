"""The words of the rules out of `spec/glossary.toml`, and where sentences use them.

``.. terms:: things`` lists the terms of a section, each with its German word, what it is in code,
and what else the texts call it; ``.. conventions::`` says how *may*, *must* and their like are to
be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from docutils import nodes
from markup import Written, broad_table
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from spec import glossary
from spec.glossary import GLOSSARY
from valletta_rules import Character
from valletta_rules.specification.files import CLAUSE_ID, Term, specification
from valletta_rules.words import SHORT_NAMES

CARD_OF: Final = {name: str(character) for character, name in SHORT_NAMES.items()}
"""The characters by the names that sentences give them."""

NAMES: Final = re.compile(rf"\b({'|'.join(sorted(CARD_OF, key=len, reverse=True))})\b")
"""A character in a sentence."""


@cache
def terms() -> tuple[Term, ...]:
    """Return the terms, read once."""
    return tuple(term for term in specification().terms if term.section)


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


def defining(text: str) -> list[str]:
    """Return the clauses that say what the words of a sentence mean, each once."""
    found = (term.clause for _, term in glossary.parts(text, terms()) if term)
    return [*dict.fromkeys(found)]


class Terms(Written):
    """`.. terms:: things`: the terms of a section."""

    def run(self) -> list[nodes.Node]:
        """Return the list of terms."""
        chosen = [term for term in terms() if term.section == self.arguments[0]]
        if not chosen:
            raise self.error(f"{GLOSSARY} has no section {self.arguments[0]!r}")
        lines = [".. glossary::", ""]
        for term in sorted(chosen, key=lambda term: term.term.casefold()):
            lines += [f"   {term.term}", *(f"      {line}" for line in self.entry(term)), ""]
        return self.written(lines, GLOSSARY)

    def entry(self, term: Term) -> Iterator[str]:
        """Write what stands under a term."""
        yield f"{escape(term.meaning)} See :rule:`{term.clause}`."
        yield f"German: {', '.join(f'*{word}*' for word in (term.term_de, *term.also_de))}."
        if term.code:
            yield f"In code: {', '.join(f'``{name}``' for name in term.code)}."
        if term.also:
            others = (f"*{each['word']}* ({', '.join(each['texts'])})" for each in term.also)
            yield f"Also {', '.join(others)}."


class Conventions(Written):
    """`.. conventions::`: how the words are to be read that every clause uses."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return a table."""
        rows = [
            (
                f"*{each['word']}*",
                f"*{each['word_de']}*",
                CLAUSE_ID.sub(r":rule:`\g<0>`", each["meaning"]),
            )
            for each in specification().conventions
        ]
        columns = "A clause says 14 | German 14 | It means 72"
        return self.written(broad_table(columns, rows, "conventions"), GLOSSARY)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    app.setup_extension("markup")
    app.add_directive("terms", Terms)
    app.add_directive("conventions", Conventions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
