"""Every description of a situation must equal the expected text in the snapshot files."""

from collections.abc import Mapping
from functools import cache

import pytest

from tests.words.situations import SITUATIONS, read, written
from valletta_rules import Code
from valletta_rules.words import LANGUAGES


@cache
def descriptions(code: str) -> Mapping[str, str]:
    """Return the descriptions in the language with the given code, keyed by situation."""
    return written(LANGUAGES[code])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("number", "name"), list(enumerate(SITUATIONS)))
def test_the_description_of_a_situation_equals_the_text_in_the_file_of_the_language(
    code: str, number: int, name: str
) -> None:
    """After an intended change, `python -m tests.words.situations` rewrites the files."""
    assert read(code)[number] == descriptions(code)[name]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_file_of_a_language_has_as_many_texts_as_there_are_situations(code: str) -> None:
    """The texts of a deleted situation must be deleted too."""
    assert len(read(code)) == len(SITUATIONS)


def test_german_has_a_phrase_for_every_code_of_a_violation() -> None:
    """Without a phrase, a German player would read the English message."""
    assert all(LANGUAGES["de"].has(f"violations.{code}") for code in Code)
