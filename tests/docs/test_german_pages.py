"""Tests that the pages for readers of the rules exist in German."""

from pathlib import Path

from tests.docs import DOCS

FOLDERS = ("rulebook", "cards", "learn")
"""The folders whose pages must all exist in German."""


def pages(folder: Path) -> set[str]:
    """Return the names of the pages in `FOLDERS` below a folder."""
    found = (path for name in FOLDERS for path in (folder / name).glob("*.rst"))
    return {path.relative_to(folder).with_suffix("").as_posix() for path in found}


def test_each_page_of_the_rulebook_the_cards_and_the_book_exists_in_german() -> None:
    """There are no other German pages in these folders. The glossary also exists in German."""
    english = pages(DOCS)
    assert english - pages(DOCS / "de") == {"cards/index"}
    assert pages(DOCS / "de") <= english
    assert (DOCS / "de/reference/glossary.rst").is_file()
