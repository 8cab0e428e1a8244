"""Tests that errors in the specification fail the rulebook's build and are reported with lines."""

import re
import shutil
import tomllib
from pathlib import Path

from tests.docs import ROOT, sphinx

SETTINGS = """
extensions = ["rulebook", "cards"]
html_theme, html_css_files, html_js_files, default_role = "basic", [], [], None
suppress_warnings = ["ref.doc", "ref.term"]  # the other pages are not there
templates_path = []
exclude_patterns += ["cards", "de"]
nitpick_ignore_regex = [("py:.*", ".*"), ("quint", ".*")]
"""
"""Sphinx settings that limit the build to the rulebook."""

DAMAGE = tomllib.loads(Path(__file__).with_name("damage.toml").read_text("utf-8"))
"""The content of `damage.toml`: replacements that damage the specification, and the expected
messages."""


def test_each_kind_of_damage_to_the_specification_is_reported_with_file_and_line(
    tmp_path: Path,
) -> None:
    """Examples of damage are a wrong id, a clause without a link, and a missing page.

    The damage is done to a copy of the repository. The build of its rulebook must then fail.
    """
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".*", "_build", "de")
    for folder in ("spec", "src", "tests", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    with (tmp_path / "docs/conf.py").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    for page in (tmp_path / "docs").rglob("*.rst"):
        if not {"rulebook", "templates"} & {*page.parts}:
            page.unlink()
    index = "Index\n=====\n\n.. toctree::\n   :glob:\n\n   rulebook/*\n   rulebook/texts/index\n"
    (tmp_path / "docs/index.rst").write_text(index, "utf-8")
    for path, sound, damage in (each.values() for each in DAMAGE["damage"]):
        text = (tmp_path / path).read_text("utf-8")
        assert sound in text
        (tmp_path / path).write_text(text.replace(sound, damage, 1), "utf-8")
    # All pages are read, which reports most mistakes, and one is written.
    done = sphinx(tmp_path, "-q", "-n", "docs", "html", "docs/rulebook/red.rst")
    assert done.returncode == 1, done.stderr[-3000:]
    for expected in DAMAGE["reported"]:
        assert re.search(expected, done.stderr), (expected, done.stderr[-5000:])
