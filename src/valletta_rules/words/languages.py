"""The available languages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.specification.phrases import (
    UnknownLanguageError,
    plain_code,
    preferred_language,
)
from valletta_rules.words.grammar import English, German
from valletta_rules.words.language import Language

__all__ = ["ENGLISH", "GERMAN", "LANGUAGES", "language_of", "preferred_language"]

ENGLISH: Final = Language("en", English())
"""English, the default language."""

GERMAN: Final = Language("de", German())
"""The German language."""

LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {language.code: language for language in (ENGLISH, GERMAN)}
)
"""The available languages, keyed by their codes."""


def language_of(code: str) -> Language:
    """Return the language with a code such as ``de``, ``de-AT`` or ``de_DE.UTF-8``.

    Raises `UnknownLanguageError` if `LANGUAGES` does not contain the language.
    """
    if (known := LANGUAGES.get(plain_code(code))) is None:
        raise UnknownLanguageError(code)
    return known
