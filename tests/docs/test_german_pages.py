"""The German pages: one for each page that readers of the rules use."""

from pathlib import Path

from tests.docs import DOCS

FOLDERS = ("rulebook", "cards", "learn")
"""The folders whose pages all exist in German."""


def pages(folder: Path) -> set[str]:
    """Return the pages of the folders, relative to `root`."""
    found = (path for name in FOLDERS for path in (folder / name).glob("*.rst"))
    return {path.relative_to(folder).with_suffix("").as_posix() for path in found}


def test_each_page_exists_in_german() -> None:
    """Rulebook, cards and book have the same pages in both languages, and the glossary has two."""
    english = pages(DOCS)
    assert english - pages(DOCS / "de") == {"cards/index"}
    assert pages(DOCS / "de") <= english
    assert (DOCS / "de/reference/glossary.rst").is_file()
