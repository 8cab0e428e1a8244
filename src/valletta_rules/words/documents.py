"""Functions that return texts for clients: the words of a web page, and error messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from valletta_rules.card_sets.files import CardSetError
from valletta_rules.codec.text import CodecError
from valletta_rules.codec.vocabulary import FACTS
from valletta_rules.components import Character, need
from valletta_rules.errors import IllegalActionError, Refusal, VallettaError, limit_problems
from valletta_rules.words.language import Language
from valletta_rules.words.languages import ENGLISH


def page_words(language: Language) -> dict[str, Any]:
    """Return the words that a web page in `language` needs, as JSON values.

    The result contains the section ``page`` of the language's phrases, the names of goods and
    characters, and the characters' effects.  It does not contain the texts of messages.
    """
    need(language, Language, "a language")
    return {
        **language.phrases["page"],
        "goods": {good.value: name for good, name in language.good_names.items()},
        "characters": {
            character.value: {
                "name": language.short_names[character],
                "effect": language.describe_effect(character),
                "colour": character.colour.value,
            }
            for character in Character
        },
    }


def refusal_of(
    error: VallettaError, language: Language = ENGLISH, names: Sequence[str] = ()
) -> Refusal:
    """Return an error as a value that `valletta_rules.to_json` can serialise.

    `language` is the language of the message.  `names` are the names of the players; the default is
    the language's own names, such as *Red*.  The details of the result are limited to the facts in
    `valletta_rules.codec.vocabulary.FACTS`.  If an action violates a clause, the clause is in a
    field of its own and not in the message.
    """
    violation = error.violation if isinstance(error, IllegalActionError) else None
    problems = error.problems if isinstance(error, CodecError | CardSetError) else ()
    facts = {} if problems else {name: fact for name, fact in error.facts.items() if name in FACTS}
    return Refusal(
        code=error.code,
        message=language.describe_violation(violation, names)
        if violation
        else language.describe_error(error, names),
        clause=violation.clause if violation else None,
        details=tuple(facts.items()),
        problems=tuple(
            attrs.evolve(each, message=language.describe_problem(each), details=())
            for each in limit_problems(problems)
        ),
    )
