"""What is said of the situations, in every language, as its file has it."""

from collections.abc import Mapping
from functools import cache

import pytest

from tests.words.situations import SITUATIONS, read, written
from valletta_rules import Code
from valletta_rules.words import LANGUAGES


@cache
def said(code: str) -> Mapping[str, str]:
    """Return what a language says of each situation."""
    return written(LANGUAGES[code])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("number", "name"), list(enumerate(SITUATIONS)))
def test_a_situation_is_told_as_it_stands_in_the_file(code: str, number: int, name: str) -> None:
    """Every language has its words for it; `tests.words.situations` writes them anew."""
    assert read(code)[number] == said(code)[name]


@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_else_stands_in_the_file(code: str) -> None:
    """A situation that is gone is gone from the files, too."""
    assert len(read(code)) == len(SITUATIONS)


def test_german_has_words_for_every_violation() -> None:
    """The English message plays no part there."""
    assert all(LANGUAGES["de"].has(f"violations.{code}") for code in Code)
