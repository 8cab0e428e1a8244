"""The pages of the characters, and which clauses stand on them, without a build."""

from __future__ import annotations

import pytest

from tests.docs import DOCS, extension
from valletta_rules import Character
from valletta_rules.specification.clauses import explain


@pytest.mark.parametrize("folder", ["cards/each", "de/cards/each"])
def test_a_page_stands_for_each_character(folder: str) -> None:
    """It is called what the character is called, and shows its card."""
    pages = {path.stem: path.read_text("utf-8") for path in (DOCS / folder).glob("*.rst")}
    assert pages.keys() == set(Character)
    for each in Character:
        title = each.german if folder.startswith("de/") else each.english
        assert f"\n\n{title}\n{'=' * len(title)}\n\n.. templated:: card {each}\n" in pages[each]


@pytest.mark.parametrize(
    ("clause", "characters"),
    [
        ("BLU-33", {Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR}),
        ("BLU-22", {Character.STONEMASON}),
        ("RED-3", {Character.STONE_SCULPTOR}),
        ("GRN-5", set[Character]()),
    ],
)
def test_a_clause_is_about_whom_it_names(clause: str, characters: set[Character]) -> None:
    """A Mason is no Stonemason; and each name leads to its page."""
    named = extension("cards").named
    text = explain(clause).text
    assert {each for each in Character if named(each, text)} == characters
    written = extension("terms").with_terms(text)
    for each in characters:
        assert f"</cards/each/{each}>" in written
