"""The words of a page in a browser: every language has all of them, and there is none too many."""

from __future__ import annotations

import json
import re

import attrs
import pytest

from valletta_rules import Character
from valletta_rules.bots import LEVELS
from valletta_rules.rulings import EDITIONS, VARIANTS
from valletta_rules.words import LANGUAGES, Language, english, german, page_words
from valletta_rules.words.page_phrases import Phrases

NAMES = [field.name for field in attrs.fields(Phrases)]


@pytest.mark.parametrize("name", NAMES)
def test_phrases_of_the_page_have_as_many_gaps_in_every_language(name: str) -> None:
    """What is filled in is filled in everywhere."""
    ours, theirs = (getattr(each.PAGE.phrases, name) for each in (english, german))
    assert ours
    assert theirs
    assert ours.count("{}") == theirs.count("{}")
    assert not re.search("{[^}]|[^{]}", ours + theirs)


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_the_page_names_all_that_can_be_chosen(language: Language) -> None:
    """Levels, editions and variants have words, and nothing else has."""
    assert language.PAGE.levels.keys() == LEVELS.keys()
    assert language.PAGE.editions.keys() == EDITIONS.keys()
    assert language.PAGE.variants.keys() == VARIANTS.keys()


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_the_words_of_the_page_are_json(language: Language) -> None:
    """A page is sent the phrases, and the names of goods and of all characters."""
    words = json.loads(json.dumps(page_words(language)))
    assert [*words["phrases"]] == NAMES
    assert [*words["characters"]] == [character.value for character in Character]
    assert words["characters"]["nun"]["name"] == language.SHORT_NAMES[Character.NUN]
    assert words["goods"]["gold"] == "gold" or language is german
