"""Mistakes of an author of the documentation fail the build, and are reported with their place."""

import re
import tomllib
from pathlib import Path

from tests.docs import EXTENSIONS, sphinx

SETTINGS = f"""
{EXTENSIONS}
extensions = ["sphinx.ext.autodoc", "learn", "contract"]
html_theme = "basic"
exclude_patterns = ["cards", "de"]
suppress_warnings = ["ref.doc", "ref.term"]  # the other pages are not there
"""

WRONG = {
    each["wrong"]: each["said"]
    for each in tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))["fault"]
}
"""The mistakes, and the reports about them."""


def test_a_mistake_of_an_author_is_reported_with_its_line(tmp_path: Path) -> None:
    """A wrong argument is an error of the page on its line, and fails a build that is strict."""
    (tmp_path / "conf.py").write_text(SETTINGS, "utf-8")
    text, lines = "Page\n====\n", {}
    for wrong in WRONG:
        text += f"\n{wrong}\n"
        lines[wrong] = text.count("\n") - wrong.count("\n")
    (tmp_path / "index.rst").write_text(text, "utf-8")
    done = sphinx(tmp_path, "-q", "-n", ".", "out")
    assert done.returncode == 1
    for wrong, reported in WRONG.items():
        line = rf"index\.rst:{lines[wrong]}: .*(\n.*){{0,2}}?{re.escape(reported)}"
        assert re.search(line, done.stderr), (wrong, done.stderr)
