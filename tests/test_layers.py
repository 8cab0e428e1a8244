"""Tests of the architecture: which modules may import which, and what the core must not do."""

import re
import subprocess
import sys
from pathlib import Path

from tests.sources import ROOT

PACKAGE = ROOT / "src" / "valletta_rules"


def test_imports_follow_the_contracts_in_pyproject_toml() -> None:
    """`lint-imports` checks these contracts, which define the layers of the package."""
    lint = (
        "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    )
    subprocess.run([sys.executable, "-c", lint], cwd=ROOT, check=True)


def test_the_core_neither_prints_nor_reads_files_nor_depends_on_the_name_of_a_rule_set() -> None:
    """Rules depend on the fields of a rule set, so that a rule set can combine any rulings."""
    rulebook = sorted((PACKAGE / "rulebook").glob("*.py"))
    others = ("actions", "agenda", "engine", "errors", "events", "results", "rulings", "state")
    core = [PACKAGE / f"{name}.py" for name in others]
    for path in (*rulebook, *core, *(PACKAGE / "components").glob("*.py")):
        text = Path(path).read_text(encoding="utf-8")
        assert not re.search(r"(?<![.\w])(print|open|input|exec|eval)\(", text), path
        if path in rulebook or path.stem == "engine":
            assert not re.search(r"rules\.name|Z_MAN|HANS_IM_GLUECK", text), path
