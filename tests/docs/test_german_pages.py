"""Tests that pages for readers of the rules have German counterparts."""

from pathlib import Path

from tests.docs import DOCS

FOLDERS = ("rulebook", "cards", "learn")
"""The folders in which every page must exist in German."""


def pages(folder: Path) -> set[str]:
    """Return the names of the pages in the subfolders `FOLDERS` of a folder."""
    found = (path for name in FOLDERS for path in (folder / name).glob("*.rst"))
    return {path.relative_to(folder).with_suffix("").as_posix() for path in found}


def test_each_page_of_the_rulebook_the_cards_and_the_book_exists_in_german() -> None:
    """The glossary exists in German, too. No page in these folders exists only in German."""
    english = pages(DOCS)
    assert english - pages(DOCS / "de") == {"cards/index"}
    assert pages(DOCS / "de") <= english
    assert (DOCS / "de/reference/glossary.rst").is_file()
