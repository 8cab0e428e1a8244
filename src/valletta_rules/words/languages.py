"""The available languages, and the one that the environment asks for."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.specification.phrases import UnknownLanguageError
from valletta_rules.words.grammar import English, German
from valletta_rules.words.language import Language

ENGLISH: Final = Language("en", English())
"""English, the default language."""

GERMAN: Final = Language("de", German())
"""German."""

LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {language.code: language for language in (ENGLISH, GERMAN)}
)
"""The languages by code."""


def language_of(code: str) -> Language:
    """Return the language with a code such as ``de``, ``de-AT`` or ``de_DE.UTF-8``.

    Raises `UnknownLanguageError` if it is none of the `LANGUAGES`.
    """
    if (known := LANGUAGES.get(_plain(code))) is None:
        raise UnknownLanguageError(code)
    return known


def preferred_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language that an environment asks for; by default English.

    The first of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is set decides, as it does for other
    programs; ``LANGUAGE`` may name several that come before it.
    """
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    if _plain(locale) in {"c", "posix"}:
        return ENGLISH.code
    return next((code for code in map(_plain, wanted) if code in LANGUAGES), ENGLISH.code)


def _plain(code: str) -> str:
    """Return the language part of a code, without country and encoding."""
    return re.split("[-_.@]", code.lower())[0]
