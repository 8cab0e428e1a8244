"""The table stands on the public interface of the package, as a table of somebody else would."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from spec.floors import PACKAGE, own_imports

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((PACKAGE / "web").glob("*.py"))
DOCUMENTED = {
    name
    for page in (ROOT / "docs").rglob("*.rst")
    for name in re.findall(r"module:: valletta_rules\.([\w.]+)", page.read_text("utf-8"))
}
OPEN = DOCUMENTED | {name.split(".")[0] for name in DOCUMENTED} | {"version"}
"""Modules and rooms that the documentation tells of."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_table_imports_nothing_private(path: Path) -> None:
    """It imports what is documented, no name that begins with a line, and looks into nothing."""
    assert {name for name in own_imports(path) if not name.startswith("web")} <= OPEN
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not [each.name for each in node.names if re.match(r"_[a-z]", each.name)]
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            assert ast.unparse(node.value) in ("self", "cls", "os"), ast.unparse(node)
