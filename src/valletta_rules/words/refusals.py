"""Errors as values that can be sent, in the language of whoever caused them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from valletta_rules.card_sets.files import CardSetError
from valletta_rules.codec.text import CodecError
from valletta_rules.codec.vocabulary import FACTS
from valletta_rules.errors import IllegalActionError, Refusal, VallettaError
from valletta_rules.words import english
from valletta_rules.words.language import Language


def refusal_of(
    error: VallettaError, language: Language = english, names: Sequence[str] | None = None
) -> Refusal:
    """Return an error as a value, which `valletta_rules.to_json` writes.

    Takes the language in which it is said, and what the players are called, if not as the
    language calls them.  Of the facts it has those that can be sent: `valletta_rules.codec` says
    which.
    """
    problems = error.problems if isinstance(error, CodecError | CardSetError) else ()
    facts = {} if problems else {name: fact for name, fact in error.facts.items() if name in FACTS}
    return Refusal(
        code=error.code,
        message=language.describe_error(error, names or language.NAMES),
        clause=error.violation.clause if isinstance(error, IllegalActionError) else None,
        details=tuple(facts.items()),
        problems=tuple(
            attrs.evolve(each, message=language.describe_problem(each), details=())
            for each in problems
        ),
    )
