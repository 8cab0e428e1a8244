"""Editions side by side: which clauses an edition lacks or has alone, and what it answers.

Templates mark what differs by classes: ``not-z-man`` is what does not hold in that edition, and
``for-z-man`` what it answers.  `docs/static/editions.css` greys what another edition than the
chosen one has, without a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from references import all_rulings, differs, label
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA, offer

from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.clauses import ClauseText, RulingText
from valletta_rules.specification.files import CLAUSE_ID, specification


class Reading(NamedTuple):
    """What differs if some clauses are read as those of an edition."""

    key: str
    label: str
    lacks: list[str]
    """The clauses that do not hold in it."""
    has: list[str]
    """Those that hold in it, but not in every edition."""
    answers: list[tuple[RulingText, str]]
    """Its answers to the questions on which these clauses depend and the editions differ."""


@offer
def readings(clauses: Iterable[ClauseText], language: str) -> list[Reading]:
    """Read clauses as those of each edition; return nothing if that makes no difference."""
    apart = {clause.id: clause for clause in clauses if len(clause.editions) < len(EDITIONS)}
    asked = {ruling.id for clause in clauses for ruling in clause.rulings}
    rulings = [each for each in all_rulings(language) if each.id in asked and differs(each)]
    return [
        Reading(
            key,
            label(key.upper().replace("-", "_"), language),
            [id for id, clause in apart.items() if edition not in clause.editions],
            [id for id, clause in apart.items() if edition in clause.editions],
            [(each, dict(each.answers)[edition]) for each in rulings],
        )
        for key, edition in EDITIONS.items()
        if apart or rulings
    ]


def outside(clause: ClauseText) -> str:
    """Return the classes of a clause: in which editions it does not hold."""
    lacking = [key for key, edition in EDITIONS.items() if edition not in clause.editions]
    return " ".join(["apart", *(f"not-{key}" for key in lacking)] if lacking else [])


def given_by(answer: str, ruling: RulingText) -> str:
    """Return the classes of an answer: which editions give it."""
    given = dict(ruling.answers)
    return " ".join(f"for-{key}" for key, edition in EDITIONS.items() if given[edition] == answer)


def inside(text: str, language: str) -> str:
    """Write a text in which clauses are named, as links within the document of all clauses."""
    parts = re.split(rf"({CLAUSE_ID.pattern})", text)
    return "".join(
        rf"\ :ref:`{part} <{language}-whole-{part}>`\ " if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let templates ask."""
    JINJA.filters |= {"outside": outside, "given_by": given_by, "inside": inside}
    JINJA.globals["specification_version"] = specification().version
    app.add_css_file("editions.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
