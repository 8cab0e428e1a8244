"""The words of a page in a browser, as JSON has them."""

from __future__ import annotations

from typing import Any

import attrs

from valletta_rules.components.characters import Character
from valletta_rules.words.language import Language


def page_words(language: Language) -> dict[str, Any]:
    """Return the words that a page needs beside what it is sent, as JSON has them.

    They are the language's `Page`, and the names of goods and characters, with what these do.
    """
    return attrs.asdict(language.PAGE) | {
        "goods": {good.value: name for good, name in language.GOOD_NAMES.items()},
        "characters": {
            character.value: {
                "name": language.SHORT_NAMES[character],
                "effect": language.describe_effect(character),
                "colour": character.colour.value,
            }
            for character in Character
        },
    }
