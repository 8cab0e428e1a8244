"""Languages: sentences for people, a module each, and the table as text in any of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.words import english, german
from valletta_rules.words.english import (
    GISTS,
    GOOD_NAMES,
    NAMES,
    PERSONS,
    SHORT_NAMES,
    brief,
    counted,
    describe_action,
    describe_cards,
    describe_effect,
    describe_goods,
    describe_holdings,
    describe_offer,
    describe_prompt,
    describe_standings,
    describe_violation,
    describe_winner,
    joined,
    label,
    narrate,
    tell,
    title,
)
from valletta_rules.words.language import Language, Sentence
from valletta_rules.words.tables import describe_information, draw_score_sheet, sketch_display

LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType({"en": english, "de": german})
"""The languages by their codes; the type checker names whatever one of them lacks."""

draw_display = sketch_display
"""The first name of `sketch_display`."""

__all__ = [
    "GISTS",
    "GOOD_NAMES",
    "LANGUAGES",
    "NAMES",
    "PERSONS",
    "SHORT_NAMES",
    "Language",
    "Sentence",
    "brief",
    "counted",
    "describe_action",
    "describe_cards",
    "describe_effect",
    "describe_goods",
    "describe_holdings",
    "describe_information",
    "describe_offer",
    "describe_prompt",
    "describe_standings",
    "describe_violation",
    "describe_winner",
    "draw_display",
    "draw_score_sheet",
    "joined",
    "label",
    "narrate",
    "sketch_display",
    "tell",
    "title",
]
