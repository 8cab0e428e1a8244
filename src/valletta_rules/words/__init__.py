"""Languages: sentences for people, a module each, and the table as text in any of them."""

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
from valletta_rules.words.languages import LANGUAGES, language_of, preferred_language
from valletta_rules.words.page import page_words
from valletta_rules.words.refusals import refusal_of
from valletta_rules.words.tables import (
    describe_information,
    draw_players,
    draw_score_sheet,
    sketch_display,
)
from valletta_rules.words.typed import parse_action

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
    "draw_players",
    "draw_score_sheet",
    "joined",
    "label",
    "language_of",
    "narrate",
    "page_words",
    "parse_action",
    "preferred_language",
    "refusal_of",
    "sketch_display",
    "tell",
    "title",
]
