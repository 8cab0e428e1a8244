"""The pages of the rulebook are built from the sources, and what is wrong there fails the build."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from valletta_rules import clause_ids

ROOT = Path(__file__).resolve().parents[2]

SETTINGS = """
extensions = ["rulebook", "texts"]
html_theme, html_css_files, html_js_files, default_role = "basic", [], [], None
suppress_warnings = ["ref.doc", "ref.term"]  # the other pages are not there
nitpick_ignore_regex = [("py:.*", ".*"), ("quint", ".*")]
"""
"""What is added to the settings: only the rulebook is built."""

DAMAGE = (
    ("docs/rulebook/red.rst", ".. chapter::", "See :rule:`RED-99`.\n\n.. chapter::"),
    ("src/valletta_rules/rulebook/scoring.py", "Rules: SCO-7", "Rules: SCO-99, SCO-7"),
    ("spec/clauses/green.toml", 'id = "GRN-9"', 'id = "GRN-90"'),
    ("docs/rulebook/blue.rst", "Blue characters\n==", "Bleu characters\n=="),
    ("spec/clauses/yellow.toml", "rulings = [", 'rulings = ["charlemagne", '),
    ("docs/rulebook/texts/004.rst", ":: 004", ":: 005"),
    ("spec/clauses/valette.toml", 'chapter = "valette"', "chapter = valette"),
)
"""What is made wrong: in which file, what stood there, and what stands there then."""

WRITTEN = ("building", "index_of_rules", "red", "texts/000")
"""The pages that are written: all are read, which is where most mistakes are met."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository that can be damaged."""
    copy = tmp_path_factory.mktemp("repository")
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".*")
    for folder in ("spec", "src", "tests"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for folder in ("extensions", "rulebook", "static"):
        shutil.copytree(ROOT / "docs" / folder, copy / "docs" / folder, ignore=ignored)
    settings = (ROOT / "docs" / "conf.py").read_text("utf-8")
    (copy / "docs" / "conf.py").write_text(settings + SETTINGS, "utf-8")
    index = "Index\n=====\n\n.. toctree::\n   :glob:\n\n   rulebook/*\n   rulebook/texts/index\n"
    (copy / "docs" / "index.rst").write_text(index, "utf-8")
    return copy


@pytest.fixture(scope="module")
def reported(copy: Path) -> str:
    """Damage the copy in places, build its pages, and return what was reported."""
    for path, sound, damage in DAMAGE:
        text = (copy / path).read_text("utf-8")
        assert sound in text
        (copy / path).write_text(text.replace(sound, damage, 1), "utf-8")
    (copy / "spec/clauses/turn.toml").unlink()
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "docs", "html"]
    command += [f"docs/rulebook/{page}.rst" for page in WRITTEN]
    done = subprocess.run(command, cwd=copy, capture_output=True, encoding="utf-8")
    assert done.returncode == 1
    return done.stderr


def test_a_clause_stands_with_all_that_belongs_to_it(copy: Path, reported: str) -> None:
    """Its page has the sentence, the texts, the rulings, the code, the tests and the model."""
    assert "BLD-20" not in reported
    page = (copy / "html" / "rulebook" / "building.html").read_text("utf-8")
    clause = page[page.index('id="bld-20"') : page.index('id="bld-21"')]
    for part in (
        "three other goods",
        "rules on Yucata, in German: states it",
        'href="texts/001.html#001-197"',
        "#ruling-substitution",
        "building.can_pay",
        "Carried out natively by 6 functions",
        "../source/src/native/building.c.html#can_pay",
        "../source/tests/properties/test_payments.html#test_",
        "Tell whether some payment out of these goods is right for a price.",
        '<div class="highlight-quint',
        'href="evidence.html#evidence-proved">Proved for all numbers</a>',
        "mistakes noticed",
        "<summary>Proved for all numbers: ",
        "<summary>Asked of random games: ",
        'its words are defined by <a href="',
        "replacements",
        'id="BLD-20"',
        "; revision ",
    ):
        assert part in clause
    assert re.search(r"To cite a clause: .*, version .*, BLD-1, revision \d", page)
    source = (copy / "html" / "source" / "tests" / "properties" / "test_payments.html").read_text()
    anchors = re.findall(r"test_payments\.html#(\w+)", clause)
    assert anchors
    for anchor in anchors:
        assert f'<span class="defined" id="{anchor}">' in source
    assert 'href="../../../rulebook/building.html#bld-20">BLD-20</a>' in source
    index = (copy / "html" / "rulebook" / "index_of_rules.html").read_text("utf-8")
    listed = re.findall(r'<tr [^>]*data-rule="([^"]+)"', index)
    read = [each for each in clause_ids() if each[:3] not in ("TRN", "VAL")]
    assert listed == ["GRN-90" if each == "GRN-9" else each for each in read]


def test_each_damage_is_reported_with_file_and_line(reported: str) -> None:
    """A wrong id, an unlinked clause, a missing or misnamed file: each fails the build."""
    for expected in (
        r"docs/rulebook/red\.rst:\d+: WARNING: 'rule' reference target not found: RED-99",
        r"src/valletta_rules/rulebook/scoring\.py:\d+: WARNING: .*SCO-99, which is no clause",
        r"spec/clauses/green\.toml:\d+: WARNING: GRN-90 .* is not implemented",
        r"docs/rulebook/blue\.rst:\d+: ERROR: .*the page is to be called 'Blue characters'",
        r"spec/clauses/yellow\.toml:\d+: WARNING: YEL-\d+ depends on charlemagne",
        r"spec/clauses/valette\.toml:1: WARNING: cannot be read",
        r"docs/rulebook/turn\.rst:\d+: ERROR: .*the chapter 'turn' cannot be read",
        r"spec/clauses/blue\.toml:\d+: WARNING: no page of docs/rulebook shows BLU-1\b",
        r"docs/rulebook/texts/004\.rst:\d+: ERROR: .*there is no register of a text '005'",
        r"spec/texts/004\.toml:1: WARNING: no page shows the sentences of 004",
        r"spec/texts/000\.toml:\d+: WARNING: the sentence 000-\d+ names TRN-2, which is no clause",
    ):
        assert re.search(expected, reported), expected
