"""The languages of the rulebook, and the fixed phrases of clauses and rulings in each language."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from valletta_rules.components import need
from valletta_rules.errors import VallettaError
from valletta_rules.text.values import quoted

LANGUAGES: Final = ("en", "de")
"""The languages of the rulebook, in the order of the columns of `Phrase`."""


def preferred_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language code selected by environment variables; the default is English.

    The first non-empty variable of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` decides; languages in
    ``LANGUAGE``, if any, take precedence.
    """
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    if plain_code(locale) in {"c", "posix"}:
        return LANGUAGES[0]
    return next((code for code in map(plain_code, wanted) if code in LANGUAGES), LANGUAGES[0])


def plain_code(code: str) -> str:
    """Return the language in a locale code, without country and encoding.

    Raises `TypeError` if the code is not a string.
    """
    need(code, str, "text")
    return re.split("[-_.@]", code.lower())[0]


class UnknownLanguageError(VallettaError, LookupError):
    """Raised for a language into which the rulebook is not translated."""

    language: str
    """The language that was requested."""

    def __init__(self, language: str) -> None:
        """Create the error for the language code `language`."""
        super().__init__(language)
        self.language = language

    def __str__(self) -> str:
        """Return the message, which lists the languages of the rulebook."""
        known = " and ".join(LANGUAGES)
        return f"the rulebook exists in {known}, not in {quoted(self.language)}"


class Phrase(Enum):
    """The fixed phrases of clauses and rulings: one row per phrase, one column per language."""

    DEFINITION = "Definition", "Definition"
    RULE = "Rule", "Regel"
    EXCEPTION = "Exception", "Ausnahme"
    CONSEQUENCE = "Consequence", "Folge"
    PROTOCOL = "Protocol", "Protokoll"
    FACT = "Fact", "Tatsache"
    FOLLOWS_FROM = "of {}", "aus {}"
    OVERRIDES = "to {}", "von {}"
    GIVES_WAY = "gives way to {}", "tritt hinter {} zurück"
    IN_FORCE = "applies only if {}", "gilt nur, wenn {}"
    REFERENCE_MANUAL = "Reference manual", "Handbuch"
    NO_EDITION = "in no edition", "in keiner Ausgabe"

    CERTAIN = "certain", "sicher"
    LIKELY = "likely", "wahrscheinlich"
    OPEN = "open", "offen"
    RULING = "Ruling {}", "Entscheidung {}"
    BECAUSE = "Because ({})", "Begründung ({})"
    AGAINST = "Against ({})", "Dagegen ({})"
    IN_PLAY = "In play", "Am Tisch"
    CHOSEN_BY = "Chosen by {}.", "Wählbar durch {}."

    STATES = "states", "sagt es"
    IMPLIES = "implies", "lässt es folgen"
    WEAKER = "weaker", "sagt weniger"
    CONTRADICTS = "contradicts", "widerspricht"
    SOURCES = "Sources", "Quellen"
    EXAMPLES = "Examples", "Beispiele"
    CLAUSES = "Clauses", "Regeln"
    CODE = "Implemented by", "Ausgeführt von"
    NATIVE = "Implemented in C by", "Nativ ausgeführt von"
    PROVED = "Proved for every position, in C", "Für jede Stellung bewiesen, in C"
    TESTS = "Shown by", "Gezeigt von"
    FORMAL = "Formal model", "Formales Modell"
    PAGE = "Page in the documentation", "Seite in der Dokumentation"
    NOTHING = "nothing. {}", "nichts. {}"

    AND = "and", "und"
    A_CLAUSE = (
        "the text of a clause, with its rulings, sources, code and tests",
        "was eine Regel sagt, mit Entscheidungen, Quellen, Code und Tests",
    )
    A_CHAPTER = (
        "a chapter, by the name in brackets or by its prefix",
        "ein Kapitel, nach dem Namen in Klammern oder dem Kürzel",
    )
    A_RULING = "a ruling, by its name", "eine Entscheidung, nach ihrem Namen"
    WORDS = (
        "clauses and rulings that match any words, the best match first",
        "wohin irgendwelche Wörter führen, das Wahrscheinlichste zuerst",
    )
    ALSO = "The words also match", "Die Wörter führen auch zu"
    YES = "Yes", "Ja"
    NO = "No", "Nein"
    DEPENDS = "It depends on the edition", "Es kommt auf die Ausgabe an"
    MORE = (
        "And {} more; add a word to narrow the search.",
        "Und {} mehr; mit einem Wort mehr sind es weniger.",
    )

    def of(self, language: str, *parts: str) -> str:
        """Return the phrase in one of the `LANGUAGES`; `parts` replace its placeholders."""
        columns: tuple[str, ...] = self.value
        return columns[LANGUAGES.index(language)].format(*parts)


def key_in(language: str, key: str) -> str:
    """Return the key of the text in `language` that corresponds to `key`, the English text's key.

    These are keys in the files of the specification.

    Raises `UnknownLanguageError` if `language` is not one of the `LANGUAGES`, and `TypeError` if it
    is not a string.
    """
    need(language, str, "text")
    if language not in LANGUAGES:
        raise UnknownLanguageError(language)
    return _GERMAN.get(key, f"{key}_de") if language == "de" else key


CONDITIONS: Final[Mapping[tuple[str, str], tuple[str, str]]] = MappingProxyType(
    {
        ("apprentice_colour", "purple"): ("the Apprentice is purple", "der Lehrling lila ist"),
        ("apprentice_colour", "red"): ("the Apprentice is red", "der Lehrling rot ist"),
        ("barrel_layout", "by_players"): (
            "the barrels depend on the number of players",
            "die Zahl der Fässer von der der Spieler abhängt",
        ),
        ("barrel_layout", "every_space"): (
            "every space has a barrel",
            "auf allen Feldern Fässer liegen",
        ),
        ("effects", "compulsory"): ("effects are compulsory", "Aktionen Pflicht sind"),
        ("effects", "optional"): ("effects are optional", "Aktionen freigestellt sind"),
        ("fewer_barrels", "false"): (
            "the variant “fewer barrels” is not used",
            "ohne die Variante „weniger Fässer“ gespielt wird",
        ),
        ("fewer_barrels", "true"): (
            "the variant “fewer barrels” is used",
            "mit der Variante „weniger Fässer“ gespielt wird",
        ),
        ("opening", "draft_and_staggered"): (
            "the first turns are staggered",
            "die ersten Züge gestaffelt sind",
        ),
        ("players", "2"): ("there are two players", "zu zweit gespielt wird"),
        ("players", "2 or 3"): (
            "there are two or three players",
            "zu zweit oder zu dritt gespielt wird",
        ),
        ("start_player_variant", "false"): (
            "the start-player variant is not used",
            "ohne die Startspieler-Variante gespielt wird",
        ),
        ("start_player_variant", "true"): (
            "the start-player variant is used",
            "mit der Startspieler-Variante gespielt wird",
        ),
    }
)
"""The conditions under which clauses are in force, as phrases in each of the `LANGUAGES`."""

_GERMAN: Final = MappingProxyType({"text": "sentence_de"})
"""The irregular keys of German texts, which do not end in ``_de``."""
