"""Functions that describe games in English or German, and draw the table as text."""

from importlib import import_module
from typing import Any, Final

from valletta_rules.components import Goods
from valletta_rules.text.values import write_goods
from valletta_rules.words.documents import page_words as page_words
from valletta_rules.words.documents import refusal_of as refusal_of
from valletta_rules.words.language import Language as Language
from valletta_rules.words.language import Sentence as Sentence
from valletta_rules.words.languages import ENGLISH as ENGLISH
from valletta_rules.words.languages import GERMAN as GERMAN
from valletta_rules.words.languages import LANGUAGES as LANGUAGES
from valletta_rules.words.languages import language_of as language_of
from valletta_rules.words.languages import preferred_language as preferred_language
from valletta_rules.words.tables import describe_information as describe_information
from valletta_rules.words.tables import draw_players as draw_players
from valletta_rules.words.tables import draw_score_sheet as draw_score_sheet
from valletta_rules.words.tables import sketch_display as sketch_display
from valletta_rules.words.typed import parse_action as parse_action

NAMES: Final = ENGLISH.names
"""The default names of the players in English, seat by seat."""
SHORT_NAMES: Final = ENGLISH.short_names
"""The short English names of the characters."""
GISTS: Final = ENGLISH.gists
"""Brief descriptions of the characters' effects, in English."""
GOOD_NAMES: Final = ENGLISH.good_names
"""The English names of the goods."""

describe_action: Final = ENGLISH.describe_action
describe_cards: Final = ENGLISH.describe_cards
describe_effect: Final = ENGLISH.describe_effect
describe_goods: Final = ENGLISH.describe_goods
describe_holdings: Final = ENGLISH.describe_holdings
describe_offer: Final = ENGLISH.describe_offer
describe_prompt: Final = ENGLISH.describe_prompt
describe_standings: Final = ENGLISH.describe_standings
describe_violation: Final = ENGLISH.describe_violation
describe_winner: Final = ENGLISH.describe_winner
event_sentence: Final = ENGLISH.event_sentence
joined: Final = ENGLISH.joined
label: Final = ENGLISH.label
narrate: Final = ENGLISH.narrate
title: Final = ENGLISH.title


def __getattr__(name: str) -> Any:
    """Import a function such as `describe_advice` from `valletta_rules.analysis.words`.

    Raises `AttributeError` for a name that neither module defines.
    """
    if not name.startswith("describe_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("valletta_rules.analysis.words"), name)


def counted(count: int, noun: str) -> str:
    """Return a number followed by an English noun: ``1 point``, ``2 points``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def brief(goods: Goods) -> str:
    """Return goods in the short notation of typed moves: ``2g 1w``, or ``0`` for no goods."""
    return write_goods(goods, " ")
