"""The directives of the book for players: what they put into a page, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs import build_figures

SETTINGS = build_figures.SETTINGS.replace('"figures"', '"learn"').replace(
    "extensions = ", f"sys.path.insert(0, {str(build_figures.ROOT)!r})\nextensions = "
)

FAULTY = {
    ".. characters:: juggler": "juggler",
    ".. shown:: BLD-6/no-such-thing": "BLD-6 has no example 'no-such-thing'",
    ".. shown:: XYZ-1/none": "XYZ-1",
    ".. differs:: fizzle": "editions differ on no question 'fizzle'",
    ".. scene:: encore": "has no scene 'encore'",
    ".. track-picture:: many": "'many' is no whole number",
    ".. table-picture::\n   :players: 7": "2, 3 or 4 players, not 7",
}
"""What is wrong, and what is said about it."""


def test_what_is_wrong_in_the_book_is_an_error_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mistake is reported with file and line, and fails the build."""
    monkeypatch.setattr(build_figures, "SETTINGS", SETTINGS)
    page, places = "Wrong\n=====\n\n", {}
    for directive in FAULTY:
        places[directive] = f"{tmp_path / 'index.rst'}:{page.count(chr(10)) + 1}: ERROR:"
        page += f"{directive}\n\n"
    status, reported = build_figures.build(tmp_path, page)
    assert status != 0
    for directive, message in FAULTY.items():
        assert places[directive] in reported, reported[-3000:]
        assert message in reported[reported.index(places[directive]) :][:300]
