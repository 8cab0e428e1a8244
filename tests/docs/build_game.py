"""Pages lead to the game where it is built, and follow when it is built later or no more."""

from __future__ import annotations

from pathlib import Path

from tests.docs import EXTENSIONS, sphinx

SETTINGS = f"""
{EXTENSIONS}
from pathlib import Path
import playable
playable.PYODIDE = Path("pyodide").absolute()
playable.RUNTIME = ("pyodide.wasm",)
playable.MADE = ()
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


def build(folder: Path, kind: str = "html") -> tuple[set[str], dict[str, str]]:
    """Build pages; return which of them were read, and what is in them."""
    done = sphinx(folder, "-b", kind, "-d", "trees", ".", kind)
    done.check_returncode()
    read = {page for page in PAGES if f"] {page}" in done.stdout.partition("looking for")[0]}
    html = {page: (folder / f"html/{page}.html").read_text("utf-8") for page in PAGES}
    return read, html


def leading(html: dict[str, str]) -> set[str]:
    """Return the pages with a link to the game, or to the page with its button."""
    return {
        page
        for page, text in html.items()
        if "play/app/index.html" in text or ">Play now</span></a>" in text
    }


def test_pages_follow_when_the_game_can_be_built(tmp_path: Path) -> None:
    """What the page of the game says helps: after it, another build has the links."""
    (tmp_path / "conf.py").write_text(SETTINGS, "utf-8")
    for page, text in PAGES.items():
        (tmp_path / f"{page}.rst").write_text(text, "utf-8")
    read, html = build(tmp_path)
    assert (read, leading(html)) == ({*PAGES}, set())
    assert "npm ci" in html["play"]

    wasm = tmp_path / "pyodide/pyodide.wasm"
    wasm.parent.mkdir()
    wasm.write_bytes(bytes(3_000_000))
    read, html = build(tmp_path)
    assert read == leading(html) == {"index", "play", "moves"}
    assert "(3 MB" in html["play"]

    wasm.write_bytes(bytes(5_000_000))
    assert "(5 MB" in build(tmp_path)[1]["play"]

    assert build(tmp_path, "text")[0] == set()
    assert build(tmp_path)[0] == set()

    wasm.unlink()
    wasm.parent.rmdir()
    read, html = build(tmp_path)
    assert (read, leading(html)) == ({"index", "play", "moves"}, set())
