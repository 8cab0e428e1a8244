"""What is said of the situations, in every language, as its file has it."""

from __future__ import annotations

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


def test_every_code_of_a_violation_is_among_the_situations() -> None:
    """In a language that has words of its own the message plays no part."""
    refusals = [text for name, text in said("de").items() if name.startswith("refusal")]
    assert not [text for text in refusals if "the message" in text]
    assert all(LANGUAGES["de"].has(f"violations.{code}") for code in Code)
