"""Tests that pages link to the playable game if, and only if, the game has been built."""

from pathlib import Path

from tests.docs import EXTENSIONS, sphinx

SETTINGS = f"""
{EXTENSIONS}
from pathlib import Path
import playable
playable.PYODIDE = Path("pyodide").absolute()
playable.RUNTIME = ("pyodide.wasm",)
playable.GENERATED = ()
playable.compile_all = playable.build = lambda to: None
extensions = ["playable"]
html_theme = "basic"
"""

PAGES = {
    "index": (
        "Page\n====\n\n.. with-game::\n\n   :doc:`Play now <play>`\n\n"
        ".. toctree::\n\n   play\n   moves\n   other\n"
    ),
    "play": "Play\n====\n\n.. play::\n",
    "moves": "Moves\n=====\n\n.. try-it:: 2\n   :seed: 1\n",
    "other": "Other\n=====\n",
}


def leading(folder: Path) -> dict[str, str]:
    """Build the pages, and return the HTML of those with a link to the game, keyed by name."""
    sphinx(folder, "-E", "-b", "html", ".", "html").check_returncode()
    html = {page: (folder / f"html/{page}.html").read_text("utf-8") for page in PAGES}
    links = ("play/app/index.html", ">Play now</span></a>")
    return {page: text for page, text in html.items() if any(each in text for each in links)}


def test_pages_link_to_the_playable_game_if_and_only_if_pyodide_is_installed(
    tmp_path: Path,
) -> None:
    """Without Pyodide, the game is not built, and its page explains how to install Pyodide."""
    (tmp_path / "conf.py").write_text(SETTINGS, "utf-8")
    for page, text in PAGES.items():
        (tmp_path / f"{page}.rst").write_text(text, "utf-8")
    assert leading(tmp_path) == {}
    assert "npm ci" in (tmp_path / "html/play.html").read_text("utf-8")
    wasm = tmp_path / "pyodide/pyodide.wasm"
    wasm.parent.mkdir()
    wasm.write_bytes(bytes(3_000_000))
    html = leading(tmp_path)
    assert html.keys() == {"index", "play", "moves"}
    assert "(3 MB" in html["play"]
