"""Tests that mistakes in the source of a page fail the build and are reported with their lines."""

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
    each["wrong"]: each["message"]
    for each in tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))["fault"]
}
"""Mistakes in reStructuredText, each with a part of the expected error message."""


def test_each_mistake_in_the_source_of_a_page_is_reported_with_its_line_and_fails_the_build(
    tmp_path: Path,
) -> None:
    """`faults.toml` lists the mistakes, such as wrong arguments of directives, and the messages."""
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
