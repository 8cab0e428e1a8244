"""What an author of the reference gets wrong fails the build, where it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

WRONG = {
    ".. operation:: fly": "exports no function 'fly'",
    ".. operation:: GameState": "exports no function 'GameState'",
    ".. tests-listed:: tests/nowhere.py\n\n   test_it": "no file tests/nowhere.py",
    ".. tests-listed:: tests/test_errors.py\n\n   test_it": "has no test 'test_it'",
    ".. command-line:: fly": "no command 'fly'; there are play, ",
    ".. contract-prompts:: all": 'Error in "contract-prompts" directive',
    ":name:`FlyingPrompt`": "nothing is documented as FlyingPrompt",
    ":schema:`Flying`": "target not found: Flying",
}

SETTINGS = f"""
import sys
sys.path += [{str(DOCS / "extensions")!r}, {str(ROOT)!r}]
extensions = ["sphinx.ext.autodoc", "evidence", "contract"]
"""


def test_what_an_author_gets_wrong_is_reported_with_its_line(tmp_path: Path) -> None:
    """A wrong argument is an error of the page on its line, and fails a build that is strict."""
    (tmp_path / "conf.py").write_text(SETTINGS, "utf-8")
    text, lines = "Page\n====\n", {}
    for wrong, reported in WRONG.items():
        text += f"\n{wrong}\n"
        lines[reported] = text.count("\n") - wrong.count("\n")
    (tmp_path / "index.rst").write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", ".", "out"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 1
    for reported, line in lines.items():
        assert re.search(rf"index\.rst:{line}: .*{re.escape(reported)}", done.stderr), done.stderr
