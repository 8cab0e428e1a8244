"""What an author of the documentation gets wrong fails the build, and is told where."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SETTINGS = f"""
import sys
sys.path[:0] = [{str(ROOT / "docs" / "extensions")!r}, {str(ROOT)!r}]
extensions = ["sphinx.ext.autodoc", "learn", "contract"]
html_theme = "basic"
suppress_warnings = ["ref.doc", "ref.term"]  # the other pages are not there
"""

WRONG = {
    # figures and galleries
    ".. display-figure:: 7": "Valletta is for 2, 3 or 4 players, not 7",
    ".. display-figure:: three": "'three' is no whole number",
    ".. display-figure:: 2\n   :site: 20": "the display of 2 players has no site 20",
    ".. display-figure:: 2\n   :site: x": "invalid option value",
    ".. display-figure::": "1 argument(s) required, 0 supplied",
    ".. street-figure:: 3\n   :fewer-barrels:": "the variant with fewer barrels is for 2 players",
    ".. street-figure:: 3\n   :rules: ZMAN": "there is no rule set 'ZMAN'",
    ".. score-track-figure:: 3 -4": "'-4' is no whole number",
    ".. gallery:: characters pink": "there is no colour 'pink'; there are red, purple, green,",
    ".. gallery:: buildings red": "there is no colour 'red'; there are green, blue and yellow",
    # the rulebook
    ".. templated:: chapter appendix": "chapter cannot be shown: ",
    ".. templated:: terms sayings": "the glossary has no section 'sayings'",
    ".. templated:: card juggler": "there is no character 'juggler'",
    ".. position-figure:: 2\n   :view: 2": "a game of 2 players has no seat 2",
    # the book for players
    ".. characters:: juggler": "juggler",
    ".. templated:: shown BLD-6/no-such-thing": "there is no example 'BLD-6/no-such-thing'",
    ".. templated:: shown XYZ-1/none": "XYZ-1",
    ".. templated:: differs fizzle": "differs cannot be shown: ",
    ".. scene:: encore": "has no scene 'encore'",
    ".. table-picture::\n   :players: 7": "2, 3 or 4 players, not 7",
    # the reference
    ".. templated:: operation fly": "exports no function 'fly'",
    ".. templated:: operation GameState": "exports no function 'GameState'",
    ".. templated:: contract/answers": "there is no template 'contract/answers'; there are ",
    ".. templated:: command fly": "command cannot be shown: 'fly'",
    ".. tests-listed:: tests/nowhere.py\n\n   test_it": "no file tests/nowhere.py",
    ".. tests-listed:: tests/test_errors.py\n\n   test_it": "has no test 'test_it'",
    ":name:`FlyingPrompt`": "nothing is documented as FlyingPrompt",
    ":schema:`Flying`": "target not found: Flying",
    ":source:`text <src/nothing.py>`": "target not found: src/nothing.py",
}
"""What is wrong, and what is said about it."""


def test_what_an_author_gets_wrong_is_reported_with_its_line(tmp_path: Path) -> None:
    """A wrong argument is an error of the page on its line, and fails a build that is strict."""
    (tmp_path / "conf.py").write_text(SETTINGS, "utf-8")
    text, lines = "Page\n====\n", {}
    for wrong in WRONG:
        text += f"\n{wrong}\n"
        lines[wrong] = text.count("\n") - wrong.count("\n")
    (tmp_path / "index.rst").write_text(text, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", ".", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 1
    for wrong, reported in WRONG.items():
        line = rf"index\.rst:{lines[wrong]}: .*(\n.*){{0,2}}?{re.escape(reported)}"
        assert re.search(line, done.stderr), (wrong, done.stderr)
