"""Tests of the Sphinx extension `cards`, which writes a page about each character."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.docs import extension
from valletta_rules import Character, explain


def test_a_build_writes_a_page_for_each_character_and_deletes_other_pages(tmp_path: Path) -> None:
    """Each character has an English and a German page. Unchanged pages are not written again."""
    old = tmp_path / "cards/each/goldsmith.rst"
    old.parent.mkdir(parents=True)
    old.write_text("Goldsmith", "utf-8")
    cards = extension("cards")
    cards.write_pages(SimpleNamespace(srcdir=tmp_path))
    pages = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.rst")}
    assert len(pages) == 2 * len(Character)
    for each in Character:
        for folder, title in (("", each.english), ("de/", each.german)):
            page = pages[tmp_path / f"{folder}cards/each/{each}.rst"]
            assert f"\n\n{title}\n{'=' * len(title)}\n\n.. templated:: card {each}\n" in page
    for path in pages:
        os.utime(path, (0, 0))
    cards.write_pages(SimpleNamespace(srcdir=tmp_path))
    assert {path.stat().st_mtime for path in pages} == {0}, "pages that are right were written"


@pytest.mark.parametrize(
    ("clause", "characters"),
    [
        ("BLU-33", {Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR}),
        ("BLU-22", {Character.STONEMASON}),
        ("RED-3", {Character.STONE_SCULPTOR}),
        ("GRN-5", set[Character]()),
    ],
)
def test_the_characters_that_a_clause_names_are_detected_and_linked_to_their_pages(
    clause: str, characters: set[Character]
) -> None:
    """A name inside another word is ignored, such as the name Mason in the word Stonemason."""
    named = extension("cards").named
    text = explain(clause).text
    assert {each for each in Character if named(each, text)} == characters
    written = extension("references").with_terms(text)
    for each in characters:
        assert f"</cards/each/{each}>" in written
