"""The description of each situation, in every language, is that of its file."""

from collections.abc import Mapping
from functools import cache

import pytest

from tests.words.situations import SITUATIONS, read, written
from valletta_rules import Code
from valletta_rules.words import LANGUAGES


@cache
def said(code: str) -> Mapping[str, str]:
    """Return the descriptions of the situations in a language."""
    return written(LANGUAGES[code])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("number", "name"), list(enumerate(SITUATIONS)))
def test_a_situation_is_described_as_in_the_file(code: str, number: int, name: str) -> None:
    """Every language has its words for it; `tests.words.situations` writes the file again."""
    assert read(code)[number] == said(code)[name]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_file_has_no_other_situations(code: str) -> None:
    """A deleted situation is deleted from the files, too."""
    assert len(read(code)) == len(SITUATIONS)


def test_german_has_words_for_every_violation() -> None:
    """The English message is not used there."""
    assert all(LANGUAGES["de"].has(f"violations.{code}") for code in Code)
