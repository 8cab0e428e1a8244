"""Tests that the pages for readers of the rules also exist in German."""

from pathlib import Path

from tests.docs import DOCS

FOLDERS = ("rulebook", "cards", "learn")
"""The folders whose pages must exist in German."""


def pages(folder: Path) -> set[str]:
    """Return the names of all pages in the subfolders `FOLDERS`."""
    paths = (path for name in FOLDERS for path in (folder / name).glob("*.rst"))
    return {path.relative_to(folder).with_suffix("").as_posix() for path in paths}


def test_each_page_about_the_rules_the_cards_and_learning_the_game_exists_in_german() -> None:
    """The overview of the cards is an exception. The glossary must also exist in German.

    No page in these folders exists only in German.
    """
    english = pages(DOCS)
    assert english - pages(DOCS / "de") == {"cards/index"}
    assert pages(DOCS / "de") <= english
    assert (DOCS / "de/reference/glossary.rst").is_file()
