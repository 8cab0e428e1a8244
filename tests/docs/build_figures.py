"""The directives that draw: what they put into a page, and what they refuse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SETTINGS = f"""
import sys
sys.path.insert(0, {str(ROOT / "docs" / "extensions")!r})
extensions = ["figures"]
html_theme = "basic"
suppress_warnings = ["ref.doc"]  # the pages of the characters are not there
html_static_path = [{str(ROOT / "docs" / "static")!r}]
"""

SOUND = """\
Figures
=======

.. character-gallery::

.. building-gallery:: green yellow

.. provenance-legend::

.. street-figure:: 3
   :rules: REFERENCE_MANUAL

   Seventeen barrels.

.. display-figure:: 2
   :site: 6
   :seed: 1

.. score-track-figure:: 0 26

.. position-figure:: 2
   :moves: 2000
   :view: 1
"""
"""A page on which everything is right."""

FAULTY = {
    ".. display-figure:: 7": "Valletta is for 2, 3 or 4 players, not 7",
    ".. display-figure:: three": "'three' is no whole number",
    ".. display-figure:: 2\n   :site: 20": "the display of 2 players has no site 20",
    ".. display-figure:: 2\n   :site: x": "invalid option value",
    ".. display-figure::": "1 argument(s) required, 0 supplied",
    ".. street-figure:: 3\n   :fewer-barrels:": "the variant with fewer barrels is for 2 players",
    ".. street-figure:: 3\n   :rules: ZMAN": "there is no rule set 'ZMAN'",
    ".. score-track-figure:: 3 -4": "'-4' is no whole number",
    ".. score-track-figure:: 3": "not 1",
    ".. character-gallery:: pink": "there is no colour 'pink'; there are red, purple, green,",
    ".. building-gallery:: red": "there is no colour 'red'; there are green, blue and yellow",
    ".. position-figure:: 2\n   :view: 2": "a game of 2 players has no seat 2",
}
"""What is wrong, and what is said about it."""


def build(folder: Path, page: str, builder: str = "html") -> tuple[int, str]:
    """Build a page; return the status and what was reported."""
    (folder / "conf.py").write_text(SETTINGS, encoding="utf-8")
    (folder / "index.rst").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-n",
            "-W",
            "--keep-going",
            "-b",
            builder,
            ".",
            "out",
        ],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    return done.returncode, done.stderr


def test_figures_and_galleries_stand_in_the_page(tmp_path: Path) -> None:
    """Every drawing is in the page, a figure with its caption, a gallery with its table.

    The cards of a gallery are files, small, loaded when they are looked at, and told in words.
    """
    assert build(tmp_path, SOUND) == (0, "")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert page.count("<svg ") == page.count("</svg>") == 5
    cards = re.findall(r'<img src="([^"]*)" alt="[^":]+: [^"]+" loading="lazy"', page)
    assert len(set(cards)) == len(cards) == page.count("<img ") == 31 + 2 * 11
    assert max((tmp_path / "out" / card).stat().st_size for card in cards) <= 30_000
    assert page.count("<figure ") == page.count("</figcaption></figure>") == 5
    assert re.search(r"<figcaption>\s*<p>Seventeen barrels\.</p>\s*</figcaption>", page)
    assert page.count('<table class="valletta-cards') == 2
    assert '<p lang="de">Bankier</p>' in page
    assert '<span class="provenance reconstructed">reconstructed</span>' in page


@pytest.mark.parametrize("builder", ["text", "latex"])
def test_other_builders_leave_the_drawings_out(tmp_path: Path, builder: str) -> None:
    """Captions and tables are there without them."""
    assert build(tmp_path, SOUND, builder) == (0, "")
    written = "".join(path.read_text("utf-8") for path in (tmp_path / "out").glob("*.t*"))
    assert "Seventeen barrels." in written
    assert "Chamberlain" in written
    assert "<svg" not in written


def test_what_is_wrong_is_an_error_with_its_place(tmp_path: Path) -> None:
    """Each mistake is reported with file and line, and fails the build."""
    page = "Wrong\n=====\n\n"
    places = {}
    for directive in FAULTY:
        places[directive] = f"{tmp_path / 'index.rst'}:{page.count(chr(10)) + 1}: ERROR:"
        page += f"{directive}\n\n"
    status, reported = build(tmp_path, page)
    assert status != 0
    for directive, message in FAULTY.items():
        assert message in reported[reported.index(places[directive]) :][:300]
